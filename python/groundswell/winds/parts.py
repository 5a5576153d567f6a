"""Winds of NetCDF files in parts: components, months, preliminary and final (expver), as the Climate Data Store gives them."""

import netCDF4
import numpy as np

from groundswell.errors import refuse
from groundswell.winds.sources import Field, Grid

STANDARD = ("eastward_wind", "northward_wind")
COMMON = (
    ("u10", "10u", "u10m", "u_10m", "ugrd_10maboveground", "ugrd10m", "uwnd", "uas", "wndewd", "uwind"),
    ("v10", "10v", "v10m", "v_10m", "vgrd_10maboveground", "vgrd10m", "vwnd", "vas", "wndnwd", "vwind"),
)
TIMES, ROWS, COLUMNS = (
    ("valid_time", "time", "mt"),
    ("latitude", "lat", "rlat", "y"),
    ("longitude", "lon", "rlon", "x"),
)
SPEED = {
    "m s-1": 1.0,
    "m s**-1": 1.0,
    "m/s": 1.0,
    "m s^-1": 1.0,
    "knots": 1852.0 / 3600.0,
    "kt": 1852.0 / 3600.0,
}


def fields(path, member):
    """[Field] of the variables that are winds."""
    with netCDF4.Dataset(path) as data:
        found = []
        for component in (0, 1):
            variable = find(data, component)
            if variable is not None:
                found += of_variable(str(path), variable, component, member)
        if not found:
            refuse(
                path,
                "variables",
                ", ".join(data.variables),
                "a wind at 10 m: u10 and v10, or their standard names",
            )
        return found


def groups(data):
    yield data
    for group in data.groups.values():
        yield from groups(group)


def find(data, component):
    variables = [v for group in groups(data) for v in group.variables.values() if v.ndim >= 2]
    for name in COMMON[component]:
        for variable in variables:
            if variable.name.lower() == name:
                return variable
    standard = [v for v in variables if getattr(v, "standard_name", "") == STANDARD[component]]
    return standard[0] if len(standard) == 1 else None


def near(variable, name):
    """The variable that a name means where `variable` stands."""
    group = variable.group()
    while group is not None:
        if name in group.variables:
            return group.variables[name]
        group = group.parent
    return None


def of_variable(path, variable, component, member):
    names = variable.dimensions
    lower = [name.lower() for name in names]
    axis = lambda known: next((lower.index(k) for k in known if k in lower), None)  # noqa: E731
    row, column = axis(ROWS), axis(COLUMNS)
    step, clock = axis((*TIMES, "step")), None
    for name in ("valid_time", names[step] if step is not None else "time", "time"):
        clock = clock if clock is not None else near(variable, name)
    if row is None or column is None or clock is None or clock.ndim > 1:
        refuse(path, variable.name, f"({', '.join(names)})", "a grid of latitude and longitude with times")
    unit = SPEED.get(getattr(variable, "units", "").strip())
    if unit is None:
        refuse(path, f"{variable.name}:units", getattr(variable, "units", "(none)"), "m s-1 or knots")
    index = [0] * len(names)
    versions = None
    for d, name in enumerate(lower):
        length = variable.shape[d]
        if d in (row, column, step):
            continue
        if name == "expver":
            versions = d
        elif name in ("number", "member", "ensemble", "realization") and (length > 1 or member is not None):
            numbers = near(variable, names[d])
            numbers = np.arange(length) if numbers is None else np.asarray(numbers[:])
            where = np.flatnonzero(numbers == member)
            if len(where) != 1:
                refuse(path, name, member, f"--member N, one of {', '.join(map(str, numbers))}")
            index[d] = int(where[0])
        elif length > 1:
            refuse(
                path,
                variable.name,
                f"({', '.join(names)})",
                f"one entry along {names[d]}: take one out beforehand",
            )
    times = netCDF4.num2date(
        np.ma.filled(np.ma.atleast_1d(clock[:]).astype(float), np.nan),
        clock.units,
        getattr(clock, "calendar", "standard"),
    )
    grid = grid_of(path, variable, names[row], names[column])
    found = []
    for i, time in enumerate(times):
        here = list(index)
        if step is not None:
            here[step] = i
        stamp = np.datetime64(time.isoformat()[:19], "s")
        reader = Reader(path, variable, here, row, column, versions, unit)
        found.append(Field(component, stamp, (), grid, path, reader))
    return found


def grid_of(path, variable, row, column):
    y, x = near(variable, row), near(variable, column)
    mapping = near(variable, getattr(variable, "grid_mapping", "").split(":")[0].strip())
    name = getattr(mapping, "grid_mapping_name", "latitude_longitude")
    attributes = (
        {key: mapping.getncattr(key) for key in mapping.ncattrs()} if name != "latitude_longitude" else None
    )
    if x is None or y is None:
        refuse(path, variable.name, f"({row}, {column})", "coordinate variables of these names")
    along = attributes is not None and getattr(variable, "standard_name", "") not in STANDARD
    return Grid(np.asarray(x[:], float), np.asarray(y[:], float), attributes, along)


class Reader:
    """Reads one time of a variable when it is asked for."""

    def __init__(self, path, variable, index, row, column, versions, unit):
        self.path, self.group, self.name = path, variable.group().path, variable.name
        self.index, self.row, self.column, self.versions, self.unit = index, row, column, versions, unit

    def __call__(self):
        with netCDF4.Dataset(self.path) as data:
            group = data if self.group == "/" else data[self.group]
            variable = group[self.name]
            result = None
            for version in range(variable.shape[self.versions]) if self.versions is not None else (None,):
                index = list(self.index)
                index[self.row] = index[self.column] = slice(None)
                if version is not None:
                    index[self.versions] = version
                values = np.ma.filled(variable[tuple(index)].astype(float), np.nan) * self.unit
                if self.row > self.column:
                    values = values.T
                result = values if result is None else np.where(np.isnan(result), values, result)
            return result
