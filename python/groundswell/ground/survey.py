"""Survey of a finished mesh: counts, areas, edges, quality, the frequency it carries; and checks that it is a mesh."""

import itertools

import numpy as np

from groundswell import report
from groundswell.errors import refuse
from groundswell.ground.geometry import ABSORBING, top_of
from groundswell.ground.gmsh_session import MeshFailure
from groundswell.ground.nudge import TETRAHEDRON, TRIANGLE, quality

PERCENTILES = (0, 1, 10, 50, 90)


class Found:
    """Nodes and elements of the finished mesh: places (n, 3); cells (m, 4) and their layers from 0; triangles by tag."""

    def __init__(self, gmsh, pieces, request):
        tags, places, _ = gmsh.model.mesh.getNodes()
        row = np.full(int(tags.max()) + 1, -1)
        row[tags.astype(int)] = np.arange(len(tags))
        self.places = places.reshape(-1, 3)

        def elements(kind, corners, entities):
            got = [gmsh.model.mesh.getElementsByType(kind, tag)[1] for tag in entities]
            return row[np.concatenate([np.empty(0, np.uint64), *got]).astype(int)].reshape(-1, corners)

        by_layer = [elements(TETRAHEDRON, 4, tags) for tags in pieces.layers]
        self.cells = np.concatenate(by_layer)
        self.layer = np.repeat(np.arange(len(by_layer)), [len(cells) for cells in by_layer])
        self.free = elements(TRIANGLE, 3, pieces.free)
        self.absorbing = elements(TRIANGLE, 3, pieces.absorbing)
        self.faults = [elements(TRIANGLE, 3, tags) for tags in pieces.faults]

    def edges(self):
        """Lengths of the six edges of each cell, (m, 6)."""
        corner = self.places[self.cells]
        pairs = list(itertools.combinations(range(4), 2))
        return np.stack([np.linalg.norm(corner[:, a] - corner[:, b], axis=1) for a, b in pairs], axis=1)

    def volumes(self):
        corner = self.places[self.cells]
        a, b, c = (corner[:, i] - corner[:, 0] for i in (1, 2, 3))
        return np.abs(np.einsum("ij,ij->i", np.cross(a, b), c)) / 6.0

    def qualities(self):
        """3 × inscribed / circumscribed radius of each cell."""
        return np.abs(quality(self.places[self.cells]))

    def area(self, triangles):
        corner = self.places[triangles]
        return 0.5 * np.linalg.norm(
            np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0]), axis=1
        )  # fmt: skip


def check(found, request):
    """Refuses a mesh with bad elements, and one that does not fill the box or does not follow the faults."""
    quality = found.qualities()
    worst = int(np.argmin(quality))
    if not quality[worst] >= request.worst_quality:
        place = found.places[found.cells[worst]].mean(axis=0)
        bad = int((quality < request.worst_quality).sum())
        refuse(
            request.where,
            "mesh.worst_quality",
            f"{request.worst_quality:g}",
            f"a request whose elements can all be made that good: {bad} cannot, the worst has {quality[worst]:.3g} at "
            f"({', '.join(f'{value:.0f}' for value in place)}) m; faults that meet at wider angles, smaller elements "
            "there, or smoother relief",
        )
    width = (request.x[1] - request.x[0]) * (request.y[1] - request.y[0])
    volume = found.volumes().sum()
    under = found.places[found.free]
    wanted = width * request.depth + _prisms(under)
    if abs(volume - wanted) > 1e-6 * wanted:
        raise MeshFailure(f"the mesh that Gmsh made holds {volume:.9g} m³ in place of {wanted:.9g} m³")
    _check_faces(found)


def _prisms(triangles):
    """Volume between triangles and z = 0."""
    a, b = (triangles[:, i, :2] - triangles[:, 0, :2] for i in (1, 2))
    flat = 0.5 * np.abs(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0])
    return float((flat * triangles[:, :, 2].mean(axis=1)).sum())


