"""Weak scaling: a mesh for each number of ranks, so that a rank has the same work at all of them."""

import pathlib
import re

from groundswell.errors import refuse
from groundswell.scale.measure import Count
from groundswell.trials.setting import Setting

CUBES = re.compile(r"(\d+),(\d+),(\d+)")


def plan_weak(meshes, ranks, threads, case, cores, binding):
    """Counts: mesh after mesh with its number of ranks. `meshes` are files, or cubes of a box such as 16,8,8."""
    ranks = ranks or [2**i for i in range(len(meshes))]
    if len(ranks) != len(meshes):
        refuse("command line", "--weak", " ".join(meshes), f"{len(ranks)} meshes, one for each of --ranks")
    if len(threads) != 1:
        refuse("command line", "--threads", ",".join(map(str, threads)), "one number with --weak")
    counts = []
    for mesh, number in zip(meshes, ranks):
        if number * threads[0] > cores:
            refuse(
                "command line",
                "--weak",
                mesh,
                f"no more than {cores} cores, those of this job (--cores N where it has more), not {number} × {threads[0]}",
            )
        counts.append(Count(Setting(number, threads[0], binding), mesh, mesh_keys(mesh, meshes[0], case)))
    return counts


def mesh_keys(mesh, first, case):
    """Keys of the case for one mesh of the family; boxes grow with their cubes, whose size stays."""
    found = CUBES.fullmatch(mesh)
    if not found:
        if not pathlib.Path(mesh).exists():
            refuse(
                "command line",
                "--weak",
                mesh,
                "a file with a mesh, or cubes of a box such as 16,8,8 (mesh.box of the earthquake model)",
            )
        return (("mesh.file", str(pathlib.Path(mesh).resolve())),)
    if not CUBES.fullmatch(first) or not case.value("mesh.box.cubes"):
        refuse(
            "command line",
            "--weak",
            mesh,
            "meshes of one kind: files, or cubes of a box in a case that has one",
        )
    cubes = [int(number) for number in found.groups()]
    own = numbers(case.value("mesh.box.cubes"))
    length = [
        long * n / before for long, n, before in zip(numbers(case.value("mesh.box.length")), cubes, own)
    ]
    return (("mesh.box.cubes", str(cubes)), ("mesh.box.length", str(length)))


def numbers(text):
    return [float(word) for word in re.findall(r"[0-9.eE+-]+", text)]
