#!/usr/bin/env python3
"""The kernels of both models on a GPU beside what it allows: bench/gpu.py [FOLDER [RUNS]] → gpu.json, gpu.png.

Starts the program bench_gpu of build/cuda (GROUNDSWELL_BENCH_BIN names another folder) RUNS times, 10 by default, and
gives for each kernel and size the mean over runs, their deviation, the outliers among them, and the shares of what the
GPU was measured to copy and to compute in the same run. Says so, and does nothing, where there is no GPU.
"""

import collections
import json
import os
import statistics
import subprocess
import sys

from common import COLOURS, ROOT, new_figure, output_folder, program, save

RUNS = 10


def run_once():
    """Rows of one run: that of the GPU, and one for each kernel and size; none where there is no GPU."""
    os.environ.setdefault("GROUNDSWELL_BENCH_BIN", str(ROOT / "build/cuda/bin"))
    try:
        found = subprocess.run([program("bench_gpu")], capture_output=True, text=True, check=False)
    except FileNotFoundError:
        print("bench gpu: there is no program: scripts/build cuda makes it", file=sys.stderr)
        return None, []
    if found.returncode != 0:
        print(f"bench gpu: {found.stderr.strip()}", file=sys.stderr)
        return None, []
    rows = [json.loads(line) for line in found.stdout.splitlines() if line.startswith("{")]
    return next(row for row in rows if "device" in row), [row for row in rows if "rate" in row]


def outliers(values):
    """Those further from the median than three times the median distance from it."""
    middle = statistics.median(values)
    usual = statistics.median(abs(value - middle) for value in values)
    return [value for value in values if abs(value - middle) > 3 * max(usual, 0.001 * middle)]


def summarise(runs):
    """One row for each kernel and size, of all runs: rates and shares of the limits of the run that they are of."""
    of_kernel = collections.defaultdict(list)
    for gpu, rows in runs:
        for row in rows:
            peak = gpu["float_gflops" if row["real"] == "float" else "double_gflops"]
            of_kernel[row["kernel"], row["size"]].append(
                {
                    **row,
                    "share_of_bandwidth": row["gigabytes_per_second"] / gpu["copy_gigabytes_per_second"],
                    "share_of_peak": row["gflops"] / peak,
                }
            )
    table = []
    for (kernel, size), rows in of_kernel.items():
        rates = [row["rate"] for row in rows]
        table.append(
            {
                "kernel": kernel,
                "size": size,
                "unit": rows[0]["unit"],
                "runs": len(rates),
                "mean": statistics.fmean(rates),
                "best": max(rates),
                "deviation": statistics.pstdev(rates),
                "outliers": outliers(rates),
                "share_of_bandwidth": statistics.fmean(row["share_of_bandwidth"] for row in rows),
                "share_of_peak": statistics.fmean(row["share_of_peak"] for row in rows),
            }
        )
    return table


def show(gpu, table):
    print(
        f"{gpu['device']}: copies {gpu['copy_gigabytes_per_second']:.0f} GB/s, triad {gpu['stream_gigabytes_per_second']:.0f} GB/s, "
        f"{gpu['float_gflops'] / 1e3:.1f} TFLOP/s in float, {gpu['double_gflops'] / 1e3:.1f} in double"
    )
    print(
        f"{'kernel':28} {'size':>16} {'rate':>12} {'deviation':>9} {'outliers':>8} {'bandwidth':>9} {'peak':>6}"
    )
    for row in table:
        print(
            f"{row['kernel']:28} {row['size']:>16} {row['mean']:12.4g} {row['deviation'] / row['mean']:9.2%} "
            f"{len(row['outliers']):8} {row['share_of_bandwidth']:9.1%} {row['share_of_peak']:6.1%}"
        )


def draw(gpu, table, path):
    """Shares of the limits, of the largest size of each kernel."""
    largest = {row["kernel"]: row for row in table}
    names = list(largest)
    figure, axes = new_figure(1, 9, 0.8 + 0.42 * len(names))
    for shift, key, colour, label in (
        (0.2, "share_of_bandwidth", COLOURS[0], "of what it copies"),
        (-0.2, "share_of_peak", COLOURS[3], "of what it computes"),
    ):
        places = [place + shift for place in range(len(names))]
        axes.barh(places, [100 * largest[name][key] for name in names], 0.38, color=colour, label=label)
    axes.set_yticks(range(len(names)), [f"{name}, {largest[name]['size']}" for name in names])
    axes.set_xlabel(f"% of what was measured on {gpu['device']}")
    axes.legend(frameon=False)
    save(figure, path)


def main():
    folder = output_folder()
    runs = []
    for _ in range(int(sys.argv[2]) if len(sys.argv) > 2 else RUNS):
        gpu, rows = run_once()
        if gpu is None:
            return
        runs.append((gpu, rows))
    table = summarise(runs)
    report = {"command": "bench gpu", "result": {"gpus": [gpu for gpu, _ in runs], "kernels": table}}
    (folder / "gpu.json").write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    show(runs[0][0], table)
    draw(runs[0][0], table, folder / "gpu.png")


if __name__ == "__main__":
    main()
