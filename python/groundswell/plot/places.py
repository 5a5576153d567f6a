"""Names on a map: cities of a table, or the points of a file that the model wrote."""

import csv
import dataclasses

import numpy as np

from groundswell.errors import refuse
from groundswell.plot.shape import turn


@dataclasses.dataclass
class Places:
    names: list
    lon: np.ndarray  # degrees
    lat: np.ndarray


def read_places(path):
    """A CSV file with the columns name, lat, lon (more are welcome; # begins a remark), or a NetCDF file of points."""
    if str(path).endswith(".nc"):
        from groundswell.plot.stations import PointFile

        points = PointFile(path)
        return Places(points.names, points.lon, points.lat)
    try:
        with open(path, encoding="utf-8-sig", newline="") as lines:
            rows = [(n, row) for n, row in enumerate(csv.reader(lines), 1) if any(row) and row[0][:1] != "#"]
    except (OSError, UnicodeDecodeError) as failure:
        reason = getattr(failure, "strerror", None) or failure
        refuse(path, None, None, f"a table of places, .csv, or points, .nc, that can be read ({reason})")
    columns = [name.strip() for name in rows[0][1]] if rows else []
    for name in ("name", "lat", "lon"):
        if name not in columns:
            refuse(path, name, "(missing)", "a table with columns name, lat, lon")
    names, lon, lat = [], [], []
    for number, row in rows[1:]:
        entry = {name: value.strip() for name, value in zip(columns, row)}
        names.append(entry.get("name", ""))
        for name, into, most in (("lon", lon, 360.0), ("lat", lat, 90.0)):
            try:
                into.append(float(entry.get(name, "")))
            except ValueError:
                refuse(f"{path}:{number}", name, entry.get(name, "(missing)"), "degrees")
            if not abs(into[-1]) <= most:
                refuse(f"{path}:{number}", name, entry[name], f"degrees, −{most:g} to {most:g}")
    return Places(names, np.array(lon), np.array(lat))


def add_places(axes, layer, places, size=8.5):
    """A dot and a name for each place inside the map; a name that finds no room is left out with its dot."""
    west, east = axes.get_xlim()
    south, north = axes.get_ylim()
    middle = (west + east) / 2
    shown = []
    for name, lon, lat in zip(places.names, turn(places.lon, middle - 180.0), places.lat):
        if not (west < lon < east and south < lat < north):
            continue
        layer.keep_round(lon, lat, 2.0)
        if layer.put(lon, lat, name, must=False, size=size, color="0.1", zorder=6.5) is None:
            layer.taken.pop()
            continue
        axes.plot(
            lon,
            lat,
            "s",
            markersize=3.2,
            color="0.1",
            markeredgecolor="white",
            markeredgewidth=0.6,
            zorder=6.4,
        )
        shown.append(name)
    return shown
