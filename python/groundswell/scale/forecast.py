"""The prediction of `groundswell scale --predict`: mesh cut and counted, kernels measured here, machine read."""

import dataclasses
import pathlib
import tempfile

from groundswell import report
from groundswell.errors import refuse
from groundswell.mesh.tetrahedra import is_earthquake
from groundswell.scale import gauge, instructions, show
from groundswell.scale import machine as machines
from groundswell.scale import predict as model
from groundswell.scale.changes import changes_of
from groundswell.scale.checks import errors_of
from groundswell.scale.played import played, trial_of
from groundswell.scale.speeds import speeds_of, speeds_of_kernels
from groundswell.trials.case import read_case
from groundswell.trials.program import Failed

NEEDED_SHARE = (
    0.66  # of the directions that first-order upwind reads of halo cells: docs/evaluation/halo-evaluation.md
)
DAY = 86400.0  # s: a run without a case, unless it is told
MAPS = 5 * 4 / 3600  # bytes of a cell and simulated second where there is no case: five fields an hour


@dataclasses.dataclass
class Subject:
    """Makes the prediction. counted: volume's result with `step_seconds`; plans: those of the number of parts that are wanted, the
    one that a run uses first; needed: share of the halo's bytes that travels, or None where all does."""

    model: str
    name: str
    counted: dict
    plans: list
    speeds: object
    simulated: float
    needed: float | None = None


def parts_of(options, machine):
    if options.hosts and options.parts:
        refuse("command line", "--parts", options.parts, "--hosts or --parts, not both")
    return sorted(set(options.parts or [hosts * machine.ranks_per_host for hosts in options.hosts or [1]]))


def check_parts(parts, counted):
    most = max(parts)
    if most > counted["cells"]:
        refuse(
            "command line", "--parts", most,
            f"no more than the mesh has cells, {counted['cells']}: a part has one at least; fewer parts or hosts, or a finer mesh",
        )  # fmt: skip


def methods_for(parts, machine):
    """Ways of partitioning: a run's own, and those it is compared with."""
    return ["two-level", "plain", "scattered"] if max(parts) > machine.ranks_per_host else ["plain"]


def of_ground(options, machine, parts, folder, progress):
    case = read_case(options.case, options.set)
    values = gauge.values_of(case)
    progress.update(f"cutting the mesh into {', '.join(map(str, parts))} parts")
    source = ["--case", case.path, *case.set_words]
    counted, plans = gauge.counted_parts(source, ["curve"], parts, machine.ranks_per_host, folder)
    check_parts(parts, counted)
    runs, source = runs_for(options, case, counted, folder, progress)
    for key in ("order", "precision"):
        if runs[-1]["result"][key] != counted[key]:
            refuse(
                options.speeds[-1],
                f"result.{key}",
                runs[-1]["result"][key],
                f"{counted[key]}, as the case has it",
            )
    progress.update("the kernels by size")
    limits = gauge.limits_here("quake", counted, kept=options.kernels)
    check_instructions(source, runs[-1], limits)
    # A run that is shorter than the time between two records tells nothing of how often they are written.
    intervals = gauge.output_intervals(values)
    whole = runs[-1]["result"]["simulated_seconds"] >= max(intervals, default=0.0)
    output = None if whole else 0.0
    return Subject(
        "quake", options.case, counted, plans, speeds_of(runs, limits, source, output=output), case.seconds
    )


