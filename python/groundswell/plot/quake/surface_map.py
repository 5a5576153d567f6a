"""`plot map` and `plot panels` of an earthquake's surface: motion at a time, at several, its highest value, peaks, intensity."""

import math
import re

import numpy as np
from matplotlib.figure import Figure

from groundswell.errors import refuse
from groundswell.plot.labels import Layer, fit
from groundswell.plot.quake import colours, intensity, sheet
from groundswell.plot.source import place_text, three_figures, unit_text

SIGNED = re.compile(
    r"[uva][xyz]|s[xyz]{2}|eta"
)  # displacement, velocity, acceleration, stress: to both sides of 0


def is_signed(name):
    return SIGNED.fullmatch(name) is not None


def scale_of(file, name, values, limits=None):
    """The Scale of these values of a field, [face] or [record, face]."""
    field = file.field(name)
    if name == "intensity":
        return colours.of_intensity()
    if name in file.peaks or (name in file.still and not is_signed(name)):
        return colours.of_peaks(values, field.unit, limits)
    return colours.of_motion(values, limits, is_signed(name), field.unit)


def seen(ground, mesh):
    """[face] whether a face's centre is on the map."""
    west, east, south, north = ground.extent
    x, y = mesh.plane[mesh.corners].mean(axis=1).T
    return (x >= west) & (x <= east) & (y >= south) & (y <= north)


def extreme(file, ground, values):
    """(value farthest from 0 of the faces shown, its face), (None, None) where there is none."""
    shown = np.where(seen(ground, file.mesh) & np.isfinite(values), np.abs(values), -1.0)
    face = int(np.argmax(shown))
    return (float(values[face]), face) if shown[face] >= 0 else (None, None)


def summary(file, ground, name, values):
    """Description of the drawing, in SI, for JSON."""
    value, face = extreme(file, ground, values)
    found = {"field": name, "unit": file.field(name).unit, "region": list(map(float, ground.extent))}
    found["extreme"] = value
    if face is not None:
        found["extreme_at"] = {"face": face + 1, **place_of(file.mesh, face)}
    return found


def place_of(mesh, face):
    x, y, z = (float(value) for value in mesh.centres[face])
    found = {"x": x, "y": y, "z": z}
    if mesh.degrees is not None:
        lon, lat = mesh.degrees[mesh.corners[face]].mean(axis=0)
        found |= {"lon": float(lon), "lat": float(lat)}
    return found


def said_of(file, scale, found):
    """`highest 3.21 cm s⁻¹ at 25.012°N 121.430°E`."""
    if found["extreme"] is None:
        return "no value"
    at = found["extreme_at"]
    if "lon" in at:
        place = place_text(at["lon"], at["lat"], 3)
    else:
        place = "({:.4g}, {:.4g}) km".format(at["x"] / 1000, at["y"] / 1000).replace("-", "−")
    word = "farthest from zero:" if is_signed(found["field"]) else "highest"
    value = three_figures(scale.factor * found["extreme"]).replace("-", "−")
    return f"{word} {value} {unit_text(scale.unit)} at {place}"


def notes_of(ground, epicentre):
    relief = "relief lit from north-west" if np.ptp(ground.height[ground.raster.inside]) > 1.0 else ""
    parts = [
        "★ epicentre" if epicentre is not None else "",
        "line: coast" if ground.has_coast else "",
        relief,
    ]
    return "; ".join(part for part in parts if part)


def seconds_text(seconds):
    """`12.5 s after the start`."""
    return f"{seconds:.6g} s after the start"


