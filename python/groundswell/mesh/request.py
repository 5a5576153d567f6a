"""A request for a mesh: read from mesh.toml and the command line, checked before any work starts."""

import dataclasses
import pathlib

import numpy as np

from groundswell.errors import refuse, refuse_unknown
from groundswell.mesh import sphere
from groundswell.mesh.coasts.polygon import Polygons, read_polygons
from groundswell.mesh.spacing import SpacingRule
from groundswell.toml_file import read_toml_file

LARGEST = 1e12  # of any number of a request: far beyond the Earth in metres
KINDS = ("file", "uniform", "beach")
SECTIONS = {
    "bathymetry": ("kind", "file", "variable", "level", "missing", "depth", "slope_km"),
    "region": ("west", "east", "south", "north", "centre", "size_km", "polygon"),
    "spacing": ("finest_km", "coarsest_km", "growth", "band_km", "long_wave_seconds", "gradation"),
    "mesh": (
        "output",
        "icosahedron",
        "iterations",
        "seed",
        "wet_share",
        "smallest_sea",
        "obstruction",
        "reef_depth",
    ),
}
SPACING_WORDS = {
    "finest": "finest_km",
    "coarsest": "coarsest_km",
    "growth": "growth",
    "band": "band_km",
    "long_wave": "long_wave_seconds",
    "gradation": "gradation",
}


@dataclasses.dataclass
class MeshRequest:
    """region: (west, east, south, north) in degrees with east > west, or None for the whole sphere; polygons: of it what lies in
    them, or None; depth, slope and reef_depth in m; obstruction: whether to find what islands smaller than a cell let through.
    """

    where: str
    kind: str
    file: pathlib.Path | None
    variable: str | None
    level: float
    missing: float | None
    depth: float
    slope: float
    region: tuple | None
    polygons: Polygons | None
    rule: SpacingRule | None
    icosahedron: int
    iterations: int
    seed: int
    wet_share: float
    smallest_sea: int
    obstruction: bool
    reef_depth: float
    output: pathlib.Path


def read_toml(path):
    """The tables of a mesh.toml; unknown sections and keys are refused."""
    tables = read_toml_file(path)
    for section, table in tables.items():
        if section not in SECTIONS:
            refuse_unknown(path, section, list(SECTIONS))
        if not isinstance(table, dict):
            refuse(path, section, table, "a table")
        for key, value in table.items():
            if key not in SECTIONS[section]:
                refuse_unknown(path, f"{section}.{key}", SECTIONS[section], value)
    return tables


def parse_region(text, where="--region"):
    try:
        west, east, south, north = (float(part) for part in text.split(","))
    except ValueError:
        refuse("command line", where, text, "west,east,south,north in degrees, such as 105,127,8,26")
    return {"west": west, "east": east, "south": south, "north": north}


def parse_spacing(text):
    """`--spacing 25` or `--spacing finest=10,coarsest=60,growth=0.1,band=20,long_wave=300` (km and seconds)."""
    table = {}
    for part in text.split(","):
        name, equals, value = part.partition("=")
        name, value = (name.strip(), value) if equals else ("finest", name)
        if name not in SPACING_WORDS:
            refuse_unknown("command line", f"--spacing {name}", list(SPACING_WORDS), value)
        try:
            table[SPACING_WORDS[name]] = float(value)
        except ValueError:
            refuse("command line", f"--spacing {name}", value, "a number")
    return table


class Table:
    """Reads typed values of one section, naming file, key and value where one does not fit."""

    def __init__(self, where, name, values):
        self.where, self.name, self.values = where, name, values

    def number(self, key, default, expected, good):
        value = self.values.get(key, default)
        if (
            isinstance(value, bool)
            or not isinstance(value, int | float)
            or not abs(value) <= LARGEST
            or not good(value)
        ):
            refuse(self.where, f"{self.name}.{key}", value if value is not None else "(missing)", expected)
        return float(value)

    def whole(self, key, default, low):
        value = self.values.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int) or value < low:
            refuse(self.where, f"{self.name}.{key}", value, f"a whole number of at least {low}")
        return value


