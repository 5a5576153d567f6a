"""Cut a case's relief out of ETOPO5 (public domain, NOAA) as Debian's package ferret-datasets ships it.

build/venv/bin/python cases/cut_etopo5.py /usr/share/ferret-vis/data/etopo5.cdf TARGET.nc WEST EAST SOUTH NORTH PLACE
"""

import sys

import netCDF4
import numpy as np


def cut(source, target, west, east, south, north, place):
    with netCDF4.Dataset(source) as world, netCDF4.Dataset(target, "w") as out:
        lon, lat = world["ETOPO05_X"][:], world["ETOPO05_Y"][:]
        columns = np.nonzero((lon >= float(west)) & (lon <= float(east)))[0]
        rows = np.nonzero((lat >= float(south)) & (lat <= float(north)))[0]
        out.title = f"ETOPO5 5-minute gridded elevation, cut for {place}"
        out.Conventions = "CF-1.11"
        out.source = (
            "ETOPO5, NOAA National Geophysical Data Center 1988, in ferret-datasets 7.6.0-5: etopo5.cdf"
        )
        out.license = "public domain"
        for name, values, unit, standard in (
            ("lat", lat[rows], "degrees_north", "latitude"),
            ("lon", lon[columns], "degrees_east", "longitude"),
        ):
            out.createDimension(name, len(values))
            axis = out.createVariable(name, "f8", (name,))
            axis.setncatts({"units": unit, "standard_name": standard})
            axis[:] = values
        field = out.createVariable("elevation", "i2", ("lat", "lon"), zlib=True, complevel=9, shuffle=True)
        field.setncatts(
            {"units": "m", "standard_name": "height_above_mean_sea_level", "long_name": "elevation"}
        )
        field.positive = "up"
        field[:] = np.rint(world["ROSE"][rows, columns]).astype(np.int16)


if __name__ == "__main__":
    cut(*sys.argv[1:8])
