"""Elevation of land and sea floor on a longitude/latitude grid.

Inside, always: longitudes ascending in degrees (they may run past 180 or 360), latitudes ascending, elevation positive up
in metres, so the sea is where elevation < 0. A grid finer than asked for is averaged over blocks as it is read, with the
wet share of each block and the mean depth of its wet part kept apart, so that no detail of the coast leaks into the depth.
"""

import contextlib
import dataclasses

import numpy as np

from groundswell.errors import refuse, refuse_unknown
from groundswell.mesh.soundness import check_elevations, check_spacing
from groundswell.rasters import open_grid

NAMES = (
    "z",
    "elevation",
    "topo",
    "rose",
    "band1",
    "bathymetry",
    "altitude",
    "height",
    "depth",
    "bathy",
    "relief",
    "bedrock",
    "surface",
    "topography",
    "deptho",
    "etopo05",
    "btdata",
)
STANDARD_NAMES = (
    "height_above_mean_sea_level",
    "height_above_geopotential_datum",
    "height_above_reference_ellipsoid",
    "surface_altitude",
    "bedrock_altitude",
    "sea_floor_depth",
    "sea_floor_depth_below_geoid",
    "sea_floor_depth_below_mean_sea_level",
    "sea_floor_depth_below_sea_surface",
    "depth_below_geoid",
    "sea_floor_depth_below_reference_ellipsoid",
)
LON_UNITS = ("degrees_east", "degree_east", "degrees_e", "degree_e", "degreese", "degreee")
LAT_UNITS = ("degrees_north", "degree_north", "degrees_n", "degree_n", "degreesn", "degreen")
LON_NAMES = ("lon", "longitude", "x", "etopo05_x", "long", "nav_lon")
LAT_NAMES = ("lat", "latitude", "y", "etopo05_y", "nav_lat")
STRIP_VALUES = 32_000_000  # values read at a time


@dataclasses.dataclass
class Bathymetry:
    """lon (nx), lat (ny) in degrees; elevation, wet and depth (ny, nx).

    `wet` is the share of the grid cell below sea level (0…1), `depth` the mean depth (m, positive down) of that share.
    `periodic`: the longitudes go once around, with no column twice. `missing`: share of the values read that the file lacks.
    """

    lon: np.ndarray
    lat: np.ndarray
    elevation: np.ndarray
    wet: np.ndarray
    depth: np.ndarray
    periodic: bool
    source: str
    missing: float = 0.0

    @property
    def step(self):
        """Grid steps in longitude and latitude, degrees."""
        return (
            (self.lon[-1] - self.lon[0]) / (len(self.lon) - 1),
            (self.lat[-1] - self.lat[0]) / (len(self.lat) - 1),
        )

    def interpolate(self, lon, lat):
        """Bilinear elevation at points (degrees); beyond the grid the nearest row or column."""
        return self._bilinear(self.elevation, lon, lat)

    def _bilinear(self, field, lon, lat):
        nx, ny = len(self.lon), len(self.lat)
        x = self.lon[0] + np.mod(np.asarray(lon) - self.lon[0] + (0 if self.periodic else 90.0), 360.0)
        x = x - (0 if self.periodic else 90.0)
        fx = (
            np.interp(x, np.append(self.lon, self.lon[0] + 360.0), np.arange(nx + 1.0))
            if self.periodic
            else np.interp(x, self.lon, np.arange(float(nx)))
        )
        fy = np.interp(lat, self.lat, np.arange(float(ny)))
        i, j = np.minimum(fx.astype(int), nx - 1), np.minimum(fy.astype(int), max(ny - 2, 0))
        i1 = (i + 1) % nx if self.periodic else np.minimum(i + 1, nx - 1)
        j1 = np.minimum(j + 1, ny - 1)
        u, v = fx - i, fy - j
        low = field[j, i] * (1 - u) + field[j, i1] * u
        high = field[j1, i] * (1 - u) + field[j1, i1] * u
        return low * (1 - v) + high * v


