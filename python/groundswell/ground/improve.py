"""`groundswell mesh improve`: flat elements of a mesh of tetrahedra are mended by moving their corners.

Corners inside a volume move freely. Those on one flat piece of a surface, be it a boundary, a fault or what two materials share,
stay in it; all others stay where they are. So faces, tags and groups remain as they are.
"""

import pathlib

import netCDF4
import numpy as np

from groundswell import provenance, report
from groundswell.arguments import check_target
from groundswell.errors import refuse
from groundswell.ground.nudge import TETRAHEDRON, TRIANGLE, move_corners, quality
from groundswell.ground.relief import NoRelief
from groundswell.mesh.tetrahedra import is_tetrahedra
from groundswell.whole_files import written_beside

EXAMPLES = """examples:
  groundswell mesh improve slivers.h5 --output mended.h5
  groundswell mesh improve slivers.msh --output mended.msh --quality 0.2"""

FACES = ((0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3))
FLAT = 1e-9  # 1 - cosine, up to which faces are of one plane
PASSES = 40
NAMED = 5  # elements that are still bad


def add_options(command):
    command.add_argument("mesh", metavar="MESH", help="mesh of tetrahedra: PUML (HDF5) or Gmsh")
    command.add_argument(
        "--output", required=True, metavar="OUT", help="mesh to write, in the same form (Gmsh: 4.1)"
    )
    command.add_argument(
        "--quality",
        type=float,
        default=0.1,
        metavar="Q",
        help="elements below it are mended: 3 x radius of the inscribed over that of the circumscribed sphere (default 0.1)",
    )
    command.add_argument("--overwrite", action="store_true", help="replace an existing mesh file")


class Corners:
    """Input of move_corners(): places (n, 3), cells (m, 4), and how each corner may move.

    `label` (m, 4): what lies at each face of FACES, 0 where nothing keeps its corners in place.
    """

    relief = NoRelief()

    def __init__(self, places, cells, label):
        self.true, self.cells = places, cells
        self.free = np.full(len(places), 3)
        self.normal, self.planes = {}, {}
        corners = np.concatenate([cells[:, list(face)] for face in FACES])
        label = np.concatenate(label.T)
        held = np.nonzero(label)[0]
        a, b = (places[corners[held, i]] - places[corners[held, 0]] for i in (1, 2))
        normals = np.cross(a, b)
        normals /= np.linalg.norm(normals, axis=1)[:, None]
        seen = {}
        for face, normal in zip(held.tolist(), normals):
            for row in corners[face].tolist():
                first = seen.setdefault(row, (label[face], normal))
                one_plane = first[0] == label[face] and 1.0 - abs(first[1] @ normal) < FLAT
                self.free[row] = 2 if one_plane and self.free[row] else 0
        for row, (_, normal) in seen.items():
            self.normal[row] = row
            self.planes[row] = normal

    def qualities(self, cells):
        return quality(self.true[self.cells[cells]])

    def set_place(self, row, true):
        self.true[row] = true


def labels(cells, group, tag):
    """Labels of the faces of FACES of each cell: 0 inside a volume; else a number for what lies there. `tag` (m, 4): of each face."""
    corners = np.sort(np.concatenate([cells[:, list(face)] for face in FACES]), axis=1)
    _, place, times = np.unique(corners, axis=0, return_inverse=True, return_counts=True)
    place = place.ravel()
    groups = np.tile(group, 4).astype(np.int64)
    low, high = np.full(len(times), np.iinfo(np.int64).max), np.full(len(times), np.iinfo(np.int64).min)
    np.minimum.at(low, place, groups)
    np.maximum.at(high, place, groups)
    found = np.concatenate(tag.T).astype(np.int64)
    most = np.zeros(len(times), np.int64)
    np.maximum.at(most, place, found)
    held = (most > 0) | (times == 1) | (low != high)
    kinds = np.stack([most, low, high, times], axis=1)
    _, kind = np.unique(kinds, axis=0, return_inverse=True)
    return np.where(held, kind.ravel() + 1, 0)[place].reshape(4, -1).T


