"""Grids of longitude and latitude, as they are or with another north pole, and what is where on them."""

import dataclasses

import numpy as np

from groundswell.errors import refuse

MOST = 4_000_000  # boxes of a grid: more is a slip


@dataclasses.dataclass(frozen=True)
class Grid:
    """Boxes of one size: `columns` eastward from `west`, `rows` northward from `south`, in degrees of the grid itself.

    `pole` (longitude, latitude) is the grid's north pole where that is not the Earth's, as in CF's rotated_latitude_longitude.
    """

    west: float
    south: float
    step: tuple  # (eastward, northward)
    columns: int
    rows: int
    pole: tuple | None = None

    @property
    def size(self):
        return self.rows * self.columns

    @property
    def x(self):
        """[columns] centres."""
        return self.west + self.step[0] * (np.arange(self.columns) + 0.5)

    @property
    def y(self):
        """[rows] centres, southernmost first."""
        return self.south + self.step[1] * (np.arange(self.rows) + 0.5)

    @property
    def x_edges(self):
        return self.west + self.step[0] * np.arange(self.columns + 1)

    @property
    def y_edges(self):
        return self.south + self.step[1] * np.arange(self.rows + 1)

    @property
    def goes_round(self):
        return self.columns * self.step[0] > 360.0 - 1e-6

    def areas(self):
        """[rows, columns] of the boxes on the unit sphere."""
        heights = np.diff(np.sin(np.radians(self.y_edges)))
        return np.repeat(heights[:, None] * np.radians(self.step[0]), self.columns, axis=1)

    def to_grid(self, vectors):
        """Unit vectors of the Earth in the frame of the grid."""
        return vectors @ rotation(self.pole).T if self.pole else vectors

    def places(self):
        """([rows, columns] longitude, latitude of the centres on the Earth)."""
        x, y = np.meshgrid(self.x, self.y)
        return self.on_earth(x, y)

    def on_earth(self, x, y):
        """(longitude, latitude) of places given in degrees of the grid."""
        if not self.pole:
            return np.asarray(x, dtype=float), np.asarray(y, dtype=float)
        return degrees(vectors(x, y) @ rotation(self.pole))

    def key(self):
        return repr((self.west, self.south, self.step, self.columns, self.rows, self.pole))


def vectors(lon, lat):
    """Unit vectors [..., 3]."""
    lon, lat = np.radians(lon), np.radians(lat)
    return np.stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)], axis=-1)


def degrees(vector):
    """(longitude in [-180, 180), latitude) of unit vectors."""
    lon = np.degrees(np.arctan2(vector[..., 1], vector[..., 0]))
    return (lon + 180.0) % 360.0 - 180.0, np.degrees(np.arcsin(np.clip(vector[..., 2], -1.0, 1.0)))


def rotation(pole):
    """Matrix from the Earth's frame to that of a grid whose north pole is at `pole` and whose meridian 0 leads from there over the
    Earth's north pole: CF's north_pole_grid_longitude is 0, GRIB's angle of rotation too."""
    lon, lat = np.radians(pole[0]), np.radians(pole[1])
    z = np.array([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)])
    y = np.array([np.sin(lon), -np.cos(lon), 0.0])
    return np.stack([np.cross(y, z), y, z])


def make_grid(region, step, pole):
    """The Grid of west, east, south, north (edges of the outermost boxes) and the size of a box in degrees."""
    west, east, south, north = region
    span = (east - west) % 360.0 or 360.0
    counts = []
    for extent, size, axis in ((span, step[0], "east to west"), (north - south, step[1], "north to south")):
        count = round(extent / size)
        if count < 1 or abs(count * size - extent) > 1e-6 * extent:
            refuse(
                "command line", "--step", f"{size:g}", f"a whole number of boxes in {extent:g}° from {axis}"
            )
        counts.append(count)
    if counts[0] * counts[1] > MOST:
        refuse(
            "command line",
            "--step",
            ",".join(f"{s:g}" for s in step),
            f"at most {MOST} boxes, not {counts[0]} × {counts[1]}",
        )
    return Grid(west, south, tuple(step), *counts, pole)
