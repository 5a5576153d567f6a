"""Faults as the earthquake model writes them, laid flat: triangles by the way along strike and down dip."""

import dataclasses
import pathlib

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

from groundswell.errors import refuse
from groundswell.plot import source as reading
from groundswell.plot.map_file import Field

KIND = "the faults of an earthquake (triangles of UGRID with fault_normal, fault_strike and fault_dip)"
NEEDED = ("time", "mesh_node_x", "mesh_node_y", "mesh_node_z", "mesh_face_nodes", "fault_strike", "fault_dip")
GROWING = {
    "slip",
    "peak_slip_rate",
    "rupture_time",
    "weakening_time",
    "rupture_velocity",
}  # of which the last record is all of it
# What is worked out from others: name → (from, long name, unit).
DERIVED = {
    "shear": (("traction_strike", "traction_dip"), "shear stress", "Pa"),
    "closeness": (("traction_strike", "traction_dip", "strength"), "shear stress over strength", "1"),
}
STRAIGHT = -0.7  # cosine between what lies to both sides of an edge, below which a fault goes on across it
STRIPES = 400  # of the strike and of the dip, along which a bent fault is measured


@dataclasses.dataclass
class Flat:
    """One fault laid flat."""

    faces: np.ndarray  # [triangle] of the file
    corners: np.ndarray  # [triangle, 3, 2] m: along strike, down dip
    strike: float  # degrees, of the mean direction
    dip: float  # degrees
    area: float  # m²
    middle: np.ndarray  # x, y, z of what lies at (0, 0), m
    along: np.ndarray  # unit vector of the mean strike

    @property
    def centres(self):
        return self.corners.mean(axis=1)


def area_of(corner):
    return 0.5 * np.linalg.norm(np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0]), axis=1)


def connected(corner):
    """[triangle] number of the fault that it belongs to. Triangles of one fault share an edge; where more than two meet, as at a
    branch or a crossing, a fault goes on where it is straightest."""
    _, node = np.unique(np.round(corner.reshape(-1, 3), 3), axis=0, return_inverse=True)
    node = node.reshape(-1, 3)
    ends = np.concatenate([node[:, [0, 1]], node[:, [1, 2]], node[:, [2, 0]]])
    _, edge, shared = np.unique(np.sort(ends, axis=1), axis=0, return_inverse=True, return_counts=True)
    owner = np.tile(np.arange(len(node)), 3)
    order = np.argsort(edge.ravel(), kind="stable")
    begin = np.concatenate([[0], np.cumsum(shared)[:-1]])
    pairs = begin[shared == 2]
    joined = [np.stack([owner[order[pairs]], owner[order[pairs + 1]]], axis=-1)]
    for first, count in zip(begin[shared > 2], shared[shared > 2]):
        sides = order[first : first + count]
        which, at = owner[sides], sides // len(node)
        one, two = (corner[which, (at + turn) % 3] for turn in (0, 1))
        line = (two - one) / np.linalg.norm(two - one, axis=1)[:, None]
        away = corner[which].mean(axis=1) - one
        away -= line * np.sum(away * line, axis=1)[:, None]
        away /= np.linalg.norm(away, axis=1)[:, None]
        turn = away @ away.T
        for i in range(count):
            for j in range(i):
                if turn[i, j] < STRAIGHT and turn[i, j] == turn[i].min() == turn[j].min():
                    joined.append(np.array([[which[i], which[j]]]))
    a, b = np.concatenate(joined).T
    graph = coo_matrix((np.ones(len(a)), (a, b)), shape=(len(node), len(node)))
    return connected_components(graph, directed=False)[1]


def unrolled(position, stretch, weight):
    """A function of the position: the way along a line whose stretches are `stretch` times as long as their positions."""
    edges = np.linspace(position.min(), position.max(), STRIPES + 1)
    stripe = np.clip(np.searchsorted(edges, position, side="right") - 1, 0, STRIPES - 1)
    sums = np.bincount(stripe, weight, STRIPES)
    means = np.bincount(stripe, weight * stretch, STRIPES)
    known = sums > 0
    mean = np.interp(np.arange(STRIPES), np.flatnonzero(known), means[known] / sums[known])
    way = np.concatenate([[0.0], np.cumsum(mean * np.diff(edges))])
    return lambda at: (
        np.interp(at, edges, way) + np.where(at > edges[-1], at - edges[-1], 0) + np.minimum(at - edges[0], 0)
    )


