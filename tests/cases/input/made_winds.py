"""Wind files made by chance: packing, axes, calendars and grids, each with what it says by netCDF4-python, cftime and PROJ."""

import dataclasses
import datetime

import cftime
import netCDF4
import numpy as np
import pyproj

FORMATS = ["NETCDF3_CLASSIC", "NETCDF3_64BIT_OFFSET", "NETCDF3_64BIT_DATA", "NETCDF4", "NETCDF4_CLASSIC"]
SIGNED = ["i1", "i2", "i4"]
WIDE = ["u1", "u2", "u4"]  # types of CDF-5 and netCDF-4 alone
UNITS = {
    "days": 86400,
    "day": 86400,
    "d": 86400,
    "hours": 3600,
    "hour": 3600,
    "hr": 3600,
    "h": 3600,
    "minutes": 60,
    "min": 60,
    "seconds": 1,
    "sec": 1,
    "s": 1,
}
CONES = {
    "lambert_conformal_conic": lambda r: {
        "standard_parallel": float(r.choice([25.0, 33.0, 60.0])) if r.random() < 0.5 else [20.0, 50.0],
        "longitude_of_central_meridian": float(r.integers(-180, 180)),
        "latitude_of_projection_origin": float(r.integers(20, 60)),
    },
    "polar_stereographic": lambda r: {
        "straight_vertical_longitude_from_pole": float(r.integers(-180, 180)),
        "latitude_of_projection_origin": 90.0,
        "standard_parallel": float(r.integers(50, 90)),
    },
    "mercator": lambda r: {
        "longitude_of_projection_origin": float(r.integers(-180, 180)),
        "standard_parallel": 20.0,
    },
}


@dataclasses.dataclass
class Made:
    """A file, what to ask of it, and what must come back: winds (time, place, component), or `missing`: a refusal."""

    words: str  # how it was made, for messages
    times: list
    places: list  # (lon, lat), degrees
    keys: str
    winds: np.ndarray
    missing: bool  # a value that is needed is masked
    range: float  # of the file's values


def packed(r, netcdf):
    """(dtype, attributes, stored (any shape) -> array) of a component."""
    kind = r.choice(["float", "signed", "unsigned", "marked"])
    wide = netcdf in ("NETCDF3_64BIT_DATA", "NETCDF4")
    if kind == "float" or (kind == "unsigned" and not wide):
        dtype = str(r.choice(["f4", "f8"]))
        attributes, low, high = {}, -30.0, 30.0
        if r.random() < 0.3:
            attributes["scale_factor"], attributes["add_offset"] = 0.5, float(r.normal())
        draw = lambda shape: r.uniform(low, high, shape).astype(dtype)  # noqa: E731
    else:
        dtype = str(r.choice(WIDE if kind == "unsigned" else SIGNED))
        bits = 8 * int(dtype[1])
        highest = 2**bits - 1 if kind != "signed" else 2 ** (bits - 1) - 1
        lowest = 0 if kind != "signed" else -highest - 1
        middle, half = (lowest + highest) // 2, (highest - lowest) // 2 - 10
        scale = 60.0 / (highest - lowest)
        attributes = {"scale_factor": scale if r.random() < 0.5 else np.float32(scale)}
        attributes["add_offset"] = -float(middle) * float(attributes["scale_factor"]) + float(r.normal())
        if kind == "marked":
            attributes["_Unsigned"] = str(r.choice(["true", "True"]))
        store = np.dtype(dtype)

        def draw(shape):
            values = r.integers(middle - half, middle + half, shape, dtype=np.int64)
            return (
                values.astype(store.str.replace("i", "u")).view(store)
                if kind == "marked"
                else values.astype(store)
            )

    return dtype, attributes, draw


