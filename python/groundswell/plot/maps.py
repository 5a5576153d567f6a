"""`plot map` and `plot panels`: fields of a map file at a time, at several, or their highest values."""

import datetime
import math

import numpy as np
from matplotlib.figure import Figure

from groundswell.errors import refuse
from groundswell.plot import arrows, chart
from groundswell.plot.scale import make_scale
from groundswell.plot.source import clock, iso, place_text, three_figures, unit_text

WAVE_ARROWS = "black arrows: where waves go"


def extremes(shape, values):
    """Lowest and highest of the cells shown and the cell of the highest (None where no cell has a value)."""
    seen = np.where(shape.seen(), values, np.nan)
    if np.isnan(seen).all():
        return None, None, None
    cell = int(np.nanargmax(seen))
    return float(np.nanmin(seen)), float(seen[cell]), cell


def summary(file, field, values):
    """What was drawn, for JSON."""
    low, high, cell = extremes(file.shape, values)
    region = list(map(float, file.shape.extent))
    found = {"field": field.name, "unit": field.unit, "region": region, "min": low, "max": high}
    if cell is not None:
        lon = (file.shape.lon[cell] + 180.0) % 360.0 - 180.0
        found["max_at"] = {"cell": cell + 1, "lon": float(lon), "lat": float(file.shape.lat[cell])}
    return found


def highest_text(field, found):
    if found["max"] is None:
        return "no value"
    if field.bearing:
        return ""
    place = place_text(found["max_at"]["lon"], found["max_at"]["lat"])
    return f"highest {three_figures(found['max'])} {unit_text(field.unit)} at {place}"


def draw_map(file, name, time=None, limits=None, track=None, waves=False, wind=False, offset=0.0):
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
    if track:
        chart.add_track(sheet.axes, track)
    if time is None:
        if found["max"] is not None:
            found["max_time"] = iso(file.times[when[found["max_at"]["cell"] - 1]])
            chart.add_highest(sheet.axes, file.shape.lon[found["max_at"]["cell"] - 1], found["max_at"]["lat"])
        found.update(first=iso(file.times[0]), last=iso(file.times[-1]))
        said = f"{clock(file.times[0], offset)} to {clock(file.times[-1], offset)}"
        what = f"{chart.capital(field.long_name)}, highest of {said}"
    else:
        found["time"] = iso(time)
        what = f"{chart.capital(field.long_name)}, {clock(time, offset)}"
        strongest = strongest_wind(file, [record]) if wind else 1.0
        blown = add_arrows(sheet.axes, file, record, waves, wind, strongest)
        if wind:
            arrows.add_wind_key(sheet.axes, blown, strongest)
        place = track.at(time) if track else None
        if place:
            chart.add_centre(sheet.axes, place)
    note = highest_text(field, found)
    if time is None and found["max"] is not None:
        note = f"× {note}, {clock(file.times[when[found['max_at']['cell'] - 1]], offset)}"
    sheet.title(file.title, what, ";  ".join(part for part in (WAVE_ARROWS if waves else "", note) if part))
    return sheet, {**found, "limits": list(scale.limits)}


def _or_nan(value):
    return math.nan if value is None else value


def add_arrows(axes, file, record, waves, wind, strongest, across=26):
    """Arrows of waves (where they go) and of wind, between each other; returns those of wind."""
    if waves:
        file.field("dir", "--waves")
        arrows.add_waves(axes, arrows.ArrowGrid(file.shape, across), file.read("dir", record))
    if not wind:
        return None
    return arrows.add_wind(
        axes,
        arrows.ArrowGrid(file.shape, across, 0.5 if waves else 0.0),
        file.read("u10", record),
        file.read("v10", record),
        strongest,
    )


def strongest_wind(file, records):
    """Highest wind speed of these records in the region shown, m/s."""
    for part in ("u10", "v10"):
        file.field(part, "--wind")
    seen = file.shape.seen()
    return max(
        (float(np.nanmax(v[seen])) for v in file.each("wind", records) if np.isfinite(v[seen]).any()),
        default=1.0,
    )


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


def draw_panels(file, name, times, limits=None, track=None, waves=False, wind=False, offset=0.0):
    """(Figure, summaries) of a field at several times with one colour bar."""
    field = file.field(name)
    records = [file.record(time, "--times") for time in times]
    fields = list(file.each(name, records))
    found = [
        {"time": iso(file.times[r]), **summary(file, field, values)} for r, values in zip(records, fields)
    ]
    known = [f for f in found if f["max"] is not None]
    scale = make_scale(
        min((f["min"] for f in known), default=math.nan),
        max((f["max"] for f in known), default=math.nan),
        limits,
        field.bearing,
        name,
    )
    strongest = strongest_wind(file, records) if wind else 1.0
    columns = min(len(times), 3 if len(times) != 4 else 2)
    rows = math.ceil(len(times) / columns)
    width, height = chart.map_height(file.shape, 3.7 if columns > 1 else 7.0)
    gap, left, top, bottom, head = 0.18, 0.6, 0.72, 1.15, 0.30
    total = (left + columns * (width + gap), top + rows * (height + head) + bottom)
    figure = Figure(figsize=total, dpi=120)
    for k, (record, values, drawn) in enumerate(zip(records, fields, found)):
        row, column = divmod(k, columns)
        x, y = left + column * (width + gap), total[1] - top - (row + 1) * (height + head)
        axes = figure.add_axes((x / total[0], y / total[1], width / total[0], height / total[1]))
        chart.frame(axes, file.shape, steps=5, small=8)
        cells = chart.add_cells(axes, file.shape, values, scale)
        axes.tick_params(labelleft=column == 0, labelbottom=k + columns >= len(times))
        axes.set_title(clock(file.times[record], offset), size=9.5, loc="left", pad=4)
        if not field.bearing and drawn["max"] is not None:
            axes.text(
                0.985,
                0.02,
                f"highest {three_figures(drawn['max'])} {unit_text(field.unit)}",
                transform=axes.transAxes,
                ha="right",
                size=8,
                bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 1.5},
                zorder=7,
            )
        if track:
            axes.plot(track.lon, track.lat, color="white", linewidth=2.0, zorder=4)
            axes.plot(track.lon, track.lat, color="black", linewidth=0.8, zorder=4.1)
            place = track.at(file.times[record])
            if place:
                chart.add_centre(axes, place)
        blown = add_arrows(axes, file, record, waves, wind, strongest, across=18)
        if wind and k == 0:
            arrows.add_wind_key(axes, blown, strongest)
    bar = figure.add_axes((0.2, 0.56 / total[1], 0.6, 0.17 / total[1]))
    chart.colour_bar(figure, bar, cells, scale, chart.label(field), "horizontal")
    figure.text(left / total[0], 1 - 0.30 / total[1], file.title, weight="bold", size=12.5)
    figure.text(
        left / total[0],
        1 - 0.55 / total[1],
        chart.capital(field.long_name) + (f";  {WAVE_ARROWS}" if waves else ""),
        size=10.5,
    )
    return figure, {"field": name, "unit": field.unit, "limits": list(scale.limits), "panels": found}
