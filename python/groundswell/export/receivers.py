"""Part of a file of receivers that is exported: the stations chosen, in the numbers of the file."""

import dataclasses

import numpy as np

from groundswell.errors import refuse
from groundswell.plot import source as reading
from groundswell.plot.quake.receivers import ReceiverFile

UNIFORM = 1e-4  # of an interval: how far records may be from equal steps


@dataclasses.dataclass
class Station:
    """One receiver as the file has it."""

    number: int  # from 1 in the file
    name: str
    place: tuple  # (x, y, z) m
    degrees: tuple | None  # (longitude, latitude)
    series: dict  # {vx, …: float32 or float64 as in the file}


class Export:
    """Opens the file, chooses stations (names or numbers; all by default)."""

    def __init__(self, path, stations=None):
        self.file = ReceiverFile(path)
        self.path, self.title, self.time = path, self.file.title, self.file.time
        self.chosen = self.file.chosen(stations)
        if not self.chosen:
            refuse(path, "station", "(none)", "at least one receiver")
        with reading.opened(path, (), "") as source:
            pairs = ("longitude", "latitude")
            has_degrees = all(name in source.variables for name in pairs)
            self.degrees = [reading.values(source.variables[name]) for name in pairs] if has_degrees else None

    @property
    def names(self):
        return [self.file.names[k] for k in self.chosen]

    @property
    def components(self):
        return self.file.components

    def need(self, names, why):
        missing = [name for name in names if name not in self.components]
        if missing:
            refuse(self.path, ", ".join(missing), "(missing)", why)

    def interval(self, form):
        """s between records, the same for all, or refused."""
        step = (self.time[-1] - self.time[0]) / (len(self.time) - 1)
        even = self.time[0] + step * np.arange(len(self.time))
        off = np.abs(self.time - even)
        if off.max() > UNIFORM * step:
            worst = int(np.argmax(off))
            refuse(
                self.path,
                "time",
                f"{self.time[worst]:.9g} s, where equal steps of {step:.6g} s would be at {even[worst]:.9g} s",
                f"records at equal steps, as {form} needs them; --to seissol writes any",
            )
        return step

    def stations(self):
        """[Station], all of them in memory; refused where a value is no number, so that nothing is written of a broken run."""
        series = {}
        with reading.opened(self.path, (), "") as source:
            for name in self.components:
                # Whole: a column at a time would read the file record by record for every station.
                values = np.ma.filled(source.variables[name][:], np.nan)[:, self.chosen]
                broken = ~np.isfinite(values)
                if broken.any():
                    column = int(np.argmax(broken.any(axis=0)))
                    when = self.time[np.argmax(broken[:, column])]
                    said = f"not a number at {self.names[column]} from {when:g} s on"
                    refuse(self.path, name, said, "finite numbers")
                series[name] = values
        found = []
        for column, index in enumerate(self.chosen):
            degrees = tuple(float(axis[index]) for axis in self.degrees) if self.degrees else None
            place = tuple(float(value) for value in self.file.places[index])
            own = {name: values[:, column] for name, values in series.items()}
            found.append(Station(index + 1, self.file.names[index], place, degrees, own))
        return found
