"""Cut this case's bathymetry out of ETOPO5 (public domain, NOAA) as Debian's package ferret-datasets ships it.

build/venv/bin/python cases/yagi/cut_etopo5.py /usr/share/ferret-vis/data/etopo5.cdf cases/yagi/etopo5_yagi.nc
"""

import sys

import netCDF4
import numpy as np

WEST, EAST, SOUTH, NORTH = 100.0, 132.0, 3.0, 31.0


def cut(source, target):
    with netCDF4.Dataset(source) as world, netCDF4.Dataset(target, "w") as out:
        lon, lat = world["ETOPO05_X"][:], world["ETOPO05_Y"][:]
        columns, rows = (
            np.nonzero((lon >= WEST) & (lon <= EAST))[0],
            np.nonzero((lat >= SOUTH) & (lat <= NORTH))[0],
        )
        out.setncatts(
            {
                "title": "ETOPO5 5-minute gridded elevation, cut for Typhoon Yagi",
                "Conventions": "CF-1.11",
                "source": "ETOPO5, NOAA National Geophysical Data Center 1988, in ferret-datasets 7.6.0-5: etopo5.cdf",
                "license": "public domain",
            }
        )
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
            {
                "units": "m",
                "standard_name": "height_above_mean_sea_level",
                "long_name": "elevation",
                "positive": "up",
            }
        )
        field[:] = np.rint(world["ROSE"][rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]).astype(
            np.int16
        )


if __name__ == "__main__":
    cut(*sys.argv[1:3])
