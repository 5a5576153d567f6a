"""Requests for small meshes of the ground, and relief to lay over them."""

import pathlib
import types

import netCDF4
import numpy as np

from groundswell.ground import make as making
from groundswell.ground import survey
from groundswell.ground.request import make_request

PLENTY = 1 << 40  # bytes


def box(size=1000.0, **tables):
    """6 × 5 × 4 km of ground."""
    tables.setdefault("region", {"x": [-3e3, 3e3], "y": [-2e3, 3e3], "depth": 4e3})
    tables["size"] = {"coarsest": size} if isinstance(size, float) else size
    return tables


def request(folder=pathlib.Path(), **tables):
    return make_request("ground.toml", tables, folder)


def made(tmp_path, memory=PLENTY, **tables):
    """Makes a mesh; its file, survey and places."""
    kept, wanted = {}, request(tmp_path, **tables)
    output = tmp_path / "ground.msh"

    class Kept(survey.Found):
        def __init__(self, *arguments):
            super().__init__(*arguments)
            kept["found"] = self

    original, survey.Found = survey.Found, Kept
    try:
        result = making.make_mesh(wanted, output, memory=lambda: memory)
    finally:
        survey.Found = original
    return types.SimpleNamespace(file=output, result=result, found=kept["found"], request=wanted)


def write_relief(path, height, longitude=(119.8, 120.2), latitude=(29.8, 30.2), points=321):
    """height(longitude, latitude) in m on a grid of points."""
    with netCDF4.Dataset(path, "w") as out:
        for name, span, unit in (("lon", longitude, "degrees_east"), ("lat", latitude, "degrees_north")):
            out.createDimension(name, points)
            axis = out.createVariable(name, "f8", (name,))
            axis.units = unit
            axis[:] = np.linspace(*span, points)
        z = out.createVariable("z", "f8", ("lat", "lon"), fill_value=-1e30)
        z.units = "m"
        x, y = np.meshgrid(np.linspace(*longitude, points), np.linspace(*latitude, points))
        z[:] = np.ma.masked_invalid(height(x, y))
    return path


PROJECTION = {"longitude": 120.0, "latitude": 30.0}


def hill(longitude, latitude):
    """A ridge of 600 m and a valley of −500 m, m."""
    return 50.0 + 600 * np.sin(90 * np.radians(longitude - 120) * 30) * np.cos(
        np.radians(latitude - 30) * 1500
    )
