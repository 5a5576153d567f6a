"""The spherical Delaunay triangulation, whose circumcentres are the corners of the Voronoi cells.

Whole sphere: the convex hull of the points. Region: a stereographic projection maps circles to circles, so the plane
Delaunay triangulation of the projected points has the same empty circles (Lambrechts et al., Ocean Dyn. 58 (2008) 461).
"""

import dataclasses

import numpy as np
from scipy.spatial import ConvexHull, Delaunay

from groundswell.mesh import sphere


@dataclasses.dataclass
class Triangulation:
    """triangles (T, 3) anticlockwise seen from outside; neighbours (T, 3): the triangle opposite corner k, or −1;
    corners (T, 3): circumcentres; rim: points of the outline of a region (none on the whole sphere)."""

    triangles: np.ndarray
    neighbours: np.ndarray
    corners: np.ndarray
    rim: np.ndarray


def triangulate(points, centre=None):
    """Triangulate unit vectors on the whole sphere, or around `centre` (a unit vector) if given."""
    if centre is None:
        found = ConvexHull(points)
        triangles, neighbours, rim = found.simplices, found.neighbors, np.zeros(0, np.int64)
    else:
        found = Delaunay(sphere.stereographic(points, centre))
        triangles, neighbours = found.simplices, found.neighbors
        j, k = np.nonzero(neighbours < 0)
        rim = np.unique(np.concatenate([triangles[j, (k + 1) % 3], triangles[j, (k + 2) % 3]]))
    a, b, c = (points[triangles[:, k]] for k in range(3))
    clockwise = np.einsum("ij,ij->i", a, np.cross(b - a, c - a)) < 0
    triangles, neighbours = triangles.copy(), neighbours.copy()
    for array in (triangles, neighbours):
        array[clockwise, 1], array[clockwise, 2] = array[clockwise, 2], array[clockwise, 1].copy()
    return with_corners(points, triangles, neighbours, rim)


def with_corners(points, triangles, neighbours, rim):
    a, b, c = (points[triangles[:, k]] for k in range(3))
    return Triangulation(triangles, neighbours, sphere.circumcentre(a, b, c), rim)
