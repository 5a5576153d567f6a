"""Weights of a conservative remapping: the area that each cell of a mesh has in each box of a grid.

In the coordinates (λ, sin φ), which keep areas, boxes are rectangles and cells polygons whose edges, arcs of great circles, are cut
into straight pieces. What the pieces miss of a cell's area is made good by one factor for each cell, so that a cell within the grid
gives away its area on the sphere, no more and no less (as in Jones 1999, Mon. Wea. Rev. 127, 2204, first order).
"""

import dataclasses
import hashlib

import numpy as np

from groundswell.errors import refuse
from groundswell.grids.target import vectors
from groundswell.plot.shape import corner_places
from groundswell.whole_files import written_beside

PIECES = (4, 48)  # of an edge, fewest and most: half a degree each
AT_ONCE = 200_000  # pairs of cell and box


@dataclasses.dataclass
class Weights:
    """Pairs of a box and a cell with the area they share, on the unit sphere; rows are sorted by box."""

    box: np.ndarray
    cell: np.ndarray
    area: np.ndarray
    key: str  # of the mesh and the grid they belong to


def key_of(mesh, grid):
    digest = hashlib.sha256(grid.key().encode())
    for values in (mesh.node_lon, mesh.node_lat, mesh.corners):
        digest.update(np.ascontiguousarray(values).tobytes())
    return digest.hexdigest()


def shapely_or_refused():
    try:
        import shapely
    except ImportError as failure:
        refuse("Shapely", None, None, f"the Python package: pip install shapely ({failure})")
    return shapely


def sphere_areas(mesh):
    """[cells] on the unit sphere: sums of triangles from the first corner (Eriksson 1990, Math. Mag. 63, 184)."""
    corner = vectors(mesh.node_lon, mesh.node_lat)[corner_places(mesh.corners)]
    total = np.zeros(len(corner))
    a = corner[:, 0]
    for k in range(1, corner.shape[1] - 1):
        b, c = corner[:, k], corner[:, k + 1]
        triple = np.einsum("ij,ij->i", a, np.cross(b, c))
        below = 1 + np.einsum("ij,ij->i", a, b) + np.einsum("ij,ij->i", b, c) + np.einsum("ij,ij->i", c, a)
        total += 2 * np.arctan2(triple, below)
    return np.abs(total)


def cut_edges(corner):
    """[cells, pieces × corners, 3]: places along the great circles between corners."""
    following = np.roll(corner, -1, axis=1)
    longest = 2 * np.arcsin(np.clip(np.linalg.norm(following - corner, axis=-1).max() / 2, 0, 1))
    pieces = int(np.clip(np.ceil(2 * np.degrees(longest)), *PIECES))
    part = (np.arange(pieces) / pieces)[:, None]
    between = corner[:, :, None, :] * (1 - part) + following[:, :, None, :] * part
    between /= np.linalg.norm(between, axis=-1, keepdims=True)
    return between.reshape(len(corner), -1, 3)


def polygons(mesh, grid):
    """[cells, points, 2] in (degrees of the grid's longitude, sin of its latitude); one that holds a pole reaches up to it."""
    corner = vectors(mesh.node_lon, mesh.node_lat)[corner_places(mesh.corners)]
    place = grid.to_grid(cut_edges(corner))
    centre = corner.mean(axis=1)
    centre = grid.to_grid(centre / np.linalg.norm(centre, axis=1, keepdims=True))
    middle = np.degrees(np.arctan2(centre[:, 1], centre[:, 0]))
    lon = np.degrees(np.arctan2(place[..., 1], place[..., 0]))
    lon = middle[:, None] + (lon - middle[:, None] + 180.0) % 360.0 - 180.0
    made = np.stack([lon, place[..., 2]], axis=-1)
    around = np.sum((np.roll(lon, -1, axis=1) - lon + 180.0) % 360.0 - 180.0, axis=1)
    caps = {int(c): _cap(made[c], np.sign(centre[c, 2])) for c in np.flatnonzero(np.abs(around) > 180.0)}
    return made, caps


