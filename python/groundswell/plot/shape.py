"""Outline of a mesh for maps: cells as polygons on one side of the date line, coast and rim, and the part of the world shown."""

import dataclasses

import numpy as np

from groundswell.plot.coast import Coast


def west_of_map(lon):
    """Longitude at which to cut the globe: in the middle of the widest gap between cells, else at the date line."""
    ordered = np.unique(np.mod(lon, 360.0))
    gaps = np.diff(np.append(ordered, ordered[0] + 360.0))
    widest = int(np.argmax(gaps))
    if gaps[widest] <= 20.0:
        return -180.0
    middle = ordered[widest] + gaps[widest] / 2
    return middle - 360.0 if middle >= 180.0 else middle


def turn(lon, west):
    """The same longitudes in [west, west + 360)."""
    return west + np.mod(np.asarray(lon) - west, 360.0)


def beside(lon, middle):
    """The same longitudes within 180° of `middle`."""
    return middle + np.mod(lon - middle + 180.0, 360.0) - 180.0


def corner_places(corners):
    """Row by row the node of each corner, short rows repeating their last one (corners: [cells, most], -1 behind the last)."""
    count = (corners >= 0).sum(axis=1)
    column = np.minimum(np.arange(corners.shape[1])[None, :], count[:, None] - 1)
    return np.take_along_axis(corners, column, axis=1)


def cell_polygons(node_lon, node_lat, corners, middle, west):
    """(polygons [m, corners, 2], cell of each [m]) on the map that begins at `west`.

    A cell that crosses the edge of the map appears on both sides; one that holds a pole becomes a cap as wide as the map.
    `middle` are the cells' longitudes on this map.
    """
    nodes = corner_places(corners)
    lon, lat = beside(node_lon[nodes], middle[:, None]), node_lat[nodes]
    around = np.sum(np.mod(np.roll(lon, -1, axis=1) - lon + 180.0, 360.0) - 180.0, axis=1)
    polygons, cell = np.stack([lon, lat], axis=-1), np.arange(len(corners))
    caps = np.flatnonzero(np.abs(around) > 180.0)
    spread = np.ones(len(corners), bool)
    spread[caps] = False
    left, right = spread & (lon.min(axis=1) < west), spread & (lon.max(axis=1) > west + 360.0)
    pieces = [polygons[spread], polygons[left] + (360.0, 0.0), polygons[right] - (360.0, 0.0)]
    cells = [cell[spread], cell[left], cell[right]]
    if len(caps):
        pieces = [np.concatenate([p, np.repeat(p[:, -1:], 4, axis=1)], axis=1) for p in pieces]
        pieces.append(np.stack([_cap(turn(lon[c], west), lat[c], west) for c in caps]))
        cells.append(caps)
    return np.concatenate(pieces), np.concatenate(cells)


def _cap(lon, lat, west):
    order = np.argsort(lon)
    lon, lat = lon[order], lat[order]
    end, pole = (lat[0] + lat[-1]) / 2, 90.0 if lat.mean() > 0 else -90.0
    return np.stack(
        [
            np.concatenate([lon, [west + 360.0, west + 360.0, west, west]]),
            np.concatenate([lat, [end, pole, pole, end]]),
        ],
        axis=-1,
    )


def boundary_edges(corners):
    """Edges that belong to one cell only: (nodes [m, 2], cell [m])."""
    used = corners >= 0
    count = used.sum(axis=1)
    last = np.arange(corners.shape[1])[None, :] == count[:, None] - 1
    following = np.where(last, corners[:, :1], np.roll(corners, -1, axis=1))
    edges = np.stack([corners[used], following[used]], axis=1)
    owner = np.repeat(np.arange(len(corners)), count)
    keys = edges.min(axis=1).astype(np.int64) * (int(corners.max()) + 1) + edges.max(axis=1)
    _, first, times = np.unique(keys, return_index=True, return_counts=True)
    single = np.sort(first[times == 1])
    return edges[single], owner[single]


