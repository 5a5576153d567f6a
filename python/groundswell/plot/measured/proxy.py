"""`plot proxy`: what `groundswell proxy` measured: kernels below the limits of the machine, and speed by number of cells.

The roofline is that of S. Williams, A. Waterman and D. Patterson 2009, doi:10.1145/1498765.1498785: operations and bytes are the
least that the formulas ask for, STREAM and peak are those of the same command.
"""

import matplotlib

matplotlib.use("Agg")
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter

from groundswell.errors import refuse
from groundswell.plot.labels import HALO
from groundswell.plot.measured.reports import counted, read_report, three

NEEDED = ("kernels", "limits", "stream_gigabytes_per_second", "peak_gflops")
COLOURS = ("#1b4f72", "#e67e22", "#2e86c1", "#7d3c98", "#1e8449", "#c0392b", "#7d8a94", "#b7950b")
LIMIT = "#c0392b"
LEAVES = 0.9  # of its best speed, below which a kernel has left the cache
MARKERS = "osD^vP"
RATES = {"bin_steps_per_second": "bin-steps", "updates_per_second": "updates"}


def read(path):
    report = read_report(path, "proxy", NEEDED)
    if not report.result["kernels"]:
        refuse(path, "result.kernels", "[]", "at least one kernel that was timed")
    return report


def kind_of(row):
    """Key that tells rows of one kernel apart, besides cells and threads."""
    if "bins" in row:
        spectrum = (
            f"{row['directions']} × {row['frequencies']}" if "directions" in row else f"{row['bins']} bins"
        )
        return f"{spectrum}, {row.get('scheme', '')}".rstrip(", ")
    return f"order {row['order']}, {row['precision']}"


def unit_of(row):
    return next((key, name) for key, name in RATES.items() if key in row)


def lines_of(rows):
    """{(kernel, kind, threads): its rows by number of cells}, as they first stand."""
    lines = {}
    for row in rows:
        lines.setdefault((row["name"], kind_of(row), row["threads"]), []).append(row)
    return {key: sorted(some, key=lambda row: row["cells"]) for key, some in lines.items()}


def colours_of(rows):
    names = list(dict.fromkeys(row["name"] for row in rows))
    return {name: COLOURS[i % len(COLOURS)] for i, name in enumerate(names)}


def shapes_of(rows):
    kinds = list(dict.fromkeys((kind_of(row), row["threads"]) for row in rows))
    return {kind: MARKERS[i % len(MARKERS)] for i, kind in enumerate(kinds)}


def is_whole(row):
    """Whether both operations and bytes of a kernel are counted; others work in the cache alone."""
    return bool(row.get("gflops")) and bool(row.get("gigabytes_per_second"))


def draw_roofline(axes, result, colours, shapes):
    """The largest numbers of cells of each kernel under the limits of as many threads."""
    drawn = [some[-1] for some in lines_of(result["kernels"]).values()]
    points = [row for row in drawn if is_whole(row)]
    needs = [row["gflops"] / row["gigabytes_per_second"] for row in points]
    limits = [entry for entry in result["limits"] if any(row["threads"] == entry["threads"] for row in drawn)]
    ridges = [entry["peak_gflops"] / entry["stream_gigabytes_per_second"] for entry in limits]
    left, right = 0.3 * min(needs + ridges), 8 * max(needs + ridges)
    for entry, ridge in zip(limits, ridges):
        stream, peak = entry["stream_gigabytes_per_second"], entry["peak_gflops"]
        axes.plot([left, ridge, right], [stream * left, peak, peak], color=LIMIT, linewidth=1.7, zorder=2)
        threads = counted(entry["threads"], "thread")
        text = f"{threads}: STREAM {three(stream)} GB/s, peak {three(peak)} GFLOP/s"
        axes.text(right, peak * 1.07, text, ha="right", size=8.5, color=LIMIT, path_effects=HALO)
    for row, need in zip(points, needs):
        shape = shapes[kind_of(row), row["threads"]]
        axes.plot(need, row["gflops"], shape, color=colours[row["name"]], markersize=8, zorder=4)
    cached = [row for row in drawn if row.get("gflops") and not is_whole(row)]
    for row in cached:
        shape = shapes[kind_of(row), row["threads"]]
        style = {
            "markerfacecolor": "white",
            "markeredgecolor": colours[row["name"]],
            "markersize": 7,
            "zorder": 4,
        }
        axes.plot(right / 1.6, row["gflops"], shape, **style)
    lowest = min(row["gflops"] for row in points + cached)
    axes.set(xscale="log", yscale="log", xlim=(left, right), ylim=(0.4 * lowest, None))
    axes.set_xlabel(
        "needed operations per byte that must move" + ("  (hollow: in the cache)" if cached else "")
    )
    axes.set_ylabel("needed GFLOP/s")
    axes.set_title("Under the limits of the machine", loc="left", size=10.5)


