"""`plot map` and `plot panels`: fields of a map file at a time, at several, or their highest values."""

import datetime
import math
import types

import numpy as np
from matplotlib.figure import Figure

from groundswell.errors import refuse
from groundswell.plot import arrows, chart, contours
from groundswell.plot.labels import Layer, fit
from groundswell.plot.places import add_places
from groundswell.plot.scale import make_scale
from groundswell.plot.source import calm_text, clock, iso, lead, place_text, three_figures, unit_text

WAVES = "arrows: where waves go, the longer the higher"


def extremes(shape, values):
    """Lowest and highest of the cells shown and the cell of the highest (None where no cell has a value)."""
    seen = np.where(shape.seen(), values, np.nan)
    if np.isnan(seen).all():
        return None, None, None
    cell = int(np.nanargmax(seen))
    return float(np.nanmin(seen)), float(seen[cell]), cell


def summary(file, field, values):
    """Description of the drawing, for JSON."""
    low, high, cell = extremes(file.shape, values)
    region = list(map(float, file.shape.extent))
    found = {"field": field.name, "unit": field.unit, "region": region, "min": low, "max": high}
    if cell is not None:
        lon = (file.shape.lon[cell] + 180.0) % 360.0 - 180.0
        found["max_at"] = {"cell": cell + 1, "lon": float(lon), "lat": float(file.shape.lat[cell])}
    return found


def highest_text(field, found, shape):
    if found["max"] is None:
        return "no value"
    if field.bearing:
        return ""
    west, east = shape.extent[:2]
    place = place_text(found["max_at"]["lon"], found["max_at"]["lat"], 2 if east - west > 0.5 else 4)
    return f"{most(field)} {three_figures(found['max'])} {unit_text(field.unit)} at {place}"


def most(field):
    return "longest" if field.unit == "s" else "highest"


def when_text(file, time, offset):
    """`T+66   Thu 2024-09-05 12:00 UTC (20:00 UTC+8)`."""
    return f"{lead(time, file.start)}   {time:%a} {clock(time, offset)}"


def notes(file, field, waves, wind, track, highest, centre=False, lines=()):
    """Lines that say what is drawn over the colours, where the highest value is, and where the map comes from."""
    storm = "storm: red now, dates at 00 UTC" if centre else "dates of the storm: 00 UTC"
    legend = [
        WAVES if waves else "",
        arrows.BARBS if wind else "",
        f"lines: {', '.join(f'{level:g}' for level, _ in lines)} {unit_text(field.unit)}".strip()
        if lines
        else "",
        storm if track else "",
        calm_text(file.calm) if file.calm > 0 and field.needs_waves(file.fields) else "",
    ]
    origin = [file.origin]
    if (wind or field.name in ("wind", "u10", "v10")) and file.made_winds:
        origin.append(f"wind: {' and '.join(file.made_winds)}")
    return ";  ".join(part for part in legend if part), highest, ";  ".join(part for part in origin if part)


def draw_map(
    file,
    name,
    time=None,
    limits=None,
    track=None,
    waves=False,
    wind=False,
    offset=0.0,
    places=None,
    isolines=None,
    smooth=False,
):
    """(Chart, summary) of a field at a time, or of the highest value of all records where `time` is None."""
    field = file.field(name)
    if time is None:
        values, when = file.maximum(name)
    else:
        record = file.record(time)
        values, time = file.read(name, record), file.times[record]
    found = summary(file, field, values)
    sheet = chart.Chart(file.shape)
    scale = make_scale(_or_nan(found["min"]), _or_nan(found["max"]), limits, field.bearing, name)
    sheet.colour(values, scale, chart.label(field))
    lines = add_contours(sheet.axes, file.shape, field, values, scale, isolines, smooth)
    highest = highest_text(field, found, file.shape)
    place = track.at(time) if track and time else None
    if time is None:
        first, last = file.times[0], file.times[-1]
        what = f"{chart.capital(field.long_name)}, the {most(field)} of all times"
        said = f"{lead(first, file.start)} to {lead(last, file.start)}   {clock(first, offset)} to {clock(last, offset)}"
        found.update(first=iso(first), last=iso(last))
        if found["max"] is not None:
            cell = found["max_at"]["cell"] - 1
            found["max_time"] = iso(file.times[when[cell]])
            highest = f"○ {highest}, {clock(file.times[when[cell]], offset)}"
            size = chart.add_highest(sheet.axes, file.shape, cell)
            sheet.labels.keep_round(file.shape.lon[cell], file.shape.lat[cell], size / 2)
    else:
        what, said = chart.capital(field.long_name), when_text(file, time, offset)
        found.update(time=iso(time), lead_hours=(time - file.start).total_seconds() / 3600)
        highest_now = highest_waves(file, [record]) if waves else None
        add_arrows(sheet, file, record, waves, wind, highest_now, place=place)
        if place:
            chart.add_centre(sheet.axes, place)
            sheet.labels.keep_round(*place, 6.0)
    if track:
        chart.add_track(sheet.axes, track, sheet.labels)
    if places:
        found["places"] = add_places(sheet.axes, sheet.labels, places)
    contours.add_names(sheet.labels, lines)
    sheet.title(file.title, what, said, notes(file, field, waves, wind, track, highest, bool(place), lines))
    found["isolines"] = [level for level, _ in lines]
    return sheet, {**found, "limits": list(scale.limits)}


