"""Arrows of waves and barbs of wind on a map: a regular grid of places, each with the values of the cell it lies in."""

import copy

import matplotlib
import numpy as np
from matplotlib.patheffects import withStroke
from scipy.spatial import cKDTree

from groundswell.mesh.sphere import to_xyz

LONGEST = 0.86  # arrow of the highest waves, in steps of the grid
SHORTEST = 0.36  # and of the lowest
BARE = 0.8  # steps of the grid around the middle of a storm without arrows or barbs, under its mark
KNOT = 1852.0 / 3600.0  # m/s
BARBS = "barbs: wind, half 5, full 10, flag 50 kn"


class ArrowGrid:
    """Places of the arrows: about `across` of them side by side, as far from land as an arrow is long; `shift` in steps moves
    them all."""

    def __init__(self, shape, across=26, shift=0.0):
        west, east, south, north = shape.extent
        self.step = (east - west) / across  # degrees of longitude
        tall = self.step / shape.aspect
        x, y = np.meshgrid(
            np.arange(west + (0.5 + shift) * self.step, east, self.step),
            np.arange(south + (0.5 + shift) * tall, north, tall),
        )
        x, y = x.ravel(), y.ravel()
        tree = cKDTree(to_xyz(np.radians(shape.lon), np.radians(shape.lat)))

        def at_sea(x, y):
            far, cell = tree.query(to_xyz(np.radians(x), np.radians(np.clip(y, -90.0, 90.0))))
            # A place is in the cell with the nearest centre, but for land, which has no centres.
            return np.degrees(far) < np.where(shape.outer[cell], 0.5, 0.75) * shape.size[cell], cell

        wet, cell = at_sea(x, y)
        # All around, because waves and wind turn from frame to frame.
        reach = 0.5 * LONGEST * self.step
        for angle in np.arange(8) * np.pi / 4:
            wet &= at_sea(x + reach * np.cos(angle), y + reach * np.sin(angle) / shape.aspect)[0]
        self.aspect = shape.aspect
        self.lon, self.lat, self.cell = x[wet], y[wet], cell[wet]

    def without(self, place, steps):
        """The same grid without the places nearer than this many of its steps to `place` (longitude, latitude)."""
        if place is None:
            return self
        rest = copy.copy(self)
        far = np.hypot(self.lon - place[0], (self.lat - place[1]) * self.aspect) > steps * self.step
        rest.lon, rest.lat, rest.cell = self.lon[far], self.lat[far], self.cell[far]
        return rest


def towards(bearing):
    """(east, north) components of the way that waves go which come from a bearing (degrees clockwise from north)."""
    angle = np.radians(bearing)
    return -np.sin(angle), -np.cos(angle)


def wave_arrows(grid, bearing, height=None, highest=1.0):
    """(east, north) of the arrows, 1 where the waves are highest: as the root of the height, so that low waves keep a
    direction that can be read and high ones stand out. Without heights all are of one length."""
    east, north = towards(bearing[grid.cell])
    length = np.full(len(grid.cell), 0.8)
    if height is not None:
        share = np.sqrt(np.clip(height[grid.cell] / max(highest, 1e-9), 0.0, 1.0))
        length = np.maximum(share, SHORTEST)
    return east * length, north * length


def add_waves(axes, grid, east, north):
    """White arrows with a dark rim: readable on every colour of a scale."""
    return axes.quiver(
        grid.lon,
        grid.lat,
        east,
        north,
        angles="uv",
        scale_units="x",
        scale=1 / (LONGEST * grid.step),
        pivot="mid",
        facecolor="white",
        edgecolor="black",
        linewidth=0.5,
        units="x",
        width=0.065 * grid.step,
        headwidth=3.6,
        headlength=4.0,
        headaxislength=3.6,
        minlength=0.1,
        zorder=3,
    )


def add_wave_key(axes, arrows, highest):
    """The arrow of a round height, below the left corner of the map."""
    height = next((h for h in (10, 5, 2, 1, 0.5, 0.2) if h <= 0.8 * highest), None)
    if height is None:
        return None
    box = axes.get_position()
    width, tall = axes.figure.get_size_inches()
    return axes.quiverkey(
        arrows,
        box.x0 + 0.22 / width,
        0.42 / tall,
        np.sqrt(height / highest),
        f"waves of {height:g} m",
        labelpos="E",
        coordinates="figure",
        fontproperties={"size": 8.5},
    )


def add_wind(axes, grid, east, north, length=5.4):
    """Barbs in knots, the flags on the side of low pressure: another shape than the arrows of the waves."""
    barbs = axes.barbs(
        grid.lon,
        grid.lat,
        east[grid.cell] / KNOT,
        north[grid.cell] / KNOT,
        length=length,
        linewidth=0.9,
        pivot="middle",
        color="black",
        sizes={"emptybarb": 0.12},
        flip_barb=grid.lat < 0,
        zorder=3.2,
    )
    barbs.set_path_effects([withStroke(linewidth=2.0, foreground=matplotlib.colors.to_rgba("white", 0.75))])
    return barbs
