"""Depth of each cell: the mean over the wet part of its area, not the sounding nearest to its centre."""

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

from groundswell.mesh import sphere

SAMPLES_ACROSS = 3.0  # samples along a spacing where the grid is coarser than that
LARGEST_DIVISION = 16
CHUNK = 500_000


def wet_means(bathymetry, points, wanted, spacing):
    """(wet share, mean depth in m of the wet part) of the Voronoi cells of `points`, zero where not `wanted`.

    `spacing` is that of each point, radians on the unit sphere. Grid cells go to the nearest generator, which is the one in
    whose Voronoi cell they lie; where they are large against the mesh they are divided, with elevations in between.
    """
    tree = cKDTree(points)
    sums = np.zeros((3, len(points)))  # area, wet area, wet area times depth
    step_x, step_y = bathymetry.step
    j, i = np.divmod(np.arange(bathymetry.elevation.size), len(bathymetry.lon))
    lon, lat = bathymetry.lon[i], bathymetry.lat[j]
    for start in range(0, len(i), CHUNK):
        part = slice(start, start + CHUNK)
        _add(sums, tree, bathymetry, i[part], j[part], lon[part], lat[part], step_x, step_y, wanted, spacing)
    missed = wanted & (sums[0] == 0)
    if missed.any():
        lon, lat = np.degrees(sphere.to_lonlat(points[missed]))
        elevation = bathymetry.interpolate(lon, lat)
        sums[:, missed] = np.stack([np.ones_like(elevation), elevation < 0, np.maximum(-elevation, 0)])
    share = sums[1] / np.maximum(sums[0], 1e-300)
    return np.where(wanted, share, 0.0), np.where(wanted, sums[2] / np.maximum(sums[1], 1e-300), 0.0)


def _add(sums, tree, bathymetry, i, j, lon, lat, step_x, step_y, wanted, spacing):
    size = np.radians(np.maximum(step_y, step_x * np.cos(np.radians(lat))))
    _, cell = tree.query(sphere.to_xyz(np.radians(lon), np.radians(lat)))
    near = wanted[cell] | (size > 0.7 * spacing[cell])
    i, j, lon, lat, cell, size = i[near], j[near], lon[near], lat[near], cell[near], size[near]
    parts = np.clip(np.ceil(SAMPLES_ACROSS * size / spacing[cell]), 1, LARGEST_DIVISION).astype(int)
    for division in np.unique(parts):
        these = parts == division
        area = np.cos(np.radians(lat[these])) / division**2
        if division == 1:
            wet, depth = bathymetry.wet[j[these], i[these]], bathymetry.depth[j[these], i[these]]
            _accumulate(sums, cell[these], area, wet, depth)
            continue
        offsets = (np.arange(division) + 0.5) / division - 0.5
        for dx in offsets:
            for dy in offsets:
                x, y = lon[these] + dx * step_x, np.clip(lat[these] + dy * step_y, -90, 90)
                _, owner = tree.query(sphere.to_xyz(np.radians(x), np.radians(y)))
                elevation = bathymetry.interpolate(x, y)
                _accumulate(sums, owner, area, elevation < 0, np.maximum(-elevation, 0))


def _accumulate(sums, cell, area, wet, depth):
    for row, values in enumerate((area, area * wet, area * wet * depth)):
        sums[row] += np.bincount(cell, values, sums.shape[1])


def joined(mesh, keep, smallest):
    """`keep` without bodies of water of fewer than `smallest` cells."""
    t, k = np.nonzero(mesh.neighbours > np.arange(len(mesh.triangles))[:, None])
    a, b = mesh.triangles[t, (k + 1) % 3], mesh.triangles[t, (k + 2) % 3]
    both = keep[a] & keep[b]
    graph = coo_matrix((np.ones(both.sum(), bool), (a[both], b[both])), (len(keep), len(keep)))
    _, label = connected_components(graph, directed=False)
    return keep & (np.bincount(label)[label] >= smallest)
