#!/usr/bin/env python3
"""Anisotropic rock beside SeisSol, and both beside a run that resolves the waves.

    GROUNDSWELL_TEST_DATA=FOLDER build/venv/bin/python tests/validation/anisotropic.py
        → build/validation/anisotropic: table.json, runs

A slip at the middle of uniform, transversely isotropic rock: SeisSol's case `ahsp`, imported from its own files and run at the reference's
order 6. Waves are compared up to 5 Hz, as far as the source has much of them. A second run, in cubes of 250 m that carry 12 Hz, is the solution,
until waves come back from the edge of its smaller box; and the plane x = 0, in which receiver 1 lies, tells without a run: by symmetry only
σxy, σxz and v_x are there. Judged: that the resolved run is one, order 5 beside 6; that velocities of the imported case are within a percent of it;
and that what symmetry forbids at receiver 1 is less than a percent of its velocity. The reference stands beside. Ends with exit code 1 where one of
these does not hold.
"""

import json
import os
import pathlib
import shutil
import sys

import numpy as np
import summary
from netCDF4 import Dataset
from scipy.signal import butter, sosfilt
from study import ROOT, call

DATA = pathlib.Path(os.environ.get("GROUNDSWELL_TEST_DATA", "/none")) / "quake"
FOLDER = ROOT / "build/validation/anisotropic"
RECEIVERS = (1, 3, 7)  # of which there is a reference, counted from 1
STRESS, VELOCITY = ["sxx", "syy", "szz", "sxy", "syz", "sxz"], ["vx", "vy", "vz"]
SPACING = 0.005  # s, of a receiver's samples
UNTIL = 0.595  # s: the time before waves return from the edge of the small box
HIGHEST = 5.0  # Hz
SETTLED, LIMIT = 0.005, 0.01
BOX = """
[mesh.box]
cubes = [18, 18, 18]
length = [4500.0, 4500.0, 4500.0]
origin = [-2180.0, -2210.0, -2230.0]   # the slip and the receivers within an element, not on a face
jitter = 0.02
top = "absorbing"
"""


def imported():
    """SeisSol's case as one of ours; its folder."""
    original = FOLDER / "seissol"
    shutil.rmtree(FOLDER, ignore_errors=True)
    shutil.copytree(DATA / "ahsp", original)
    shutil.copy(DATA / "mesh/ahsp.puml.h5", original / "mesh.puml.h5")
    command = (ROOT / "groundswell", "import", "seissol", original / "parameters.par", "--order", 6)
    call(*command, "--output", FOLDER / "case", "--quiet")
    return FOLDER / "case"


def resolved(case, order):
    """The same in a box of its own, as a case beside it."""
    text = (case / "case.toml").read_text()
    head, mesh, rest = text.partition("[mesh]\n")
    _, _, rest = rest.partition("\n\n")
    head = head.replace('end = "2.0s"', 'end = "0.6s"').replace("order = 6", f"order = {order}")
    path = case / f"resolved-{order}.toml"
    path.write_text(head + BOX.lstrip() + "\n" + rest[: rest.index("[[output.volume]]")])
    return path


def simulate(case, name):
    """A run as users start it, on two ranks: {receiver: [time][stress, velocity]}, every 5 ms."""
    output = FOLDER / name
    command = (
        "mpirun",
        "-n",
        2,
        ROOT / "groundswell",
        "run",
        case,
        "--output",
        output,
        "--overwrite",
        "--quiet",
    )
    call(*command)
    with Dataset(output / "receivers.nc") as file:
        places = np.stack([file[axis][:] for axis in "xyz"], -1)
        values = np.stack([np.ma.getdata(file[field][:]) for field in STRESS + VELOCITY], -1)
        if values.shape[0] == len(places):
            values = values.swapaxes(0, 1)
    wanted = np.loadtxt(DATA / "ahsp/Receivers.dat")
    found = {}
    for number in RECEIVERS:
        (at,) = np.flatnonzero(np.all(np.abs(places - wanted[number - 1]) < 1e-6, -1))
        found[number] = values[:, at]
    return found


def reference():
    """The same of SeisSol's published run."""
    found = {}
    for number in RECEIVERS:
        path = DATA / f"ahsp/reference/tpv-receiver-{number:05d}-00000.dat"
        lines = [line.split() for line in path.read_text().splitlines() if line[0] not in "#TV"]
        found[number] = np.array(lines, float)[:, 1:]
    return found


def part(values, columns):
    """Waves up to the highest frequency, before those from an edge: a causal filter, so that what follows changes nothing."""
    low = butter(4, HIGHEST, fs=1 / SPACING, output="sos")
    return sosfilt(low, values[: round(UNTIL / SPACING) + 1, columns], axis=0)


def main():
    """See above."""
    if not (DATA / "ahsp/reference").is_dir():
        print("anisotropic.py: skipped: GROUNDSWELL_TEST_DATA names no folder with quake/ahsp")
        return 0
    case = imported()
    told = {"imported": simulate(case / "case.toml", "imported"), "reference": reference()}
    told |= {f"order {order}": simulate(resolved(case, order), f"resolved-{order}") for order in (5, 6)}
    rows, scores = [], []
    for number in RECEIVERS:
        for field, columns in (("stress", slice(0, 6)), ("velocity", slice(6, 9))):
            waves = {name: part(values[number], columns) for name, values in told.items()}
            truth = waves.pop("order 6")
            apart = {
                name: float(np.linalg.norm(one - truth) / np.linalg.norm(truth))
                for name, one in waves.items()
            }
            rows.append({"receiver": number, "field": field, **apart})
            print(rows[-1], flush=True)
            if field == "velocity":
                name = f"velocities of receiver {number}"
                scores.append((f"{name}, resolved at order 5 beside 6", apart["order 5"], SETTLED))
                scores.append((f"{name}, beside the resolved run", apart["imported"], LIMIT))
    forbidden = {}
    for name, values in told.items():
        velocity = part(values[1], slice(6, 9))
        forbidden[name] = float(np.linalg.norm(velocity[:, 1:]) / np.linalg.norm(velocity))
    print({"forbidden by symmetry": forbidden})
    scores.append(("forbidden by symmetry", forbidden["imported"], LIMIT))
    judged = summary.case("anisotropic", scores, "a resolved run, and symmetry")
    summary.record("quake", [judged])
    (FOLDER / "table.json").write_text(json.dumps({"rows": rows, "forbidden": forbidden}, indent=1) + "\n")
    return 0 if judged["passed"] else 1


if __name__ == "__main__":
    sys.exit(main())
