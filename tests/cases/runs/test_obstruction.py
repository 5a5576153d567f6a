"""Runs with islands smaller than a cell: the same bits however they are run, and a file of another mesh is refused."""

import shutil

import netCDF4
import numpy as np
import pytest
from launching import (
    ROOT,
    STORM_FILES,
    assert_same,
    groundswell,
    moment,
    refused,
    run,
    storm_case,
    write_case,
)

BATHYMETRY = ROOT / "cases/yagi/etopo5_yagi.nc"
REGION = ("--region", "106,118,12,22", "--iterations", "20")


@pytest.fixture(scope="module")
def islands(make_mesh):
    """Cells of 80 km on elevations 9 km apart."""
    return make_mesh("islands", BATHYMETRY, *REGION, "--spacing", "80", "--obstruction")


@pytest.fixture(scope="module", params=["upwind", "second-order"])
def storm(request, tmp_path_factory, islands, wind_file):
    folder = tmp_path_factory.mktemp("obstructed")
    table = storm_case(islands, wind_file)
    table["mesh"]["obstruction"] = islands.with_name("islands.obstruction.nc")
    table["propagation"]["scheme"] = request.param
    table["output"]["restart"] = {"every": "1h", "keep": 0}
    case = write_case(folder / "case.toml", table)
    run(case, "--output", folder / "one")
    return case, folder / "one", table


def test_islands_lower_waves_and_raise_none(storm, tmp_path):
    _, reference, table = storm
    free = dict(table, mesh={"file": table["mesh"]["file"]})
    run(write_case(tmp_path / "case.toml", free), "--output", tmp_path)
    heights = []
    for folder in (reference, tmp_path):
        with netCDF4.Dataset(folder / "hourly.nc") as data:
            heights.append(data["hs"][-1])
    lower = heights[1] - heights[0]
    assert lower.max() > 0.005 and lower.min() > -0.02


def test_the_bits_are_the_same_on_ranks_threads_and_after_a_restart(storm, tmp_path):
    case, reference, _ = storm
    files = [*STORM_FILES, "restart_20240906T060000.nc"]
    run(
        case,
        "--output",
        tmp_path / "three",
        "--set",
        "run.threads=2",
        "--set",
        "mesh.partition=scattered",
        ranks=3,
    )
    assert_same(tmp_path / "three", reference, files)
    shutil.copytree(reference, tmp_path / "again")
    run(case, "--output", tmp_path / "again", "--restart", reference / "restart_20240906T050000.nc", ranks=2)
    assert_same(tmp_path / "again", reference, files)


def test_cells_that_step_at_rates_of_their_own_have_the_same_bits_on_ranks(
    islands, make_mesh, wind_file, tmp_path
):
    coast = make_mesh(
        "shoals",
        BATHYMETRY,
        *REGION,
        "--spacing",
        "finest=15,coarsest=150,growth=0.6,gradation=0.3",
        "--obstruction",
    )
    table = storm_case(coast, wind_file)
    table["mesh"]["obstruction"] = coast.with_name("shoals.obstruction.nc")
    table["propagation"] = {"cluster_rate": 2}
    case = write_case(tmp_path / "case.toml", table)
    for ranks in (1, 3):
        run(case, "--output", tmp_path / f"{ranks}", ranks=ranks)
    assert_same(tmp_path / "3", tmp_path / "1", STORM_FILES)


