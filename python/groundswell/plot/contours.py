"""Lines of equal value, and smooth bands, between the centres of cells."""

import math

import matplotlib.patheffects
import numpy as np
from matplotlib.tri import Triangulation

from groundswell.errors import refuse

THRESHOLDS = {
    "hs": (4.0, 6.0, 9.0)
}  # rough, very rough to high, very high seas: where warnings usually begin, m
NEIGHBOURS = 1.6  # times the diameter of a cell: centres farther apart have land between them
THIN, WIDE = 0.8, 1.9  # points: of the lowest and of the highest line


def parse_isolines(text):
    """Values in rising order; () of `none`, None where nothing is said."""
    if text is None:
        return None
    try:
        found = [] if text == "none" else [float(part) for part in text.split(",")]
    except ValueError:
        found = [math.nan]
    if not all(math.isfinite(value) for value in found):
        refuse("command line", "--isolines", text, "values, such as 4,6,9, or none")
    return tuple(sorted(set(found)))


def triangles(shape):
    """Triangulation of the centres, without the triangles across land or outside."""
    width = np.cos(np.radians(shape.lat.mean()))
    made = Triangulation(shape.lon, shape.lat, Triangulation(shape.lon * width, shape.lat).triangles)
    corner = made.triangles
    following = np.roll(corner, -1, axis=1)
    east = (shape.lon[following] - shape.lon[corner]) * np.cos(np.radians(shape.lat[corner]))
    length = np.hypot(east, shape.lat[following] - shape.lat[corner])
    reach = NEIGHBOURS * np.maximum(shape.size[corner], shape.size[following])
    made.set_mask((length > reach).any(axis=1))
    return made


def known(mesh, values):
    """The same triangles without those that have a corner without a value."""
    empty = ~np.isfinite(values)[mesh.triangles].all(axis=1)
    return Triangulation(mesh.x, mesh.y, mesh.triangles, mesh.mask | empty)


def add_smooth(axes, mesh, values, scale):
    """Bands of the scale with straight edges through the triangles, over the cells, which stay to be seen along the coast."""
    mesh = known(mesh, values)
    if not mesh.mask.all():
        axes.tricontourf(
            mesh,
            np.nan_to_num(values),
            levels=scale.norm.boundaries,
            cmap=scale.colours,
            norm=scale.norm,
            extend=scale.extend,
            zorder=1.1,
        )


def add_isolines(axes, mesh, values, levels):
    """White lines with a dark rim, the wider the higher the level; returns [(level, [points [n, 2]])] of those that are there."""
    mesh = known(mesh, values)
    inside = (
        [level for level in levels if np.nanmin(values) < level < np.nanmax(values)]
        if np.isfinite(values).any()
        else []
    )
    if not inside or mesh.mask.all():
        return []
    widths = [THIN + (WIDE - THIN) * levels.index(level) / max(len(levels) - 1, 1) for level in inside]
    drawn = axes.tricontour(
        mesh, np.nan_to_num(values), levels=inside, colors="white", linewidths=widths, zorder=3
    )
    drawn.set_path_effects(
        [matplotlib.patheffects.withStroke(linewidth=WIDE + 1.2, foreground="0.15", alpha=0.55)]
    )
    return [(level, parts) for level, parts in zip(inside, drawn.allsegs) if parts]


def add_names(layer, lines):
    """The level beside the northernmost place of its longest line, where there is room."""
    for level, parts in lines:
        longest = max(parts, key=len)
        x, y = longest[np.argmax(longest[:, 1])]
        layer.put(x, y, f"{level:g}", must=False, size=8.5, weight="bold", zorder=7)
