"""Where the generators start: evenly by wanted cell number along a space-filling curve, so that Lloyd has little left to do.

The number density of cells of spacing h is 2/(√3 h²) (regular hexagons). Its running sum along a Hilbert curve through the
grid is cut at equal steps; every piece of the curve is a compact patch, so no region large or small gets too many points.
"""

import numpy as np

from groundswell.mesh import sphere


def hilbert_index(x, y, bits):
    """Position along the Hilbert curve of a 2^bits square (Skilling, AIP Conf. Proc. 707 (2004) 381, in two dimensions)."""
    x, y = x.astype(np.int64), y.astype(np.int64)
    index = np.zeros(x.shape, np.int64)
    for bit in range(bits - 1, -1, -1):
        side = 1 << bit
        right, upper = (x & side) > 0, (y & side) > 0
        index = (index << 2) | np.where(upper, np.where(right, 2, 1), np.where(right, 3, 0))
        flip = right & ~upper
        x, y = np.where(flip, ~x, x), np.where(flip, ~y, y)
        swap = ~upper
        x, y = np.where(swap, y, x), np.where(swap, x, y)
    return index


def expected_cells(field, where=None):
    """Number of cells that the spacing field asks for (inside `where`)."""
    density = 2 / (np.sqrt(3) * field.spacing**2) * field.pixel_areas()
    return float(density.sum() if where is None else density[where].sum())


def sample(field, seed):
    """Generators as unit vectors, in the order of the curve; the same seed gives the same points."""
    random = np.random.default_rng(seed)
    weights = 2 / (np.sqrt(3) * field.spacing**2) * field.pixel_areas()
    ny, nx = weights.shape
    bits = int(np.ceil(np.log2(max(nx, ny, 2))))
    j, i = np.divmod(np.arange(ny * nx), nx)
    order = np.argsort(hilbert_index(i, j, bits), kind="stable")
    total = np.cumsum(weights.ravel()[order])
    count = max(4, int(round(total[-1])))
    pixel = order[np.searchsorted(total, (np.arange(count) + 0.5) * total[-1] / count)]
    j, i = np.divmod(pixel, nx)
    lon = field.lon0 + field.dlon * (i + random.uniform(-0.5, 0.5, count))
    lat = np.clip(field.lat0 + field.dlat * (j + random.uniform(-0.5, 0.5, count)), -90.0, 90.0)
    return sphere.to_xyz(np.radians(lon), np.radians(lat))
