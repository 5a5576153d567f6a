#!/usr/bin/env python3
"""Clients to servers, up to 512 : 128: a plan for a machine with as many cores, which this project has not had.

    python bench/output/ratios.py --list
    python bench/output/ratios.py --launcher "srun -n {ranks}" --disk FOLDER --json ratios.json

Each client writes 8 MB a record and computes half a second between two of them (bench/output/model.cpp), whatever their number,
so that a perfect machine takes as long everywhere. Beside each ratio stand the same clients without output and writing together.
"""

import argparse
import json
import os
import pathlib
import shlex
import statistics
import tempfile

from common import launch_flags, program
from evaluation import Failure, machine, run_limited, run_to_exit_code, say, table, write_json

# As the published comparison changed them (Huang et al. 2014): four clients to a server, more of both; and more clients to each.
PLAN = (
    (16, 4),
    (32, 8),
    (64, 16),
    (128, 32),
    (256, 64),
    (512, 128),
    (512, 64),
    (512, 32),
    (512, 16),
    (512, 8),
)
CLIENT_BYTES, INTERVAL_SECONDS = 8_000_000, 0.5


def pair(text):
    clients, _, servers = text.partition(":")
    try:
        found = int(clients), int(servers)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text}: expected CLIENTS:SERVERS, such as 512:128") from None
    if not 0 < found[1] <= found[0]:
        raise argparse.ArgumentTypeError(f"{text}: expected as many clients as servers, or more")
    return found


def parse(words=None):
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--list", action="store_true", help="say what would be measured, measure nothing")
    parser.add_argument(
        "--ratios",
        type=lambda text: [pair(word) for word in text.split(",")],
        default=list(PLAN),
        metavar="C:S,C:S…",
    )
    parser.add_argument("--launcher", metavar="LINE", help="with {ranks} (default: mpirun here)")
    parser.add_argument("--disk", metavar="FOLDER", default=".", help="where files are written")
    parser.add_argument("--intervals", type=int, default=20, metavar="N", help="records but one (default 20)")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="of everything (default 3)")
    parser.add_argument("--json", metavar="FILE", default="ratios.json", help="(default ratios.json)")
    return parser.parse_args(words)


def steps_of(ratios):
    """[(clients, servers, mode)]: without output, together, and by servers."""
    found = []
    for clients in dict.fromkeys(clients for clients, _ in ratios):
        found += [(clients, 0, "none"), (clients, 0, "direct")]
        found += [(clients, servers, "servers") for c, servers in ratios if c == clients]
    return found


def plan_table(ratios, intervals):
    rows = [
        [
            mode,
            f"{clients}",
            f"{servers or ''}",
            f"{clients + servers}",
            f"{clients * CLIENT_BYTES / 1e6:.0f}",
        ]
        + [f"{clients * CLIENT_BYTES * (intervals + 1) / 1e9:.1f}" if mode != "none" else ""]
        for clients, servers, mode in steps_of(ratios)
    ]
    return table(["who writes", "clients", "servers", "ranks", "MB a record", "GB a run"], rows)


class Measurement:
    def __init__(self, options, scratch):
        self.options, self.scratch = options, scratch
        self.passes = None

    def launch(self, ranks, words, log):
        line = self.options.launcher
        start = (
            shlex.split(line.format(ranks=ranks)) if line else ["mpirun", *launch_flags(), "-n", str(ranks)]
        )
        run_limited(
            [*start, *words], {**os.environ, "OMP_NUM_THREADS": "1"}, self.scratch / f"{log}.log", 1800
        )

    def calibrate(self):
        """Work of an interval of one client."""
        kept = self.scratch / "calibration.json"
        self.launch(2, [program("bench_output_model"), "--calibrate", 2, "--json", kept], "calibration")
        rate = json.loads(kept.read_text())["result"]["passes_per_second"]
        self.passes = rate * INTERVAL_SECONDS / 2

    def measure(self, clients, servers, mode):
        result = self.scratch / "part.json"
        words = [program("bench_output_model"), "--mode", mode, "--intervals", self.options.intervals]
        words += ["--work", round(self.passes * clients), "--record", CLIENT_BYTES * clients]
        words += [
            "--servers",
            servers,
            "--format",
            "cdf5",
            "--file",
            self.scratch / "map.nc",
            "--json",
            result,
        ]
        self.launch(clients + servers, words, f"{mode}-{clients}-{servers}")
        found = json.loads(result.read_text())["result"]
        (self.scratch / "map.nc").unlink(missing_ok=True)
        return found


def summary(found, steps):
    """Medians over rounds: the whole time over that without output, the front end and the back end."""
    rows = []
    for clients, servers, mode in steps:
        every = found.get((clients, servers, mode), [])
        if not every:
            continue

        def middle(key, runs=every):
            return statistics.median(run[key]["max"] for run in runs)

        none = [run["total_seconds"]["max"] for run in found.get((clients, 0, "none"), [])]
        over = middle("total_seconds") / statistics.median(none) if none else None
        row = {
            "mode": mode,
            "clients": clients,
            "servers": servers,
            "seconds": middle("total_seconds"),
            "over_none": over,
        }
        if mode != "none":
            row |= {key: middle(key) for key in ("blocked_seconds", "writing_seconds")}
            row["bytes_per_second"] = every[0]["bytes"] / row["writing_seconds"]
        rows.append(row)
    return rows


def result_table(rows):
    def cell(row, key, form):
        return form(row[key]) if row.get(key) is not None else ""

    head = [
        "who writes",
        "clients",
        "servers",
        "whole, s",
        "over no output",
        "front end, s",
        "back end, s",
        "MB/s",
    ]
    return table(
        head,
        [
            [row["mode"], f"{row['clients']}", f"{row['servers'] or ''}", f"{row['seconds']:.3g}"]
            + [cell(row, "over_none", "{:.3f}".format)]
            + [cell(row, key, "{:.3g}".format) for key in ("blocked_seconds", "writing_seconds")]
            + [cell(row, "bytes_per_second", lambda value: f"{value / 1e6:.0f}")]
            for row in rows
        ],
    )


def main():
    options = parse()
    steps = steps_of(options.ratios)
    if options.list:
        print(plan_table(options.ratios, options.intervals))
        return 0
    found = {}
    with tempfile.TemporaryDirectory(prefix="groundswell-ratios-", dir=options.disk) as scratch:
        measurement = Measurement(options, pathlib.Path(scratch))
        measurement.calibrate()
        for number in range(options.rounds):
            for step in steps:
                say(f"round {number + 1} of {options.rounds}: {step[2]}, {step[0]} : {step[1]}")
                try:
                    found.setdefault(step, []).append(measurement.measure(*step))
                except Failure as failure:
                    say(f"{step[2]}, {step[0]} : {step[1]}: {failure}")
    rows = summary(found, steps)
    write_json(
        pathlib.Path(options.json),
        {"machine": machine(), "result": {"ratios": rows, "rounds": options.rounds}},
    )
    print(result_table(rows))
    return 0 if all(step in found for step in steps) else 3


if __name__ == "__main__":
    run_to_exit_code(main)
