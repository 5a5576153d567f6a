"""Runs of both models on GPUs, in rounds, and the numbers that several of them give."""

import os
import statistics
import subprocess
import time

from common import ENVIRONMENT, launch, launch_flags, program, read_json
from evaluation import Failure, Progress, run_limited

PATIENCE = 180  # s; then a run is ended, and its setting left out
ROCK = """\
title = "Rock, through which a plane wave travels"
model = "quake"
[time]
end = "1s"
[mesh]
unusual = true
[mesh.box]
cubes = [4, 4, 4]
origin = [-1.0, -1.0, -1.0]
length = [2.0, 2.0, 2.0]
periodic = ["x", "y", "z"]
[solver]
order = 4
[material]
unusual = true
[[material.rock]]
density = 1.0
vp = 2.0
vs = 1.0
[[initial.wave]]
kind = "P"
wave_vector = [3.141592653589793, 3.141592653589793, 3.141592653589793]
"""
SEA = """\
title = "A sea without land under a steady wind"
[time]
start = 2000-01-01T00:00:00Z
end = 2000-01-01T{hours:02d}:{minutes:02d}:00Z
source_step = "10min"
[mesh]
file = "sea.nc"
[spectrum]
directions = {directions}
frequencies = {frequencies}
first_frequency = 0.04177
ratio = 1.1
[[wind]]
uniform = [10.0, 0.0]
[initial]
state = "wind-sea"
fetch = 10000.0
[physics]
package = "st4"
[propagation]
scheme = "second-order"
[[output.points]]
file = "points.nc"
every = "{all}min"
at = [[0.0, 0.0]]
names = ["sea"]
fields = ["hs"]
"""


def one_line(text, longest=300):
    line = " ".join(str(text).replace("-" * 20, "").split())
    return line if len(line) <= longest else line[: longest - 1] + "…"


def outliers(values):
    """Those further from the median than three times the median distance from it."""
    middle = statistics.median(values)
    usual = statistics.median(abs(value - middle) for value in values)
    return [value for value in values if abs(value - middle) > 3 * max(usual, 0.001 * middle)]


def spread(rates):
    """Numbers of a row, from the rate of each of its runs."""
    return {
        "runs": len(rates),
        "rates": list(rates),
        "mean": statistics.fmean(rates),
        "best": max(rates),
        "worst": min(rates),
        "deviation": statistics.pstdev(rates),
        "outliers": outliers(rates),
    }


class Bench:
    """Cases in a folder, and runs of them on so many GPUs."""

    def __init__(self, folder, sizes, gpus, cores):
        self.folder, self.sizes, self.gpus, self.cores = folder / "gpu-runs", sizes, gpus, cores
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "rock.toml").write_text(ROCK, encoding="utf-8")
        hours, minutes = divmod(sizes.minutes, 60)
        sea = SEA.format(
            hours=hours,
            minutes=minutes,
            all=sizes.minutes,
            directions=sizes.directions,
            frequencies=sizes.frequencies,
        )
        (self.folder / "sea.toml").write_text(sea, encoding="utf-8")

    def mesh(self, parts):
        """The sea's mesh, once. Throws a Failure."""
        path = self.folder / f"sea-{parts}.nc"
        if path.exists():
            return
        request = ["--depth", 4000, "--icosahedron", parts, "--output", path, "--quiet"]
        try:
            launch(1, program("groundswell"), "mesh", "make", *request)
        except (OSError, subprocess.CalledProcessError) as problem:
            path.unlink(missing_ok=True)
            raise Failure(f"no mesh of a sea: {problem}") from None

    def run(self, case, ranks, threads, keys=(), variables=()):
        """The numbers of one run. Throws a Failure."""
        output = self.folder / "output"
        (output / "run.json").unlink(missing_ok=True)
        values = {
            "run.device": "gpu",
            "run.ranks_of_gpu": -(-ranks // self.gpus),
            "run.threads": threads,
            **dict(keys),
        }
        words = [program("groundswell"), "run", self.folder / f"{case}.toml"]
        words += ["--quiet", "--overwrite", "--output", output]
        words += [word for key, value in values.items() for word in ("--set", f"{key}={value}")]
        begin = time.monotonic()
        try:
            launcher = ["mpirun", *launch_flags(), "-n", ranks] if ranks > 1 else []
            environment = {**os.environ, **ENVIRONMENT, **dict(variables)}
            run_limited([*launcher, *words], environment, self.folder / "run.log", PATIENCE)
        except (OSError, subprocess.CalledProcessError) as problem:
            raise Failure(str(problem)) from None
        whole = time.monotonic() - begin
        return numbers_of(read_json(output / "run.json")["result"], whole)


def numbers_of(result, whole_seconds):
    """Numbers of one run that a row is made of, from the run's report."""
    exchange = result.get("exchange") or {}
    rate = result.get("element_updates_per_second") or result.get("bin_steps_per_second")
    return {
        "rate": rate,
        "cells": result["cells"],
        "transport": result.get("transport"),
        "wall_seconds": result["wall_seconds"],
        "start_seconds": whole_seconds - result["wall_seconds"],
        "halo_bytes": exchange.get("bytes", 0),
        "alone_seconds": exchange.get("waiting_alone_seconds", {}).get("mean", 0.0),
        "waiting_seconds": exchange.get("waiting_seconds", {}).get("mean", 0.0),
    }


def in_rounds(todo, runs, once):
    """Runs of each of `todo`, {name: what once() takes}, and why some failed, {name: why}.

    A round has each once, so that all meet alike what changes on the machine. Whoever fails is told of, and not run again.
    """
    found, failed = {name: [] for name in todo}, {}
    progress = Progress(runs * len(todo), 0)
    for _ in range(runs):
        for name, one in todo.items():
            if name in failed:
                continue
            progress.show(name)
            try:
                found[name].append(once(one))
            except Failure as problem:
                failed[name] = one_line(problem)
                progress.failed(f"{name} fails, and is not run again: {failed[name]}")
    progress.end()
    return found, failed


def row_of(results):
    """A row from several runs: their rate and how it spreads; the means of all else that is a time."""
    times = ("wall_seconds", "start_seconds", "alone_seconds", "waiting_seconds")
    same = {key: results[0][key] for key in ("cells", "transport", "halo_bytes")}
    means = {key: statistics.fmean(result[key] for result in results) for key in times}
    return {**same, **spread([result["rate"] for result in results]), **means}
