"""Meshes from bathymetry: the spacing asked for, centroidal cells, sea only, the same bits from the same request."""

import pathlib

import numpy as np
import pytest
from test_mesh_bathymetry import LAT, LON, TURNED, elevation, write

from groundswell.mesh import quality, sphere
from groundswell.mesh.bathymetry import from_elevation
from groundswell.mesh.delaunay import triangulate
from groundswell.mesh.depth import joined, wet_means
from groundswell.mesh.lloyd import relax
from groundswell.mesh.make import make_mesh
from groundswell.mesh.request import make_request, read_toml
from groundswell.mesh.sampling import expected_cells, hilbert_index, sample
from groundswell.mesh.spacing import SpacingRule, build_spacing, limit_gradation

RADIUS = sphere.EARTH_RADIUS
HERE = pathlib.Path()


def request(**tables):
    return make_request("test", tables, HERE)


def island(region, periodic=False):
    """Sea of 3000 m with a round island of 150 km radius in the middle of the region."""
    lon, lat = np.linspace(region[0] - 5, region[1] + 5, 300), np.linspace(region[2] - 5, region[3] + 5, 300)
    x, y = np.meshgrid(lon, lat)
    middle = sphere.to_xyz(
        np.radians(0.5 * (region[0] + region[1])), np.radians(0.5 * (region[2] + region[3]))
    )
    away = sphere.arc(sphere.to_xyz(np.radians(x), np.radians(y)), middle) * RADIUS
    return from_elevation(lon, lat, np.where(away < 150e3, 50.0, -3000.0), periodic, "island")


def test_hilbert_curve_visits_every_place_and_walks_in_unit_steps():
    i, j = np.meshgrid(np.arange(16), np.arange(16))
    order = np.argsort(hilbert_index(i.ravel(), j.ravel(), 4))
    assert sorted(hilbert_index(i.ravel(), j.ravel(), 4)) == list(range(256))
    assert (np.abs(np.diff(i.ravel()[order])) + np.abs(np.diff(j.ravel()[order])) == 1).all()


def test_gradation_is_bounded_and_nothing_gets_coarser():
    h = np.full((40, 60), 1e6)
    h[20, 30] = 1e3
    steps = np.full(40, 2e3), 3e3
    limited = limit_gradation(h, steps, 0.2, False)
    assert limited[20, 30] == 1e3 and (limited <= h).all()
    assert np.diff(limited, axis=1).max() <= 0.2 * 2e3 * (1 + 1e-12)
    assert np.diff(limited, axis=0).max() <= 0.2 * 3e3 * (1 + 1e-12)
    straight = 1e3 + 0.2 * np.hypot(2e3 * (np.arange(60) - 30)[None, :], 3e3 * (np.arange(40) - 20)[:, None])
    longest = 1 / np.cos(
        0.5 * np.arctan(3 / 2)
    )  # of a way by the eight neighbours, as a multiple of the straight one
    assert (limited >= straight - 1e-6).all() and (limited <= longest * straight).all()


def test_spacing_follows_the_rule():
    region, rule = (0, 20, 20, 40), SpacingRule(20e3, 80e3, growth=0.1, band=100e3)
    field = build_spacing(island(region), region, False, rule, RADIUS)
    middle = sphere.to_xyz(np.radians(10), np.radians(30))
    for bearing in np.radians([10, 100, 200, 300]):
        east, north = sphere.local_frame(middle)
        for away, wanted in ((160e3, 20e3), (240e3, 20e3), (550e3, 50e3), (800e3, 75e3)):
            at = middle * np.cos(away / RADIUS) + np.sin(away / RADIUS) * (
                np.cos(bearing) * east + np.sin(bearing) * north
            )
            assert field.at(at[None])[0] == pytest.approx(wanted, rel=0.04, abs=700)


