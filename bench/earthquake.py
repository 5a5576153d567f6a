#!/usr/bin/env python3
"""The earthquake model beside what the machine allows: bench/earthquake.py [FOLDER [ROUNDS]]
→ earthquake.json, earthquake.png (a roofline).

Rounds go through everything: `groundswell proxy` for each order and precision on one core; then whole runs of a case and
the proxy of as many elements, with 1 thread, 2 threads and 2 ranks; then a larger case with one step for all and with
clusters. A ratio is the median over rounds of ratios inside one round; a rate is given with that of the machine's limits,
which each call of the proxy measures itself.
"""

import json
import pathlib
import statistics
import sys
import tempfile

from common import (
    COLOURS,
    launch,
    machine_text,
    new_figure,
    output_folder,
    program,
    read_json,
    save,
    write_json,
)

ROUNDS = 2
ORDERS = [2, 3, 4, 5, 6, 7]
PRECISIONS = ["double", "float"]
CELLS = "16384"
WAYS = {"1 core": (1, 1), "2 threads": (1, 2), "2 ranks": (2, 1)}  # (ranks, threads)

# A deep basin, a source, seismograms and energies, as many elements as the proxy has.
CASE = """model = "quake"
[time]
end = "{end}s"
[mesh.box]
cubes = {cubes}
length = {length}
origin = {origin}
jitter = 0.1
[material]
rock = [{{ layers = [[0, 2000, 1500, 700], [-3000, 2400, 3000, 1600], [-9000, 2700, 6000, 3464]] }}]
[[source.point]]
place = [100, 200, -3000]
strike = 30
dip = 60
rake = 90
scalar_moment = 1e16
time_function = "gaussian"
centre = 10
width = 2
[output.energies]
file = "energy.nc"
every = "0.1s"
[[output.receivers]]
file = "receivers.nc"
every = "0.001s"
at = [[0, 0, 0], [1000, 2000, 0], [-3000, 2000, 0], [2000, -4000, 0]]
"""


def proxy(folder, ranks, threads, order, precision):
    """The rows of a proxy and its limits."""
    path = f"{folder}/proxy.json"
    launch(
        *(ranks, program("groundswell"), "proxy", "--model", "quake", "--order", order, "--json", path),
        *("--precision", precision, "--cells", CELLS, "--threads", threads),
    )
    return read_json(path)["result"]


def run(folder, ranks, threads, text, **solver):
    """run.json of a case."""
    case = pathlib.Path(folder, "case.toml")
    case.write_text(text, encoding="utf-8")
    settings = [f"run.threads={threads}", *(f"solver.{key}={json.dumps(v)}" for key, v in solver.items())]
    launch(
        *(ranks, program("groundswell"), "run", case, "--quiet", "--overwrite", "--output", f"{folder}/run"),
        *(word for setting in settings for word in ("--set", setting)),
    )
    return read_json(f"{folder}/run/run.json")["result"]


def kernels(folder):
    rows = []
    for precision in PRECISIONS:
        for order in ORDERS:
            found = proxy(folder, 1, 1, order, precision)
            rows += [
                {**row, "precision": precision, "peak_gflops": found["peak_gflops"]}
                for row in found["kernels"]
            ]
    return rows


def ways(folder):
    """A run beside the proxy, order 4: one step for all, which is what the proxy has."""
    text = CASE.format(
        end=0.9, cubes=[14, 14, 16], length=[14000, 14000, 16000], origin=[-7000, -7000, -16000]
    )
    rows = []
    for name, (ranks, threads) in WAYS.items():
        for precision in PRECISIONS:
            found = proxy(folder, ranks, threads, 4, precision)
            (alone,) = (row for row in found["kernels"] if row["name"] == "all")
            told = run(folder, ranks, threads, text, precision=precision, rate=1)
            stepping = told["wall_seconds"] - told["phases"]["setup"]["max"]
            rows.append(
                {
                    "way": name,
                    "precision": precision,
                    "peak_gflops": found["peak_gflops"],
                    "proxy_updates_per_second": alone["updates_per_second"],
                    "run_updates_per_second": told["element_updates_per_second"],
                    "stepping_updates_per_second": told["element_updates_per_second"]
                    * told["wall_seconds"]
                    / stepping,
                }
            )
    return rows


def clusters(folder):
    """100 000 elements, order 4, two ranks: with clusters, and with one step for all."""
    text = CASE.format(
        end=0.3, cubes=[28, 28, 26], length=[14000, 14000, 13000], origin=[-7000, -7000, -13000]
    )
    told = {rate: run(folder, 2, 1, text, rate=rate) for rate in (1, 2)}
    seconds = {
        rate: (r["wall_seconds"] - r["phases"]["setup"]["max"]) / r["simulated_seconds"]
        for rate, r in told.items()
    }
    return {
        "cells": told[2]["cells"],
        "gain": told[2]["local_time_stepping"]["gain_of_clusters"],
        "measured_gain": told[2]["local_time_stepping"]["gain_measured"],
        "gain_between_runs": seconds[1] / seconds[2],
    }