def from_elevation(lon, lat, elevation, periodic, source):
    """A Bathymetry from elevations at grid points; missing values count as land."""
    elevation = np.where(np.isfinite(elevation), elevation, 1.0).astype(np.float32)
    wet = (elevation < 0).astype(np.float32)
    return Bathymetry(
        np.asarray(lon, float), np.asarray(lat, float), elevation, wet, -elevation * wet, periodic, source
    )


def _attribute(variable, name):
    return str(getattr(variable, name, "")).strip().lower()


def _is_axis(dataset, name, units, names, standard):
    variable = dataset.variables.get(name)
    if variable is None:
        return False
    return (
        _attribute(variable, "units") in units
        or _attribute(variable, "standard_name") == standard
        or (name.lower() in names and variable.ndim == 1)
    )


def _choose_variable(dataset, path, wanted):
    """The elevation variable: by name if given, else by CF standard name, common name, or being the only 2-D field."""

    def has_axes(variable):
        return variable.ndim >= 2 and all(
            any(_is_axis(dataset, d, *kind) for d in variable.dimensions)
            for kind in ((LON_UNITS, LON_NAMES, "longitude"), (LAT_UNITS, LAT_NAMES, "latitude"))
        )

    if wanted:
        if wanted not in dataset.variables:
            refuse_unknown(
                path, "bathymetry.variable", [n for n, v in dataset.variables.items() if v.ndim >= 2], wanted
            )
        if not has_axes(dataset.variables[wanted]):
            refuse(
                path,
                "bathymetry.variable",
                wanted,
                "a variable on longitude and latitude axes (one dimension each)",
            )
        return dataset.variables[wanted]
    fields = {n: v for n, v in dataset.variables.items() if has_axes(v)}
    for variable in fields.values():
        if _attribute(variable, "standard_name") in STANDARD_NAMES:
            return variable
    for known in NAMES:
        for name, variable in fields.items():
            if name.lower() == known:
                return variable
    if len(fields) == 1:
        return next(iter(fields.values()))
    refuse(
        path,
        "bathymetry.variable",
        ", ".join(fields) or "(none)",
        "one variable of elevation or depth on longitude and latitude axes, found by CF standard_name or a common name "
        f"({', '.join(NAMES[:7])}, …)" + ("; name it with --variable" if fields else ""),
    )


def _sign(variable):
    """+1 where the numbers are elevations (positive up), −1 where they are depths (positive down)."""
    positive = _attribute(variable, "positive")
    if positive in ("up", "down"):
        return 1.0 if positive == "up" else -1.0
    standard = _attribute(variable, "standard_name")
    if standard:
        return -1.0 if "depth" in standard else 1.0
    return -1.0 if variable.name.lower() in ("depth", "deptho", "bathy") else 1.0


def _scale_to_metres(variable, path):
    units = _attribute(variable, "units")
    if units in ("", "m", "meter", "meters", "metre", "metres"):
        return 1.0
    if units in ("km", "kilometers", "kilometres"):
        return 1000.0
    refuse(path, f"{variable.name}:units", units, "metres (m)")


def _axis(dataset, variable, units, names, standard):
    for position, name in enumerate(variable.dimensions):
        if _is_axis(dataset, name, units, names, standard):
            return position, np.asarray(dataset.variables[name][:], float)
    return None


@contextlib.contextmanager
def _open_field(path, variable):
    """The elevation of a file: its variable, positions and values of its longitude and latitude axes."""
    with open_grid(path) as dataset:
        field = _choose_variable(dataset, path, variable)
        lon_at, lon = _axis(dataset, field, LON_UNITS, LON_NAMES, "longitude")
        lat_at, lat = _axis(dataset, field, LAT_UNITS, LAT_NAMES, "latitude")
        for name, axis in ((field.dimensions[lon_at], lon), (field.dimensions[lat_at], lat)):
            if len(axis) < 2 or not (np.all(np.diff(axis) > 0) or np.all(np.diff(axis) < 0)):
                refuse(
                    path,
                    name,
                    f"{len(axis)} values",
                    "an axis of at least two values that rise or fall throughout",
                )
        yield field, (lon_at, lon), (lat_at, lat)


