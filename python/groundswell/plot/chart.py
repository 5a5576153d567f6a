"""The sheet a map is drawn on: land, cells, coast, grid, colour bar, titles. Sizes are inches on a fixed layout, so that
nothing moves between the pictures of a series."""

import matplotlib

matplotlib.use("Agg")
import numpy as np
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

from groundswell.plot.coast import add_coast
from groundswell.plot.labels import Layer, fit
from groundswell.plot.source import degrees, unit_text
from groundswell.whole_files import save_figure

LAND = "0.80"
LEFT, RIGHT, TOP, BOTTOM = 0.62, 1.12, 1.02, 0.95
LINES = (0.61, 0.38, 0.15)  # inches above the lower rim of the sheet: lines of notes
MOST_VECTOR_CELLS = (
    20_000  # of a PDF or SVG: above, the cells in it are an image, and lines and words stay lines
)


def label(field):
    """`significant wave height, m`; bearings are shown by points of the compass."""
    unit = "" if field.bearing else unit_text(field.unit)
    return f"{field.long_name}, {unit}" if unit else field.long_name


def capital(text):
    return text[:1].upper() + text[1:]


def map_height(shape, width, tallest=1.5):
    """(width, height) of the map's frame in inches for a wished width; a tall region gets narrower."""
    west, east, south, north = shape.extent
    ratio = (north - south) * shape.aspect / (east - west)
    return (width, width * ratio) if ratio <= tallest else (width * tallest / ratio, width * tallest)


class Chart:
    """One map with its colour bar on a figure of its own."""

    def __init__(self, shape, width=9.0, dpi=120):
        inner, height = map_height(shape, width - LEFT - RIGHT, 1.2)
        inner = max(inner, 4.0)
        total = (LEFT + inner + RIGHT, BOTTOM + height + TOP)
        self.figure = Figure(figsize=total, dpi=dpi)
        self.axes = self.figure.add_axes(
            (LEFT / total[0], BOTTOM / total[1], inner / total[0], height / total[1])
        )
        self.shape, self.total, self.height = shape, total, height
        self.cells = None
        frame(self.axes, shape)
        self.labels = Layer(self.axes)

    def colour(self, values, scale, text):
        self.cells = add_cells(self.axes, self.shape, values, scale)
        left = self.axes.get_position().x1 + 0.15 / self.total[0]
        bar = self.figure.add_axes(
            (left, BOTTOM / self.total[1], 0.2 / self.total[0], self.height / self.total[1])
        )
        return colour_bar(self.figure, bar, self.cells, scale, text)

    def title(self, name, what, when="", notes=()):
        """Bold name of the case, what is drawn and when below it, all within the map's width, and up to three notes under the
        map, at the right; returns the artists of name, what and when."""
        left, right = self.axes.get_position().x0, self.axes.get_position().x1
        room = self.total[0] * (right - left)
        said = [
            fit(self.figure.text(left, 1 - down / self.total[1], text, **style), room)
            for text, down, style in (
                (name, 0.36, {"weight": "bold", "size": 12.5}),
                (what, 0.62, {"size": 10.5}),
                (when, 0.86, {"size": 9.5, "color": "0.15"}),
            )
        ]
        for text, up in zip(notes, LINES):
            place = (right, up / self.total[1])
            fit(self.figure.text(*place, text, size=8.5, color="0.25", ha="right"), room)
        return said

    def save(self, path):
        if self.cells is not None and len(self.shape.lon) > MOST_VECTOR_CELLS:
            self.cells.set_rasterized(True)
        save_figure(self.figure, path)


def frame(axes, shape, steps=7, small=9):
    """Land behind everything, degrees along the frame, a degree as long to the north as to the east."""
    west, east, south, north = shape.extent
    axes.set(xlim=(west, east), ylim=(south, north), facecolor=LAND)
    axes.set_aspect(shape.aspect)
    for axis, span, names in ((axes.xaxis, east - west, "EW"), (axes.yaxis, north - south, "NS")):
        wide = [1, 1.5, 3, 6, 9, 10] if span > 90 else [1, 2, 2.5, 5, 10]
        axis.set_major_locator(MaxNLocator(steps, steps=wide))
        axis.set_major_formatter(
            FuncFormatter(lambda angle, _, names=names: degrees(round(angle, 6), *names))
        )
    axes.tick_params(labelsize=small, length=3)
    axes.grid(color="black", linewidth=0.4, alpha=0.25, linestyle=(0, (2, 3)), zorder=1.5)


def add_cells(axes, shape, values, scale):
    """Cells in their colours with coast and rim over them; the collection shows the values of each polygon."""
    cells = PolyCollection(
        shape.polygons,
        array=of_polygons(shape, values),
        cmap=scale.colours,
        norm=scale.norm,
        linewidths=0.35,
        edgecolors="face",
        zorder=1,
    )
    axes.add_collection(cells, autolim=False)
    axes.add_collection(LineCollection(shape.rim, colors="0.55", linewidths=0.5, zorder=2), autolim=False)
    if shape.relief is not None:
        add_coast(axes, shape.relief, LAND)
    else:
        outline = LineCollection(shape.coast, colors="0.12", linewidths=0.7, capstyle="round", zorder=2)
        axes.add_collection(outline, autolim=False)
    return cells


def of_polygons(shape, values):
    return np.ma.masked_invalid(np.asarray(values)[shape.cell])


def colour_bar(figure, axes, cells, scale, text, orientation="vertical"):
    bar = figure.colorbar(
        cells, cax=axes, ticks=scale.ticks, extend=scale.extend, orientation=orientation, extendfrac=0.04
    )
    if scale.labels:
        bar.set_ticklabels(scale.labels)
    bar.set_label(text, size=10)
    bar.ax.tick_params(labelsize=9)
    return bar


def add_track(axes, track, layer, colour="black"):
    """The whole way of the storm, thin, with a dot at each fix and the day at 00 UTC next to it."""
    west, east = axes.get_xlim()
    south, north = axes.get_ylim()
    axes.plot(track.lon, track.lat, color="white", linewidth=2.4, zorder=4)
    axes.plot(track.lon, track.lat, color=colour, linewidth=1.0, zorder=4.1, marker="o", markersize=3)
    layer.keep_free(track.lon, track.lat)
    for k in track.midnights():
        x, y = track.lon[k], track.lat[k]
        if west < x < east and south < y < north:
            axes.plot(x, y, marker="o", markersize=4.5, color=colour, markeredgecolor="white", zorder=4.2)
            layer.put(x, y, f"{track.times[k].day} {track.times[k]:%b}", size=8, zorder=7)


def add_centre(axes, place):
    """Where the storm is."""
    return axes.plot(
        *place,
        marker="o",
        markersize=9,
        markerfacecolor="crimson",
        markeredgecolor="white",
        markeredgewidth=1.4,
        zorder=6,
    )


def add_highest(axes, shape, cell):
    """A ring around the cell of the highest value, which stays to be seen."""
    width = axes.get_window_extent().width / (
        shape.extent[1] - shape.extent[0]
    )  # pixels a degree of longitude
    size = shape.size[cell] * shape.aspect * width * 72 / axes.figure.dpi
    ring = {"marker": "o", "markersize": max(13.0, 1.7 * size), "markerfacecolor": "none", "zorder": 6}
    lon, lat = shape.lon[cell], shape.lat[cell]
    axes.plot(lon, lat, markeredgecolor="white", markeredgewidth=3.4, **ring)
    axes.plot(lon, lat, markeredgecolor="crimson", markeredgewidth=1.8, **ring)
    return ring["markersize"]
