"""The sheet that a map of the ground is drawn on: relief, coast, the field over them, places, colour bar and titles."""

import dataclasses
import math

import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke
from matplotlib.ticker import FuncFormatter, MaxNLocator

from groundswell.plot.labels import Layer, fit
from groundswell.plot.quake import colours
from groundswell.plot.quake.raster import Raster
from groundswell.plot.source import degrees, unit_text

LEFT, RIGHT, TOP, BOTTOM = 0.72, 1.12, 1.02, 0.72  # inches
PIXELS = 130  # per inch
LINES = (0.36, 0.15)  # inches above the lower rim: lines of notes
OUTLINE = [withStroke(linewidth=2.4, foreground="white")]
KM_A_DEGREE = 111.195


@dataclasses.dataclass
class Ground:
    """Background of all pictures of one mesh: its pixels, the height, the relief and its light."""

    raster: Raster
    height: np.ndarray  # [row, column] m
    relief: np.ndarray  # [row, column, 3]
    light: np.ndarray  # [row, column]
    extent: tuple
    degrees: bool
    aspect: float

    @property
    def has_coast(self):
        return np.nanmin(self.height) < 0.0 < np.nanmax(self.height)


def frame_of(mesh, region, width, tallest):
    """(extent, aspect, (width, height) in inches) of the map."""
    plane = mesh.plane
    low, high = plane.min(axis=0), plane.max(axis=0)
    extent = tuple(region) if region else (low[0], high[0], low[1], high[1])
    aspect = 1.0
    if mesh.degrees is not None:
        aspect = 1.0 / max(0.01, math.cos(math.radians((extent[2] + extent[3]) / 2)))
    ratio = (extent[3] - extent[2]) * aspect / (extent[1] - extent[0])
    size = (width, width * ratio) if width * ratio <= tallest else (tallest / ratio, tallest)
    return extent, aspect, size


def ground_of(mesh, region=None, width=6.6, tallest=7.2, dpi=PIXELS):
    """(Ground, size of its map in inches)."""
    extent, aspect, size = frame_of(mesh, region, width, tallest)
    pixels = tuple(max(2, round(inches * dpi)) for inches in size)
    raster = Raster(mesh.plane, mesh.corners, extent, pixels)
    height = raster.nodes(mesh.nodes[:, 2])
    metres = (extent[3] - extent[2]) / pixels[1] * 1000.0 * (KM_A_DEGREE if mesh.degrees is not None else 1.0)
    relief, light = colours.relief(height, metres)
    return Ground(raster, height, relief, light, extent, mesh.degrees is not None, aspect), size


def frame(axes, ground, steps=6, small=9):
    west, east, south, north = ground.extent
    axes.set(xlim=(west, east), ylim=(south, north), facecolor="white")
    for axis, names in ((axes.xaxis, "EW"), (axes.yaxis, "NS")):
        axis.set_major_locator(MaxNLocator(steps, steps=[1, 2, 2.5, 5, 10]))
        if ground.degrees:
            axis.set_major_formatter(FuncFormatter(lambda a, _, names=names: degrees(round(a, 6), *names)))
    if not ground.degrees:
        axes.set_xlabel("x (east), km", size=small)
        axes.set_ylabel("y (north), km", size=small, labelpad=2)
    axes.tick_params(labelsize=small, length=3)


def painted(ground, scale, values):
    """[row, column, 4] colours of values of faces over the relief; nothing outside the mesh."""
    colour = scale.paint(ground.raster.faces(values))
    found = np.ones((*ground.height.shape, 4))
    found[..., :3] = colours.over(ground.relief, ground.light, colour, shaded=not scale.signed)
    found[..., 3] = ground.raster.inside
    return found


def add_field(axes, ground, image):
    return axes.imshow(
        image, extent=ground.extent, interpolation="nearest", aspect="auto", zorder=1, origin="upper"
    )


def add_coast(axes, ground):
    if not ground.has_coast:
        return None
    x, y = ground.raster.centres()[0, :, 0], ground.raster.centres()[:, 0, 1]
    return axes.contour(x, y, ground.height, levels=[0.0], colors="0.15", linewidths=0.9, zorder=2)


def add_classes(axes, ground, values, names):
    """The name of a class, 1 and on, in its middle: a map that is read without its colours."""
    found = ground.raster.faces(values)
    x, y = ground.raster.centres()[0, :, 0], ground.raster.centres()[:, 0, 1]
    lines = axes.contour(x, y, found, levels=np.arange(1, len(names)) + 0.5, colors="0.25", linewidths=0.4)
    lines.set_zorder(1.9)
    levels = [
        1.25,
        *np.arange(2, len(names)),
        len(names) - 0.25,
    ]  # the lowest and highest classes are cut off
    middle = axes.contour(x, y, found, levels=levels, linewidths=0.0, colors="0.1")
    said = axes.clabel(middle, fmt=lambda level: names[round(level) - 1], fontsize=9, inline=False)
    apart, rim = 0.2 * (x[-1] - x[0]), 0.025 * np.array([x[-1] - x[0], y[0] - y[-1]])
    kept = []
    low, high = np.array([x[0], y[-1]]) + rim, np.array([x[-1], y[0]]) - rim
    for text in said:
        here = np.array(text.get_position())
        near = [np.hypot(*(here - o.get_position())) for o in kept if o.get_text() == text.get_text()]
        if (here < low).any() or (here > high).any() or min(near, default=apart) < apart:
            text.remove()
            continue
        text.set(rotation=0, path_effects=OUTLINE, zorder=3)
        kept.append(text)


