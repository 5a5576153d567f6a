"""A request for a mesh of the ground: read from a TOML file, checked before any work starts."""

import dataclasses
import pathlib

import numpy as np

from groundswell.errors import refuse, refuse_unknown
from groundswell.ground.faults import Fault, Unfit, below_trace, polygon, read_tsurf
from groundswell.ground.projection import MOST_BEND, Projection
from groundswell.ground.reading import Values, check_keys
from groundswell.ground.relief import NoRelief, read_relief
from groundswell.toml_file import read_toml_file

# Longest edges in the shortest wave, by order: docs/reference/earthquakes.md, "How fine a mesh must be".
EDGES_PER_WAVELENGTH = {2: 7.5, 3: 2.6, 4: 1.39, 5: 0.91, 6: 0.68, 7: 0.55}
FAULT_TAGS = (3, *range(65, 101))  # of boundaries at which rock may slip

KEYS = {
    "projection": ("longitude", "latitude", "proj"),
    "region": ("west", "east", "south", "north", "x", "y", "depth", "sea"),
    "relief": ("file", "variable", "fade_depth", "interpolation"),
    "size": ("frequency", "order", "edges_per_wavelength", "finest", "coarsest", "gradation"),
    "mesh": ("output", "worst_quality"),
    "layer": ("name", "bottom", "vp", "vs", "size"),
    "fault": ("name", "tag", "trace", "trace_degrees", "dip", "top", "bottom", "corners", "corners_degrees", "triangles", "size"),
    "refine": ("at", "at_degrees", "size", "within"),
}  # fmt: skip
LISTS = ("layer", "fault", "refine")


@dataclasses.dataclass
class Layer:
    """bottom: of flat places, m below the surface; slowest: speed of the waves that set its elements, m/s, or None."""

    name: str
    bottom: float
    slowest: float | None
    size: float | None


@dataclasses.dataclass
class Refinement:
    """Elements of `size` m within `within` m of the places (n, 3), which are flat."""

    at: np.ndarray
    size: float
    within: float


@dataclasses.dataclass
class Sizes:
    """frequency, Hz, is what all elements are to carry, or None; lengths in m."""

    frequency: float | None
    edges_per_wavelength: float
    finest: float
    coarsest: float
    gradation: float


@dataclasses.dataclass
class GroundRequest:
    """x, y: from and to, m; depth of the box, m; whether the first layer is water. Layers from the top down, the last down to
    that depth."""

    where: str
    projection: Projection | None
    x: tuple
    y: tuple
    depth: float
    sea: bool
    relief: object
    layers: list
    faults: list
    refinements: list
    sizes: Sizes
    worst_quality: float
    output: pathlib.Path


def read_toml(path):
    """The tables of a request; unknown ones are refused."""
    tables = read_toml_file(path)
    for name, value in tables.items():
        if name in LISTS:
            if not isinstance(value, list):
                refuse(path, name, "a table", f"tables of a list, [[{name}]]")
            for number, table in enumerate(value):
                check_keys(path, f"{name}.{number}", table, KEYS[name])
        elif name in KEYS:
            check_keys(path, name, value, KEYS[name])
        elif name not in ("model", "title"):
            refuse_unknown(path, name, ["model", "title", *KEYS])
    return tables


def scale_sizes(tables, factor):
    """Makes all elements of a request so many times as long."""
    for table in tables.get("refine", []):
        if isinstance(table.get("size"), (int, float)):
            table.setdefault("within", 2.0 * table["size"])
    for name in LISTS:
        for table in tables.get(name, []):
            _scale(table, ("size",), factor)
    size = tables.get("size", {})
    _scale(size, ("coarsest", "finest"), factor)
    _scale(size, ("frequency",), 1.0 / factor)


def _scale(table, keys, factor):
    # What is no number is refused by whoever reads it.
    for key in keys:
        if isinstance(table.get(key), (int, float)):
            table[key] *= factor


