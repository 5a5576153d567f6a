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


def all_points(mesh, order, plus_towards):
    """[point][3], m. `plus_towards`: whether the + side of the fault, whose faces count, lies towards +1 or -1 of y."""
    with Dataset(mesh) as file:
        places, corners, boundary = (file[name][:].filled() for name in ("geometry", "connect", "boundary"))
    corner = places[corners.astype(np.int64)]
    found = []
    for face, of_face in enumerate(FACES):
        tag = boundary.astype(np.int64) >> 8 * face & 255
        at = corner[(tag == 3) | (tag > 64)][:, of_face]
        across = np.cross(at[:, 1] - at[:, 0], at[:, 2] - at[:, 0])  # outward
        at = at[across[:, 1] * plus_towards < 0.0]
        chi, tau = rule(order)[None, :, :, None].transpose(2, 0, 1, 3)
        found.append(at[:, None, 0] * (1.0 - chi - tau) + at[:, None, 1] * chi + at[:, None, 2] * tau)
    return np.concatenate(found).reshape(-1, 3)


def nearest(mesh, order, plus_towards, places):
    """The point nearest to each of places, [place][3], m."""
    points = all_points(mesh, order, plus_towards)
    return [points[np.argmin(np.linalg.norm(points - place, axis=1))].tolist() for place in np.array(places)]
