#!/usr/bin/env python3
"""Groundswell's exchange in somebody else's model: bench/adapter.py [FOLDER [ROUNDS [RANKS]]] → adapter.json.

docs/examples/mpas_waves.py, a model of shallow water on an MPAS mesh, by its own point-to-point exchange with mpi4py and by Groundswell's.
An exchange takes the median over 200 of them, of the rank that takes longest; here stands the least over rounds.
"""

import os
import re
import sys
import tempfile

from common import ENVIRONMENT, ROOT, launch, launch_flags, output_folder, program, run_text, write_json

ROUNDS, RANKS = 5, 2
MESHES = (32, 100)  # 10 242 and 100 002 cells of the sphere
TOLD = re.compile(r"an exchange takes (\d+) µs by mpi4py, (\d+) µs by Groundswell")


def measured(mesh, ranks, scratch):
    """Microseconds of an exchange, the model's own and Groundswell's."""
    words = ["mpirun", *launch_flags(), "-n", ranks, sys.executable, ROOT / "docs/examples/mpas_waves.py"]
    text = run_text(*words, mesh, f"{scratch}/waves.nc")
    return [int(one) for one in TOLD.search(text).groups()]


def main():
    folder = output_folder()
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else ROUNDS
    ranks = int(sys.argv[3]) if len(sys.argv) > 3 else RANKS
    os.environ.update({**ENVIRONMENT, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT / "python")})
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        for parts in MESHES:
            mesh = f"{scratch}/{parts}.nc"
            request = ["--depth", "4000", "--icosahedron", str(parts), "--output", mesh]
            launch(1, program("groundswell"), "mesh", "make", *request)
            own, ours = map(min, zip(*(measured(mesh, ranks, scratch) for _ in range(rounds))))
            rows.append(
                {"cells": 10 * parts**2 + 2, "own_microseconds": own, "groundswell_microseconds": ours}
            )
            print(f"{rows[-1]['cells']:>8} cells: {own:6d} µs of its own, {ours:6d} µs by Groundswell")
    write_json(
        folder / "adapter.json",
        {"command": "adapter", "result": {"ranks": ranks, "rounds": rounds, "rows": rows}},
    )


main()
