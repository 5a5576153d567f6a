"""Quasi-uniform meshes of the whole sphere: an icosahedron whose edges are divided k-fold, 10 k² + 2 generators.

Points and triangles are numbered by arithmetic on (face, row, place): corners first, then the points inside the 30 edges,
then those inside the 20 faces. A point with weights w of a face's corners c lies along Σ sin(w_m α) c_m, α the angle between
corners: exact division of the edges, and more even cells inside than projecting the flat face.
"""

import numpy as np

from groundswell.mesh import sphere
from groundswell.mesh.delaunay import with_corners


def corners_and_faces():
    """The 12 corners, poles included, and the 20 faces (anticlockwise)."""
    latitude = np.arctan(0.5)
    turns = np.radians(72.0) * np.arange(5)
    upper = sphere.to_xyz(turns, np.full(5, latitude))
    lower = sphere.to_xyz(turns + np.radians(36.0), np.full(5, -latitude))
    corners = np.concatenate([[[0.0, 0.0, 1.0]], upper, lower, [[0.0, 0.0, -1.0]]])
    faces = []
    for m in range(5):
        u, u1, w, w1 = 1 + m, 1 + (m + 1) % 5, 6 + m, 6 + (m + 1) % 5
        faces += [(0, u, u1), (u, w, u1), (w, w1, u1), (w, 11, w1)]
    return corners, np.array(faces)


def icosahedral_mesh(k):
    """Generators (10 k² + 2, 3) and their Triangulation."""
    corners, faces = corners_and_faces()
    edges = {}
    for face in faces:
        for a, b in zip(face, np.roll(face, -1)):
            edges.setdefault((min(a, b), max(a, b)), len(edges))
    inside = (k - 1) * (k - 2) // 2
    points = np.zeros((10 * k * k + 2, 3))
    triangles = []
    row, place = _lattice(k)  # row from corner 0 towards the side 1–2, place along the row from 1 to 2
    weights = np.stack([k - row, row - place, place], axis=1) / k
    angle = np.arccos(corners[0] @ corners[1])
    for number, face in enumerate(faces):
        ids = _ids(face, number, edges, k, inside, row, place)
        points[ids] = sphere.unit(np.sin(weights * angle) @ corners[face])
        up, down = _small_triangles(k)
        triangles += [ids[up], ids[down]]
    triangles = np.concatenate(triangles)
    return points, with_corners(points, triangles, _neighbours(triangles, len(points)), np.zeros(0, np.int64))


def _lattice(k):
    row = np.repeat(np.arange(k + 1), np.arange(1, k + 2))
    place = np.arange(len(row)) - row * (row + 1) // 2
    return row, place


def _ids(face, number, edges, k, inside, row, place):
    """Point numbers of one face's lattice."""
    ids = 12 + 30 * (k - 1) + number * inside + (row - 1) * (row - 2) // 2 + place - 1
    for a, b, along, on in ((0, 1, row, place == 0), (0, 2, row, place == row), (1, 2, place, row == k)):
        low, high = min(face[a], face[b]), max(face[a], face[b])
        step = along if face[a] == low else k - along
        ids = np.where(on, 12 + edges[(low, high)] * (k - 1) + step - 1, ids)
    ids[0], ids[-(k + 1)], ids[-1] = face
    return ids


def _small_triangles(k):
    """Lattice places of the k² small triangles of a face, anticlockwise: k(k+1)/2 upright, k(k−1)/2 upside down."""
    row, place = _lattice(k - 1)
    here = row * (row + 1) // 2 + place
    below = (row + 1) * (row + 2) // 2 + place
    up = np.stack([here, below, below + 1], axis=1)
    turned = place < row
    down = np.stack([here, below + 1, here + 1], axis=1)[turned]
    return up, down


def _neighbours(triangles, count):
    """The triangle across the side opposite each corner: both halves of a side sort to the same place."""
    first, second = np.roll(triangles, -1, axis=1).ravel(), np.roll(triangles, -2, axis=1).ravel()
    order = np.argsort(np.minimum(first, second) * count + np.maximum(first, second), kind="stable").reshape(
        -1, 2
    )
    neighbours = np.empty(triangles.size, np.int64)
    neighbours[order[:, 0]], neighbours[order[:, 1]] = order[:, 1] // 3, order[:, 0] // 3
    return neighbours.reshape(-1, 3)
