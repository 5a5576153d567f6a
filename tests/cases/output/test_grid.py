"""Fields on a grid, written while a run goes: what cells have is kept, and it is what `export grid` makes of the map."""

import netCDF4
import numpy as np
import pytest
from launching import assert_same, groundswell, moment, refused, run, storm_case, write_case

FIELDS = ["hs", "tm01", "tm02", "tmm10", "dir", "dp", "spread", "depth", "u10"]
EVERYWHERE = {"region": [100.0, 124.0, 8.0, 26.0], "step": [0.5, 0.25]}
TURNED = {"region": [-12.0, 12.0, -10.0, 10.0], "step": [0.5, 0.5], "pole": [-68.0, 73.0]}


@pytest.fixture(scope="module")
def whole(tmp_path_factory, coast_mesh, wind_file):
    folder = tmp_path_factory.mktemp("grid")
    table = storm_case(coast_mesh, wind_file, hours=1)
    every = {"every": "1h", "fields": FIELDS}
    table["output"] = {
        "map": [{"file": "map.nc"} | every],
        "grid": [{"file": "grid.nc"} | every | EVERYWHERE, {"file": "turned.nc"} | every | TURNED],
    }
    case = write_case(folder / "case.toml", table)
    run(case, "--output", folder / "output", ranks=3)
    return case, folder / "output"


def cell_areas(cells):
    """[cells] on the unit sphere, by triangles from the first corner."""
    lon, lat = (np.radians(cells[f"mesh_node_{name}"][:]) for name in ("lon", "lat"))
    node = np.stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)], axis=1)
    found = []
    for row in np.ma.filled(cells["mesh_face_nodes"][:], -1):
        p = node[row[row >= 0]]
        b, c = p[1:-1], p[2:]
        triple = np.cross(b, c) @ p[0]
        found.append(np.sum(2 * np.arctan2(triple, 1 + b @ p[0] + np.sum(b * c, axis=1) + c @ p[0])))
    return np.asarray(found)


@pytest.mark.parametrize("name", ["grid.nc", "turned.nc"])
def test_energy_and_area_are_those_of_the_cells(whole, name):
    with netCDF4.Dataset(whole[1] / name) as file, netCDF4.Dataset(whole[1] / "map.nc") as cells:
        rows, columns = file["hs"].dimensions[1:]
        edges = np.sin(np.radians(file[f"{rows}_bounds"][:]))
        step = np.radians(np.diff(file[f"{columns}_bounds"][:], axis=1)[:, 0])
        sea = file["sea_area_fraction"][:].filled() * np.diff(edges, axis=1) * step
        areas = cell_areas(cells)
        assert sea.sum() == pytest.approx(areas.sum(), rel=1e-9)
        for record in range(2):
            energy = np.sum(sea * np.ma.filled(file["hs"][record].astype(float), 0.0) ** 2)
            assert energy == pytest.approx(np.sum(areas * cells["hs"][record].astype(float) ** 2), rel=1e-6)
            volume = np.sum(sea * np.ma.filled(file["depth"][record].astype(float), 0.0))
            assert volume == pytest.approx(np.sum(areas * cells["depth"][record].astype(float)), rel=1e-6)


@pytest.mark.parametrize(("name", "grid"), [("grid.nc", EVERYWHERE), ("turned.nc", TURNED)])
def test_values_are_those_of_the_tool(whole, tmp_path, name, grid):
    def joined(key):
        return ",".join(f"{number:g}" for number in grid[key])

    pole = ["--pole=" + joined("pole")] if "pole" in grid else []
    where = ["--region=" + joined("region"), "--step", joined("step"), *pole, "--quiet"]
    outcome = groundswell("export", "grid", whole[1] / "map.nc", tmp_path / "g.nc", *where)
    assert outcome.code == 0, outcome.stderr
    with netCDF4.Dataset(whole[1] / name) as file, netCDF4.Dataset(tmp_path / "g.nc") as other:
        for field in FIELDS:
            found, wanted = file[field][1], other[field][1]
            # The tool cuts edges into fewer pieces: slivers of cells at the rims of boxes differ.
            sea = (file["sea_area_fraction"][:] > 0.01) & ~np.ma.getmaskarray(wanted)
            assert sea.sum() > 300 and not np.ma.getmaskarray(found)[sea].any()
            away = found[sea].astype(float) - wanted[sea]
            if field in ("dir", "dp"):
                away = (away + 180.0) % 360.0 - 180.0
            assert np.abs(away).max() < 0.01 * np.ptp(wanted[sea]), field
            assert file[field].units == other[field].units
            assert file[field].cell_methods == "time: point " + other[field].cell_methods
        for axis in (*file["hs"].dimensions[1:], "longitude", "latitude", "sea_area_fraction"):
            assert np.asarray(file[axis][:]) == pytest.approx(np.asarray(other[axis][:]), abs=2e-4)


def test_ranks_make_no_difference(whole, tmp_path):
    case, reference = whole
    run(case, "--output", tmp_path / "one", ranks=1)
    assert_same(tmp_path / "one", reference, ["grid.nc", "turned.nc"])


def test_a_grid_around_the_earth_has_all_of_it_with_both_poles(sphere_mesh, tmp_path):
    table = {
        "time": {"start": moment(0), "end": moment(1)},
        "mesh": {"file": sphere_mesh},
        "spectrum": {"directions": 8, "frequencies": 4, "first_frequency": 0.06, "ratio": 1.2},
        "physics": {"package": "none"},
        "initial": {"state": "swell", "hs": 2.0, "tp": 12.0, "direction": 90.0},
        "output": {
            "grid": [
                {
                    "file": "all.nc",
                    "every": "1h",
                    "region": [-180, 180, -90, 90],
                    "step": [10, 5],
                    "fields": ["hs"],
                },
                {
                    "file": "turned.nc",
                    "every": "1h",
                    "region": [0, 360, -90, 90],
                    "step": [7.5, 9],
                    "pole": [30, 20],
                },
            ]
        },
    }
    case = write_case(tmp_path / "case.toml", table)
    run(case, "--output", tmp_path / "o", ranks=2)
    for name in ("all.nc", "turned.nc"):
        with netCDF4.Dataset(tmp_path / "o" / name) as file:
            assert np.abs(np.asarray(file["sea_area_fraction"][:]) - 1.0).max() < 2e-3
            assert np.abs(np.ma.filled(file["hs"][0], np.nan) - 2.0).max() < 2e-3


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        (
            "region=[0.0,5.0,0.0,5.0]",
            "output.grid[].region = [0, 5, 0, 5]: expected a grid that meets the sea of",
        ),
        ("step=[0.7,0.25]", "a whole number of boxes, at most 100000, in 24°"),
        ("region=[100.0,124.0,26.0,8.0]", "south < north"),
        ("pole=[0.0,100.0]", "within ±360 and ±90 degrees"),
    ],
)
def test_what_is_no_grid_of_the_sea_is_refused(whole, tmp_path, setting, words):
    said = refused(
        groundswell("run", whole[0], "--check", "--output", tmp_path, "--set", f"output.grid.0.{setting}")
    )
    assert words in said