def draw_map(file, name, seconds=None, options=None):
    """(Sheet, summary): a field at a time, the highest of all records where `seconds` is None, or what has no time."""
    options = options or sheet_options()
    field = file.field(name)
    when = None
    if name in file.still:
        values, said = file.read(name), "the whole run"
    elif seconds is None:
        values, records = file.highest(name)
        what = "farthest from zero" if is_signed(name) else "highest"
        said = f"the {what} of each triangle, {file.times[0]:.6g} to {file.times[-1]:.6g} s"
        when = records
    else:
        record = file.record(seconds)
        values, said = file.read(name, record), seconds_text(file.times[record])
        if name in file.peaks:
            said = f"from the start to {file.times[record]:.6g} s"
    ground, size = sheet.ground_of(file.mesh, options["region"])
    found = summary(file, ground, name, values)
    scale = scale_of(file, name, values, options["limits"])
    page = sheet.Sheet(ground, size)
    page.colour(scale, values, "intensity" if name == "intensity" else field.long_name)
    if name == "intensity":
        sheet.add_classes(page.axes, ground, values, intensity.ROMAN)
    add_marks(page.axes, page.layer, file, options, found)
    if when is not None and found["extreme"] is not None:
        found["extreme_time"] = float(file.times[when[found["extreme_at"]["face"] - 1]])
        said += f";  of all at {found['extreme_time']:.6g} s"
    elif name not in file.still:
        found["time"] = float(file.times[record])
    what = field.long_name[:1].upper() + field.long_name[1:]
    page.title(
        file.title,
        what,
        said,
        (said_of(file, scale, found), notes_of(ground, options["epicentre"])),
    )
    return page, {**found, "limits": colours.limits_of(scale)}


def sheet_options(region=None, limits=None, epicentre=None, places=None):
    """`epicentre` (x, y) on the map; `places` (names, [place, 2] on the map)."""
    return {"region": region, "limits": limits, "epicentre": epicentre, "places": places}


def add_marks(axes, layer, file, options, found=None, size=8.5):
    if options["epicentre"] is not None:
        sheet.add_star(axes, options["epicentre"], 1.75 * size)
        layer.keep_round(*options["epicentre"], 8.0)
    if options["places"]:
        shown = sheet.add_places(axes, layer, *options["places"], size=size)
        if found is not None:
            found["places"] = shown


def draw_panels(file, name, times, options=None):
    """(Figure, summaries) of a field at several times under one scale."""
    options = options or sheet_options()
    field = file.field(name)
    if name in file.still:
        refuse(
            "command line", "--field", name, "a field with times, such as vz; this one is of the whole run"
        )
    records = [file.record(seconds, "--times") for seconds in times]
    fields = np.stack(list(file.each(name, records)))
    columns = min(len(times), 3 if len(times) != 4 else 2)
    rows = math.ceil(len(times) / columns)
    ground, size = sheet.ground_of(file.mesh, options["region"], 3.5 if columns > 1 else 6.6, 4.2)
    scale = scale_of(file, name, fields, options["limits"])
    gap, left, top, bottom, head = 0.16, 0.72, 0.78, 1.15 if ground.degrees else 1.3, 0.28
    total = (left + columns * (size[0] + gap) + 0.1, top + rows * (size[1] + head) + bottom)
    figure = Figure(figsize=total, dpi=sheet.PIXELS)
    found = []
    for k, (record, values) in enumerate(zip(records, fields)):
        row, column = divmod(k, columns)
        x, y = left + column * (size[0] + gap), total[1] - top - (row + 1) * (size[1] + head)
        axes = figure.add_axes((x / total[0], y / total[1], size[0] / total[0], size[1] / total[1]))
        sheet.frame(axes, ground, steps=4, small=8)
        sheet.add_field(axes, ground, sheet.painted(ground, scale, values))
        sheet.add_coast(axes, ground)
        drawn = {"time": float(file.times[record]), **summary(file, ground, name, values)}
        found.append(drawn)
        if k == 0:
            sheet.add_length(axes, ground, 7.5)
        add_marks(axes, Layer(axes), file, options, size=7)
        axes.tick_params(labelleft=column == 0, labelbottom=k + columns >= len(times))
        if column:
            axes.set_ylabel("")
        if k + columns < len(times):
            axes.set_xlabel("")
        fit(axes.set_title(f"{file.times[record]:.6g} s", size=9.5, loc="left", pad=4), size[0])
    bar = figure.add_axes((0.2, 0.56 / total[1], 0.6, 0.16 / total[1]))
    sheet.colour_bar(figure, bar, scale, field.long_name, "horizontal")
    what = field.long_name[:1].upper() + field.long_name[1:]
    for down, text, style in (
        (0.30, file.title, {"weight": "bold", "size": 12.5}),
        (0.54, what, {"size": 10.5}),
    ):
        fit(figure.text(left / total[0], 1 - down / total[1], text, **style), total[0] - left - gap)
    return figure, {"field": name, "unit": field.unit, "limits": colours.limits_of(scale), "panels": found}
