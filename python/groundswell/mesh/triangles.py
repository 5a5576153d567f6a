"""Triangle meshes of other wave and surge models: nodes with depths, in the text and NetCDF forms of these models.

Read are fort.14 (ADCIRC, SWAN) and gr3 (SCHISM), 2dm (SMS), Gmsh 2 and 4.1 as text (WAVEWATCH III) and UGRID.
"""

import dataclasses
import gzip
import pathlib

import netCDF4
import numpy as np

from groundswell.errors import refuse


@dataclasses.dataclass
class TriangleMesh:
    """lon, lat (n) in degrees; z (n) in m as the file has it, None where it has none; triangles (m, 3), from 0; `down`: z is
    positive down (True), up (False), or the form does not say (None)."""

    lon: np.ndarray
    lat: np.ndarray
    z: np.ndarray | None
    triangles: np.ndarray
    down: bool | None


def read_triangles(path):
    """A TriangleMesh; raises Refusal where the file is none, or not in degrees."""
    path = pathlib.Path(path)
    if not path.is_file():
        refuse(path, None, None, "a file that is there")
    with open(path, "rb") as file:
        begin = file.read(8)
    if begin.startswith((b"CDF", b"\x89HDF")):
        mesh = read_ugrid(path)
    else:
        with (
            gzip.open(path, "rt")
            if begin.startswith(b"\x1f\x8b")
            else open(path, encoding="utf-8", errors="replace") as file
        ):
            lines = file.read().splitlines()
        first = lines[0].strip() if lines else ""
        form = (
            read_2dm
            if first.startswith("MESH2D")
            else read_gmsh
            if first.startswith("$MeshFormat")
            else read_grid
        )
        try:
            mesh = form(path, lines)
        except (ValueError, IndexError) as failure:
            refuse(path, None, None, f"a mesh as fort.14, gr3, 2dm, Gmsh or UGRID has it ({failure})")
    return checked(path, mesh)


def checked(path, mesh):
    if not len(mesh.triangles) or mesh.triangles.min() < 0 or mesh.triangles.max() >= len(mesh.lon):
        refuse(path, "triangles", len(mesh.triangles), f"triangles between nodes 1 to {len(mesh.lon)}")
    wrong = np.flatnonzero(~((np.abs(mesh.lon) <= 360) & (np.abs(mesh.lat) <= 90)))
    if len(wrong):
        place = f"{mesh.lon[wrong[0]]:g}, {mesh.lat[wrong[0]]:g}"
        refuse(path, f"node {wrong[0] + 1}", place, "longitude and latitude in degrees, not projected metres")
    return mesh


def numbered(rows, columns):
    """Columns of rows whose first word is a number; and the place of each number."""
    table = np.array([row[: 1 + columns] for row in rows], float)
    place = {int(number): i for i, number in enumerate(table[:, 0])}
    return table[:, 1:], place


def faces(path, rows, place):
    for row in rows:
        if len(row) != 3:
            refuse(path, "elements", f"one of {len(row)} nodes", "triangles alone")
    return np.array([[place[int(node)] for node in row] for row in rows], np.int64).reshape(-1, 3)


def read_grid(path, lines):
    """fort.14 and gr3: a title, numbers of elements and nodes, the nodes with depth positive down, the elements."""
    elements, nodes = (int(word) for word in lines[1].split()[:2])
    table, place = numbered([line.split() for line in lines[2 : 2 + nodes]], 3)
    rows = [line.split() for line in lines[2 + nodes : 2 + nodes + elements]]
    if len(rows) != elements:
        raise ValueError(f"{len(rows)} of {elements} elements")
    triangles = faces(path, [row[2 : 2 + int(row[1])] for row in rows], place)
    return TriangleMesh(table[:, 0], table[:, 1], table[:, 2], triangles, True)


def read_2dm(path, lines):
    words = [line.split() for line in lines if line.startswith(("ND ", "E"))]
    table, place = numbered([row[1:] for row in words if row[0] == "ND"], 3)
    sizes = {"E3T": 3, "E4Q": 4, "E6T": 6, "E8Q": 8, "E9Q": 9}
    rows = [row[2 : 2 + sizes[row[0]]] for row in words if row[0] in sizes]
    return TriangleMesh(table[:, 0], table[:, 1], table[:, 2], faces(path, rows, place), None)


def read_gmsh(path, lines):
    """Text of version 2 or 4.1; triangles are elements of type 2, others (points, lines) are passed over."""
    version = lines[1].split()
    if version[1] != "0":
        refuse(path, "MeshFormat", lines[1], "a text file: gmsh -save writes one with Mesh.Binary = 0")
    at = {line.strip(): i for i, line in enumerate(lines) if line.startswith("$")}
    nodes = [line.split() for line in lines[at["$Nodes"] + 1 : at["$EndNodes"]]]
    elements = [line.split() for line in lines[at["$Elements"] + 1 : at["$EndElements"]]]
    if version[0].startswith("2"):
        table, place = numbered(nodes[1:], 3)
        triangles = [row[-3:] for row in elements[1:] if row[1] == "2"]
    else:
        rows, triangles, i = [], [], 1
        for _ in range(int(nodes[0][0])):
            count = int(nodes[i][3])
            tags, places = nodes[i + 1 : i + 1 + count], nodes[i + 1 + count : i + 1 + 2 * count]
            rows += [tag + xyz[:3] for tag, xyz in zip(tags, places)]
            i += 1 + 2 * count
        table, place = numbered(rows, 3)
        i = 1
        for _ in range(int(elements[0][0])):
            kind, count = elements[i][2], int(elements[i][3])
            triangles += [row[1:4] for row in elements[i + 1 : i + 1 + count] if kind == "2"]
            i += 1 + count
    return TriangleMesh(table[:, 0], table[:, 1], table[:, 2], faces(path, triangles, place), None)


def read_ugrid(path):
    with netCDF4.Dataset(path) as data:
        meshes = [v for v in data.variables.values() if getattr(v, "cf_role", "") == "mesh_topology"]
        if len(meshes) != 1 or not hasattr(meshes[0], "face_node_connectivity"):
            refuse(path, "cf_role", len(meshes), "one mesh_topology with face_node_connectivity (UGRID)")
        topology = meshes[0]
        lon, lat = (np.asarray(data[name][:], float) for name in topology.node_coordinates.split()[:2])
        connectivity = data[topology.face_node_connectivity]
        rows = np.ma.asarray(connectivity[:])
        rows = rows.T if rows.shape[0] in (3, 4) and rows.shape[1] > 4 else rows
        if rows.shape[1] > 3 and np.ma.getmaskarray(rows)[:, 3:].all():
            rows = rows[:, :3]
        if rows.shape[1] != 3 or np.ma.getmaskarray(rows).any():
            refuse(path, connectivity.name, f"up to {rows.shape[1]} nodes", "triangles alone")
        triangles = np.asarray(rows, np.int64) - int(getattr(connectivity, "start_index", 0))
        nodes = connectivity_nodes(data, topology)
        depths = [
            v for v in data.variables.values()
            if v.dimensions == nodes and "depth" in (getattr(v, "standard_name", "") + v.name).lower()
        ]  # fmt: skip
        z = np.asarray(depths[0][:], float) if depths else None
        down = getattr(depths[0], "positive", "down") != "up" if depths else None
        return TriangleMesh(lon, lat, z, triangles, down)


def connectivity_nodes(data, topology):
    return data[topology.node_coordinates.split()[0]].dimensions
