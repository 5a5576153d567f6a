"""Geometry on the unit sphere: points are rows of (n, 3) arrays, angles radians, areas steradians.

Lengths and areas are written with differences of points, so that they stay exact to rounding for cells of a few metres.
"""

import numpy as np

EARTH_RADIUS = 6371229.0  # m, the sphere of MPAS meshes


def unit(vectors):
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


def to_xyz(lon, lat):
    """Points from longitude and latitude in radians."""
    lon, lat = np.asarray(lon, float), np.asarray(lat, float)
    return np.stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)], axis=-1)


def to_lonlat(points):
    """Longitude in [0, 2π) and latitude, radians."""
    lon = np.mod(np.arctan2(points[..., 1], points[..., 0]), 2 * np.pi)
    lat = np.arctan2(points[..., 2], np.hypot(points[..., 0], points[..., 1]))
    return lon, lat


def arc(a, b):
    """Great-circle distance."""
    return 2 * np.arcsin(np.minimum(1.0, 0.5 * np.linalg.norm(a - b, axis=-1)))


def triangle_area(a, b, c):
    """Area of a spherical triangle, positive if a, b, c run anticlockwise seen from outside.

    tan(E/2) = a·(b×c) / (1 + a·b + b·c + c·a): Eriksson, "On the measure of solid angles", Math. Mag. 63 (1990), p. 184.
    The triple product is taken with b−a and c−a, the same number without the cancellation.
    """
    triple = np.einsum("...i,...i", a, np.cross(b - a, c - a))
    dots = [np.einsum("...i,...i", p, q) for p, q in ((a, b), (b, c), (c, a))]
    return 2 * np.arctan2(triple, 1 + dots[0] + dots[1] + dots[2])


def circumcentre(a, b, c):
    """The point at equal distance from a, b, c (anticlockwise): where the outward normal of their plane leaves the sphere.

    With u = b − a, v = c − a, w = u × v the plane circumcentre is a + w × (|v|² u − |u|² v) / 2|w|²; its direction is the same
    as that of w, but for small triangles w keeps fewer digits.
    """
    u, v = b - a, c - a
    w = np.cross(u, v)
    uu, vv, ww = (np.einsum("...i,...i", q, q)[..., None] for q in (u, v, w))
    centre = unit(a + np.cross(w, vv * u - uu * v) / np.maximum(2 * ww, 1e-300))
    return centre * np.where(np.einsum("...i,...i", centre, w) < 0, -1.0, 1.0)[..., None]


def local_frame(points):
    """East and north at each point; at the poles east is the direction of 90°E."""
    east = np.stack([-points[..., 1], points[..., 0], np.zeros(points.shape[:-1])], axis=-1)
    length = np.linalg.norm(east, axis=-1, keepdims=True)
    east = np.where(length > 1e-15, east / np.where(length > 1e-15, length, 1.0), [0.0, 1.0, 0.0])
    return east, np.cross(points, east)


def stereographic(points, centre):
    """Plane coordinates (n, 2) seen from the antipode of `centre`; circles go to circles."""
    east, north = local_frame(centre)
    below = 1 + points @ centre
    return np.stack([points @ east, points @ north], axis=-1) * (2 / below)[..., None]
