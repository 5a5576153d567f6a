"""The case of a tsunami: from the mesh to the picture."""

import shutil

import netCDF4
import numpy as np
import pytest
from launching import ROOT, groundswell, run

pytestmark = pytest.mark.long


def test_the_tsunami_leaves_at_the_speed_of_its_water(tmp_path):
    pytest.importorskip("gmsh", exc_type=ImportError)
    folder = tmp_path / "tsunami"
    shutil.copytree(ROOT / "cases/quake/tsunami", folder, ignore=shutil.ignore_patterns("output"))
    made = groundswell("mesh", "make", folder / "mesh.toml")
    assert made.code == 0, made.stderr
    run(folder / "case.toml", ranks=2, seconds=900)
    with netCDF4.Dataset(folder / "output/surface.nc") as file:
        time, eta = file["time"][:], file["eta"][:]
        x, y = file["mesh_face_x"][:] / 1e3, file["mesh_face_y"][:] / 1e3
    west = (np.abs(y) < 4) & (x < -5)
    crest = [float(x[west][eta[time == at][0][west].argmax()]) for at in (60.0, 90.0)]
    # √(g H) of 1.0 and of 1.6 km of water: that of the plain, and of the slope that the wave has left.
    assert 0.03 * 99 * 0.7 < (crest[0] - crest[1]) < 30 * 0.125 * 1.4, crest
    assert 0.2 < eta[-1][west].max() < 1.0
    surface = folder / "output/surface.nc"
    picture = ("--time", 90, "--output", tmp_path / "eta.png")
    drawn = groundswell("plot", "map", surface, "--field", "eta", *picture)
    assert drawn.code == 0, drawn.stderr
