"""Kernels of both models alone, by `groundswell proxy`: what of a GPU's bandwidth and peak they reach, what energy an update takes where
nvidia-smi reads it, and how many times as fast all cores of this machine's processor are."""

import collections
import contextlib
import json
import os
import statistics
import subprocess

from common import program
from evaluation import Failure, say
from measure import one_line, spread


@contextlib.contextmanager
def power():
    """A list that holds the mean power of the GPU meanwhile, W, afterwards; none where nvidia-smi does not read it."""
    gpu = os.environ.get("CUDA_VISIBLE_DEVICES", "0").split(",")[0] or "0"
    query = ["--query-gpu=power.draw", "--format=csv,noheader,nounits", "--loop-ms=100"]
    mean = []
    try:
        reader = subprocess.Popen(
            ["nvidia-smi", f"--id={gpu}", *query],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
    except FileNotFoundError:
        yield mean
        return
    try:
        yield mean
    finally:
        reader.terminate()
        told, _ = reader.communicate()
        watts = []
        for line in told.split():
            with contextlib.suppress(ValueError):  # "[N/A]", or a line that was cut off
                watts.append(float(line))
        if watts:
            mean.append(statistics.fmean(watts))


def measure(case, device):
    """Result of the command for one case. Throws a Failure."""
    command = [program("groundswell"), "proxy", *case, *device, "--repeats", "10", "--json", "-"]
    try:
        with power() as watts:
            found = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as problem:
        raise Failure(str(problem)) from None
    if found.returncode != 0:
        raise Failure(one_line(found.stderr))
    return json.loads(found.stdout)["result"] | {"watts": watts[0] if watts else None}


def run_once(cases, device=("--device", "gpu")):
    """Results of the command for each case; None, and why it failed on stderr, in the place of those that did."""
    results = []
    for case in cases:
        try:
            results.append(measure(case, device))
        except Failure as problem:
            say(f"kernels, {' '.join(case)}: {problem}")
            results.append(None)
    return results


def cores():
    """Cores of the processor that this program may use."""
    return len(os.sched_getaffinity(0))


def name_of(row):
    """Kernel and its kind: the same on all sizes."""
    kind = row["scheme"] if "scheme" in row else f"order {row['order']} {row['precision']}"
    return "source terms" if row["name"] == "source" else f"{row['name']}, {kind}"


def rate_of(row):
    return row.get("bin_steps_per_second", row.get("updates_per_second"))


def rows_of(results):
    """Kernel, place of its case and its size among all, row and mean power, of all that was timed."""
    for place, result in enumerate(results):
        if result is None:
            continue
        # Meshes for a GPU and for a processor have not quite the cells that were asked for.
        sizes = collections.defaultdict(set)
        for row in result["kernels"]:
            sizes[name_of(row)].add(row["cells"])
        for row in result["kernels"]:
            size = sorted(sizes[name_of(row)]).index(row["cells"])
            # Source terms are the same whichever scheme stands beside them.
            if row["name"] != "source" or row["scheme"] == "upwind":
                yield (name_of(row), place, size), row, result["watts"]


def summarise(runs, processor):
    """One row for each kernel and size, of all runs: rates and shares of the limits of the run that they are of."""
    of_kernel = collections.defaultdict(list)
    for results in runs:
        for kernel, row, watts in rows_of(results):
            of_kernel[kernel].append((row, watts))
    beside = {kernel: rate_of(row) for kernel, row, _ in rows_of(processor)}
    table = []
    for key, measured in of_kernel.items():
        rows = [row for row, _ in measured]
        rates = [rate_of(row) for row in rows]
        joules = [watts / rate_of(row) for row, watts in measured if watts is not None]
        table.append(
            {
                "kernel": key[0],
                "cells": rows[0]["cells"],
                "unit": "bins/s" if "bin_steps_per_second" in rows[0] else "updates/s",
                **spread(rates),
                "share_of_bandwidth": statistics.fmean(row["share_of_stream"] for row in rows),
                "share_of_peak": statistics.fmean(row["share_of_peak"] for row in rows),
                "joules": statistics.fmean(joules) if joules else None,
                "over_processor": rates[0] / beside[key] if key in beside else None,
            }
        )
    return table


def kernels(sizes):
    """Rows of all kernels, and the limits that were measured in each run."""
    runs = [run_once(sizes.kernels) for _ in range(sizes.kernel_runs)]
    processor = run_once(sizes.kernels, ("--threads", str(cores()))) if any(runs[0]) else []
    limits = [
        [{key: value for key, value in result.items() if key != "kernels"} for result in run if result]
        for run in runs
    ]
    return {"limits": limits, "kernels": summarise(runs, processor)}
