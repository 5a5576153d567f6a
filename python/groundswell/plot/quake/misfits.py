"""`plot misfits`: where in time and frequency a seismogram leaves its reference, and a table of all."""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, PercentFormatter

from groundswell import report
from groundswell.errors import refuse
from groundswell.misfit import frequencies_of, plane
from groundswell.plot.labels import fit
from groundswell.plot.quake.axes import round_ticks
from groundswell.plot.quake.seismograms import (
    MODEL,
    REFERENCE,
    add_title,
    in_words,
    of_station,
    percent,
    stations_and_traces,
    unit_of,
    words_of,
)
from groundswell.plot.source import unit_text

LEAST = 0.01  # the narrowest scale of a plane: ± 1 %


def draw_misfits(file, stations, choice, references):
    """(Figure, summary): the plane of envelope and of phase for each component of the station that is farthest from its
    reference; the summary has all."""
    if not references:
        refuse("command line", "--reference", None, "a reference, from which seismograms are measured")
    shown = stations_and_traces(file, file.chosen(stations), choice, references)
    station, series = max(shown, key=lambda pair: _worst(pair[1]))
    labels = [reference.label for reference in references]
    figure = _draw(file, station, series, choice, labels)
    return figure, {
        "references": labels,
        "filter": list(choice.band) if choice.band else None,
        "drawn": station.name,
        "stations": [of_station(s, found, choice) for s, found in shown],
    }


def _worst(series):
    return max((m for t in series if np.isfinite(m := t.misfit.envelope + t.misfit.phase)), default=0.0)


def _draw(file, station, series, choice, labels):
    rows, width, each, gap, head, foot = len(series), 13.4, 1.9, 0.28, 0.95, 1.0
    height = head + rows * each + (rows - 1) * gap + foot
    figure = Figure(figsize=(width, height), dpi=120)
    left, wide, between = 0.85, 3.65, 0.62
    planes = []
    for trace in series:
        interval = (trace.time[-1] - trace.time[0]) / (len(trace.time) - 1)
        axis = frequencies_of(trace.reference, interval, choice.band)
        planes.append((axis, *plane(trace.values, trace.reference, interval, axis)))
    limits = [max(LEAST, *(float(np.abs(p[k]).max()) for p in planes)) for k in (1, 2)]
    for row, (trace, (axis, *both)) in enumerate(zip(series, planes)):
        bottom = foot + (rows - 1 - row) * (each + gap)
        panels = [
            figure.add_axes(
                ((left + k * (wide + between)) / width, bottom / height, wide / width, each / height)
            )
            for k in range(3)
        ]
        panels[0].plot(trace.time, trace.values, color=MODEL, linewidth=1.5, label="this run")
        panels[0].plot(trace.time, trace.reference, color=REFERENCE, linewidth=1.0, linestyle=(0, (4, 2.5)),
                       label=" and ".join(dict.fromkeys(labels)))  # fmt: skip
        highest = trace.highest or 1.0
        panels[0].set_ylim(-1.15 * highest, 1.5 * highest)
        panels[0].text(
            0.98, 0.95, in_words(trace.misfit), size=8, ha="right", va="top", transform=panels[0].transAxes
        )
        panels[0].set_ylabel(f"{words_of(trace.component)}, {unit_text(unit_of(trace.component))}", size=9)
        panels[0].grid(color="0.88", linewidth=0.6)
        for axes, values, limit in zip(panels[1:], both, limits):
            image = axes.pcolormesh(trace.time, axis, values, cmap="RdBu_r", vmin=-limit, vmax=limit, shading="nearest",
                                    rasterized=True)  # fmt: skip
            axes.set(yscale="log", xlim=(trace.time[0], trace.time[-1]))
            round_ticks(axes.yaxis)
            if row == 0:
                name = "envelope" if axes is panels[1] else "phase"
                axes.set_title(f"misfit of {name} by time and frequency", size=10)
            if row == rows - 1:
                at = axes.get_position()
                bar = figure.add_axes((at.x0 + 0.15 * at.width, 0.34 / height, 0.7 * at.width, 0.11 / height))
                made = figure.colorbar(
                    image,
                    cax=bar,
                    orientation="horizontal",
                    format=PercentFormatter(1.0),
                    ticks=MaxNLocator(5),
                )
                made.ax.tick_params(labelsize=8)
        panels[1].set_ylabel("frequency, Hz", size=9)
        for axes in panels:
            axes.tick_params(labelsize=8.5, labelbottom=row == rows - 1)
            axes.set_xlim(trace.time[0], trace.time[-1])
            axes.set_xlabel("time, s" if row == rows - 1 else "", size=9)
    legend = figure.legend(*figure.axes[0].get_legend_handles_labels(), loc="lower left", ncols=2, frameon=False,
                           fontsize=9, bbox_to_anchor=(left / width - 0.01, 0.0))  # fmt: skip
    fit(legend.get_texts()[1], wide - 1.5)
    add_title(figure, file, choice, left / width, 1 - 0.3 / width, [(station, series)])
    return figure


def table_of(summary):
    """For people: misfits in per cent, and goodness of fit from 0 to 10."""
    rows = [["station", "component", "rms", "envelope", "phase", "fit of envelope", "fit of phase"]]
    for station in summary["stations"]:
        for found in station["components"]:
            told = found["reference"]
            numbers = [told[key] for key in ("relative_rms", "envelope_misfit", "phase_misfit")]
            fits = [told["envelope_goodness"], told["phase_goodness"]]
            rows.append(
                [station["name"], words_of(found["component"])]
                + ["–" if n is None else percent(n) for n in numbers]
                + ["–" if n is None else f"{n:.2f}" for n in fits]
            )
    return report.table(rows)
