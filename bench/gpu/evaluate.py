"""Measures both models on the GPUs of this machine: see --help, and docs/how-to/gpu.md. Called by bench/gpu/run."""

import argparse
import dataclasses
import os
import pathlib

import pictures
import proxy
import report
from common import ROOT
from evaluation import run_to_exit_code, say
from machine import ask_doctor, find_library, gpus_of
from measure import Bench, in_rounds, row_of
from plan import FULL, QUICK, points, settings_of, threads

HELP = """\
Kernels of both models beside what a GPU was measured to allow; then runs of a cube of rock by each way of halos, with progress by
polling and by a thread, and by settings of the MPI library; then rock and a sea on 1, 2, 4, ... of the GPUs, one rank each, with one
mesh (strong scaling) and with a mesh that grows with them (weak). Whatever fails is told of, and the rest goes on.
Results: FOLDER/gpu.json, gpu.png."""


def parse(words=None):
    parser = argparse.ArgumentParser(
        prog="bench/gpu/run", description=HELP, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "folder", metavar="FOLDER", nargs="?", type=pathlib.Path, default=ROOT / "build/bench"
    )
    parser.add_argument("--runs", type=int, help="of everything (default: 10 of kernels, 5 of all else)")
    parser.add_argument("--gpus", type=int, help="how many to use (default: all of this machine)")
    parser.add_argument("--quick", action="store_true", help="tiny meshes and one run, to see that all works")
    options = parser.parse_args(words)
    options.sizes = QUICK if options.quick else FULL
    for name in ("runs", "gpus"):
        if getattr(options, name) is not None and getattr(options, name) < 1:
            parser.error(f"--{name} = {getattr(options, name)}: expected 1 or more")
    if options.runs is not None:
        options.sizes = dataclasses.replace(options.sizes, runs=options.runs, kernel_runs=options.runs)
    return options


def run_settings(bench, library):
    """A row for each setting that this library has; and [{setting, why}] of all others."""
    chosen, left_out = settings_of(library)
    for name, why in left_out:
        say(f"{name} is left out: {why}")
    ranks = max(2, bench.gpus)
    keys = (("mesh.box.cubes", [bench.sizes.settings_cubes] * 3), ("time.end", bench.sizes.settings_end))
    found, failed = in_rounds(
        {setting.name: setting for setting, _ in chosen},
        bench.sizes.runs,
        lambda setting: bench.run(
            "rock", ranks, threads(bench.cores, ranks), (*keys, *setting.keys), setting.variables
        ),
    )
    rows = []
    for setting, beside in chosen:
        if found[setting.name]:
            row = row_of(found[setting.name])
            reference = found.get(beside)
            rows.append(
                {
                    "setting": setting.name,
                    "keys": dict(setting.keys),
                    "variables": dict(setting.variables),
                    "ranks": ranks,
                    **row,
                    "beside": beside,
                    "times": row["mean"] / row_of(reference)["mean"] if reference else None,
                    "problem": failed.get(setting.name),
                }
            )
        else:
            left_out.append((setting.name, failed[setting.name]))
    return rows, [{"setting": name, "why": why} for name, why in left_out]


def run_point(bench, point):
    if point.parts:
        bench.mesh(point.parts)
    return bench.run(point.model, point.gpus, threads(bench.cores, bench.gpus), point.keys)


def run_scaling(bench):
    """A row for each model, scaling and number of GPUs."""
    todo = {point.name: point for point in points(bench.sizes, bench.gpus)}
    found, failed = in_rounds(todo, bench.sizes.runs, lambda point: run_point(bench, point))
    rows = []
    for name, point in todo.items():
        if found[name]:
            about = {"model": point.model, "scaling": point.scaling, "gpus": point.gpus}
            rows.append({**about, **row_of(found[name]), "problem": failed.get(name)})
    return with_efficiency(rows), [{"run": name, "why": why} for name, why in failed.items()]


def with_efficiency(rows):
    """The rate as a share of as many times that of one GPU. A mesh that grows has as much more to do, so this is for both scalings."""
    alone = {(row["model"], row["scaling"]): row["mean"] for row in rows if row["gpus"] == 1}
    for row in rows:
        one = alone.get((row["model"], row["scaling"]))
        row["efficiency"] = None if one is None else row["mean"] / (row["gpus"] * one)
    return rows


def main(words=None):
    options = parse(words)
    os.environ.setdefault("GROUNDSWELL_BENCH_BIN", str(ROOT / "build/cuda/bin"))
    doctor = ask_doctor()
    gpus = gpus_of(doctor, options.gpus)
    library = find_library(doctor)
    options.folder.mkdir(parents=True, exist_ok=True)
    bench = Bench(options.folder, options.sizes, gpus, proxy.cores())
    result = {"gpus": gpus, "cores": proxy.cores(), "mpi": library.told()}
    result |= proxy.kernels(options.sizes)
    report.write(options.folder, result)
    report.show_kernels(result)
    result["settings"], result["left_out"] = run_settings(bench, library)
    report.write(options.folder, result)
    report.show_settings(result)
    result["scaling"], result["failed"] = run_scaling(bench)
    report.write(options.folder, result)
    report.show_scaling(result)
    pictures.draw(result, options.folder / "gpu.png")
    say(f"the results are in {options.folder}: gpu.json, gpu.png")
    return 0


if __name__ == "__main__":
    run_to_exit_code(main)