def make_request(where, tables, folder):
    """Check the tables of the file `where` and turn them into a GroundRequest. Paths are relative to `folder`."""
    section = {
        name: Values(where, name, tables.get(name, {}), KEYS[name]) for name in KEYS if name not in LISTS
    }
    listed = {
        name: [
            Values(where, f"{name}.{i}", table, KEYS[name]) for i, table in enumerate(tables.get(name, []))
        ]
        for name in LISTS
    }
    projection = _projection(section["projection"])
    x, y = _region(section["region"], projection)
    depth = section["region"].positive("depth", None, "a depth > 0 in m")
    if projection is not None:
        bend = projection.bend(*np.meshgrid(np.linspace(*x, 21), np.linspace(*y, 21)))
        if not bend <= MOST_BEND:
            refuse(
                where,
                "region",
                f"{x[0]:g}…{x[1]:g} m east of the projection's origin",
                f"a region that the projection bends by no more than {MOST_BEND:.1%}: lengths are wrong by up to "
                f"{bend:.2%} there; an origin in its middle, or a smaller region",
            )
    sea = section["region"].choice("sea", False, (False, True))
    sizes = _sizes(section["size"], x, y, depth)
    layers = _layers(where, listed["layer"], depth, sizes)
    if sea and (len(layers) < 2 or listed["layer"][0].values.get("vs") != 0):
        section["region"].refuse("sea", "two [[layer]] or more, the first of them water, with vs = 0")
    relief = NoRelief()
    if "relief" in tables:
        thickness = layers[0].bottom if sea else 0.0
        relief = read_relief(where, section["relief"], projection, x, y, depth, folder, thickness)
    mesh = section["mesh"]
    faults = _faults(listed["fault"], projection, folder)
    request = GroundRequest(
        where=str(where),
        projection=projection,
        x=x,
        y=y,
        depth=depth,
        sea=sea,
        relief=relief,
        layers=layers,
        faults=faults,
        refinements=[_refinement(entry, projection, relief) for entry in listed["refine"]],
        sizes=sizes,
        worst_quality=mesh.number(
            "worst_quality", 0.05, "a quality of 0…0.3", lambda value: 0 <= value <= 0.3
        ),
        output=folder / str(mesh.values.get("output", "ground.msh")),
    )
    _inside(request)
    return request


def _projection(table):
    if not table.values:
        return None
    if "proj" in table.values:
        words = table.text("proj")
        if "longitude" in table.values or "latitude" in table.values:
            table.refuse("proj", "either proj, or longitude and latitude")
        return Projection.from_words(table.where, words)
    longitude = table.number("longitude", None, "degrees east, −360…360", lambda v: -360 <= v <= 360)
    latitude = table.number("latitude", None, "degrees north, −90…90", lambda v: -90 <= v <= 90)
    return Projection(longitude, latitude)


def _region(table, projection):
    if "x" in table.values or "y" in table.values:
        return tuple(table.pair(key, "[from, to] in m, from < to") for key in ("x", "y"))
    west = table.number("west", None, "degrees east (or x and y in m)", lambda v: -360 <= v <= 360)
    east = table.number("east", None, "degrees east", lambda v: west < v <= west + 90)
    south = table.number("south", None, "degrees north", lambda v: -89 <= v <= 89)
    north = table.number("north", None, "degrees north, more than south", lambda v: south < v <= 89)
    if projection is None:
        table.refuse("west", "a section [projection], which turns degrees into metres")
    longitude, latitude = np.meshgrid(np.linspace(west, east, 51), np.linspace(south, north, 51))
    x, y = projection.metres(longitude.ravel(), latitude.ravel())
    if not (np.isfinite(x).all() and np.isfinite(y).all()):
        table.refuse("west", "a region within 80° of the projection's origin")
    # The box inside the region: places within it are within these degrees, so relief of the region covers it.
    low, high = x.reshape(51, 51)[:, 0].max(), x.reshape(51, 51)[:, -1].min()
    bottom, top = y.reshape(51, 51)[0].max(), y.reshape(51, 51)[-1].min()
    return (float(np.ceil(low)), float(np.floor(high))), (float(np.ceil(bottom)), float(np.floor(top)))


def _sizes(table, x, y, depth):
    frequency = table.optional("frequency", "a frequency > 0 in Hz")
    order = table.whole("order", 4, 2)
    if order not in EDGES_PER_WAVELENGTH:
        table.refuse("order", "2 to 7")
    edges = table.positive("edges_per_wavelength", EDGES_PER_WAVELENGTH[order])
    usual = min(x[1] - x[0], y[1] - y[0], depth) / 3.0
    coarsest = table.positive("coarsest", usual, "a length > 0 in m")
    finest = table.number(
        "finest", 0.0, "a length ≥ 0 in m, no more than coarsest", lambda v: 0 <= v <= coarsest
    )
    gradation = table.number("gradation", 0.25, "a gradation > 0 and ≤ 0.5, m per m", lambda v: 0 < v <= 0.5)
    return Sizes(frequency, edges, finest, coarsest, gradation)


