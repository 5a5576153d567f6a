"""Everything an MPAS mesh file holds, derived from generators, their triangulation and which cells to keep.

Index conventions are those of the MPAS mesh specification (version 1.0, Los Alamos/NCAR): ids count from 1, 0 means none;
around a cell edges, neighbours and vertices run anticlockwise, verticesOnCell[k] between edgesOnCell[k] and [k+1], and
edgesOnVertex[k] between cellsOnVertex[k−1] and [k]; the edge normal points from cellsOnEdge[0] to [1], and the tangent from
verticesOnEdge[0] to [1] lies 90° to its left. angleEdge is the bearing of the normal, anticlockwise from east.

An edge to a dropped cell keeps its geometry (the bisector between both generators) and has 0 as second cell.
"""

import dataclasses

import numpy as np

from groundswell.mesh import sphere


@dataclasses.dataclass
class _Edges:
    """Per kept edge: cells (point indices, the first one kept), right and left corner (triangle index), and midpoint."""

    cells: np.ndarray
    corners: np.ndarray
    middle: np.ndarray


def build(points, mesh, keep, radius=sphere.EARTH_RADIUS):
    """A dict of all MPAS arrays for the cells where `keep`; the order of the cells is that of the points.

    Raises ValueError where a kept cell lies on the outline of the triangulation, and so has no closed polygon.
    """
    if keep[mesh.rim].any():
        raise ValueError("a kept cell has no closed polygon")
    new_cell = np.where(keep, np.cumsum(keep), 0)
    edges = _edges(points, mesh, keep)
    triangle_used = keep[mesh.triangles].any(axis=1)
    new_vertex = np.where(triangle_used, np.cumsum(triangle_used), 0)
    triangles, corners = mesh.triangles[triangle_used], mesh.corners[triangle_used]
    out = {}
    _positions(out, "Cell", points[keep], radius)
    _positions(out, "Edge", edges.middle, radius)
    _positions(out, "Vertex", corners, radius)
    out["cellsOnEdge"] = new_cell[edges.cells].astype(np.int32)
    out["verticesOnEdge"] = new_vertex[edges.corners].astype(np.int32)
    a, b = points[edges.cells[:, 0]], points[edges.cells[:, 1]]
    out["dcEdge"] = sphere.arc(a, b) * radius
    out["dvEdge"] = sphere.arc(mesh.corners[edges.corners[:, 0]], mesh.corners[edges.corners[:, 1]]) * radius
    east, north = sphere.local_frame(edges.middle)
    normal = b - a
    out["angleEdge"] = np.arctan2(np.einsum("ij,ij->i", normal, north), np.einsum("ij,ij->i", normal, east))
    _around_cells(out, points[keep], edges.middle)
    _around_vertices(out, points, triangles, corners, new_cell, edges, radius)
    _cell_areas(out, points[keep], corners, radius)
    _edges_on_edge(out)
    return out


def _edges(points, mesh, keep):
    t, k = np.nonzero(mesh.neighbours > np.arange(len(mesh.triangles))[:, None])
    first, second = mesh.triangles[t, (k + 1) % 3], mesh.triangles[t, (k + 2) % 3]
    cells = np.stack([first, second], axis=1)
    corners = np.stack([mesh.neighbours[t, k], t], axis=1)  # right and left of first → second
    used = keep[cells].any(axis=1)
    cells, corners = cells[used], corners[used]
    swap = np.where(keep[cells].all(axis=1), cells[:, 0] > cells[:, 1], ~keep[cells[:, 0]])
    cells[swap], corners[swap] = cells[swap][:, ::-1], corners[swap][:, ::-1]
    order = np.lexsort((cells[:, 1], cells[:, 0]))
    cells, corners = cells[order], corners[order]
    return _Edges(cells, corners, sphere.unit(points[cells[:, 0]] + points[cells[:, 1]]))


def _positions(out, kind, points, radius):
    out["lon" + kind], out["lat" + kind] = sphere.to_lonlat(points)
    for axis, name in enumerate("xyz"):
        out[name + kind] = points[:, axis] * radius
    out[f"indexTo{kind}ID"] = np.arange(1, len(points) + 1, dtype=np.int32)


def _around_cells(out, cells, middle):
    """edgesOnCell, cellsOnCell and verticesOnCell, anticlockwise by azimuth about the cell's generator."""
    pair = out["cellsOnEdge"]
    edge = np.arange(len(pair))
    here = np.concatenate([pair[:, 0], pair[:, 1]])
    there = np.concatenate([pair[:, 1], pair[:, 0]])
    left = np.concatenate([out["verticesOnEdge"][:, 1], out["verticesOnEdge"][:, 0]])
    edge = np.concatenate([edge, edge])
    present = here > 0
    here, there, left, edge = here[present] - 1, there[present], left[present], edge[present]
    east, north = sphere.local_frame(cells)
    away = middle[edge] - cells[here]
    azimuth = np.arctan2(np.einsum("ij,ij->i", away, north[here]), np.einsum("ij,ij->i", away, east[here]))
    order = np.lexsort((np.mod(azimuth, 2 * np.pi), here))
    here, there, left, edge = here[order], there[order], left[order], edge[order]
    count = np.bincount(here, minlength=len(cells))
    place = np.arange(len(here)) - np.repeat(np.cumsum(count) - count, count)
    out["nEdgesOnCell"] = count.astype(np.int32)
    for name, values in (("edgesOnCell", edge + 1), ("cellsOnCell", there), ("verticesOnCell", left)):
        out[name] = np.zeros((len(cells), count.max()), np.int32)
        out[name][here, place] = values


