"""Lloyd's iteration: every generator moves to the centroid of its Voronoi cell under the density h⁻⁴.

Spherical centroidal Voronoi meshes and the exponent (spacing ∝ density^(−1/4) in two dimensions): Ringler, Ju & Gunzburger,
"A multiresolution method for climate system modeling", Ocean Dyn. 58 (2008), eq. 5. The moves are over-relaxed, which keeps
the fixed point and halves the number of iterations; the last ones are plain.
"""

import numpy as np

from groundswell.mesh import sphere
from groundswell.mesh.delaunay import triangulate

RELAXATION = 1.7
PLAIN_ITERATIONS = 5


def centroids(points, mesh, density):
    """Mass centroids of all Voronoi cells (unit vectors) for a density given at points and at corners (linear between).

    A cell is the fan of triangles (generator, corner, next corner), one for each edge; each is flat to a good approximation.
    """
    triangles, neighbours, corners = mesh.triangles, mesh.neighbours, mesh.corners
    at_point, at_corner = density(points), density(corners)
    t, k = np.nonzero(neighbours > np.arange(len(triangles))[:, None])
    n = neighbours[t, k]
    first, second = triangles[t, (k + 1) % 3], triangles[t, (k + 2) % 3]
    moment = np.zeros(points.shape)
    for cell, left, right in ((first, n, t), (second, t, n)):
        # Walking along the edge with the generator on the left: corner `left`, then corner `right`.
        x, a, b = points[cell], corners[left], corners[right]
        area = 0.5 * np.einsum("ij,ij->i", x, np.cross(a - x, b - x))
        wx, wa, wb = at_point[cell], at_corner[left], at_corner[right]
        total = wx + wa + wb
        for axis in range(3):
            part = (
                area
                / 12
                * (x[:, axis] * (wx + total) + a[:, axis] * (wa + total) + b[:, axis] * (wb + total))
            )
            moment[:, axis] += np.bincount(cell, part, len(points))
    length = np.linalg.norm(moment, axis=1, keepdims=True)
    return np.where(length > 0, moment / np.where(length > 0, length, 1.0), points)


def relax(points, field, iterations, centre=None, movable=None, progress=None):
    """Iterate; returns the points. `progress(step, offset)` hears the root mean square distance of the generators from
    their centroids as a share of the spacing. `movable(points)` and `movable(corners)` say what lies inside the helper rim: a
    generator with a corner outside stays where it is, which closes the outermost cells of a region."""
    finest = field.spacing.min()

    def density(at):
        return (finest / field.at(at)) ** 4

    for step in range(iterations):
        mesh = triangulate(points, centre)
        target = centroids(points, mesh, density)
        relaxation = RELAXATION if step < iterations - PLAIN_ITERATIONS else 1.0
        if movable is not None:
            fixed = ~movable(points)
            fixed[mesh.rim] = True
            fixed[mesh.triangles[~movable(mesh.corners)]] = True
            target[fixed] = points[fixed]
        if progress is not None:
            offset = np.linalg.norm(target - points, axis=1) * field.radius / field.at(points)
            progress(step + 1, np.sqrt(np.mean(offset**2)))
        points = sphere.unit(points + relaxation * (target - points))
    return points
