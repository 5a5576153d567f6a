"""Seismograms: the files that the earthquake model writes at receivers, and those that they are held against."""

import csv
import dataclasses
import math
import pathlib
import re

import numpy as np

from groundswell.errors import refuse
from groundswell.plot import source as reading

VELOCITY, STRESS = ("vx", "vy", "vz"), ("sxx", "syy", "szz", "sxy", "syz", "sxz")
AT_IT = 1.0  # m: so near the epicentre nothing points away from it
TURNED = ("radial", "transverse", "vertical")
SAME = {"x": "vx", "y": "vy", "z": "vz", "east": "vx", "north": "vy", "up": "vz", "vertical": "vz"}
SAID = {"vx": "east", "vy": "north", "vz": "up"}
# What SeisSol calls them in its text files, of several years.
SEISSOL = {
    **{name: velocity for names in ("uvw", ("v1", "v2", "v3")) for name, velocity in zip(names, VELOCITY)},
    **{mark + name[1:]: name for name in STRESS for mark in ("", "s_")},
}


@dataclasses.dataclass
class Seismogram:
    """The time series of one place."""

    name: str
    place: tuple | None  # (x, y, z) m, where it is known
    time: np.ndarray  # s since the start of the run
    values: dict  # {vx, vy, vz, sxx, … or radial, transverse: series}

    def component(self, name, epicentre=None):
        """A series by any of its names, None where it is not there. Radial points away from the epicentre, transverse from
        there a quarter turn to the left, as seen from above."""
        name = SAME.get(name, name)
        if name in self.values or name not in TURNED:
            return self.values.get(name)
        if epicentre is None or self.place is None or not {"vx", "vy"} <= set(self.values):
            return None
        x, y = self.place[0] - epicentre[0], self.place[1] - epicentre[1]
        far = math.hypot(x, y)
        if far < AT_IT:
            return None
        along, across = (x, y) if name == "radial" else (-y, x)
        return (along * self.values["vx"] + across * self.values["vy"]) / far

    def distance(self, epicentre):
        return round(math.dist(self.place[:2], epicentre), 3)


class ReceiverFile:
    """A file of receivers as `groundswell run` writes it."""

    kind, needed = "seismograms at receivers", ("time", "x", "y", "z", "station_name")

    def __init__(self, path):
        self.path = path
        with reading.opened(path, self.needed, self.kind) as source:
            self.title = getattr(source, "title", "")
            self.projection = getattr(source, "projection_proj", None)
            self.time = increasing(path, reading.values(source.variables["time"]))
            self.names = reading.text_rows(source.variables["station_name"])
            self.places = np.stack([reading.values(source.variables[axis]) for axis in "xyz"], axis=-1)
            self.components = [name for name in (*VELOCITY, *STRESS) if name in source.variables]

    def station(self, wanted):
        """Index of the station of this name, or number from 1 on."""
        if wanted in self.names:
            return self.names.index(wanted)
        if wanted.isdigit() and 1 <= int(wanted) <= len(self.names):
            return int(wanted) - 1
        shown = ", ".join(self.names[:8]) + (", …" if len(self.names) > 8 else "")
        guess = reading.nearest(wanted, self.names)
        refuse(
            self.path,
            "--station",
            wanted,
            f"a name, or a number from 1 to {len(self.names)}, of {shown}"
            + (f"; did you mean '{guess}'?" if guess else ""),
        )

    def chosen(self, stations):
        """Indices of stations by name or number; all by default."""
        return [self.station(s) for s in stations] if stations else list(range(len(self.names)))

    def seismogram(self, station):
        with reading.opened(self.path, (), "") as source:
            values = {
                name: reading.values(source.variables[name], (slice(None), station))
                for name in self.components
            }
        return Seismogram(self.names[station], tuple(self.places[station]), self.time, values)


