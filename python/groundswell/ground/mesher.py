"""Gmsh makes the mesh of the flat box; it is moved onto the relief, mended and written."""

import os
import tempfile

import numpy as np

from groundswell.ground.gmsh_session import working

TETRAHEDRON, TRIANGLE = 4, 2  # numbers of Gmsh's kinds of elements
GOOD = 0.15  # quality from which on nothing is mended further
ROUNDS = 3


def generate(gmsh, grid, progress):
    """Meshes the model with the sizes of a SizeGrid."""
    handle, path = tempfile.mkstemp(suffix=".sizes")
    os.close(handle)
    try:
        grid.write(path)
        fields = gmsh.model.mesh.field
        fields.add("Structured", 1)
        fields.setString(1, "FileName", path)
        fields.setNumber(1, "TextFormat", 0)
        fields.setAsBackgroundMesh(1)
        with working(progress, "edges and surfaces"):
            gmsh.model.mesh.generate(2)
        with working(progress, "tetrahedra"):
            gmsh.model.mesh.generate(3)
    finally:
        os.unlink(path)


def warp(gmsh, relief, progress):
    """Moves all nodes vertically from their flat to their true places."""
    tags, places, _ = gmsh.model.mesh.getNodes()
    places = places.reshape(-1, 3)
    true = relief.warp(*places.T)
    moved = np.nonzero(true != places[:, 2])[0]
    places[:, 2] = true
    for count, (tag, place) in enumerate(zip(tags[moved].tolist(), places[moved].tolist())):
        if count % 20_000 == 0:
            progress(f"moving the mesh onto the relief, {count / len(moved):.0%}")
        gmsh.model.mesh.setNode(tag, place, [])


def qualities(gmsh):
    """Of all tetrahedra: three times the radius of the inscribed over that of the circumscribed sphere; 1 at best."""
    tags, _ = gmsh.model.mesh.getElementsByType(TETRAHEDRON)
    return np.array(gmsh.model.mesh.getElementQualities(tags, "gamma"))


def mend(gmsh, progress):
    """Swaps faces and moves nodes inside layers until no element is bad, or nothing helps any more."""
    worst = -1.0
    for turn in range(ROUNDS):
        with working(progress, "mending bad elements" if turn else "improving elements"):
            gmsh.model.mesh.optimize("")
            if turn:
                gmsh.model.mesh.optimize("Relocate3D")
                gmsh.model.mesh.optimize("")
        found = float(qualities(gmsh).min())
        if found >= GOOD or (turn and found <= worst):
            return
        worst = found


def write(gmsh, path, projection, progress):
    """The mesh as MSH 4.1, binary, with the projection in a section of its own behind the format."""
    plain = path.with_name(path.name + ".part.msh")
    partial = path.with_name(path.name + ".part")
    try:
        with working(progress, f"writing {path.name}"):
            gmsh.write(str(plain))
        with open(plain, "rb") as source, open(partial, "wb") as out:
            head = source.read(256)
            mark = b"$EndMeshFormat\n"
            end = head.index(mark) + len(mark)
            out.write(head[:end])
            if projection is not None:
                out.write(f"$Projection\n{projection.proj()}\n$EndProjection\n".encode())
            out.write(head[end:])
            while piece := source.read(1 << 24):
                out.write(piece)
        partial.replace(path)
    finally:
        for left in (plain, partial):
            left.unlink(missing_ok=True)
