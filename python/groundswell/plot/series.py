"""`plot series`: fields at points against time, one panel for each field."""

import datetime
import textwrap

import numpy as np
from matplotlib.dates import AutoDateLocator, ConciseDateFormatter
from matplotlib.figure import Figure

from groundswell.errors import refuse
from groundswell.plot import chart
from groundswell.plot.source import iso, place_text, zone

TICKS = ["%Y", "%b %Y", "%d %b", "%H:%M", "%H:%M", "%H:%M:%S"]  # for ticks a year, month, day, … second apart
ROUND_TICKS = ["%Y", "%b %Y", "%d %b", "%d %b", "%H:%M", "%H:%M"]  # where the next larger unit begins
USUAL = ("hs", "tp", "tm01", "dir", "wind")


def draw_series(file, fields=None, stations=None, offset=0.0):
    """(Figure, summary) of these fields (names) at these points (numbers or names; all by default)."""
    fields = fields or [name for name in USUAL if name in file.fields] or list(file.fields)
    if not fields:
        refuse(file.path, None, None, "at least one variable (time, station)")
    chosen = [file.station(s) for s in stations] if stations else range(len(file.names))
    data = {name: file.series(name) for name in fields}
    local = datetime.timezone(datetime.timedelta(hours=offset))
    times = [t.astimezone(local).replace(tzinfo=None) for t in file.times]
    legend = 0.26 * -(-len(chosen) // 2) + 0.1
    height = 0.95 + 1.75 * len(fields) + legend + 0.3
    figure = Figure(figsize=(9.5, height), dpi=120)
    rows = figure.subplots(len(fields), 1, sharex=True, squeeze=False)[:, 0]
    figure.subplots_adjust(
        left=0.085, right=0.98, top=1 - 0.75 / height, bottom=(legend + 0.55) / height, hspace=0.12
    )
    drawn = []
    for axes, name in zip(rows, fields):
        field = file.fields[name]
        for number, station in enumerate(chosen):
            values = data[name][:, station]
            style = (
                {"linestyle": "none", "marker": ".", "markersize": 4} if field.bearing else {"linewidth": 1.5}
            )
            axes.plot(
                times,
                values,
                color=f"C{number % 10}",
                label=f"{file.names[station]} ({place_text(file.lon[station], file.lat[station])})",
                **style,
            )
            drawn.append(_summary(file, name, station, values))
        axes.set_ylabel(textwrap.fill(chart.label(field), 20), size=9)
        axes.tick_params(labelsize=9)
        axes.grid(color="0.85", linewidth=0.6)
        axes.margins(x=0.005)
        if field.bearing:
            axes.set(ylim=(0, 360), yticks=[0, 90, 180, 270, 360], yticklabels=["N", "E", "S", "W", "N"])
        elif np.nanmin(np.append(data[name][:, list(chosen)], 0.0)) >= 0:
            axes.set_ylim(bottom=0)
    locator = AutoDateLocator(minticks=4, maxticks=9)
    rows[-1].xaxis.set_major_locator(locator)
    rows[-1].xaxis.set_major_formatter(
        ConciseDateFormatter(locator, formats=TICKS, zero_formats=ROUND_TICKS, show_offset=False)
    )
    rows[-1].set_xlabel(
        f"time, {zone(offset)}, {times[0]:%Y-%m-%d %H:%M} to {times[-1]:%Y-%m-%d %H:%M}", size=9
    )
    left = 0.085
    figure.text(left, 1 - 0.32 / height, file.title, weight="bold", size=12.5)
    figure.text(left, 1 - 0.60 / height, "Time series at points", size=10.5)
    handles, labels = rows[0].get_legend_handles_labels()
    figure.legend(
        handles, labels, loc="lower center", ncols=2, frameon=False, fontsize=9, bbox_to_anchor=(0.53, 0.0)
    )
    return figure, {"fields": list(fields), "series": drawn}


def _summary(file, name, station, values):
    found = {
        "field": name,
        "unit": file.fields[name].unit,
        "station": file.numbers[station],
        "name": file.names[station],
        "lon": float(file.lon[station]),
        "lat": float(file.lat[station]),
        "min": None,
        "max": None,
    }
    if np.isfinite(values).any():
        best = int(np.nanargmax(values))
        found.update(min=float(np.nanmin(values)), max=float(values[best]), max_time=iso(file.times[best]))
    return found
