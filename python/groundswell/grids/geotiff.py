"""GeoTIFF of one field, a band for each time, through Rasterio."""

import numpy as np

from groundswell.errors import refuse
from groundswell.plot.source import iso


def rasterio_or_refused():
    try:
        import rasterio
        from rasterio.transform import from_origin
    except ImportError as failure:
        refuse("Rasterio", None, None, f"the Python package: pip install rasterio ({failure})")
    return rasterio, from_origin


class Writer:
    kinds = (".tif", ".tiff")

    def __init__(self, partial, grid, source, sea_fraction, options):
        rasterio, from_origin = rasterio_or_refused()
        one_field(source, "a GeoTIFF")
        if grid.pole:
            refuse(
                "command line",
                "--pole",
                f"{grid.pole[0]:g},{grid.pole[1]:g}",
                "a format that knows rotated grids: .nc, .zarr or .grib2",
            )
        north = grid.south + grid.rows * grid.step[1]
        self.out = rasterio.open(
            partial,
            "w",
            driver="GTiff",
            width=grid.columns,
            height=grid.rows,
            count=len(source.times),
            dtype="float32",
            crs="EPSG:4326",
            transform=from_origin(grid.west, north, *grid.step),
            nodata=np.nan,
            compress="deflate",
        )
        (field,) = source.fields
        self.out.update_tags(
            title=source.title, field=field.name, long_name=field.long_name, units=field.unit
        )

    def write(self, record, time, values):
        (array,) = values.values()
        self.out.write(array[::-1].astype("float32"), record + 1)
        self.out.set_band_description(record + 1, iso(time))

    def end(self):
        self.out.close()


def one_field(source, what):
    if len(source.fields) != 1:
        names = ",".join(field.name for field in source.fields)
        refuse("command line", "--fields", names, f"one field for {what}")
    if what.startswith("contours") and source.fields[0].bearing:
        refuse("command line", "--fields", source.fields[0].name, f"a field that is no bearing for {what}")