def draw_times(axes, result, colours, shapes):
    """Where there is one number of cells: what each kernel needs for a unit."""
    names = list(colours)[::-1]
    for row in result["kernels"]:
        rate, _ = unit_of(row)
        style = {"color": colours[row["name"]], "markersize": 7, "zorder": 3}
        axes.plot(1e9 / row[rate], names.index(row["name"]), shapes[kind_of(row), row["threads"]], **style)
    axes.set(xscale="log", ylim=(-0.6, len(names) - 0.4))
    axes.set_yticks(range(len(names)), [name.replace("_", " ") for name in names])
    axes.set_xlabel(f"nanoseconds for each of its {unit_of(result['kernels'][0])[1]}")
    axes.set_title(f"{counted(result['kernels'][0]['cells'], 'cell')}", loc="left", size=10.5)
    return []


def leaves_cache(rows, rate):
    """The first number of cells from which on a kernel stays below a share of its best speed; None: it never leaves."""
    best = max(row[rate] for row in rows)
    slow = None
    for row in reversed(rows):
        if row[rate] >= LEAVES * best:
            return slow
        slow = row
    return None


def bytes_of(result, row):
    """Memory of so many cells, where the report has it."""
    if "bins" in row and result.get("bytes_per_bin"):
        return result["bytes_per_bin"] * row["bins"] * row["cells"]
    if "order" in row and result.get("bytes_per_element"):
        return result["bytes_per_element"] * row["cells"]
    return None


def draw_sizes(axes, result, colours, shapes):
    """Speed by number of cells; a ring where a kernel has left the cache. Returns what was found."""
    found = []
    for (name, kind, threads), rows in lines_of(result["kernels"]).items():
        if not is_whole(rows[0]) and not name.startswith(("fault", "predictor")):
            continue
        rate, _ = unit_of(rows[0])
        cells, speeds = [row["cells"] for row in rows], [1e-6 * row[rate] for row in rows]
        axes.plot(
            cells, speeds, "-" + shapes[kind, threads], color=colours[name], markersize=4.5, linewidth=1.3
        )
        left = leaves_cache(rows, rate)
        if left is None:
            continue
        axes.plot(left["cells"], 1e-6 * left[rate], "o", markersize=12, color=colours[name], fillstyle="none")
        size = bytes_of(result, left)
        found.append(
            {"kernel": name, "kind": kind, "threads": threads, "cells": left["cells"], "bytes": size}
        )
        if size:
            text = f"{size / 2**20:.0f} MiB" if size >= 2**20 else f"{size / 2**10:.0f} KiB"
            place = (left["cells"], 1e-6 * left[rate])
            axes.annotate(
                text,
                place,
                xytext=(0, 9),
                textcoords="offset points",
                ha="center",
                size=7.5,
                path_effects=HALO,
            )
    rate, unit = unit_of(result["kernels"][0])
    axes.set(xscale="log", yscale="log")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda n, _: f"{n:,.0f}".replace(",", "\u202f")))
    axes.set_xlabel("cells")
    axes.set_ylabel(f"million {unit} per second")
    axes.set_title(
        "By number of cells" + ("; ringed: out of the cache, below 90 % of the best" if found else ""),
        loc="left",
        size=10.5,
    )
    return found


def draw_proxy(path):
    """(figure, what was drawn) of a report."""
    report = read(path)
    result, machine = report.result, report.machine
    rows = result["kernels"]
    if not any(is_whole(row) for row in rows):
        refuse(path, "result.kernels[].gflops", None, "a kernel whose operations and bytes are counted")
    colours, shapes = colours_of(rows), shapes_of(rows)
    figure = Figure(figsize=(13.0, 6.2), dpi=120, layout="constrained")
    left, right = figure.subplots(1, 2)
    draw_roofline(left, result, colours, shapes)
    several = any(len(some) > 1 for some in lines_of(rows).values())
    found = (draw_sizes if several else draw_times)(right, result, colours, shapes)
    for axes in (left, right):
        axes.grid(color="0.88", linewidth=0.6, zorder=0)
        axes.spines[["top", "right"]].set_visible(False)
    drawn = {
        row["name"] for row in rows if row.get("gflops") or not several or row["name"].startswith("fault")
    }
    names = [
        Line2D([], [], marker="o", linestyle="", color=colour, label=name.replace("_", " "))
        for name, colour in colours.items()
        if name in drawn
    ]
    kinds = [
        Line2D([], [], marker=m, linestyle="", color="0.3", label=f"{kind}, {counted(threads, 'thread')}")
        for (kind, threads), m in shapes.items()
    ]
    figure.legend(handles=names + kinds, loc="outside lower center", ncols=6, frameon=False, fontsize=8.5)
    ranks = counted(machine.get("ranks", 1), "rank")
    spreads = [entry.get(key, 0) for entry in result["limits"] for key in ("stream_spread", "peak_spread")]
    noisy = f"; its limits varied by {100 * max(spreads):.0f} %" if max(spreads, default=0) > 0.1 else ""
    figure.suptitle(
        f"Kernels of the {'wave' if result.get('model') == 'sea' else 'earthquake'} model: "
        f"{machine.get('cpu', 'unknown processor')}, {ranks}{noisy}",
        x=0.01,
        ha="left",
        size=11.5,
        weight="bold",
    )
    return figure, {"kernels": len(rows), "out_of_cache": found}