def mask_attributes(r, dtype, attributes, stored):
    """Marks of missing values, some of which are there; attributes of the variable's type, as the conventions ask."""
    of_type = np.dtype(dtype).type
    fill = None
    if r.random() < 0.5:
        fill = stored.flat[r.integers(stored.size)] if r.random() < 0.5 else of_type(101)
    if r.random() < 0.3:
        marks = [stored.flat[r.integers(stored.size)] for _ in range(r.integers(1, 3))]
        attributes["missing_value"] = np.array(marks, dtype) if len(marks) > 1 else of_type(marks[0])
    ordered = np.sort(
        stored.view(np.dtype(dtype).str.replace("i", "u")) if "_Unsigned" in attributes else stored, None
    )
    low, high = ordered[int(0.02 * ordered.size)], ordered[int(0.98 * ordered.size)]
    # An attribute of a signed type that means unsigned numbers.
    as_type = lambda value: np.array([value]).view(dtype)[0] if "_Unsigned" in attributes else of_type(value)  # noqa: E731
    how = r.random()
    if how < 0.15:
        attributes["valid_range"] = np.array([as_type(low), as_type(high)], dtype)
    elif how < 0.3:
        attributes["valid_min"] = as_type(low)
        if r.random() < 0.5:
            attributes["valid_max"] = as_type(high)
    if r.random() < 0.1 and "_Unsigned" not in attributes:  # there netCDF4-python compares different signs
        default = netCDF4.default_fillvals[dtype]
        stored.flat[r.integers(stored.size)] = default
    return fill


def put_axis(r, data, name, values, integer_steps=None):
    """A coordinate variable, packed by chance; returns what it means by netCDF4-python."""
    if integer_steps is not None and r.random() < 0.3:
        first, step = integer_steps
        variable = data.createVariable(name, "i2", (name,))
        variable.scale_factor, variable.add_offset = float(step), float(first)
        variable.set_auto_maskandscale(False)
        variable[:] = np.arange(len(values))
        variable.set_auto_maskandscale(True)
    else:
        variable = data.createVariable(name, str(r.choice(["f4", "f8"])), (name,))
        variable[:] = values
    return variable


def put_time(r, data, name, count):
    """The time axis; returns its times as ISO words on whole seconds and the step."""
    unit = str(r.choice(list(UNITS)))
    year = int(r.choice([1, 1582, 1583, 1900, 1970, 2000, 2024]) if r.random() < 0.8 else r.integers(1, 2100))
    month, day = int(r.integers(1, 13)), int(r.integers(1, 28))
    if (year, month) == (1582, 10) and 4 < day < 15:
        day = 1
    # Not "-5:30": cftime passes over an offset of one digit, which CF has in its own example.
    clock = str(
        r.choice(["", " 00:00:00", " 12:00", "T06:30:00Z", " 00:00:0.0", " 6:0:0 +02:00", " 03:00:00 -05:30"])
    )
    calendar = r.choice(["standard", "gregorian", "proleptic_gregorian", "Standard", ""])
    step = int(r.choice([3600, 10800, 21600]))
    start = datetime.datetime(2024, 1, 1) + datetime.timedelta(
        seconds=int(r.integers(0, 10**7)) // step * step
    )
    reference = f"{unit} since {year:04d}-{month}-{day}{clock}"
    variable = data.createVariable(name, "f8", (name,))
    variable.units = reference
    if calendar:
        variable.calendar = calendar
    wanted = [start + datetime.timedelta(seconds=i * step) for i in range(count)]
    numbers = cftime.date2num(wanted, reference, (calendar or "standard").lower())
    if r.random() < 0.3:
        variable.scale_factor = 0.25
        variable.set_auto_maskandscale(False)
        variable[:] = np.asarray(numbers, float) * 4
        variable.set_auto_maskandscale(True)
    else:
        variable[:] = numbers
    meant = cftime.num2date(
        variable[:], reference, (calendar or "standard").lower(), only_use_cftime_datetimes=True
    )
    rounded = [
        datetime.datetime(t.year, t.month, t.day, t.hour, t.minute, t.second)
        + datetime.timedelta(seconds=round(t.microsecond / 1e6))
        for t in meant
    ]
    return [f"{t:%Y-%m-%dT%H:%M:%SZ}" for t in rounded], reference