def add_contours(axes, shape, field, values, scale, isolines, smooth):
    """Smooth bands where they are wanted, and lines at `isolines`, or at the thresholds of the field where None; of those drawn
    [(level, parts)]."""
    levels = contours.THRESHOLDS.get(field.name, ()) if isolines is None else isolines
    if field.bearing and (smooth or levels):
        refuse(
            "command line",
            "--smooth" if smooth else "--isolines",
            f"of {field.name}",
            "a field that is no bearing",
        )
    if len(values) < 3 or not (smooth or levels):
        return []
    mesh = contours.triangles(shape)
    if smooth:
        contours.add_smooth(axes, mesh, values, scale)
    return contours.add_isolines(axes, mesh, values, tuple(levels))


def add_most(axes, field, found):
    """The highest value in the lower right corner."""
    return axes.text(
        0.985,
        0.02,
        most_text(field, found),
        transform=axes.transAxes,
        ha="right",
        size=8,
        bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 1.5},
        zorder=7,
    )


def most_text(field, found):
    """`highest 8.21 m`; nothing where there is no value."""
    return (
        "" if found["max"] is None else f"{most(field)} {three_figures(found['max'])} {unit_text(field.unit)}"
    )


def _or_nan(value):
    return math.nan if value is None else value


def arrow_grids(shape, waves, wind, across=26):
    """Grids of the arrows of waves and of the barbs; together they stand wider apart, between each other."""
    if waves and wind:
        across = round(0.75 * across)
    return (
        arrows.ArrowGrid(shape, across) if waves else None,
        arrows.ArrowGrid(shape, across, 0.5 if waves else 0.0) if wind else None,
    )


def wave_arrows(file, grid, record, highest):
    """(east, north) of the arrows of waves in a record; of one length where the file has no heights."""
    height = file.read("hs", record) if highest else None
    return arrows.wave_arrows(grid, file.read("dir", record), height, highest or 1.0)


def highest_waves(file, records):
    """Greatest wave height of these records in the region shown, m; None where the file has none."""
    file.field("dir", "--waves")
    if "hs" not in file.fields:
        return None
    seen = file.shape.seen()
    found = [np.nanmax(v[seen]) for v in file.each("hs", records) if np.isfinite(v[seen]).any()]
    return float(max(found, default=0.0)) or None


def add_arrows(sheet, file, record, waves, wind, highest=None, across=26, key=True, length=5.4, place=None):
    """Arrows of waves (where they go, the longer the higher) and barbs of wind; `sheet` has axes. Around `place`, the middle of a
    storm, where both turn within a step, waves make room for the barbs, and both for its mark."""
    for part in ("u10", "v10") if wind else ():
        file.field(part, "--wind")
    of_waves, of_wind = arrow_grids(file.shape, waves, wind, across)
    if waves:
        of_waves = of_waves.without(place, 2.5 * arrows.BARE if wind else arrows.BARE)
        drawn = arrows.add_waves(sheet.axes, of_waves, *wave_arrows(file, of_waves, record, highest))
        if highest and key:
            arrows.add_wave_key(sheet.axes, drawn, highest)
    if wind:
        of_wind = of_wind.without(place, arrows.BARE)
        arrows.add_wind(sheet.axes, of_wind, file.read("u10", record), file.read("v10", record), length)


def daily_times(file, offset=0.0, hour=None):
    """One time a day inside the file's period: at this local hour, by default at 00 UTC, the hour of the main forecast."""
    zone = datetime.timezone(datetime.timedelta(hours=offset))
    day = file.times[0].astimezone(zone).replace(hour=0, minute=0, second=0)
    first = day + datetime.timedelta(hours=offset % 24 if hour is None else hour)
    days = (file.times[-1] - file.times[0]).days + 3
    every = [(first + datetime.timedelta(days=k - 1)).astimezone(file.times[0].tzinfo) for k in range(days)]
    found = [t for t in every if file.times[0] <= t <= file.times[-1]]
    if not found:
        refuse(
            file.path,
            "--daily",
            None,
            f"a file that spans the hour; it has {iso(file.times[0])} to {iso(file.times[-1])}",
        )
    return found


