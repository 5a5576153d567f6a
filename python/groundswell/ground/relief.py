"""Height of ground and sea floor over the plane of a mesh, and how a flat mesh is moved onto it."""

import numpy as np
from scipy.interpolate import RegularGridInterpolator

from groundswell.errors import refuse
from groundswell.mesh.bathymetry import read_grid

MOST_SQUEEZED = 0.25  # what is left of the thickness of a layer
STEPS = 400  # of the grid over the region on which extremes of relief are looked for


class NoRelief:
    """Flat ground."""

    lowest = highest = 0.0
    fade_depth = np.inf

    def height(self, x, y):
        return np.zeros(np.broadcast(x, y).shape)

    def stretch(self, x, y, z):
        return np.ones(np.broadcast(x, y, z).shape)

    def warp(self, x, y, z):
        return z

    def unwarp(self, x, y, z):
        return z


class Relief:
    """Relief of a file over a box. A flat place moves up by height · max(0, 1 + z / fade_depth)."""

    def __init__(self, grid, projection, fade_depth, interpolation):
        self._projection, self.fade_depth = projection, fade_depth
        self._west = grid.lon[0]
        # It goes on a little beyond the region, for nodes that are tried there.
        self._at = RegularGridInterpolator(
            (grid.lat, grid.lon), grid.elevation, method=interpolation, bounds_error=False, fill_value=None
        )
        self.lowest = self.highest = 0.0

    def height(self, x, y):
        longitude, latitude = self._projection.degrees(x, y)
        longitude = self._west + np.mod(longitude - self._west, 360.0)
        return self._at(np.stack([latitude, longitude], axis=-1)).reshape(np.shape(latitude))

    def stretch(self, x, y, z):
        """How many times as thick a layer becomes at a flat place."""
        return np.where(z > -self.fade_depth, 1.0 + self.height(x, y) / self.fade_depth, 1.0)

    def warp(self, x, y, z):
        """The true z of flat places."""
        return z + self.height(x, y) * np.maximum(0.0, 1.0 + z / self.fade_depth)

    def unwarp(self, x, y, z):
        """The flat z of true places."""
        height = self.height(x, y)
        flat = (z - height) / (1.0 + height / self.fade_depth)
        return np.where(z > -self.fade_depth, flat, z)


def _region(projection, x, y):
    """West, east, south and north of a box: of its outline, which holds them all away from the poles."""
    along = np.linspace(0.0, 1.0, 101)
    across_x, across_y = x[0] + (x[1] - x[0]) * along, y[0] + (y[1] - y[0]) * along
    sides = [
        (across_x, np.full(101, y[0])), (across_x, np.full(101, y[1])),
        (np.full(101, x[0]), across_y), (np.full(101, x[1]), across_y),
    ]  # fmt: skip
    longitude, latitude = projection.degrees(*np.concatenate(sides, axis=1))
    return longitude.min(), longitude.max(), latitude.min(), latitude.max()


def read_relief(where, table, projection, x, y, depth, folder):
    """The relief that a request's table names, over the box x, y (m, from and to) that is `depth` deep."""
    path = folder / table.text("file")
    if projection is None:
        refuse(where, "relief.file", path, "a section [projection], because relief is given in degrees")
    region = _region(projection, x, y)
    grid = read_grid(path, region, table.values.get("variable"))
    gaps = np.argwhere(~np.isfinite(grid.elevation))
    if len(gaps):
        j, i = gaps[0]
        refuse(
            path,
            None,
            None,
            f"relief without gaps in the region, {region[0]:g}…{region[1]:g}°E {region[2]:g}…{region[3]:g}°N; "
            f"{len(gaps)} values are missing, the first at {grid.lon[i]:g}°E {grid.lat[j]:g}°N",
        )
    wide = min(len(grid.lon), len(grid.lat))
    interpolation = table.choice("interpolation", "linear", ("linear", "cubic"))
    if interpolation == "cubic" and wide < 4:
        table.refuse(
            "interpolation", f"linear, because the region has only {wide} points of the file across", "cubic"
        )
    fade_depth = table.positive("fade_depth", 0.5 * depth, "a depth > 0 in m")
    if fade_depth > depth:
        table.refuse("fade_depth", f"no more than the depth of the mesh, {depth:g} m", f"{fade_depth:g}")
    relief = Relief(grid, projection, fade_depth, interpolation)
    over_x, over_y = np.meshgrid(np.linspace(*x, STEPS), np.linspace(*y, STEPS))
    height = relief.height(over_x, over_y)
    relief.lowest, relief.highest = float(height.min()), float(height.max())
    if 1.0 + relief.lowest / fade_depth < MOST_SQUEEZED:
        table.refuse(
            "fade_depth",
            f"{-relief.lowest / (1.0 - MOST_SQUEEZED):.0f} m or more: the ground lies {-relief.lowest:.0f} m deep, and "
            f"layers would keep less than {MOST_SQUEEZED:.0%} of their thickness there",
            f"{fade_depth:g}",
        )
    return relief
