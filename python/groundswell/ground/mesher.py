"""Gmsh makes the mesh of the flat box; it is moved onto the relief, mended and written."""

import os
import tempfile

import numpy as np

from groundswell.ground.gmsh_session import working
from groundswell.ground.nudge import TETRAHEDRON, nudge
from groundswell.ground.relief import NoRelief
from groundswell.whole_files import written_beside

GOOD = 0.1  # quality of the worst element with which one is content
TURNS = 4


def make(gmsh, grid, relief, progress):
    """Meshes the model with the sizes of a SizeGrid, moves it onto the relief and mends it.

    Where a bad element is left, all is meshed anew with slightly smaller elements; of all tries the best one stays.
    """
    handle, path = tempfile.mkstemp(suffix=".sizes")
    os.close(handle)
    try:
        grid.write(path)
        fields = gmsh.model.mesh.field
        fields.add("Structured", 1)
        fields.setString(1, "FileName", path)
        fields.setNumber(1, "TextFormat", 0)
        fields.setAsBackgroundMesh(1)
        best = (-1.0, 0)
        for turn in range(TURNS):
            found = _make_once(gmsh, relief, turn, progress)
            best = max(best, (found, -turn))
            if found >= GOOD:
                return
        if best[1] != 1 - TURNS:
            _make_once(gmsh, relief, -best[1], progress)
    finally:
        os.unlink(path)


def _make_once(gmsh, relief, turn, progress):
    """The quality of the worst element."""
    gmsh.model.mesh.clear()
    gmsh.option.setNumber("Mesh.MeshSizeFactor", 1.0 - 0.02 * turn)
    with working(progress, "edges and surfaces"):
        gmsh.model.mesh.generate(2)
    with working(progress, "tetrahedra"):
        gmsh.model.mesh.generate(3)
    # Before and after: flat cells that become flatter are harder to mend.
    mend(gmsh, NoRelief(), progress)
    warp(gmsh, relief, progress)
    mend(gmsh, relief, progress)
    return float(qualities(gmsh).min())


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
    """Quality of all tetrahedra: three times the radius of the inscribed over that of the circumscribed sphere; 1 at best."""
    tags, _ = gmsh.model.mesh.getElementsByType(TETRAHEDRON)
    return np.array(gmsh.model.mesh.getElementQualities(tags, "gamma"))


def mend(gmsh, relief, progress):
    """Swaps faces of bad elements, moves nodes inside layers, and what is still bad within surfaces."""
    for method in ("", "Relocate3D", ""):
        with working(progress, "mending bad elements"):
            gmsh.model.mesh.optimize(method)
    if nudge(gmsh, relief, 2.0 * GOOD):
        gmsh.model.mesh.optimize("")


def write(gmsh, path, projection, progress):
    """The mesh as MSH 4.1, binary, with the projection in a section of its own behind the format."""
    plain = path.with_name(path.name + ".part.msh")
    try:
        with working(progress, f"writing {path.name}"):
            gmsh.write(str(plain))
        with open(plain, "rb") as source, written_beside(path) as partial, open(partial, "wb") as out:
            head = source.read(256)
            mark = b"$EndMeshFormat\n"
            end = head.index(mark) + len(mark)
            out.write(head[:end])
            if projection is not None:
                out.write(f"$Projection\n{projection.proj()}\n$EndProjection\n".encode())
            out.write(head[end:])
            while piece := source.read(1 << 24):
                out.write(piece)
    finally:
        plain.unlink(missing_ok=True)
