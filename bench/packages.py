#!/usr/bin/env python3
"""Cost of each package of source terms: bench/packages.py [FOLDER [ROUNDS]] → packages.json.

Calls `groundswell proxy` for all packages and tunings in turns, 36 × 35 bins, 1 thread, over an old sea, so that no step is taken in
parts. A ratio is the median over rounds of the time of a source step over that of `st4`, `ecwam` in the same round.
"""

import statistics
import sys
import tempfile

from common import ROOT, launch, machine_text, output_folder, program, read_json, write_json

ROUNDS = 5
CHOICES = [
    ("st4", "ecwam"),
    ("st4", "capillary"),
    ("st4", "ww3"),
    ("wam3", "wamdi"),
    ("wam4", "bidlot"),
    ("wam4", "cycle4"),
    ("st6", "liu"),
    ("st6", "zieger"),
]


def proxy(folder, mesh, package, tuning):
    path = f"{folder}/proxy.json"
    settings = {
        "mesh.file": mesh,
        "physics.package": package,
        "physics.tuning": tuning,
        "initial.state": "wind-sea",
        "initial.fetch": 10000,
    }
    words = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
    launch(
        1,
        program("groundswell"),
        *("proxy", "--case", ROOT / "cases/growth/case.toml", *words, "--scheme", "upwind"),
        *("--threads", "1", "--spin-up", "40", "--repeats", "10", "--json", path),
    )
    return read_json(path)


def main():
    folder = output_folder()
    rounds = []
    with tempfile.TemporaryDirectory() as scratch:
        mesh = f"{scratch}/mesh.nc"
        request = ["--region=-4,4,-4,4", "--depth", "4000", "--spacing", "50", "--output", mesh]
        launch(1, program("groundswell"), "mesh", "make", *request)
        for _ in range(int(sys.argv[2]) if len(sys.argv) > 2 else ROUNDS):
            rows = {}
            for package, tuning in CHOICES:
                report = proxy(scratch, mesh, package, tuning)
                row = next(r for r in report["result"]["kernels"] if r["name"] == "source")
                rows[f"{package}, {tuning}"] = row["p10_seconds"] / row["cells"]
            rounds.append(rows)
    first = next(iter(rounds[0]))
    ratios = {name: [rows[name] / rows[first] for rows in rounds] for name in rounds[0]}
    report.update(
        command="bench packages",
        result={
            "packages": {
                name: {
                    "ratio": statistics.median(values),
                    "least": min(values),
                    "most": max(values),
                    "seconds_per_cell": min(rows[name] for rows in rounds),
                }
                for name, values in ratios.items()
            }
        },
    )
    write_json(folder / "packages.json", report)
    print(f"{'package, tuning':20}{'time':>8}{'least':>8}{'most':>8}   {machine_text(report['machine'])}")
    for name, row in report["result"]["packages"].items():
        print(f"{name:20}{row['ratio']:8.2f}{row['least']:8.2f}{row['most']:8.2f}")


if __name__ == "__main__":
    main()
