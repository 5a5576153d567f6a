"""Words on a picture that cover nothing: lines made to fit, and names put beside their points where there is room."""

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.patheffects import withStroke
from matplotlib.transforms import Bbox

HALO = [withStroke(linewidth=2.2, foreground="white")]
AROUND = np.radians([-45, 45, -135, 135, -90, 90, 0, 180])  # where a name is tried, the first ones first
NEAR, FAR = 4.0, 30.0  # points from the mark to the name


def renderer_of(figure):
    canvas = figure.canvas if hasattr(figure.canvas, "get_renderer") else FigureCanvasAgg(figure)
    return canvas.get_renderer()


def fit(text, inches):
    """Make the type of a text smaller until it is no longer than that; returns the text."""
    wide = text.get_window_extent(renderer_of(text.figure)).width / text.figure.dpi
    if wide > inches:
        text.set_size(0.99 * text.get_size() * inches / wide)
    return text


class Layer:
    """Names on one map. Boxes that are taken and lines that must stay free are in pixels."""

    def __init__(self, axes):
        self.axes, self.taken, self.lines = axes, [], []
        self.frame = axes.get_window_extent(renderer_of(axes.figure))

    def keep_free(self, x, y):
        """No name lies on this line of the map."""
        points = self.axes.transData.transform(np.stack([x, y], axis=-1))
        self.lines += [(a, b) for a, b in zip(points[:-1], points[1:])]

    def keep_round(self, x, y, points):
        """No name lies within so many points of this place."""
        px, py = self.axes.transData.transform((x, y))
        r = points * self.axes.figure.dpi / 72
        self.taken.append(Bbox([[px - r, py - r], [px + r, py + r]]))

    def put(self, x, y, words, must=True, **style):
        """Write words beside a place where they hide nothing; returns the text, or None where there is no room for what
        need not be (`must` writes them at the least bad place)."""
        x0, y0 = self.axes.transData.transform((x, y))
        text = self.axes.text(x, y, words, path_effects=HALO, ha="center", va="center", clip_on=True, **style)
        box = text.get_window_extent(renderer_of(self.axes.figure))
        pixel = self.axes.figure.dpi / 72
        best = None
        for away in np.arange(NEAR, FAR, 5.0):
            for angle in AROUND:
                # The box touches a circle around the place.
                cx = x0 + np.cos(angle) * (away * pixel + box.width / 2)
                cy = y0 + np.sin(angle) * (away * pixel + box.height / 2)
                there = Bbox.from_bounds(cx - box.width / 2, cy - box.height / 2, box.width, box.height)
                faults = self._faults(there)
                if best is None or faults < best[0]:
                    best = (faults, there, (cx, cy))
                if faults == 0:
                    break
            if best[0] == 0:
                break
        if best[0] and not must:
            text.remove()
            return None
        text.set_position(self.axes.transData.inverted().transform(best[2]))
        self.taken.append(best[1])
        return text

    def _faults(self, box):
        inside = (
            self.frame.x0 < box.x0
            and box.x1 < self.frame.x1
            and self.frame.y0 < box.y0
            and box.y1 < self.frame.y1
        )
        return (
            (0 if inside else 10)
            + sum(box.overlaps(other) for other in self.taken)
            + sum(crosses(box, *line) for line in self.lines)
        )


def crosses(box, a, b):
    """Does the straight line from a to b touch the box? (Liang & Barsky's clipping.)"""
    begin, end = 0.0, 1.0
    for low, high, from_, step in ((box.x0, box.x1, a[0], b[0] - a[0]), (box.y0, box.y1, a[1], b[1] - a[1])):
        if step == 0.0:
            if not low <= from_ <= high:
                return False
            continue
        near, far = sorted(((low - from_) / step, (high - from_) / step))
        begin, end = max(begin, near), min(end, far)
    return begin <= end