@dataclasses.dataclass
class Reading:
    """The request's entries for a file: the elevation variable, the elevation of the water's surface (m; or a function of longitude
    and latitude in degrees), and a number that marks missing values where the file does not say so itself.
    """

    variable: str | None = None
    level: float = 0.0
    missing: float | None = None


def read_bathymetry(path, region=None, margin=0.0, resolution=0.0, reading=None, whole=False):
    """Read what covers `region` = (west, east, south, north) in degrees plus `margin` degrees where the file has it.

    Grids finer than `resolution` (degrees of latitude) are averaged over whole blocks. `whole` keeps all longitudes.
    Elevations are above the level of the water. Raises Refusal where the region is not covered, or the file has a hole in it
    or elevations beyond those of the Earth.
    """
    reading = reading or Reading()
    with _open_field(path, reading.variable) as (field, (lon_at, lon), (lat_at, lat)):
        factor, sign = _scale_to_metres(field, path), _sign(field)
        columns, lon, periodic = _select_columns(path, lon, region, margin, whole)
        rows, lat = _select_rows(path, lat, region, margin)
        west, east, south, north = region or (lon[0], lon[-1], lat[0], lat[-1])
        check_spacing(path, field.dimensions[lon_at], lon, west, east)
        check_spacing(path, field.dimensions[lat_at], lat, south, north)
        block_y = max(1, int(resolution / abs(np.median(np.diff(lat)))))
        block_x = max(
            1, int(resolution / np.cos(np.radians(np.abs(lat).min())) / abs(np.median(np.diff(lon))))
        )
        block_y, block_x = min(block_y, len(rows) // 2), min(block_x, len(columns) // 2)
        while periodic and len(columns) % block_x:
            block_x -= 1
        reader = _reader(field, lon_at, lat_at, columns, sign * factor, reading)

        def read(rows, lat):
            values = reader(rows)
            check_elevations(path, field.name, values, lon, lat)
            level = reading.level(lon[None, :], lat[:, None]) if callable(reading.level) else reading.level
            return values - np.asarray(level, np.float32)

        return _read_blocks(read, rows, lat, lon, block_y, block_x, periodic, f"{path}:{field.name}", path)


@dataclasses.dataclass
class Grid:
    """lon (nx), lat (ny) in degrees, ascending; elevation (ny, nx) in m, positive up, NaN where missing."""

    lon: np.ndarray
    lat: np.ndarray
    elevation: np.ndarray


def read_grid(path, region, variable=None):
    """The points of a file in `region` = (west, east, south, north), degrees, and the next one beyond each of its sides.

    Raises Refusal where points of the file do not enclose the region.
    """
    west, east, south, north = region
    with _open_field(path, variable) as (field, (lon_at, lon), (lat_at, lat)):
        factor, sign = _scale_to_metres(field, path), _sign(field)
        margin = 1.5 * np.abs(np.diff(lon)).max()  # the column before the first one inside
        columns, lon, _ = _select_columns(path, lon, region, margin, False)
        rows, lat = _select_rows(path, lat, region, 0.0)
        for what, low, high, axis in (("E", west, east, lon), ("N", south, north, lat)):
            if len(axis) < 2 or axis[0] > low or axis[-1] < high:
                held = f"{axis[0]:g}…{axis[-1]:g}°{what}" if len(axis) else "nothing"
                refuse(
                    path,
                    "region",
                    f"{low:.4f}…{high:.4f}°{what}",
                    f"a region inside the data, which has {held}",
                )
        elevation = _reader(field, lon_at, lat_at, columns, sign * factor)(rows)
        check_elevations(path, field.name, elevation, lon, lat)
        return Grid(lon, lat, elevation.astype(float))


def _select_columns(path, lon, region, margin, whole):
    """Indices of the columns wanted, in ascending longitude from the west side, and their longitudes."""
    order = np.argsort(lon)
    index, lon = order, lon[order]
    step = np.median(np.diff(lon))
    inside = lon < lon[0] + 360.0 - 0.5 * step  # drop a column that repeats the first one
    index, lon = index[inside], lon[inside]
    periodic = lon[-1] - lon[0] + 1.5 * step >= 360.0
    if periodic and (whole or region is None or region[1] - region[0] + 2 * margin >= 359.0):
        return index, lon, True
    west, east = (lon[0], lon[-1]) if region is None else region[:2]
    start = west - (margin if periodic else 0.0)
    if periodic:
        turned = start + np.mod(lon - start, 360.0)
    else:
        turned = lon + 360.0 * np.round(((west + east) - (lon[0] + lon[-1])) / 720.0)
        if turned[0] > west + step or turned[-1] < east - step:
            refuse(
                path,
                "region",
                f"{west:g}…{east:g}°E",
                f"longitudes inside the data, {lon[0]:g}…{lon[-1]:g}°E",
            )
    order = np.argsort(turned)
    index, turned = index[order], turned[order]
    inside = (turned >= west - margin - step) & (turned <= east + margin + step)
    return index[inside], turned[inside], False


def _select_rows(path, lat, region, margin):
    order = np.argsort(lat)
    lat = lat[order]
    if region is None:
        return order, lat
    south, north = region[2:]
    step = np.median(np.diff(lat))
    if lat[0] > max(south, -90 + step) + step or lat[-1] < min(north, 90 - step) - step:
        refuse(
            path, "region", f"{south:g}…{north:g}°N", f"latitudes inside the data, {lat[0]:g}…{lat[-1]:g}°N"
        )
    inside = (lat >= south - margin - step) & (lat <= north + margin + step)
    return order[inside], lat[inside]


def _reader(field, lon_at, lat_at, columns, factor, reading=None):
    """A function rows → elevations (rows, columns), positive up, NaN where missing."""
    first, last = columns.min(), columns.max() + 1

    def read(rows):
        key = [0] * field.ndim
        key[lat_at], key[lon_at] = slice(rows.min(), rows.max() + 1), slice(first, last)
        values = np.ma.filled(np.ma.asarray(field[tuple(key)]).astype(np.float32), np.nan)
        if reading is not None and reading.missing is not None:
            values[values == np.float32(reading.missing)] = np.nan
        if lon_at < lat_at:
            values = values.T
        return values[np.ix_(rows - rows.min(), columns - first)] * np.float32(factor)

    return read


def _read_blocks(read, rows, lat, lon, block_y, block_x, periodic, source, path):
    ny, nx = len(rows) // block_y, len(lon) // block_x
    rows, lat, lon = rows[: ny * block_y], lat[: ny * block_y], lon[: nx * block_x]
    strip = max(1, STRIP_VALUES // (len(lon) * block_y)) * block_y
    elevation, wet, depth = [], [], []
    known = 0
    for start in range(0, len(rows), strip):
        values = read(rows[start : start + strip], lat[start : start + strip])[:, : nx * block_x]
        known += int(np.isfinite(values).sum())
        values = np.where(np.isfinite(values), values, np.float32(1.0))
        blocks = values.reshape(-1, block_y, nx, block_x)
        below = blocks < 0
        share = below.mean(axis=(1, 3), dtype=np.float32)
        elevation.append(blocks.mean(axis=(1, 3)))
        wet.append(share)
        depth.append(np.where(below, -blocks, 0).mean(axis=(1, 3)) / np.maximum(share, 1e-9))
    if not known:
        refuse(path, source.rsplit(":", 1)[-1], "missing everywhere", "elevations in the region")
    return Bathymetry(
        lon.reshape(nx, block_x).mean(axis=1),
        lat.reshape(ny, block_y).mean(axis=1),
        np.concatenate(elevation),
        np.concatenate(wet),
        np.concatenate(depth),
        periodic,
        source,
        1.0 - known / (len(rows) * len(lon)),
    )
