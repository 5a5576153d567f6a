#!/usr/bin/env python3
"""What currents, levels, ice and islands cost a step: bench/water.py [FOLDER [ROUNDS]] → water.json.

Runs of one mesh, 36 × 35 bins, all source terms, one propagation step a source step, with nothing and with each of them. A
ratio is of two runs of the same round: of the seconds of propagation, forcing and source terms in a step, the median over ROUNDS
(5) rounds; and of the instructions of a step on AVX2, counted by callgrind from runs of two lengths on a small mesh, which another
program on the machine does not change. With currents or levels in time a step may cost at most 1.4 times one without. The last
column is the memory of the run, less that of a small mesh, over the bins that it has more, for which 10 bytes are allowed.
"""

import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

from common import ENVIRONMENT, launch, output_folder, program, read_json, write_json

LIMIT, MEMORY_LIMIT = 1.4, 10.0
TIDE = {"shape": "ring", "centre": [15.0, 15.0], "width": 400.0}
CURRENT, LEVEL = (
    {**TIDE, "amplitude": [1.0, 0.0]},
    {"shape": "ramp", "centre": [15.0, 15.0], "width": 600.0, "amplitude": 2.0},
)
IN_TIME = {"period": "745min"}
KINDS = {
    "nothing": {},
    "current, steady": {"current": [CURRENT]},
    "current in time": {"current": [CURRENT | IN_TIME]},
    "level in time": {"water_level": [LEVEL | IN_TIME]},
    "current and level in time": {"current": [CURRENT | IN_TIME], "water_level": [LEVEL | IN_TIME]},
    "ice in time": {"ice": [LEVEL | IN_TIME | {"amplitude": 0.6}], "physics": {"ice": "power-law"}},
    "obstruction": {"mesh": {"obstruction": True}},
}
KINDS["all of these"] = {
    "current": [CURRENT | IN_TIME],
    "water_level": [LEVEL | IN_TIME],
    "ice": [LEVEL | IN_TIME | {"amplitude": 0.6}],
    "physics": {"ice": "power-law"},
    "mesh": {"obstruction": True},
}


def toml(table, prefix=""):
    lines, later = [], []
    for key, value in table.items():
        name = f"{prefix}{key}"
        if isinstance(value, dict):
            later.append(f"[{name}]\n{toml(value, name + '.')}")
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            later += [f"[[{name}]]\n{toml(entry, name + '.')}" for entry in value]
        else:
            lines.append(f"{key} = {json.dumps(value)}")
    return "\n".join([*lines, *later]) + "\n"


def write_sea(path):
    """Shelves of 15 to 400 m on 0…30°E, 0…30°N, with an island of 8 km every 100 km."""
    import netCDF4
    import numpy as np

    axis = np.arange(-0.5, 30.51, 0.05)
    lon, lat = np.meshgrid(axis, axis)
    with netCDF4.Dataset(path, "w") as out:
        for name, units in (("lon", "degrees_east"), ("lat", "degrees_north")):
            out.createDimension(name, axis.size)
            variable = out.createVariable(name, "f8", (name,))
            variable.units, variable[:] = units, axis
        depth = 207.5 + 192.5 * np.sin(0.9 * lon) * np.cos(0.7 * lat)
        land = np.hypot(np.mod(lon, 0.9) - 0.45, np.mod(lat, 0.9) - 0.45) < 0.04
        out.createVariable("elevation", "f4", ("lat", "lon"))[:] = np.where(land, 10.0, -depth)


def make_case(folder, mesh, kind, minutes, scheme):
    more = KINDS[kind]
    name = f"{mesh}-{list(KINDS).index(kind)}-{minutes}-{scheme}"
    obstruction = {"obstruction": f"{mesh}.obstruction.nc"} if "mesh" in more else {}
    table = {
        "time": {"start": 0, "end": 0, "source_step": "5min", "step": "5min"},
        "mesh": {"file": f"{mesh}.nc", **obstruction},
        "wind": [{"uniform": [9.0, 6.0]}],
        "initial": {"state": "wind-sea"},
        "propagation": {"scheme": scheme},
        "physics": {**more.get("physics", {})},
        "output": {"map": [{"file": "map.nc", "every": f"{minutes}min", "fields": ["hs"]}]},
        **{key: value for key, value in more.items() if key not in ("mesh", "physics")},
    }
    text = toml(table).replace("start = 0\n", "start = 2020-01-01T00:00:00Z\n")
    text = text.replace("end = 0\n", f"end = 2020-01-01T{minutes // 60:02}:{minutes % 60:02}:00Z\n")
    path = folder / f"{name}.toml"
    path.write_text(text, encoding="utf-8")
    return path


def run_once(folder, case):
    launch(1, program("groundswell"), "run", case, "--output", folder / "output", "--overwrite", "--quiet")
    result = read_json(folder / "output/run.json")["result"]
    seconds = sum(result["phases"][phase]["mean"] for phase in ("propagation", "forcing", "source"))
    return seconds / result["steps"], result["peak_memory_bytes"]["mean"], result["cells"]


def instructions(folder, case):
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program("groundswell")]
    answer = subprocess.run(
        [*command, "run", str(case), "--output", str(folder / "counted"), "--overwrite", "--quiet"],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, **ENVIRONMENT, "GROUNDSWELL_ISA": "v3", "OMP_NUM_THREADS": "1"},
    )
    return int(re.search(r"Collected : (\d+)", answer.stderr)[1])


def main():
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    rows, times = [], {}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_sea(folder / "sea.nc")
        for mesh, spacing in (("small", "250"), ("large", "28")):
            region = ("--region", "2,28,2,28", "--spacing", spacing, "--iterations", "10", "--obstruction")
            launch(
                1,
                program("groundswell"),
                "mesh",
                "make",
                folder / "sea.nc",
                *region,
                "--output",
                folder / f"{mesh}.nc",
            )
        for scheme in ("second-order", "upwind"):
            for _ in range(rounds):
                for kind in KINDS:
                    case = make_case(folder, "large", kind, 30, scheme)
                    times.setdefault((scheme, kind), []).append(run_once(folder, case))
            bases = times[scheme, "nothing"]
            for kind in KINDS:
                mine = times[scheme, kind]
                counts = [instructions(folder, make_case(folder, "small", kind, m, scheme)) for m in (10, 40)]
                _, small, cells = run_once(folder, make_case(folder, "small", kind, 10, scheme))
                rows.append(
                    {
                        "scheme": scheme,
                        "kind": kind,
                        "seconds": statistics.median(m[0] / b[0] for m, b in zip(mine, bases, strict=True)),
                        "instructions": (counts[1] - counts[0]) / 6,
                        "bytes_per_bin": (mine[0][1] - small) / (mine[0][2] - cells) / (36 * 35),
                    }
                )
    base = {row["scheme"]: row["instructions"] for row in rows if row["kind"] == "nothing"}
    print(
        f"{'scheme':14} {'':28} {'seconds':>8} {'instructions':>13}   limit  bytes a bin (at most {MEMORY_LIMIT:g})"
    )
    for row in rows:
        row["instructions"] /= base[row["scheme"]]
        limit = LIMIT if "in time" in row["kind"] and "ice" not in row["kind"] else None
        print(
            f"{row['scheme']:14} {row['kind']:28} {row['seconds']:8.2f} {row['instructions']:13.2f}"
            f"   {limit or '':5}  {row['bytes_per_bin']:.2f}"
        )
    write_json(output_folder() / "water.json", {"result": {"rows": rows, "limit": LIMIT}})


if __name__ == "__main__":
    main()
