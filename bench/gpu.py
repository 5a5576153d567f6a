#!/usr/bin/env python3
"""The kernels of both models on a GPU beside what it allows: bench/gpu.py [FOLDER [RUNS]] → gpu.json, gpu.png.

Starts `groundswell proxy --device gpu` of build/cuda (GROUNDSWELL_BENCH_BIN names another folder) RUNS times, 10 by
default, on each of CASES, and gives for each kernel and size the mean over runs, their deviation, the outliers among
them, and the shares of what the GPU was measured to move and to compute in the same run. Says so, and does nothing, where
there is no GPU.
"""

import collections
import json
import os
import statistics
import subprocess
import sys

from common import COLOURS, ROOT, new_figure, output_folder, program, save

RUNS = 10
CASES = [
    ["--model", "sea", "--cells", "900,10000,90000,360000"],
    ["--model", "quake", "--order", "4", "--precision", "double", "--cells", "20000,200000,600000"],
    ["--model", "quake", "--order", "3,5,6", "--precision", "double", "--cells", "200000"],
    ["--model", "quake", "--order", "4,6", "--precision", "float", "--cells", "200000"],
]


def run_once():
    """Results of the command for each of CASES; None where there is no GPU."""
    os.environ.setdefault("GROUNDSWELL_BENCH_BIN", str(ROOT / "build/cuda/bin"))
    results = []
    for case in CASES:
        command = [
            program("groundswell"),
            "proxy",
            "--device",
            "gpu",
            *case,
            "--repeats",
            "10",
            "--json",
            "-",
        ]
        try:
            found = subprocess.run(command, capture_output=True, text=True, check=False)
        except FileNotFoundError:
            print("bench gpu: there is no program: scripts/build cuda makes it", file=sys.stderr)
            return None
        if found.returncode != 0:
            print(f"bench gpu: {found.stderr.strip()}", file=sys.stderr)
            return None
        results.append(json.loads(found.stdout)["result"])
    return results


def outliers(values):
    """Those further from the median than three times the median distance from it."""
    middle = statistics.median(values)
    usual = statistics.median(abs(value - middle) for value in values)
    return [value for value in values if abs(value - middle) > 3 * max(usual, 0.001 * middle)]


def name_of(row):
    """Kernel and its kind: the same on all sizes."""
    kind = row["scheme"] if "scheme" in row else f"order {row['order']} {row['precision']}"
    return "source terms" if row["name"] == "source" else f"{row['name']}, {kind}"


def summarise(runs):
    """One row for each kernel and size, of all runs: rates and shares of the limits of the run that they are of."""
    of_kernel = collections.defaultdict(list)
    for results in runs:
        for result in results:
            unit = "bins/s" if result["model"] == "sea" else "updates/s"
            for row in result["kernels"]:
                # Source terms are the same whichever scheme stands beside them.
                if row["name"] != "source" or row["scheme"] == "upwind":
                    of_kernel[name_of(row), row["cells"], unit].append(row)
    table = []
    for (kernel, cells, unit), rows in of_kernel.items():
        rates = [row["bin_steps_per_second" if unit == "bins/s" else "updates_per_second"] for row in rows]
        table.append(
            {
                "kernel": kernel,
                "cells": cells,
                "unit": unit,
                "runs": len(rates),
                "mean": statistics.fmean(rates),
                "best": max(rates),
                "deviation": statistics.pstdev(rates),
                "outliers": outliers(rates),
                "share_of_bandwidth": statistics.fmean(row["share_of_stream"] for row in rows),
                "share_of_peak": statistics.fmean(row["share_of_peak"] for row in rows),
            }
        )
    return table


def show(results, table):
    for result in results:
        print(
            f"{result['device']['name']}, {result['model']}: triad {result['stream_gigabytes_per_second']:.0f} GB/s, "
            f"{result['peak_gflops'] / 1e3:.1f} TFLOP/s in its precision"
        )
    print(
        f"{'kernel':28} {'cells':>9} {'rate':>12} {'deviation':>9} {'outliers':>8} {'bandwidth':>9} {'peak':>6}"
    )
    for row in table:
        print(
            f"{row['kernel']:28} {row['cells']:>9} {row['mean']:12.4g} {row['deviation'] / row['mean']:9.2%} "
            f"{len(row['outliers']):8} {row['share_of_bandwidth']:9.1%} {row['share_of_peak']:6.1%}"
        )


def draw(device, table, path):
    """Shares of the limits, of the largest size of each kernel."""
    largest = {row["kernel"]: row for row in table}
    names = list(largest)
    figure, axes = new_figure(1, 9, 0.8 + 0.42 * len(names))
    for shift, key, colour, label in (
        (0.2, "share_of_bandwidth", COLOURS[0], "of what it moves"),
        (-0.2, "share_of_peak", COLOURS[3], "of what it computes"),
    ):
        places = [place + shift for place in range(len(names))]
        axes.barh(places, [100 * largest[name][key] for name in names], 0.38, color=colour, label=label)
    axes.set_yticks(range(len(names)), [f"{name}, {largest[name]['cells']} cells" for name in names])
    axes.set_xlabel(f"% of what was measured on {device}")
    axes.legend(frameon=False)
    save(figure, path)


def main():
    folder = output_folder()
    runs = []
    for _ in range(int(sys.argv[2]) if len(sys.argv) > 2 else RUNS):
        results = run_once()
        if results is None:
            return
        runs.append(results)
    table = summarise(runs)
    limits = [
        [{key: value for key, value in result.items() if key != "kernels"} for result in run] for run in runs
    ]
    report = {"command": "bench gpu", "result": {"limits": limits, "kernels": table}}
    (folder / "gpu.json").write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    show(runs[0], table)
    draw(runs[0][0]["device"]["name"], table, folder / "gpu.png")


if __name__ == "__main__":
    main()
