"""A wind that cannot drive the run is refused before the first step: exit code 2, one message, nothing created."""

import struct

import netCDF4
import numpy as np
import pytest
from launching import groundswell, moment, refused, run, storm_case, write_case, write_wind

# How the wind file is made, and what the message must say.
SPOILED = {
    "ends too early": (
        {"hours": (0, 3, 6)},
        ["cover the run", "2024-09-06T06:00:00Z", "2024-09-06T08:00:00Z"],
    ),
    "begins too late": ({"hours": (6, 9, 12)}, ["cover the run", "2024-09-06T03:00:00Z"]),
    "another day": ({"day": 8}, ["cover the run", "2024-09-08T00:00:00Z"]),
    "region too small": ({"east": 112.0}, ["covers the sea cells", "112"]),
    "another ocean": ({"west": -60.0, "east": -20.0}, ["covers the sea cells"]),
    "a gap": ({"hours": (0, 2, 4, 8, 10)}, ["time", "gap", "2024-09-06T04:00:00Z", "2024-09-06T08:00:00Z"]),
    "time runs back": ({"hours": (0, 6, 4, 12)}, ["time"]),
    "a time of nonsense": ({"hours": (-1e300, 0, 6, 12)}, ["time[0]", "missing", "30000 years"]),
    "a gap longer than the run": ({"hours": (-6, -3, 0, 12, 15)}, ["gap", "2024-09-06T00:00:00Z"]),
    "a unit of something else": ({"units": "Pa"}, ["units", "Pa", "m s-1"]),
    "a year of 360 days": ({"calendar": "360_day"}, ["calendar", "360_day", "standard"]),
    "no leap years": ({"calendar": "noleap"}, ["calendar", "noleap", "standard"]),
    "packing gone wrong": ({"speed": 1.0e4}, ["m/s", "98"]),
}


def refuse_wind(folder, mesh, wind, *words, ranks=0):
    case = write_case(folder / "case.toml", storm_case(mesh, wind, hours=5))
    outcome = groundswell("run", case, "--output", folder / "output", ranks=ranks)
    refused(outcome, *words)
    assert not (folder / "output").exists()


@pytest.mark.parametrize("name", SPOILED)
def test_spoiled_wind(coast_mesh, tmp_path, name):
    changes, words = SPOILED[name]
    wind = write_wind(tmp_path / "spoiled.nc", **changes)
    refuse_wind(
        tmp_path,
        coast_mesh,
        wind,
        "spoiled.nc",
        *words,
        ranks=2 if name in ("a gap", "region too small") else 0,
    )


def test_missing_value_at_a_sea_cell(coast_mesh, tmp_path):
    """A hole in the data, on one rank's part of the sea: both ranks stop, one speaks."""
    wind = write_wind(tmp_path / "hole.nc")
    with netCDF4.Dataset(wind, "a") as data:
        data["u"][1, 12:16, 10:14] = np.nan
    refuse_wind(tmp_path, coast_mesh, wind, "hole.nc", "u at 2024-09-06T06:00:00Z", "missing", ranks=2)


def test_no_wind_in_the_file(coast_mesh, tmp_path, sphere_mesh):
    refuse_wind(tmp_path, coast_mesh, sphere_mesh, "sphere.nc", "eastward_wind")
    refuse_wind(tmp_path, coast_mesh, tmp_path / "none.nc", "none.nc", ranks=2)


HEADER = "time,lat,lon,vmax_ms,pmin_hpa,rmw_km\n"


def write_track(path, hours):
    """Fixes of a small typhoon at these hours of 6 September."""
    rows = [
        f"{moment(hour):%Y-%m-%dT%H:%M:%SZ},{17.0 + 0.1 * n:.2f},{114.0 - 0.2 * n:.2f},40,955,40\n"
        for n, hour in enumerate(hours)
    ]
    path.write_text(HEADER + "".join(rows))
    return path


def track_case(folder, mesh, track):
    table = storm_case(mesh, None, hours=5)
    table["wind"] = [{"uniform": [3.0, 1.0]}, {"vortex": track}]
    return write_case(folder / "case.toml", table)


