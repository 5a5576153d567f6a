"""Triangles as pixels: which triangle each pixel of a picture shows, and its weights, found once for all records.

A value stands for a whole triangle; colours run from triangle to triangle through the mean at each corner, so that a picture
shows waves and not the mesh. Numbers that are told beside it are the triangles' own.
"""

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from scipy import ndimage, sparse

BEYOND = 0.3  # of a triangle's height
SAME_PLACE = 1e-9  # of the mesh's width: nodes nearer than that are one


class Raster:
    """Raster of a mesh in a plane: nodes [node, 2], corners [face, 3], extent (west, east, south, north), size (columns, rows)."""

    def __init__(self, plane, corners, extent, size):
        self.extent, self.size = extent, size
        wide = np.ptp(plane, axis=0).max()
        _, merged = np.unique(np.rint(plane / (SAME_PLACE * wide)), axis=0, return_inverse=True)
        face, self.inside = faces_of_pixels(plane[corners], extent, size)
        weights = weights_in(plane[corners[face]], self.centres()[self.inside])
        pixels = np.repeat(np.arange(len(face)), 3)
        shape = (len(face), len(plane))
        self.of_nodes = sparse.csr_matrix((weights.ravel(), (pixels, corners[face].ravel())), shape)
        # Faces to (merged) nodes: the mean of the faces that meet there.
        node = merged.reshape(-1)[corners].ravel()
        count = np.bincount(node, minlength=len(plane))
        faces = np.repeat(np.arange(len(corners)), 3)
        mean = sparse.csr_matrix((1.0 / count[node], (node, faces)), (len(plane), len(corners)))
        at_merged = sparse.csr_matrix(
            (weights.ravel(), (pixels, merged.reshape(-1)[corners[face]].ravel())), shape
        )
        self.of_faces = (at_merged @ mean).tocsr()

    def centres(self):
        """[row, column, 2] places of pixels, the first row in the north."""
        return _centres(self.extent, self.size)

    def faces(self, values):
        """[row, column] of values of faces; NaN outside the mesh."""
        return self._full(self.of_faces @ values)

    def nodes(self, values):
        """[row, column] of values of nodes."""
        return self._full(self.of_nodes @ values)

    def _full(self, values):
        found = np.full(self.inside.shape, np.nan)
        found[self.inside] = values
        return found


def _centres(extent, size):
    west, east, south, north = extent
    x = west + (np.arange(size[0]) + 0.5) * (east - west) / size[0]
    y = north - (np.arange(size[1]) + 0.5) * (north - south) / size[1]
    return np.stack(np.meshgrid(x, y), axis=-1)


def faces_of_pixels(polygons, extent, size):
    """(face of each pixel inside the mesh, [row, column] whether it is inside): the faces are painted with their own numbers
    for colours. Polygons: [face, corner, 2]."""
    figure = Figure(figsize=(size[0] / 100, size[1] / 100), dpi=100)
    canvas = FigureCanvasAgg(figure)
    axes = figure.add_axes((0, 0, 1, 1), xlim=extent[:2], ylim=extent[2:])
    axes.set_axis_off()
    figure.patch.set_facecolor("black")
    number = np.arange(1, len(polygons) + 1)
    colours = np.stack([number >> shift & 255 for shift in (16, 8, 0)], axis=-1) / 255.0
    shown = ~is_sliver(polygons)
    axes.add_collection(
        PolyCollection(
            polygons[shown], facecolors=colours[shown], edgecolors="none", linewidths=0, antialiaseds=False
        ),
        autolim=False,
    )
    canvas.draw()
    painted = np.asarray(canvas.buffer_rgba())[..., :3].astype(np.int64)
    found = (painted[..., 0] << 16) + (painted[..., 1] << 8) + painted[..., 2]
    # Pixels on a side that two faces share, or on the rim, may be painted by none: they are the nearest's.
    far, (row, column) = ndimage.distance_transform_edt(found == 0, return_indices=True)
    holes = (far > 0) & (far < 2.0)
    found[holes] = found[row, column][holes]
    inside = found > 0
    return found[inside] - 1, inside


def is_sliver(polygons):
    """Whether triangles are but lines on the map, as where the ground stands upright."""
    sides = polygons - np.roll(polygons, 1, axis=1)
    area = np.abs(sides[:, 0, 0] * sides[:, 1, 1] - sides[:, 0, 1] * sides[:, 1, 0])
    return area < 1e-6 * np.sum(sides**2, axis=(1, 2))


def weights_in(corners, points):
    """[point, 3] barycentric weights in triangles [point, 3, 2]; the plane of a triangle goes on a little outside it, for
    pixels that it covers more than half but for the middle."""
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    cross = lambda p, q: p[:, 0] * q[:, 1] - p[:, 1] * q[:, 0]  # noqa: E731
    area = cross(b - a, c - a)
    with np.errstate(divide="ignore", invalid="ignore"):
        second, third = cross(points - a, c - a) / area, cross(b - a, points - a) / area
    weights = np.clip(
        np.nan_to_num(np.stack([1 - second - third, second, third], axis=-1)), -BEYOND, 1 + BEYOND
    )
    return weights / weights.sum(axis=1, keepdims=True)
