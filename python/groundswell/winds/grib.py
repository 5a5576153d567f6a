"""Winds of GRIB files, through ecCodes."""

import numpy as np

from groundswell.errors import refuse
from groundswell.winds.projection import place
from groundswell.winds.sources import Field, Grid

NAMES = {"10u": 0, "10v": 1}
# (discipline, category, number) of GRIB 2, at 10 m above ground, where a centre's tables lack the short name.
# Axes of the Earth by number of its shape: IAU 1965, GRS 80, WGS 84.
OBLATE = {2: (6378160.0, 6356775.0), 4: (6378137.0, 6356752.314140), 5: (6378137.0, 6356752.314245)}
NUMBERS = {(0, 2, 2): 0, (0, 2, 3): 1}


def eccodes_or_refused():
    try:
        import eccodes
    except (ImportError, RuntimeError) as failure:
        refuse("ecCodes", None, None, f"the Python package: pip install eccodes ({failure})")
    return eccodes


def fields(path, member):
    """[Field] of the messages that hold a wind at 10 m."""
    codes = eccodes_or_refused()
    found, seen, members = [], set(), set()
    with open(path, "rb") as file:
        while (message := codes.codes_grib_new_from_file(file)) is not None:
            try:
                component = component_of(codes, message)
                seen.add(get(codes, message, "shortName", "?"))
                if component is None:
                    continue
                number = get(codes, message, "number", None)
                members.add(number)
                if member is not None and number != member:
                    continue
                offset = int(codes.codes_get(message, "offset"))
                found.append(field(codes, message, path, component, offset))
            finally:
                codes.codes_release(message)
    if member is not None and not found and members:
        refuse(path, "--member", member, f"one of {', '.join(str(m) for m in sorted(members, key=str))}")
    if not found:
        refuse(path, "messages", ", ".join(sorted(seen)) or "none", "a wind at 10 m: 10u and 10v")
    if member is None and len(members) > 1:
        refuse(
            path, "members", ", ".join(str(m) for m in sorted(members, key=str)), "--member N, one of them"
        )
    return found


def get(codes, message, key, otherwise):
    try:
        return codes.codes_get(message, key)
    except codes.KeyValueNotFoundError:
        return otherwise


def component_of(codes, message):
    name = get(codes, message, "shortName", "")
    if name in NAMES:
        return NAMES[name]
    key = tuple(
        get(codes, message, each, -1) for each in ("discipline", "parameterCategory", "parameterNumber")
    )
    at_ten = (
        get(codes, message, "typeOfLevel", "") == "heightAboveGround"
        and get(codes, message, "level", 0) == 10
    )
    return NUMBERS.get(key) if at_ten else None


def field(codes, message, path, component, offset):
    date, clock = codes.codes_get(message, "validityDate"), codes.codes_get(message, "validityTime")
    text = f"{date:08d}"
    time = np.datetime64(f"{text[:4]}-{text[4:6]}-{text[6:]}T{clock // 100:02d}:{clock % 100:02d}", "s")
    # Of two forecasts for one time the newer one holds.
    order = (codes.codes_get(message, "dataDate"), codes.codes_get(message, "dataTime"))
    grid = grid_of(codes, message, path)
    return Field(component, time, order, grid, str(path), lambda: values_at(codes, path, offset))


def values_at(codes, path, offset):
    with open(path, "rb") as file:
        file.seek(offset)
        message = codes.codes_grib_new_from_file(file)
        try:
            return values_of(codes, message)
        finally:
            codes.codes_release(message)


def values_of(codes, message):
    codes.codes_set(message, "missingValue", 1e35)
    rows, columns = shape_of(codes, message)
    values = codes.codes_get_values(message)
    by_columns = get(codes, message, "jPointsAreConsecutive", 0)
    values = values.reshape(columns, rows).T if by_columns else values.reshape(rows, columns)
    if get(codes, message, "alternativeRowScanning", 0):
        values[1::2] = values[1::2, ::-1]
    if get(codes, message, "iScansNegatively", 0):
        values = values[:, ::-1]
    return np.where(values > 1e34, np.nan, values)


def shape_of(codes, message):
    for keys in (("Nj", "Ni"), ("Ny", "Nx")):
        sizes = [get(codes, message, key, None) for key in keys]
        if None not in sizes and max(sizes) < 2**31 - 1:
            return sizes
    return None


