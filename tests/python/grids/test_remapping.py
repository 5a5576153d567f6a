"""Remapping keeps Σ area hs² (the energy), constants, and bearings as vectors; boxes of land have no value."""

import types

import numpy as np
import pytest
from plot_files import squares
from scipy.spatial import SphericalVoronoi

from groundswell.grids import overlap
from groundswell.grids.remapping import Remapping
from groundswell.grids.target import degrees, make_grid, vectors

GLOBE = (-180.0, 180.0, -90.0, 90.0)


@pytest.fixture(scope="module")
def globe():
    """120 Voronoi cells of random points all over the sphere, two of which hold the poles; areas by SciPy."""
    points = np.random.default_rng(5).normal(size=(120, 3))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    cells = SphericalVoronoi(points)
    cells.sort_vertices_of_regions()
    corners = np.full((len(points), max(map(len, cells.regions))), -1)
    for k, region in enumerate(cells.regions):
        corners[k, : len(region)] = region
    lon, lat = degrees(cells.vertices)
    return types.SimpleNamespace(node_lon=lon, node_lat=lat, corners=corners, areas=cells.calculate_areas())


def mesh_of_squares(**settings):
    node_lon, node_lat, corners, lon, lat = squares(**settings)
    return types.SimpleNamespace(node_lon=node_lon, node_lat=node_lat, corners=corners), lon, lat


@pytest.mark.parametrize("pole", [None, (-170.0, 32.5), (40.0, -10.0)])
def test_the_energy_of_the_globe_is_kept(globe, pole):
    grid = make_grid(GLOBE, (12.0, 9.0), pole)
    weights = overlap.find_weights(globe, grid)
    height = np.random.default_rng(1).uniform(0.5, 12.0, len(globe.areas))
    made = Remapping(weights, grid, len(height)).fields({"hs": height})["hs"]
    sea = np.bincount(weights.box, weights.area, minlength=grid.size).reshape(made.shape)
    before, after = np.sum(globe.areas * height**2), np.nansum(sea * made**2)
    assert after == pytest.approx(before, rel=1e-6)
    # Cells fill each box but for what the pieces of their edges miss.
    assert np.abs(sea / grid.areas() - 1).max() < 0.01
    assert sea.sum() == pytest.approx(4 * np.pi, rel=1e-6)


def test_a_constant_stays_and_so_does_the_sum_of_a_flux(globe):
    grid = make_grid(GLOBE, (15.0, 15.0), None)
    mapped = Remapping(overlap.find_weights(globe, grid), grid, len(globe.areas))
    flat = np.full(len(globe.areas), 7.0)
    fields = mapped.fields(
        {"hs": flat, "tm01": flat, "tm02": flat, "tmm10": flat, "tp": flat, "dir": flat, "u10": flat}, ["dir"]
    )
    for name, values in fields.items():
        assert values == pytest.approx(np.full(values.shape, 7.0)), name


def test_part_of_a_mesh_gives_its_part_only():
    """One square of 1° (and land around it) on boxes of half a degree that begin in its middle."""
    mesh, *_ = mesh_of_squares(west=10, east=11, south=20, north=21, land=())
    grid = make_grid((10.5, 12.5, 20.0, 21.0), (0.5, 0.5), None)
    mapped = Remapping(overlap.find_weights(mesh, grid), grid, 1)
    shown = mapped.fields({"hs": np.array([3.0])})["hs"]
    assert np.isfinite(shown[:, 0]).all() and np.isnan(shown[:, 1:]).all()
    assert shown[:, 0] == pytest.approx(3.0)
    assert mapped.sea_fraction[:, 0] == pytest.approx(1.0, abs=1e-3)


def test_land_is_left_out_and_a_box_on_the_coast_holds_the_mean_over_its_sea():
    mesh, lon, lat = mesh_of_squares()
    grid = make_grid((115.0, 117.0, 14.0, 15.0), (1.0, 1.0), None)
    weights = overlap.find_weights(mesh, grid)
    shown = Remapping(weights, grid, len(lon), least_sea=0.01).fields({"hs": np.full(len(lon), 2.0)})["hs"]
    assert np.isnan(shown[0, 0]) and shown[0, 1] == pytest.approx(2.0)
    half = make_grid((115.5, 116.5, 14.0, 15.0), (1.0, 1.0), None)
    mapped = Remapping(overlap.find_weights(mesh, half), half, len(lon))
    assert mapped.sea_fraction[0, 0] == pytest.approx(0.5, abs=1e-3)
    assert mapped.fields({"hs": np.full(len(lon), 2.0)})["hs"][0, 0] == pytest.approx(2.0)


def test_bearings_are_means_of_vectors_with_the_weight_of_the_energy():
    """Two equal cells in one box: hs 3 m and 4 m, spectra that add up."""
    mesh, *_ = mesh_of_squares(west=0, east=2, south=-1, north=0, land=())
    grid = make_grid((0.0, 2.0, -1.0, 0.0), (2.0, 1.0), None)
    mapped = Remapping(overlap.find_weights(mesh, grid), grid, 2)
    height, bearing, spread = np.array([3.0, 4.0]), np.array([350.0, 30.0]), np.array([20.0, 40.0])
    period = np.array([8.0, 12.0])
    values = {"hs": height, "dir": bearing, "spread": spread, "tm01": period, "tm02": period, "tmm10": period}
    found = {name: v[0, 0] for name, v in mapped.fields(values, ["dir"]).items()}
    energy = np.array([9.0, 16.0])
    length = 1 - np.radians(spread) ** 2 / 2
    vector = np.sum(energy * length * np.exp(1j * np.radians(bearing))) / 25
    close = 1e-4  # the two cells differ that much in area
    assert found["hs"] == pytest.approx(np.sqrt(12.5), rel=close)
    assert found["dir"] == pytest.approx(np.degrees(np.angle(vector)) % 360, rel=close)
    assert found["spread"] == pytest.approx(np.degrees(np.sqrt(2 * (1 - abs(vector)))), rel=close)
    assert found["tm01"] == pytest.approx(25 / np.sum(energy / period), rel=close)
    assert found["tm02"] == pytest.approx(np.sqrt(25 / np.sum(energy / period**2)), rel=close)
    assert found["tmm10"] == pytest.approx(np.sum(energy * period) / 25, rel=close)
    calm = mapped.fields({"hs": np.array([0.0, 4.0]), "dir": np.array([np.nan, 30.0])}, ["dir"])
    assert calm["dir"][0, 0] == pytest.approx(30.0) and calm["hs"][0, 0] == pytest.approx(
        np.sqrt(8), rel=close
    )


def test_a_rotated_grid_is_that_of_proj():
    import pyproj

    grid = make_grid((-10.0, 10.0, -8.0, 8.0), (0.5, 0.5), (-170.0, 32.5))
    lon, lat = grid.on_earth(np.array([0.0]), np.array([0.0]))
    assert (lon[0], lat[0]) == pytest.approx((10.0, 57.5))
    lon, lat = grid.places()
    other = pyproj.Transformer.from_pipeline(
        "+proj=ob_tran +o_proj=longlat +o_lon_p=0 +o_lat_p=32.5 +lon_0=10 +R=6371229"
    )
    x, y = np.degrees(other.transform(lon, lat))
    assert x == pytest.approx(np.meshgrid(grid.x, grid.y)[0], abs=1e-6)
    assert y == pytest.approx(np.meshgrid(grid.x, grid.y)[1], abs=1e-6)
    assert grid.to_grid(vectors(lon, lat)) == pytest.approx(vectors(*np.meshgrid(grid.x, grid.y)))
