"""Writes sea_floor.nc: a sea floor that falls from 1 km depth in the west to 4 km in the east, along a slope 30 km wide."""

import pathlib

import netCDF4
import numpy as np

KILOMETRE = 1 / 111.19  # degrees of longitude at the equator


def depth(x):
    """m, positive down, x km east of the middle."""
    return 2500.0 + 1500.0 * np.sin(0.5 * np.pi * np.clip(x / 15.0, -1.0, 1.0))


def write(path):
    with netCDF4.Dataset(path, "w") as out:
        for name, axis, unit in (
            ("lon", 140.0 + np.linspace(-40, 40, 81) * KILOMETRE, "degrees_east"),
            ("lat", np.linspace(-30, 30, 3) * KILOMETRE, "degrees_north"),
        ):
            out.createDimension(name, len(axis))
            variable = out.createVariable(name, "f8", (name,))
            variable.units = unit
            variable[:] = axis
        z = out.createVariable("z", "f4", ("lat", "lon"))
        z.units = "m"
        z[:] = -depth(np.linspace(-40, 40, 81))[None, :]


if __name__ == "__main__":
    write(pathlib.Path(__file__).with_name("sea_floor.nc"))
