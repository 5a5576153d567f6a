"""The prediction of `groundswell scale --predict`: mesh cut and counted, kernels measured here, machine read."""

import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from groundswell import report
from groundswell.errors import FAILED, refuse
from groundswell.mesh.tetrahedra import is_earthquake
from groundswell.scale import machine as machines
from groundswell.scale import predict as model

UPDATES_TO_TIME = 3e7  # of elements, on each rank


def program():
    found = os.environ.get("GROUNDSWELL_PROGRAM") or shutil.which("groundswell")
    if found is None:
        refuse("command line", "groundswell", None, "the program groundswell on PATH: it cuts and measures")
    return found


class Failed(Exception):
    def __init__(self, code):
        self.code = code


def report_of(*command):
    """The result that a command of the program prints as JSON; its own errors are on stderr."""
    answer = subprocess.run([str(word) for word in command], check=False, stdout=subprocess.PIPE, text=True)
    if answer.returncode != 0:
        raise Failed(answer.returncode if answer.returncode in (2, 3) else FAILED)
    return json.loads(answer.stdout) if answer.stdout.strip() else None


def read_run(path):
    """A report of an earthquake run."""
    from groundswell.plot.reports import read_report

    needed = ("phases", "clusters", "element_updates", "simulated_seconds", "peak_memory_bytes", "output")
    found = read_report(path, "run", needed)
    return {"machine": found.machine, "result": found.result}


def seconds_of(case, settings):
    """How long the run simulates, as the program itself reads it."""
    answer = subprocess.run(
        [program(), "run", case, "--explain", *(f"--set={word}" for word in settings)],
        check=False,
        stdout=subprocess.PIPE,
        text=True,
    )
    if answer.returncode != 0:
        raise Failed(answer.returncode)
    for line in answer.stdout.splitlines():
        words = line.split()
        if words[:1] == ["time.end"]:
            number, unit = re.fullmatch(r"=?\"?([0-9.eE+-]+)(s|min|h|d)?\"?", words[2]).groups()
            return float(number) * {None: 1, "s": 1, "min": 60, "h": 3600, "d": 86400}[unit]
    refuse(case, "time.end", None, "in what groundswell run --explain lists")
    return None


def settings_of(options):
    return [word for one in options.set for word in ("--set", one)]


def count_parts(options, machine, parts):
    return report_of(
        *(program(), "volume", "--case", options.case, *settings_of(options)),
        *("--method", "curve", "--parts", ",".join(map(str, parts))),
        *("--per-host", machine.ranks_per_host, "--json", "-"),
    )["result"]


def short_run(options, counted, end, folder):
    """A run of the case that is long enough to be timed, on this machine."""
    updates = model.updates_of(counted["clusters"], counted["clusters"]["cells"])
    meetings = max(3, math.ceil(UPDATES_TO_TIME * options.ranks / updates))
    seconds = min(end, meetings * counted["step_seconds"])
    launcher = shutil.which("mpirun") or refuse(
        "command line", "mpirun", None, "mpirun on PATH, or --speeds RUN.json"
    )
    command = [program(), "run", options.case, *settings_of(options), "--set", f"time.end={seconds:.9g}s"]
    command += ["--output", folder, "--overwrite", "--quiet"]
    if options.ranks > 1:
        command = [launcher, "-n", options.ranks, *command]
    report_of(*command)
    return read_run(pathlib.Path(folder, "run.json"))


def limits_here(result):
    """Peak of a core in double precision, FLOP/s, and the bytes that one update moves, by the program's own measure."""
    found = {}
    for precision in {"double", result["precision"]}:
        found[precision] = report_of(
            *(program(), "proxy", "--model", "quake", "--order", result["order"], "--precision", precision),
            *("--cells", 4096, "--threads", 1, "--repeats", 5, "--json", "-"),
        )["result"]
    own = found[result["precision"]]
    every = next(kernel for kernel in own["kernels"] if kernel["name"] == "all")
    traffic = every["gigabytes_per_second"] * 1e9 / every["updates_per_second"]
    return found["double"]["peak_gflops"] * 1e9, traffic


