"""The wind that a device interpolates, or waits for, gives the bits of the processor: of files with many times, on turned grids, over each other."""

import netCDF4
import numpy as np
import pytest
from launching import assert_same, lab_program, run, write_case, write_wind
from ocean import LATITUDE, write_ocean
from test_sea_forms_on_device import END, JET, MIDDLE, case_of

HOURS = (2.9, 3.25, 3.6, 3.95, 4.3)  # of an hour from 3 on, in which source terms act every ten minutes


def write_turned(path, reach):
    """Components along the axes of a grid with a pole of its own, so many degrees around 110° E, 15° N."""
    places = np.arange(-reach, reach + 0.5)
    with netCDF4.Dataset(path, "w", format="NETCDF3_64BIT_OFFSET") as data:
        for name, values in (("time", np.array(HOURS)), ("rlat", places), ("rlon", places)):
            data.createDimension(name, len(values))
            data.createVariable(name, "f8", (name,))[:] = values
        data["time"].units = "hours since 2024-09-06 00:00:00"
        for name, word in (("rlat", "grid_latitude"), ("rlon", "grid_longitude")):
            data[name].units, data[name].standard_name = "degrees", word
        data.createVariable("crs", "i4").setncatts(
            {
                "grid_mapping_name": "rotated_latitude_longitude",
                "grid_north_pole_latitude": 75.0,
                "grid_north_pole_longitude": -70.0,
            }
        )
        time, north, east = np.meshgrid(HOURS, places, places, indexing="ij")
        for name, word, part in (("ua", "x_wind", np.sin), ("va", "y_wind", np.cos)):
            variable = data.createVariable(name, "f4", ("time", "rlat", "rlon"))
            variable.standard_name, variable.units, variable.grid_mapping = word, "m s-1", "crs"
            variable[:] = 14.0 * part(1.7 * time + 0.3 * north - 0.2 * east)
    return path


def write_storm(path):
    rows = ["2024-09-06T00:00:00Z,16.5,111.0,40,955,40", "2024-09-06T12:00:00Z,17.5,109.0,42,950,40"]
    path.write_text("\n".join(["time,lat,lon,vmax_ms,pmin_hpa,rmw_km", *rows, ""]))
    return path


def winds(folder):
    """What a case has in place of the wind of a storm."""
    file = {"file": write_wind(folder / "records.nc", hours=HOURS)}
    ocean = write_ocean(folder / "cmems.nc", latitude=LATITUDE)
    relative = {"relative_wind": True}
    return {
        "many-times": {"wind": [file]},
        "a-turned-grid": {"wind": [{"file": write_turned(folder / "turned.nc", 14.0)}]},
        "a-turned-grid-over-another": {
            "wind": [file, {"file": write_turned(folder / "small.nc", 4.0), "blend": "over", "fade": 2}]
        },
        "a-sum-over-a-current": {
            "wind": [{"uniform": [3.0, -4.0]}, {**file, "blend": "add"}],
            "current": [{"file": ocean}, {**JET, "blend": "add"}],
            "physics": relative,
        },
        "in-clusters": {"wind": [file], "cluster_rate": 2},
        "a-storm": {"wind": [file, {"vortex": write_storm(folder / "storm.csv")}]},
        "a-storm-over-a-jet": {
            "wind": [{"vortex": write_storm(folder / "storm.csv")}],
            "current": [JET],
            "physics": relative,
            "cluster_rate": 2,
        },
    }


NAMES = [
    "many-times",
    "a-turned-grid",
    "a-turned-grid-over-another",
    "a-sum-over-a-current",
    "in-clusters",
    "a-storm",
    "a-storm-over-a-jet",
]


def case_in(wind, folder, shelf):
    table, files = case_of("levels", shelf, None, None)
    del table["water_level"]
    more = winds(folder)[wind]
    table["propagation"]["cluster_rate"] = more.pop("cluster_rate", 1)
    return table | more, files


@pytest.mark.parametrize("wind", NAMES)
def test_winds(shelf, tmp_path, wind):
    table, files = case_in(wind, tmp_path, shelf)
    case = write_case(tmp_path / "case.toml", table)
    run(case, "--output", tmp_path / "one")
    device = ("--set", "run.device=gpu", "--set", "run.ranks_of_gpu=8")
    for seed, ranks in ((1, 1), (2, 3), (3, 2)):
        there = tmp_path / str(seed)
        run(case, "--output", there, *device, ranks=ranks, env={"GROUNDSWELL_PLAYED_DEVICE": str(seed)})
        assert_same(there, tmp_path / "one", [*files, MIDDLE, END])
    with netCDF4.Dataset(tmp_path / "one/wind.nc") as data:
        assert np.ptp(data["u10"][:], axis=0).max() > 0.5  # it changes in time


LOOKS_AT_THE_WIND = """
def winds(device):
    settings = {"run.device": "gpu", "run.ranks_of_gpu": 8} if device else {}
    case = lab.Case(sys.argv[1], settings)
    with lab.Simulation(case, output=f"{sys.argv[2]}-{device}") as simulation:
        for step in range(1, 4):
            simulation.run(600.0 * step)
            yield simulation.surroundings()["eastward_wind"].copy()

here, there = list(winds(False)), list(winds(True))
assert not (here[0] == here[2]).any()
assert all((one == other).all() for one, other in zip(here, there))
"""


def test_whoever_looks_at_the_wind_sees_that_of_now(shelf, tmp_path, monkeypatch):
    """The host has an older one as long as nobody does."""
    table, _ = case_in("many-times", tmp_path, shelf)
    table["output"] = {"map": [{"file": "end.nc", "every": "1h", "fields": ["hs"]}]}
    monkeypatch.setenv("GROUNDSWELL_PLAYED_DEVICE", "1")
    lab_program(tmp_path, LOOKS_AT_THE_WIND, write_case(tmp_path / "case.toml", table), tmp_path / "lab")
