"""Directional spectra as the model reads and writes them: E(time, station, frequency, direction)."""

import dataclasses

import netCDF4
import numpy as np

from groundswell import __version__, provenance
from groundswell.errors import refuse
from groundswell.whole_files import written_beside

EPOCH = np.datetime64("1970-01-01T00:00:00", "ms")


@dataclasses.dataclass
class Spectra:
    """Spectra of one file. `bearing`: degrees, going to, clockwise from north, ascending; density in m² Hz⁻¹ rad⁻¹."""

    source: str
    times: np.ndarray  # [time] datetime64[ms]
    lon: np.ndarray  # [station] degrees
    lat: np.ndarray
    frequency: np.ndarray  # Hz
    bearing: np.ndarray
    density: np.ndarray  # [time, station, frequency, direction]


def make_spectra(source, times, lon, lat, frequency, bearing, density):
    """Spectra with directions in order and numbers that have been looked at."""
    bearing = np.mod(np.asarray(bearing, float), 360.0)
    order = np.argsort(bearing)
    bearing, density = bearing[order], np.asarray(density, float)[..., order]
    steps = np.diff(bearing, append=bearing[0] + 360.0)
    if len(bearing) < 4 or np.abs(steps - 360.0 / len(bearing)).max() > 0.02 * 360.0 / len(bearing):
        refuse(source, "directions", _few(bearing), "four or more all round the circle at equal steps")
    frequency = np.asarray(frequency, float)
    if len(frequency) < 2 or frequency[0] <= 0 or (np.diff(frequency) <= 0).any() or frequency[-1] > 10:
        refuse(source, "frequencies", _few(frequency), "two or more in Hz that ascend")
    lon, lat = np.asarray(lon, float), np.asarray(lat, float)
    if (np.abs(lat) > 90).any() or (np.abs(lon) > 360).any():
        refuse(source, "stations", _few(np.stack([lon, lat], 1)[0]), "places in degrees")
    if (density < 0).any():
        at = np.argwhere(density < 0)[0]
        refuse(source, f"density{tuple(int(i) + 1 for i in at)}", density[tuple(at)], "0 or more")
    return Spectra(source, np.asarray(times, "datetime64[ms]"), lon, lat, frequency, bearing, density)


def _few(values):
    return ", ".join(f"{one:g}" for one in np.ravel(values)[:6]) + (" …" if np.size(values) > 6 else "")


def joined(parts):
    """Files of the same stations and bins, one after the other in time; of two with the same time the later file holds."""
    first = parts[0]
    for part in parts[1:]:
        for name in ("lon", "lat", "frequency", "bearing"):
            mine, other = getattr(part, name), getattr(first, name)
            if mine.shape != other.shape or not np.allclose(mine, other, atol=1e-4):
                refuse(part.source, name, _few(mine), f"that of {first.source}: {_few(other)}")
    held = {time: (part, i) for part in parts for i, time in enumerate(part.times)}
    times = sorted(held)
    density = np.stack([held[time][0].density[held[time][1]] for time in times])
    return dataclasses.replace(first, times=np.array(times), density=density)


def without_gaps(spectra):
    """The stations that have a spectrum at every time, and how many do not."""
    whole = ~np.isnan(spectra.density).any(axis=(0, 2, 3))
    if not whole.any():
        refuse(spectra.source, "density", "missing", "a station that has a spectrum at every time")
    kept = dataclasses.replace(
        spectra, lon=spectra.lon[whole], lat=spectra.lat[whole], density=spectra.density[:, whole]
    )
    return kept, int((~whole).sum())


def parameters(spectra):
    """(hs, tp, dir) of each spectrum: 4 √m0 of the trapezoidal rule, without a tail; of the highest E(f); mean, coming from."""
    width = np.gradient(spectra.frequency)
    width[[0, -1]] = np.diff(spectra.frequency)[[0, -1]] / 2
    over_frequency = spectra.density.sum(axis=-1) * 2 * np.pi / len(spectra.bearing)
    to = np.radians(spectra.bearing)
    east, north = (
        ((spectra.density * wave(to)).sum(axis=-1) * width).sum(axis=-1) for wave in (np.sin, np.cos)
    )
    hs = 4 * np.sqrt((over_frequency * width).sum(axis=-1))
    tp = 1 / spectra.frequency[over_frequency.argmax(axis=-1)]
    return hs, tp, (np.degrees(np.arctan2(east, north)) + 180.0) % 360.0


def write_spectra(path, spectra):
    """The layout of a run's own points, which [[boundary]] reads."""
    with written_beside(path) as partial, netCDF4.Dataset(partial, "w") as data:
        data.Conventions = "CF-1.11"
        data.title = "Directional wave spectra"
        data.featureType = "timeSeries"
        data.source = spectra.source
        data.history = f"groundswell {__version__} import spectra"
        data.groundswell_build = provenance.build_text()
        sizes = {
            "station": len(spectra.lon),
            "frequency": len(spectra.frequency),
            "direction": len(spectra.bearing),
        }
        data.createDimension("time", None)
        for name, size in sizes.items():
            data.createDimension(name, size)
        tables = (
            ("time", ("time",), (spectra.times - EPOCH) / np.timedelta64(1, "s"), "time"),
            ("longitude", ("station",), spectra.lon, "longitude"),
            ("latitude", ("station",), spectra.lat, "latitude"),
            ("frequency", ("frequency",), spectra.frequency, "wave_frequency"),
            ("direction", ("direction",), spectra.bearing, "sea_surface_wave_to_direction"),
        )
        units = ("seconds since 1970-01-01", "degrees_east", "degrees_north", "s-1", "degree")
        for (name, dimensions, values, standard), unit in zip(tables, units):
            variable = data.createVariable(name, "f8", dimensions)
            variable.setncatts({"standard_name": standard, "units": unit})
            if name == "time":
                variable.calendar = "proleptic_gregorian"
            variable[:] = values
        efth = data.createVariable(
            "efth", "f4", ("time", *sizes), compression="zlib", complevel=1, fill_value=False
        )
        efth.setncatts(
            {
                "standard_name": "sea_surface_wave_directional_variance_spectral_density",
                "units": "m2 s rad-1",
                "coordinates": "longitude latitude",
            }
        )
        efth[:] = spectra.density