def _layers(where, entries, depth, sizes):
    layers, above = [], 0.0
    for number, entry in enumerate(entries):
        last = number == len(entries) - 1
        bottom = depth if last else None
        expected = f"a depth in m below the {above:g} m above it and above the mesh's {depth:g} m"
        bottom = entry.number("bottom", bottom, expected, lambda v, above=above: above < v <= depth)
        if last and bottom != depth:
            entry.refuse(
                "bottom", f"none, or {depth:g} m: the last layer goes down to the bottom of the mesh"
            )
        vp = entry.optional("vp", "a speed > 0 in m/s")
        vs = entry.optional("vs", "a speed ≥ 0 in m/s", lambda v: v >= 0)
        slowest = vs or vp
        if sizes.frequency and slowest is None:
            entry.refuse("vs", "a speed of S waves (vp where there are none), for size.frequency")
        name = entry.text("name", f"layer {number + 1}")
        if name in [layer.name for layer in layers]:
            entry.refuse("name", "a name that no other layer has")
        layers.append(Layer(name, bottom, slowest, entry.optional("size", "a length > 0 in m")))
        above = bottom
    if not layers and sizes.frequency:
        refuse(
            where,
            "size.frequency",
            sizes.frequency,
            "one or more [[layer]] with vs, which says how long waves are",
        )
    return layers or [Layer("ground", depth, None, None)]


def _faults(entries, projection, folder):
    faults = []
    for number, entry in enumerate(entries):
        tag = entry.whole("tag", 3 if len(entries) == 1 else min(65 + number, 100), 3)
        if tag not in FAULT_TAGS:
            entry.refuse("tag", "3, or 65 to 100")
        given = [
            key
            for key in ("trace", "trace_degrees", "corners", "corners_degrees", "triangles")
            if key in entry.values
        ]
        kind = given[0] if given else "trace"
        others = ("dip", "top", "bottom") if not kind.startswith("trace") else ()
        for key in (*given[1:], *(key for key in others if key in entry.values)):
            entry.refuse(key, "either a trace with dip, top and bottom, or corners, or a file of triangles")
        try:
            pieces = _pieces(entry, kind, projection, folder)
        except Unfit as unfit:
            entry.refuse(kind, unfit.expected, unfit.found)
        name = entry.text("name", f"fault {number + 1}")
        faults.append(Fault(name, tag, entry.optional("size", "a length > 0 in m"), pieces))
    return faults


def _pieces(entry, kind, projection, folder):
    if kind == "triangles":
        return read_tsurf(folder / entry.text("triangles"))
    if kind.startswith("corners"):
        return [polygon(entry.places("corners", (3,), 3, projection))]
    trace = entry.places("trace", (2,), 2, projection)
    dip = entry.number("dip", 90.0, "degrees, > 5 and ≤ 90", lambda v: 5 < v <= 90)
    top = entry.number("top", 0.0, "a depth ≥ 0 in m", lambda v: v >= 0)
    bottom = entry.number("bottom", None, "a depth in m, more than top", lambda v: v > top)
    return below_trace(trace, dip, top, bottom)


def _refinement(entry, projection, relief):
    places = entry.places("at", (2, 3), 1, projection)
    flat = []
    for x, y, *z in places:
        flat.append([x, y, float(relief.unwarp(x, y, z[0])) if z else 0.0])
    size = entry.positive("size", None, "a length > 0 in m")
    within = entry.number("within", 2.0 * size, "a distance ≥ 0 in m", lambda v: v >= 0)
    return Refinement(np.array(flat), size, within)


def _inside(request):
    """Faults end in the box, and places of refinement lie in it."""
    low = np.array([request.x[0], request.y[0], -request.depth])
    high = np.array([request.x[1], request.y[1], 0.0])
    slack = 1e-9 * (high - low).max()
    for number, fault in enumerate(request.faults):
        corners = np.concatenate(fault.pieces)
        out = np.maximum(low - corners, corners - high)
        worst = np.unravel_index(int(np.argmax(out)), out.shape)
        if out[worst] > slack:
            place = ", ".join(f"{value:.0f}" for value in corners[worst[0]])
            refuse(
                request.where,
                f"fault.{number}",
                f"{fault.name} reaches ({place}) m",
                f"a fault inside the mesh, {_box_text(low, high)}: it goes {out[worst]:.0f} m beyond it",
            )
    for number, refinement in enumerate(request.refinements):
        out = np.maximum(low - refinement.at, refinement.at - high).max(axis=1)
        if out.max() > max(slack, 1.0):
            place = ", ".join(f"{value:.0f}" for value in refinement.at[int(np.argmax(out))])
            refuse(
                request.where,
                f"refine.{number}.at",
                f"({place}) m",
                f"places in the mesh, {_box_text(low, high)}",
            )


def _box_text(low, high):
    return " × ".join(f"{a:g}…{b:g}" for a, b in zip(low, high)) + " m"
