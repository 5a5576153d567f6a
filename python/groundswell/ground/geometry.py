"""The flat box of a request in Gmsh's geometry: layers and faults cut by each other, and what each piece is."""

import dataclasses
import itertools

import numpy as np

from groundswell.errors import refuse

FREE, SEA, ABSORBING = 1, 2, 5  # numbers of boundaries, as in PUML meshes
CLOSEST = 0.25  # how near to each other surfaces may come, in sizes of the elements there


@dataclasses.dataclass
class Pieces:
    """Tags of Gmsh's entities: volumes of each layer, surfaces of each fault."""

    layers: list
    faults: list
    free: list
    absorbing: list


def build(gmsh, request):
    """The geometry of a request, synchronised, with physical groups."""
    occ = gmsh.model.occ
    width = [request.x[1] - request.x[0], request.y[1] - request.y[0]]
    boxes, top = [], 0.0
    for layer in request.layers:
        boxes.append((3, occ.addBox(request.x[0], request.y[0], -layer.bottom, *width, layer.bottom - top)))
        top = layer.bottom
    surfaces, owner = [], []
    for number, fault in enumerate(request.faults):
        for piece in fault.pieces:
            points = [occ.addPoint(*corner) for corner in piece]
            lines = [occ.addLine(a, b) for a, b in zip(points, points[1:] + points[:1])]
            surfaces.append((2, occ.addPlaneSurface([occ.addCurveLoop(lines)])))
            owner.append(number)
    cut = [[box] for box in boxes]
    if len(boxes) + len(surfaces) > 1:
        _, cut = occ.fragment(boxes, surfaces)
    occ.synchronize()
    faults = [[] for _ in request.faults]
    for number, pieces in zip(owner, cut[len(boxes) :]):
        faults[number] += [tag for _, tag in pieces]
    found = Pieces([[tag for _, tag in pieces] for pieces in cut[: len(boxes)]], faults, [], [])
    _sort_outside(gmsh, request, found)
    _refuse_shared(request, found)
    _add_groups(gmsh, request, found)
    return found


def top_of(request):
    """Name and number of the boundary at the top."""
    return ("sea surface", SEA) if request.sea else ("free surface", FREE)


def _sort_outside(gmsh, request, found):
    of_faults = set(itertools.chain(*found.faults))
    for _, tag in gmsh.model.getEntities(2):
        volumes, _ = gmsh.model.getAdjacencies(2, tag)
        if len(volumes) == 1 and tag not in of_faults:
            centre = gmsh.model.occ.getCenterOfMass(2, tag)
            (found.free if centre[2] > -1e-7 * request.depth else found.absorbing).append(tag)


def _refuse_shared(request, found):
    """No two faults lie on each other, and none on a side of the box."""
    seen = {}
    for number, tags in enumerate(found.faults):
        name = request.faults[number].name
        if not tags:
            refuse(
                request.where,
                f"fault.{number}",
                name,
                "a fault that cuts the ground; this one lies on a side of it",
            )
        for tag in tags:
            if tag in seen and seen[tag] != name:
                refuse(
                    request.where,
                    f"fault.{number}",
                    name,
                    f"a fault that does not lie on another, {seen[tag]}",
                )
            seen[tag] = name


def _add_groups(gmsh, request, found):
    for number, (layer, tags) in enumerate(zip(request.layers, found.layers), start=1):
        gmsh.model.addPhysicalGroup(3, tags, number, layer.name)
    name, number = top_of(request)
    gmsh.model.addPhysicalGroup(2, found.free, number, name)
    gmsh.model.addPhysicalGroup(2, found.absorbing, ABSORBING, "absorbing")
    by_tag = {}
    for fault, tags in zip(request.faults, found.faults):
        names, all_tags = by_tag.setdefault(fault.tag, ([], []))
        names.append(fault.name)
        all_tags += tags
    for tag, (names, tags) in by_tag.items():
        gmsh.model.addPhysicalGroup(2, tags, tag, f"fault {', '.join(names)}")


def refuse_too_close(gmsh, request, found, rule):
    """Refuses faults that come nearer to each other, to layers or to sides than the mesh asked for can follow."""
    owner = {tag: number for number, tags in enumerate(found.faults) for tag in tags}
    for tag, number in owner.items():
        _refuse_short_edges(gmsh, request, tag, number, rule)
    corners = {tag: _corners(gmsh, tag) for _, tag in gmsh.model.getEntities(2)}
    box = {tag: np.array(gmsh.model.getBoundingBox(2, tag)).reshape(2, 3) for tag in corners}
    for tag, number in owner.items():
        for other in corners:
            if other in owner and (owner[other], other) <= (number, tag):
                continue
            if corners[tag] & corners[other] or owner.get(other) == number:
                continue
            gap = np.maximum(box[tag][0] - box[other][1], box[other][0] - box[tag][1]).max()
            if gap > CLOSEST * request.sizes.coarsest:
                continue
            away, *places = gmsh.model.occ.getDistance(2, tag, 2, other)
            middle = 0.5 * (np.array(places[:3]) + places[3:])
            size = float(rule.at(middle[None])[0])
            if away < CLOSEST * size:
                what = (
                    request.faults[owner[other]].name if other in owner else "a layer or a side of the mesh"
                )
                _refuse_close(request, number, f"{away:.3g} m from {what}", middle, size)


def _corners(gmsh, surface):
    """Points of a surface: of its outline, and of the lines in it at which others meet it."""
    inside = gmsh.model.mesh.getEmbedded(2, surface)
    points = {tag for dimension, tag in inside if dimension == 0}
    lines = [entity for entity in inside if entity[0] == 1]
    for entities in ([(2, surface)], lines):
        if entities:
            points |= {p for _, p in gmsh.model.getBoundary(entities, combined=False, recursive=True)}
    return points


def _refuse_short_edges(gmsh, request, tag, number, rule):
    for _, curve in gmsh.model.getBoundary([(2, tag)], oriented=False):
        length = gmsh.model.occ.getMass(1, curve)
        middle = np.array(gmsh.model.occ.getCenterOfMass(1, curve))
        size = float(rule.at(middle[None])[0])
        if length < CLOSEST * size:
            _refuse_close(
                request, number, f"an edge of {length:.3g} m between faults or layers", middle, size
            )


def _refuse_close(request, number, found, place, size):
    at = ", ".join(f"{value:.0f}" for value in place)
    refuse(
        request.where,
        f"fault.{number}",
        f"{request.faults[number].name}: {found} near ({at}) m",
        f"{CLOSEST * size:.3g} m or more, a quarter of the {size:.3g} m asked for there; let faults meet or keep "
        "them apart, or ask for smaller elements (fault.size)",
    )
