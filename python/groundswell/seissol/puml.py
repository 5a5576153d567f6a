"""Meshes in PUML, as far as values at their places ask for it: middles and points of elements, points of faults."""

import numpy as np

from groundswell.errors import refuse

FACES = np.array(
    [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)]
)  # corners of a cell's faces, in the order of the file
SEA = 2  # the tag of the free surface with gravity


def jacobi(count, alpha):
    """Points from 0 to 1 and weights, of sum 1, of Gauss and Jacobi for (1 − x)^alpha."""
    from scipy.special import roots_jacobi

    points, weights = roots_jacobi(count, alpha, 0)
    return 0.5 * (1.0 + points), weights / weights.sum()


def tetrahedron_rule(count):
    """[point][3] in the coordinates of the last three corners, and weights of sum 1: count³ points of a conical product (A. H. Stroud
    1971, section 2.5)."""
    (a, wa), (b, wb), (c, wc) = (jacobi(count, alpha) for alpha in (2, 1, 0))
    points, weights = [], []
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            for k, z in enumerate(c):
                points.append((x, y * (1.0 - x), z * (1.0 - x - y * (1.0 - x))))
                weights.append(wa[i] * wb[j] * wc[k])
    return np.array(points), np.array(weights)


def triangle_rule(count):
    """[point][2] in the coordinates of a face's second and third corner: count² points, which crowd to the second."""
    towards, _ = jacobi(count, 1)
    across, _ = jacobi(count, 0)
    chi = towards[:, None] + 0.0 * across
    return np.stack([chi.ravel(), (across * (1.0 - towards[:, None])).ravel()], axis=-1)


class Mesh:
    """Places, corners of cells, groups, and tags of faces."""

    def __init__(self, path):
        import netCDF4

        self.path = path
        try:
            file = netCDF4.Dataset(path)
        except OSError as failure:
            refuse(
                path,
                None,
                None,
                f"a mesh in PUML that can be read ({failure.strerror or failure}); --mesh names another",
            )
        with file:
            for name in ("geometry", "connect", "group", "boundary"):
                if name not in file.variables:
                    refuse(path, name, None, "a mesh in PUML: geometry, connect, group, boundary")
            place, corners, group, boundary = (
                np.ma.getdata(file.variables[name][:])
                for name in ("geometry", "connect", "group", "boundary")
            )
            form = getattr(file, "boundary-format", None)
        self.place, self.corners, self.group = (
            place.astype(float),
            corners.astype(np.int64),
            group.astype(np.int64),
        )
        packed = boundary.astype(np.int64)
        if packed.ndim == 2:
            self.tag = packed
            return
        # By the file's word or number; else 16 bits of each face reach beyond 2³², and 8 do not.
        wide = form in ("i64", 1) if form is not None else bool((np.abs(packed) >= 2**32).any())
        bits = 16 if wide else 8
        self.tag = np.stack([packed >> bits * face & (1 << bits) - 1 for face in range(4)], axis=-1)

    def __len__(self):
        return len(self.corners)

    def faces_of_tag(self, tag):
        """[face](cell, its face)"""
        return np.argwhere(self.tag == tag)

    def centres(self):
        return self.place[self.corners].mean(axis=1)

    def extent(self):
        used = self.place[np.unique(self.corners)]
        return used.min(axis=0), used.max(axis=0)

    def points_of_elements(self, cells, inside):
        """[cell][point][3], m, of points in the coordinates of an element."""
        corner = self.place[self.corners[cells]]
        return corner[:, :1] + np.einsum("pj,cjk->cpk", inside, corner[:, 1:] - corner[:, :1])

    def points_of_faults(self, count):
        """[point][3], m, and the tag of each: where friction is computed, whichever of the two sides of a face counts. Both sides
        have points of their own."""
        rule, places, tags = triangle_rule(count), [], []
        for face, corners in enumerate(FACES):
            tag = self.tag[:, face]
            chosen = (tag == 3) | (tag > 64)
            corner = self.place[self.corners[chosen][:, corners]]
            at = corner[:, :1] + np.einsum("pj,fjk->fpk", rule, corner[:, 1:] - corner[:, :1])
            places.append(at.reshape(-1, 3))
            tags.append(np.repeat(tag[chosen], len(rule)))
        return np.concatenate(places), np.concatenate(tags)

    def cell_of(self, place):
        """The element that holds a place, or −1."""
        corner = self.place[self.corners]
        near = np.all((corner.min(axis=1) <= place) & (corner.max(axis=1) >= place), axis=1).nonzero()[0]
        for cell in near:
            shares = np.linalg.solve((corner[cell, 1:] - corner[cell, 0]).T, place - corner[cell, 0])
            if shares.min() >= -1e-9 and shares.sum() <= 1.0 + 1e-9:
                return int(cell)
        return -1
