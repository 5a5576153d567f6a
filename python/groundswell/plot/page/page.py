"""Contents of a page, from a map file and files of points; page.html draws it."""

import json
import pathlib

import numpy as np
from matplotlib.colors import to_hex

from groundswell.errors import refuse
from groundswell.plot import chart
from groundswell.plot.coast import BEYOND
from groundswell.plot.page.pack import packed, packed_values
from groundswell.plot.page.raster import cells_of_pixels, size_of
from groundswell.plot.scale import CALM, make_scale
from groundswell.plot.source import iso
from groundswell.plot.stations import SpectrumFile
from groundswell.whole_files import write_text

TEMPLATE = pathlib.Path(__file__).with_name("page.html")
MARK = "/*DATA*/"  # in the template
LARGEST = 2_000_000_000  # bytes of values before compression: beyond, a browser would not open the page


def make_page(file, path, fields=None, every=1, points=(), track=None, places=None, progress=None):
    """Writes the page; returns what is in it, for JSON. `fields`: names, all of the file by default; `every`: each so many-th record;
    `points`: PointFiles, of which those of spectra are drawn as such."""
    names = [file.field(name, "--fields").name for name in fields or list(file.fields)]
    records = list(range(0, len(file.times), every))
    need = 2 * len(names) * len(records) * len(file.shape.lon)
    if need > LARGEST:
        refuse(
            "command line",
            "--every",
            every,
            f"fewer records or --fields: a page has {need / 1e9:.1f} GB of values, at most 2",
        )
    size = size_of(file.shape)
    data = {
        "title": file.title,
        "origin": "; ".join([file.origin, *(f"wind: {wind}" for wind in file.made_winds)]),
        "start": iso(file.start),
        "times": [iso(file.times[record]) for record in records],
        "size": size,
        "extent": [float(edge) for edge in file.shape.extent],
        "land": chart_colour(chart.LAND),
        "outside": chart_colour(BEYOND),
        "calm": to_hex(CALM),
        "cells": packed(cells_of_pixels(file.shape, size)),
        "lon": packed(np.asarray((file.shape.lon + 180.0) % 360.0 - 180.0, np.float32)),
        "lat": packed(np.asarray(file.shape.lat, np.float32)),
        "fields": [],
        "stations": [],
        "track": track_of(track, file),
        "places": [{"name": name, "lon": x, "lat": y} for name, x, y in places_of(places, file)],
    }
    for number, name in enumerate(names, 1):
        values = np.stack(list(file.each(name, records)))
        data["fields"].append(field_of(file.field(name), values, file.shape.seen()))
        if progress:
            progress(f"field {number} of {len(names)}")
    for one in points:
        data["stations"] += stations_of(one)
    whole = TEMPLATE.read_text(encoding="utf-8").replace(
        MARK, f"const RUN = {json.dumps(data)};".replace("</", "<\\/"), 1
    )
    write_text(path, whole)
    return {
        "fields": names,
        "records": len(records),
        "first": data["times"][0],
        "last": data["times"][-1],
        "stations": [station["name"] for station in data["stations"]],
    }


def chart_colour(grey):
    return to_hex(str(grey))


def field_of(field, values, seen):
    """A field's values with its words and colours; the scale is that of all records."""
    shown = values[:, seen]
    known = shown[np.isfinite(shown)]
    low, high = (float(known.min()), float(known.max())) if known.size else (np.nan, np.nan)
    scale = make_scale(low, high, None, field.bearing, field.name)
    edges = [float(edge) for edge in scale.norm.boundaries]
    middles = [(a + b) / 2 for a, b in zip(edges, edges[1:])]
    return {
        "name": field.name,
        "long_name": field.long_name,
        "unit": field.unit,
        "bearing": field.bearing,
        "edges": edges,
        "colours": [to_hex(scale.colours(scale.norm(middle))) for middle in middles],
        "labels": scale.labels and dict(zip(map(float, scale.ticks), scale.labels)),
        **packed_values(values),
    }


def track_of(track, file):
    """The storm's fixes, on the map's longitudes."""
    if track is None:
        return []
    return [
        {"time": iso(t), "lon": float(x), "lat": float(y)}
        for t, x, y in zip(track.times, track.lon, track.lat)
    ]


def places_of(places, file):
    """(name, longitude, latitude) of the places that are on the map."""
    west, east, south, north = file.shape.extent
    if places is None:
        return
    for name, lon, lat in zip(places.names, places.lon, places.lat):
        lon = west + (float(lon) - west) % 360.0
        if lon <= east and south <= lat <= north:
            yield name, lon, float(lat)


def stations_of(file):
    """The points of a file with their series, or their spectra."""
    found = []
    spectra = isinstance(file, SpectrumFile)
    for index, name in enumerate(file.names):
        one = {
            "name": name,
            "lon": float(file.lon[index]),
            "lat": float(file.lat[index]),
            "times": [iso(time) for time in file.times],
            "series": [],
        }
        for field in file.fields.values():
            if not spectra:
                values = file.series(field.name)[:, index]
                one["series"].append(
                    {
                        "name": field.name,
                        "long_name": field.long_name,
                        "unit": field.unit,
                        **packed_values(values),
                    }
                )
        if spectra:
            drawn = [file.spectrum(index, record) for record in range(len(file.times))]
            one["spectrum"] = {
                "frequency": drawn[0].frequency.tolist(),
                "bearing": drawn[0].bearing.tolist(),
                # Decades below the highest are what is drawn: the logarithm is what is kept.
                **packed_values(np.log10(np.maximum(np.stack([s.density for s in drawn]), 1e-12))),
            }
        found.append(one)
    return found