def grid_of(codes, message, path):
    kind = codes.codes_get(message, "gridType")
    shape = shape_of(codes, message)
    flags = get(codes, message, "resolutionAndComponentFlags", 0)
    along = bool(get(codes, message, "uvRelativeToGrid", flags & 8))
    if kind in ("regular_ll", "regular_gg") and shape:
        x = degrees_between(codes, message, "longitude", shape[1])
        y = latitudes(codes, message, kind, shape[0])
        return Grid(x, y, None, False)
    if kind == "rotated_ll" and shape:
        x = degrees_between(codes, message, "longitude", shape[1])
        y = latitudes(codes, message, "regular_ll", shape[0])
        south = [
            codes.codes_get(message, f"{name}OfSouthernPoleInDegrees") for name in ("latitude", "longitude")
        ]
        mapping = {
            "grid_mapping_name": "rotated_latitude_longitude",
            "grid_north_pole_latitude": -float(south[0]),
            "grid_north_pole_longitude": float((south[1] + 360.0) % 360.0 - 180.0),
            "north_pole_grid_longitude": float(get(codes, message, "angleOfRotationInDegrees", 0.0)),
        }
        return Grid(x, y, mapping, along)
    if kind in ("lambert", "polar_stereographic", "mercator") and shape:
        return projected(codes, message, kind, shape, along)
    refuse(
        path,
        "gridType",
        kind,
        "a grid with rows and columns; `cdo -R copy` (reduced) or `cdo remapbil,GRID` (others) makes one beforehand",
    )


def degrees_between(codes, message, axis, count):
    first = codes.codes_get(message, f"{axis}OfFirstGridPointInDegrees")
    last = codes.codes_get(message, f"{axis}OfLastGridPointInDegrees")
    if get(codes, message, "iScansNegatively", 0):
        first, last = last, first
    if last < first:
        first -= 360.0
    return np.linspace(first, last, count)


def latitudes(codes, message, kind, count):
    first = codes.codes_get(message, "latitudeOfFirstGridPointInDegrees")
    last = codes.codes_get(message, "latitudeOfLastGridPointInDegrees")
    if kind == "regular_ll":
        return np.linspace(first, last, count)
    values = np.sort(codes.codes_get_array(message, "distinctLatitudes"))
    return values if first < last else values[::-1]


def projected(codes, message, kind, shape, along):
    value = lambda key, otherwise=None: get(codes, message, key, otherwise)  # noqa: E731
    mapping = figure(value)
    if kind == "lambert":
        parallels = [value("Latin1InDegrees"), value("Latin2InDegrees")]
        mapping |= {
            "grid_mapping_name": "lambert_conformal_conic",
            "standard_parallel": parallels,
            "longitude_of_central_meridian": value("LoVInDegrees"),
            "latitude_of_projection_origin": value("LaDInDegrees", parallels[0]),
        }
    elif kind == "polar_stereographic":
        south = bool(value("projectionCentreFlag", 0) & 128)
        mapping |= {
            "grid_mapping_name": "polar_stereographic",
            "straight_vertical_longitude_from_pole": value("orientationOfTheGridInDegrees"),
            "latitude_of_projection_origin": -90.0 if south else 90.0,
            "standard_parallel": value("LaDInDegrees", -60.0 if south else 60.0),
        }
    else:
        mapping |= {
            "grid_mapping_name": "mercator",
            "standard_parallel": value("LaDInDegrees", 0.0),
            "longitude_of_projection_origin": value("longitudeOfFirstGridPointInDegrees"),
        }
    step = [value("DxInMetres", value("DiInMetres")), value("DyInMetres", value("DjInMetres"))]
    mapping = {key: plain(each) for key, each in mapping.items()}
    corner = place(
        mapping, value("longitudeOfFirstGridPointInDegrees"), value("latitudeOfFirstGridPointInDegrees")
    )
    x = corner[0] + step[0] * np.arange(shape[1])
    if value("iScansNegatively", 0):
        x = (corner[0] - step[0] * np.arange(shape[1]))[::-1]
    y = corner[1] + (step[1] if value("jScansPositively", 0) else -step[1]) * np.arange(shape[0])
    return Grid(x, y, mapping, along)


def plain(value):
    if isinstance(value, str):
        return value
    return [float(v) for v in value] if isinstance(value, list) else float(value)


def figure(value):
    """The Earth of a message as CF states it."""
    if value("earthIsOblate", 0):
        usual = OBLATE.get(value("shapeOfTheEarth", 5), OBLATE[5])
        major, minor = value("earthMajorAxisInMetres", usual[0]), value("earthMinorAxisInMetres", usual[1])
        return {"semi_major_axis": major, "semi_minor_axis": minor}
    return {"earth_radius": value("radiusInMetres", value("radius", 6371229.0))}
