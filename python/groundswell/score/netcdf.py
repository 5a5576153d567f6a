"""NetCDF of buoys and of altimeters along their tracks, by what the variables are called.

Known and tested: NDBC's NetCDF (standard meteorological and spectral), buoys with CF standard names and with the names and _QC flags of
Copernicus Marine in situ; ESA's Sea State CCI (swh…, swh_quality_level 0…3) and Copernicus Marine L3 (VAVH, edited by its makers).
"""

import pathlib

import netCDF4
import numpy as np

from groundswell.errors import refuse
from groundswell.plot import source as reading
from groundswell.score import spectra
from groundswell.score.observations import Observations
from groundswell.score.quantities import QUANTITIES, accepted, found_in

LENGTHS = {"m": 1.0, "meter": 1.0, "meters": 1.0, "metre": 1.0, "metres": 1.0, "cm": 0.01}
SECONDS = {"s": 1.0, "sec": 1.0, "second": 1.0, "seconds": 1.0}
SPEEDS = {
    "m s-1": 1.0,
    "m/s": 1.0,
    "m.s-1": 1.0,
    "meters/second": 1.0,
    "meter/second": 1.0,
    "meters per second": 1.0,
    "knots": 0.514444,
    "kt": 0.514444,
}
ANGLES = {
    "degree": 1.0,
    "degrees": 1.0,
    "degrees_true": 1.0,
    "degrees_T": 1.0,
    "degree_true": 1.0,
    "degT": 1.0,
}
UNITS = {"m": LENGTHS, "s": SECONDS, "m s-1": SPEEDS, "degree": ANGLES}
BEST = {"swh_quality_level": {3}}  # CCI: 0 undefined, 1 bad, 2 acceptable, 3 good
GOOD = {1, 2}  # of the flags _QC of Copernicus Marine in situ: good, probably good
DRIFT = 0.05  # degrees from one row to the next, below which a platform is a buoy and no satellite


def read(path):
    with reading.opened(path, (), "") as source:
        axes = {kind: _axis(source, path, kind) for kind in ("time", "latitude", "longitude")}
        time = _seconds(axes["time"], path)
        lat, lon = (_along(axes[kind], len(time), path) for kind in ("latitude", "longitude"))
        standard = {n: str(getattr(v, "standard_name", "")) for n, v in source.variables.items()}
        found = found_in(source.variables, standard)
        if "spectral_wave_density" in source.variables:
            layout, values, flagged = "NDBC spectral NetCDF", _spectral(source, path, len(time)), {}
        else:
            layout, values, flagged = "NetCDF", {}, {}
            for quantity, name in found.items():
                values[quantity], flagged[quantity] = _values(
                    source, path, QUANTITIES[quantity], name, len(time)
                )
        if not values:
            names = ", ".join(source.variables)
            refuse(path, "variables", names, f"one of {', '.join(QUANTITIES)} by name or CF standard name")
        name = _name(source, path)
    known = np.isfinite(time) & np.isfinite(lat) & np.isfinite(lon)
    along = (
        len(time) > 1
        and float(np.nanmedian(np.abs(np.diff(lat)) + np.abs(np.diff(lon)))) > 0
        and (max(np.nanmax(lat) - np.nanmin(lat), np.nanmax(lon) - np.nanmin(lon)) > 20 * DRIFT)
    )
    if layout == "NetCDF":
        layout = "NetCDF along a track" if along else "NetCDF of a buoy"
    values = {q: v[known] for q, v in values.items()}
    return Observations(
        path, layout, name, time[known], lon[known], lat[known], values, flagged, along
    ).ordered()


def _axis(source, path, kind):
    names = {
        "time": ("time", "TIME", "waveTime", "time0"),
        "latitude": ("latitude", "lat", "LATITUDE", "metaStationLatitude", "metaDeployLatitude"),
        "longitude": ("longitude", "lon", "LONGITUDE", "metaStationLongitude", "metaDeployLongitude"),
    }[kind]
    hits = [n for n in names if n in source.variables]
    hits += [n for n, v in source.variables.items() if getattr(v, "standard_name", "") == kind]
    if not hits:
        refuse(path, kind, "(missing)", f"a variable {kind}; it has {', '.join(source.variables) or 'none'}")
    return source.variables[hits[0]]