@dataclasses.dataclass
class Shape:
    """A mesh on a map; all longitudes and latitudes in degrees."""

    lon: np.ndarray  # [cells] of the centres, on this map
    lat: np.ndarray
    size: np.ndarray  # [cells] diameter of the circle of the same area, degrees of latitude
    polygons: np.ndarray  # [m, corners, 2]
    cell: np.ndarray  # [m] cell of each polygon
    coast: np.ndarray  # [k, 2, 2] boundary edges towards land
    rim: np.ndarray  # [k, 2, 2] boundary edges where only the region ends
    extent: tuple  # west, east, south, north shown
    outer: np.ndarray  # [cells] whether a cell has an edge on the coast or the rim
    relief: Coast | None = None  # what the coast is drawn from in place of `coast`

    @property
    def aspect(self):
        """Height of a degree of latitude over the width of a degree of longitude, in the middle of the map."""
        south, north = self.extent[2:]
        return (
            1.0
            if self.extent[1] - self.extent[0] > 300
            else 1.0 / max(np.cos(np.radians((south + north) / 2)), 0.2)
        )

    def seen(self):
        """[cells] whether the centre is on the map."""
        west, east, south, north = self.extent
        return (self.lon >= west) & (self.lon <= east) & (self.lat >= south) & (self.lat <= north)


def make_shape(node_lon, node_lat, corners, lon, lat, region=None):
    """The Shape of cells with these corners (degrees); `region` (west, east, south, north) instead of the whole mesh."""
    if region:
        width = np.mod(region[1] - region[0], 360.0) or 360.0
        west = region[0] - (360.0 - width) / 2
        extent = (region[0], region[0] + width, region[2], region[3])
    else:
        west, extent = west_of_map(lon), None
    lon = turn(lon, west)
    polygons, cell = cell_polygons(node_lon, node_lat, corners, lon, west)
    size = _sizes(polygons, cell, len(lon))
    edges, owner = boundary_edges(corners)
    segments = np.stack([beside(node_lon[edges], lon[owner][:, None]), node_lat[edges]], axis=-1)
    box = (lon.min(), lon.max(), lat.min(), lat.max())
    # Behind a coast lies a land point of the same region; behind the rim the missing neighbour would lie outside it.
    ghost = 2 * segments.mean(axis=1) - np.stack([lon[owner], lat[owner]], axis=-1)
    outside = (ghost[:, 1] < box[2]) | (ghost[:, 1] > box[3])
    if box[1] - box[0] < 330.0:
        outside |= (ghost[:, 0] < box[0]) | (ghost[:, 0] > box[1])
    extent = extent or _whole(box, polygons, size, owner[outside])
    # A vector picture would hold what lies outside the frame too, and some viewers would show it.
    shown, lines = _within(extent, polygons), _within(extent, segments)
    return Shape(
        lon,
        lat,
        size,
        polygons[shown],
        cell[shown],
        segments[lines & ~outside],
        segments[lines & outside],
        extent,
        np.bincount(owner, minlength=len(lon)) > 0,
    )


def _within(extent, figures):
    """[m] whether figures [m, points, 2] have a part in the frame."""
    west, east, south, north = extent
    low, high = figures.min(axis=1), figures.max(axis=1)
    return (high[:, 0] >= west) & (low[:, 0] <= east) & (high[:, 1] >= south) & (low[:, 1] <= north)


def _sizes(polygons, cell, cells):
    x, y = polygons[..., 0] * np.cos(np.radians(polygons[..., 1])), polygons[..., 1]
    area = 0.5 * np.abs(np.sum(x * np.roll(y, -1, axis=1) - np.roll(x, -1, axis=1) * y, axis=1))
    size = np.zeros(cells)
    size[cell] = np.sqrt(4 * area / np.pi)
    return size


def _whole(box, polygons, size, rim):
    """All cells; a map of many cells ends just inside the outermost centres, so that its ragged rim is cut straight."""
    west, east, south, north = box
    if east - west > 330.0:
        middle = west + np.floor((east - west) / 2 + 0.5) - 180.0
        west = -180.0 if abs(middle + 180.0) < 5 else middle
        return west, west + 360.0, max(-90.0, polygons[..., 1].min()), min(90.0, polygons[..., 1].max())
    if min(east - west, north - south) > 20 * np.median(size):
        cut = 0.5 * np.percentile(size[rim], 90) if len(rim) else 0.0
        return west + cut, east - cut, south + cut, north - cut
    low, high = polygons.min(axis=(0, 1)), polygons.max(axis=(0, 1))
    return low[0], high[0], low[1], high[1]
