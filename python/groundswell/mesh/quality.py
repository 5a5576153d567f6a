"""Quality of a mesh: spacing, distance of generators from their cells' centroids, angles of the dual triangles, valence."""

import numpy as np

from groundswell.mesh import sphere


def statistic(values):
    return {"min": float(values.min()), "mean": float(values.mean()), "max": float(values.max())}


def spacing(mesh):
    """Distance between neighbours in a regular hexagonal mesh with the same cell area, m."""
    return np.sqrt(2 * mesh["areaCell"] / np.sqrt(3))


def centroid_offset(mesh):
    """Distance of generator and plain area centroid of each cell, as a share of its spacing."""
    cells = sphere.to_xyz(mesh["lonCell"], mesh["latCell"])
    corners = sphere.to_xyz(mesh["lonVertex"], mesh["latVertex"])
    count, vertices = mesh["nEdgesOnCell"], mesh["verticesOnCell"]
    moment, total = np.zeros(cells.shape), np.zeros(len(cells))
    for k in range(vertices.shape[1]):
        has = count > k
        x, a, b = cells[has], corners[vertices[has, k] - 1], corners[vertices[has, (k + 1) % count[has]] - 1]
        area = sphere.triangle_area(x, a, b)
        moment[has] += area[:, None] * ((a - x) + (b - x)) / 3
        total[has] += area
    size = np.sqrt(2 * np.abs(total) / np.sqrt(3))
    return np.linalg.norm(moment, axis=1) / np.abs(total) / size


def angles(mesh):
    """Angles of the dual triangles whose three cells are there, degrees, (triangles, 3); None without cellsOnVertex."""
    if "cellsOnVertex" not in mesh:
        return None
    cells = sphere.to_xyz(mesh["lonCell"], mesh["latCell"])
    triangles = mesh["cellsOnVertex"]
    triangles = triangles[(triangles > 0).all(axis=1)] - 1
    out = np.zeros(triangles.shape)
    for k in range(3):
        here, after, before = (cells[triangles[:, (k + turn) % 3]] for turn in range(3))
        a, b = after - here, before - here
        out[:, k] = np.degrees(
            np.arctan2(np.linalg.norm(np.cross(a, b), axis=1), np.einsum("ij,ij->i", a, b))
        )
    return out


def measure(mesh, radius):
    """The JSON of `mesh make` and the first half of that of `mesh info`."""
    offset, angle, between = centroid_offset(mesh), angles(mesh), mesh["cellsOnEdge"].min(axis=1) > 0
    sides = np.bincount(mesh["nEdgesOnCell"])
    result = {
        "cells": len(mesh["areaCell"]),
        "edges": len(mesh["dcEdge"]),
        "vertices": len(mesh["lonVertex"]),
        "boundary_edges": int((~between).sum()),
        "sphere_radius": float(radius),
        "area": float(mesh["areaCell"].sum()),
        "share_of_sphere": float(mesh["areaCell"].sum() / (4 * np.pi * radius**2)),
        "spacing": statistic(spacing(mesh)),
        "cell_distance": statistic(mesh["dcEdge"][between]),
        "edge_length": statistic(mesh["dvEdge"]),
        "centroid_offset": statistic(offset),
        "sides": {str(n): int(c) for n, c in enumerate(sides) if c},
    }
    if angle is not None and len(angle):
        result["smallest_angle"] = statistic(angle.min(axis=1))
        result["largest_angle"] = statistic(angle.max(axis=1))
        result["obtuse_triangles"] = int((angle.max(axis=1) > 90).sum())
    if "bottomDepth" in mesh:
        result["depth"] = statistic(mesh["bottomDepth"])
        result["dry_cells"] = int((mesh["bottomDepth"] <= 0).sum())
    return result