def _check_faces(found):
    """Every triangle of a fault is a face of two cells; every outer face is tagged."""
    count = len(found.places)

    def keys(triangles):
        a, b, c = np.sort(triangles, axis=1).T.astype(np.int64)
        if count < 2_000_000:
            return (a * count + b) * count + c
        raise MeshFailure(f"{count} vertices: more than this program can check")

    faces = np.concatenate([found.cells[:, list(rows)] for rows in itertools.combinations(range(4), 3)])
    held, times = np.unique(keys(faces), return_counts=True)
    if times.max() > 2:
        raise MeshFailure("Gmsh made a mesh in which three tetrahedra share a face")
    outer = held[times == 1]
    tagged = np.unique(keys(np.concatenate([found.free, found.absorbing])))
    if not np.array_equal(outer, tagged):
        raise MeshFailure("Gmsh made a mesh whose outer faces are not those of the box")
    inner = held[times == 2]
    for triangles in found.faults:
        if not np.isin(keys(triangles), inner).all():
            raise MeshFailure("Gmsh made a mesh that does not follow a fault")


def measure(found, request, gmsh_version):
    """The survey as a dictionary: lengths in m, areas in m², volumes in m³."""
    edges, quality, volume = found.edges(), found.qualities(), found.volumes()
    worst = int(np.argmin(quality))
    layers = []
    for number, layer in enumerate(request.layers):
        mine = found.layer == number
        longest = edges[mine].max(axis=1)
        told = {
            "name": layer.name,
            "group": number + 1,
            "cells": int(mine.sum()),
            "volume": float(volume[mine].sum()),
        }
        told["longest_edges"] = {"mean": float(longest.mean()), "max": float(longest.max())}
        if request.sizes.frequency:
            carried = layer.slowest / (request.sizes.edges_per_wavelength * longest)
            told["frequency"] = {"min": float(carried.min()), "p10": float(np.percentile(carried, 10))}
        layers.append(told)
    faces = [(*top_of(request), found.free), ("absorbing", ABSORBING, found.absorbing)]
    faces += [(fault.name, fault.tag, mine) for fault, mine in zip(request.faults, found.faults)]
    return {
        "cells": len(found.cells),
        "vertices": len(found.places),
        "extent": [
            [float(v) for v in found.places[:, axis][[i, j]]] for axis, i, j in _extremes(found.places)
        ],
        "projection": request.projection.proj() if request.projection else None,
        "relief": {"lowest": request.relief.lowest, "highest": request.relief.highest},
        "layers": layers,
        "faces": [
            {"name": name, "tag": tag, "triangles": len(mine), "area": float(found.area(mine).sum())}
            for name, tag, mine in faces
        ],
        "edges": {"min": float(edges.min()), "mean": float(edges.mean()), "max": float(edges.max())},
        "quality": {
            "worst": float(quality[worst]),
            "place": [float(value) for value in found.places[found.cells[worst]].mean(axis=0)],
            "percentiles": {str(p): float(np.percentile(quality, p)) for p in PERCENTILES},
        },
        "gmsh": gmsh_version,
    }


def _extremes(places):
    return [(axis, int(places[:, axis].argmin()), int(places[:, axis].argmax())) for axis in range(3)]


def table(result, request):
    """For people."""
    rows = [["cells", f"{result['cells']}"], ["vertices", f"{result['vertices']}"]]
    for axis, (low, high) in zip("xyz", result["extent"]):
        rows.append([axis, f"{low:.0f} … {high:.0f} m"])
    for layer in result["layers"]:
        text = f"{layer['cells']} cells, longest edges {layer['longest_edges']['mean']:.0f} m"
        if "frequency" in layer:
            text += f", carries {layer['frequency']['p10']:.3g} Hz in 90 % of them, {layer['frequency']['min']:.3g} Hz in all"
        rows.append([f"layer {layer['group']}, {layer['name']}", text])
    for face in result["faces"]:
        rows.append(
            [
                f"{face['name']} ({face['tag']})",
                f"{face['triangles']} triangles, {face['area'] / 1e6:.4g} km²",
            ]
        )
    edges, quality = result["edges"], result["quality"]
    rows.append(["edges", f"{edges['min']:.0f} … {edges['max']:.0f} m, mean {edges['mean']:.0f} m"])
    place = ", ".join(f"{value:.0f}" for value in quality["place"])
    rows.append(
        [
            "quality",
            f"{quality['worst']:.2f} at worst, at ({place}) m; median {quality['percentiles']['50']:.2f}",
        ]
    )
    return report.table(rows)