def table(path, file, name, width=None, whole=True):
    """A table of numbers, as the program that runs such meshes reads it, or refused: (n,), or (n, width)."""
    variable = file.variables.get(name)
    if variable is None:
        refuse(path, name, None, "a dataset of this name, as PUML meshes have it")
    kind = variable.dtype  # the class of text where strings lie in it, or what netCDF does not know
    if isinstance(variable.datatype, netCDF4.EnumType) or getattr(kind, "kind", "") not in ("i", "u", "f"):
        text = getattr(kind, "kind", "") == "S"
        refuse(path, name, "text" if text else "strings, or a type that the file defines", "numbers")
    shape = variable.shape
    if len(shape) != (1 if width is None else 2) or (width is not None and shape[1] != width):
        rows = "a row for each cell" if width is None else f"rows of {width} numbers"
        refuse(path, name, f"{len(shape)} dimensions, {'x'.join(map(str, shape))}", rows)
    values = np.asarray(variable[:].data)
    bad = ~np.isfinite(values) | ((values != np.floor(values)) if whole else False)
    if bad.any():
        refuse(path, name, values[bad][0], "whole numbers" if whole else "finite coordinates")
    return values


def tags_of(path, file):
    """(m, 4) of the faces of FACES, as PUML counts them."""
    wide_rows = "boundary" in file.variables and file["boundary"].ndim == 2
    boundary = table(path, file, "boundary", 4 if wide_rows else None).astype(np.int64)
    if wide_rows:
        tags = boundary
    else:
        said = str(getattr(file, "boundary-format", ""))
        if said not in ("", "i32", "i64", "i32x4"):
            refuse(path, "boundary-format", said, "i32, i64 or i32x4")
        wide = said == "i64" or (not said and (boundary >> 32).any())
        bits = 16 if wide else 8
        tags = np.stack([boundary >> bits * face & (1 << bits) - 1 for face in range(4)], axis=1)
    # The file's faces lie opposite to corners 3, 2, 0 and 1; those of FACES opposite to 3, 2, 1 and 0.
    return tags[:, [0, 1, 3, 2]]


def improve_puml(source, target, good):
    with netCDF4.Dataset(source) as file:
        if str(getattr(file, "topology-format", "geometric")) != "geometric":
            refuse(source, "topology-format", "identify-vertex", "a mesh that is not periodic")
        places = table(source, file, "geometry", 3, whole=False).astype(float)
        cells = table(source, file, "connect", 4).astype(np.int64)
        group, tags = table(source, file, "group"), tags_of(source, file)
        if not len(cells) or cells.min() < 0 or cells.max() >= len(places):
            refuse(source, "connect", None, f"cells of vertices 0 to {len(places) - 1}")
        for name, rows in (("group", group), ("boundary", tags)):
            if len(rows) != len(cells):
                refuse(source, name, f"{len(rows)} rows", f"{len(cells)}, one for each cell")
        mesh = Corners(places, cells, labels(cells, group, tags))
    result = mend(mesh, good)
    with netCDF4.Dataset(source) as file, netCDF4.Dataset(target, "w") as made:
        copy(file, made, {"geometry": mesh.true})
    return result


def copy(file, made, changed):
    """All datasets and attributes of a file anew, as netCDF does not change files that HDF5 alone has written."""
    for name in file.ncattrs():
        made.setncattr(name, file.getncattr(name))
    made.groundswell_build = provenance.build_text()
    for name, variable in file.variables.items():
        shape = [f"{name}_{axis}" for axis in range(variable.ndim)]
        for dimension, length in zip(shape, variable.shape):
            made.createDimension(dimension, length)
        made.createVariable(name, variable.dtype, shape)[...] = changed.get(name, variable[...])


