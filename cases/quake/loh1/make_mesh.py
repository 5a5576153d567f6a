#!/usr/bin/env python3
"""Makes the mesh of LOH.1 with Gmsh: a layer of 1 km over a half-space, z up, the surface at z = 0; a .msh file of version
4.1, binary. See README.md beside this file."""

import argparse
import math
import pathlib
import sys

try:
    import gmsh
except (ImportError, OSError) as failure:
    sys.exit(
        f"make_mesh.py: error: {failure}: expected the Python package gmsh and its libraries; `make build` installs both, or: "
        "build/venv/bin/pip install gmsh and apt-get install libgl1 libglu1-mesa libxcursor1 libxft2 libxinerama1"
    )

SOURCE, RECEIVER, LAYER = (0.0, 0.0, -2000.0), (6000.0, 8000.0, 0.0), 1000.0  # m
# A P wave of the half-space takes 9 s from the source by way of any of these sides to the receiver.
LOW, HIGH = (-24e3, -23e3, -28e3), (30e3, 31e3, 0.0)  # m
FASTER = 3464.0 / 2000.0  # S waves, and so elements, are that much longer below the layer
# An S wave of the half-space that makes a detour of this length arrives at the end of the 9 s; a P wave makes twice that.
REACH = 19.0e3  # m
# Edges over the finest ones, at most: in the layer and below it where S waves return from, and where only P waves do.
WIDEST_IN_LAYER, WIDEST_BELOW, WIDEST = 1.5, 2.95, 5.6


def size_at(place, finest):
    """Edges of elements at a place: finest between the source and the receiver, and slowly wider with the detour that a wave
    takes by way of the place, up to what still carries S waves. Elements too coarse for a wave scatter it, so these lie where
    what they scatter comes too late."""
    depth = max(0.0, -place[2])
    below = min(1.0, max(0.0, depth - LAYER) / 600.0)  # 0 in the layer, 1 from 600 m below it on
    detour = math.dist(SOURCE, place) + math.dist(place, RECEIVER) - math.dist(SOURCE, RECEIVER)
    near = finest * (1.0 + (FASTER - 1.0) * below) + detour / 20.0
    widest = finest * (WIDEST_IN_LAYER + (WIDEST_BELOW - WIDEST_IN_LAYER) * below)
    return min(min(near, widest) + max(0.0, detour - REACH) / 8.0, WIDEST * finest)


def build(finest):
    """The two volumes with their common face, and the names of their groups."""
    span = [high - low for low, high in zip(LOW, HIGH)]
    below = gmsh.model.occ.addBox(*LOW, span[0], span[1], span[2] - LAYER)
    layer = gmsh.model.occ.addBox(LOW[0], LOW[1], -LAYER, span[0], span[1], LAYER)
    gmsh.model.occ.fragment([(3, below)], [(3, layer)])
    gmsh.model.occ.synchronize()
    volumes = {"layer": [], "half-space": []}
    for _, tag in gmsh.model.getEntities(3):
        z = gmsh.model.occ.getCenterOfMass(3, tag)[2]
        volumes["layer" if z > -LAYER else "half-space"].append(tag)
    faces = {"free surface": [], "absorbing": []}
    for _, tag in gmsh.model.getEntities(2):
        if len(gmsh.model.getAdjacencies(2, tag)[0]) == 1:
            z = gmsh.model.occ.getCenterOfMass(2, tag)[2]
            faces["free surface" if z > -1.0 else "absorbing"].append(tag)
    # The numbers of groups that the tools for earthquakes know: 1 free surface, 5 absorbing.
    for dimension, groups, numbers in ((3, volumes, (1, 2)), (2, faces, (1, 5))):
        for (name, tags), number in zip(groups.items(), numbers):
            gmsh.model.addPhysicalGroup(dimension, tags, number, name)
    for switch in ("ExtendFromBoundary", "FromPoints", "FromCurvature"):
        gmsh.option.setNumber(f"Mesh.MeshSize{switch}", 0)
    gmsh.model.mesh.setSizeCallback(lambda dim, tag, x, y, z, lc: size_at((x, y, z), finest))


def mesh():
    gmsh.option.setNumber("Mesh.Algorithm", 5)  # Delaunay: copes with steep changes of size
    gmsh.option.setNumber("Mesh.Optimize", 0)
    gmsh.model.mesh.generate(3)
    for method in ("", "Netgen", "Relocate3D", ""):
        gmsh.model.mesh.optimize(method)


def elements():
    return gmsh.model.mesh.getElementsByType(4)[0]


def quality():
    """Counts by group, and how round the elements are: 3 × inscribed / circumscribed radius, 1 for the regular one."""
    for dimension, tag in gmsh.model.getPhysicalGroups(3):
        count = sum(
            len(gmsh.model.mesh.getElementsByType(4, volume)[0])
            for volume in gmsh.model.getEntitiesForPhysicalGroup(dimension, tag)
        )
        print(f"{gmsh.model.getPhysicalName(dimension, tag)}: {count} elements")
    tags = elements()
    round_ = sorted(gmsh.model.mesh.getElementQualities(tags, "gamma"))
    radius = gmsh.model.mesh.getElementQualities(tags, "innerRadius")
    print(
        f"all: {len(tags)} elements; roundness {round_[0]:.2f} at least, {round_[len(round_) // 2]:.2f} in the middle, "
        f"{sum(q < 0.2 for q in round_)} below 0.2; inscribed radius {min(radius):.1f} m at least"
    )


def main():
    options = argparse.ArgumentParser(description="Makes the mesh of LOH.1 with Gmsh.")
    options.add_argument(
        "--size", type=float, metavar="M", help="edges in the layer (default 288, or 700 if coarse)"
    )
    options.add_argument("--coarse", action="store_true", help="a mesh of 25 000 elements, loh1-coarse.msh")
    options.add_argument("--output", metavar="FILE.msh", help="default: in output/ beside this script")
    chosen = options.parse_args()
    finest = chosen.size or (700.0 if chosen.coarse else 288.0)
    if finest < 50.0:
        options.error(f"--size {finest:g}: expected metres, 50 or more")
    name = "loh1-coarse.msh" if chosen.coarse else "loh1.msh"
    output = (
        pathlib.Path(chosen.output)
        if chosen.output
        else pathlib.Path(__file__).resolve().parent / "output" / name
    )
    output.parent.mkdir(parents=True, exist_ok=True)
    gmsh.initialize()
    gmsh.option.setNumber("General.Verbosity", 2)
    build(finest)
    mesh()
    quality()
    gmsh.option.setNumber("Mesh.MshFileVersion", 4.1)
    gmsh.option.setNumber("Mesh.Binary", 1)
    gmsh.write(str(output))
    gmsh.finalize()
    print(f"{output}: {output.stat().st_size / 2**20:.1f} MiB")


if __name__ == "__main__":
    main()
