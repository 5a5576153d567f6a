"""Measured scaling as papers show it: speed-up beside the ideal line, and efficiency, with the spread of the runs."""

import matplotlib

matplotlib.use("Agg")
from matplotlib.figure import Figure

from groundswell.plot.measured.cost import scaled
from groundswell.report import length_text
from groundswell.whole_files import save_figure

COLOURS = ("#1b4f72", "#e67e22", "#2e86c1", "#7d8a94", "#117a65", "#c0392b", "#6c3483", "#85c1e9")
MARKERS = "osD^vPX*"


def families(rows):
    """Rows by their number of threads, each in order of cores: one line each."""
    found = {}
    for row in sorted(rows, key=lambda row: row["cores"]):
        found.setdefault(row["threads"], []).append(row)
    return found


def bars(row, value):
    """Distances of the fastest and the slowest run above and below the value, which is in proportion to speed."""
    mean = row["seconds"]["mean"]
    middle = sorted(run["seconds"] for run in row["runs"])[len(row["runs"]) // 2] if row["runs"] else mean
    return (
        max(0.0, value - value * middle / row["seconds"]["max"]),
        max(0.0, value * middle / row["seconds"]["min"] - value),
    )


def beside(rows, number):
    """Cores of each row, moved a little so that bars of several lines can be told apart."""
    return [row["cores"] * (1 + 0.015 * number) for row in rows]


def line(axes, rows, key, factor, number, threads, **style):
    values = [factor * row[key] for row in rows]
    below, above = zip(*(bars(row, value) for row, value in zip(rows, values)))
    axes.errorbar(
        beside(rows, number),
        values,
        yerr=(below, above),
        fmt=f"{MARKERS[number % len(MARKERS)]}-",
        color=COLOURS[number % len(COLOURS)],
        capsize=4,
        markersize=6,
        label=f"{threads} thread{'s' if threads > 1 else ''} a rank",
        **style,
    )


def draw(result, path, machine=None):
    rows = result["counts"]
    cores = sorted({row["cores"] for row in rows})
    figure = Figure(figsize=(11.5, 4.6), dpi=120)
    left, right = figure.subplots(1, 2)
    figure.subplots_adjust(left=0.07, right=0.98, top=0.8, bottom=0.14, wspace=0.22)

    ideal = [count / cores[0] for count in cores]
    left.plot(cores, ideal, "--", color="0.5", label="ideal")
    for number, (threads, family) in enumerate(families(rows).items()):
        line(left, family, "speedup", 1.0, number, threads)
        line(right, family, "efficiency", 100.0, number, threads)
        values = [100 * row["efficiency_with_start_up"] for row in family]
        right.plot(
            beside(family, number),
            values,
            ":",
            marker=MARKERS[number % len(MARKERS)],
            markerfacecolor="white",
            color=COLOURS[number % len(COLOURS)],
            label="with start-up" if number == 0 else None,
        )
    left.set_yscale("log", base=2)
    left.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    left.set_ylabel(f"speed over that of {cores[0]} core{'s' if cores[0] > 1 else ''}")
    left.set_title("weak scaling: speed" if result["weak"] else "speed-up", fontsize=10, loc="left")
    left.legend(frameon=False)
    right.axhline(100, color="0.5", linestyle="--", linewidth=1)
    right.set_ylim(0, max(110.0, 105 * max(row["efficiency"] for row in rows)))
    right.set_ylabel("efficiency, %")
    right.set_title("efficiency without and with start-up", fontsize=10, loc="left")
    right.legend(frameon=False, loc="lower left")
    for axes in (left, right):
        scaled(axes, cores)
        axes.set_xlabel("cores: ranks × threads")
        axes.grid(alpha=0.25)
        axes.set_axisbelow(True)
    figure.text(0.07, 0.93, f"{result['case']}", fontsize=12)
    figure.text(0.07, 0.885, about(result, rows, machine), fontsize=8.5, color="0.35")
    save_figure(figure, path)


def about(result, rows, machine):
    cells = {row.get("cells") for row in rows if row.get("cells")}
    unit = "elements" if result["model"] == "quake" else "cells"
    words = [f"{min(cells):,} {unit}".replace(",", "\u202f")] if len(cells) == 1 else []
    words.append(
        f"{length_text(result['simulated_seconds'])} simulated, {result['repeats']} runs each; bars: fastest to slowest"
    )
    if machine is not None:
        words.append(f"{machine.mpi_name} {machine.version}")
    return "; ".join(words)


def draw_beside(result, path):
    """Speed and efficiency of several machines by cores; a line for each machine and number of threads."""
    cores = sorted({row["ranks"] * row["threads"] for row in result["counts"]})
    threads = sorted({row["threads"] for row in result["counts"]})
    figure = Figure(figsize=(11.5, 4.6), dpi=120)
    figure.subplots_adjust(left=0.07, right=0.98, top=0.86, bottom=0.14, wspace=0.22)
    panels = (
        ("updates_per_second", 1e-6, "million updates a second"),
        ("efficiency", 100.0, "efficiency, %"),
    )
    for axes, (key, factor, label) in zip(figure.subplots(1, 2), panels):
        for number, machine in enumerate(result["machines"]):
            for style, count in zip(("-", "--", ":", "-.") * len(threads), threads):
                rows = [
                    row
                    for row in result["counts"]
                    if row["threads"] == count and row[key][number] is not None
                ]
                axes.plot(
                    [row["ranks"] * count for row in rows],
                    [factor * row[key][number] for row in rows],
                    style,
                    marker=MARKERS[number % len(MARKERS)],
                    color=COLOURS[number % len(COLOURS)],
                    label=f"{machine['label']}, {count} thread{'s' if count > 1 else ''} a rank"
                    if rows
                    else None,
                )
        axes.set_ylim(bottom=0.0)
        scaled(axes, cores)
        axes.set(xlabel="cores: ranks × threads", ylabel=label, axisbelow=True)
        axes.grid(alpha=0.25)
        axes.legend(frameon=False, fontsize=8)
    figure.text(0.07, 0.93, f"{result['case']}", fontsize=12)
    save_figure(figure, path)