def make_plain(r, path):
    """A grid of longitudes and latitudes; asked at its points and times, which need no interpolation."""
    netcdf = str(r.choice(FORMATS))
    names = [("time", "latitude", "longitude"), ("time", "lat", "lon"), ("valid_time", "lat", "lon")][
        r.integers(3)
    ]
    with netCDF4.Dataset(path, "w", format=netcdf) as data:
        count = int(r.integers(3, 6))
        extra = [("height", 1)] if r.random() < 0.2 else []
        member = r.random() < 0.1
        dimensions = [*([("number", 3)] if member else []), (names[0], count), *extra]
        for name, length in dimensions:
            data.createDimension(name, length)
        ny_nx = []
        data_dimensions = [name for name, _ in dimensions]
        step = float(r.choice([0.25, 0.5, 1.0]))
        for name in names[1:]:
            ny_nx.append(int(r.integers(4, 9)))
            data.createDimension(name, ny_nx[-1])
        west, south = float(r.integers(-180, 360)), float(r.integers(-85, 70))
        y, x = south + step * np.arange(ny_nx[0]), west + step * np.arange(ny_nx[1])
        falls = r.random() < 0.5
        lat = put_axis(r, data, names[1], y[::-1] if falls else y, (y[-1], -step) if falls else (south, step))
        lon = put_axis(r, data, names[2], x, (west, step))
        lat.units = str(r.choice(["degrees_north", "degree_north", "degrees_N"]))
        lon.units = str(r.choice(["degrees_east", "degree_east", "degrees_E"]))
        times, reference = put_time(r, data, names[0], count)
        if extra:
            height = data.createVariable("height", "f8", ("height",))
            height.units = "m"
            height[:] = 10.0
        keys = ""
        chosen = 0
        if member:
            data.createVariable("number", "i4", ("number",))[:] = [4, 7, 9]
            chosen = int(r.integers(3))
            keys = f"member={[4, 7, 9][chosen]}"
        found, words = [], []
        for name in ("u10", "v10"):
            dtype, attributes, draw = packed(r, netcdf)
            dimensions_here = (*data_dimensions, *names[1:])
            shape = tuple(len(data.dimensions[d]) for d in dimensions_here)
            stored = draw(shape)
            fill = mask_attributes(r, dtype, attributes, stored) if r.random() < 0.7 else None
            if fill is None and dtype == "i1" and "_Unsigned" in attributes:
                fill = stored.flat[0]  # without one netCDF4-python ends with an error
            variable = data.createVariable(name, dtype, dimensions_here, fill_value=fill)
            variable.units = "m s-1"
            variable.setncatts(attributes)
            variable.set_auto_maskandscale(False)
            variable[:] = stored
            variable.set_auto_maskandscale(True)
            values = np.ma.asarray(variable[:])
            if member:
                values = values[chosen]
            if extra:
                values = values[:, 0]
            found.append(np.ma.masked_invalid(values.astype(float)))
            words.append(f"{dtype} {attributes} fill {fill}")
        lon_values, lat_values = np.asarray(lon[:], float), np.asarray(lat[:], float)
    points = [(int(r.integers(ny_nx[0])), int(r.integers(ny_nx[1]))) for _ in range(4)]
    winds = np.ma.stack([np.ma.stack([part[:, j, i] for j, i in points], axis=1) for part in found], axis=2)
    places = [(lon_values[i], lat_values[j]) for j, i in points]
    spread = max(float(np.ptp(part.compressed())) if part.count() else 1.0 for part in found)
    missing = bool(np.ma.getmaskarray(winds).any())
    beyond = bool((np.abs(winds.filled(0.0)) > 98.0).any())
    return Made(
        f"{netcdf} {names} {reference} {words}",
        times,
        places,
        keys,
        winds.filled(np.nan),
        missing or beyond,
        max(spread, 1e-3),
    )