def _around_vertices(out, points, triangles, corners, new_cell, edges, radius):
    """cellsOnVertex, edgesOnVertex, kites, and areaTriangle as the sum of the kites of the kept cells.

    The kite of a cell is the quadrilateral generator, edge point, vertex, edge point; its parts carry a sign, so the sum is
    right for obtuse triangles as well.
    """
    out["cellsOnVertex"] = new_cell[triangles].astype(np.int32)
    key = np.sort(edges.cells, axis=1) @ np.array([len(points), 1])
    order = np.argsort(key)
    edge_of = np.zeros(triangles.shape, np.int32)
    for k in range(3):
        pair = np.sort(np.stack([triangles[:, k - 1], triangles[:, k]], axis=1), axis=1) @ np.array(
            [len(points), 1]
        )
        place = np.minimum(np.searchsorted(key[order], pair), len(key) - 1)
        found = key[order[place]] == pair
        edge_of[:, k] = np.where(found, order[place] + 1, 0)
    out["edgesOnVertex"] = edge_of
    kites = np.zeros(triangles.shape)
    for k in range(3):
        cell, following, before = (points[triangles[:, (k + turn) % 3]] for turn in (0, 1, 2))
        ahead, behind = sphere.unit(cell + following), sphere.unit(cell + before)
        area = sphere.triangle_area(cell, ahead, corners) + sphere.triangle_area(cell, corners, behind)
        kites[:, k] = np.where(out["cellsOnVertex"][:, k] > 0, area, 0.0)
    out["kiteAreasOnVertex"] = kites * radius**2
    out["areaTriangle"] = out["kiteAreasOnVertex"].sum(axis=1)
    out["boundaryVertex"] = (out["cellsOnVertex"] == 0).any(axis=1).astype(np.int32)


def _cell_areas(out, cells, corners, radius):
    vertices, count = out["verticesOnCell"], out["nEdgesOnCell"]
    area = np.zeros(len(cells))
    for k in range(vertices.shape[1]):
        has = count > k
        here = vertices[has, k] - 1
        after = vertices[has, (k + 1) % count[has]] - 1
        area[has] += sphere.triangle_area(cells[has], corners[here], corners[after])
    out["areaCell"] = area * radius**2


def _edges_on_edge(out):
    """edgesOnEdge and the weights that rebuild the tangential from the normal components.

    Thuburn, Ringler, Skamarock & Klemp, "Numerical representation of geostrophic modes on arbitrarily structured C-grids",
    J. Comput. Phys. 228 (2009), eq. 33: w = ±(½ − Σ kite/area) dv/dc. The sum runs over the vertices from this edge to the
    other one, anticlockwise round their cell; the sign is that of the other edge's normal seen from the cell.
    """
    pair, count = out["cellsOnEdge"], out["nEdgesOnCell"]
    width = 2 * out["edgesOnCell"].shape[1]
    edges, weights = np.zeros((len(pair), width), np.int32), np.zeros((len(pair), width))
    filled = np.zeros(len(pair), np.int32)
    kite_of = _kites_on_cell(out)
    for side in range(2):
        edge = np.nonzero(pair[:, side])[0]
        cell = pair[edge, side] - 1
        start = np.argmax(out["edgesOnCell"][cell] == (edge + 1)[:, None], axis=1)
        share = np.zeros(len(edge))
        for step in range(1, out["edgesOnCell"].shape[1]):
            going = step < count[cell]
            e, c, s = edge[going], cell[going], start[going]
            share[going] += kite_of[c, (s + step - 1) % count[c]] / out["areaCell"][c]
            other = out["edgesOnCell"][c, (s + step) % count[c]] - 1
            outward = np.where(pair[other, 0] == c + 1, 1.0, -1.0)
            sign = outward * (1.0 if side == 0 else -1.0)
            edges[e, filled[e]] = other + 1
            weights[e, filled[e]] = sign * (0.5 - share[going]) * out["dvEdge"][other] / out["dcEdge"][e]
            filled[e] += 1
    out["edgesOnEdge"], out["weightsOnEdge"], out["nEdgesOnEdge"] = edges, weights, filled


def _kites_on_cell(out):
    """Kite areas in the order of verticesOnCell."""
    vertices = np.maximum(out["verticesOnCell"] - 1, 0)
    mine = out["cellsOnVertex"][vertices] == np.arange(1, len(vertices) + 1)[:, None, None]
    return np.where(out["verticesOnCell"] > 0, (out["kiteAreasOnVertex"][vertices] * mine).sum(axis=2), 0.0)
