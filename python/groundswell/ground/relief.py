"""Height of ground and sea floor over the plane of a mesh, and how a flat mesh is moved onto it."""

import numpy as np

from groundswell.errors import refuse
from groundswell.mesh.bathymetry import read_grid

MOST_SQUEEZED = 0.25  # what is left of the thickness of a layer
SHALLOWEST = 0.1  # of the layer of the sea is left where the water is shallow
MOST_SMOOTH = 4_000_000  # points of the grid between whose points smooth relief is straight
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

    def __init__(self, grid, projection, fade_depth, smooth):
        # Here, as reading it takes longer than most commands without relief.
        from scipy.interpolate import RegularGridInterpolator

        self._projection, self.fade_depth = projection, fade_depth
        self._middle = 0.5 * (grid.lon[0] + grid.lon[-1])
        axes, values = (grid.lat, grid.lon), grid.elevation
        if smooth:
            axes, values = _smoothed(axes, values)
        # It goes on a little beyond the region, for nodes that are tried there.
        self._at = RegularGridInterpolator(axes, values, bounds_error=False, fill_value=None)
        self.lowest = self.highest = 0.0

    def height(self, x, y):
        longitude, latitude = self._projection.degrees(x, y)
        longitude = self._middle + np.mod(longitude - self._middle + 180.0, 360.0) - 180.0
        return self._at(np.stack([latitude, longitude], axis=-1)).reshape(np.shape(latitude))

    def stretch(self, x, y, z):
        """Factor by which a layer thickens at a flat place."""
        return np.where(z > -self.fade_depth, 1.0 + self.height(x, y) / self.fade_depth, 1.0)

    def warp(self, x, y, z):
        """The true z of flat places."""
        return z + self.height(x, y) * np.maximum(0.0, 1.0 + z / self.fade_depth)

    def unwarp(self, x, y, z):
        """The flat z of true places."""
        height = self.height(x, y)
        flat = (z - height) / (1.0 + height / self.fade_depth)
        return np.where(z > -self.fade_depth, flat, z)


class SeaFloor(Relief):
    """Relief under a sea that fills the box from z = 0 down to it: the flat layer of the sea, `sea` m thick, becomes as thick as the
    water is deep, and what lies below moves with the floor, less and less down to the fade depth."""

    def __init__(self, grid, projection, fade_depth, smooth, sea):
        super().__init__(grid, projection, fade_depth, smooth)
        self._sea, self._below = sea, fade_depth - sea

    def stretch(self, x, y, z):
        height = self.height(x, y)
        below = np.where(z > -self.fade_depth, 1.0 + (height + self._sea) / self._below, 1.0)
        return np.where(z >= -self._sea, -height / self._sea, below)

    def warp(self, x, y, z):
        height = self.height(x, y)
        below = z + (height + self._sea) * np.maximum(0.0, 1.0 + (z + self._sea) / self._below)
        return np.where(z >= -self._sea, -z * height / self._sea, below)

    def unwarp(self, x, y, z):
        height = self.height(x, y)
        moved = height + self._sea
        below = (z - moved * (1.0 + self._sea / self._below)) / (1.0 + moved / self._below)
        below = np.where(z > -self.fade_depth, below, z)
        return np.where(z >= height, -z * self._sea / height, below)


def _smoothed(axes, values):
    """A finer grid: along each axis curves without corners that stay between neighbouring values (F. N. Fritsch & J. Butland
    1984, doi:10.1137/0905021)."""
    from scipy.interpolate import PchipInterpolator

    finer = int(np.clip(np.sqrt(MOST_SMOOTH / values.size), 1, 16))
    fine_axes = []
    for number, axis in enumerate(axes):
        steps = np.arange(finer * (len(axis) - 1) + 1) / finer
        fine_axes.append(np.interp(steps, np.arange(len(axis)), axis))
        values = PchipInterpolator(axis, values, axis=number)(fine_axes[-1])
    return tuple(fine_axes), values


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


def read_relief(where, table, projection, x, y, depth, folder, sea=0.0):
    """The relief that a request's table names, over the box x, y (m, from and to) that is `depth` deep; under a sea whose flat layer
    is `sea` m thick, if it is not 0."""
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
    interpolation = table.choice("interpolation", "linear", ("linear", "smooth"))
    fade_depth = table.positive("fade_depth", 0.5 * depth, "a depth > 0 in m")
    if fade_depth > depth:
        table.refuse("fade_depth", f"no more than the depth of the mesh, {depth:g} m", f"{fade_depth:g}")
    smooth = interpolation == "smooth"
    if sea and not fade_depth > sea:
        table.refuse("fade_depth", f"more than the {sea:g} m of the layer of the sea", f"{fade_depth:g}")
    relief = (
        SeaFloor(grid, projection, fade_depth, smooth, sea)
        if sea
        else Relief(grid, projection, fade_depth, smooth)
    )
    over_x, over_y = np.meshgrid(np.linspace(*x, STEPS), np.linspace(*y, STEPS))
    height = relief.height(over_x, over_y)
    relief.lowest, relief.highest = float(height.min()), float(height.max())
    if sea and not relief.highest <= -SHALLOWEST * sea:
        table.refuse(
            "file",
            f"a sea floor at least {SHALLOWEST * sea:g} m below z = 0, a tenth of the layer of the sea: a coast, and what lies "
            "above water, has no place in the region",
            f"{path}: relief up to {relief.highest:g} m",
        )
    if 1.0 + (relief.lowest + sea) / (fade_depth - sea) < MOST_SQUEEZED:
        table.refuse(
            "fade_depth",
            f"{sea + -(relief.lowest + sea) / (1.0 - MOST_SQUEEZED):.0f} m or more: the ground lies {-relief.lowest:.0f} m deep, and "
            f"layers would keep less than {MOST_SQUEEZED:.0%} of their thickness there",
            f"{fade_depth:g}",
        )
    return relief
