"""The track of a storm from its table of fixes."""

import csv
import dataclasses
import datetime
import re

import numpy as np

from groundswell.errors import refuse
from groundswell.plot.shape import beside
from groundswell.plot.source import UTC, parse_time


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
    """The fixes of a track in the files that the model reads: a table with a head, or `.dat`, an ATCF b-deck.

    Longitudes are turned into the map that begins at `west`.
    """
    rows = _best_lines if str(path).endswith(".dat") else _table_lines
    times, lon, lat = [], [], []
    for where, said, time, longitude, latitude in rows(path):
        if times and time <= times[-1]:
            refuse(where, "time", said, "a time after that of the line before")
        times.append(time)
        lon.append(float(beside(longitude, lon[-1] if lon else west + 180.0)))
        lat.append(latitude)
    if not times:
        refuse(path, None, None, "at least one fix")
    return Track(times, np.array(lon), np.array(lat))


def _lines(path):
    """(file:line, fields) of what is neither empty nor a remark."""
    try:
        with open(path, encoding="utf-8", newline="") as lines:
            for number, fields in enumerate(csv.reader(lines), 1):
                fields = [field.strip() for field in fields]
                if any(fields) and not fields[0].startswith("#"):
                    yield f"{path}:{number}", fields
    except (OSError, UnicodeDecodeError) as failure:
        reason = getattr(failure, "strerror", None) or failure
        refuse(path, None, None, f"a track, .csv or an ATCF b-deck .dat, that can be read ({reason})")


def _degrees(where, name, text):
    try:
        return float(text)
    except (TypeError, ValueError):
        refuse(where, name, text, "degrees")


def _table_lines(path):
    """Columns time (or time_utc), lat, lon in any order; more are welcome."""
    columns = None
    for where, fields in _lines(path):
        if columns is None:
            columns = ["time" if name == "time_utc" else name for name in fields]
            for name in ("time", "lat", "lon"):
                if name not in columns:
                    refuse(path, name, "(missing)", "a table with columns time, lat, lon")
            continue
        row = dict(zip(columns, fields))
        time, lon, lat = (row.get(name) for name in ("time", "lon", "lat"))
        yield (
            where,
            time,
            parse_time(time or "", "time", where),
            _degrees(where, "lon", lon),
            _degrees(where, "lat", lat),
        )


def _best_lines(path):
    """The BEST lines of an ATCF b-deck; of several at one time, for winds of 34, 50 and 64 kt, the first."""
    last = None
    for where, fields in _lines(path):
        if len(fields) < 5:
            refuse(
                where, "columns", len(fields), 'an ATCF line, "basin, number, YYYYMMDDHH, minutes, BEST, …"'
            )
        if fields[4] != "BEST":
            continue
        if len(fields) < 8:
            refuse(where, "columns", len(fields), "at least 8 in a BEST line")
        said = f"{fields[2]} {fields[3]}".strip()
        if said == last:
            continue
        last = said
        try:
            time = datetime.datetime.strptime(fields[2] + f"{int(fields[3] or 0):02d}", "%Y%m%d%H%M")
        except ValueError:
            refuse(where, "time", said, "YYYYMMDDHH and minutes")
        yield (
            where,
            said,
            time.replace(tzinfo=UTC),
            _tenths(where, fields[7], "EW"),
            _tenths(where, fields[6], "NS"),
        )


def _tenths(where, text, signs):
    """`191N` is 19.1."""
    if not re.fullmatch(rf"[0-9]+[{signs}]", text):
        refuse(
            where,
            "longitude" if signs == "EW" else "latitude",
            text,
            f"tenths of a degree and {' or '.join(signs)}",
        )
    return (0.1 if text[-1] == signs[0] else -0.1) * int(text[:-1])
