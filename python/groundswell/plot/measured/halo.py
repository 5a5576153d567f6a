"""`plot halo`: what `groundswell halo` measured: time of each transport, speed-up, bytes from rank to rank.

Pictures in the manner of Pang et al. 2025 (Geosci. Model Dev. 18), who show times with error bars, the speed-up by mean and by
maximum over ranks, and the matrix of communication. Every report is one row; the rows share their scales.
"""

import matplotlib

matplotlib.use("Agg")
import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import FixedLocator, MaxNLocator

from groundswell.errors import refuse
from groundswell.plot.labels import HALO, fit
from groundswell.plot.measured.reports import counted, halo_of, read_reports, three

NEEDED = ("cells", "memcpy_seconds", "transports", "matrix_bytes")
PHASES = (("pack", "#1b4f72"), ("wait", "#2e86c1"), ("unpack", "#e67e22"))
MEANS = (("mean", "by the mean over ranks", "#2e86c1"), ("max", "by the slowest rank", "#a9cce3"))
MEMCPY, HOST = "#5d6d7e", "#c0392b"
SELECTED = "needed directions"
NUMBERED = 9  # ranks up to which the matrix has its numbers in it
LINE, TOP, BETWEEN, TIME, SPEEDUP, SQUARE = 0.30, 1.30, 0.72, 4.6, 3.2, 2.9  # inches


def bytes_of(result):
    """Bytes that travel of each field."""
    if "bytes_per_face" in result:
        return f"{counted(result['bytes_per_face'], 'byte')} a side of a face"
    return f"{counted(result['bytes_per_cell'], 'byte')} a cell" if "bytes_per_cell" in result else ""


TRAITS = (
    lambda r: str(r.machine.get("mpi", "")),
    lambda r: f"{counted(r.machine.get('ranks', 1), 'rank')} on {counted(r.machine.get('hosts', 1), 'host')}",
    lambda r: str(r.result.get("mesh", "")),
    lambda r: f"{counted(r.result['cells'], 'cell')}",
    lambda r: halo_of(r.result),
    lambda r: bytes_of(r.result),
    lambda r: f"{r.result.get('partition', 'unknown')} partition",
    lambda r: "parts as cut" if r.result.get("mapping") == "none" else "parts mapped to hosts",
    lambda r: "new ranks asked for" if r.result.get("reorder") else "ranks as launched",
)
ALWAYS = (1, 3, 4, 5)  # traits that the title tells where they are common to all


def read(paths):
    reports = read_reports(paths, "halo", NEEDED, TRAITS)
    for report in reports:
        if not any(one.get("available") for one in report.result["transports"]):
            refuse(report.path, "result.transports", "(none available)", "at least one that was measured")
    return reports


def lines_of(reports):
    """[(transport, with selection)] of all reports, in the order in which they first stand."""
    names = dict.fromkeys(one["name"] for r in reports for one in r.result["transports"])
    selected = {one["name"] for r in reports for one in r.result["transports"] if "selected" in one}
    return [
        line for name in names for line in ((name, False), (name, True)) if not line[1] or name in selected
    ]


def measured(report, name, selected):
    """Measurements of a transport, or None."""
    for one in report.result["transports"]:
        if one["name"] == name and one["available"]:
            return one.get("selected") if selected else one
    return None


def all_measured(reports, lines):
    return [one for r in reports for one in (measured(r, *line) for line in lines) if one is not None]


def unit_of_time(seconds):
    return (1e6, "µs") if seconds < 1e-2 else (1e3, "ms") if seconds < 10 else (1.0, "s")