def test_lloyd_centres_the_generators_and_keeps_the_number():
    region, rule = (0, 20, 20, 40), SpacingRule(30e3, 120e3, growth=0.1)
    field = build_spacing(island(region), region, True, rule, RADIUS)
    start = sample(field, 1)
    assert len(start) == round(expected_cells(field))
    offsets = []
    relax(start, field, 30, progress=lambda step, offset: offsets.append(offset))
    assert offsets[-1] < 0.01 and offsets[-1] < 0.1 * offsets[0]
    assert all(b < 1.05 * a for a, b in zip(offsets, offsets[1:]))


def test_cells_have_the_size_asked_for():
    arrays, _ = make_mesh(
        request(
            bathymetry={"kind": "uniform", "depth": 100.0},
            spacing={"finest_km": 40.0},
            region=dict(west=0, east=20, south=20, north=40),
        )
    )
    inner = np.array([row[:n].all() for row, n in zip(arrays["cellsOnCell"], arrays["nEdgesOnCell"])])
    size = quality.spacing(arrays)[inner]
    assert abs(size.mean() / 40e3 - 1) < 0.02 and size.std() < 0.05 * size.mean()
    assert (arrays["bottomDepth"] == 100.0).all()


def test_mean_depth_of_a_slope_is_the_depth_at_the_centroid(tmp_path):
    """On a plane floor the area mean of a cell is the depth at its centroid, also where the grid is coarser than cells."""
    lon, lat = np.arange(-3.0, 3.01, 0.25), np.arange(-3.0, 3.01, 0.25)
    slope = from_elevation(lon, lat, np.tile(-1000 - 100 * lon, (len(lat), 1)), False, "slope")
    region, rule = (-2, 2, -2, 2), SpacingRule(20e3, 20e3)
    field = build_spacing(slope, region, False, rule, RADIUS)
    centre = sphere.to_xyz(0.0, 0.0)
    points = relax(
        sample(field, 1),
        field,
        30,
        centre,
        lambda p: np.abs(np.degrees(np.arcsin(p[:, 1:]))).max(axis=1) < 2.5,
    )
    wanted = np.abs(np.degrees(np.arcsin(points[:, 1:]))).max(axis=1) < 1.5
    share, depth = wet_means(slope, points, wanted, field.at(points) / RADIUS)
    exact = 1000 + 100 * np.degrees(np.arctan2(points[:, 1], points[:, 0]))
    assert (
        (share[wanted] == 1).all()
        and np.abs(depth - exact)[wanted].max() < 3.0
        and np.abs(depth - exact)[wanted].mean() < 0.6
    )


@pytest.mark.parametrize("how", ["descending", "turned"])
def test_the_convention_of_the_file_does_not_change_the_mesh(tmp_path, how):
    """Across the date line: 170°E–160°W from a 0–360 file, a ±180 file and one with latitudes falling: the same bits."""
    region = {"west": 165, "east": -160, "south": -30, "north": 5}
    lon, lat = (LON, LAT[::-1]) if how == "descending" else (TURNED, LAT)
    made = []
    for name, x, y in (("a.nc", LON, LAT), ("b.nc", lon, lat)):
        path = write(tmp_path / name, x, y, np.round(elevation(x, y), 1))
        made.append(
            make_mesh(
                request(
                    bathymetry={"file": str(path)},
                    region=region,
                    spacing={"finest_km": 150.0},
                    mesh={"iterations": 8},
                )
            )[0]
        )
    assert set(made[0]) == set(made[1])
    for name in made[0]:
        assert np.array_equal(made[0][name], made[1][name]), name
    west = np.degrees(made[0]["lonCell"])
    assert ((west > 164.9) & (west < 200.1)).all() and (west < 179).any() and (west > 181).any()
    assert made[0]["dcEdge"].max() < 400e3


def test_the_same_request_gives_the_same_mesh_and_another_seed_another():
    def one(seed):
        return make_mesh(
            request(
                bathymetry={"kind": "uniform", "depth": 50.0},
                region=dict(west=0, east=5, south=0, north=5),
                spacing={"finest_km": 60.0},
                mesh={"seed": seed, "iterations": 10},
            )
        )[0]

    assert np.array_equal(one(1)["xCell"], one(1)["xCell"])
    assert not np.array_equal(one(1)["xCell"][:20], one(2)["xCell"][:20])


