"""The Voronoi cells about the nodes of a triangle mesh of another model.

The nodes stay, the triangles do not: the cells are the dual of the nodes' Delaunay triangulation, so that every face lies
midway between two nodes and at a right angle to the line between them, as the model's fluxes ask. (Cells by medians of the
given triangles would have skew faces, with errors of first order.) Nodes on the outline have no closed cell: the coast moves
inward by about half a spacing.
"""

import numpy as np

from groundswell.errors import refuse
from groundswell.mesh import mpas, sphere
from groundswell.mesh.delaunay import triangulate
from groundswell.mesh.depth import joined

WIDE = 1.2  # rad from the middle; beyond, a plane does not hold the region


def outline(triangles):
    """(pairs of nodes along the outline, sorted pairs of all edges), each edge once."""
    pairs = np.sort(
        np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]]), axis=1
    )
    edges, count = np.unique(pairs, axis=0, return_counts=True)
    return edges[count == 1], edges


def voronoi_of(path, mesh, depth, smallest_sea, progress=lambda text: None):
    """(arrays of an MPAS mesh, {what was done}) from a TriangleMesh and depths (m, positive down) of its nodes."""
    points = sphere.to_xyz(np.radians(mesh.lon), np.radians(mesh.lat))
    used = np.zeros(len(points), bool)
    used[mesh.triangles] = True
    rim, edges = outline(mesh.triangles)
    inner = used.copy()
    inner[rim] = False
    middle = points[used].sum(axis=0)
    length = np.linalg.norm(middle)
    centre = middle / length if length > 0 else None
    if centre is None or np.arccos(np.clip(points[used] @ centre, -1, 1)).max() > WIDE:
        centre = None
    progress(f"Delaunay triangulation of {used.sum()} nodes")
    place = np.cumsum(used) - 1
    points, inner, depth = points[used], inner[used], depth[used]
    rim, edges = place[rim], place[edges]
    found = triangulate(points, centre)
    keep = inner & (depth > 0)
    keep[found.rim] = False
    crossing = across(points, found, keep, rim, edges, centre)
    keep[crossing] = False
    keep = joined(found, keep, smallest_sea)
    if not keep.any():
        refuse(
            path,
            "cells",
            0,
            f"a sea of at least {smallest_sea} nodes that are not on the outline and lie below the water",
        )
    progress(f"geometry of {keep.sum()} cells")
    arrays = mpas.build(points, found, keep)
    arrays["meshDensity"] = np.minimum(1.0, (arrays["areaCell"].min() / arrays["areaCell"]) ** 2)
    arrays["bottomDepth"] = np.round(depth[keep], 6)
    _, new_edges = outline(found.triangles)
    both = keep[new_edges].all(axis=1)
    same = np.isin(code(new_edges[both], len(points)), code(edges, len(points)))
    told = {
        "nodes": len(points),
        "triangles": len(mesh.triangles),
        "cells": int(keep.sum()),
        "outline_nodes": int((~inner).sum()),
        "cut_nodes": len(crossing),
        "edges_kept": float(same.mean()) if len(same) else 1.0,
    }
    return arrays, told


def code(pairs, count):
    return pairs[:, 0].astype(np.int64) * count + pairs[:, 1]


def across(points, found, keep, rim, edges, centre):
    """Nodes whose cell would touch another one across land: one of both ends of every such edge."""
    _, new_edges = outline(found.triangles)
    new_edges = new_edges[keep[new_edges].all(axis=1)]
    new_edges = new_edges[~np.isin(code(new_edges, len(points)), code(edges, len(points)))]
    if centre is None or not len(new_edges) or not len(rim):
        return np.zeros(0, int)
    plane = sphere.stereographic(points, centre)
    cut = set()
    for begin in range(0, len(new_edges), 500):
        part = new_edges[begin : begin + 500]
        crossed = intersect(plane[part[:, 0]], plane[part[:, 1]], plane[rim[:, 0]], plane[rim[:, 1]]).any(
            axis=1
        )
        cut |= set(part[crossed, 1].tolist())
    return np.array(sorted(cut), int)


def intersect(a, b, c, d):
    """(edges, segments): whether a-b and c-d cross in their insides."""

    def side(p, q, r):
        return (q[..., 0] - p[..., 0]) * (r[..., 1] - p[..., 1]) - (q[..., 1] - p[..., 1]) * (
            r[..., 0] - p[..., 0]
        )

    a, b, c, d = a[:, None], b[:, None], c[None], d[None]
    return (side(a, b, c) * side(a, b, d) < 0) & (side(c, d, a) * side(c, d, b) < 0)
