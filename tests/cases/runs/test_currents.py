"""Currents and water levels from files as ocean services publish them: what they do, the same bits, what is refused."""

import re

import netCDF4
import numpy as np
import pytest
from launching import STORM_FILES, assert_same, groundswell, moment, refused, run, storm_case, write_case
from ocean import HOURS, LATITUDE, write_ocean


@pytest.fixture(scope="module")
def ocean(tmp_path_factory):
    return write_ocean(tmp_path_factory.mktemp("ocean") / "cmems.nc")


def tidal_case(mesh, wind, ocean, scheme="second-order", clusters=1):
    table = storm_case(mesh, wind)
    table["current"] = [{"file": ocean}, {"uniform": [0.1, -0.2], "blend": "add"}]
    table["water_level"] = [{"file": ocean}]
    table["mesh"]["minimum_depth"] = 2.0
    table["physics"] = {"relative_wind": True}
    table["propagation"] = {"scheme": scheme, "cluster_rate": clusters}
    table["output"]["map"][1]["fields"] = ["ucur", "vcur", "level", "depth", "tm02"]
    table["output"]["restart"] = {"every": "90min", "keep": 0}
    return table


@pytest.mark.parametrize(("scheme", "clusters"), [("second-order", 1), ("second-order", 2), ("upwind", 1)])
def test_the_same_bits_on_any_ranks_and_across_a_restart(
    coast_mesh, wind_file, ocean, tmp_path, scheme, clusters
):
    case = write_case(tmp_path / "case.toml", tidal_case(coast_mesh, wind_file, ocean, scheme, clusters))
    run(case, "--output", tmp_path / "one")
    run(case, "--set", "run.threads=2", "--output", tmp_path / "three", ranks=3)
    assert_same(tmp_path / "three", tmp_path / "one", STORM_FILES)
    run(
        case,
        "--restart",
        tmp_path / "one/restart_20240906T043000.nc",
        "--output",
        tmp_path / "three",
        ranks=2,
    )
    assert_same(tmp_path / "three", tmp_path / "one", STORM_FILES)
    with netCDF4.Dataset(tmp_path / "one/wind.nc") as data:
        depth, level = data["depth"][:], data["level"][:]
        assert np.ptp(depth - level, axis=0).max() < 1e-3 and np.ptp(level, axis=0).max() > 0.5
        assert 0.5 < np.abs(data["ucur"][:]).max() < 1.5


def test_a_level_that_dries_the_whole_mesh_is_told_and_no_blow_up(coast_mesh, wind_file, tmp_path):
    table = storm_case(coast_mesh, wind_file, hours=1)
    table["mesh"]["uniform_depth"] = 5.0
    table["water_level"] = [{"uniform": -6.0}]
    outcome = run(write_case(tmp_path / "case.toml", table))
    assert re.search(r"water_level: all \d+ sea cells are dry: the deepest has -1.00 m", outcome.stderr)
    with netCDF4.Dataset(tmp_path / "output/hourly.nc") as data:
        assert np.all(data["hs"][:] == 0.0)


BAD = {
    "in cm/s without saying so": ({"factor": 100.0}, ["uo at", "cm/s"]),
    "in a unit of something else": ({"units": "degree_C"}, ["uo:units", "cm/s or knots"]),
    "that ends before the run": ({"hours": HOURS[:2]}, ["cover the run"]),
    "of another region": ({"latitude": LATITUDE + 30.0}, ["covers the sea cells"]),
}


@pytest.mark.parametrize("name", BAD)
def test_a_current(coast_mesh, wind_file, tmp_path, name):
    changes, words = BAD[name]
    file = write_ocean(tmp_path / "ocean.nc", **changes)
    table = storm_case(coast_mesh, wind_file)
    table["current"] = [{"file": file}]
    refused(groundswell("run", write_case(tmp_path / "case.toml", table)), "ocean.nc", *words)


def test_two_currents_without_a_blend(coast_mesh, wind_file, ocean, tmp_path):
    table = storm_case(coast_mesh, wind_file)
    table["current"] = [{"file": ocean}, {"uniform": [0.1, 0.0]}]
    refused(
        groundswell("run", write_case(tmp_path / "case.toml", table)), "current[].uniform", 'blend = "add"'
    )


def test_waves_feel_the_wind_over_the_ground_or_over_the_moving_water(tiny_mesh, tmp_path):
    """Twelve cells that do not know of each other: a wind of 12 m/s over water that runs with it at 3 m/s is one of 9 m/s, if the
    case says so, to the bit."""
    heights = {}
    for name, wind, current, relative in (
        ("over the ground", 12.0, 3.0, False),
        ("still", 12.0, 0.0, False),
        ("over the water", 12.0, 3.0, True),
        ("weaker", 9.0, 0.0, False),
    ):
        table = {
            "time": {"start": moment(0), "end": moment(1)},
            "mesh": {"file": tiny_mesh},
            "wind": [{"uniform": [wind, 0.0]}],
            "current": [{"uniform": [current, 0.0]}],
            "initial": {"state": "calm"},
            "physics": {"relative_wind": relative},
            "propagation": {"scheme": "none"},
            "output": {"map": [{"file": "map.nc", "every": "1h", "fields": ["hs"]}]},
        }
        run(write_case(tmp_path / "case.toml", table), "--output", tmp_path / name)
        with netCDF4.Dataset(tmp_path / name / "map.nc") as data:
            heights[name] = np.asarray(data["hs"][-1])
    assert np.array_equal(heights["over the ground"], heights["still"])
    assert np.array_equal(heights["over the water"], heights["weaker"])
    assert (heights["weaker"] < 0.9 * heights["still"]).all()
