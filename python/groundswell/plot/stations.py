"""Files of points: time series of fields, and spectra in the layout of WAVEWATCH III."""

import dataclasses

import numpy as np

from groundswell.errors import refuse
from groundswell.plot import source as reading
from groundswell.plot.map_file import CALM, HEIGHT, WIND, Field, describe


class PointFile:
    """Times, names and places of the points of a file."""

    kind, needed = "time series at points", ("time", "station", "longitude", "latitude")

    def __init__(self, path, calm=CALM):
        self.path, self.calm = path, calm
        with reading.opened(path, self.needed, self.kind) as source:
            self.title = getattr(source, "title", "")
            self.times = reading.read_times(source, path)
            self.start = reading.reference_time(source, self.times)
            self.numbers = [int(n) for n in source.variables["station"][:]]
            # WAVEWATCH III gives the places again for each record.
            self.lon, self.lat = (
                np.atleast_2d(reading.values(source.variables[name]))[0] for name in ("longitude", "latitude")
            )
            self.names = [f"station {n}" for n in self.numbers]
            if "station_name" in source.variables:
                found = reading.text_rows(source.variables["station_name"])
                self.names = [name or plain for name, plain in zip(found, self.names)]
            self.fields = {
                name: describe(name, v)
                for name, v in source.variables.items()
                if v.dimensions == ("time", "station")
            }
            if all(name in self.fields for name in WIND):
                self.fields["wind"] = Field("wind", "wind speed at 10 m", self.fields["u10"].unit, False)

    def station(self, wanted):
        """Index of the point of this number or name."""
        if wanted.lstrip("+-").isdigit() and int(wanted) in self.numbers:
            return self.numbers.index(int(wanted))
        known = [f"{number} ({name})" for number, name in zip(self.numbers, self.names)]
        if wanted not in self.names:
            refuse(self.path, "--station", wanted, f"a number or a name of {', '.join(known)}")
        return self.names.index(wanted)

    def series(self, name):
        """[time, station] values of a field."""
        reading.known_or_refused(self.path, "--fields", name, list(self.fields))
        with reading.opened(self.path, (), "") as source:
            if name == "wind":
                return np.hypot(*(reading.values(source.variables[part]) for part in WIND))
            found = reading.values(source.variables[name])
            if self.leaves_out(name):
                found[reading.values(source.variables[HEIGHT]) < self.calm] = np.nan
            return found

    def leaves_out(self, name):
        """Is this a period or a bearing, of which nothing is shown where the waves are low?"""
        return self.calm > 0 and self.fields[name].needs_waves(self.fields)


@dataclasses.dataclass
class Spectrum:
    """Variance density of one point at one time."""

    frequency: np.ndarray  # Hz, ascending
    bearing: np.ndarray  # degrees clockwise from north, coming from, ascending in [0, 360)
    density: np.ndarray  # [frequency, bearing] m² Hz⁻¹ rad⁻¹

    @property
    def by_frequency(self):
        """[frequency] m² Hz⁻¹."""
        return self.density.sum(axis=1) * 2 * np.pi / len(self.bearing)

    @property
    def height(self):
        """Significant wave height, m: trapezoidal rule, and a tail that falls as f⁻⁵ behind the last frequency."""
        energy = self.by_frequency
        inside = np.sum(np.diff(self.frequency) * (energy[1:] + energy[:-1]) / 2)
        return 4 * float(np.sqrt(max(0.0, inside + energy[-1] * self.frequency[-1] / 4)))

    @property
    def peak(self):
        """(period s, bearing degrees) where the frequency spectrum is highest, on the parabola in ln f through the three
        frequencies there as in the model's peak period, and of the highest bin at that frequency; NaN where there is no energy."""
        if not self.density.max() > 0:
            return float("nan"), float("nan")
        energy = self.by_frequency
        top = int(np.argmax(energy))
        frequency = self.frequency[top]
        if 0 < top < len(energy) - 1:
            frequency = np.exp(_summit(np.log(self.frequency[top - 1 : top + 2]), energy[top - 1 : top + 2]))
        return 1 / float(frequency), float(self.bearing[np.argmax(self.density[top])])


def _summit(x, y):
    """Where the parabola through three points has its summit."""
    left, right = (y[1] - y[0]) / (x[1] - x[0]), (y[2] - y[1]) / (x[2] - x[1])
    bend = (right - left) / (x[2] - x[0])
    return (x[0] + x[1]) / 2 - left / (2 * bend) if bend < 0 else x[1]


@dataclasses.dataclass
class Wind:
    """Wind at a point at 10 m: speed (m/s) and the bearing it comes from (degrees clockwise from north)."""

    speed: float
    bearing: float


class SpectrumFile(PointFile):
    kind, needed = (
        "spectra at points (layout of WAVEWATCH III)",
        (*PointFile.needed, "frequency", "direction", "efth"),
    )

    def spectrum(self, station, record):
        with reading.opened(self.path, (), "") as source:
            variable = source.variables["direction"]
            direction = reading.values(variable)
            if getattr(variable, "units", "degree").startswith("rad"):
                direction = np.degrees(direction)
            if "from_direction" not in getattr(variable, "standard_name", "sea_surface_wave_to_direction"):
                direction = direction + 180.0
            direction = np.round(np.mod(direction, 360.0), 6) % 360.0
            order = np.argsort(direction)
            density = np.nan_to_num(reading.values(source.variables["efth"], (record, station)))
            return Spectrum(
                reading.values(source.variables["frequency"]), direction[order], density[:, order]
            )

    def wind(self, station, record):
        """The Wind there; None where the file has none."""
        with reading.opened(self.path, (), "") as source:
            if not {"wnd", "wnddir"} <= set(source.variables):
                return None
            found = [float(reading.values(source.variables[n], (record, station))) for n in ("wnd", "wnddir")]
            return Wind(*found) if np.isfinite(found).all() else None


def open_points(path, calm=CALM):
    """A PointFile, or a SpectrumFile where the file has spectra."""
    with reading.opened(path, PointFile.needed, PointFile.kind) as source:
        spectra = "efth" in source.variables
    return SpectrumFile(path) if spectra else PointFile(path, calm)
