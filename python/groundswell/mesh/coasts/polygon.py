"""The region as one or several polygons: GeoJSON, or lines of longitude and latitude."""

import dataclasses
import json
import pathlib

import numpy as np

from groundswell.errors import refuse
from groundswell.mesh import sphere

FORMS = (
    "GeoJSON with a Polygon or MultiPolygon, or lines of longitude,latitude (blank lines between polygons)"
)
LARGEST_TEXT = 50_000_000  # bytes


@dataclasses.dataclass
class Basin:
    """One polygon: rings of longitude and latitude (n, 2), degrees, longitudes running on past ±180; further rings are holes.
    level: elevation of its water (m), or None."""

    rings: list
    level: float | None = None

    def contains(self, lon, lat):
        """Whether places (degrees) lie inside; sides are straight in longitude and latitude."""
        lon, lat = np.broadcast_arrays(np.asarray(lon, float), np.asarray(lat, float))
        # By latitude, so that a side has to look at the places of its latitudes only.
        order = np.argsort(lat, axis=None, kind="stable")
        west, y = self.rings[0][:, 0].min(), lat.ravel()[order]
        x = west + np.mod(lon.ravel()[order] - west, 360.0)
        inside = np.zeros(len(y), bool)
        for ring in self.rings:
            for (x0, y0), (x1, y1) in zip(ring, np.roll(ring, -1, axis=0), strict=True):
                if y0 == y1:
                    continue
                band = slice(*np.searchsorted(y, (min(y0, y1), max(y0, y1))))
                inside[band] ^= x[band] < x0 + (y[band] - y0) / (y1 - y0) * (x1 - x0)
        found = np.zeros(lat.shape, bool)
        found.ravel()[order] = inside
        return found


@dataclasses.dataclass
class Polygons:
    basins: list
    name: str

    def contains(self, lon, lat):
        return np.logical_or.reduce([basin.contains(lon, lat) for basin in self.basins])

    def contains_points(self, points):
        """The same of unit vectors."""
        return self.contains(*np.degrees(sphere.to_lonlat(points)))

    def level(self, lon, lat, elsewhere):
        """Elevation of the water (m) at places: that of the polygon, or `elsewhere`."""
        found = np.full(np.broadcast(lon, lat).shape, float(elsewhere))
        for basin in self.basins:
            if basin.level is not None:
                found[basin.contains(lon, lat)] = basin.level
        return found

    @property
    def has_levels(self):
        return any(basin.level is not None for basin in self.basins)

    @property
    def box(self):
        """(west, east, south, north), degrees: the narrowest that holds all."""
        rings = [basin.rings[0] for basin in self.basins]
        spans = [(ring[:, 0].min(), ring[:, 0].max()) for ring in rings]

        def width(start):
            return max((west - start) % 360.0 + east - west for west, east in spans)

        west = min((start for start, _ in spans), key=width)
        east = west + width(west)
        if east - west >= 360.0:
            west, east = -180.0, 180.0
        turn = 360.0 * np.round(west / 360.0)
        south, north = min(r[:, 1].min() for r in rings), max(r[:, 1].max() for r in rings)
        return float(west - turn), float(east - turn), float(south), float(north)


def read_polygons(path):
    """The Polygons of a file. Raises Refusal, with file, place and value, where it holds none."""
    try:
        if pathlib.Path(path).stat().st_size > LARGEST_TEXT:
            refuse(path, None, None, f"{FORMS}, of at most {LARGEST_TEXT // 1_000_000} MB")
        text = pathlib.Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as failure:
        refuse(path, None, None, f"a text that can be read ({failure})")
    basins = _geojson(path, text) if text.lstrip().startswith("{") else _lines(path, text)
    if not basins:
        refuse(path, None, None, FORMS)
    return Polygons(basins, pathlib.Path(path).name)


