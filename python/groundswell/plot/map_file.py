"""A map as the model writes it (UGRID): mesh, times, fields on cells."""

import dataclasses
import re

import numpy as np

from groundswell.errors import refuse
from groundswell.plot import source as reading
from groundswell.plot.coast import read_coast, without_inland_water
from groundswell.plot.shape import make_shape
from groundswell.toml_file import tomllib

WIND = ("u10", "v10")
HEIGHT = "hs"
OF_WAVES = (
    "tm01",
    "tm02",
    "tmm10",
    "tp",
    "dir",
    "dp",
    "spread",
)  # mean nothing where there are hardly any waves
CALM = 0.1  # m


@dataclasses.dataclass(frozen=True)
class Field:
    name: str
    long_name: str
    unit: str
    bearing: bool  # degrees clockwise from north, coming from

    def needs_waves(self, fields):
        """Is it left out where the waves are low, and can that be told?"""
        return self.name in OF_WAVES and HEIGHT in fields


class MapFile:
    """Reads fields of one map file; keeps nothing but its mesh in memory."""

    def __init__(self, path, region=None, calm=CALM, coast=None):
        """`coast`: a file of depths whose coast is drawn in place of the outline of the cells."""
        self.path, self.calm = path, calm
        with reading.opened(
            path, ("time", "mesh_face_nodes"), "a map on an unstructured mesh (UGRID)"
        ) as source:
            topology = self._topology(source)
            self.title = getattr(source, "title", "")
            self.origin = origin_of(source)
            self.made_winds = made_winds(getattr(source, "groundswell_case", ""))
            self.times = reading.read_times(source, path)
            self.start = reading.reference_time(source, self.times)
            self.shape = make_shape(*topology, region)
            self.fields = self._fields(source)
        if not self.shape.seen().any():
            refuse(
                path, "--region", ",".join(f"{x:g}" for x in region), "a region with cells of the mesh in it"
            )
        if coast:
            seen = self.shape.seen()
            relief = read_coast(coast, self.shape.extent)
            self.shape.relief = without_inland_water(relief, self.shape.lon[seen], self.shape.lat[seen])

    def _topology(self, source):
        names = ("mesh_node_lon", "mesh_node_lat", "mesh_face_lon", "mesh_face_lat")
        for name in names:
            if name not in source.variables:
                refuse(self.path, name, "(missing)", "the coordinates of the mesh's nodes and faces")
        nodes = source.variables["mesh_face_nodes"]
        start = int(getattr(nodes, "start_index", 0))
        corners = np.ma.filled(np.ma.asarray(nodes[:]), start - 1).astype(np.int64) - start
        corners[corners < 0] = -1
        node_lon, node_lat, lon, lat = (reading.values(source.variables[name]) for name in names)
        if corners.max() >= len(node_lon) or (corners >= 0).sum(axis=1).min() < 3:
            refuse(
                self.path,
                "mesh_face_nodes",
                None,
                f"three or more corners of each face, below {len(node_lon)}",
            )
        return node_lon, node_lat, corners, lon, lat

    def _fields(self, source):
        faces = source.variables["mesh_face_nodes"].dimensions[0]
        fields = {}
        for name, variable in source.variables.items():
            if variable.dimensions == ("time", faces):
                fields[name] = describe(name, variable)
        if all(name in fields for name in WIND):
            fields["wind"] = Field("wind", "wind speed at 10 m", fields["u10"].unit, False)
        return fields

    def field(self, name, option="--field"):
        return self.fields[reading.known_or_refused(self.path, option, name, list(self.fields))]

    def record(self, time, option="--time"):
        return reading.record_at(self.times, time, self.path, option)

    def read(self, name, record):
        """[cells] values of a field in one record."""
        with reading.opened(self.path, (), "") as source:
            return self._values(source, name, record)

    def each(self, name, records):
        """Values of one record after another, the file opened once."""
        with reading.opened(self.path, (), "") as source:
            for record in records:
                yield self._values(source, name, record)

    def _values(self, source, name, record):
        if name == "wind":
            return np.hypot(*(reading.values(source.variables[part], record) for part in WIND))
        found = reading.values(source.variables[name], record)
        if self.calm > 0 and self.fields[name].needs_waves(self.fields):
            found[reading.values(source.variables[HEIGHT], record) < self.calm] = np.nan
        return found

    def maximum(self, name):
        """([cells] highest of all records, [cells] the record it happens in)."""
        if self.field(name).bearing:
            refuse(
                "command line",
                "--maximum",
                f"of {name}",
                "a field that has a highest value; this one is a bearing",
            )
        highest = np.full(len(self.shape.lon), np.nan)
        when = np.zeros(len(highest), int)
        for record, values in enumerate(self.each(name, range(len(self.times)))):
            higher = (values > highest) | (np.isnan(highest) & ~np.isnan(values))
            highest[higher], when[higher] = values[higher], record
        return highest, when


def origin_of(source):
    """`Groundswell 0.1.0, issued 2024-09-05 03:12 UTC`: which program wrote the file, and when; what it does not tell is left out."""
    program = str(getattr(source, "groundswell_build", "")).partition(" (")[0].partition(";")[0]
    written = str(getattr(source, "date_created", ""))
    issued = (
        f"issued {written[:10]} {written[11:16]} UTC"
        if re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d", written)
        else ""
    )
    return ", ".join(part for part in (program, issued) if part)


def made_winds(case):
    """Kinds of wind that no forecast or analysis stands behind: ["uniform", "parametric storm"], by the text of the case."""
    try:
        entries = tomllib.loads(case).get("wind", [])
    except (tomllib.TOMLDecodeError, TypeError):
        return []
    kinds = {"uniform": "uniform", "vortex": "parametric storm"}
    return [words for key, words in kinds.items() if any(key in entry for entry in entries)]


def describe(name, variable):
    long_name = getattr(variable, "long_name", name)
    standard = getattr(variable, "standard_name", "")
    bearing = "from_direction" in standard or (name in ("dir", "dp") and not standard)
    return Field(name, long_name, getattr(variable, "units", ""), bearing)
