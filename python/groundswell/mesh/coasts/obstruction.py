"""Transparencies by islands and reefs smaller than a cell: shares let through of the faces between cells, by direction.

A cell of the sea that holds land hides from waves of direction θ the width b(θ) of the coasts that they reach first, projected
onto the front of the waves; coasts in the shadow of one another count once. The cell shows them the width w(θ) = ½ Σ L |n·d| of
its faces, so that it lets T = 1 − b/w through. Half of that happens on the way in and half on the way out: α = √(T_a T_b) for
the face between cells a and b. A row of cells with an island each then lets through what the islands do.

Land that has cells of its own, left out of the mesh, is a coast already: in the cells beside those it counts for nothing. An
island in several cells counts in those where waves reach it, once in all. (Tolman 2003, Ocean Modelling 5, 219–231, has the
transparencies; Chawla & Tolman 2008, Ocean Modelling 22, 12–25, make them from coasts, for the two axes of a grid.)
"""

import dataclasses

import netCDF4
import numpy as np
from scipy import ndimage
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

from groundswell import __version__
from groundswell.mesh import sphere

DIRECTIONS = 24
PIXELS_ACROSS = 64.0  # of the finest cell, where the file has them
LARGEST_RASTER = 100_000_000  # pixels; coarser than above where the region has more
SHADOW_PIXELS = (1, 2, 3, 4)  # a side is in the shadow of land so near before it
LEAST = 1e-3  # of what is blocked: a face that blocks less in every direction has no row


@dataclasses.dataclass
class Obstruction:
    """cells (m, 2): indices from 1 in the mesh file; transparency (m, directions) of waves that come from the bearings
    360°/directions · i, clockwise from north; edge (m): indices from 1 in the mesh file."""

    cells: np.ndarray
    edge: np.ndarray
    transparency: np.ndarray


def find(raster, points, mesh, keep, dry, arrays, radius):
    """The Obstruction of the cells `keep` of a mesh. `raster`: a fine Bathymetry, which is land where less than half is wet; `dry`:
    cells left out because they are land; `arrays`: of the mesh file."""
    land = raster.wet < 0.5
    body = _bodies(land, raster.periodic)
    j, i = np.nonzero(land)
    lon, lat = raster.lon[i], raster.lat[j]
    at = sphere.to_xyz(np.radians(lon), np.radians(lat))
    _, cell = cKDTree(points).query(at)
    counts = keep[cell] & ~_has_cells(cell, body[j, i], dry, keep, mesh)
    edge_pixels = _beside_water(land, raster.periodic)[j, i]
    mine = counts & edge_pixels
    j, i, at, cell = j[mine], i[mine], at[mine], (np.cumsum(keep) - 1)[cell[mine]]
    centre = points[keep]
    east, north = sphere.local_frame(centre)
    away = (at - centre[cell]) * radius
    place = _Pixels(
        j,
        i,
        cell,
        np.einsum("ij,ij->i", away, east[cell]),
        np.einsum("ij,ij->i", away, north[cell]),
        np.radians(raster.step[0]) * radius * np.cos(np.radians(raster.lat[j])),
        np.radians(raster.step[1]) * radius,
    )
    bearing = 2 * np.pi / DIRECTIONS * np.arange(DIRECTIONS)
    through = np.ones((len(centre), DIRECTIONS))
    front = _width(arrays, len(centre), bearing)
    for k, towards in enumerate(1.5 * np.pi - bearing):
        hidden = _hidden(place, land, raster.periodic, towards, len(centre))
        through[:, k] = np.clip(1 - hidden / front[:, k], 0, 1)
    pair = arrays["cellsOnEdge"]
    inner = np.flatnonzero((pair > 0).all(axis=1))
    alpha = np.sqrt(through[pair[inner, 0] - 1] * through[pair[inner, 1] - 1])
    blocked = (alpha < 1 - LEAST).any(axis=1)
    return Obstruction(pair[inner[blocked]], inner[blocked] + 1, alpha[blocked])


@dataclasses.dataclass
class _Pixels:
    """Land beside water: row, column, cell of the mesh, place from its centre and size, m."""

    j: np.ndarray
    i: np.ndarray
    cell: np.ndarray
    x: np.ndarray
    y: np.ndarray
    dx: np.ndarray
    dy: float


def _bodies(land, periodic):
    """Labels connected land, corners included: a number for each pixel, 0 for water."""
    body, number = ndimage.label(land, np.ones((3, 3)))
    if not periodic:
        return body
    left, right = body[:, 0], body[:, -1]
    pairs = [
        np.stack([a[(a > 0) & (b > 0)], b[(a > 0) & (b > 0)]])
        for a, b in ((left, right), (left[1:], right[:-1]), (left[:-1], right[1:]))
    ]
    a, b = np.concatenate(pairs, axis=1)
    _, joined = connected_components(coo_matrix((np.ones(len(a)), (a, b)), (number + 1, number + 1)), False)
    return joined[body] - joined[0] if (joined[0] == 0) else np.where(body > 0, joined[body] + 1, 0)


def _has_cells(cell, body, dry, keep, mesh):
    """Whether a pixel belongs to land that a dry cell beside the pixel's own has most of."""
    inside = dry[cell]
    shape = (len(dry), int(body.max(initial=0)) + 1)
    pixels = coo_matrix((np.ones(inside.sum()), (cell[inside], body[inside])), shape)
    pixels.sum_duplicates()
    main = np.full(len(dry), -1)
    order = np.argsort(pixels.data, kind="stable")
    main[pixels.row[order]] = pixels.col[order]
    ends = np.concatenate([mesh.triangles[:, [0, 1]], mesh.triangles[:, [1, 2]], mesh.triangles[:, [2, 0]]])
    ends = np.concatenate([ends, ends[:, ::-1]])
    ends = ends[keep[ends[:, 0]] & (main[ends[:, 1]] >= 0)]
    coasts = np.unique(ends[:, 0] * shape[1] + main[ends[:, 1]])
    return np.isin(cell * shape[1] + body, coasts)