def unit_of_bytes(count):
    units = ((2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB"), (1, "B"))
    return next((factor, unit) for factor, unit in units if count >= factor or factor == 1)


def remark(axes, place, text):
    axes.text(
        0.02,
        place,
        text,
        transform=axes.get_yaxis_transform(),
        va="center",
        color="0.45",
        style="italic",
        size=8.5,
        path_effects=HALO,
    )


def times_memcpy(report, one):
    """The median exchange, mean over ranks, over the median copy: the lengths that are drawn, and no other statistic."""
    return one["whole"]["mean"] / report.result["memcpy_seconds"]["median"]


def draw_time(axes, report, lines, scale, unit):
    """Stacked phases, mean over ranks; the whole with its spread over ranks; memcpy as a line through all."""
    copy = scale * report.result["memcpy_seconds"]["median"]
    axes.axvline(copy, color=MEMCPY, linewidth=1.3, linestyle=(0, (4, 2)), zorder=3)
    for place, line in enumerate(lines):
        one = measured(report, *line)
        if one is None:
            remark(axes, place, "not measured" if line[1] else "not available")
            continue
        left = 0.0
        for phase, colour in PHASES:
            length = scale * one[phase]["mean"]
            axes.barh(place, length, 0.66, left=left, color=colour, zorder=2)
            left += length
        low, mean, high = (scale * one["whole"][key] for key in ("min", "mean", "max"))
        spread = [[mean - low], [high - mean]]
        style = {
            "fmt": "D",
            "color": "black",
            "markersize": 3.5,
            "capsize": 3.5,
            "linewidth": 1.1,
            "zorder": 4,
        }
        axes.errorbar(mean, place, xerr=spread, **style)
        ratio = times_memcpy(report, one)
        text = f"   {three(mean)} {unit}   {ratio:.{0 if ratio >= 100 else 1}f} × memcpy"
        text += "" if one["verified"] else "   WRONG VALUES"
        axes.text(max(left, high), place, text, va="center", size=8.5, path_effects=HALO, zorder=5)


def draw_speedup(axes, report, lines):
    axes.axvline(1.0, color="black", linewidth=0.9, zorder=3)
    for place, line in enumerate(lines):
        one = measured(report, *line)
        if one is None or one.get("speedup") is None:
            remark(axes, place, "" if one is None else "point-to-point was not measured")
            continue
        for offset, (key, _, colour) in zip((-0.17, 0.17), MEANS):
            value = one["speedup"][key]
            axes.barh(place + offset, value, 0.33, color=colour, zorder=2)
            axes.text(
                value, place + offset, f"  {value:.2f}", va="center", size=7.5, path_effects=HALO, zorder=5
            )


def draw_matrix(axes, report, factor, highest):
    """Bytes from rank to rank, white where nothing is sent; the image, or None where a report has no matrix."""
    matrix = report.result["matrix_bytes"]
    axes.tick_params(labelsize=8.5)
    if matrix is None:
        axes.text(
            0.5, 0.5, "too many ranks for a matrix", ha="center", color="0.45", style="italic", size=8.5
        )
        axes.set(xticks=[], yticks=[])
        return None
    values = np.array(matrix, float) / factor
    colours = matplotlib.colormaps["YlGnBu"].with_extremes(bad="white")
    image = axes.imshow(np.ma.masked_equal(values, 0.0), cmap=colours, vmin=0.0, vmax=highest / factor)
    ranks = len(values)
    for (sender, receiver), value in np.ndenumerate(values) if ranks <= NUMBERED else ():
        if value > 0:
            ink = "white" if value > 0.55 * highest / factor else "black"
            axes.text(receiver, sender, three(value), ha="center", va="center", size=7.5, color=ink)
    hosts = report.result.get("host_of_rank") or [0] * ranks
    for rank in range(1, ranks):
        if hosts[rank] != hosts[rank - 1]:
            axes.axhline(rank - 0.5, color=HOST, linewidth=0.8)
            axes.axvline(rank - 0.5, color=HOST, linewidth=0.8)
    for axis in (axes.xaxis, axes.yaxis):
        # A locator would put ticks beside the only rank.
        axis.set_major_locator(FixedLocator([0]) if ranks == 1 else MaxNLocator(min(8, ranks), integer=True))
    if not values.any():
        axes.text(
            0.5,
            0.5,
            "nothing is sent",
            transform=axes.transAxes,
            ha="center",
            color="0.45",
            style="italic",
            size=8.5,
        )
    axes.set_ylabel("sending rank", size=9)
    return image


class Sheet:
    """The figure and where its panels stand, in inches from the upper left corner."""

    def __init__(self, reports, lines):
        longest = max(len(name) for name, _ in lines)
        self.left = max(1.45, 0.074 * longest + 0.25)
        self.named = len(reports) > 1
        self.high = max(LINE * len(lines) + 0.1, SQUARE)
        self.step = self.high + BETWEEN + (0.25 if self.named else 0.0)
        self.columns = (self.left, self.left + TIME + 0.3, self.left + TIME + SPEEDUP + 1.0)
        self.total = (self.columns[2] + SQUARE + 0.95, TOP + self.step * len(reports) - 0.1)
        self.figure = Figure(figsize=self.total, dpi=120)

    def panel(self, column, row, wide, high):
        x, y = self.columns[column], TOP + (0.25 if self.named else 0.0) + row * self.step
        return self.figure.add_axes(
            (
                x / self.total[0],
                1 - (y + high) / self.total[1],
                wide / self.total[0],
                high / self.total[1],
            )
        )

    def write(self, x, y, text, **style):
        return self.figure.text(x / self.total[0], 1 - y / self.total[1], text, **style)

    def legend(self, column, handles, columns, rise=0.0):
        place = ((self.columns[column] - 0.05) / self.total[0], 1 - (TOP - rise) / self.total[1])
        self.figure.legend(
            handles=handles,
            loc="lower left",
            bbox_to_anchor=place,
            frameon=False,
            ncols=columns,
            fontsize=8,
            handlelength=1.4,
            columnspacing=1.1,
            borderpad=0.2,
            labelspacing=0.25,
        )


def draw_halo(paths):
    """(Figure, summary) of one or several reports of `groundswell halo`."""
    reports = read(paths)
    lines = lines_of(reports)
    found = all_measured(reports, lines)
    slowest = max(one["whole"]["max"] for one in found)
    quickest = max([1.0] + [v for one in found for v in (one.get("speedup") or {}).values()])
    largest = max(
        [1.0] + [float(np.max(r.result["matrix_bytes"])) for r in reports if r.result["matrix_bytes"]]
    )
    scale, unit = unit_of_time(slowest)
    factor, unit_of_matrix = unit_of_bytes(largest)
    sheet = Sheet(reports, lines)
    for row, report in enumerate(reports):
        bars = sheet.panel(0, row, TIME, sheet.high), sheet.panel(1, row, SPEEDUP, sheet.high)
        draw_time(bars[0], report, lines, scale, unit)
        draw_speedup(bars[1], report, lines)
        bars[0].set_xlim(0, 1.65 * scale * slowest)
        bars[1].set_xlim(0, 1.14 * quickest)
        for axes in bars:
            axes.set(ylim=(len(lines) - 0.45, -0.55), axisbelow=True)
            axes.set_yticks(range(len(lines)), [""] * len(lines))
            axes.tick_params(axis="y", length=0)
            axes.tick_params(axis="x", labelsize=8.5)
            axes.spines[["top", "right"]].set_visible(False)
            axes.grid(axis="x", color="0.88", linewidth=0.6)
        labels = bars[0].set_yticklabels([SELECTED if selected else name for name, selected in lines], size=9)
        for label, (_, selected) in zip(labels, lines):
            label.set(color="0.4" if selected else "black", size=8 if selected else 9)
        square = sheet.panel(2, row, SQUARE, SQUARE)
        image = draw_matrix(square, report, factor, largest)
        if image is not None:
            bar = sheet.figure.colorbar(image, cax=square.inset_axes((1.04, 0.0, 0.05, 1.0)))
            bar.ax.tick_params(labelsize=8.5)
            bar.set_label(f"{unit_of_matrix} in one exchange", size=8.5)
        if sheet.named:
            top = TOP + row * sheet.step + 0.19
            sheet.write(sheet.left, top, report.label, weight="bold", size=10)
        bars[0].set_xlabel(f"median exchange, {unit}", size=9)
        bars[1].set_xlabel("speed-up over point-to-point", size=9)
        square.set_xlabel("receiving rank", size=9)
    write_head(sheet, reports)
    return sheet.figure, summary(reports, lines)


def write_head(sheet, reports):
    common = [{trait(report) for report in reports} for trait in TRAITS]
    said = [*common[0]] if len(common[0]) == 1 else []
    said += [text for t in ALWAYS if len(common[t]) == 1 for text in common[t]]
    room = sheet.total[0] - 0.24
    sheet.write(0.12, 0.34, "Halo exchange", weight="bold", size=12.5)
    fit(sheet.write(0.12, 0.60, ", ".join(said), size=10), room)
    whole = {"color": "black", "marker": "D", "markersize": 3.5, "linewidth": 1.1}
    phases = [Patch(color=colour, label=phase) for phase, colour in PHASES]
    lines = [
        Line2D([], [], label="whole: mean, least and most over ranks", **whole),
        Line2D([], [], color=MEMCPY, linestyle=(0, (4, 2)), label="memcpy of the same bytes"),
    ]
    sheet.legend(0, phases, 3, rise=0.19)
    sheet.legend(0, lines, 2)
    sheet.legend(1, [Patch(color=colour, label=label) for _, label, colour in MEANS], 1)
    if any(len(set(report.result.get("host_of_rank") or [0])) > 1 for report in reports):
        sheet.legend(2, [Line2D([], [], color=HOST, linewidth=0.8, label="border between hosts")], 1)


def summary(reports, lines):
    drawn = []
    for report in reports:
        for name, selected in lines:
            one = measured(report, name, selected)
            if one is not None:
                drawn.append(
                    {
                        "report": str(report.path),
                        "label": report.label,
                        "transport": name,
                        "needed_directions": selected,
                        "whole_seconds": one["whole"]["mean"],
                        "times_memcpy": times_memcpy(report, one),
                        "speedup": one.get("speedup"),
                        "verified": one["verified"],
                    }
                )
    return {"transports": drawn}
