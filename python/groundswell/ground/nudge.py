"""Bad elements that Gmsh cannot mend, because all their corners lie on surfaces, which it does not touch any more.

Where a layer is one element thick, the same pattern above and below leaves flat elements that stand upright between them.
Their corners are moved a little, each within its own surface, which is a plane before relief is laid over it.
"""

import numpy as np

TETRAHEDRON, TRIANGLE = 4, 2  # numbers of Gmsh's kinds of elements
PASSES = 4
LENGTHS = (0.08, 0.2, 0.35)  # of the shortest edge of the element
TURNS = 12


def quality(corner):
    """3 × inscribed / circumscribed radius of elements with these corners (n, 4, 3), below 0 where they are inside out."""
    a, b, c = (corner[:, i] - corner[:, 0] for i in (1, 2, 3))
    ab, bc, ca = np.cross(a, b), np.cross(b, c), np.cross(c, a)
    norm = np.linalg.norm
    six = np.einsum("ij,ij->i", ab, c)
    surface = norm(ab, axis=1) + norm(bc, axis=1) + norm(ca, axis=1) + norm(np.cross(b - a, c - a), axis=1)
    square = [np.einsum("ij,ij->i", side, side)[:, None] for side in (a, b, c)]
    around = norm(square[0] * bc + square[1] * ca + square[2] * ab, axis=1)
    # Inscribed: |six| / surface. Circumscribed: around / |2 six|.
    return 6.0 * six * np.abs(six) / np.maximum(surface * around, 1e-300)


class Mesh:
    """Flat places (n, 3) of Gmsh's nodes; cells (m, 4) of their rows; planes: how each may move, by row."""

    def __init__(self, gmsh, relief):
        self.tags, true, _ = gmsh.model.mesh.getNodes()
        self.relief = relief
        self.true = true.reshape(-1, 3)
        self.row = np.full(int(self.tags.max()) + 1, -1)
        self.row[self.tags.astype(int)] = np.arange(len(self.tags))
        _, nodes = gmsh.model.mesh.getElementsByType(TETRAHEDRON)
        self.cells = self.row[nodes.astype(int)].reshape(-1, 4)
        self.free, self.normal = np.zeros(len(self.tags), int), {}
        for _, tag in gmsh.model.getEntities(3):
            self.free[self.row[gmsh.model.mesh.getNodes(3, tag)[0].astype(int)]] = 3
        for _, tag in gmsh.model.getEntities(2):
            inside = self.row[gmsh.model.mesh.getNodes(2, tag)[0].astype(int)]
            self.free[inside] = 2
            self.normal.update(dict.fromkeys(inside.tolist(), tag))

    def qualities(self, cells):
        return quality(self.true[self.cells[cells]])

    def set_place(self, row, true):
        self.true[row] = true


def nudge(gmsh, relief, good):
    """Moves corners of elements worse than `good`; how many were moved."""
    mesh = Mesh(gmsh, relief)
    normal = {tag: np.array(gmsh.model.getNormal(tag, [0.5, 0.5])) for tag in set(mesh.normal.values())}
    moved = move_corners(mesh, normal, good)
    for row in moved:
        gmsh.model.mesh.setNode(int(mesh.tags[row]), mesh.true[row], [])
    return len(moved)


def move_corners(mesh, normal, good, passes=PASSES):
    """Moves corners of elements worse than `good` in `mesh`, which has what Mesh has; the rows of those that were moved.

    `normal`: of each of the planes in which some of the corners may move.
    """
    found = mesh.qualities(slice(None))
    if found.min() >= good:
        return []
    order = np.argsort(mesh.cells, axis=None, kind="stable")
    first = np.searchsorted(mesh.cells.ravel()[order], np.arange(len(mesh.true) + 1))
    moved = set()
    for _ in range(passes):
        bad = np.nonzero(found < good)[0]
        before = len(moved), found[bad].sum()
        for cell in bad[np.argsort(found[bad], kind="stable")]:
            for row in mesh.cells[cell].tolist():
                around = order[first[row] : first[row + 1]] // 4
                if found[cell] < good and _move(mesh, cell, row, around, normal):
                    moved.add(row)
                    found[around] = mesh.qualities(around)
        bad = np.nonzero(found < good)[0]
        if not len(bad) or (len(moved), found[bad].sum()) == before:
            break
    return sorted(moved)


def _move(mesh, cell, row, around, normal):
    """Moves a node to where the worst of the elements around it is best; whether it moved."""
    if mesh.free[row] == 0:
        return False
    edges = mesh.true[mesh.cells[cell]]
    shortest = min(np.linalg.norm(edges[i] - edges[j]) for i in range(4) for j in range(i))
    ways = _directions(normal[mesh.normal[row]] if mesh.free[row] == 2 else None)
    x, y, z = mesh.true[row]
    flat = np.array([x, y, float(mesh.relief.unwarp(x, y, z))])
    steps = np.concatenate([length * max(shortest, 1e-3) * ways for length in LENGTHS])
    tried = flat + steps
    tried[:, 2] = mesh.relief.warp(*tried.T)
    corner = np.repeat(mesh.true[mesh.cells[around]][None], len(tried), axis=0)
    corner[:, mesh.cells[around] == row] = tried[:, None]
    worst = quality(corner.reshape(-1, 4, 3)).reshape(len(tried), len(around)).min(axis=1)
    best = int(np.argmax(worst))
    if worst[best] <= mesh.qualities(around).min() + 1e-6:
        return False
    mesh.set_place(row, tried[best])
    return True


def _directions(normal):
    """Unit vectors: around in the plane with this normal, or in space."""
    angle = 2.0 * np.pi * np.arange(TURNS) / TURNS
    if normal is None:
        return np.concatenate([_directions(axis) for axis in np.eye(3)])
    side = np.cross(normal, np.eye(3)[int(np.argmin(np.abs(normal)))])
    side /= np.linalg.norm(side)
    return np.cos(angle)[:, None] * side + np.sin(angle)[:, None] * np.cross(normal, side)
