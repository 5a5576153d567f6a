"""`plot series`: fields at points against time, one panel for each field."""

import textwrap

import numpy as np
from matplotlib.dates import AutoDateLocator, ConciseDateFormatter
from matplotlib.figure import Figure

from groundswell.errors import refuse
from groundswell.plot import chart
from groundswell.plot.labels import fit
from groundswell.plot.source import iso, place_text, zone

TICKS = ["%Y", "%b %Y", "%d %b", "%H:%M", "%H:%M", "%H:%M:%S"]  # for ticks a year, month, day, … second apart
ROUND_TICKS = ["%Y", "%b %Y", "%d %b", "%d %b", "%H:%M", "%H:%M"]  # where the next larger unit begins
PEAKS, LEAP = ("tp",), 1.4  # fields that leap where one sea outgrows another, and by how much at least
USUAL = ("hs", "tp", "tm01", "dir", "wind")


def draw_series(file, fields=None, stations=None, offset=0.0):
    """(Figure, summary) of these fields (names) at these points (numbers or names; all by default)."""
    fields = fields or [name for name in USUAL if name in file.fields] or list(file.fields)
    if not fields:
        refuse(file.path, None, None, "at least one variable (time, station)")
    chosen = [file.station(s) for s in stations] if stations else range(len(file.names))
    data = {name: file.series(name) for name in fields}
    times = [t.replace(tzinfo=None) for t in file.times]
    legend = 0.26 * -(-len(chosen) // 2) + 0.1
    # Above the panels stand the title and, where it is asked for, an axis of local time.
    head = 1.2 if offset else 0.75
    height = head + 0.2 + 1.75 * len(fields) + legend + 0.3
    figure = Figure(figsize=(9.5, height), dpi=120)
    rows = figure.subplots(len(fields), 1, sharex=True, squeeze=False)[:, 0]
    figure.subplots_adjust(
        left=0.085, right=0.98, top=1 - head / height, bottom=(legend + 0.55) / height, hspace=0.12
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
                *(broken(times, values) if name in PEAKS else (times, values)),
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
    time_axis(rows[-1].xaxis)
    rows[-1].set_xlabel(f"time, UTC, {times[0]:%Y-%m-%d %H:%M} to {times[-1]:%Y-%m-%d %H:%M}", size=9)
    if offset:
        days = offset / 24.0
        local = rows[0].secondary_xaxis("top", functions=(lambda t: t + days, lambda t: t - days))
        time_axis(local.xaxis)
        local.tick_params(labelsize=9)
        local.set_xlabel(f"local time, {zone(offset)}", size=9)
    left = 0.085
    figure.text(left, 1 - 0.32 / height, file.title, weight="bold", size=12.5)
    calm = [file.fields[name].long_name for name in fields if file.leaves_out(name)]
    said = "Time series at points" + (
        f";  no periods and bearings where waves are below {file.calm:g} m" if calm else ""
    )
    fit(figure.text(left, 1 - 0.60 / height, said, size=10.5), 9.5 * 0.89)
    handles, labels = rows[0].get_legend_handles_labels()
    figure.legend(
        handles, labels, loc="lower center", ncols=2, frameon=False, fontsize=9, bbox_to_anchor=(0.53, 0.0)
    )
    return figure, {"fields": list(fields), "series": drawn}


def broken(times, values):
    """The line with a gap where the peak goes over from one sea to another: between the two there is no period."""
    values = np.asarray(values, float)
    with np.errstate(invalid="ignore"):
        leaps = np.flatnonzero(np.abs(np.diff(np.log(values))) > np.log(LEAP)) + 1
    return np.insert(
        np.array(times, dtype="datetime64[ms]"), leaps, np.array(times, dtype="datetime64[ms]")[leaps]
    ), np.insert(values, leaps, np.nan)


def time_axis(axis):
    """Ticks at round times, written in full where the next larger unit begins."""
    locator = AutoDateLocator(minticks=4, maxticks=9)
    axis.set_major_locator(locator)
    axis.set_major_formatter(
        ConciseDateFormatter(locator, formats=TICKS, zero_formats=ROUND_TICKS, show_offset=False)
    )


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
