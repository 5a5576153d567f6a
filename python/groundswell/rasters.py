"""Relief in forms of geographic information systems, as NetCDF in memory: GeoTIFF, ESRI's ASCII grid (.asc) and lines of
longitude, latitude and height (.xyz). Everything else is left to netCDF."""

import pathlib

import netCDF4
import numpy as np

from groundswell.errors import refuse

TIFF = (b"II*\0", b"MM\0*", b"II+\0", b"MM\0+")
HEAD = (
    "ncols",
    "nrows",
    "xllcorner",
    "xllcenter",
    "yllcorner",
    "yllcenter",
    "cellsize",
    "dx",
    "dy",
    "nodata_value",
)
TOLERANCE = 1e-3  # of a step, by which columns of one longitude may differ


def open_grid(path):
    """The file as a dataset that is read as NetCDF is."""
    path = pathlib.Path(path)
    try:
        with open(path, "rb") as file:
            begin = file.read(64)
    except OSError as failure:
        refuse(path, None, None, f"a file that can be read ({failure.strerror})")
    if begin.startswith(TIFF):
        return _in_memory(*_read_geotiff(path))
    if begin.split()[:1] and begin.split()[0].lower() in (b"ncols", b"nrows"):
        return _in_memory(*_read_ascii(path))
    if _is_text(begin):
        return _in_memory(*_read_points(path))
    try:
        return netCDF4.Dataset(path)
    except OSError as failure:
        refuse(
            path,
            None,
            None,
            "relief in NetCDF, GeoTIFF, an ASCII grid (.asc) or lines of longitude, latitude and height (.xyz) that can be "
            f"read ({failure.strerror or failure})",
        )


def _is_text(begin):
    """Whether a file begins with numbers, or with a comment."""
    first = begin.lstrip()[:1]
    return bool(first) and first in b"-+.0123456789#" and all(byte < 128 for byte in begin)


def _in_memory(lon, lat, values):
    dataset = netCDF4.Dataset("relief.nc", "w", diskless=True)
    for name, axis, units in (("lon", lon, "degrees_east"), ("lat", lat, "degrees_north")):
        dataset.createDimension(name, len(axis))
        variable = dataset.createVariable(name, "f8", (name,))
        variable.units = units
        variable[:] = axis
    field = dataset.createVariable("elevation", "f4", ("lat", "lon"), fill_value=np.float32(np.nan))
    field.units = "m"
    field[:] = values
    return dataset


def _require_degrees(path, lon, lat, how):
    """Longitudes and latitudes, which a grid without a word of its projection must have."""
    if np.abs(lon).max() > 360.0 or np.abs(lat).max() > 90.0:
        refuse(
            path,
            "axes",
            f"{lon.min():g}…{lon.max():g}, {lat.min():g}…{lat.max():g}",
            f"longitudes and latitudes; from metres of a projection, with its number in place of EPSG:32611: {how}",
        )


def _read_geotiff(path):
    try:
        import rasterio
        from rasterio.enums import Resampling
        from rasterio.vrt import WarpedVRT
    except ImportError:
        refuse(
            path,
            "form",
            "GeoTIFF",
            f"the Python package rasterio (pip install rasterio), or NetCDF: gdalwarp -t_srs EPSG:4326 -of netCDF {path} "
            f"{path.with_suffix('.nc')}",
        )
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what it warns of is refused here
        try:
            source = rasterio.open(path)
        except rasterio.errors.RasterioError as failure:
            refuse(path, None, None, f"a GeoTIFF that can be read ({failure})")
        with source:
            if source.crs is None or source.transform.is_identity:
                refuse(
                    path,
                    "place",
                    "not in this GeoTIFF",
                    "one with a projection and corners; if they are longitudes and latitudes: gdal_translate -of netCDF "
                    f"-a_srs EPSG:4326 -a_ullr WEST NORTH EAST SOUTH {path} {path.with_suffix('.nc')}",
                )
            with (
                WarpedVRT(source, crs="EPSG:4326", resampling=Resampling.bilinear)
                if _must_turn(source)
                else source as grid
            ):
                values = grid.read(1, masked=True).astype(np.float32).filled(np.nan)
                step = grid.transform
                lon = step.c + step.a * (np.arange(grid.width) + 0.5)
                lat = step.f + step.e * (np.arange(grid.height) + 0.5)
    return lon, lat, values