def predicted(options, progress):
    machine = machines.read(options.predict)
    if not is_earthquake(options.case):
        refuse(options.case, "model", None, 'model = "quake": other cases cannot be predicted yet')
    if options.hosts and options.parts:
        refuse("command line", "--parts", options.parts, "--hosts or --parts, not both")
    parts = options.parts or [hosts * machine.ranks_per_host for hosts in options.hosts or [1]]
    end = seconds_of(options.case, options.set)
    progress.update(f"cutting the mesh into {', '.join(map(str, parts))} parts")
    counted = count_parts(options, machine, parts)
    if options.speeds:
        run = read_run(options.speeds)
        for key in ("order", "precision"):
            if run["result"][key] != counted[key]:
                refuse(
                    options.speeds, f"result.{key}", run["result"][key], f"{counted[key]}, as the case has it"
                )
        source = options.speeds
    else:
        progress.update(f"a short run on {options.ranks} ranks, to measure speeds")
        with tempfile.TemporaryDirectory() as folder:
            run = short_run(options, counted, end, folder)
        source = f"{run['result']['simulated_seconds']:.4g} s of the case on {options.ranks} ranks here"
    progress.update("limits of this machine")
    peak, traffic = limits_here(run["result"])
    speeds = model.speeds_of(run, peak, traffic, source)
    rows = [model.predict(counted, one, speeds, machine, end) for one in counted["partitions"]]
    return machine, counted, speeds, end, rows


def comparison(options, rows):
    run = read_run(options.compare)
    ranks, result = run["machine"]["ranks"], run["result"]
    row = next((row for row in rows if row["parts"] == ranks), None)
    if row is None:
        refuse(options.compare, "machine.ranks", ranks, "a number of parts that is predicted")
    took = result["wall_seconds"]
    return {
        "ranks": ranks,
        "seconds": took,
        "predicted_seconds": row["run_seconds"],
        "error": row["run_seconds"] / took - 1,
    }


def time_text(seconds):
    if seconds < 120:
        return f"{seconds:.1f} s"
    return f"{seconds / 60:.1f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def table(machine, rows):
    head = [
        "ranks",
        "hosts",
        "elements",
        "a step",
        "waiting",
        "messages",
        "efficiency",
        "memory a host",
        "run",
        "core-hours",
    ]
    lines = [head]
    for row in rows:
        lines.append(
            [
                row["parts"],
                row["hosts"],
                f"{row['elements_of_a_part']:.0f}",
                f"{1e3 * row['step_seconds']:.3g} ms",
                f"{100 * row['waiting_seconds'] / row['step_seconds']:.1f} %",
                f"{100 * row['communication_share']:.1f} %",
                f"{100 * row['efficiency']:.0f} %",
                report.bytes_text(row["memory_of_host_bytes"]),
                time_text(row["run_seconds"]),
                f"{row['core_hours']:.3g}" + ("" if model.fits(row, machine) else "  does not fit"),
            ]
        )
    return report.table(lines)


def forecast(options):
    """What `--predict` does: the exit code."""
    progress = report.Progress(not options.quiet and options.json != "-")
    try:
        machine, counted, speeds, end, rows = predicted(options, progress)
    except Failed as failed:
        return failed.code
    result = {
        "predicted": rows,
        "machine": {
            key: getattr(machine, key)
            for key in ("name", "about", "where", "cores", "ranks_per_host", "threads")
        },
        "case": options.case,
        "cells": counted["cells"],
        "clusters": counted["clusters"],
        "simulated_seconds": end,
        "step_simulated_seconds": counted["step_seconds"],
        "speeds": {
            "source": speeds.source,
            "element_seconds": speeds.element,
            "face_seconds": speeds.face,
            "rest_seconds": speeds.rest,
            "bytes_per_element": speeds.memory,
            "peak_gflops": speeds.peak / 1e9,
        },
        "fastest": min(rows, key=lambda row: row["run_seconds"])["parts"],
        "cheapest": min(rows, key=lambda row: row["core_hours"])["parts"],
    }
    if options.compare:
        result["compared"] = comparison(options, rows)
    if options.png:
        from groundswell.plot.cost import draw

        draw(result, options.png)
    if options.json == "-":
        print(json.dumps(report.envelope("scale", result), indent=1))
        return 0
    if options.json:
        report.write_json(options.json, "scale", result)
    progress.done("predicted")
    print(
        f"{counted['cells']} elements, order {counted['order']}, {counted['precision']}, {end:g} s, on {machine.name}: "
        f"{machine.ranks_per_host} ranks of {machine.threads} threads a host; limited by {rows[0]['limited_by']}"
    )
    print(
        f"speeds: {speeds.source}: {1e-3 / speeds.element:.0f} thousand updates of elements and "
        f"{1e-3 / speeds.face if speeds.face else 0:.0f} of faces of faults a second and core, whose peak is "
        f"{speeds.peak / 1e9:.0f} GFLOP/s"
    )
    print(table(machine, rows))
    if options.compare:
        found = result["compared"]
        print(
            f"the run took {time_text(found['seconds'])}, predicted {time_text(found['predicted_seconds'])}: "
            f"{100 * found['error']:+.0f} %"
        )
    return 0
