#!/usr/bin/env python3
"""The kernels of both models on a GPU beside what it allows: bench/gpu.py [FOLDER [RUNS]] → gpu.json, gpu.png.

Starts `groundswell proxy --device gpu` of build/cuda (GROUNDSWELL_BENCH_BIN names another folder) RUNS times, 10 by
default, on each of CASES, and gives for each kernel and size the mean over runs, their deviation, the outliers among
them, the shares of what the GPU was measured to move and to compute in the same run, the energy of an update where
nvidia-smi reads it, and how many times as fast all cores of this machine's processor were in the first run. Then a run on
two ranks by each way of halos between GPUs, staged or direct, and with graphs of launches, in the picture too. Says so, and does nothing, where
there is no GPU.
"""

import collections
import contextlib
import json
import os
import statistics
import subprocess
import sys

from common import COLOURS, ROOT, launch, new_figure, output_folder, program, read_json, save

RUNS = 10
CASES = [
    ["--model", "sea", "--cells", "900,10000,90000,360000"],
    ["--model", "quake", "--order", "4", "--precision", "double", "--cells", "20000,200000,600000"],
    ["--model", "quake", "--order", "3,5,6", "--precision", "double", "--cells", "200000"],
    ["--model", "quake", "--order", "4,6", "--precision", "float", "--cells", "200000"],
]


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
    """Result of the command for one case; None, and why on stderr, where it does not end well."""
    command = [program("groundswell"), "proxy", *case, *device, "--repeats", "10", "--json", "-"]
    try:
        with power() as watts:
            found = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        print("bench gpu: there is no program: scripts/build cuda makes it", file=sys.stderr)
        return None
    if found.returncode != 0:
        print(f"bench gpu: {found.stderr.strip()}", file=sys.stderr)
        return None
    return json.loads(found.stdout)["result"] | {"watts": watts[0] if watts else None}


def run_once(device=("--device", "gpu")):
    """Results of the command for each of CASES; None where there is no GPU."""
    os.environ.setdefault("GROUNDSWELL_BENCH_BIN", str(ROOT / "build/cuda/bin"))
    results = []
    for case in CASES:
        result = measure(case, device)
        if result is None:
            return None
        results.append(result)
    return results


def cores():
    """Cores of the processor that this program may use."""
    return len(os.sched_getaffinity(0))


def outliers(values):
    """Those further from the median than three times the median distance from it."""
    middle = statistics.median(values)
    usual = statistics.median(abs(value - middle) for value in values)
    return [value for value in values if abs(value - middle) > 3 * max(usual, 0.001 * middle)]


def name_of(row):
    """Kernel and its kind: the same on all sizes."""
    kind = row["scheme"] if "scheme" in row else f"order {row['order']} {row['precision']}"
    return "source terms" if row["name"] == "source" else f"{row['name']}, {kind}"


def rate_of(row):
    return row.get("bin_steps_per_second", row.get("updates_per_second"))


def rows_of(results):
    """Kernel, place of its case and its size among all, row and mean power, of all that was timed."""
    for place, result in enumerate(results):
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
                "runs": len(rates),
                "mean": statistics.fmean(rates),
                "best": max(rates),
                "deviation": statistics.pstdev(rates),
                "outliers": outliers(rates),
                "share_of_bandwidth": statistics.fmean(row["share_of_stream"] for row in rows),
                "share_of_peak": statistics.fmean(row["share_of_peak"] for row in rows),
                "joules": statistics.fmean(joules) if joules else None,
                "over_processor": rates[0] / beside[key] if key in beside else None,
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
        f"{'kernel':28} {'cells':>9} {'rate':>12} {'deviation':>9} {'outliers':>8} {'bandwidth':>9} {'peak':>6} "
        f"{'energy':>9} {f'{cores()} cores':>9}"
    )
    for row in table:
        energy = "" if row["joules"] is None else f"{1e9 * row['joules']:.3g} nJ"
        times = "" if row["over_processor"] is None else f"{row['over_processor']:.3g} x"
        print(
            f"{row['kernel']:28} {row['cells']:>9} {row['mean']:12.4g} {row['deviation'] / row['mean']:9.2%} "
            f"{len(row['outliers']):8} {row['share_of_bandwidth']:9.1%} {row['share_of_peak']:6.1%} "
            f"{energy:>9} {times:>9}"
        )


