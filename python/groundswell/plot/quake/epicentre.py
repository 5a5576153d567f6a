"""Where an earthquake began, as the command line says it: `1200,-300` in m, or `121.6E,24.0N`."""

import math
import re

from groundswell.errors import refuse

DEGREES = re.compile(r"\s*([\d.]+)\s*°?\s*([EWNS])\s*$")
EXPECTED = "x,y in m, such as 1200,-300, or a place such as 121.6E,24.0N"


def parse(text, option="--epicentre"):
    """("metres", x, y) or ("degrees", longitude, latitude)."""
    parts = text.split(",")
    found = [DEGREES.match(part) for part in parts]
    try:
        if len(parts) != 2:
            raise ValueError
        if all(found):
            signed = {
                "lon" if m[2] in "EW" else "lat": (-1.0 if m[2] in "WS" else 1.0) * float(m[1]) for m in found
            }
            lon, lat = signed["lon"], signed["lat"]
            if abs(lon) <= 360.0 and abs(lat) <= 90.0:
                return "degrees", lon, lat
        else:
            x, y = (float(part) for part in parts)
            if math.isfinite(x) and math.isfinite(y):
                return "metres", x, y
    except (ValueError, KeyError):
        pass
    refuse("command line", option, text, EXPECTED)


def in_metres(text, path, projection):
    """(x, y) in m, by the file's projection in PROJ's words (None where it has none)."""
    if text is None:
        return None
    kind, first, second = parse(text)
    if kind == "metres":
        return first, second
    if not projection:
        refuse(path, "--epicentre", text, "x,y in m: the file has no projection")
    try:
        import pyproj
    except ImportError:
        refuse("command line", "--epicentre", text, "x,y in m, or the Python package pyproj for degrees")
    return tuple(float(value) for value in pyproj.Proj(projection)(first, second))