def test_a_sound_track_is_taken(coast_mesh, tmp_path):
    case = track_case(tmp_path, coast_mesh, write_track(tmp_path / "track.csv", (0, 6, 12)))
    run(case, "--output", tmp_path / "output")
    with netCDF4.Dataset(tmp_path / "output/wind.nc") as data:
        assert 30.0 < np.hypot(data["u10"][0], data["v10"][0]).max() < 45.0


def test_a_track_that_goes_back_in_time(coast_mesh, tmp_path):
    """The line of the file is named."""
    case = track_case(tmp_path, coast_mesh, write_track(tmp_path / "track.csv", (0, 6, 3, 12)))
    for ranks in (0, 2):
        outcome = groundswell("run", case, "--output", tmp_path / "output", ranks=ranks)
        refused(outcome, "track.csv:4", "time", "2024-09-06T03:00:00Z", "2024-09-06T06:00:00Z")
    assert not (tmp_path / "output").exists()


def test_a_track_with_a_word_for_a_number(coast_mesh, tmp_path):
    track = write_track(tmp_path / "track.csv", (0, 6, 12))
    track.write_text(track.read_text().replace("17.10", "north"))
    outcome = groundswell("run", track_case(tmp_path, coast_mesh, track), "--output", tmp_path / "output")
    refused(outcome, "track.csv:3", "lat", "north", "a number")


def test_a_track_that_is_not_there(coast_mesh, tmp_path):
    """Case file and key say where it is asked for."""
    case = track_case(tmp_path, coast_mesh, tmp_path / "nowhere.csv")
    outcome = groundswell("run", case, "--output", tmp_path / "output", ranks=2)
    refused(outcome, "case.toml: wind[1].vortex = ", "nowhere.csv: expected a track")


def test_a_lone_track_must_cover_the_run(coast_mesh, tmp_path):
    """Without a wind below it, there is none before its first fix."""
    table = storm_case(coast_mesh, None, hours=5)
    table["wind"] = [{"vortex": write_track(tmp_path / "track.csv", (12, 18))}]
    outcome = groundswell("run", write_case(tmp_path / "case.toml", table), "--output", tmp_path / "output")
    refused(outcome, "track.csv", "2024-09-06T12:00:00Z", "cover the run")


def write_netcdf4_wind(path, whole):
    """The same wind in netCDF-4, compressed, so that its pieces are found by a tree."""
    with netCDF4.Dataset(whole) as old, netCDF4.Dataset(path, "w") as new:
        for name, dimension in old.dimensions.items():
            new.createDimension(name, None if name == "time" else len(dimension))
        for name, variable in old.variables.items():
            packed = variable.ndim == 3
            copy = new.createVariable(name, variable.dtype, variable.dimensions, zlib=packed)
            copy.setncatts(variable.__dict__)
            copy[:] = variable[:]
    return path


def without_end(data):
    """The list of a global heap: what is left of it has no length, so that nobody comes to its end."""
    at = data.index(b"GCOL") + 16
    while struct.unpack_from("<H", data, at)[0] != 0:
        at += 16 + (struct.unpack_from("<Q", data, at + 8)[0] + 7) // 8 * 8
    struct.pack_into("<Q", data, at + 8, 0)


def within_itself(data):
    """The trees of pieces: each is its own branch, and the library goes down until its stack is used up."""
    at = data.find(b"TREE")
    while at >= 0:
        for dimensions in (1, 3):
            data[at + 5] = 1  # not a leaf
            struct.pack_into("<Q", data, at + 24 + 8 + 8 * (dimensions + 1), at)
        at = data.find(b"TREE", at + 4)


@pytest.mark.parametrize("damage", [pytest.param(without_end, marks=pytest.mark.long), within_itself])
def test_a_damaged_netcdf4_wind_neither_hangs_nor_crashes(coast_mesh, tmp_path, damage):
    """HDF5 itself does. What it costs is bounded, and the file has a name."""
    wind = write_netcdf4_wind(tmp_path / "damaged.nc", write_wind(tmp_path / "whole.nc"))
    data = bytearray(wind.read_bytes())
    damage(data)
    wind.write_bytes(data)
    refuse_wind(tmp_path, coast_mesh, wind, "damaged.nc", "this one is damaged", ranks=2)