def draw_panels(
    file,
    name,
    times,
    limits=None,
    track=None,
    waves=False,
    wind=False,
    offset=0.0,
    places=None,
    isolines=None,
    smooth=False,
):
    """(Figure, summaries) of a field at several times with one colour bar. A place that stays free has the highest of all times."""
    field = file.field(name)
    records = [file.record(time, "--times") for time in times]
    fields = list(file.each(name, records))
    found = [
        {"time": iso(file.times[r]), **summary(file, field, values)} for r, values in zip(records, fields)
    ]
    columns = min(len(times), 3 if len(times) != 4 else 2)
    rows = math.ceil(len(times) / columns)
    spare = rows * columns > len(times) and not field.bearing
    if spare:  # the place that is left shows the highest of all times
        fields.append(file.maximum(name)[0])
        found.append({"time": None, **summary(file, field, fields[-1])})
    known = [f for f in found if f["max"] is not None]
    scale = make_scale(
        min((f["min"] for f in known), default=math.nan),
        max((f["max"] for f in known), default=math.nan),
        limits,
        field.bearing,
        name,
    )
    highest = highest_waves(file, records) if waves else None
    width, height = chart.map_height(file.shape, 3.7 if columns > 1 else 7.0)
    gap, left, top, bottom, head = 0.18, 0.6, 0.72, 1.15, 0.30
    total = (left + columns * (width + gap), top + rows * (height + head) + bottom)
    figure = Figure(figsize=total, dpi=120)
    for k, (values, drawn) in enumerate(zip(fields, found)):
        record = records[k] if k < len(records) else None
        row, column = divmod(k, columns)
        x, y = left + column * (width + gap), total[1] - top - (row + 1) * (height + head)
        axes = figure.add_axes((x / total[0], y / total[1], width / total[0], height / total[1]))
        chart.frame(axes, file.shape, steps=5, small=8)
        cells = chart.add_cells(axes, file.shape, values, scale)
        drawn["isolines"] = [
            level for level, _ in add_contours(axes, file.shape, field, values, scale, isolines, smooth)
        ]
        axes.tick_params(labelleft=column == 0, labelbottom=k + columns >= len(fields))
        said = f"the {most(field)} of all times"
        if record is not None:
            said = f"{lead(file.times[record], file.start)}   {clock(file.times[record], offset)}"
        fit(axes.set_title(said, size=9.5, loc="left", pad=4), width)
        if not field.bearing and drawn["max"] is not None:
            add_most(axes, field, drawn)
        labels = Layer(axes)
        place = None
        if track:
            axes.plot(track.lon, track.lat, color="white", linewidth=2.0, zorder=4)
            axes.plot(track.lon, track.lat, color="black", linewidth=0.8, zorder=4.1)
            labels.keep_free(track.lon, track.lat)
            place = track.at(file.times[record]) if record is not None else None
            if place:
                chart.add_centre(axes, place)
        if record is not None:
            panel = types.SimpleNamespace(axes=axes)
            add_arrows(
                panel, file, record, waves, wind, highest, across=14, key=False, length=4.4, place=place
            )
        if places:
            add_places(axes, labels, places, size=7)
    bar = figure.add_axes((0.2, 0.56 / total[1], 0.6, 0.17 / total[1]))
    chart.colour_bar(figure, bar, cells, scale, chart.label(field), "horizontal")
    reached = sorted({level for drawn in found for level in drawn["isolines"]})
    legend, _, origin = notes(file, field, waves, wind, None, "", lines=[(level, None) for level in reached])
    fit(
        figure.text(1 - 0.1 / total[0], 0.06 / total[1], origin, size=8, color="0.25", ha="right"),
        total[0] - 0.2,
    )
    room = total[0] - left - gap
    for down, text, style in (
        (0.30, file.title, {"weight": "bold", "size": 12.5}),
        (0.55, ";  ".join(part for part in (chart.capital(field.long_name), legend) if part), {"size": 10.5}),
    ):
        fit(figure.text(left / total[0], 1 - down / total[1], text, **style), room)
    result = {"field": name, "unit": field.unit, "limits": list(scale.limits), "panels": found[: len(times)]}
    return figure, {**result, "maximum": found[-1]} if spare else result
