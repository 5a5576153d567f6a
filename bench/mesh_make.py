"""Time that `groundswell mesh make` takes: regions of about 30 000 and 250 000 cells on one core.

PYTHONPATH=python build/venv/bin/python bench/mesh_make.py [30000 250000]     → build/bench/mesh.json
"""

import os
import pathlib
import sys
import tempfile
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from groundswell import report
from groundswell.mesh import quality
from groundswell.mesh.make import make_mesh
from groundswell.mesh.mpas_file import write_mesh
from groundswell.mesh.request import make_request
from groundswell.mesh.sphere import EARTH_RADIUS

ROOT = pathlib.Path(__file__).resolve().parent.parent
REGION = {"west": 105.0, "east": 127.0, "south": 8.0, "north": 26.0}
SPACING = {30_000: {"finest_km": 4.9, "coarsest_km": 19.6}, 250_000: {"finest_km": 1.2, "coarsest_km": 4.7}}


def measure(cells):
    tables = {
        "bathymetry": {"file": "etopo5_yagi.nc"},
        "region": REGION,
        "spacing": {**SPACING[cells], "growth": 0.08},
    }
    request = make_request("bench", tables, ROOT / "cases" / "yagi")
    progress = report.Progress()
    start, processor = time.perf_counter(), time.process_time()
    arrays, attributes = make_mesh(request, progress.update)
    with tempfile.TemporaryDirectory() as folder:
        write_mesh(pathlib.Path(folder) / "mesh.nc", arrays, EARTH_RADIUS, attributes)
    seconds, processor = time.perf_counter() - start, time.process_time() - processor
    made = quality.measure(arrays, EARTH_RADIUS)
    print(
        f"{made['cells']:>8} cells  {seconds:7.1f} s  ({processor:.1f} s of one core, {request.iterations} iterations)"
    )
    return {
        "cells": made["cells"],
        "seconds": seconds,
        "processor_seconds": processor,
        "iterations": request.iterations,
        "spacing": made["spacing"],
        "centroid_offset": made["centroid_offset"],
    }


def main(arguments):
    results = [measure(int(cells)) for cells in arguments or SPACING]
    folder = ROOT / "build" / "bench"
    folder.mkdir(parents=True, exist_ok=True)
    report.write_json(folder / "mesh.json", "bench mesh_make", {"meshes": results})


if __name__ == "__main__":
    main(sys.argv[1:])