def make_mapped(r, path):
    """A linear wind on a rotated or projected grid, along its axes or towards true east and north; asked anywhere inside."""
    kind = str(r.choice(["rotated_latitude_longitude", *CONES]))
    if kind == "rotated_latitude_longitude":
        attributes = {
            "grid_north_pole_latitude": float(r.integers(-89, 90)),
            "grid_north_pole_longitude": float(r.integers(-180, 180)),
            "north_pole_grid_longitude": float(r.choice([0.0, 35.0])),
        }
        centre, step, unit = (float(r.integers(-150, 150)), float(r.integers(-60, 60))), 0.5, "degrees"
        names, standard = ("rlat", "rlon"), ("grid_latitude", "grid_longitude")
    else:
        attributes = CONES[kind](r)
        figure = r.integers(3)
        attributes |= [
            {"earth_radius": 6371229.0},
            {"semi_major_axis": 6378137.0, "inverse_flattening": 298.257223563},
            {"semi_major_axis": 6378137.0, "semi_minor_axis": 6356752.314},
        ][figure]
        attributes["false_easting"], attributes["false_northing"] = float(r.choice([0.0, 1e6])), 0.0
        centre = (float(r.integers(-1500, 1500)) * 1e3, float(r.integers(500, 2500)) * 1e3)
        step, unit = 25e3, "m"
        names, standard = ("y", "x"), ("projection_y_coordinate", "projection_x_coordinate")
    along = bool(r.random() < 0.6)
    nx, ny = 9, 8
    x, y = centre[0] + step * np.arange(nx), centre[1] + step * np.arange(ny)
    slopes = r.normal(size=(2, 3))

    def part(c, px, py):
        return 5.0 * slopes[c, 0] + slopes[c, 1] * (px - x[0]) / step + slopes[c, 2] * (py - y[0]) / step

    with netCDF4.Dataset(path, "w", format=str(r.choice(FORMATS))) as data:
        data.createDimension("time", 2)
        time = data.createVariable("time", "f8", ("time",))
        time.units = "hours since 2024-01-01"
        time[:] = [0, 3]
        for name, kind_of_axis, values in zip(names, standard, (y, x)):
            data.createDimension(name, len(values))
            axis = data.createVariable(name, "f8", (name,))
            axis.units, axis.standard_name = unit, kind_of_axis
            axis[:] = values
        mapping = data.createVariable("crs", "i4")
        mapping.setncatts({"grid_mapping_name": kind, **attributes})
        px, py = np.meshgrid(x, y)
        for c, (name, true, grid) in enumerate(
            (("ua", "eastward_wind", "x_wind"), ("va", "northward_wind", "y_wind"))
        ):
            variable = data.createVariable(name, "f4", ("time", *names))
            variable.units, variable.grid_mapping = "m s-1", "crs"
            variable.standard_name = grid if along else true
            variable[:] = np.broadcast_to(part(c, px, py), (2, ny, nx))
    inside = [(float(r.uniform(x[0], x[-1])), float(r.uniform(y[0], y[-1]))) for _ in range(4)]
    to_lonlat, turn = projection(kind, attributes)
    places, winds = [], np.zeros((2, 4, 2))
    for i, (gx, gy) in enumerate(inside):
        lon, lat = to_lonlat(gx, gy)
        places.append((lon, lat))
        wind = np.array([part(0, gx, gy), part(1, gx, gy)])
        winds[:, i] = turn(gx, gy) @ wind if along else wind
    spread = float(np.abs(winds).max()) + 1.0
    return Made(
        f"{kind} {attributes} along={along}",
        ["2024-01-01T00:00:00Z", "2024-01-01T03:00:00Z"],
        places,
        "",
        winds,
        False,
        spread,
    )


def projection(kind, attributes):
    """(x, y) → (lon, lat), and the matrix that turns a vector along the axes towards true east and north, by azimuths."""
    if kind == "rotated_latitude_longitude":
        crs = pyproj.CRS.from_proj4(
            f"+proj=ob_tran +o_proj=longlat +o_lon_p={attributes['north_pole_grid_longitude']} "
            f"+o_lat_p={attributes['grid_north_pole_latitude']} +lon_0={180 + attributes['grid_north_pole_longitude']} "
            "+R=6371229 +to_meter=0.0174532925199433"
        )
        plain = pyproj.CRS.from_proj4("+proj=longlat +R=6371229")
    else:
        # pyproj takes the origin's latitude for a parallel that stands alone.
        parallel = attributes.get("standard_parallel")
        if kind == "lambert_conformal_conic" and not isinstance(parallel, list):
            attributes = {**attributes, "standard_parallel": [parallel, parallel]}
        crs = pyproj.CRS.from_cf({"grid_mapping_name": kind, **attributes})
        plain = crs.geodetic_crs
    change = pyproj.Transformer.from_crs(crs, plain, always_xy=True)
    geod = plain.get_geod()
    to_lonlat = lambda x, y: change.transform(x, y)  # noqa: E731

    def turn(x, y):
        small = 1e-4 if kind == "rotated_latitude_longitude" else 10.0
        stretch = np.cos(np.radians(y)) if kind == "rotated_latitude_longitude" else 1.0
        here = to_lonlat(x, y)
        columns = []
        for dx, dy in ((small / stretch, 0.0), (0.0, small)):
            ahead = geod.inv(*here, *to_lonlat(x + dx, y + dy))[0]
            behind = geod.inv(*here, *to_lonlat(x - dx, y - dy))[0] + 180.0
            # The axis bends: its direction is midway between those of its two sides.
            azimuth = np.radians(ahead + 0.5 * (np.mod(behind - ahead + 180.0, 360.0) - 180.0))
            columns.append([np.sin(azimuth), np.cos(azimuth)])
        return np.array(columns).T

    return to_lonlat, turn


def make(r, path):
    return make_mapped(r, path) if r.random() < 0.15 else make_plain(r, path)
