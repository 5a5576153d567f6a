"""The track of a storm from its table of fixes."""

import csv
import dataclasses
import datetime

import numpy as np

from groundswell.errors import refuse
from groundswell.plot.shape import beside
from groundswell.plot.source import parse_time


@dataclasses.dataclass
class Track:
    times: list  # datetimes, UTC, ascending
    lon: np.ndarray  # degrees, without a jump at the date line
    lat: np.ndarray

    def at(self, time):
        """(lon, lat) at a time, straight between the fixes; None outside the track's period."""
        if not self.times[0] <= time <= self.times[-1]:
            return None
        seconds = [(t - self.times[0]).total_seconds() for t in self.times]
        now = (time - self.times[0]).total_seconds()
        return float(np.interp(now, seconds, self.lon)), float(np.interp(now, seconds, self.lat))

    def until(self, time):
        """The way so far: (lon, lat) of the fixes passed, and of the present position."""
        passed = sum(t <= time for t in self.times)
        here = self.at(time)
        extra = [here] if here else []
        return (
            np.append(self.lon[:passed], [p[0] for p in extra]),
            np.append(self.lat[:passed], [p[1] for p in extra]),
        )

    def midnights(self):
        """Indices of the fixes at 00 UTC."""
        return [k for k, t in enumerate(self.times) if t.time() == datetime.time()]


def read_track(path, west=-180.0):
    """The fixes of a CSV file with columns time, lat, lon (more are welcome); lines that begin with # are remarks.

    Longitudes are turned into the map that begins at `west`.
    """
    try:
        with open(path, encoding="utf-8", newline="") as lines:
            numbered = [
                (n, line) for n, line in enumerate(lines, 1) if line.strip() and not line.startswith("#")
            ]
    except OSError as failure:
        refuse(path, None, None, f"a table of fixes ({failure.strerror})")
    table = csv.DictReader(line for _, line in numbered)
    for name in ("time", "lat", "lon"):
        if name not in (table.fieldnames or ()):
            refuse(path, name, "(missing)", "a table with columns time, lat, lon")
    times, lon, lat = [], [], []
    for (number, _), row in zip(numbered[1:], table):
        where = f"{path}:{number}"
        times.append(parse_time(row["time"], "time"))
        if len(times) > 1 and times[-1] <= times[-2]:
            refuse(where, "time", row["time"], "a time after that of the line before")
        for name, into in (("lon", lon), ("lat", lat)):
            try:
                into.append(float(row[name]))
            except (TypeError, ValueError):
                refuse(where, name, row[name], "degrees")
    if not times:
        refuse(path, None, None, "at least one fix")
    for k in range(len(lon)):
        lon[k] = float(beside(lon[k], lon[k - 1] if k else west + 180.0))
    return Track(times, np.array(lon), np.array(lat))