def spread(values):
    values = sorted(values)
    return {"median": statistics.median(values), "min": values[0], "max": values[-1]}


def measure(folder, number_of_rounds):
    rounds = [
        {"kernels": kernels(folder), "ways": ways(folder), "clusters": clusters(folder)}
        for _ in range(number_of_rounds)
    ]
    memory = proxy(folder, 1, 1, 4, "double")["bytes_per_element"]
    return {
        "result": {
            "kernels": best_rows(rounds),
            "updates_per_gflop": {p: spread(per_gflop(rounds, p)) for p in PRECISIONS},
            "ways": {f"{way}, {p}": summary_of(rounds, way, p) for way in WAYS for p in PRECISIONS},
            "clusters": {key: spread([r["clusters"][key] for r in rounds]) for key in rounds[0]["clusters"]},
            "bytes_per_element": memory,
            "rounds": rounds,
        }
    }


def best_rows(rounds):
    """For each kernel the round in which the machine was disturbed least, by its share of the peak then measured."""
    best = {}
    for row in (row for r in rounds for row in r["kernels"]):
        key = row["precision"], row["order"], row["name"]
        if key not in best or row["updates_per_second"] > best[key]["updates_per_second"]:
            best[key] = row
    return list(best.values())


def per_gflop(rounds, precision):
    return [
        row["updates_per_second"] / row["peak_gflops"]
        for r in rounds
        for row in r["kernels"]
        if (row["precision"], row["order"], row["name"]) == (precision, 4, "all")
    ]


def summary_of(rounds, way, precision):
    def row_of(r, name, p):
        return next(row for row in r["ways"] if (row["way"], row["precision"]) == (name, p))

    def ratios(over, under):
        return spread([over(r) / under(r) for r in rounds])

    def key(name, w=way, p=precision):
        return lambda r: row_of(r, w, p)[name]

    return {
        "run_over_proxy": ratios(key("stepping_updates_per_second"), key("proxy_updates_per_second")),
        "run_per_gflop": ratios(key("run_updates_per_second"), key("peak_gflops")),
        "proxy_over_1_core": ratios(
            key("proxy_updates_per_second"), key("proxy_updates_per_second", w="1 core")
        ),
        "run_over_1_core": ratios(
            key("stepping_updates_per_second"), key("stepping_updates_per_second", w="1 core")
        ),
        "run_over_double": ratios(
            key("stepping_updates_per_second"), key("stepping_updates_per_second", p="double")
        ),
    }


def draw(report, path):
    """Each order where its arithmetic and its memory traffic put it, below what the machine allows."""
    rows = [row for row in report["result"]["kernels"] if row["name"] == "all"]
    figure, axes = new_figure(2, 12.0, 5.4)
    for panel, precision in zip(axes, PRECISIONS, strict=True):
        mine = [row for row in rows if row["precision"] == precision]
        peak = statistics.median(row["peak_gflops"] for row in mine)
        stream = statistics.median(row["gigabytes_per_second"] / row["share_of_stream"] for row in mine)
        ridge = peak / stream
        ends = [0.3 * ridge, 30 * ridge]
        panel.plot([ends[0], ridge, ends[1]], [stream * ends[0], peak, peak], color="#c0392b", linewidth=1.8)
        panel.text(ends[1], peak * 1.06, f"peak {peak:.0f} GFLOP/s", ha="right", color="#c0392b")
        panel.text(ends[0], stream * ends[0] * 1.5, f"STREAM {stream:.0f} GB/s", color="#c0392b")
        panel.plot([ends[0], ends[1]], [peak / 5] * 2, color="#7d8a94", linestyle=":")
        panel.text(ends[1], peak / 5 * 1.06, "a fifth of peak", ha="right", color="#7d8a94")
        for row in mine:
            at = row["gflops"] / row["gigabytes_per_second"]
            panel.plot(at, row["gflops"], "o", color=COLOURS[0], markersize=8)
            panel.annotate(
                f"order {row['order']}\n{1e-3 * row['updates_per_second']:.0f} k/s",
                (at, row["gflops"]),
                xytext=(7, -16),
                textcoords="offset points",
                fontsize=9,
            )
        panel.set(xscale="log", yscale="log", title=precision)
        panel.set_xlabel("needed operations per byte that must move")
        panel.set_ylabel("needed GFLOP/s, one core")
    figure.suptitle(
        f"All kernels of a step, {rows[0]['cells']} elements ({machine_text(report['machine'])})", fontsize=11
    )
    save(figure, path)


def main():
    folder = output_folder()
    with tempfile.TemporaryDirectory() as scratch:
        report = measure(scratch, int(sys.argv[2]) if len(sys.argv) > 2 else ROUNDS)
        report = {**read_json(f"{scratch}/run/run.json"), "command": "bench earthquake", **report}
    write_json(folder / "earthquake.json", report)
    draw(report, folder / "earthquake.png")


if __name__ == "__main__":
    main()
