"""Cost of a run by number of ranks: wall clock beside the ideal one, shares of a step, and core-hours."""

import matplotlib

matplotlib.use("Agg")
import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, NullFormatter, NullLocator

from groundswell.plot.measured.reports import counted
from groundswell.whole_files import save_figure

PARTS = (
    ("computing_seconds", "computing", "#1b4f72"),
    ("waiting_seconds", "waiting for others", "#e67e22"),
    ("communication_seconds", "messages", "#c0392b"),
    ("rest_seconds", "receivers, wind", "#7d8a94"),
    ("output_seconds", "output", "#b7950b"),
)
THINGS = {"sea": "cells", "quake": "elements"}


def unit_of(seconds):
    for unit, length in (("h", 3600.0), ("min", 60.0)):
        if seconds >= 2 * length:
            return unit, length
    return "s", 1.0


def scaled(axes, counts):
    axes.set_xscale("log")
    axes.xaxis.set_major_locator(FixedLocator(counts))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.set_xlim(min(counts) / 1.3, max(counts) * 1.3)


def draw(result, path):
    rows = sorted(result["predicted"], key=lambda row: row["parts"])
    machine = result["machine"]
    counts = [row["parts"] for row in rows]
    figure = Figure(figsize=(11.5, 4.4), dpi=120)
    left, right = figure.subplots(1, 2)
    figure.subplots_adjust(left=0.07, right=0.98, top=0.8, bottom=0.2, wspace=0.22)

    seconds = np.array([row["run_seconds"] for row in rows])
    unit, length = unit_of(seconds.min())
    left.plot(counts, seconds / length, "o-", color="#1b4f72", label="predicted")
    ideal = seconds[0] * counts[0] / np.array(counts)
    left.plot(counts, ideal / length, "--", color="0.5", label=f"ideal, from {counts[0]} ranks")
    if "compared" in result:
        left.plot(
            result["compared"]["ranks"],
            result["compared"]["seconds"] / length,
            "*",
            ms=13,
            color="#c0392b",
            label="run",
        )
    for row, value in zip(rows, seconds):
        left.annotate(
            f"{row['core_hours']:.3g}",
            (row["parts"], value / length),
            xytext=(0, 8),
            textcoords="offset points",
            ha="center",
            fontsize=8,
        )
    left.set_yscale("log")
    left.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    left.yaxis.set_minor_formatter(NullFormatter())
    left.set_ylim(min(ideal.min(), seconds.min()) / length / 1.5, seconds.max() / length * 2)
    left.set_ylabel(f"run, {unit}")
    left.set_title("wall clock; numbers: core-hours", fontsize=10, loc="left")
    left.legend(frameon=False)

    below = np.zeros(len(rows))
    width = np.array(counts) * 0.35
    for key, name, colour in PARTS:
        share = np.array([100 * row[key] / row["step_seconds"] for row in rows])
        if share.max() >= 0.05:  # what is nowhere to be seen is not named either
            right.bar(counts, share, width, below, color=colour, label=name)
        below += share
    right.set_ylim(0, 100)
    right.set_ylabel("of a step, %")
    right.set_title("what a step is spent on", fontsize=10, loc="left")
    right.legend(
        loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=len(PARTS), fontsize=8, frameon=False,
        columnspacing=1.0, handlelength=1.0,
    )  # fmt: skip
    for axes in (left, right):
        scaled(axes, counts)
        axes.set_xlabel(
            f"ranks of {counted(machine['threads'], 'thread')}, {machine['ranks_per_host']} on each host of {machine['cores']} cores"
        )
        axes.grid(alpha=0.25)
        axes.set_axisbelow(True)
    figure.text(
        0.07,
        0.93,
        f"{result['cells']:,} {THINGS[result['model']]} for {result['simulated_seconds']:g} s on {machine['name']}".replace(
            ",", " "
        ),
        fontsize=12,
    )
    figure.text(
        0.07, 0.885, f"predicted; speeds from {result['speeds']['source']}", fontsize=8.5, color="0.35"
    )
    save_figure(figure, path)
