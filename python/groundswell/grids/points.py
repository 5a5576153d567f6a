"""Fields at a list of points: of the cell that holds each, as NetCDF (CF's timeSeries) or a table."""

import csv

import netCDF4
import numpy as np

from groundswell.errors import refuse
from groundswell.grids import layout
from groundswell.grids.overlap import sphere_areas
from groundswell.plot.source import iso, place_text

EARTH_KM = layout.EARTH / 1000


class Points:
    """Places of a table in the cells of a map; refused where no cell is near."""

    def __init__(self, table, source, where):
        self.names, self.lon, self.lat = table.names, table.lon, table.lat
        self.cell, distance = layout.nearest_cells(source, self.lon, self.lat)
        width = 2 * np.sqrt(sphere_areas(source)[self.cell] / np.pi)
        for k in np.flatnonzero(distance > width):
            said = f"{self.names[k]} ({place_text(self.lon[k], self.lat[k])}), {distance[k] * EARTH_KM:.0f} km from the nearest cell"
            refuse(
                where,
                "point",
                said,
                f"points in cells of {source.path}, {width[k] * EARTH_KM:.0f} km wide there",
            )

    def fields(self, values):
        return {name: v[self.cell] for name, v in values.items()}


class NetcdfWriter:
    def __init__(self, partial, points, source):
        self.out = netCDF4.Dataset(partial, "w")
        self.out.setncatts(layout.global_attributes(source) | {"featureType": "timeSeries"})
        self.out.createDimension("time", None)
        self.out.createDimension("station", len(points.names))
        self.out.createVariable("time", "f8", ("time",)).setncatts(layout.time_attributes())
        names = self.out.createVariable("station_name", str, ("station",))
        names.setncatts({"long_name": "name of the point", "cf_role": "timeseries_id"})
        names[:] = np.array(points.names, dtype=object)
        for name, values, unit in (
            ("latitude", points.lat, "degrees_north"),
            ("longitude", points.lon, "degrees_east"),
        ):
            variable = self.out.createVariable(name, "f8", ("station",))
            variable.setncatts({"standard_name": name, "units": unit})
            variable[:] = values
        for field in source.fields:
            variable = self.out.createVariable(
                field.name, "f4", ("time", "station"), fill_value=np.float32(9.96921e36)
            )
            said = {"standard_name": field.standard_name, "long_name": field.long_name, "units": field.unit}
            variable.setncatts(
                {k: v for k, v in said.items() if v} | {"coordinates": "latitude longitude station_name"}
            )

    def write(self, record, time, values):
        self.out["time"][record] = layout.seconds(time)
        for name, array in values.items():
            self.out[name][record] = np.ma.masked_invalid(array)

    def end(self):
        self.out.close()


class TableWriter:
    """CSV: time, name, lon, lat, and a column for each field; empty where there is no value."""

    def __init__(self, partial, points, source):
        self.points = points
        self.file = open(partial, "w", encoding="utf-8", newline="")  # noqa: SIM115
        self.out = csv.writer(self.file)
        self.out.writerow(["time", "name", "lon", "lat", *(f.name for f in source.fields)])

    def write(self, record, time, values):
        for k, name in enumerate(self.points.names):
            row = ["" if np.isnan(v[k]) else f"{v[k]:.6g}" for v in values.values()]
            self.out.writerow([iso(time), name, self.points.lon[k], self.points.lat[k], *row])

    def end(self):
        self.file.close()


WRITERS = {".nc": NetcdfWriter, ".csv": TableWriter}
