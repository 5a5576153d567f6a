#!/usr/bin/env python3
"""Ruptures for which there is no reference, by size of the fault's faces: how far a result still depends on the mesh.

    build/venv/bin/python tests/validation/refinement.py [NAME ...] → build/validation/refinement: table.json, runs

A size is half an octave finer than the one before. Judged at the case's places on the fault: the two finest runs differ by at most
LIMIT, relative to the finest (rupture times after the beginning of rupture), and by less than the two before them. A place that has not
broken counts as breaking at the end. Ends with exit code 1 where one of these does not hold.
"""

import json
import sys

import numpy as np
import summary
from netCDF4 import Dataset
from study import ROOT, call, mesh_of

FOLDER = ROOT / "build/validation/refinement"
# name → sizes in m; when rupture begins, s; where the runs end, s (None: with the case). TPV104 and TPV105 want finer faces than a kilometre, and their
# friction costs more than their waves: their runs end once the front has passed most places or all, so that three take 20 minutes or so on two cores.
CASES = {
    "tpv10": ((1000, 700, 500), 0.0, None),
    "tpv104": ((850, 600, 425), 0.5, 5.5),
    "tpv105": ((850, 600, 425), 0.25, 8.0),
}
LIMIT = 0.05


def simulate(name, size, end):
    """A run as users start it, on two ranks: {rupture_time, slip: values at the places in the end; moment, elements, seconds}."""
    case = ROOT / "cases/quake" / name
    output = FOLDER / f"{name}-{size}m"
    call(
        *("mpirun", "-n", 2, ROOT / "groundswell", "run", case / "case.toml", "--quiet", "--overwrite"),
        *("--output", output, "--set", f"mesh.file={mesh_of(case, FOLDER / name, size)}"),
        *(("--set", f"time.end={end}s") if end is not None else ()),
    )
    told = json.loads((output / "run.json").read_text())["result"]
    with Dataset(output / "fault-receivers.nc") as file:
        found = {
            "rupture_time": np.ma.filled(file["rupture_time"][-1], file["time"][-1]).tolist(),
            "slip": file["slip"][-1].tolist(),
        }
    found |= {key: told[value] for key, value in (("elements", "cells"), ("seconds", "wall_seconds"))}
    found["moment"] = told["rupture"]["moment"]
    print(f"{output.name}: {json.dumps(found)}", flush=True)
    return found


def difference(coarse, fine, field, begin):
    """Relative rms over the places."""
    coarse, fine = np.array(coarse[field]), np.array(fine[field])
    return float(np.sqrt(np.mean((coarse - fine) ** 2) / np.mean((fine - begin) ** 2)))


def study(name):
    """Runs, differences of neighbouring sizes by field, and whether all holds."""
    sizes, begin, end = CASES[name]
    (FOLDER / name).mkdir(parents=True, exist_ok=True)
    runs = [simulate(name, size, end) for size in sizes]
    differences = {
        field: [difference(*pair, field, since) for pair in zip(runs, runs[1:])]
        for field, since in (("rupture_time", begin), ("slip", 0.0))
    }
    for field, (first, last) in differences.items():
        print(f"{name}: {field}: {100 * first:.2f} % then {100 * last:.2f} %")
    scores = [
        (f"{field}, {sizes[-2]} m beside {sizes[-1]} m", last, LIMIT)
        for field, (_, last) in differences.items()
    ]
    falls = all(last < first for first, last in differences.values())
    judged = summary.case(name, scores, "the finest run", falls)
    summary.record("quake", [judged])
    return {"sizes": sizes, "runs": runs, "differences": differences, "holds": judged["passed"]}


def main():
    """See above."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    table = {name: study(name) for name in sys.argv[1:] or CASES}
    (FOLDER / "table.json").write_text(json.dumps(table, indent=1) + "\n")
    return 0 if all(one["holds"] for one in table.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
