"""Scatter, quantile and Taylor diagrams of pairs."""

import matplotlib

matplotlib.use("Agg")
import numpy as np
from matplotlib.figure import Figure

from groundswell.plot.source import three_figures, unit_text

DENSE = 500  # pairs, from which on points are drawn as counts in boxes
TAYLOR_LONGEST = 1.6  # standard deviation of a Taylor diagram, of the observations' own, at least


def _square(quantity, what, title):
    figure = Figure(figsize=(6.6, 6.4), dpi=120)
    axes = figure.add_axes((0.115, 0.105, 0.76, 0.77))
    unit = unit_text(quantity.unit)
    axes.set_xlabel(f"measured {quantity.long_name}, {unit}" if unit else f"measured {quantity.long_name}")
    axes.set_ylabel(f"modelled, {unit}" if unit else "modelled")
    figure.text(0.115, 0.95, title, weight="bold", size=12.5)
    figure.text(0.115, 0.91, what, size=10.5)
    axes.grid(color="0.88", linewidth=0.6)
    axes.set_axisbelow(True)
    return figure, axes


def _limits(axes, pairs, quantity):
    if quantity.bearing:
        low, high, ticks = 0.0, 360.0, [0, 90, 180, 270, 360]
        axes.set(xticks=ticks, yticks=ticks)
    else:
        both = np.concatenate([pairs.observed, pairs.modelled])
        room = 0.04 * (both.max() - both.min() or 1.0)
        low, high = max(0.0, both.min() - room), both.max() + room
        low = 0.0 if low < 0.3 * high else low
    axes.set(xlim=(low, high), ylim=(low, high))
    axes.set_aspect("equal")
    axes.plot([low, high], [low, high], color="0.35", linewidth=1.0, zorder=1.5)
    return low, high


def scatter(pairs, quantity, found, title):
    """Measured against modelled: points, or counts where there are many; scores in the corner."""
    figure, axes = _square(quantity, f"{found['count']} pairs of {quantity.long_name}", title)
    low, high = _limits(axes, pairs, quantity)
    if len(pairs) < DENSE:
        axes.plot(pairs.observed, pairs.modelled, ".", color="C0", markersize=5, alpha=0.6, zorder=2)
    else:
        edges = np.linspace(low, high, 61)
        count, *_ = np.histogram2d(pairs.observed, pairs.modelled, bins=(edges, edges))
        shown = axes.pcolormesh(
            edges, edges, np.ma.masked_equal(count.T, 0), cmap="viridis_r", norm="log", zorder=2
        )
        bar = figure.colorbar(shown, cax=figure.add_axes((0.885, 0.105, 0.025, 0.77)))
        bar.set_label("pairs in a box", size=9)
        bar.ax.yaxis.set_major_formatter("{x:g}")
    if not quantity.bearing and found["slope"] is not None:
        axes.plot(
            [0, high],
            [0, found["slope"] * high],
            color="crimson",
            linewidth=1.3,
            linestyle=(0, (5, 3)),
            label=f"slope through the origin {found['slope']:.3f}",
            zorder=3,
        )
        axes.legend(loc="lower right", fontsize=8.5)
    axes.text(
        0.025,
        0.975,
        corner(found, quantity),
        transform=axes.transAxes,
        va="top",
        size=9,
        family="monospace",
        bbox={"facecolor": "white", "edgecolor": "0.8", "alpha": 0.9, "pad": 4},
        zorder=5,
    )
    return figure


def corner(found, quantity):
    unit = unit_text(quantity.unit)
    number = lambda v: "–" if v is None else f"{v:.3f}"  # noqa: E731
    lines = [
        ("bias", f"{found['bias']:+.2f} {unit}"),
        ("RMSE", f"{three_figures(found['rmse'])} {unit}"),
    ]
    if not quantity.bearing:
        lines += [
            ("scatter index", number(found["scatter_index"])),
            ("RMSE / mean", number(found["scatter_index_rmse"])),
            ("correlation", number(found["correlation"])),
        ]
    return "\n".join(f"{name:13} {said}" for name, said in lines)


