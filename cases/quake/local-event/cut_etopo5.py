"""Cut this case's relief out of ETOPO5 (public domain, NOAA) as Debian's package ferret-datasets ships it.

build/venv/bin/python cases/quake/local-event/cut_etopo5.py /usr/share/ferret-vis/data/etopo5.cdf \
    cases/quake/local-event/etopo5_hualien.nc
"""

import sys

import netCDF4
import numpy as np

WEST, EAST, SOUTH, NORTH = 120.75, 122.5, 23.0, 24.75


def cut(source, target):
    with netCDF4.Dataset(source) as world, netCDF4.Dataset(target, "w", format="NETCDF3_CLASSIC") as out:
        lon, lat = world["ETOPO05_X"][:], world["ETOPO05_Y"][:]
        columns = np.nonzero((lon >= WEST) & (lon <= EAST))[0]
        rows = np.nonzero((lat >= SOUTH) & (lat <= NORTH))[0]
        out.title = "ETOPO5 5-minute gridded elevation, cut for the coast of Hualien"
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
        field = out.createVariable("elevation", "i2", ("lat", "lon"))
        field.setncatts(
            {"units": "m", "standard_name": "height_above_mean_sea_level", "long_name": "elevation"}
        )
        field.positive = "up"
        field[:] = np.rint(world["ROSE"][rows, columns]).astype(np.int16)


if __name__ == "__main__":
    cut(*sys.argv[1:3])
