"""Laws that hold on every Voronoi mesh: Euler's formula, the area of the sphere, reciprocity, orthogonality."""

import numpy as np
import pytest

from groundswell.mesh import mpas, sphere
from groundswell.mesh.delaunay import triangulate
from groundswell.mesh.icosahedron import icosahedral_mesh


def random_points(count, seed=3):
    return sphere.unit(np.random.default_rng(seed).normal(size=(count, 3)))


def build(kind):
    if kind.startswith("icosahedron"):
        points, mesh = icosahedral_mesh(int(kind.split()[1]))
    else:
        points = random_points(500)
        mesh = triangulate(points)
    keep = np.ones(len(points), bool)
    if kind.endswith("land"):
        keep = points[:, 0] < 0.5
    return points, mesh, mpas.build(points, mesh, keep, 1.0)


@pytest.mark.parametrize("k", [1, 2, 3, 4, 7, 16])
def test_icosahedron_equals_the_convex_hull(k):
    """10 k² + 2 generators, 20 k² triangles, and index arithmetic finds the triangles that the hull finds."""
    points, mesh = icosahedral_mesh(k)
    assert len(points) == 10 * k * k + 2 and len(mesh.triangles) == 20 * k * k
    hull = triangulate(points)

    def as_set(triangles):
        return {tuple(sorted(t)) for t in triangles.tolist()}

    assert as_set(mesh.triangles) == as_set(hull.triangles)
    for corner in range(3):
        shared = [
            len(set(t) & set(mesh.triangles[n]))
            for t, n in zip(mesh.triangles.tolist(), mesh.neighbours[:, corner])
        ]
        assert shared == [2] * len(shared)
        opposite = mesh.triangles[:, corner, None] == mesh.triangles[mesh.neighbours[:, corner]]
        assert not opposite.any()


@pytest.mark.parametrize("kind", ["icosahedron 5", "random"])
def test_euler_and_area_of_the_sphere(kind):
    """V − E + F = 2; cells, dual triangles and kites each cover 4π."""
    _, _, mesh = build(kind)
    assert len(mesh["lonVertex"]) - len(mesh["lonEdge"]) + len(mesh["lonCell"]) == 2
    for name in ("areaCell", "areaTriangle", "kiteAreasOnVertex"):
        assert abs(mesh[name].sum() / (4 * np.pi) - 1) < 1e-12


@pytest.mark.parametrize("kind", ["icosahedron 5", "random", "random land"])
def test_reciprocity(kind):
    """Neighbours are mutual, and the tables of cells, edges and vertices tell one story."""
    _, _, mesh = build(kind)
    for cell in range(len(mesh["nEdgesOnCell"])):
        n = mesh["nEdgesOnCell"][cell]
        for k in range(n):
            edge, other = mesh["edgesOnCell"][cell, k] - 1, mesh["cellsOnCell"][cell, k]
            assert sorted(mesh["cellsOnEdge"][edge]) == sorted([cell + 1, other])
            around = mesh["verticesOnCell"][cell, [k - 1 if k else n - 1, k]]
            assert sorted(around) == sorted(mesh["verticesOnEdge"][edge])
            assert cell + 1 in mesh["cellsOnVertex"][around[1] - 1]
            if other:
                assert cell + 1 in mesh["cellsOnCell"][other - 1]
        assert not mesh["cellsOnCell"][cell, n:].any() and not mesh["edgesOnCell"][cell, n:].any()
    assert (mesh["cellsOnEdge"][:, 0] > 0).all()


