"""The picture of a bench on GPUs: kernels beside their limits, runs by their settings, and on several GPUs."""

from common import COLOURS, new_figure, save

MODELS = {"rock": COLOURS[0], "sea": COLOURS[1]}
LINES = {"strong": "-", "weak": "--"}


def draw_kernels(axes, result):
    """Shares of the limits, of the largest size of each kernel."""
    largest = {row["kernel"]: row for row in result["kernels"]}
    for shift, key, colour, label in (
        (0.2, "share_of_bandwidth", COLOURS[0], "of what it moves"),
        (-0.2, "share_of_peak", COLOURS[3], "of what it computes"),
    ):
        places = [place + shift for place in range(len(largest))]
        axes.barh(places, [100 * row[key] for row in largest.values()], 0.38, color=colour, label=label)
    axes.set_yticks(
        range(len(largest)), [f"{name}, {row['cells']} cells" for name, row in largest.items()], fontsize=8
    )
    device = next(limit["device"]["name"] for run in result["limits"] for limit in run)
    axes.set_xlabel(f"% of what was measured on {device}")
    axes.legend(frameon=False, fontsize=8)


def draw_settings(axes, result):
    """The mean of each, its deviation as a whisker, and each run as a point, so that outliers stand apart."""
    rows = result["settings"]
    places = range(len(rows))
    means = [row["mean"] / 1e6 for row in rows]
    deviations = [row["deviation"] / 1e6 for row in rows]
    colours = [COLOURS[2] if row["variables"] else COLOURS[1] for row in rows]
    axes.barh(places, means, 0.6, xerr=deviations, color=colours, ecolor="black", error_kw={"linewidth": 1})
    for place, row in zip(places, rows):
        usual = [rate / 1e6 for rate in row["rates"] if rate not in row["outliers"]]
        axes.plot(usual, [place] * len(usual), ".", color=COLOURS[0], markersize=4)
        apart = [rate / 1e6 for rate in row["outliers"]]
        axes.plot(apart, [place] * len(apart), "x", color=COLOURS[3], markersize=6)
    axes.set_yticks(places, [row["setting"] for row in rows], fontsize=8)
    axes.invert_yaxis()
    axes.set_xlabel("million updates a second; × outliers")
    cells, ranks, gpus = rows[0]["cells"], rows[0]["ranks"], result["gpus"]
    axes.set_title(f"{cells} elements of rock, {ranks} ranks, {gpus} GPU{'s' * (gpus > 1)}", fontsize=10)


def draw_scaling(axes, result):
    """Efficiency over the number of GPUs."""
    for model, colour in MODELS.items():
        for scaling, line in LINES.items():
            rows = [
                row
                for row in result["scaling"]
                if (row["model"], row["scaling"]) == (model, scaling) and row["efficiency"] is not None
            ]
            if rows:
                efficiency = [100 * row["efficiency"] for row in rows]
                deviation = [100 * row["efficiency"] * row["deviation"] / row["mean"] for row in rows]
                axes.errorbar(
                    [row["gpus"] for row in rows],
                    efficiency,
                    deviation,
                    linestyle=line,
                    marker="o",
                    markersize=4,
                    capsize=3,
                    color=colour,
                    label=f"{model}, {'one mesh' if scaling == 'strong' else 'a mesh that grows'}",
                )
    counts = sorted({row["gpus"] for row in result["scaling"]})
    axes.set_xscale("log", base=2)
    axes.set_xticks(counts, [str(count) for count in counts])
    axes.minorticks_off()
    axes.axhline(100, color="0.8", linewidth=0.8, zorder=0)
    axes.set_ylim(0, None)
    axes.set_xlabel("GPUs, a rank each")
    axes.set_ylabel("% of as many times one GPU's rate")
    axes.legend(frameon=False, fontsize=8, loc="lower left", handlelength=3)


def draw(result, path):
    """Draws a panel for each part that has rows; one GPU alone has nothing to be compared with."""
    several = len({row["gpus"] for row in result["scaling"]}) > 1
    panels = [
        (part, len(rows))
        for part, rows in (
            (draw_kernels, {row["kernel"] for row in result["kernels"]}),
            (draw_settings, result["settings"]),
            (draw_scaling, result["scaling"] if several else []),
        )
        if rows
    ]
    if not panels:
        return
    height = max(0.9 + 0.36 * count for part, count in panels if part is not draw_scaling or len(panels) == 1)
    figure, axes = new_figure(len(panels), 6.5 * len(panels), max(3.2, height), squeeze=False)
    for (part, _), one in zip(panels, axes[0]):
        part(one, result)
    save(figure, path)
