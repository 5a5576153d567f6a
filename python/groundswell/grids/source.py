"""The map that is exported: its mesh, times, and chosen fields, a record at a time."""

import dataclasses

import numpy as np

from groundswell.errors import refuse
from groundswell.plot import source as reading
from groundswell.plot.map_file import describe


@dataclasses.dataclass(frozen=True)
class Field:
    name: str
    long_name: str
    standard_name: str
    unit: str
    bearing: bool


class Source:
    """Opens a map file; `names` of fields (all where None), `times` (all where None)."""

    def __init__(self, path, names=None, times=None):
        self.path = path
        with reading.opened(
            path, ("time", "mesh_face_nodes", "mesh_node_lon", "mesh_node_lat"), "a map (UGRID)"
        ) as file:
            self.title = str(getattr(file, "title", ""))
            self.build = str(getattr(file, "groundswell_build", ""))
            self.all_times = reading.read_times(file, path)
            self.start = reading.reference_time(file, self.all_times)
            nodes = file.variables["mesh_face_nodes"]
            first = int(getattr(nodes, "start_index", 0))
            corners = np.ma.filled(np.ma.asarray(nodes[:]), first - 1).astype(np.int64) - first
            self.corners = np.where(corners < 0, -1, corners)
            self.node_lon, self.node_lat = (
                reading.values(file.variables[n]) for n in ("mesh_node_lon", "mesh_node_lat")
            )
            self.lon, self.lat = (
                reading.values(file.variables[n]) for n in ("mesh_face_lon", "mesh_face_lat")
            )
            if self.corners.max() >= len(self.node_lon) or (self.corners >= 0).sum(axis=1).min() < 3:
                refuse(
                    path,
                    "mesh_face_nodes",
                    None,
                    f"three or more corners of each face, below {len(self.node_lon)}",
                )
            known = {n: v for n, v in file.variables.items() if v.dimensions == ("time", nodes.dimensions[0])}
            names = list(dict.fromkeys(names or ()))
            for name in names:
                reading.known_or_refused(path, "--fields", name, list(known))
            self.fields = [self._field(n, known[n]) for n in names or known]
        self.records = (
            [reading.record_at(self.all_times, t, path, "--times") for t in times]
            if times
            else range(len(self.all_times))
        )
        self.times = [self.all_times[r] for r in self.records]
        if not self.fields:
            refuse(path, "fields", "(none)", "at least one field of time and cells")

    @staticmethod
    def _field(name, variable):
        said = describe(name, variable)
        return Field(
            name, said.long_name, str(getattr(variable, "standard_name", "")), said.unit, said.bearing
        )

    @property
    def bearings(self):
        return [field.name for field in self.fields if field.bearing]

    def each(self, beside=("hs", "dir", "spread")):
        """{name: [cells]} of one record after another; with the fields that means of others need, where the file has them."""
        with reading.opened(self.path, (), "") as file:
            names = [f.name for f in self.fields]
            names += [n for n in beside if n not in names and n in file.variables]
            for record in self.records:
                yield {name: reading.values(file.variables[name], record) for name in names}
