"""Zarr v3: the layout of the NetCDF files, one chunk a record, for readers in the cloud."""

import numpy as np

from groundswell.errors import refuse
from groundswell.grids import layout


def zarr_or_refused():
    try:
        import zarr
    except ImportError as failure:
        refuse("Zarr", None, None, f"the Python package: pip install 'zarr>=3' ({failure})")
    return zarr


class Writer:
    kinds = (".zarr",)

    def __init__(self, path, grid, source, sea_fraction, options):
        self.group = zarr_or_refused().create_group(
            store=str(path), zarr_format=3, attributes=layout.global_attributes(source)
        )
        rows, columns = layout.dimensions(grid)
        for name, (dimensions, values, said) in layout.coordinates(grid, source, sea_fraction).items():
            self._array(name, np.asarray(values), dimensions, said)
        times = np.array([layout.seconds(time) for time in source.times])
        self._array("time", times, ("time",), layout.time_attributes())
        for field in source.fields:
            self.group.create_array(
                field.name,
                shape=(len(times), grid.rows, grid.columns),
                chunks=(1, grid.rows, grid.columns),
                dtype="f4",
                fill_value=np.nan,
                dimension_names=("time", rows, columns),
                attributes=layout.field_attributes(field, grid),
            )

    def _array(self, name, values, dimensions, said):
        made = self.group.create_array(
            name, shape=values.shape, dtype=values.dtype, dimension_names=dimensions, attributes=said
        )
        made[...] = values

    def write(self, record, time, values):
        for name, array in values.items():
            self.group[name][record] = array

    def end(self):
        pass