def make_request(where, tables, folder):
    """Check the tables (of a file or of the command line; `where` names it) and turn them into a MeshRequest.

    Paths of the tables are relative to `folder`.
    """
    tables = {name: tables.get(name, {}) for name in SECTIONS}
    section = {name: Table(where, name, table) for name, table in tables.items()}
    icosahedron = section["mesh"].whole("icosahedron", 0, 0)
    bathymetry = tables["bathymetry"]
    kind = bathymetry.get("kind", "file" if "file" in bathymetry or "depth" not in bathymetry else "uniform")
    if kind not in KINDS:
        refuse(where, "bathymetry.kind", kind, f"one of {', '.join(KINDS)}")
    if kind == "file" and "file" not in bathymetry:
        refuse(
            where,
            "bathymetry.file",
            "(missing)",
            'a NetCDF file of elevation or depth, or kind = "uniform" with a depth',
        )
    depth = slope = 0.0
    if kind != "file":
        depth = section["bathymetry"].number("depth", None, "a depth > 0 in metres", lambda v: v > 0)
    if kind == "beach":
        slope = 1000 * section["bathymetry"].number("slope_km", None, "a length > 0 in km", lambda v: v > 0)
    region, polygons = dict(tables["region"]), None
    if "polygon" in region:
        polygons = read_polygons(folder / str(region.pop("polygon")))
    region = _region(where, section["region"], region) if region or not polygons else polygons.box
    if polygons and polygons.has_levels and kind != "file":
        refuse(where, "region.polygon", polygons.name, "polygons without a level where there is one depth")
    obstruction = tables["mesh"].get("obstruction", False)
    if not isinstance(obstruction, bool):
        refuse(where, "mesh.obstruction", obstruction, "true or false")
    if obstruction and kind != "file":
        refuse(where, "mesh.obstruction", "true", "a bathymetry file, which has islands")
    if kind == "beach" and region is None:
        refuse(where, "region", "(missing)", "a region: the waterline lies on its eastern side")
    if icosahedron and region is not None:
        refuse(where, "region", _text(region), "no region, because an icosahedral mesh covers the sphere")
    if icosahedron and tables["spacing"]:
        refuse(where, "spacing", tables["spacing"], "no spacing rule: mesh.icosahedron sets the spacing")
    return MeshRequest(
        where=where,
        kind=kind,
        file=folder / str(bathymetry["file"]) if kind == "file" else None,
        variable=bathymetry.get("variable"),
        level=section["bathymetry"].number(
            "level", 0.0, "an elevation in metres, −12000…9000", lambda v: -12000 <= v <= 9000
        ),
        missing=section["bathymetry"].number("missing", 0.0, "a number", np.isfinite)
        if "missing" in bathymetry
        else None,
        depth=depth,
        slope=slope,
        region=region,
        polygons=polygons,
        rule=None if icosahedron else _rule(section["spacing"]),
        icosahedron=icosahedron,
        iterations=section["mesh"].whole("iterations", 40, 1),
        seed=section["mesh"].whole("seed", 1, 0),
        wet_share=section["mesh"].number("wet_share", 0.5, "a share > 0 and ≤ 1", lambda v: 0 < v <= 1),
        smallest_sea=section["mesh"].whole("smallest_sea", 20, 1),
        obstruction=obstruction,
        reef_depth=section["mesh"].number(
            "reef_depth", 0.0, "a depth in metres, 0…100", lambda v: 0 <= v <= 100
        ),
        output=folder / str(tables["mesh"].get("output", "mesh.nc")),
    )


def _text(region):
    return ",".join(f"{v:g}" for v in region)


def _region(where, reader, table):
    if not table:
        return None
    if "centre" in table or "size_km" in table:
        centre, size = table.get("centre"), table.get("size_km")
        for key, value in (("centre", centre), ("size_km", size)):
            if not (
                isinstance(value, list) and len(value) == 2 and all(isinstance(v, int | float) for v in value)
            ):
                refuse(
                    where,
                    f"region.{key}",
                    value,
                    "two numbers, such as centre = [0.0, 0.0] and size_km = [6.0, 4.0]",
                )
        half_y = np.degrees(500 * size[1] / sphere.EARTH_RADIUS)
        half_x = np.degrees(500 * size[0] / sphere.EARTH_RADIUS) / np.cos(np.radians(centre[1]))
        table = {
            "west": centre[0] - half_x,
            "east": centre[0] + half_x,
            "south": centre[1] - half_y,
            "north": centre[1] + half_y,
        }
        reader = Table(where, "region", table)
    west = reader.number("west", None, "degrees east, −360…360", lambda v: -360 <= v <= 360)
    east = reader.number("east", None, "degrees east, −360…360", lambda v: -360 <= v <= 360)
    south = reader.number("south", None, "degrees north, −90…90", lambda v: -90 <= v <= 90)
    north = reader.number("north", None, "degrees north, −90…90", lambda v: -90 <= v <= 90)
    if north <= south:
        refuse(where, "region", _text((west, east, south, north)), "west,east,south,north with south < north")
    if east == west:
        refuse(where, "region", _text((west, east, south, north)), "west,east,south,north with west ≠ east")
    if east < west:
        east += 360.0
    if east - west >= 360.0 and south <= -90.0 and north >= 90.0:
        return None
    return west, min(east, west + 360.0), south, north


def _rule(reader):
    def positive(value):
        return value > 0

    finest = 1000 * reader.number("finest_km", None, "a spacing > 0 in km", positive)
    coarsest = 1000 * reader.number(
        "coarsest_km",
        finest / 1000,
        f"a spacing ≥ the finest, {finest / 1000:g} km",
        lambda v: 1000 * v >= finest,
    )
    return SpacingRule(
        finest,
        coarsest,
        reader.number("growth", 0.1, "a growth > 0, km per km", positive),
        1000 * reader.number("band_km", 0.0, "a width ≥ 0 in km", lambda v: v >= 0),
        reader.number("long_wave_seconds", 0.0, "a time ≥ 0", lambda v: v >= 0),
        reader.number("gradation", 0.15, "a gradation > 0 and ≤ 0.3, km per km", lambda v: 0 < v <= 0.3),
    )
