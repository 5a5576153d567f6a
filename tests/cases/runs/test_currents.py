"""Currents and water levels from files as ocean services publish them: what they do, the same bits, what is refused."""

import re

import netCDF4
import numpy as np
import pytest
from launching import STORM_FILES, assert_same, groundswell, refused, run, storm_case, write_case

LONGITUDE, LATITUDE = np.arange(105.0, 119.1, 0.5), np.arange(11.0, 23.1, 0.5)
HOURS = np.arange(0.0, 25.0, 3.0)


def write_ocean(path, factor=1.0, units="m s-1", hours=HOURS, latitude=LATITUDE, level=1.5):
    """uo, vo over (time, depth, latitude, longitude) and zos, packed, land missing: as CMEMS has them."""
    with netCDF4.Dataset(path, "w") as data:
        axes = {"time": hours, "depth": [0.494, 5.0, 50.0], "latitude": latitude, "longitude": LONGITUDE}
        words = {
            "time": "hours since 2024-09-06",
            "depth": "m",
            "latitude": "degrees_north",
            "longitude": "degrees_east",
        }
        for name, values in axes.items():
            data.createDimension(name, len(values))
            data.createVariable(name, "f8", (name,))[:] = values
            data[name].units = words[name]
        data["depth"].standard_name, data["depth"].positive = "depth", "down"
        time, depth, north, east = np.meshgrid(*axes.values(), indexing="ij")
        tide = np.cos(2.0 * np.pi * time / 12.42) * np.exp(-depth / 30.0)
        fields = {
            "uo": ("eastward_sea_water_velocity", 1.2 * tide * np.cos(0.9 * north)),
            "vo": ("northward_sea_water_velocity", 0.8 * tide * np.sin(0.7 * east)),
            "zos": ("sea_surface_height_above_geoid", (level * tide * np.cos(0.2 * east))[:, 0]),
        }
        for name, (standard_name, values) in fields.items():
            dimensions = [axis for axis in axes if axis != "depth" or name != "zos"]
            variable = data.createVariable(name, "i2", dimensions, fill_value=-32767)
            variable.standard_name, variable.units = standard_name, "m" if name == "zos" else units
            variable.scale_factor = 1e-3 * (1.0 if name == "zos" else factor)
            values = np.ma.masked_where(np.broadcast_to(east[0, 0] < 105.8, values.shape), values)
            variable[:] = values * (1.0 if name == "zos" else factor)
    return path


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