def of_sea(options, machine, parts, folder, progress):
    case = read_case(options.case, options.set)
    values = gauge.values_of(case)
    scheme = values["propagation.scheme"]
    if scheme == "none":
        refuse(
            options.case,
            "propagation.scheme",
            scheme,
            "a scheme: where nothing travels, ranks exchange nothing",
        )
    about = {"scheme": scheme}
    about |= {key: values[f"spectrum.{key}"] for key in ("directions", "frequencies")}
    steps = gauge.checked(case)
    mesh = pathlib.Path(options.case).parent / values["mesh.file"]
    source = [mesh, "--layers", 1 if scheme == "upwind" else 2]
    source += ["--directions", about["directions"], "--frequencies", about["frequencies"]]
    progress.update(f"cutting the mesh into {', '.join(map(str, parts))} parts")
    # Also the parts of the short runs, whose start has to be told from cutting.
    extra = [] if options.speeds else [options.ranks]
    every = sorted({*parts, *extra})
    counted, plans = gauge.counted_parts(
        source, methods_for(every, machine), every, machine.ranks_per_host, folder
    )
    check_parts(parts, counted)
    counted |= {key: steps[key] for key in ("step_seconds", "source_step_seconds")}
    counted["file_bytes"] = mesh.stat().st_size
    runs, origin = runs_for(options, case, counted, folder, progress)
    if runs[-1]["result"].get("bins") != about["directions"] * about["frequencies"]:
        refuse(
            options.speeds[-1], "result.bins", runs[-1]["result"].get("bins"), "those of the case's spectrum"
        )
    progress.update("the kernels by size")
    weights = {"propagation": 1.0}
    if values["physics.package"] != "none":
        weights["source"] = steps["step_seconds"] / steps["source_step_seconds"]
    limits = gauge.limits_here("sea", about, weights, kept=options.kernels)
    check_instructions(origin, runs[-1], limits)
    cutting = {1: 0.0} | {
        plan.parts: plan.told["seconds"] for plan in plans if plan.method == plans[0].method
    }
    rate = gauge.output_of_sea(values, counted["cells"], about["directions"] * about["frequencies"])
    speeds = speeds_of(runs, limits, origin, cutting, rate)
    exchange = runs[-1]["result"].get("exchange", {})
    needed = None
    if scheme == "upwind" and values["halo.directions"] != "all":
        whole = exchange.get("whole_bytes", 0)
        needed = exchange["bytes"] / whole if whole and exchange["bytes"] < whole else NEEDED_SHARE
    plans = [plan for plan in plans if plan.parts in parts]
    return Subject("sea", options.case, counted, plans, speeds, case.seconds, needed)


def of_mesh(options, machine, parts, folder, progress):
    """A sea without a case: its mesh alone."""
    if not 0.0 < options.time_step < 1e12:
        refuse("command line", "--time-step", options.time_step, "seconds, more than 0")
    about = {"directions": options.directions, "frequencies": options.frequencies, "scheme": options.scheme}
    source = [options.mesh] if options.mesh else ["--icosahedron", options.icosahedron]
    if options.bathymetry:
        source += ["--bathymetry", options.bathymetry]
    source += ["--layers", 1 if options.scheme == "upwind" else 2]
    source += ["--directions", options.directions, "--frequencies", options.frequencies]
    progress.update(f"cutting the mesh into {', '.join(map(str, parts))} parts")
    counted, plans = gauge.counted_parts(
        source, methods_for(parts, machine), parts, machine.ranks_per_host, folder
    )
    check_parts(parts, counted)
    counted["step_seconds"] = counted["source_step_seconds"] = options.time_step
    if options.mesh:
        counted["file_bytes"] = pathlib.Path(options.mesh).stat().st_size
    progress.update("the kernels by size")
    limits, memory = gauge.limits_here(
        "sea", about, {"propagation": 1.0, "source": 1.0}, True, options.kernels
    )
    speeds = speeds_of_kernels(limits, memory, f"the kernels alone, {options.kernels or 'here'}")
    speeds = dataclasses.replace(speeds, output=MAPS * counted["cells"])
    needed = NEEDED_SHARE if options.scheme == "upwind" else None
    name = options.mesh or f"a globe of {counted['cells']} cells"
    return Subject("sea", name, counted, plans, speeds, options.simulate or DAY, needed)


def instructions_for(options, machine):
    """Those that kernels are to be measured with: of the run whose speed is taken, or else of the machine."""
    return (
        gauge.read_run(options.speeds[-1])["machine"].get("isa") if options.speeds else machine.instructions
    )


def check_instructions(path, run, limits):
    """A run's speed beside the peak and the kernels of another instruction set would say nothing."""
    isa = run["machine"].get("isa")
    if isa and limits.isa and isa != limits.isa:
        refuse(
            path, "machine.isa", isa,
            f"{limits.isa}, as the kernels that were measured: a run with GROUNDSWELL_ISA={limits.isa}, or a report of "
            f"groundswell proxy with {isa} (--kernels)",
        )  # fmt: skip


def runs_for(options, case, counted, folder, progress):
    """Reports of runs to take speeds from, and how to call them."""
    if options.speeds:
        return [gauge.read_run(path) for path in options.speeds], ", ".join(options.speeds)
    progress.update(f"short runs on 1 and {options.ranks} ranks, to measure speeds")
    runs = gauge.short_runs(case, counted, options.ranks, folder)
    took = runs[-1]["result"]["simulated_seconds"]
    return runs, f"{took:.4g} s of the case on {options.ranks} ranks here"


