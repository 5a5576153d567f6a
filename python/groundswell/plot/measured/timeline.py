"""`plot timeline`: what each thread of each rank was busy with in the course of a run, from its `--timeline`; of a run that was killed
as far as it came."""

import json
import pathlib

import matplotlib

matplotlib.use("Agg")
import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from groundswell.errors import refuse

EXPECTED = "what `groundswell run --timeline` writes"
COLOURS = {
    "propagation": "#1b4f72",
    "source": "#2e86c1",
    "local": "#1b4f72",
    "neighbour": "#2e86c1",
    "rupture": "#7d3c98",
    "sampling": "#48c9b0",
    "forcing": "#48c9b0",
    "exchange_wait": "#c0392b",
    "exchange_pack": "#e67e22",
    "exchange_unpack": "#f5b041",
    "agreement": "#922b21",
    "output": "#b7950b",
    "other": "#95a5a6",
    "start-up": "#d5d8dc",
    "share": "#7fb3d5",
}
NAMES = {"share": "a thread's share"}
SPARE = ("#1e8449", "#7d8a94", "#5d6d7e", "#af601a", "#117864")
BINS = 1200  # as many as the picture has points across
MOST_ROWS = 40


class Row:
    """A thread of a rank: name, and `spans` [(kind, begin, end), …] in seconds."""

    def __init__(self, name):
        self.name, self.spans = name, []


def lines_of(path):
    try:
        text = pathlib.Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        refuse(path, None, None, f"{EXPECTED} ({error.strerror})")
    if not text.startswith("["):
        refuse(path, None, None, f"{EXPECTED}, which begins with [")
    return text.splitlines()


def events_of(path):
    """(events, whether the file was closed). A line that was torn when the run was killed is left out, and only the last can be."""
    lines = [line.strip().rstrip(",") for line in lines_of(path)[1:]]
    closed = bool(lines) and lines[-1] == "]"
    lines = [line for line in lines if line not in ("", "]")]
    events = []
    for number, line in enumerate(lines):
        try:
            events.append(json.loads(line))
        except json.JSONDecodeError as error:
            if number + 1 < len(lines):
                refuse(f"{path}:{number + 2}", None, None, f"{EXPECTED}; this is no event ({error.msg})")
    return events, closed


def kind_of(event, is_main):
    """Label under which a span is drawn; None: it lies within another one."""
    category = event.get("cat")
    if category == "start-up":
        return "start-up"
    if is_main:
        return event["name"] if category == "phase" else None
    return {"output": "output", "thread": "share", "exchange": "exchange_wait"}.get(category)


def rows_of(path):
    """(rows by rank and thread, whether the run came to its end)."""
    events, closed = events_of(path)
    ranks, rows = {}, {}
    for event in events:
        if event["ph"] == "M" and event["name"] == "process_name":
            ranks[event["pid"]] = event["args"]["name"]
        if event["ph"] == "M" and event["name"] == "thread_name":
            rows[event["pid"], event["tid"]] = Row(event["args"]["name"])
    for event in events:
        row = rows.get((event.get("pid"), event.get("tid")))
        if event["ph"] != "X" or row is None:
            continue
        kind = kind_of(event, row.name == "main")
        if kind is not None:
            row.spans.append((kind, 1e-6 * event["ts"], 1e-6 * (event["ts"] + event["dur"])))
    for (pid, _), row in rows.items():
        row.name = f"{ranks.get(pid, f'rank {pid - 1}').split(' on ')[0]}, {row.name}"
    found = [rows[key] for key in sorted(rows) if rows[key].spans]
    if not found:
        refuse(path, None, None, f"{EXPECTED}, of a run that came to its first step")
    return found, closed


def shares(row, begin, end, bins):
    """{kind: [bins] the part of each piece of time that it took}."""
    width = (end - begin) / bins
    found = {}
    for kind, first, last in row.spans:
        first, last = max(first, begin), min(last, end)
        if last <= first:
            continue
        share = found.setdefault(kind, np.zeros(bins))
        a, b = (first - begin) / width, (last - begin) / width
        i, j = min(int(a), bins - 1), min(int(b), bins - 1)
        if i == j:
            share[i] += b - a
            continue
        share[i] += i + 1 - a
        share[i + 1 : j] += 1.0
        share[j] += b - j
    return found


def colours_of(kinds):
    spare = iter(SPARE * (1 + len(kinds) // len(SPARE)))
    return {kind: COLOURS.get(kind) or next(spare) for kind in kinds}


def window(rows, span, path):
    last = max(end for row in rows for _, _, end in row.spans)
    if span is None:
        return 0.0, last
    if not 0 <= span[0] < span[1] or span[0] >= last:
        refuse(
            "command line",
            "--from/--to",
            f"{span[0]:g} to {span[1]:g}",
            f"a time within 0 to {last:.3g} s of {path}",
        )
    return span[0], min(span[1], last)


def draw_timeline(path, span=None):
    """(Figure, summary). `span`: (begin, end) in seconds since the start; None: all."""
    rows, closed = rows_of(path)
    begin, end = window(rows, span, path)
    drawn = rows[:MOST_ROWS]
    by_row = [shares(row, begin, end, BINS) for row in drawn]
    found = dict.fromkeys(kind for of in by_row for kind in of)
    kinds = [kind for kind in COLOURS if kind in found] + [kind for kind in found if kind not in COLOURS]
    colours = colours_of(kinds)
    height = 1.5 + 0.42 * len(drawn)
    figure = Figure(figsize=(11, height), dpi=120)
    axes = figure.add_axes((0.13, 0.55 / height, 0.85, 0.42 * len(drawn) / height))
    times = np.linspace(begin, end, BINS + 1)
    for place, of in enumerate(by_row):
        below = np.full(BINS, place + 0.92)
        for kind in kinds:
            if kind not in of:
                continue
            above = below - 0.84 * np.minimum(of[kind], 1.0)
            axes.stairs(
                above, times, baseline=below, fill=True, color=colours[kind], linewidth=0, antialiased=False
            )
            below = above
    axes.set_xlim(begin, end)
    axes.set_ylim(len(drawn), 0)
    axes.set_yticks(np.arange(len(drawn)) + 0.5, [row.name for row in drawn], size=8)
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel("seconds since the start")
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    handles = [Patch(color=colours[kind], label=NAMES.get(kind, kind.replace("_", " "))) for kind in kinds]
    figure.legend(
        handles=handles, loc="upper left", bbox_to_anchor=(0.125, 1 - 0.4 / height), ncols=min(len(kinds), 9), fontsize=8,
        frameon=False, columnspacing=1.2, handlelength=1.0,
    )  # fmt: skip
    title = "What each thread was busy with"
    if not closed:
        title += (
            f"; the run was cut off {max(e for row in rows for *_, e in row.spans):.1f} s after its start"
        )
    if len(rows) > len(drawn):
        title += f" (the first {len(drawn)} of {len(rows)} threads)"
    figure.text(0.13, 1 - 0.32 / height, title, size=11)
    seconds = [
        {
            "row": row.name,
            "seconds": {kind: float(of.sum() * (end - begin) / BINS) for kind, of in part.items()},
        }
        for row, part in zip(drawn, by_row)
    ]
    return figure, {"from": begin, "to": end, "complete": closed, "rows": seconds}