def _moved(field, rows, columns, periodic):
    """field[j + rows, i + columns]; beyond the raster water."""
    moved = np.zeros_like(field)
    ny, nx = field.shape
    to = slice(max(0, -rows), ny - max(0, rows))
    of = slice(max(0, rows), ny - max(0, -rows))
    if periodic:
        moved[to] = np.roll(field, -columns, axis=1)[of]
        return moved
    moved[to, max(0, -columns) : nx - max(0, columns)] = field[of, max(0, columns) : nx - max(0, -columns)]
    return moved


def _beside_water(land, periodic):
    inner = land.copy()
    for rows, columns in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        inner &= _moved(land, rows, columns, periodic)
    return land & ~inner


def _hidden(pixels, land, periodic, towards, cells):
    """The width (m) that each cell's coasts hide from waves that travel `towards` (rad, anticlockwise from east)."""
    along_x, along_y = np.cos(towards), np.sin(towards)
    low, high, cell = [], [], []
    # The western or eastern sides of pixels, and the southern or northern ones.
    for side_x, side_y in ((-np.sign(along_x), 0), (0, -np.sign(along_y))):
        facing = along_x * side_x + along_y * side_y
        if facing > -1e-9:
            continue
        lit = ~_land_at(land, periodic, pixels.j + side_y, pixels.i + side_x)
        step = np.maximum(pixels.dx, pixels.dy)
        for distance in SHADOW_PIXELS:
            x = 0.5 * side_x * pixels.dx - along_x * distance * step
            y = 0.5 * side_y * pixels.dy - along_y * distance * step
            lit &= ~_land_at(land, periodic, pixels.j + y / pixels.dy, pixels.i + x / pixels.dx)
        x = pixels.x[lit] + 0.5 * side_x * pixels.dx[lit]
        y = pixels.y[lit] + 0.5 * side_y * pixels.dy
        across = along_x * y - along_y * x
        half = 0.5 * np.abs(along_x * pixels.dy) if side_x else 0.5 * np.abs(along_y * pixels.dx[lit])
        low.append(across - half)
        high.append(across + half)
        cell.append(pixels.cell[lit])
    return _length_of_union(np.concatenate(low), np.concatenate(high), np.concatenate(cell), cells)


def _land_at(land, periodic, j, i):
    ny, nx = land.shape
    j, i = np.rint(j).astype(np.int64), np.rint(i).astype(np.int64)
    if periodic:
        i = np.mod(i, nx)
    known = (j >= 0) & (j < ny) & (i >= 0) & (i < nx)
    return known & land[np.where(known, j, 0), np.where(known, i, 0)]


def _length_of_union(low, high, owner, owners):
    """Lengths (owners,) that the intervals low…high of each owner cover."""
    if not len(low):
        return np.zeros(owners)
    order = np.lexsort((low, owner))
    low, high, owner = low[order], high[order], owner[order]
    # One after the other on one line, so that a running maximum serves all owners.
    far = 2 * (np.abs(low).max() + np.abs(high).max()) + 1
    low, high = low + owner * far, high + owner * far
    reached = np.concatenate([[-np.inf], np.maximum.accumulate(high)[:-1]])
    return np.bincount(owner, np.maximum(high - np.maximum(low, reached), 0), owners)


def _width(arrays, cells, bearing):
    """½ Σ L |n·d| of each cell (m) for waves that come from each bearing."""
    normal = arrays["angleEdge"][:, None] - (1.5 * np.pi - bearing)[None, :]
    seen = 0.5 * arrays["dvEdge"][:, None] * np.abs(np.cos(normal))
    width = np.zeros((cells + 1, len(bearing)))
    for side in range(2):
        np.add.at(width, arrays["cellsOnEdge"][:, side], seen)
    return width[1:]


def write(path, obstruction, mesh_cells, mesh_file_id, attributes):
    """Write an Obstruction beside the mesh that it belongs to; the same gives the same bytes."""
    directions = obstruction.transparency.shape[1]
    with netCDF4.Dataset(path, "w", format="NETCDF3_64BIT_OFFSET") as out:
        for name, size in (("face", len(obstruction.edge)), ("side", 2), ("direction", directions)):
            out.createDimension(name, size)
        out.setncatts(
            {
                "title": "What islands and reefs smaller than a cell let through the faces of a mesh",
                "source": f"groundswell mesh make {__version__}",
                "mesh_cells": np.int32(mesh_cells),
                "mesh_file_id": mesh_file_id,
                **attributes,
            }
        )
        cells = out.createVariable("cells", "i4", ("face", "side"))
        cells.long_name = "cells on the sides of the face, index from 1 in the mesh file"
        edge = out.createVariable("edge", "i4", ("face",))
        edge.long_name = "the face, index from 1 in the mesh file"
        direction = out.createVariable("direction", "f8", ("direction",))
        direction.setncatts({"units": "degree", "long_name": "bearing, coming from, clockwise from north"})
        through = out.createVariable("transparency", "f4", ("face", "direction"))
        through.setncatts({"units": "1", "long_name": "share of the waves on their way through the face"})
        cells[:], edge[:] = obstruction.cells, obstruction.edge
        direction[:] = 360.0 / directions * np.arange(directions)
        through[:] = obstruction.transparency
