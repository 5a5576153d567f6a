#!/usr/bin/env python3
"""TPV13 on the reference's mesh and on one in which each of its elements is cut into eight: which treatment of negative slip is nearer.

    GROUNDSWELL_TEST_DATA=… build/venv/bin/python tests/validation/negative_slip.py → build/validation/negative-slip: table.json, runs

By default settings but for `fault.negative_slip`, order 6 on the mesh and order 5 on the finer one, whose runs take a quarter of an hour each on two
cores of a Zen 4. Nothing is judged: two treatments that both vanish with the size of elements are told apart by how soon they do.
"""

import itertools
import json
import sys

import numpy as np
from netCDF4 import Dataset
from study import ROOT, call
from tpv import CASES, DATA

FOLDER = ROOT / "build/validation/negative-slip"
NAME = "tpv13"
# Corners of a tetrahedron's faces, in the order in which PUML counts them.
FACES = ((0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2))
EDGES = tuple(itertools.combinations(range(4), 2))


def middle(a, b):
    """Number of the middle of an edge among a tetrahedron's ten places: four corners, then six middles."""
    return 4 + EDGES.index((min(a, b), max(a, b)))


def eighths():
    """By diagonal of the inner octahedron: eight tetrahedra of the ten places."""
    corners = [(a, *(middle(a, b) for b in range(4) if b != a)) for a in range(4)]
    opposite = [(middle(0, 1), middle(2, 3)), (middle(0, 2), middle(1, 3)), (middle(0, 3), middle(1, 2))]
    for diagonal in range(3):
        (a, b), (p, q) = (opposite[i] for i in range(3) if i != diagonal)
        ring = (a, p, b, q)
        inner = [(*opposite[diagonal], ring[i], ring[(i + 1) % 4]) for i in range(4)]
        yield opposite[diagonal], corners + inner


def cut(source, target):
    """Writes a mesh in PUML whose tetrahedra are eighths of those of another, with its tags."""
    with Dataset(source) as file:
        place = np.ma.getdata(file["geometry"][:]).astype(float)
        cells = np.ma.getdata(file["connect"][:]).astype(np.int64)
        packed = np.ma.getdata(file["boundary"][:]).astype(np.int64)
        group = np.ma.getdata(file["group"][:])
    tag = np.stack([packed >> 8 * face & 255 for face in range(4)], axis=1)
    ends = np.sort(np.stack([cells[:, edge] for edge in EDGES], axis=1), axis=2)
    unique, number = np.unique(ends.reshape(-1, 2), axis=0, return_inverse=True)
    ten = np.concatenate([cells, len(place) + number.reshape(-1, 6)], axis=1)
    place = np.concatenate([place, place[unique].mean(axis=1)])
    on_face = [set(face) | {middle(a, b) for a, b in itertools.combinations(face, 2)} for face in FACES]
    choices = list(eighths())
    lengths = [np.linalg.norm(place[ten[:, a]] - place[ten[:, b]], axis=1) for (a, b), _ in choices]
    shortest = np.argmin(lengths, axis=0)
    parts = {"connect": [], "boundary": [], "group": []}
    for chosen, (_, tetrahedra) in enumerate(choices):
        of = np.flatnonzero(shortest == chosen)
        for corners in tetrahedra:
            at = place[ten[of][:, corners]]
            volume = np.einsum(
                "ci,ci->c", np.cross(at[:, 1] - at[:, 0], at[:, 2] - at[:, 0]), at[:, 3] - at[:, 0]
            )
            assert np.all(volume > 0) or np.all(volume < 0)
            if volume[0] < 0:
                corners = (corners[1], corners[0], *corners[2:])
            parts["connect"].append(ten[of][:, corners])
            parts["group"].append(group[of])
            boundary = np.zeros(len(of), np.int64)
            for face, three in enumerate(FACES):
                inside = {corners[i] for i in three}
                for old in range(4):
                    if inside <= on_face[old]:
                        boundary |= tag[of, old] << 8 * face
            parts["boundary"].append(boundary)
    with Dataset(target, "w") as file:
        values = {"geometry": place} | {name: np.concatenate(part) for name, part in parts.items()}
        for name, numbers in values.items():
            axes = []
            for length in numbers.shape:
                axes.append(f"n{length}")
                if axes[-1] not in file.dimensions:
                    file.createDimension(axes[-1], length)
            file.createVariable(name, numbers.dtype, axes)[:] = numbers


def simulate(name, mesh, order, treatment):
    """Series of velocities at receivers, kinetic energy, moment: {name: (seconds, values)}."""
    output = FOLDER / name
    call(
        *("mpirun", "-n", 2, ROOT / "groundswell", "run", ROOT / f"cases/quake/{NAME}/case.toml", "--quiet"),
        *("--output", output, "--overwrite", "--set", f"mesh.file={mesh}"),
        *("--set", f"time.end={CASES[NAME][1]}s", "--set", f"solver.order={order}"),
        *("--set", f"fault.negative_slip={treatment}"),
    )
    with (
        Dataset(output / "receivers.nc") as ground,
        Dataset(output / "energy.nc") as waves,
        Dataset(output / "rupture.nc") as rupture,
    ):
        velocity = np.stack([ground[key][:].filled().astype(float) for key in ("vx", "vy", "vz")], axis=-1)
        return {
            "velocity": (ground["time"][:].filled(), velocity),
            "kinetic_energy": (waves["time"][:].filled(), waves["kinetic"][:].filled()),
            "moment": (rupture["time"][:].filled(), rupture["moment"][:].filled()),
        }


def apart(one, other):
    """How far a run is from another, relative to that: worst receiver of the volume, energy and moment in the end."""
    (seconds, mine), (at, theirs) = one["velocity"], other["velocity"]
    found = []
    for station in range(mine.shape[1]):
        beside = np.stack([np.interp(seconds, at, theirs[:, station, c]) for c in range(3)], axis=-1)
        size = np.linalg.norm(beside, axis=0).max()
        found.append(np.linalg.norm(mine[:, station] - beside, axis=0).max() / size)
    ends = {key: one[key][1][-1] / other[key][1][-1] - 1.0 for key in ("kinetic_energy", "moment")}
    return {"velocity": float(max(found))} | {key: float(value) for key, value in ends.items()}


def main():
    """See above."""
    if not DATA.is_dir():
        print("negative_slip.py: GROUNDSWELL_TEST_DATA has no meshes of ruptures: nothing to do")
        return
    FOLDER.mkdir(parents=True, exist_ok=True)
    mesh, finer = DATA / CASES[NAME][0], FOLDER / "finer.puml.h5"
    cut(mesh, finer)
    runs = {
        (size, treatment): simulate(f"{size}-{treatment}", file, order, treatment)
        for size, file, order in (("mesh", mesh, 6), ("finer", finer, 5))
        for treatment in ("dropped", "weakens")
    }
    pairs = [
        (("mesh", one), ("finer", other))
        for one in ("dropped", "weakens")
        for other in ("dropped", "weakens")
    ]
    pairs += [((size, "dropped"), (size, "weakens")) for size in ("mesh", "finer")]
    table = [{"run": run, "beside": other, **apart(runs[run], runs[other])} for run, other in pairs]
    for row in table:
        print(
            f"{' '.join(row['run']):16} beside {' '.join(row['beside']):16}: velocities {row['velocity']:6.1%}, "
            f"kinetic energy {row['kinetic_energy']:+6.1%}, moment {row['moment']:+6.1%}"
        )
    (FOLDER / "table.json").write_text(json.dumps(table, indent=1))


if __name__ == "__main__":
    sys.exit(main())
