"""A mesh that `groundswell mesh make` made of a description, as a run takes it: groups, faults, relief, projection."""

import netCDF4
import numpy as np
import pytest
from launching import groundswell, refused, write_case

REQUEST = """
model = "quake"
projection = { longitude = 120.25, latitude = 30.0 }
region = { x = [-2e3, 2e3], y = [-2e3, 2e3], depth = 2e3 }
relief = { file = "hill.nc" }
size = { coarsest = 900.0 }
[[layer]]
bottom = 600.0
[[layer]]
[[fault]]
trace = [[-900.0, 0.0], [900.0, 100.0]]
dip = 70.0
bottom = 1200.0
[[fault]]
trace = [[0.0, -800.0], [0.0, 700.0]]
bottom = 1500.0
"""


@pytest.fixture(scope="module")
def mesh(tmp_path_factory):
    pytest.importorskip("gmsh", exc_type=ImportError)
    folder = tmp_path_factory.mktemp("ground")
    with netCDF4.Dataset(folder / "hill.nc", "w") as out:
        for name, middle, unit in (("lon", 120.25, "degrees_east"), ("lat", 30.0, "degrees_north")):
            out.createDimension(name, 41)
            out.createVariable(name, "f8", (name,)).units = unit
            out[name][:] = middle + np.linspace(-0.05, 0.05, 41)
        out.createVariable("elevation", "f8", ("lat", "lon")).units = "m"
        out["elevation"][:] = 200 + 4000 * (out["lon"][:] - 120.25)
    (folder / "ground.toml").write_text(REQUEST)
    made = groundswell("mesh", "make", folder / "ground.toml", "--json", folder / "ground.json")
    assert made.code == 0, made.stderr
    assert "fault 1 (65)" in made.stdout
    return folder / "ground.msh"


def case_of(mesh, **projection):
    rock = {"density": 2000, "vp": 1000, "vs": 500}
    return {
        "model": "quake",
        "time": {"end": "0.02s"},
        "mesh": {"file": str(mesh)},
        "projection": {"longitude": 120.25, "latitude": 30.0, **projection},
        "solver": {"order": 2},
        "material": {"rock": [{"group": [1], **rock}, {"group": [2], **rock}]},
        "initial": {"wave": [{"kind": "P", "wave_vector": [0, 0, 0.01]}]},
        "output": {
            "receivers": [
                {"file": "r.nc", "every": "10ms", "at_degrees": [[120.26, 30.0, 0.0]], "to_surface": True}
            ]
        },
    }


def test_a_run_takes_the_mesh_and_its_relief(tmp_path, mesh):
    case = write_case(tmp_path / "case.toml", case_of(mesh))
    told = groundswell("run", case, ranks=2)
    assert told.code == 0, told.stderr
    with netCDF4.Dataset(tmp_path / "output/r.nc") as file:
        # 0.01° east of the origin the hill is 40 m higher than there.
        assert file["z"][0] == pytest.approx(240, abs=1)
        # Metres of this mesh are those of the program.
        assert file["x"][0] == pytest.approx(964.86, abs=0.5)


def test_its_fault_faces_are_found(mesh):
    told = groundswell("clusters", mesh, "--order", 3)
    assert told.code == 0, told.stderr
    assert "of faults" in told.stdout and "cells of groups             1: " in told.stdout


def test_a_case_in_another_projection_is_refused(tmp_path, mesh):
    case = write_case(tmp_path / "case.toml", case_of(mesh, longitude=120.5))
    assert refused(groundswell("run", case, ranks=2)).startswith(
        f"{mesh}: projection = +proj=tmerc +lat_0=30 +lon_0=120.25 +k=1 +x_0=0 +y_0=0 +ellps=WGS84 +units=m: expected "
        "that of the case's section [projection], +proj=tmerc +lat_0=30 +lon_0=120.5 "
    )
