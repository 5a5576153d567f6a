"""Pictures of the evaluation: time of each transport, orders of ranks, share of communication."""

import numpy as np
from evaluation import figure, save
from libraries import BY_NAME
from matplotlib.lines import Line2D
from plan import WAYS, layout_title

from groundswell.plot.measured.halo import draw_halo

COLOURS = {
    "openmpi-4": "#1b4f72",
    "openmpi-5": "#2e86c1",
    "mpich-4": "#b9770e",
    "mpich-5": "#f5b041",
    "intel": "#7d8a94",
}
SHORT = {
    "metis": "METIS\norder",
    "two-level": "two-level",
    "random": "random",
    "reorder": "random,\nreorder",
    "remapped": "random,\nremapped",
}
WHISKER = Line2D([], [], color="black", linewidth=0.9, label="quickest to slowest rank")
WORK, TALK, REST = "#aab7b8", "#c0392b", "#e5e8e8"


def whole(report, name):
    for one in report["result"]["transports"]:
        if one["name"] == name and one["available"]:
            return one["whole"]
    return None


def axis_limit(reports, names):
    """Milliseconds at the end of an axis: one transport that is many times slower must not flatten the others."""
    found = [whole(report, name) for report in reports for name in names]
    highest = 1e3 * np.array([one["max"] for one in found if one])
    return float(min(highest.max(), 4.0 * np.median(highest)))


def short(number):
    return f"{number:.1f}" if number < 10 else f"{number:.0f}"


def legend(drawing, panel):
    """Above all panels: the libraries, and what the whiskers are."""
    handles = [*panel.get_legend_handles_labels()[0], WHISKER]
    drawing.legend(handles=handles, loc="outside upper center", ncols=len(handles), frameon=False)


