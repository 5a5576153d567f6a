"""Spectra in NetCDF: WAVEWATCH III, SWAN, wavespectra, ERA5, and runs of this program."""

import re

import netCDF4
import numpy as np

from groundswell.errors import refuse
from groundswell.spectra.layout import make_spectra

NAMES = {
    "density": ("efth", "density", "specden", "d2fd"),
    "time": ("time",),
    "longitude": ("longitude", "lon"),
    "latitude": ("latitude", "lat"),
    "frequency": ("frequency", "freq", "f"),
    "direction": ("direction", "dir", "theta"),
}
# ECMWF's wave model: 30 frequencies and 24 directions, which its NetCDF files of spectra count (ERA5, data documentation, 2D wave
# spectra): 0.03453 · 1.1ⁿ⁻¹ Hz, 7.5° + 15° (n − 1), going to; the density is a decimal logarithm, of nothing where it is missing.
ERA5_FIRST, ERA5_RATIO = 0.03453, 1.1


def _find(data, what, path):
    for name in NAMES[what]:
        if name in data.variables:
            return data[name]
    refuse(path, what, "(missing)", f"a variable named {' or '.join(NAMES[what])}")


def _values(variable):
    return np.ma.filled(np.ma.asarray(variable[:], float), np.nan)


def _times(variable):
    dates = netCDF4.num2date(
        variable[:],
        variable.units,
        getattr(variable, "calendar", "standard"),
        only_use_cftime_datetimes=False,
        only_use_python_datetimes=True,
    )
    return np.array([np.datetime64(date.replace(tzinfo=None), "ms") for date in np.ravel(dates)])


def _bearing(path, variable, convention):
    """Degrees, going to, clockwise from north."""
    values, unit = _values(variable), getattr(variable, "units", "")
    if "rad" in unit or (not unit and np.nanmax(values) < 7):
        values = np.degrees(values)
    words = f"{getattr(variable, 'standard_name', '')} {getattr(variable, 'long_name', '')}"
    if convention is None and re.search("to.direction", words):
        convention = "to"
    elif convention is None and re.search("from.direction", words):
        convention = "from"
    elif convention is None and variable.name == "dir":
        convention = "from"  # of wavespectra, which says so in its documentation and not in its files
    if convention is None:
        refuse(
            path,
            f"{variable.name}: standard_name",
            words.strip() or "(none)",
            "sea_surface_wave_from_direction or sea_surface_wave_to_direction, or --convention from or to",
        )
    return values if convention == "to" else values + 180.0


def _factor(path, variable, density):
    unit = getattr(variable, "units", "")
    if density is None:
        density = "per-degree" if "deg" in unit else "per-radian" if "rad" in unit else None
    if density is None or "J" in unit:
        refuse(
            path,
            f"{variable.name}: units",
            unit or "(none)",
            "m2 s rad-1 or m2 s degree-1, or --density per-radian or per-degree",
        )
    return np.degrees(1.0) if density == "per-degree" else 1.0


def read_netcdf(path, convention=None, density=None):
    with netCDF4.Dataset(path) as data:
        variable = _find(data, "density", path)
        if variable.name == "d2fd":
            return _era5(path, data, variable)
        axes = {what: _find(data, what, path) for what in NAMES if what != "density"}
        values = _values(variable) * _factor(path, variable, density)
        along = [axes[what].dimensions[0] for what in ("time", "frequency", "direction")]
        missing = [name for name in along if name not in variable.dimensions]
        if missing:
            refuse(
                path,
                f"{variable.name}: dimensions",
                ", ".join(variable.dimensions),
                f"{missing[0]} among them",
            )
        others = [name for name in variable.dimensions if name not in along]
        order = [variable.dimensions.index(name) for name in (along[0], *others, *along[1:])]
        values = values.transpose(order)
        lon, lat = _values(axes["longitude"]), _values(axes["latitude"])
        if len(others) == 2:  # a grid with axes
            grids = {axes[what].dimensions[0]: _values(axes[what]) for what in ("longitude", "latitude")}
            if set(grids) != set(others):
                refuse(path, f"{variable.name}: dimensions", ", ".join(others), "longitude and latitude")
            first, second = np.meshgrid(*(grids[name] for name in others), indexing="ij")
            is_lon = others[0] == axes["longitude"].dimensions[0]
            lon, lat = (first, second) if is_lon else (second, first)
        times = _times(axes["time"])
        shape = (len(times), -1, *values.shape[-2:])
        stations = values.reshape(shape).shape[1]
        return make_spectra(
            path,
            times,
            np.ravel(lon)[:stations],
            np.ravel(lat)[:stations],
            _values(axes["frequency"]),
            _bearing(path, axes["direction"], convention),
            values.reshape(shape),
        )


def _era5(path, data, variable):
    order = [
        variable.dimensions.index(n) for n in ("time", "latitude", "longitude", "frequency", "direction")
    ]
    stored = _values(variable).transpose(order)
    times = _times(_find(data, "time", path))
    lat, lon = np.meshgrid(
        _values(_find(data, "latitude", path)), _values(_find(data, "longitude", path)), indexing="ij"
    )
    numbers = {name: _values(_find(data, name, path)) for name in ("frequency", "direction")}
    for name, values in numbers.items():
        if not np.array_equal(values, np.arange(1, len(values) + 1)):
            refuse(path, name, values[0], "1, 2, … as ECMWF counts them")
    # On land all is missing: there is no station.
    density = np.where(np.isnan(stored), 0.0, 10.0**stored).reshape(len(times), -1, *stored.shape[-2:])
    dry = np.isnan(stored).reshape(density.shape).all(axis=(2, 3))
    density[dry] = np.nan
    return make_spectra(
        path,
        times,
        lon.ravel(),
        lat.ravel(),
        ERA5_FIRST * ERA5_RATIO ** (numbers["frequency"] - 1),
        (numbers["direction"] - 0.5) * 360.0 / len(numbers["direction"]),
        density,
    )
