"""The moving surface of the ground as the earthquake model writes it: triangles, velocities in time, peaks of the run."""

import dataclasses
import re

import numpy as np

from groundswell.errors import refuse
from groundswell.plot import source as reading
from groundswell.plot.map_file import Field
from groundswell.plot.quake import intensity
from groundswell.plot.shape import beside

KIND = "the surface of an earthquake (triangles of UGRID with mesh_node_x, mesh_node_y, mesh_node_z)"
NEEDED = ("mesh_node_x", "mesh_node_y", "mesh_node_z", "mesh_face_nodes")
VELOCITY = ("vx", "vy", "vz")
SAID = {
    "vx": "eastward velocity",
    "vy": "northward velocity",
    "vz": "upward velocity",
    "eta": "height of the sea",
}
# What is worked out from others: name → (from, long name, unit).
DERIVED = {
    "speed": (VELOCITY, "speed of the ground", "m s-1"),
    "horizontal": (VELOCITY[:2], "horizontal speed of the ground", "m s-1"),
    "intensity": (("pgv",), f"modified Mercalli intensity from peak velocity ({intensity.SOURCE})", "MMI"),
}
PEAKS = {
    "pgv": "peak ground velocity",
    "pga": "peak ground acceleration",
    "pgd": "peak ground displacement",
    "pgv_z": "peak vertical velocity",
    "pga_z": "peak vertical acceleration",
    "pgd_z": "peak vertical displacement",
}

RESPONSE = re.compile(r"sa_(.+)s")  # of an oscillator on the ground, by its period


def is_peak(name):
    """Whether a field only grows, so that its last record is that of the whole run."""
    return name in PEAKS or name == "intensity" or RESPONSE.fullmatch(name) is not None


def said_of(name):
    """Everyday name of a field, or None."""
    if response := RESPONSE.fullmatch(name):
        return f"peak pseudo-acceleration at {response[1]} s"
    return SAID.get(name) or PEAKS.get(name)


def is_surface(path):
    """Whether a file is one of an earthquake's surface; what cannot be read is for others to refuse."""
    try:
        with reading.opened(path, NEEDED, KIND):
            return True
    except Exception:
        return False


@dataclasses.dataclass
class Mesh:
    """Triangles of the surface."""

    nodes: np.ndarray  # [node, 3] x, y, z, m
    corners: np.ndarray  # [face, 3] nodes
    degrees: np.ndarray | None  # [node, 2] longitude, latitude, where the file has them

    @property
    def centres(self):
        """[face, 3] m."""
        return self.nodes[self.corners].mean(axis=1)

    @property
    def plane(self):
        """[node, 2] where the nodes are on the map: in degrees if there are any, else in km."""
        return self.degrees if self.degrees is not None else self.nodes[:, :2] / 1000.0

    def on_map(self, place):
        """Place (x, y) in m on the map: as the node nearest to it, and the linear change from there."""
        place = np.asarray(place, float)
        if self.degrees is None:
            return place / 1000.0
        nearest = np.argsort(np.sum((self.nodes[:, :2] - place) ** 2, axis=1))[:64]
        known = np.column_stack([self.nodes[nearest, :2] - place, np.ones(len(nearest))])
        found, *_ = np.linalg.lstsq(known, self.degrees[nearest], rcond=None)
        return found[2]