def test_land_is_left_out_and_the_globe_closes(tmp_path):
    """A global variable mesh: only sea cells, their area that of the sea within the cells cut by the coast."""
    path = write(tmp_path / "z.nc", LON, LAT, elevation(LON, LAT))
    arrays, _ = make_mesh(
        request(
            bathymetry={"file": str(path)},
            spacing={"finest_km": 300.0, "coarsest_km": 600.0},
            mesh={"iterations": 10},
        )
    )
    lon, lat = np.degrees(arrays["lonCell"]), np.degrees(arrays["latCell"])
    dry = np.array([elevation([x], [y])[0, 0] for x, y in zip(lon, lat)]) > 300
    assert not dry.any() and (arrays["bottomDepth"] > 0).all()
    weights = np.cos(np.radians(LAT))[:, None] * np.ones(len(LON))
    sea = (weights * (elevation(LON, LAT) < 0)).sum() / weights.sum()
    assert arrays["areaCell"].sum() / (4 * np.pi * RADIUS**2) == pytest.approx(sea, abs=0.01)


def test_a_lake_is_left_out():
    """Water of fewer cells than smallest_sea is land."""
    lon = lat = np.linspace(-6, 6, 121)
    flat = from_elevation(lon, lat, np.full((len(lat), len(lon)), -100.0), False, "flat")
    field = build_spacing(flat, (-5, 5, -5, 5), False, SpacingRule(50e3, 50e3), RADIUS)
    points = sample(field, 1)
    mesh = triangulate(points, sphere.to_xyz(0.0, 0.0))
    degrees = np.degrees(np.arcsin(points[:, 1]))
    keep = (degrees < 2) | (degrees > 4.6)
    counted = joined(mesh, keep, 100)
    assert counted[degrees < 2].all() and not counted[degrees > 4.6].any()


def test_poles_are_inside_an_arctic_mesh():
    arrays, _ = make_mesh(
        request(
            bathymetry={"kind": "uniform", "depth": 1000.0},
            region=dict(west=-180, east=180, south=60, north=90),
            spacing={"finest_km": 250.0},
            mesh={"iterations": 10},
        )
    )
    cap = 2 * np.pi * (1 - np.sin(np.radians(60))) * RADIUS**2
    assert arrays["areaCell"].sum() == pytest.approx(cap, rel=0.05)
    assert np.degrees(arrays["latCell"]).max() > 88.0


CASES = pathlib.Path(__file__).resolve().parents[2] / "cases"


def test_yagi_mesh_is_as_the_case_says():
    """10 000–12 000 cells, 10–12 km at the finest."""
    path = CASES / "yagi" / "mesh.toml"
    arrays, _ = make_mesh(make_request(path, read_toml(path), path.parent))
    size = quality.spacing(arrays)
    assert 10_000 <= len(size) <= 12_000 and 10e3 <= np.percentile(size, 1) <= 12e3
    assert (arrays["bottomDepth"] > 0).all() and quality.centroid_offset(arrays).mean() < 0.03


def test_beach_depth_falls_to_the_waterline():
    path = CASES / "beach" / "mesh.toml"
    tables = read_toml(path)
    tables["spacing"]["finest_km"] = 0.25
    tables["mesh"]["iterations"] = 10
    arrays, _ = make_mesh(make_request(path, tables, path.parent))
    east = np.mod(arrays["lonCell"] + np.pi, 2 * np.pi) - np.pi
    depth, slope = tables["bathymetry"]["depth"], 1000 * tables["bathymetry"]["slope_km"]
    waterline = 500 * tables["region"]["size_km"][0]
    exact = depth * np.minimum(1.0, (waterline - east * RADIUS) / slope)
    inner = east * RADIUS < waterline - 400.0
    assert np.abs(arrays["bottomDepth"] - exact)[inner].max() < 0.25 and (arrays["bottomDepth"] > 0).all()