def improve_gmsh(source, target, good):
    from groundswell.ground.gmsh_session import session

    with session() as gmsh:
        gmsh.open(str(source))
        tags, places, _ = gmsh.model.mesh.getNodes()
        row = np.full(int(tags.max()) + 1, -1)
        row[tags.astype(int)] = np.arange(len(tags))

        def elements(kind, corners):
            got = [
                (tag, gmsh.model.mesh.getElementsByType(kind, tag)[1])
                for _, tag in gmsh.model.getEntities(corners - 1)
            ]
            nodes = np.concatenate([np.empty(0, np.uint64), *(nodes for _, nodes in got)])
            entity = np.repeat([tag for tag, _ in got], [len(nodes) // corners for _, nodes in got])
            return row[nodes.astype(int)].reshape(-1, corners), entity

        cells, volume = elements(TETRAHEDRON, 4)
        triangles, surface = elements(TRIANGLE, 3)
        if not len(cells):
            refuse(source, "elements", "no tetrahedra of first order", "1 or more")
        known = {key: int(tag) for key, tag in zip(map(tuple, np.sort(triangles, axis=1).tolist()), surface)}
        tag = np.array(
            [
                [known.get(tuple(sorted(cell[i] for i in face)), 0) for face in FACES]
                for cell in cells.tolist()
            ]
        )
        mesh = Corners(places.reshape(-1, 3).copy(), cells, labels(cells, volume, tag))
        before = mesh.true.copy()
        result = mend(mesh, good)
        for moved in np.nonzero((before != mesh.true).any(axis=1))[0].tolist():
            gmsh.model.mesh.setNode(int(tags[moved]), mesh.true[moved], [])
        gmsh.option.setNumber("Mesh.MshFileVersion", 4.1)
        gmsh.option.setNumber("Mesh.Binary", 1)
        gmsh.write(str(target))
    return result


def mend(mesh, good):
    """The mesh before and after."""
    before = np.abs(mesh.qualities(slice(None)))
    # Elements whose corners stand the other way round count as their mirror images do.
    turned = mesh.qualities(slice(None)) < 0
    mesh.cells[turned] = mesh.cells[turned][:, [0, 1, 3, 2]]
    moved = move_corners(mesh, mesh.planes, good, PASSES)
    after = mesh.qualities(slice(None))
    bad = np.nonzero(after < good)[0]
    bad = bad[np.argsort(after[bad], kind="stable")]
    return {
        "cells": len(after),
        "moved": len(moved),
        "bad": {"before": int((before < good).sum()), "after": len(bad)},
        "worst": {"before": float(before.min()), "after": float(after.min())},
        "left": [
            {
                "cell": int(cell),
                "quality": float(after[cell]),
                "place": mesh.true[mesh.cells[cell]].mean(axis=0).tolist(),
            }
            for cell in bad[:NAMED]
        ],
    }


def run(options):
    source, target = pathlib.Path(options.mesh), pathlib.Path(options.output)
    if not is_tetrahedra(source):
        refuse(source, None, None, "a mesh of tetrahedra that can be read: PUML (HDF5) or Gmsh")
    form = ".msh" if source.read_bytes()[:1] == b"$" else ".h5"
    check_target("--output", options.output, (form,))
    if not 0.0 < options.quality <= 0.5:
        refuse("command line", "--quality", options.quality, "a quality above 0, at most 0.5")
    if target.exists() and not options.overwrite:
        refuse(target, None, None, "a file that does not exist yet, or --overwrite")
    with written_beside(target) as partial:
        result = (improve_gmsh if form == ".msh" else improve_puml)(source, partial, options.quality)
    if not options.quiet:
        print(text(target, result, options.quality))
    if options.json:
        report.write_json(options.json, "mesh improve", {"file": str(target), **result})
    return 0


def text(target, result, good):
    bad, worst = result["bad"], result["worst"]
    lines = [
        f"{target}: {result['moved']} corners moved; elements below {good:g}: {bad['before']} before, {bad['after']} now; the worst "
        f"{worst['before']:.2g} before, {worst['after']:.2g} now"
    ]
    for one in result["left"]:
        place = ", ".join(f"{value:.6g}" for value in one["place"])
        lines.append(
            f"  still bad: cell {one['cell']} at {place} m, quality {one['quality']:.2g}: its corners may not move"
        )
    return "\n".join(lines)
