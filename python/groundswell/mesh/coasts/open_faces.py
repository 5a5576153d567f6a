"""Faces at which a mesh ends and the sea does not: those that waves may enter over."""

import numpy as np

from groundswell.errors import refuse
from groundswell.mesh import sphere


def points_beyond(arrays, cell, edge):
    """The centres of cells seen in their edges as in a mirror, where those of cells beyond would be: unit vectors; both from 0."""
    centre = sphere.to_xyz(arrays["lonCell"][cell], arrays["latCell"][cell])
    ends = arrays["verticesOnEdge"][edge] - 1
    first, second = (
        sphere.to_xyz(arrays["lonVertex"][ends[:, k]], arrays["latVertex"][ends[:, k]]) for k in range(2)
    )
    normal = sphere.unit(np.cross(first, second))
    return centre - 2 * np.einsum("ij,ij->i", centre, normal)[:, None] * normal


def ends_of_mesh(arrays):
    """(cell, side) of all faces of sea cells with none beyond, both from 0."""
    beyond = arrays["cellsOnCell"]
    has = np.arange(beyond.shape[1]) < arrays["nEdgesOnCell"][:, None]
    is_sea = arrays["bottomDepth"] > 0 if "bottomDepth" in arrays else np.ones(len(beyond), bool)
    return np.nonzero(has & is_sea[:, None] & ((beyond == 0) | ~is_sea[np.maximum(beyond, 1) - 1]))


def add_open_faces(arrays, is_outside, bathymetry):
    """Lists in the arrays of a mesh those faces beyond which there is sea outside the region, counted from 1."""
    cell, side = ends_of_mesh(arrays)
    if not len(cell):
        return
    beyond = points_beyond(arrays, cell, arrays["edgesOnCell"][cell, side] - 1)
    lon, lat = np.degrees(sphere.to_lonlat(beyond))
    is_open = is_outside(beyond) & (bathymetry.interpolate(lon, lat) < 0)
    if is_open.any():
        arrays["openFaceCell"] = (cell[is_open] + 1).astype(np.int32)
        arrays["openFaceSide"] = (side[is_open] + 1).astype(np.int32)


def open_points(path, arrays, beyond=None):
    """(lon, lat) in degrees of the points beyond the open faces of a mesh that was read, and the faces' middles as unit vectors.

    `beyond`: [west, east, south, north], where the file does not list its open faces: those with a point outside.
    """
    if beyond is None:
        if "openFaceCell" not in arrays:
            refuse(
                path,
                "openFaceCell",
                "(missing)",
                "a list of its open faces, as `groundswell mesh make` writes it, or --beyond W,E,S,N",
            )
        cell, side = arrays["openFaceCell"] - 1, arrays["openFaceSide"] - 1
    else:
        cell, side = ends_of_mesh(arrays)
    edge = arrays["edgesOnCell"][cell, side] - 1
    lon, lat = np.degrees(sphere.to_lonlat(points_beyond(arrays, cell, edge)))
    if beyond is not None:
        west, east, south, north = beyond
        inside = (np.mod(lon - west, 360.0) <= east - west) & (lat >= south) & (lat <= north)
        lon, lat, edge = lon[~inside], lat[~inside], edge[~inside]
    if not len(lon):
        refuse(path, "open faces", 0, "at least one: waves enter a closed sea from nowhere")
    return lon, lat, sphere.to_xyz(arrays["lonEdge"][edge], arrays["latEdge"][edge])
