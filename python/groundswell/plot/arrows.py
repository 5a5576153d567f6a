"""Arrows on a map: a regular grid of places, each with the values of the cell it lies in."""

import numpy as np
from scipy.spatial import cKDTree

WAVES, WIND = "black", "crimson"


class ArrowGrid:
    """Places of the arrows: about `across` of them side by side, at sea only; `shift` in steps moves them all."""

    def __init__(self, shape, across=26, shift=0.0):
        west, east, south, north = shape.extent
        self.step = (east - west) / across  # degrees of longitude
        tall = self.step / shape.aspect
        x, y = np.meshgrid(
            np.arange(west + (0.5 + shift) * self.step, east, self.step),
            np.arange(south + (0.5 + shift) * tall, north, tall),
        )
        x, y = x.ravel(), y.ravel()
        tree = cKDTree(np.stack([shape.lon, shape.lat * shape.aspect], axis=-1))
        far, cell = tree.query(np.stack([x, y * shape.aspect], axis=-1))
        wet = far < 0.6 * shape.size[cell] * shape.aspect
        self.lon, self.lat, self.cell = x[wet], y[wet], cell[wet]


def towards(bearing):
    """(east, north) components of the way that waves go which come from a bearing (degrees clockwise from north)."""
    angle = np.radians(bearing)
    return -np.sin(angle), -np.cos(angle)


def add_waves(axes, grid, bearing):
    """Arrows of one length that point where the waves go."""
    east, north = towards(bearing[grid.cell])
    return _quiver(axes, grid, east, north, 1 / (0.72 * grid.step), WAVES)


def add_wind(axes, grid, east, north, strongest):
    """Arrows as long as the wind is strong."""
    return _quiver(
        axes, grid, east[grid.cell], north[grid.cell], max(strongest, 1.0) / (2.4 * grid.step), WIND
    )


def add_wind_key(axes, arrows, strongest):
    """How long the arrow of a round speed is, below the left corner of the map."""
    speed = next((s for s in (40, 20, 10, 5) if s <= 0.8 * strongest), 2)
    box = axes.get_position()
    width, height = axes.figure.get_size_inches()
    return axes.quiverkey(
        arrows,
        box.x0 + 0.3 / width,
        0.13 / height,
        speed,
        f"wind {speed} m/s",
        labelpos="E",
        coordinates="figure",
        fontproperties={"size": 8.5},
    )


def _quiver(axes, grid, east, north, scale, colour):
    return axes.quiver(
        grid.lon,
        grid.lat,
        east,
        north,
        angles="uv",
        scale_units="x",
        scale=scale,
        pivot="mid",
        color=colour,
        width=0.0019,
        headwidth=4,
        headlength=4.5,
        headaxislength=4,
        zorder=3,
    )
