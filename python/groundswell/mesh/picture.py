"""The picture of a mesh: a map of its spacing and histograms of what matters."""

import matplotlib

matplotlib.use("Agg")
import numpy as np
from matplotlib.figure import Figure

from groundswell.mesh import quality
from groundswell.plot import chart
from groundswell.plot.labels import fit
from groundswell.plot.measured.reports import counted
from groundswell.plot.mesh_map import OUTLINED, shape_of
from groundswell.plot.scale import make_scale
from groundswell.whole_files import save_figure

LEFT, RIGHT, TOP, BOTTOM, MAP, GAP, SIDE = 0.75, 0.25, 0.95, 0.55, 7.4, 1.55, 3.6  # inches


def draw(mesh, result, name, path):
    """Writes the map of spacing beside three histograms."""
    spacing = quality.spacing(mesh) / 1000
    angles = quality.angles(mesh)
    shape = shape_of(mesh)
    width, height = chart.map_height(shape, MAP, 1.1)
    tall = max(height, 4.6)
    total = (LEFT + width + GAP + SIDE + RIGHT, BOTTOM + tall + TOP)
    figure = Figure(figsize=total, dpi=110)

    def panel(x, y, wide, high):
        return figure.add_axes((x / total[0], y / total[1], wide / total[0], high / total[1]))

    low = BOTTOM + (tall - height) / 2
    axes = panel(LEFT, low, width, height)
    chart.frame(axes, shape)
    scale = make_scale(spacing.min(), spacing.max(), name="spacing")
    cells = chart.add_cells(axes, shape, spacing, scale)
    if len(spacing) <= OUTLINED:
        cells.set(edgecolors="black", linewidths=0.15)
    elif len(spacing) > chart.MOST_VECTOR_CELLS:
        cells.set_rasterized(True)
    chart.colour_bar(figure, panel(LEFT + width + 0.12, low, 0.18, height), cells, scale, "cell spacing, km")
    shown = (
        (spacing, "spacing, km"),
        (100 * quality.centroid_offset(mesh), "generator off centroid, % of spacing"),
        (angles.ravel() if angles is not None else np.zeros(0), "angles of dual triangles, °"),
    )
    high = (tall - 2 * 0.55) / 3
    for row, (values, label) in enumerate(shown):
        bars = panel(LEFT + width + GAP, BOTTOM + (2 - row) * (high + 0.55), SIDE, high)
        bars.hist(values, bins=60, color="tab:blue")
        bars.set_xlabel(label, size=9)
        bars.set_ylabel("number", size=9)
        bars.tick_params(labelsize=8.5)
    step = f", longest stable step {result['longest_step']:.4g} s" if result.get("longest_step") else ""
    said = f"{counted(result['cells'], 'cell')}, {spacing.min():.3g}–{spacing.max():.3g} km{step}"
    for text, down, style in ((name, 0.38, {"weight": "bold", "size": 12.5}), (said, 0.66, {"size": 10.5})):
        fit(figure.text(LEFT / total[0], 1 - down / total[1], text, **style), total[0] - LEFT - RIGHT)
    save_figure(figure, path)
