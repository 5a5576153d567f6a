"""A wind with holes over the sea ends the run, or has in them what the case says."""

import netCDF4
import numpy as np
import pytest
from launching import groundswell, moment, refused, run, write_case, write_wind


@pytest.fixture
def holed(tmp_path):
    """A wind of 10 m/s towards the east, of −5 m/s west of 112°E, without a value in a hole of 4 × 3 points around 114°E 17°N."""
    path = write_wind(tmp_path / "wind.nc")
    with netCDF4.Dataset(path, "a") as file:
        lon, lat = np.meshgrid(file["lon"][:], file["lat"][:])
        hole = (np.abs(lon - 114) < 2.1) & (np.abs(lat - 17) < 1.6)
        file["u"][:] = np.where(hole, np.nan, np.where(lon < 112, -5.0, 10.0))
        file["v"][:] = np.where(hole, np.nan, 0.0)
    return path


def case(folder, mesh, wind, **more):
    table = {
        "time": {"start": moment(3), "end": moment(4)},
        "mesh": {"file": mesh},
        "spectrum": {"directions": 8, "frequencies": 5, "first_frequency": 0.08, "ratio": 1.2},
        "initial": {"state": "calm"},
        "physics": {"package": "none"},
        "propagation": {"scheme": "upwind"},
        "wind": [{"file": wind} | more],
        "output": {"map": [{"file": "map.nc", "every": "1h", "fields": ["u10", "v10"]}]},
    }
    return write_case(folder / "case.toml", table)


def test_a_hole_over_the_sea_is_refused_with_its_place(tmp_path, coast_mesh, holed):
    refused(groundswell("run", case(tmp_path, coast_mesh, holed), "--check"), "wind.nc", "°E", "gaps")


@pytest.mark.parametrize("gaps", ["nearest", "zero"])
def test_a_hole_has_the_nearest_value_or_calm(tmp_path, coast_mesh, holed, gaps):
    run(case(tmp_path, coast_mesh, holed, gaps=gaps), "--overwrite")
    with netCDF4.Dataset(tmp_path / "output/map.nc") as data:
        lon, lat, wind = (
            np.asarray(data[name][:], float) for name in ("mesh_face_lon", "mesh_face_lat", "u10")
        )
    # The grid's points are at whole and a half degrees; the hole's own are inside of these bounds.
    deep = (np.abs(lon - 114) < 1.4) & (np.abs(lat - 17) < 0.9)
    outside = (np.abs(lon - 114) > 3.1) | (np.abs(lat - 17) > 2.6)
    east = outside & (lon > 113.1)
    assert deep.any() and wind[0][east] == pytest.approx(10.0, abs=1e-3)
    if gaps == "zero":
        assert wind[0][deep] == pytest.approx(0.0, abs=1e-3)
    else:  # of the two winds around the hole, each where it is the nearer one
        assert wind[0][deep & (lon > 114.6)] == pytest.approx(10.0, abs=1e-3)
        assert (np.abs(wind[0][deep]) > 1.0).mean() > 0.8
