"""Measurements by the program itself for a prediction: time of a case, partition of its mesh, speed of its kernels here."""

import math
import pathlib
import shutil

import numpy as np

from groundswell.errors import refuse
from groundswell.scale.plan import plans_of, read_matrix
from groundswell.scale.speeds import Curve, Limits, updates_of
from groundswell.toml_file import tomllib
from groundswell.trials.case import seconds_of
from groundswell.trials.program import answer_of

SHORT = {"sea": 1e8, "quake": 3e7}  # bin-steps or updates of elements on each rank: seconds of a core
SIZES = {"sea": (50, 200, 800, 3200, 12800), "quake": (500, 2000, 8000, 32000)}  # cells of a core


def launched(ranks):
    """Words that start so many ranks here."""
    if ranks == 1:
        return []
    launcher = shutil.which("mpirun") or refuse(
        "command line", "mpirun", None, "mpirun on PATH, or --speeds RUN.json"
    )
    return [launcher, "-n", ranks]


def result_of(*words, launcher=()):
    """The result of a command of the program."""
    return answer_of(*words, launcher=launcher)["result"]


def read_run(path):
    """A report of a run."""
    from groundswell.plot.measured.reports import read_report

    needed = ("phases", "simulated_seconds", "wall_seconds", "peak_memory_bytes", "output")
    found = read_report(path, "run", needed)
    return {"machine": found.machine, "result": found.result}


def toml_value(text):
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def values_of(case):
    """Every parameter of a case; of those in tables that may be repeated, lists of them."""
    return {
        key: [toml_value(one) for one in text.split(" | ")] if "[]" in key else toml_value(text)
        for key, (text, _) in case.keys.items()
    }


def output_of_sea(values, cells, bins):
    """Bytes of a simulated second, of maps and restarts."""
    every, fields = values.get("output.map[].every", []), values.get("output.map[].fields", [])
    rate = sum(4.0 * cells * len(names) / seconds_of(each) for each, names in zip(every, fields))
    restart = values.get("output.restart.every", "none")
    return rate + (0.0 if restart in ("none", "", "never") else 4.0 * cells * bins / seconds_of(restart))


def output_intervals(values):
    """Seconds between two records, of every output that the case asks for."""
    every = [value for key, value in values.items() if key.startswith("output.") and key.endswith(".every")]
    flat = [one for value in every for one in (value if isinstance(value, list) else [value])]
    return [seconds for seconds in (seconds_of(str(one)) for one in flat) if seconds]


def counted_parts(source, methods, parts, per_host, folder, steps=1):
    """(result, plans) of `groundswell volume` on `source`: its words that name a mesh or a case."""
    matrix = pathlib.Path(folder, "matrix.csv")
    counted = result_of(
        *("volume", *source, "--method", ",".join(methods), "--parts", ",".join(map(str, parts))),
        *("--per-host", per_host, "--steps", steps, "--matrix", matrix),
    )
    return counted, plans_of(counted, read_matrix(matrix))


def kernel_words(model, about):
    if model == "sea":
        names = ("directions", "frequencies", "scheme")
    else:
        names = ("order", "precision")
    return ["--model", model, *(word for name in names for word in (f"--{name}", about[name]))]


def kernels_of(model, about, kept):
    """The result of `groundswell proxy` by number of cells, measured now or kept in a file; `isa`: the instruction set."""
    if kept is None:
        sizes = ",".join(map(str, SIZES[model]))
        words = kernel_words(model, about)
        told = answer_of("proxy", *words, "--cells", sizes, "--threads", 1, "--repeats", 5)
        return told["result"] | {"isa": told["machine"]["isa"]}
    from groundswell.plot.measured.reports import read_report

    report = read_report(kept, "proxy", ("kernels", "limits", "model"))
    found = report.result | {"isa": report.machine.get("isa")}
    if found["model"] != model:
        refuse(kept, "result.model", found["model"], f'"{model}", of which the prediction is')
    told = dict(about) | ({"bins": about["directions"] * about["frequencies"]} if model == "sea" else {})
    for key in ("scheme", "bins", "order", "precision"):
        value = found.get(key, found["kernels"][0].get(key))
        if key in told and value != told[key]:
            refuse(kept, f"result.{key}", value, f"{told[key]}, as what is predicted has it")
    if {row["threads"] for row in found["kernels"]} != {1}:
        refuse(kept, "result.kernels[].threads", found["limits"], "kernels of one thread")
    return found


def limits_here(model, about, weights=None, memory_wanted=False, kept=None):
    """Limits of a core, with the kernels by their number of cells; with `memory_wanted` also the bytes that a cell takes. `about`:
    directions, frequencies and scheme of a sea, or order and precision. weights: how often each kernel runs in an update. kept: file
    with a report of `groundswell proxy`."""
    found = kernels_of(model, about, kept)
    cells = seconds = traffic = before = 0.0
    for name, weight in (weights or {"all": 1.0}).items():
        rows = [kernel for kernel in found["kernels"] if kernel["name"] == name]
        cells = np.array([row["cells"] for row in rows], float)
        each = np.array([row["p10_seconds"] for row in rows]) / cells
        seconds = seconds + weight * each
        before += weight * each[-1] * (name != "source")  # source terms begin when all has come
        traffic += weight * rows[-1]["gigabytes_per_second"] * 1e9 * each[-1]
    peak = found["peak_gflops"]
    if model == "sea" or about["precision"] != "double":
        peak /= 2  # of double precision, as machines tell it
    stream = found["stream_gigabytes_per_second"] * 1e9
    limits = Limits(peak * 1e9, stream, traffic, Curve(cells, seconds), before / seconds[-1], found["isa"])
    if not memory_wanted:
        return limits
    each = found["bytes_per_bin"] * about["directions"] * about["frequencies"]
    return limits, each


def checked(case):
    """Steps of a case as `groundswell run --check` reports them."""
    return result_of("run", case.path, *case.set_words, "--check", "--overwrite", "--quiet")


def short_runs(case, counted, ranks, folder):
    """Reports of runs of the case that are long enough to be timed, on one rank and on `ranks`."""
    if counted.get("clusters"):
        of_step = updates_of(counted["clusters"], counted["clusters"]["cells"])
        unit, needed = counted["step_seconds"], SHORT["quake"]
    else:
        of_step = counted["cells"] * counted["directions"] * counted["frequencies"]
        of_step *= counted["source_step_seconds"] / counted["step_seconds"]
        unit, needed = counted["source_step_seconds"], SHORT["sea"]
    runs = []
    for count in sorted({1, ranks}):
        steps = max(3, math.ceil(needed * count / of_step))
        runs.append(
            answer_of(
                *("run", case.path, *case.set_words),
                *("--set", f"time.end={case.end_after(min(case.seconds, steps * unit))}"),
                *("--output", pathlib.Path(folder, f"run-{count}"), "--overwrite", "--quiet"),
                launcher=launched(count),
            )
        )
    return runs