def draw(device, table, by_way, path):
    """Shares of the limits, of the largest size of each kernel; beside them the rate of a run by each way of its halos."""
    largest = {row["kernel"]: row for row in table}
    names = list(largest)
    figure, panels = new_figure(2 if by_way else 1, 14 if by_way else 9, 0.8 + 0.42 * len(names))
    axes, *beside = panels if by_way else [panels]
    for shift, key, colour, label in (
        (0.2, "share_of_bandwidth", COLOURS[0], "of what it moves"),
        (-0.2, "share_of_peak", COLOURS[3], "of what it computes"),
    ):
        places = [place + shift for place in range(len(names))]
        axes.barh(places, [100 * largest[name][key] for name in names], 0.38, color=colour, label=label)
    axes.set_yticks(range(len(names)), [f"{name}, {largest[name]['cells']} cells" for name in names])
    axes.set_xlabel(f"% of what was measured on {device}")
    axes.legend(frameon=False)
    for panel in beside:
        rates = [row["updates_per_second"] / 1e6 for row in by_way]
        panel.barh(range(len(by_way)), rates, 0.5, color=COLOURS[1])
        panel.set_yticks(range(len(by_way)), [name_of_way(row) for row in by_way])
        ranks, cells = by_way[0]["ranks"], by_way[0]["cells"]
        panel.set_xlabel("million updates a second")
        panel.set_title(f"a run on {ranks} ranks, {cells} elements, by the way of its halos", fontsize=10)
    save(figure, path)


# Ranks that share the GPUs there are, on a cube of so many cubes along each edge.
WAYS_RANKS, WAYS_CUBES, WAYS_END = 2, 24, "0.2s"


def ways(folder):
    """A run on several ranks by each route of halos between devices, then with graphs of launches: one row for each that there is."""
    table = []
    for route, graphs in (("staged", False), ("mpi", False), ("memory", False), ("memory", True)):
        output = folder / f"ways-{route}{'-graphs' if graphs else ''}"
        settings = {
            "mesh.box.cubes": [WAYS_CUBES] * 3,
            "time.end": WAYS_END,
            "run.device": "gpu",
            "run.ranks_of_gpu": WAYS_RANKS,
            "run.launch_graphs": str(graphs).lower(),
            "halo.gpu": route,
        }
        words = [program("groundswell"), "run", ROOT / "cases/quake/plane-wave/case.toml"]
        words += ["--quiet", "--overwrite", "--output", output]
        words += [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
        try:
            launch(WAYS_RANKS, *words)
        except (OSError, subprocess.CalledProcessError) as problem:
            print(f"bench gpu: no run by {route}: {problem}", file=sys.stderr)
            continue
        result = read_json(output / "run.json")["result"]
        exchange = result["exchange"]
        table.append(
            {
                "route": route,
                "graphs": graphs,
                "ranks": WAYS_RANKS,
                "cells": result["cells"],
                "updates_per_second": result["element_updates_per_second"],
                "halo_bytes": exchange["bytes"],
                "alone_seconds": exchange["waiting_alone_seconds"]["mean"],
                "waiting_seconds": exchange["waiting_seconds"]["mean"],
            }
        )
    return table


def name_of_way(row):
    return row["route"] + (", graphs" if row["graphs"] else "")


def show_ways(table):
    if not table:
        return
    print(f"{'halo':16} {'cells':>9} {'updates/s':>12} {'ms alone':>9} {'ms waited':>9}")
    for row in table:
        print(
            f"{name_of_way(row):16} {row['cells']:>9} {row['updates_per_second']:12.4g} "
            f"{1e3 * row['alone_seconds']:9.3f} {1e3 * row['waiting_seconds']:9.3f}"
        )


def main():
    folder = output_folder()
    runs, processor = [], []
    for _ in range(int(sys.argv[2]) if len(sys.argv) > 2 else RUNS):
        results = run_once()
        if results is None:
            return
        if not runs:
            processor = run_once(("--threads", str(cores()))) or []
        runs.append(results)
    table = summarise(runs, processor)
    limits = [
        [{key: value for key, value in result.items() if key != "kernels"} for result in run] for run in runs
    ]
    by_way = ways(folder)
    report = {
        "command": "bench gpu",
        "result": {"limits": limits, "cores": cores(), "kernels": table, "ways": by_way},
    }
    (folder / "gpu.json").write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    show(runs[0], table)
    show_ways(by_way)
    draw(runs[0][0]["device"]["name"], table, by_way, folder / "gpu.png")


if __name__ == "__main__":
    main()
