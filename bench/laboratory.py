#!/usr/bin/env python3
"""Cost of Python: bench/laboratory.py [FOLDER [ROUNDS]] → laboratory.json.

A term in Python: wind input of Snyder et al. (1981, Journal of Fluid Mechanics 102, equation 6.1) in NumPy and in Numba on 10 000 cells of
36 × 35 bins, 1 thread: what a cycle takes longer with it, over the time of the term `wind_snyder` in `groundswell proxy`.
Steps in Python: a storm of six hours by `simulation.step()` until it is over, over `groundswell run`. The start of Python is in it, and
also stands by itself: that of an interpreter that loads the library and ends.
Each figure is the least over rounds, in which all are measured in turns.
"""

import os
import pathlib
import sys
import tempfile
import time

import numpy as np
from common import ROOT, launch, machine_text, output_folder, program, read_json, write_json
from square_sea import SQUARE, make_square, seconds_of, write_storm

sys.path.insert(0, str(ROOT / "python"))
from groundswell import lab

ROUNDS, CYCLES, HOURS = 5, 20, 6
AIR_OVER_WATER, GRAVITY = 1.225 / 1025, 9.81
STRENGTH = 0.25e-6  # of 0.25: alone, it would raise the sea without end
STEPPED = """
import sys
from groundswell import lab
with lab.Simulation(*sys.argv[1:], overwrite=True) as simulation:
    while not simulation.now().over:
        simulation.step()
"""


def friction_velocity(east, north):
    speed = np.hypot(east, north)
    return speed * np.sqrt(1e-3 * (0.8 + 0.065 * speed)), np.arctan2(north, east)


def in_numpy(seconds, action, cells):
    velocity, towards = friction_velocity(cells.eastward_wind, cells.northward_wind)
    sigma = (2 * np.pi * cells.frequency).astype(action.dtype)
    # Deep water: the inverse phase speed is σ/g.
    inverse = (28 / GRAVITY * velocity[:, None] * sigma)[:, :, None]
    growth = inverse * np.cos(cells.direction.astype(action.dtype) - towards[:, None])[:, None, :]
    growth -= 1
    np.maximum(growth, 0, out=growth)
    growth *= (STRENGTH * AIR_OVER_WATER * sigma)[:, None]
    growth *= action
    return growth


def in_numba():
    import numba

    @numba.njit(fastmath=True)
    def kernel(action, frequency, direction, velocity, towards):
        rate = np.empty_like(action)
        cosine = np.empty(direction.size, action.dtype)
        along, across = np.cos(direction).astype(action.dtype), np.sin(direction).astype(action.dtype)
        for cell in range(action.shape[0]):
            # As the built-in one has it: the cosine of a difference of angles, by theirs.
            east, north = np.float32(np.cos(towards[cell])), np.float32(np.sin(towards[cell]))
            for j in range(direction.size):
                cosine[j] = along[j] * east + across[j] * north
            for i in range(frequency.size):
                sigma = np.float32(2 * np.pi * frequency[i])
                inverse = np.float32(28 / GRAVITY) * velocity[cell] * sigma
                scale = np.float32(STRENGTH * AIR_OVER_WATER) * sigma
                for j in range(direction.size):
                    growth = max(inverse * cosine[j] - np.float32(1), np.float32(0))
                    rate[cell, i, j] = scale * growth * action[cell, i, j]
        return rate

    def term(seconds, action, cells):
        velocity, towards = friction_velocity(cells.eastward_wind, cells.northward_wind)
        return kernel(action, cells.frequency, cells.direction, velocity, towards)

    return term


def seconds_of_cycles(folder, sources):
    with lab.Simulation(
        f"{folder}/case.toml", f"{folder}/out", overwrite=True, sources=sources
    ) as simulation:
        simulation.step()  # compiles what is to be compiled
        steps = CYCLES * simulation.now().steps_per_cycle
        begin = time.perf_counter()
        simulation.step(steps)
        return (time.perf_counter() - begin) / CYCLES


def seconds_built_in(folder):
    path = f"{folder}/proxy.json"
    words = [
        "--set",
        "physics.package=wam3",
        "--scheme",
        "upwind",
        "--threads",
        "1",
        "--repeats",
        "10",
        "--json",
        path,
    ]
    launch(1, program("groundswell"), "proxy", "--case", f"{folder}/case.toml", *words)
    row = next(row for row in read_json(path)["result"]["kernels"] if row["name"] == "wind_snyder")
    return row["p10_seconds"]


def main():
    folder = output_folder()
    os.environ.update({"OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT / "python")})
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else ROUNDS
    terms = {"none": [], "numpy": [in_numpy], "numba": [in_numba()]}
    least = {}

    def note(name, seconds):
        least[name] = min(seconds, least.get(name, np.inf))

    with tempfile.TemporaryDirectory() as scratch:
        make_square(scratch)
        pathlib.Path(scratch, "case.toml").write_text(SQUARE)
        pathlib.Path(scratch, "stepped.py").write_text(STEPPED)
        storm = write_storm(scratch, HOURS)
        for _ in range(rounds):
            note("built_in", seconds_built_in(scratch))
            for name, sources in terms.items():
                note(name, seconds_of_cycles(scratch, sources))
            note(
                "program",
                seconds_of(
                    program("groundswell"),
                    "run",
                    storm,
                    "--quiet",
                    "--overwrite",
                    "--output",
                    f"{scratch}/program",
                ),
            )
            note("start", seconds_of(sys.executable, "-c", "from groundswell import lab; lab.world()"))
            note("steps", seconds_of(sys.executable, f"{scratch}/stepped.py", storm, f"{scratch}/steps"))
        report = read_json(f"{scratch}/proxy.json")
    ratios = {name: (least[name] - least["none"]) / least["built_in"] for name in ("numpy", "numba")}
    ratios["steps"] = least["steps"] / least["program"]
    report["command"] = "laboratory"
    report["result"] = {
        "seconds": least,
        "ratios": ratios,
        "rounds": rounds,
        "machine": machine_text(report["machine"]),
    }
    write_json(folder / "laboratory.json", report)
    for name, words in (
        ("numpy", "a term in NumPy, of the built-in one"),
        ("numba", "in Numba"),
        ("steps", "a run by steps in Python, of the program's time"),
    ):
        print(f"{words:50s} {ratios[name]:6.3f}")
    print(
        f"{'seconds of the program, and of a start of Python':50s} {least['program']:6.2f} {least['start']:.2f}"
    )


main()
