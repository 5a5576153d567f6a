"""Pictures of the evaluation: whole time over no output, and speed of output alone."""

import numpy as np
from evaluation import figure, save
from plan import NONE
from results import blocked, speed, total

WORK, BLOCKED, REST, SPEED = "#aab7b8", "#c0392b", "#e59866", "#2e86c1"
TITLES = {
    "slow": "Computation and output, slow disk",
    "fast": "Computation and output, fast disk",
    "only-fast": "Output alone, fast disk",
    "only-slow": "Output alone, slow disk",
}
MEANING = {
    "whole.png": "Whole time over no output: computing, held by output, waiting for the last records",
    "alone.png": "Bytes a second of output alone",
}


def label(way):
    return f"{way.title} ({way.ranks})"


def draw_whole(found, folder):
    """The model's time, in units of the run without output: computing, blocked, waiting at the end."""
    names = [part for part in ("slow", "fast") if found.rounds(part, NONE)]
    if not names:
        return []
    most = max(len(found.ways(part)) for part in names)
    drawing, axes = figure(len(names), 1, 5.6 * len(names), 1.4 + 0.32 * most)
    for panel, part in zip(axes.flat, names):
        ways = found.ways(part)
        for row, way in enumerate(ways):
            whole = np.array(found.ratios(part, way, NONE, total))  # inside a round, as in the tables
            unit = found.median(part, way, total) / np.median(whole)
            held = found.median(part, way, blocked) / unit
            last = found.median(part, way, lambda r: r["finish_seconds"]["max"]) / unit
            work = max(0.0, float(np.median(whole)) - held - last)
            left = 0.0
            for length, colour, meaning in (
                (work, WORK, "computing"),
                (held, BLOCKED, "held by output"),
                (last, REST, "waiting for the last records"),
            ):
                panel.barh(row, length, 0.7, left=left, color=colour, label=meaning if row == 0 else None)
                left += length
            panel.plot([whole.min(), whole.max()], [row, row], color="black", linewidth=1.0)
            panel.text(whole.max(), row, f" {np.median(whole):.2f}", va="center", fontsize=8)
        panel.axvline(1.0, color="black", linewidth=0.8, linestyle=":")
        panel.set_yticks(range(len(ways)), [label(way) for way in ways])
        panel.set_ylim(len(ways) - 0.5, -0.5)
        panel.set_xlim(0, 1.12 * panel.get_xlim()[1])
        panel.set_xlabel("whole time over no output (line: range of the rounds)")
        panel.set_title(TITLES[part], loc="left", fontsize=10)
    handles, labels = axes.flat[0].get_legend_handles_labels()
    drawing.legend(handles, labels, loc="outside upper center", ncols=3, frameon=False)
    return [save(drawing, folder / "whole.png")]


def draw_alone(found, folder):
    """Bytes that reached the disk in a second."""
    names = [part for part in ("only-fast", "only-slow") if any(way != NONE for way in found.ways(part))]
    if not names:
        return []
    most = max(len(found.ways(part)) for part in names)
    drawing, axes = figure(len(names), 1, 5.6 * len(names), 1.2 + 0.3 * most)
    for panel, part in zip(axes.flat, names):
        ways = [way for way in found.ways(part) if way != NONE]
        for row, way in enumerate(ways):
            speeds = 1e-6 * np.array(found.values(part, way, speed))
            panel.barh(row, np.median(speeds), 0.7, color=SPEED)
            panel.plot([speeds.min(), speeds.max()], [row, row], color="black", linewidth=1.0)
            panel.text(speeds.max(), row, f" {np.median(speeds):.0f}", va="center", fontsize=8)
        panel.set_yticks(range(len(ways)), [label(way) for way in ways])
        panel.set_ylim(len(ways) - 0.5, -0.5)
        panel.set_xlim(0, 1.12 * panel.get_xlim()[1])
        panel.set_xlabel("MB/s from the first byte to the closed file (line: range of the rounds)")
        panel.set_title(TITLES[part], loc="left", fontsize=10)
    return [save(drawing, folder / "alone.png")]


def draw(found, folder):
    """Draws what can be drawn from what has been measured; names of the pictures for the manual."""
    return [*draw_whole(found, folder), *draw_alone(found, folder)]