def draw_exchanges(found, folder):
    """One panel a layout: transports, a bar for each library, whiskers from the quickest to the slowest rank."""
    layouts = [(1, 2), (2, 1), (1, 4), (2, 2)]
    halo = {(w.hosts, w.per_host, w.mpi): r for w, r in found if w.kind == "halo" and w.way == "two-level"}
    layouts = [layout for layout in layouts if any(key[:2] == layout for key in halo)]
    if not layouts:
        return []
    names = [
        one["name"] for one in next(iter(halo.values()))["result"]["transports"] if one["name"] != "auto"
    ]
    libraries = [name for name in COLOURS if any(key[2] == name for key in halo)]
    drawing, axes = figure(2, (len(layouts) + 1) // 2, 10.5, 3.6 * ((len(layouts) + 1) // 2))
    for panel in axes.flat[len(layouts) :]:
        panel.set_visible(False)
    for panel, layout in zip(axes.flat, layouts):
        high = 0.8 / len(libraries)
        limit = axis_limit([halo[key] for key in halo if key[:2] == layout], names)
        for k, library in enumerate(libraries):
            report = halo.get((*layout, library))
            if report is None:
                continue
            for row, name in enumerate(names):
                one = whole(report, name)
                at = row - 0.4 + (k + 0.5) * high
                if one is None:
                    panel.text(0, at, " not available", va="center", fontsize=6, color="0.5", style="italic")
                    continue
                low, mean, top = (1e3 * one[key] for key in ("min", "mean", "max"))
                title = BY_NAME[library].title if row == 0 else None
                panel.barh(at, min(mean, limit), high, color=COLOURS[library], label=title)
                panel.plot([min(low, limit), min(top, limit)], [at, at], color="black", linewidth=0.9)
                if top > limit:  # what the axis cuts off is told in figures
                    beyond = f" {short(mean)} → {short(top)}" if mean > limit else f" → {short(top)}"
                    panel.text(limit, at, beyond, va="center", fontsize=6)
        panel.set_yticks(range(len(names)), names)
        panel.set_ylim(len(names) - 0.5, -0.5)
        panel.set_xlim(0, 1.15 * limit)
        panel.grid(axis="x", color="0.9", linewidth=0.6)
        panel.set_axisbelow(True)
        panel.set_title(layout_title(*layout), loc="left", fontsize=10)
        panel.set_xlabel("milliseconds an exchange")
    legend(drawing, axes.flat[0])
    return [save(drawing, folder / "exchange.png")]


def draw_orders(found, folder):
    """Bytes that leave the host, and the time of an exchange, by the order of ranks."""
    layouts = [(2, 2), (4, 2)]
    halo = {(w.hosts, w.per_host, w.way, w.mpi): r for w, r in found if w.kind == "halo"}
    layouts = [layout for layout in layouts if any(key[:2] == layout and key[2] == "random" for key in halo)]
    if not layouts:
        return []
    drawing, axes = figure(3, len(layouts), 10.5, 3.1 * len(layouts))
    for (bytes_panel, *time_panels), layout in zip(axes, layouts):
        libraries = [name for name in COLOURS if (*layout, "random", name) in halo]
        ways = [way for way in WAYS if any(key[:3] == (*layout, way) for key in halo)]
        share = []
        for way in ways:
            result = next(r["result"] for key, r in halo.items() if key[:3] == (*layout, way))
            share.append(100.0 * result["off_host_share"])
        bytes_panel.bar(range(len(ways)), share, 0.7, color="#5d6d7e")
        for at, value in enumerate(share):
            bytes_panel.text(at, value, f"{value:.0f} %", ha="center", va="bottom", fontsize=8)
        bytes_panel.set_ylabel("% of the bytes that leave their host")
        bytes_panel.set_title(layout_title(*layout), loc="left", fontsize=10)
        shown = ("point-to-point", "neighbor")
        limit = axis_limit([report for key, report in halo.items() if key[:2] == layout], shown)
        for panel, name in zip(time_panels, shown):
            wide = 0.8 / len(libraries)
            for k, library in enumerate(libraries):
                for column, way in enumerate(ways):
                    report = halo.get((*layout, way, library))
                    one = whole(report, name) if report else None
                    if one is None:
                        continue
                    at = column - 0.4 + (k + 0.5) * wide
                    label = BY_NAME[library].title if column == 0 else None
                    low, mean, top = (1e3 * one[key] for key in ("min", "mean", "max"))
                    panel.bar(at, min(mean, limit), wide, color=COLOURS[library], label=label)
                    panel.plot([at, at], [min(low, limit), min(top, limit)], color="black", linewidth=0.9)
                    if top > limit:
                        beyond = f"{short(mean)} ↑ {short(top)}" if mean > limit else f"↑ {short(top)}"
                        panel.text(at, limit, beyond, ha="center", va="bottom", fontsize=6)
            panel.set_title(name, loc="left", fontsize=10)
            panel.set_ylabel("milliseconds an exchange")
            panel.set_ylim(0, 1.08 * limit)
        for panel in (bytes_panel, *time_panels):
            panel.set_xticks(range(len(ways)), [SHORT[way] for way in ways], fontsize=7.5)
            panel.grid(axis="y", color="0.9", linewidth=0.6)
            panel.set_axisbelow(True)
    legend(drawing, axes[0][1])
    return [save(drawing, folder / "orders.png")]


def draw_shares(found, folder):
    """Runs of sixty steps: what the mean rank computed and what it communicated, of the whole."""
    drawn = []
    for kind in ("steps", "model"):
        runs = [(w, r["result"]) for w, r in found if w.kind == kind and w.way == "two-level"]
        hosts = sorted({w.hosts for w, _ in runs})
        if not runs:
            continue
        most = max(sum(w.hosts == h for w, _ in runs) for h in hosts)
        drawing, axes = figure(len(hosts), 1, 10.5, 1.3 + 0.27 * most)
        longest = max(result["wall_seconds"] for _, result in runs)
        for panel, h in zip(axes.flat, hosts):
            here = [(w, result) for w, result in runs if w.hosts == h]
            for row, (_, result) in enumerate(here):
                work, talk = result["computation_seconds"], result["communication_seconds"]
                end = result["wall_seconds"]
                first = row == 0
                panel.barh(row, work["mean"], 0.7, color=WORK, label="computation" if first else None)
                panel.barh(
                    row,
                    talk["mean"],
                    0.7,
                    left=work["mean"],
                    color=TALK,
                    label="communication" if first else None,
                )
                rest = max(0.0, end - work["mean"] - talk["mean"])
                panel.barh(row, rest, 0.7, left=end - rest, color=REST, label="rest" if first else None)
                panel.text(
                    end, row, f" {end:.1f} s, {100 * talk['mean'] / end:.1f} %", va="center", fontsize=7.5
                )
            panel.set_yticks(
                range(len(here)),
                [f"{BY_NAME[w.mpi].title}, {w.transport}" for w, _ in here],
                fontsize=7.5,
            )
            panel.set_ylim(len(here) - 0.5, -0.5)
            panel.set_xlim(0, 1.28 * longest)
            panel.set_title(layout_title(h, 2 // h), loc="left", fontsize=10)
            panel.set_xlabel("seconds, mean over ranks; share of communication")
        handles, labels = axes.flat[0].get_legend_handles_labels()
        drawing.legend(handles, labels, loc="outside upper center", ncols=3, frameon=False)
        drawn.append(save(drawing, folder / f"{kind}.png"))
    return drawn


def draw_speedup(found, folder):
    """Times faster than point-to-point, by the mean and by the largest over ranks, as the paper shows it."""
    halo = {(w.hosts, w.per_host, w.mpi): r for w, r in found if w.kind == "halo" and w.way == "two-level"}
    layouts = [layout for layout in ((1, 2), (2, 2)) if any(key[:2] == layout for key in halo)]
    if not layouts:
        return []
    names = [one["name"] for one in next(iter(halo.values()))["result"]["transports"]]
    names = [name for name in names if name not in ("auto", "point-to-point")]
    libraries = [name for name in COLOURS if any(key[2] == name for key in halo)]
    drawing, axes = figure(len(layouts), 1, 10.5, 3.9)
    for panel, layout in zip(axes.flat, layouts):
        wide = 0.8 / len(libraries)
        for k, library in enumerate(libraries):
            report = halo.get((*layout, library))
            for column, name in enumerate(names if report else []):
                one = next(t for t in report["result"]["transports"] if t["name"] == name)
                if not one["available"] or not one.get("speedup"):
                    continue
                at = column - 0.4 + (k + 0.5) * wide
                label = BY_NAME[library].title if column == 0 else None
                panel.bar(at, one["speedup"]["mean"], wide, color=COLOURS[library], label=label)
                last = library == libraries[-1] and column == 0
                panel.plot(
                    at,
                    one["speedup"]["max"],
                    "D",
                    color="black",
                    markersize=2.5,
                    label="by the slowest rank (bars: by the mean over ranks)" if last else None,
                )
        panel.axhline(1.0, color="black", linewidth=0.8)
        panel.set_xticks(np.arange(len(names)), names, rotation=30, ha="right", fontsize=8)
        panel.set_title(layout_title(*layout), loc="left", fontsize=10)
        panel.set_ylabel("times faster than point-to-point")
        panel.grid(axis="y", color="0.9", linewidth=0.6)
        panel.set_axisbelow(True)
    handles, labels = axes.flat[0].get_legend_handles_labels()
    drawing.legend(handles, labels, loc="outside upper center", ncols=len(labels), frameon=False)
    return [save(drawing, folder / "speedup.png")]


def draw_details(found, folder):
    """As `groundswell plot halo` draws them: phases, speed-up and matrix of the libraries, one below the other."""
    for layout in ((1, 2), (2, 2), (4, 2)):
        here = [
            w
            for w, _ in found
            if w.kind == "halo" and w.way == "two-level" and (w.hosts, w.per_host) == layout
        ]
        if here:
            drawing, _ = draw_halo([folder / "raw" / f"{what.key}.json" for what in here])
            drawing.savefig(folder / f"details-{layout[0]}x{layout[1]}.png", dpi=110)


def draw(found, folder):
    """Draws what can be drawn from what has been measured; names of the pictures for the manual."""
    draw_details(found, folder)
    return [
        *draw_exchanges(found, folder),
        *draw_speedup(found, folder),
        *draw_orders(found, folder),
        *draw_shares(found, folder),
    ]
