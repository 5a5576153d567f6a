"""Files of an earthquake's surface in the layout of the model, for the tests of pictures.

A square of 20 by 20 km, triangles of 1 km or as given; the ground rises from −500 m in the west to 500 m in the east, so that the
coast is the line x = 0. A ring of upward velocity runs outwards from (2, −3) km at 3 km/s.
"""

import netCDF4
import numpy as np
from scipy.spatial import Delaunay

ORIGIN = (2000.0, -3000.0)
SPEED = 3000.0
TIMES = np.arange(0.0, 5.01, 0.5)


def triangles(step=1000.0, half=10000.0):
    """(nodes [n, 2], corners [m, 3])."""
    line = np.arange(-half, half + 1, step)
    nodes = np.stack(np.meshgrid(line, line), axis=-1).reshape(-1, 2)
    inner = np.abs(nodes).max(axis=1) < half - 1
    nodes[inner] += np.random.default_rng(3).uniform(-0.2, 0.2, (inner.sum(), 2)) * step
    return nodes, Delaunay(nodes).simplices


def height(nodes):
    return 0.05 * nodes[:, 0]


def ring(centres, time, amplitude=0.02, width=600.0, origin=ORIGIN):
    far = np.hypot(centres[:, 0] - origin[0], centres[:, 1] - origin[1])
    behind = (far - SPEED * time) / width
    return amplitude * -behind * np.exp(-0.5 * behind**2) / np.sqrt(1 + far / 2000.0)


def write_surface(
    path,
    times=TIMES,
    mesh=None,
    z=height,
    moving=None,
    still=None,
    degrees=None,
    title="Test rock",
    split=True,
):
    """Returns the path. moving: {name: [time, face]}, still: {name: [face]}; degrees(nodes) → lon, lat; split: each triangle
    with nodes of its own, as the model writes them."""
    nodes, corners = mesh or triangles()
    high = z(nodes)
    if split:
        nodes, high = nodes[corners.ravel()], high[corners.ravel()]
        corners = np.arange(corners.size).reshape(corners.shape)
    centres = nodes[corners].mean(axis=1)
    far = np.hypot(centres[:, 0] - ORIGIN[0], centres[:, 1] - ORIGIN[1])
    if moving is None:
        vz = np.array([ring(centres, time) for time in times]).reshape(len(times), len(centres))
        grown = np.linspace(0.0, 1.0, len(times))[:, None]  # of the peaks
        moving = {
            "vx": 0.5 * vz,
            "vy": 0.0 * vz,
            "vz": vz,
            "pgv": grown * 0.3 / (1 + far / 1000.0) ** 1.3,
            "pga": grown * 3.0 / (1 + far / 1000.0) ** 1.5,
            "pgd": grown * 0.05 / (1 + far / 1000.0),
        }
    with netCDF4.Dataset(path, "w") as out:
        out.title = title
        for name, size in (
            ("time", None),
            ("nFace", len(corners)),
            ("nNode", len(nodes)),
            ("nMaxFaceNodes", 3),
        ):
            out.createDimension(name, size)
        axis = out.createVariable("time", "f8", ("time",))
        axis.units = "s"
        for number, values in enumerate((*nodes.T, high)):
            out.createVariable(f"mesh_node_{'xyz'[number]}", "f8", ("nNode",))[:] = values
        for name, values in zip(("lon", "lat"), degrees(nodes) if degrees else ()):
            out.createVariable(f"mesh_node_{name}", "f8", ("nNode",))[:] = values
        faces = out.createVariable("mesh_face_nodes", "i4", ("nFace", "nMaxFaceNodes"))
        faces.start_index = np.int32(0)
        faces[:] = corners
        units = {"pgv": "m s-1", "pga": "m s-2", "pgd": "m"}
        for name, values in moving.items():
            variable = out.createVariable(name, "f4", ("time", "nFace"))
            variable.units = units.get(name, "m s-1")
            variable[: len(times)] = values
        for name, values in (still or {}).items():
            variable = out.createVariable(name, "f4", ("nFace",))
            variable.units = units.get(name, "1")
            variable[:] = values
        axis[:] = times
    return path