def quantiles(pairs, quantity, found, title):
    """Q-Q: the k-th smallest of both, with the probabilities of the table marked."""
    figure, axes = _square(quantity, f"quantiles of {found['count']} pairs of {quantity.long_name}", title)
    _limits(axes, pairs, quantity)
    axes.plot(np.sort(pairs.observed), np.sort(pairs.modelled), ".", color="C0", markersize=4, zorder=2)
    marked = found["quantiles"]
    axes.plot(
        marked["observed"], marked["modelled"], "o", color="crimson", markersize=6, mfc="white", zorder=3
    )
    chosen = {0.05, 0.5, 0.95, 0.99}
    for p, x, y in zip(marked["probability"], marked["observed"], marked["modelled"]):
        if p in chosen:
            axes.annotate(
                f"{100 * p:g} %", (x, y), xytext=(7, -10), textcoords="offset points", size=8.5, zorder=4
            )
    return figure


def taylor(rows, title):
    """Taylor (2001, J. Geophys. Res. 106, 7183): angle by correlation, distance by standard deviation over that of the measurements;
    distance from the mark at 1 is the scatter without bias. rows: [(label, scores)] of quantities that are no bearings."""
    known = [
        (
            label,
            found["correlation"],
            found["standard_deviation_modelled"] / found["standard_deviation_observed"],
        )
        for label, found in rows
        if found.get("correlation") is not None and found["standard_deviation_observed"] > 0
    ]
    figure = Figure(figsize=(7.4, 6.2), dpi=120)
    axes = figure.add_axes((0.08, 0.1, 0.66, 0.75), projection="polar")
    half = any(correlation < 0 for _, correlation, _ in known)
    longest = max([TAYLOR_LONGEST, *(1.1 * length for *_, length in known)])
    axes.set(thetamin=0, thetamax=180 if half else 90, ylim=(0, longest))
    marks = [0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.99, 1.0]
    marks = [-v for v in marks[:0:-1]] + marks if half else marks
    axes.set_xticks(np.arccos(marks), [f"{v:g}" for v in marks], size=9)
    axes.set_yticks(np.arange(0.25, longest, 0.25))
    axes.tick_params(labelsize=9)
    axes.grid(color="0.88", linewidth=0.6)
    angle = np.linspace(0, np.pi if half else np.pi / 2, 181)
    axes.plot(angle, np.ones_like(angle), color="0.35", linewidth=1.0, linestyle=(0, (5, 3)))
    x, y = np.meshgrid(np.linspace(-longest if half else 0, longest, 201), np.linspace(0, longest, 201))
    rings = axes.contour(
        np.arctan2(y, x),
        np.hypot(x, y),
        np.hypot(x - 1, y),
        [0.25, 0.5, 0.75, 1.0],
        colors="0.6",
        linewidths=0.7,
    )
    axes.clabel(rings, fmt="%g", fontsize=8)
    axes.plot(
        0,
        1,
        marker="*",
        color="black",
        markersize=13,
        clip_on=False,
        zorder=5,
        linestyle="none",
        label="measured",
    )
    for k, (label, correlation, length) in enumerate(known):
        axes.plot(
            np.arccos(np.clip(correlation, -1, 1)),
            length,
            marker="osD^vP"[k // 10 % 6],
            color=f"C{k % 10}",
            markersize=7,
            linestyle="none",
            clip_on=False,
            zorder=4,
            label=f"{label} ({correlation:.2f})",
        )
    figure.text(0.08, 0.95, title, weight="bold", size=12.5)
    axes.text(np.radians(45), 1.1 * longest, "correlation", rotation=-45, ha="center", va="center", size=10)
    axes.text(
        0.5,
        -0.085,
        "standard deviation over that of the measurements",
        transform=axes.transAxes,
        ha="center",
        size=10,
    )
    figure.text(0.08, 0.915, "grey rings: scatter without bias, on the same scale", size=9.5)
    figure.legend(loc="upper left", bbox_to_anchor=(0.76, 0.86), fontsize=8.5, frameon=False)
    return figure
