"""Where SeisSol computes friction on the faces of a fault, from a mesh in PUML: the nearest such points to places of the fault, at
which its receivers tell slip."""

import numpy as np
from netCDF4 import Dataset

FACES = np.array(
    [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)]
)  # corners of the faces of a cell, in the order of the file


def rule(order):
    """[point][2] in the triangle of a face's corners: (order + 1)² points of Gauss and Jacobi, which crowd to the second corner
    (A. H. Stroud 1971, section 2.5)."""
    k = np.arange(order + 1)
    beside = np.sqrt(k[1:] * (k[1:] + 1.0)) / (2.0 * k[1:] + 1.0)
    towards = np.linalg.eigvalsh(
        np.diag(-1.0 / ((2.0 * k + 1.0) * (2.0 * k + 3.0))) + np.diag(beside, 1) + np.diag(beside, -1)
    )
    across, _ = np.polynomial.legendre.leggauss(order + 1)
    chi = 0.5 * (1.0 + towards)[:, None] + 0.0 * across
    tau = 0.5 * (1.0 + across) * (1.0 - chi)
    return np.stack([chi.ravel(), tau.ravel()], axis=-1)


def faces_of(mesh, plus_towards):
    """Corners of the faces of the fault as its + side has them, [face][3][3], m. `plus_towards`: whether that side lies towards +1 or
    -1 of y."""
    with Dataset(mesh) as file:
        places, corners, boundary = (file[name][:].filled() for name in ("geometry", "connect", "boundary"))
    corner = places[corners.astype(np.int64)]
    found = []
    for face, of_face in enumerate(FACES):
        tag = boundary.astype(np.int64) >> 8 * face & 255
        at = corner[(tag == 3) | (tag > 64)][:, of_face]
        across = np.cross(at[:, 1] - at[:, 0], at[:, 2] - at[:, 0])  # outward
        found.append(at[across[:, 1] * plus_towards < 0.0])
    return np.concatenate(found)


def nearest(mesh, order, plus_towards, places):
    """In the face in which each of places lies, the point that is nearest in the triangle's own coordinates, which is what SeisSol
    takes: [place][3], m."""
    corner, points, found = faces_of(mesh, plus_towards), rule(order), []
    edges = corner[:, 1:] - corner[:, :1]
    for place in np.array(places):
        # Coordinates in the plane of each face, and how far outside of its triangle that is, or off the plane.
        inverse = np.linalg.pinv(edges.transpose(0, 2, 1))
        at = np.einsum("fij,fj->fi", inverse, place - corner[:, 0])
        off = np.linalg.norm(corner[:, 0] + np.einsum("fi,fij->fj", at, edges) - place, axis=1)
        outside = np.maximum(0.0, -np.minimum(at.min(axis=1), 1.0 - at.sum(axis=1)))
        face = np.argmin(outside + off / np.linalg.norm(edges[:, 0], axis=1))
        point = points[np.argmin(np.linalg.norm(points - at[face], axis=1))]
        found.append((corner[face, 0] + point @ edges[face]).tolist())
    return found