def add_length(axes, ground, size=8):
    """A bar of a round number of km, for maps in degrees."""
    if not ground.degrees:
        return
    west, east, south, north = ground.extent
    km = (east - west) * KM_A_DEGREE / ground.aspect
    length = next(s * 10.0**p for p in range(3, -4, -1) for s in (5, 2, 1) if s * 10.0**p <= 0.3 * km)
    x, y = west + 0.04 * (east - west), south + 0.035 * (north - south)
    long = length / KM_A_DEGREE * ground.aspect
    axes.plot([x, x + long], [y, y], color="black", linewidth=2, zorder=6, path_effects=OUTLINE)
    said = f"{length:g} km"
    axes.annotate(said, (x + long / 2, y), (0, 3), textcoords="offset points", ha="center", va="bottom", size=size,
                  zorder=6, path_effects=OUTLINE)  # fmt: skip


def add_star(axes, place, size=15):
    axes.plot(*place, marker="*", markersize=size, markerfacecolor="#ffd92f", markeredgecolor="black",
              markeredgewidth=1.0, linestyle="none", zorder=7)  # fmt: skip


def add_places(axes, layer, names, places, size=8.5):
    """A dot and a name at places on the map; returns the names that found room."""
    west, east = axes.get_xlim()
    south, north = axes.get_ylim()
    shown = []
    for name, (x, y) in zip(names, places):
        if not (west < x < east and south < y < north):
            continue
        layer.keep_round(x, y, 3.0)
        if layer.put(x, y, name, must=False, size=size, color="0.05", zorder=6.5) is None:
            layer.taken.pop()
            continue
        axes.plot(x, y, marker="^", markersize=5, color="black", markeredgecolor="white", markeredgewidth=0.7,
                  linestyle="none", zorder=6.4)  # fmt: skip
        shown.append(name)
    return shown


class Sheet:
    """One map on a figure of its own."""

    def __init__(self, ground, size, dpi=PIXELS):
        self.ground = ground
        inner = max(size[0], 4.2)
        self.total = (LEFT + inner + RIGHT, BOTTOM + size[1] + TOP)
        self.size = size
        self.figure = Figure(figsize=self.total, dpi=dpi)
        self.left = LEFT + (inner - size[0]) / 2
        self.axes = self.panel(self.left, BOTTOM, *size)
        frame(self.axes, ground)
        self.layer = Layer(self.axes)
        self.image = None

    def panel(self, x, y, width, height):
        wide, high = self.total
        return self.figure.add_axes((x / wide, y / high, width / wide, height / high))

    def colour(self, scale, values, text):
        self.image = add_field(self.axes, self.ground, painted(self.ground, scale, values))
        add_coast(self.axes, self.ground)
        add_length(self.axes, self.ground)
        bar = self.panel(self.left + self.size[0] + 0.15, BOTTOM, 0.2, self.size[1])
        colour_bar(self.figure, bar, scale, text)

    def title(self, name, what, when="", notes=()):
        """Lines above the map, of which the last is returned, and up to two below it at the right."""
        left, room = LEFT / self.total[0], self.total[0] - LEFT - 0.3
        lines = ((name, 0.36, {"weight": "bold", "size": 12.5}), (what, 0.62, {"size": 10.5}),
                 (when, 0.86, {"size": 9.5, "color": "0.15"}))  # fmt: skip
        for text, down, style in lines:
            last = fit(self.figure.text(left, 1 - down / self.total[1], text, **style), room)
        right = (self.left + self.size[0]) / self.total[0]
        ups = LINES if self.ground.degrees else (0.15, -1)
        for text, up in zip([n for n in notes if n], ups):
            place = (right, up / self.total[1])
            fit(self.figure.text(*place, text, size=8.5, color="0.25", ha="right"), room)
        return last


def colour_bar(figure, axes, scale, text, orientation="vertical"):
    bar = figure.colorbar(
        ScalarMappable(scale.norm, scale.colours),
        cax=axes,
        ticks=scale.ticks,
        extend=scale.extend,
        orientation=orientation,
        extendfrac=0.04,
    )
    if scale.labels:
        bar.set_ticks(scale.ticks, labels=scale.labels)
        bar.ax.minorticks_off()
    unit = unit_text(scale.unit)
    bar.set_label(f"{text}, {unit}" if unit else text, size=10)
    bar.ax.tick_params(labelsize=9)
    return bar