def _must_turn(source):
    return not source.crs.is_geographic or source.transform.b != 0 or source.transform.d != 0


def _read_ascii(path):
    """ESRI's form: a head of words with numbers, then rows from the north."""
    head, skip = {}, 0
    with open(path, encoding="ascii", errors="replace") as file:
        for line in file:
            words = line.split()
            if len(words) != 2 or words[0].lower() not in HEAD:
                break
            try:
                head[words[0].lower()] = float(words[1])
            except ValueError:
                refuse(f"{path}:{skip + 1}", words[0], words[1], "a number")
            skip += 1

    def need(*names):
        for name in names:
            if name in head:
                return head[name]
        refuse(path, names[0], None, f"a head with {', '.join(names)}")

    columns, rows = int(need("ncols")), int(need("nrows"))
    step_x, step_y = need("dx", "cellsize"), need("dy", "cellsize")
    west = head["xllcenter"] if "xllcenter" in head else need("xllcorner") + 0.5 * step_x
    south = head["yllcenter"] if "yllcenter" in head else need("yllcorner") + 0.5 * step_y
    values = _numbers(path, skip).ravel()
    if values.size != columns * rows:
        refuse(path, "values", values.size, f"{columns * rows}: nrows {rows} times ncols {columns}")
    values[values == head.get("nodata_value", -9999.0)] = np.nan
    lon, lat = west + step_x * np.arange(columns), south + step_y * np.arange(rows)
    _require_degrees(
        path,
        lon,
        lat,
        f"gdalwarp -s_srs EPSG:32611 -t_srs EPSG:4326 -of netCDF {path} {path.with_suffix('.nc')}",
    )
    return lon, lat, values.reshape(rows, columns)[::-1]


def _numbers(path, skip):
    try:
        with open(path, encoding="ascii", errors="replace") as file:
            text = file.read().replace(",", " ").split("\n")[skip:]
        return np.array(
            [float(word) for line in text if not line.lstrip().startswith("#") for word in line.split()]
        )
    except ValueError as failure:
        refuse(path, None, None, f"numbers alone ({failure})")


def _axis(path, values, what):
    """The longitudes or latitudes of a full grid, ascending, and the number of each point's."""
    found = np.unique(values)
    gaps = np.diff(found)
    if len(gaps) == 0:
        refuse(path, what, found[0], "two or more different ones")
    near = gaps < TOLERANCE * gaps.max()
    axis = found[np.concatenate([[True], ~near])]
    return axis, np.clip(np.searchsorted(axis, values + TOLERANCE * gaps.max()) - 1, 0, len(axis) - 1)


def _read_points(path):
    numbers = _numbers(path, 0)
    if numbers.size == 0 or numbers.size % 3:
        refuse(
            path,
            "points",
            f"{numbers.size} numbers",
            "three in each line: longitude, latitude and height in m",
        )
    x, y, z = numbers.reshape(-1, 3).T
    _require_degrees(
        path, x, y, f"gdalwarp -s_srs EPSG:32611 -t_srs EPSG:4326 -of netCDF {path} {path.with_suffix('.nc')}"
    )
    lon, column = _axis(path, x, "longitudes")
    lat, row = _axis(path, y, "latitudes")
    values = np.full((len(lat), len(lon)), np.nan, np.float32)
    values[row, column] = z
    if len(x) != values.size or np.isnan(values).any():
        refuse(
            path,
            "points",
            f"{len(x)} at {len(lon)} longitudes and {len(lat)} latitudes",
            f"a point at each of them; from scattered points: gdal_grid -of netCDF, or GMT's surface, makes a grid of {path}",
        )
    return lon, lat, values
