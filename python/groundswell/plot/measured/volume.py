"""`plot volume`: what `groundswell volume` found: bytes that a part receives, and how many of them leave their host.

The data volume per rank by number of parts, least, mean and most, as Pang et al. 2025 (Geosci. Model Dev. 18) define it in their
equation 2: cells × directions × frequencies × bytes × steps / 1024². Every report is one row.
"""

import matplotlib

matplotlib.use("Agg")
import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullFormatter, NullLocator

from groundswell.errors import refuse
from groundswell.plot.labels import fit
from groundswell.plot.measured.reports import counted, halo_of, read_reports
from groundswell.plot.measured.volume_matrix import HEIGHT, draw_row, squares_of, width_of

NEEDED = ("cells", "steps", "per_host", "partitions")
METHODS = {
    "plain": ("#1b4f72", "o", "-"),
    "two-level": ("#e67e22", "s", "-"),
    "mapped": ("#8e44ad", "D", "-"),
    "curve": ("#1e8449", "P", "-"),
    "scattered": ("#7d8a94", "^", (0, (3, 2))),
}
OTHER = ("#c0392b", "v", "-")
WIDTH, HIGH, LEFT, GAP, TOP, BETWEEN = 4.6, 3.3, 0.95, 0.95, 1.25, 0.95  # inches


def bins_of(result):
    """Bins of the sea's spectrum."""
    return f"{result['directions']} × {result['frequencies']} bins" if "directions" in result else ""


TRAITS = (
    lambda r: str(r.result.get("mesh", "")),
    lambda r: counted(r.result["cells"], "cell"),
    lambda r: halo_of(r.result),
    lambda r: bins_of(r.result),
    lambda r: counted(r.result["steps"], "step"),
    lambda r: f"{counted(r.result['per_host'], 'part')} a host",
)


def read(paths):
    reports = read_reports(paths, "volume", NEEDED, TRAITS)
    for report in reports:
        partitions = report.result["partitions"]
        if not any(one["received_mib"]["max"] > 0 for one in partitions):
            refuse(report.path, "result.partitions", "(nothing is received)", "at least one of several parts")
    return reports


def methods_of(reports):
    found = dict.fromkeys(one["method"] for r in reports for one in r.result["partitions"])
    return [name for name in METHODS if name in found] + [name for name in found if name not in METHODS]


def series(report, method):
    """The partitions of one method, by number of parts."""
    chosen = [one for one in report.result["partitions"] if one["method"] == method]
    return sorted(chosen, key=lambda one: one["parts"])


def draw_volume_panel(axes, report, methods):
    """The mean with its spread over parts, both axes logarithmic; methods stand a little apart to be told from each other."""
    known = [one["parts"] for one in report.result["partitions"]]
    step = max(4.0, max(known) / min(known)) ** 0.012
    for number, method in enumerate(methods):
        chosen = [one for one in series(report, method) if one["received_mib"]["mean"] > 0]
        colour, marker, style = METHODS.get(method, OTHER)
        apart = step ** (number - (len(methods) - 1) / 2)
        parts = [apart * one["parts"] for one in chosen]
        low, mean, high = (
            np.array([one["received_mib"][key] for one in chosen]) for key in ("min", "mean", "max")
        )
        axes.errorbar(
            parts,
            mean,
            # A part without neighbours receives nothing, which has no place on a logarithmic axis.
            yerr=[mean - np.maximum(low, 0.1 * mean), high - mean],
            color=colour,
            marker=marker,
            markersize=4.5,
            linewidth=1.4,
            linestyle=style,
            capsize=3,
            elinewidth=1.1,
        )
    axes.set_yscale("log")
    axes.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0), numticks=20))
    # Lines at 1, 2, 3, … 9 that draw together upwards: what a logarithmic axis looks like.
    axes.yaxis.set_minor_locator(LogLocator(subs=range(1, 10), numticks=200))
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.grid(axis="y", which="minor", color="0.93", linewidth=0.5)


def draw_share_panel(axes, report, methods):
    several = [one for one in report.result["partitions"] if one["parts"] > report.result["per_host"]]
    for method in methods if several else ():
        chosen = [one for one in series(report, method) if one in several]
        colour, marker, style = METHODS.get(method, OTHER)
        share = [100.0 * one["off_host_share"] for one in chosen]
        parts = [one["parts"] for one in chosen]
        # A marker at 100 % stands on the rim.
        axes.plot(
            parts,
            share,
            color=colour,
            marker=marker,
            markersize=5,
            linewidth=1.4,
            linestyle=style,
            clip_on=False,
        )
    if not several:
        place = {"ha": "center", "va": "center", "transform": axes.transAxes}
        axes.text(0.5, 0.5, "all parts are on one host", color="0.45", style="italic", size=9, **place)
    axes.set_ylim(0, 100)
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g} %"))


