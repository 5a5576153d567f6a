"""NetCDF-4 with CF conventions."""

import netCDF4
import numpy as np

from groundswell.grids import layout

FILL = np.float32(9.96921e36)


class Writer:
    """`begin` with the path, `write` record by record, `end`. All formats have these three."""

    kinds = (".nc",)

    def __init__(self, path, grid, source, sea_fraction, options):
        self.out = netCDF4.Dataset(path, "w")
        self.out.setncatts(layout.global_attributes(source))
        rows, columns = layout.dimensions(grid)
        for name, size in (("time", None), (rows, grid.rows), (columns, grid.columns), ("bound", 2)):
            self.out.createDimension(name, size)
        self.out.createVariable("time", "f8", ("time",)).setncatts(layout.time_attributes())
        for name, (dimensions, values, said) in layout.coordinates(grid, source, sea_fraction).items():
            kind = np.asarray(values).dtype
            variable = self.out.createVariable(name, kind, dimensions)
            variable.setncatts(said)
            variable[...] = values
        for field in source.fields:
            made = self.out.createVariable(
                field.name,
                "f4",
                ("time", rows, columns),
                compression="zlib",
                complevel=1,
                fill_value=FILL,
                chunksizes=(1, grid.rows, grid.columns),
            )
            made.setncatts(layout.field_attributes(field, grid))

    def write(self, record, time, values):
        self.out["time"][record] = layout.seconds(time)
        for name, array in values.items():
            self.out[name][record] = np.ma.masked_invalid(array)

    def end(self):
        self.out.close()