def _cap(points, pole):
    """A cell around a pole, from its western end to 360° farther, with the pole above or below it."""
    order = np.argsort(points[:, 0])
    lon, height = points[order].T
    end = (height[0] + height[-1]) / 2
    west = (lon[0] + lon[-1] - 360.0) / 2
    lon = np.concatenate([[west], lon, [west + 360.0, west + 360.0, west]])
    return np.stack([lon, np.concatenate([[end], height, [end, pole, pole]])], axis=-1)


def find_weights(mesh, grid, progress=lambda text: None):
    """Weights of the cells of `mesh` (node_lon, node_lat, corners) in the boxes of `grid`."""
    shapely = shapely_or_refused()
    made, caps = polygons(mesh, grid)
    shapes = shapely.polygons(made)
    for cell, points in caps.items():
        shapes[cell] = shapely.Polygon(points)
    broken = ~shapely.is_valid(shapes)
    shapes[broken] = shapely.make_valid(shapes[broken])
    flat = shapely.area(shapes)
    exact = sphere_areas(mesh)
    found = []
    low, high = shapely.bounds(shapes)[:, :2], shapely.bounds(shapes)[:, 2:]
    for turn in (-720.0, -360.0, 0.0, 360.0, 720.0):
        found += _overlaps(shapely, shapes, low + (turn, 0), high + (turn, 0), turn, grid, progress)
    box, cell, area = (np.concatenate(part) for part in zip(*found)) if found else ([], [], [])
    box, cell, area = np.asarray(box, np.int64), np.asarray(cell, np.int64), np.asarray(area, float)
    order = np.lexsort((cell, box))
    box, cell, area = box[order], cell[order], area[order]
    return Weights(box, cell, area * (exact / flat)[cell], key_of(mesh, grid))


def _overlaps(shapely, shapes, low, high, turn, grid, progress):
    """[(box, cell, area)] of cells turned by `turn` degrees of longitude."""
    edges = np.sin(np.radians(grid.y_edges))
    first = np.stack(
        [
            np.clip(np.floor((low[:, 0] - grid.west) / grid.step[0]), 0, grid.columns).astype(int),
            np.clip(np.searchsorted(edges, low[:, 1], "right") - 1, 0, grid.rows),
        ],
        axis=1,
    )
    last = np.stack(
        [
            np.clip(np.ceil((high[:, 0] - grid.west) / grid.step[0]), 0, grid.columns).astype(int),
            np.clip(np.searchsorted(edges, high[:, 1], "left"), 0, grid.rows),
        ],
        axis=1,
    )
    wide = np.maximum(last - first, 0)
    count = wide.prod(axis=1)
    cells = np.flatnonzero(count)
    found = []
    for part in np.split(
        cells, np.searchsorted(np.cumsum(count[cells]), np.arange(AT_ONCE, count.sum(), AT_ONCE))
    ):
        if not len(part):
            continue
        pair = np.repeat(part, count[part])
        within = np.arange(len(pair)) - np.repeat(np.cumsum(count[part]) - count[part], count[part])
        column = first[pair, 0] + within % wide[pair, 0]
        row = first[pair, 1] + within // wide[pair, 0]
        west = grid.west + grid.step[0] * column - turn
        boxes = shapely.box(west, edges[row], west + grid.step[0], edges[row + 1])
        # In degrees × sine; a box that holds the whole cell needs no cutting, but that is found as fast by the library.
        area = shapely.area(shapely.intersection(shapes[pair], boxes))
        kept = area > 0
        found.append(((row * grid.columns + column)[kept], pair[kept], area[kept]))
        progress(f"weights: cell {part[-1] + 1} of {len(shapes)}")
    return found


def save(path, weights):
    with written_beside(path) as partial, open(partial, "wb") as out:
        np.savez(out, box=weights.box, cell=weights.cell, area=weights.area, key=weights.key)


def load(path, mesh, grid):
    """Weights that were saved for this mesh and grid."""
    try:
        with np.load(path) as held:
            found = Weights(held["box"], held["cell"], held["area"], str(held["key"]))
    except (OSError, ValueError, KeyError) as failure:
        refuse(path, None, None, f"weights that `groundswell export grid --weights` wrote ({failure})")
    if found.key != key_of(mesh, grid):
        refuse(
            path,
            "weights",
            "of another mesh or grid",
            "those of this one; remove the file to have them found again",
        )
    return found