def test_a_file_of_another_mesh_or_with_other_numbers_is_refused(tmp_path, make_mesh, islands, wind_file):
    other = make_mesh("islets", BATHYMETRY, *REGION, "--spacing", "85", "--obstruction")
    case = write_case(tmp_path / "case.toml", storm_case(islands, wind_file))
    path = other.with_name("islets.obstruction.nc")

    def check(file, *words, ranks=2):
        arguments = ("--check", "--output", tmp_path / "new", "--set", f'mesh.obstruction="{file}"')
        refused(groundswell("run", case, *arguments, ranks=ranks), *words)

    check(path, path.name, "mesh_cells", "of another mesh", "mesh make --obstruction")
    mine = islands.with_name("islands.obstruction.nc")
    for change, words in (
        ({"mesh_file_id": "0123456789"}, ("mesh_file_id", "of another mesh")),
        ({"transparency": 1.5}, ("transparency(face 1, direction 3)", "1.5", "0 (nothing passes)")),
        ({"cells": [1, 300]}, ("cells", "1, 300", "share a face")),
    ):
        changed = tmp_path / "changed.nc"
        shutil.copy(mine, changed)
        with netCDF4.Dataset(changed, "a") as data:
            for name, value in change.items():
                if name in data.ncattrs():
                    data.setncattr(name, value)
                elif name == "transparency":
                    data[name][0, 2] = value
                else:
                    del data.mesh_file_id
                    data[name][0] = np.array(value)
        check(changed, "changed.nc", *words)
    check(tmp_path / "none.nc", "none.nc", ranks=1)


KM = 1 / 111.195  # degrees


def write_chain(path):
    """4000 m deep; along 4°E an island of 5 km every 10 km, from 4°S to 4°N."""
    lon, lat = np.arange(-0.5, 8.5, 0.5 * KM), np.arange(-4.5, 4.5, 0.5 * KM)
    x, y = np.meshgrid((lon - 4) / KM, lat / KM)
    land = (np.hypot(x, np.mod(y, 10) - 5) < 2.5) & (np.abs(y) < 4 / KM)
    with netCDF4.Dataset(path, "w") as data:
        for name, unit, axis in (("lon", "degrees_east", lon), ("lat", "degrees_north", lat)):
            data.createDimension(name, axis.size)
            variable = data.createVariable(name, "f8", (name,))
            variable.units, variable[:] = unit, axis
        elevation = data.createVariable("elevation", "f4", ("lat", "lon"))
        elevation.units = "m"
        elevation[:] = np.where(land, 100.0, -4000.0)
    return path


@pytest.mark.long
def test_a_chain_of_islands_that_cells_do_not_resolve_shades_like_one_that_they_do(make_mesh, tmp_path):
    """Swell from the west on islands of 5 km: cells of 50 km with what they let through, and cells from 1 km on with the islands."""
    depths, region = write_chain(tmp_path / "chain.nc"), ("--region=0,8,-4,4", "--iterations", "30")
    coarse = make_mesh("unresolved", depths, *region, "--spacing", "50", "--obstruction")
    fine = make_mesh(
        "resolved", depths, *region, "--spacing", "finest=1,coarsest=50,growth=0.2,gradation=0.2"
    )
    height = {}
    for name, mesh, more in (
        ("open", coarse, {}),
        ("unresolved", coarse, {"obstruction": coarse.with_name("unresolved.obstruction.nc")}),
        ("resolved", fine, {}),
    ):
        sea = {"hs": 2.0, "tp": 12.0, "direction": 270.0, "spread": 20.0}
        table = {
            "time": {"start": moment(0), "end": moment(36), "source_step": "30min"},
            "mesh": {"file": mesh, **more},
            "spectrum": {"directions": 24, "frequencies": 3, "first_frequency": 0.075, "ratio": 1.1},
            "wave_maker": [{"region": [-1.0, 0.7, -4.5, 4.5], **sea}],
            "initial": {"state": "calm"},
            "physics": {"package": "none"},
            "output": {"map": [{"file": "map.nc", "every": "36h", "fields": ["hs"]}]},
        }
        run(write_case(tmp_path / f"{name}.toml", table), "--output", tmp_path / name, seconds=1500)
        with netCDF4.Dataset(tmp_path / name / "map.nc") as data:
            lon, lat = data["mesh_face_lon"][:], data["mesh_face_lat"][:]
            behind = (lon > 4.7) & (lon < 6) & (np.abs(lat) < 1.2)
            size = 1.0 if name != "resolved" else 1 + 0.2 * (lon[behind] - 4) / KM
            height[name] = float(
                np.average(data["hs"][-1][behind], weights=np.broadcast_to(size, behind.sum()) ** 2)
            )
    assert height["open"] > 1.2 * height["resolved"]
    assert height["unresolved"] == pytest.approx(height["resolved"], rel=0.1), height