def _geojson(path, text):
    try:
        root = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as failure:
        refuse(path, None, None, f"JSON ({failure})")
    features = root.get("features") if root.get("type") == "FeatureCollection" else [root]
    if not isinstance(features, list):
        refuse(path, "features", features, "a list")
    basins = []
    for number, feature in enumerate(features):
        where = f"features[{number}]"
        if not isinstance(feature, dict):
            refuse(path, where, feature, "a feature")
        shape = feature.get("geometry") if feature.get("type") == "Feature" else feature
        kind = shape.get("type") if isinstance(shape, dict) else None
        if kind not in ("Polygon", "MultiPolygon"):
            refuse(path, f"{where}.type", kind, "Polygon or MultiPolygon")
        level = (feature.get("properties") or {}).get("level") if feature.get("type") == "Feature" else None
        if level is not None and (isinstance(level, bool) or not isinstance(level, int | float)):
            refuse(path, f"{where}.properties.level", level, "the elevation of the water in metres")
        if level is not None and not -12000 <= level <= 9000:
            refuse(path, f"{where}.properties.level", level, "an elevation in metres, −12000…9000")
        coordinates = shape.get("coordinates")
        polygons = [coordinates] if kind == "Polygon" else coordinates
        if not isinstance(polygons, list) or not all(isinstance(rings, list) and rings for rings in polygons):
            refuse(path, f"{where}.coordinates", coordinates, "rings of [longitude, latitude]")
        for rings in polygons:
            outer = _ring(path, where, rings[0])
            holes = [_beside(_ring(path, where, ring), outer) for ring in rings[1:]]
            basins.append(Basin([outer, *holes], level))
    return basins


def _lines(path, text):
    basins, ring = [], []
    lines = text.splitlines()
    for number, line in enumerate([*lines, ""], start=1):
        words = line.split("#")[0].replace(",", " ").replace(";", " ").split()
        if words and words[0] != ">":
            try:
                lon, lat = (float(word) for word in words)
            except ValueError:
                if number == 1:  # a head
                    continue
                refuse(f"{path}:{number}", None, None, f"longitude,latitude, not {line.strip()!r}")
            ring.append([lon, lat])
        elif (not line.strip() or words) and ring:
            basins.append(Basin([_ring(f"{path}:{number}", "polygon", ring)]))
            ring = []
    return basins


def _ring(path, where, places):
    """Corners (n, 2), without the one that repeats the first, longitudes made continuous."""
    try:
        ring = np.array([[float(x) for x in place[:2]] for place in places])
    except (TypeError, ValueError):
        ring = np.zeros((0, 2))
    if ring.ndim != 2 or ring.shape[-1:] != (2,) or len(ring) < 3:
        refuse(path, where, f"{len(places) if isinstance(places, list) else places}", "three corners or more")
    wrong = ~(np.isfinite(ring).all(axis=1) & (np.abs(ring[:, 0]) <= 360) & (np.abs(ring[:, 1]) <= 90))
    if wrong.any():
        refuse(
            path,
            where,
            ring[wrong][0].tolist(),
            "longitude and latitude within ±360 and ±90 degrees, in that order",
        )
    if (ring[0] == ring[-1]).all():
        ring = ring[:-1]
    steps = np.diff(ring[:, 0], append=ring[0, 0])
    turns = np.where(np.abs(steps) > 180, np.round(steps / 360.0), 0)
    if turns.sum():
        refuse(path, where, f"{len(ring)} corners", "a polygon that does not go round a pole")
    ring[1:, 0] -= 360.0 * np.cumsum(turns)[:-1]
    if len(ring) < 3 or np.ptp(ring[:, 0]) == 0 or np.ptp(ring[:, 1]) == 0:
        refuse(path, where, f"{len(ring)} corners", "a polygon with an area")
    return ring


def _beside(ring, outer):
    ring[:, 0] += 360.0 * np.round((outer[:, 0].mean() - ring[:, 0].mean()) / 360.0)
    return ring