def subject_of(options, machine, parts, progress):
    meshes = [one for one in (options.case, options.mesh, options.icosahedron) if one]
    if len(meshes) != 1:
        refuse("command line", "scale", None, "one of CASE.toml, --mesh FILE.nc and --icosahedron N")
    with tempfile.TemporaryDirectory() as folder:
        if not options.case:
            return of_mesh(options, machine, parts, folder, progress)
        make = of_ground if is_earthquake(options.case) else of_sea
        return make(options, machine, parts, folder, progress)


def used(subject):
    """The plan that a run uses, for each number of parts, with the bytes that travel."""
    first = {}
    for plan in subject.plans:
        first.setdefault(plan.parts, plan)
    factor = 1.0 if subject.needed is None else subject.needed
    return [plan.with_bytes(factor) for plan in first.values()]


def run_to_compare(options, parts):
    """The report that --compare names, of a run on as many ranks as one of the predictions."""
    if not options.compare:
        return None
    run = gauge.read_run(options.compare)
    ranks = run["machine"]["ranks"]
    if ranks not in parts:
        refuse(options.compare, "machine.ranks", ranks, "a number of parts that is predicted")
    return run


def compared(run, rows):
    """Measured times of a run beside the prediction for its number of ranks."""
    ranks, found = run["machine"]["ranks"], run["result"]
    row = next(row for row in rows if row["parts"] == ranks)
    took, had = found["wall_seconds"], found.get("cores", {}).get("core_share", {}).get("mean", 1.0)
    told = {
        "ranks": ranks,
        "seconds": took,
        "core_share": had,
        "predicted_seconds": row["run_seconds"] - row["start_seconds"],
        "communication_share": found["communication_seconds"]["mean"] / took,
        "predicted_communication_share": row["communication_share"],
        "start_seconds": found["phases"]["setup"]["mean"],
        "predicted_start_seconds": row["start_seconds"],
    }
    told["error"] = told["predicted_seconds"] / took - 1
    return told


def result_of(machine, subject, rows, run):
    speeds, limit = subject.speeds, model.stops_scaling(rows)
    told = {
        "predicted": rows,
        "machine": {
            key: getattr(machine, key)
            for key in ("name", "about", "where", "cores", "ranks_per_host", "threads", "instructions")
        },
        "model": subject.model,
        "case": subject.name,
        "cells": subject.counted["cells"],
        "clusters": model.clusters_of(subject.counted),
        "simulated_seconds": subject.simulated,
        "step_simulated_seconds": subject.counted["step_seconds"],
        "needed_share": subject.needed,
        "speeds": {
            "source": speeds.source,
            "element_seconds": speeds.element,
            "face_seconds": speeds.face,
            "rest_seconds": speeds.rest,
            "bytes_per_element": speeds.memory,
            "peak_gflops": speeds.peak / 1e9,
            "instructions": speeds.isa,
            "by_cells": None
            if speeds.curve is None
            else {"cells": list(speeds.curve.cells), "seconds": list(speeds.curve.seconds)},
        },
        "fastest": min(rows, key=lambda row: row["run_seconds"])["parts"],
        "cheapest": min(rows, key=lambda row: row["core_hours"])["parts"],
        "scales_to": limit[0],
        "scales_further": not limit[1],
        "changes": changes_of(subject, used(subject), machine),
        "errors": errors_of(subject.model),
    }
    if run:
        told["compared"] = compared(run, rows)
    return told


def forecast(options):
    """Runs `--predict`; returns the exit code."""
    progress = report.Progress(not options.quiet and options.json != "-")
    machine = machines.read(options.predict)
    trial = trial_of(options, machine)
    parts = parts_of(options, machine)
    run = run_to_compare(options, parts)
    try:
        with instructions.held_to(instructions_for(options, machine)):
            subject = subject_of(options, machine, parts, progress)
    except Failed as failed:
        return failed.code
    plans = used(subject)
    rows = [
        model.predict(subject.counted, plan, subject.speeds, machine, subject.simulated) for plan in plans
    ]
    result = result_of(machine, subject, rows, run)
    if options.replay:
        result["replayed"] = played(subject, plans, machine, trial, progress)
    if options.png:
        from groundswell.plot.measured.cost import draw

        draw(result, options.png)
    if options.json:
        if options.json == "-":
            print(report.text_of("scale", result))
            return 0
        report.write_json(options.json, "scale", result)
    progress.done("predicted")
    print(show.text(result, subject, machine))
    return 0