@pytest.mark.parametrize("kind", ["icosahedron 5", "random", "random land"])
def test_edges_are_bisectors(kind):
    """Both ends of an edge lie at equal distance from both generators, so edge and normal are orthogonal; vertices run
    anticlockwise; the tangent is 90° left of the normal."""
    points, _, mesh = build(kind)
    corners = sphere.to_xyz(mesh["lonVertex"], mesh["latVertex"])
    cells = sphere.to_xyz(mesh["lonCell"], mesh["latCell"])
    inner = (mesh["cellsOnEdge"] > 0).all(axis=1)
    pair, ends = mesh["cellsOnEdge"][inner] - 1, mesh["verticesOnEdge"][inner] - 1
    normal, tangent = cells[pair[:, 1]] - cells[pair[:, 0]], corners[ends[:, 1]] - corners[ends[:, 0]]
    assert np.abs(np.einsum("ij,ij->i", normal, tangent)).max() < 1e-13
    middle = sphere.to_xyz(mesh["lonEdge"], mesh["latEdge"])[inner]
    left = np.einsum("ij,ij->i", np.cross(normal, tangent), middle)
    assert (left > 0).all()
    triangle = mesh["cellsOnVertex"][(mesh["cellsOnVertex"] > 0).all(axis=1)] - 1
    assert (sphere.triangle_area(*(cells[triangle[:, k]] for k in range(3))) > 0).all()
    count, vertices = mesh["nEdgesOnCell"], mesh["verticesOnCell"]
    for k in range(count.max()):
        has = count > k
        a, b = corners[vertices[has, k] - 1], corners[vertices[has, (k + 1) % count[has]] - 1]
        assert (sphere.triangle_area(cells[has], a, b) > -1e-15).all()


def test_region_closes_its_polygons():
    """Round a kept cell with land beside it the corners still form its whole Voronoi polygon: area as without land."""
    whole, part = build("icosahedron 5")[2], build("icosahedron 5 land")
    keep = part[0][:, 0] < 0.5
    assert np.allclose(part[2]["areaCell"], whole["areaCell"][keep], rtol=1e-14, atol=0)
    assert (part[2]["cellsOnEdge"][:, 1] == 0).any()


def test_constant_field_has_no_divergence():
    """Σ over a cell's edges of n dv is a closed polygon: a constant tangent-plane flux leaves as much as it enters, up to
    the curvature of a cell (O(spacing²))."""
    sums = []
    for k in (8, 16):
        points, mesh = icosahedral_mesh(k)
        arrays = mpas.build(points, mesh, np.ones(len(points), bool), 1.0)
        total = np.zeros((len(points), 3))
        middle = sphere.to_xyz(arrays["lonEdge"], arrays["latEdge"])
        east, north = sphere.local_frame(middle)
        normal = np.cos(arrays["angleEdge"])[:, None] * east + np.sin(arrays["angleEdge"])[:, None] * north
        for side, sign in ((0, 1.0), (1, -1.0)):
            np.add.at(total, arrays["cellsOnEdge"][:, side] - 1, sign * normal * arrays["dvEdge"][:, None])
        along = total - np.einsum("ij,ij->i", total, points)[:, None] * points
        sums.append(np.linalg.norm(along, axis=1).max() / arrays["dvEdge"].mean())
    assert sums[1] < 0.6 * sums[0] < 0.01


def test_a_tiny_patch_keeps_its_digits():
    """Ten-metre cells: area and distances agree with the plane to 1e-6 although the sphere is 6371 km."""
    size = 10.0 / sphere.EARTH_RADIUS
    i, j = np.meshgrid(np.arange(12), np.arange(12))
    x, y = (i + 0.5 * (j % 2)) * size, j * size * np.sqrt(0.75)
    points = sphere.to_xyz(x.ravel(), y.ravel())
    mesh = triangulate(points, sphere.to_xyz(6 * size, 5 * size))
    keep = ((i > 2) & (i < 9) & (j > 2) & (j < 9)).ravel()
    arrays = mpas.build(points, mesh, keep)
    assert np.allclose(arrays["dcEdge"], 10.0, rtol=1e-6)
    assert np.allclose(arrays["areaCell"], 100 * np.sqrt(0.75), rtol=1e-6)