def parts_axis(axes, parts):
    """A tick for every number of parts that was asked for, as far as they find room."""
    axes.set_xscale("log")
    shown = list(parts)
    while len(shown) > 2 and np.log(shown[-1] / shown[0]) / (len(shown) - 1) < 0.14 * np.log(
        parts[-1] / parts[0]
    ):
        shown = shown[::-2][::-1]
    axes.xaxis.set_major_locator(FixedLocator(shown))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}".replace(",", "\u202f")))
    axes.tick_params(labelsize=8.5)
    axes.set_xlabel("parts (logarithmic)", size=9)
    axes.grid(color="0.88", linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_xlim(parts[0] / 1.25, parts[-1] * 1.25)


def draw_volume(paths, matrix=None):
    """(Figure, summary) of one or several reports of `groundswell volume`; below a single one also what parts send each other, from
    the file `matrix`."""
    reports = read(paths)
    if matrix is not None and len(reports) > 1:
        refuse("command line", "--matrix", matrix, "one report with it, the one that it was written with")
    methods = methods_of(reports)
    squares = squares_of(reports[0], matrix, methods) if matrix is not None else []
    named = 0.25 if len(reports) > 1 else 0.0
    step = HIGH + BETWEEN + named
    total = (
        max(LEFT + 2 * WIDTH + GAP + 0.3, LEFT + width_of(squares)),
        TOP + step * len(reports) - 0.25 + (HEIGHT if squares else 0.0),
    )
    figure = Figure(figsize=total, dpi=120)
    volumes = []
    for row, report in enumerate(reports):
        top = TOP + named + row * step
        panels = [
            figure.add_axes(
                (
                    (LEFT + column * (WIDTH + GAP)) / total[0],
                    1 - (top + HIGH) / total[1],
                    WIDTH / total[0],
                    HIGH / total[1],
                )
            )
            for column in (0, 1)
        ]
        draw_volume_panel(panels[0], report, methods)
        draw_share_panel(panels[1], report, methods)
        parts = sorted({one["parts"] for one in report.result["partitions"]})
        for axes in panels:
            parts_axis(axes, parts)
        steps = counted(report.result["steps"], "step")
        panels[0].set_ylabel(f"received by a part in {steps}, MiB (logarithmic)", size=9)
        panels[1].set_ylabel("share of the bytes that leaves the host", size=9)
        volumes.append(panels[0])
        if named:
            height = 1 - (top - 0.1) / total[1]
            figure.text(LEFT / total[0], height, report.label, weight="bold", size=10)
    low = min(axes.get_ylim()[0] for axes in volumes)
    high = max(axes.get_ylim()[1] for axes in volumes)
    for axes in volumes:
        axes.set_ylim(low, high)
    if squares:
        draw_row(figure, total, (LEFT, TOP + step * len(reports)), reports[0], squares)
    write_head(figure, total, reports, methods)
    return figure, summary(reports)


def write_head(figure, total, reports, methods):
    common = [{trait(report) for report in reports} for trait in TRAITS]
    said = ", ".join(text for one in common if len(one) == 1 for text in one if text)
    figure.text(0.12 / total[0], 1 - 0.34 / total[1], "Data volume of the halo", weight="bold", size=12.5)
    fit(figure.text(0.12 / total[0], 1 - 0.60 / total[1], said, size=10), total[0] - 0.24)
    handles = []
    for method in methods:
        colour, marker, style = METHODS.get(method, OTHER)
        handles.append(
            Line2D([], [], color=colour, marker=marker, markersize=5, linestyle=style, label=method)
        )
    bar = {"color": "0.35", "marker": "|", "markersize": 9, "linewidth": 0}
    handles.append(Line2D([], [], label="least to most of the parts; lines: mean", **bar))
    figure.legend(
        handles=handles,
        loc="lower left",
        frameon=False,
        ncols=len(handles),
        fontsize=8.5,
        bbox_to_anchor=((LEFT - 0.05) / total[0], 1 - (TOP - 0.12) / total[1]),
        columnspacing=1.4,
        borderpad=0.2,
    )


def summary(reports):
    keys = ("parts", "method", "received_mib", "off_host_share")
    return {
        "partitions": [
            {"report": str(report.path), "label": report.label, **{key: one[key] for key in keys}}
            for report in reports
            for one in report.result["partitions"]
        ]
    }