def _seconds(variable, path):
    """[n] seconds since 1970, NaN where there is no time."""
    raw = np.ma.asarray(variable[:], dtype=float).ravel()
    if not len(raw):
        refuse(path, variable.name, "(none)", "at least one measurement")
    missing = np.ma.getmaskarray(raw) | ~np.isfinite(raw.filled(np.nan))
    try:
        dates = netCDF4.num2date(
            np.where(missing, 0.0, raw.filled(0.0)), variable.units, getattr(variable, "calendar", "standard")
        )
        seconds = netCDF4.date2num(
            dates, "seconds since 1970-01-01", getattr(variable, "calendar", "standard")
        )
    except (AttributeError, ValueError) as failure:
        refuse(path, variable.name, None, f"CF units and a real-world calendar ({failure})")
    # A clock of floating-point days comes back fractions of a millisecond off.
    return np.where(missing, np.nan, np.round(np.asarray(seconds, dtype=float), 3))


def _along(variable, count, path):
    values = reading.values(variable).ravel()
    if len(values) == 1:
        return np.full(count, values[0])
    if len(values) != count:
        refuse(path, variable.name, f"{len(values)} values", f"one, or one for each of {count} times")
    return values


def _name(source, path):
    for key in ("station", "platform_code", "platform", "platform_name", "id"):
        if key in source.ncattrs() and str(getattr(source, key)).strip():
            return str(getattr(source, key)).strip()
    return pathlib.Path(path).stem


def _flat(variable, path, count):
    """[time, …] with axes of length 1 left out; of several depths or sensors the first."""
    values = reading.values(variable)
    if values.shape[:1] != (count,):
        refuse(path, variable.name, f"dimensions {variable.dimensions}", f"time ({count}) first")
    return values.reshape(count, -1)[:, 0]


def _values(source, path, quantity, name, count):
    """([n] values in the model's unit, how many the flags leave out)."""
    variable = source.variables[name]
    unit = str(getattr(variable, "units", quantity.unit)).strip()
    if unit not in UNITS[quantity.unit]:
        refuse(path, f"{name}:units", unit, f"one of {', '.join(UNITS[quantity.unit])}")
    values = accepted(quantity, _flat(variable, path, count) * UNITS[quantity.unit][unit])
    good = np.ones(count, bool)
    for flag, meant in _flags(source, name):
        good &= np.isin(_flat(source.variables[flag], path, count), list(meant))
    left_out = int((np.isfinite(values) & ~good).sum())
    return np.where(good, values, np.nan), left_out


def _flags(source, name):
    """[(variable, values that are good)] of the flags that belong to a variable."""
    stem = name.removesuffix("_adjusted").removesuffix("_denoised")
    named = [
        f"{name}_QC",
        f"{stem}_quality_level",
        f"{stem}_quality",
        "waveFlagPrimary" if name.startswith("wave") else "",
    ]
    named += str(getattr(source.variables[name], "ancillary_variables", "")).split()
    found = {}
    for flag in (n for n in named if n in source.variables):
        good = BEST.get(flag) or _meant_good(source.variables[flag])
        if good is not None:
            found[flag] = good
        elif flag.endswith("_QC"):
            found[flag] = GOOD
    return list(found.items())


def _meant_good(variable):
    """Values whose meaning has the word good (not: bad), None where the variable is no such flag."""
    if not {"flag_values", "flag_meanings"} <= set(variable.ncattrs()):
        return None
    words = str(variable.flag_meanings).split()
    values = np.atleast_1d(variable.flag_values).tolist()
    good = {
        v for v, word in zip(values, words) if "good" in word.lower().split("_") and "not" not in word.lower()
    }
    return good or None


def _spectral(source, path, count):
    names = ("spectral_wave_density", "mean_wave_dir", "wave_spectrum_r1")
    frequency = reading.values(source.variables["frequency"])
    given = [
        reading.values(source.variables[n]).reshape(count, len(frequency)) if n in source.variables else None
        for n in names
    ]
    found = spectra.parameters(frequency, *given)
    return {q: accepted(QUANTITIES[q], v) for q, v in found.items()}