class SurfaceFile:
    """Reads one field and record at a time; keeps nothing but the mesh in memory."""

    def __init__(self, path):
        self.path = path
        with reading.opened(path, NEEDED, KIND) as source:
            self.title = getattr(source, "title", "")
            self.mesh = self._mesh(source)
            self.times = self._times(source)
            self.moving, self.still = self._fields(source)

    @property
    def peaks(self):
        """Names of fields that only grow: the last record is that of the whole run."""
        return {name for name in (*self.moving, *self.still) if is_peak(name)}

    def _mesh(self, source):
        nodes = np.stack([reading.values(source.variables[f"mesh_node_{axis}"]) for axis in "xyz"], axis=-1)
        variable = source.variables["mesh_face_nodes"]
        start = int(getattr(variable, "start_index", 0))
        corners = np.ma.filled(np.ma.asarray(variable[:]), start - 1).astype(np.int64) - start
        if corners.ndim != 2 or corners.shape[1] != 3 or not len(corners):
            refuse(self.path, "mesh_face_nodes", f"an array of {corners.shape}", "three corners of each face")
        if corners.min() < 0 or corners.max() >= len(nodes):
            refuse(self.path, "mesh_face_nodes", None, f"corners from {start} to {start + len(nodes) - 1}")
        if not np.isfinite(nodes).all():
            refuse(self.path, "mesh_node_x, _y, _z", None, "finite numbers")
        degrees = None
        if {"mesh_node_lon", "mesh_node_lat"} <= set(source.variables):
            degrees = np.stack(
                [reading.values(source.variables[f"mesh_node_{axis}"]) for axis in ("lon", "lat")], axis=-1
            )
            degrees[:, 0] = beside(degrees[:, 0], degrees[0, 0])  # whole across the date line
        return Mesh(nodes, corners, degrees)

    def _times(self, source):
        if "time" not in source.variables:
            return np.empty(0)
        times = reading.values(source.variables["time"])
        wrong = np.flatnonzero(~(np.diff(times) > 0))
        if len(wrong):
            said = f"{times[wrong[0]]:g} and then {times[wrong[0] + 1]:g}"
            refuse(
                self.path, "time", said, "times that increase; is the file cut short? (groundswell verify)"
            )
        return times

    def _fields(self, source):
        faces = source.variables["mesh_face_nodes"].dimensions[0]
        moving, still = {}, {}
        for name, variable in source.variables.items():
            if variable.dtype.kind != "f" or name.startswith("mesh_"):
                continue
            into = {("time", faces): moving, (faces,): still}.get(variable.dimensions)
            if into is not None:
                said = said_of(name) or getattr(variable, "long_name", name)
                into[name] = Field(name, said, getattr(variable, "units", ""), False)
        for name, (needed, said, unit) in DERIVED.items():
            for fields in (moving, still):
                if all(part in fields for part in needed):
                    fields[name] = Field(name, said, unit, False)
        return moving, still

    def field(self, name):
        known = {**self.moving, **self.still}
        return known[reading.known_or_refused(self.path, "--field", name, list(known))]

    def record(self, seconds, option="--time"):
        """The record nearest to this time, s."""
        if not len(self.times):
            refuse(self.path, option, f"{seconds:g} s", "a file that has records; there are none in it")
        first, last = self.times[0], self.times[-1]
        if not first <= seconds <= last:
            refuse(self.path, option, f"{seconds:g} s", f"a time from {first:g} s to {last:g} s")
        return int(np.argmin(np.abs(self.times - seconds)))

    def each(self, name, records=None):
        """Values [face] of one record after another, or once where a field has no time; the file opened once."""
        with reading.opened(self.path, (), "") as source:
            for record in [Ellipsis] if name in self.still else records:
                yield self._values(source, name, record)

    def read(self, name, record=None):
        return next(self.each(name, [record]))

    def _values(self, source, name, record):
        if name not in DERIVED:
            return reading.values(source.variables[name], record)
        parts = [reading.values(source.variables[part], record) for part in DERIVED[name][0]]
        if name == "intensity":
            return intensity.of_velocity(parts[0])
        return np.sqrt(sum(part**2 for part in parts))

    def highest(self, name, records=None):
        """([face] the value farthest from 0 of all records, [face] its record)."""
        records = range(len(self.times)) if records is None else records
        highest, when = np.zeros(len(self.mesh.corners)), np.zeros(len(self.mesh.corners), int)
        for record, values in zip(records, self.each(name, records)):
            farther = np.abs(values) > np.abs(highest)
            highest[farther], when[farther] = values[farther], record
        return highest, when
