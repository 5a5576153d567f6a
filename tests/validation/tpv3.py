#!/usr/bin/env python3
"""TPV3 against its solution without a mesh, by size of the fault's faces and by order: what a rupture converges to.

    GROUNDSWELL_TEST_DATA=FOLDER build/venv/bin/python tests/validation/tpv3.py [SIZE:ORDER ...]
        → build/validation/tpv3: table.json, runs

FOLDER/quake/tpv3 holds the boundary integral solution (cases/quake/tpv3/README.md tells where it comes from). Without it nothing is
done. Ends with exit code 1 where the finest run is further from the solution than LIMITS, or where finer faces of the same order,
or a higher order on the same faces, do not bring rupture times nearer.
"""

import importlib.util
import json
import os
import pathlib
import sys

import summary
from study import ROOT, call, far, finest_of, mesh_of

CASE = ROOT / "cases/quake/tpv3"
FOLDER = ROOT / "build/validation/tpv3"
REFERENCE = pathlib.Path(os.environ.get("GROUNDSWELL_TEST_DATA", "/none")) / "quake/tpv3"
RUNS = ["1000:3", "1000:4", "1000:5", "700:4", "500:3", "500:4", "300:4", "300:5"]  # metres : order
LIMITS = {"rms": 0.01, "slip": 0.05, "peak": 0.10}
PLACES = ("in-plane", "antiplane")


def comparison():
    """The case's own script."""
    spec = importlib.util.spec_from_file_location("compare", CASE / "compare.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def simulate(size, order, compare):
    """One run as users start it, on two ranks; a row of the table."""
    output = FOLDER / f"{size}m-order{order}"
    call(
        *("mpirun", "-n", 2, ROOT / "groundswell", "run", CASE / "case.toml", "--quiet", "--overwrite"),
        *(
            "--output",
            output,
            "--set",
            f'mesh.file="{mesh_of(CASE, FOLDER, size)}"',
            "--set",
            f"solver.order={order}",
        ),
    )
    told = json.loads((output / "run.json").read_text())["result"]
    row = {"size": size, "order": order, "cells": told["cells"], "seconds": told["wall_seconds"]}
    row["rupture_time"] = compare.rupture_times(REFERENCE, output)
    for number, name in enumerate(PLACES, 1):
        row[name] = compare.place(REFERENCE, output, number)
    return row


def line(row):
    """A row for people."""
    places = "   ".join(
        f"{name}: slip {100 * row[name]['slip']:+.1f} %, largest rate {100 * row[name]['peak']:+.1f} %, "
        f"rate {100 * row[name]['rate']:.1f} %"
        for name in PLACES
    )
    times = row["rupture_time"]
    return (
        f"{row['size']:>5} m {row['cells']:>7} elements  order {row['order']}  {row['seconds']:>5.0f} s   "
        f"rupture time {100 * times['rms']:.2f} % rms, {times['mean']:+.3f} s   {places}"
    )


def scores_of(row):
    """All numbers that are judged: (what, number, limit to either side)."""
    places = [
        (f"{what}, {name}", row[name][what], LIMITS[what]) for name in PLACES for what in ("slip", "peak")
    ]
    return [("rupture time, rms", row["rupture_time"]["rms"], LIMITS["rms"]), *places]


def main():
    """See above."""
    if not REFERENCE.is_dir():
        print("tpv3.py: nothing done: GROUNDSWELL_TEST_DATA has no quake/tpv3")
        return 0
    FOLDER.mkdir(parents=True, exist_ok=True)
    compare, rows = comparison(), []
    print("TPV3, 0 to 8 s, beside the boundary integral solution with cells of 100 m")
    for word in sys.argv[1:] or RUNS:
        size, _, order = word.partition(":")
        rows.append(simulate(int(size), int(order), compare))
        print(line(rows[-1]), flush=True)
    (FOLDER / "table.json").write_text(json.dumps(rows, indent=2) + "\n")
    found = far(rows, lambda row: row["rupture_time"]["rms"], scores_of)
    scores = scores_of(finest_of(rows))
    summary.record("quake", [summary.case("tpv3", scores, "boundary integrals, cells of 100 m", not found)])
    for defect in found:
        print(f"tpv3.py: {defect}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