def increasing(path, time):
    if len(time) < 2:
        refuse(path, "time", f"{len(time)} records", "two records or more")
    wrong = np.flatnonzero(~(np.diff(time) > 0))
    if len(wrong):
        first = wrong[0]
        refuse(
            path,
            "time",
            f"{time[first]:g} and then {time[first + 1]:g}",
            "times that increase; is the file cut short?",
        )
    return time


class Reference:
    """References for seismograms: a file of receivers, a table in CSV, or a receiver as SeisSol writes it in text."""

    def __init__(self, path):
        self.path, self.label, self.file, self.only = path, pathlib.Path(path).name, None, None
        try:
            with open(path, "rb") as opened:
                begin = opened.read(8)
        except OSError as failure:
            refuse(path, None, None, f"a file that can be read ({failure.strerror})")
        if begin[:3] == b"CDF" or begin[1:4] == b"HDF":
            self.file = ReceiverFile(path)
            self.label = self.file.title or self.label
        else:
            lines = pathlib.Path(path).read_text(encoding="utf-8", errors="replace").splitlines()
            is_seissol = any(line.lstrip().upper().startswith("VARIABLES") for line in lines[:5])
            self.only, said = (_read_seissol if is_seissol else _read_table)(path, lines)
            self.label = said or self.label

    def of(self, station):
        """The Seismogram of that station: of the same name where the file has several."""
        if self.file is None:
            return self.only
        names = self.file.names
        return self.file.seismogram(0 if len(names) == 1 else self.file.station(station.name))


def _numbers(path, rows, columns):
    """[row, column] of rows (line number, words)."""
    table = np.empty((len(rows), columns))
    for row, (line, words) in zip(table, rows):
        try:
            row[:] = [float(word) for word in words]
        except ValueError:
            refuse(f"{path}:{line}", None, None, f"{columns} numbers")
    if not np.isfinite(table).all():
        refuse(f"{path}:{rows[np.argmin(np.isfinite(table).all(axis=1))][0]}", None, None, "finite numbers")
    return table


def _read_table(path, lines):
    """A table with the header time,vx,vy,vz or time,radial,transverse,vertical; `# source: …` above it says whence."""
    said = [re.match(r"#\s*source:\s*(.*)", line) for line in lines]
    label = next((found[1].strip() for found in said if found), None)
    rows = [(n, line) for n, line in enumerate(lines, 1) if line.strip() and not line.startswith("#")]
    if not rows:
        refuse(path, None, None, "a header and rows of numbers")
    names = [SAME.get(name.strip(), name.strip()) for name in rows[0][1].split(",")]
    known = ("time", *VELOCITY, *STRESS, *TURNED)
    if names[0] != "time" or len(names) < 2 or any(name not in known for name in names):
        refuse(
            f"{path}:{rows[0][0]}",
            "header",
            rows[0][1],
            "time,vx,vy,vz or time,radial,transverse,vertical",
        )
    parsed = [(n, next(csv.reader([line]))) for n, line in rows[1:]]
    table = _numbers(path, parsed, len(names))
    values = dict(zip(names[1:], table.T[1:]))
    return Seismogram("", None, increasing(path, table[:, 0]), values), label


def _read_seissol(path, lines):
    place, names, rows = [], None, []
    for number, line in enumerate(lines, 1):
        if line.lstrip().upper().startswith("VARIABLES"):
            names = re.findall(r'"\s*([^"]*?)\s*"', line)
        elif found := re.match(r"\s*#\s*x[123]\s+(\S+)", line):
            place.append(float(found[1]))
        elif re.match(r"\s*[-+\d.]", line):
            rows.append((number, line.split()))
    table = _numbers(path, rows, len(names))
    values = {SEISSOL[name]: column for name, column in zip(names[1:], table.T[1:]) if name in SEISSOL}
    where = tuple(place) if len(place) == 3 else None
    return Seismogram("", where, increasing(path, table[:, 0]), values), "SeisSol, " + pathlib.Path(path).name
