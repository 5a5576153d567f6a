#!/usr/bin/env python3
"""The model's kernels beside what the machine allows: bench/kernels.py [FOLDER [ROUNDS]]
→ kernels.json, kernels.png.

Calls `groundswell proxy` for both schemes, 36 × 35 bins: 20 000 cells of a globe with 1 thread, 2 threads and 2 ranks, in
rounds that go through all of them. A rate is that of the round that was disturbed least, since other programs only
take speed away; a speed-up is the median over rounds of ratios inside one round.
"""

import statistics
import sys
import tempfile

import numpy as np
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
SCHEMES = ["upwind", "second-order"]
KERNELS = ["propagation", "source", "both"]
WAYS = {(1, 1): "1 core", (1, 2): "2 threads", (2, 1): "2 ranks"}  # (ranks, threads)


def proxy(folder, scheme, ranks, *arguments):
    path = f"{folder}/proxy.json"
    launch(ranks, program("groundswell"), "proxy", "--scheme", scheme, "--json", path, *arguments)
    report = read_json(path)
    for row in report["result"]["kernels"]:
        row.update(scheme=scheme, ranks=ranks)
    return report


def measure(folder, number_of_rounds):
    rounds, memory = [], {}
    for _ in range(number_of_rounds):
        rows = []
        for scheme in SCHEMES:
            report = proxy(folder, scheme, 1, "--cells", "20000", "--threads", "1,2")
            memory[scheme] = report["result"]["bytes_per_bin"]
            rows += report["result"]["kernels"]
            rows += proxy(folder, scheme, 2, "--cells", "20000", "--threads", "1")["result"]["kernels"]
        rounds.append(rows)
    one_core = next(entry for entry in report["result"]["limits"] if entry["threads"] == 1)
    result = {
        "kernels": best_rows(rounds),
        "stream_gigabytes_per_second": one_core["stream_gigabytes_per_second"],
        "peak_gflops": one_core["peak_gflops"],
        "bytes_per_bin": max(memory.values()),
        "bytes_per_bin_by_scheme": memory,
        "speed_up": {s: {k: speed_up(rounds, s, k) for k in KERNELS} for s in SCHEMES},
        "rounds": rounds,
    }
    report.update(command="bench kernels", result=result)
    return report


def key_of(row):
    return row["scheme"], row["name"], row["ranks"], row["threads"]


def best_rows(rounds):
    best = {}
    for row in (row for rows in rounds for row in rows):
        known = best.get(key_of(row))
        if known is None or row["bin_steps_per_second"] > known["bin_steps_per_second"]:
            best[key_of(row)] = row
    return list(best.values())


def speed_up(rounds, scheme, kernel):
    def over_one_core(ranks, threads):
        ratios = []
        for rows in rounds:
            rate = {key_of(row): row["bin_steps_per_second"] for row in rows}
            ratios.append(rate[scheme, kernel, ranks, threads] / rate[scheme, kernel, 1, 1])
        return statistics.median(ratios)

    return {"threads_2": over_one_core(1, 2), "ranks_2": over_one_core(2, 1)}


def draw(report, path):
    rows = {key_of(row): row for row in report["result"]["kernels"]}
    groups = [
        ("upwind", "propagation", "propagation,\nupwind"),
        ("second-order", "propagation", "propagation,\nsecond order"),
        ("upwind", "source", "source\nterms"),
        ("upwind", "both", "both,\nupwind"),
        ("second-order", "both", "both,\nsecond order"),
    ]
    figure, (left, right) = new_figure(2, 12.5, 5.4, width_ratios=[2.1, 1])
    width = 0.26
    for i, ((ranks, threads), label) in enumerate(WAYS.items()):
        for g, (scheme, kernel, _) in enumerate(groups):
            row = rows[scheme, kernel, ranks, threads]
            rate = 1e-6 * row["bin_steps_per_second"]
            at = g + (i - 1) * width
            left.bar(at, rate, width * 0.92, color=COLOURS[i], label=label if g == 0 else None)
            left.text(at, rate * 1.04, f"{rate:.0f}", ha="center", va="bottom", fontsize=9)
            limits = [
                (rate / row["share_of_stream"], "-", "memory: all of STREAM"),
                (rate / row["share_of_peak"], ":", "arithmetic: all of the peak"),
            ]
            for limit, style, meaning in limits:
                left.plot(
                    [at - 0.46 * width, at + 0.46 * width],
                    [limit, limit],
                    linestyle=style,
                    color="#c0392b",
                    linewidth=1.8,
                    label=meaning if g == i == 0 else None,
                )
    left.set_yscale("log")
    left.set_ylim(top=left.get_ylim()[1] * 6)
    left.set_xticks(range(len(groups)), [label for _, _, label in groups])
    left.set_ylabel("million bin-steps per second")
    left.set_title("20 000 cells, 36 × 35 bins", loc="left")
    left.legend(ncols=2, frameon=False, loc="upper right", fontsize=9)

    terms = [
        row
        for (scheme, name, ranks, threads), row in rows.items()
        if (scheme, ranks, threads) == ("upwind", 1, 1) and name not in KERNELS
    ]
    terms.sort(key=lambda row: row["median_seconds"])
    times = [1e9 / row["bin_steps_per_second"] for row in terms]
    right.barh(np.arange(len(terms)), times, color=COLOURS[0])
    for i, nanoseconds in enumerate(times):
        right.text(nanoseconds + 0.01 * max(times), i, f"{nanoseconds:.2f}", va="center", fontsize=9)
    right.set_yticks(range(len(terms)), [row["name"].replace("_", " ") for row in terms])
    right.set_xlim(right=1.15 * max(times))
    right.set_xlabel("nanoseconds per bin and step, 1 core")
    right.set_title("each source term", loc="left")
    result = report["result"]
    figure.suptitle(
        f"Kernels of the wave model ({machine_text(report['machine'])}; one core: STREAM "
        f"{result['stream_gigabytes_per_second']:.0f} GB/s, peak {result['peak_gflops']:.0f} GFLOP/s; "
        f"{result['bytes_per_bin']:.1f} bytes of memory a bin)",
        fontsize=11,
    )
    save(figure, path)


def main():
    folder = output_folder()
    with tempfile.TemporaryDirectory() as scratch:
        report = measure(scratch, int(sys.argv[2]) if len(sys.argv) > 2 else ROUNDS)
    write_json(folder / "kernels.json", report)
    draw(report, folder / "kernels.png")


if __name__ == "__main__":
    main()