class FaultFile:
    """Reads one field and record at a time."""

    def __init__(self, path):
        self.path = path
        with reading.opened(path, NEEDED, KIND) as source:
            self.title = getattr(source, "title", "")
            self.times = reading.values(source.variables["time"])
            nodes = np.stack(
                [reading.values(source.variables[f"mesh_node_{axis}"]) for axis in "xyz"], axis=-1
            )
            self.corner = nodes[np.asarray(source.variables["mesh_face_nodes"][:])]
            self.strike = reading.values(source.variables["fault_strike"])
            self.dip = reading.values(source.variables["fault_dip"])
            moving = {
                name: Field(name, getattr(variable, "long_name", name), getattr(variable, "units", ""), False)
                for name, variable in source.variables.items()
                if variable.dimensions == ("time", source.variables["mesh_face_nodes"].dimensions[0])
            }
        for name, (needed, said, unit) in DERIVED.items():
            if all(part in moving for part in needed):
                moving[name] = Field(name, said, unit, False)
        self.fields = moving
        if not len(self.times):
            refuse(path, "time", "(no record)", "at least one record")
        part, area = connected(self.corner), area_of(self.corner)
        self.parts = sorted(
            (np.flatnonzero(part == number) for number in range(part.max() + 1)),
            key=lambda faces: -area[faces].sum(),
        )

    def field(self, name):
        return self.fields[reading.known_or_refused(self.path, "--field", name, list(self.fields))]

    def record(self, seconds, option="--time"):
        first, last = self.times[0], self.times[-1]
        if not first <= seconds <= last:
            refuse(self.path, option, f"{seconds:g} s", f"a time from {first:g} s to {last:g} s")
        return int(np.argmin(np.abs(self.times - seconds)))

    def read(self, name, record):
        with reading.opened(self.path, (), "") as source:
            if name not in DERIVED:
                return reading.values(source.variables[name], record)
            strike, dip, *strength = (
                reading.values(source.variables[part], record) for part in DERIVED[name][0]
            )
        shear = np.hypot(strike, dip)
        if not strength:
            return shear
        return np.divide(shear, strength[0], out=np.full_like(shear, np.nan), where=strength[0] > 0)

    def flat(self, number=1):
        """A fault, the largest first; 0 of the way along strike is its middle, and down dip its upper edge."""
        if not 1 <= number <= len(self.parts):
            refuse(
                self.path, "--fault", number, f"a number from 1 to {len(self.parts)}, the largest fault first"
            )
        faces = self.parts[number - 1]
        corner, area = self.corner[faces], area_of(self.corner[faces])
        along = (area[:, None] * self.strike[faces]).sum(axis=0)
        along /= np.linalg.norm(along)
        down = (area[:, None] * self.dip[faces]).sum(axis=0)
        down -= along * (down @ along)
        down /= np.linalg.norm(down)
        # Where the fault turns away from its mean directions a metre of it is less than one in these.
        bent = np.maximum(np.abs(self.strike[faces] @ along), 0.2)
        steep = np.maximum(np.abs(self.dip[faces] @ down), 0.2)
        centre = corner.mean(axis=1)
        ways = []
        for axis, stretch in ((along, 1 / bent), (down, 1 / steep)):
            ways.append(unrolled(centre @ axis, stretch, area)(corner @ axis))
        flat = np.stack(ways, axis=-1)
        low, high = flat.reshape(-1, 2).min(axis=0), flat.reshape(-1, 2).max(axis=0)
        origin = np.array([(low[0] + high[0]) / 2, low[1]])
        flat = flat - origin
        at_middle = np.argmin(np.linalg.norm(flat.mean(axis=1), axis=1))
        bearing = np.degrees(np.arctan2(along[0], along[1])) % 360.0
        plunge = np.degrees(np.arctan2(-down[2], np.hypot(down[0], down[1])))
        return Flat(faces, flat, float(bearing), float(plunge), float(area.sum()), centre[at_middle], along)


def places_on(flat, file, places):
    """([place, 2] where places (x, y, z) of the fault lie on it laid flat, [place] how far they are from it, m): from the nearest
    centre on."""
    centre = file.corner[flat.faces].mean(axis=1)
    _, nearest = cKDTree(centre).query(places)
    off = places - centre[nearest]
    strike, dip = file.strike[flat.faces][nearest], file.dip[flat.faces][nearest]
    ways = np.stack([(off * strike).sum(axis=1), (off * dip).sum(axis=1)], axis=-1)
    size = np.sqrt(area_of(file.corner[flat.faces]))[nearest]
    away = np.abs((off * np.cross(strike, dip)).sum(axis=1))
    beside = np.maximum(np.linalg.norm(ways, axis=1) - 2 * size, 0.0)
    return flat.centres[nearest] + ways, np.hypot(away, beside)


def rupture_times_of(path, file, flat):
    """(places [n, 2] on the fault laid flat, times s) that another file has: fault output of a run, x y z and time in text, or
    the way along strike from the middle, down dip, and time."""
    try:
        head = pathlib.Path(path).open("rb").read(8)
    except OSError as failure:
        refuse(path, None, None, f"a file that can be read ({failure.strerror})")
    if head[:3] == b"CDF" or head[1:4] == b"HDF":
        other = FaultFile(path)
        other.field("rupture_time")
        times = other.read("rupture_time", -1)
        places, away = places_on(flat, file, other.corner.mean(axis=1))
    else:
        rows = []
        for number, line in enumerate(pathlib.Path(path).read_text(errors="replace").splitlines(), 1):
            try:
                row = [float(word) for word in line.replace(",", " ").split()[:4]]
            except ValueError:
                if not rows or line.startswith("#"):  # a header
                    continue
                refuse(f"{path}:{number}", None, line.strip()[:40], "numbers")
            if len(row) >= 3:  # one number alone tells how many rows follow
                rows.append(row)
        if not rows or len({len(row) for row in rows}) != 1:
            refuse(
                path, None, None, "rows of x, y, z and time, or of the way along strike, down dip, and time"
            )
        table = np.array(rows)
        times, away = table[:, -1], np.zeros(len(table))
        if table.shape[1] == 4:
            places, away = places_on(flat, file, table[:, :3])
            times = np.where(
                times > 0.0, times, np.nan
            )  # SeisSol's 0 is what has not broken, or broke at once
        else:
            places = table[:, :2]
    # What lies on another fault, or beyond this one, is not told.
    near = away < 0.02 * np.sqrt(flat.area)
    if not near.any():
        refuse(path, "--reference", f"{away.min():.4g} m away", f"places on the fault of {file.path}")
    known = near & np.isfinite(times) & (times < 1e5)
    return places[known], times[known]
