"""`groundswell scale CASE.toml`: the runs, the table, the JSON and the figure."""

import json

from groundswell import report
from groundswell.arguments import check_target
from groundswell.errors import refuse
from groundswell.scale import measure as measured
from groundswell.scale.weak import plan_weak
from groundswell.trials.case import read_case, with_steps
from groundswell.trials.launcher import launcher_of
from groundswell.trials.length import calibrate, parse_length
from groundswell.trials.machine import this_machine
from groundswell.trials.runner import Runner
from groundswell.trials.stop import INTERRUPTED, exit_code_of
from groundswell.whole_files import write_text

PATIENCE = 20.0  # times the expected seconds, and a minute


def plan(options, case, cores):
    threads = options.threads or None
    if options.weak:
        return plan_weak(options.weak, options.ranks, threads or [case.threads], case, cores, options.binding)
    return measured.plan_strong(options.ranks, threads, case.threads, cores, options.binding)


def scale(options):
    """Runs the command without --predict; returns the exit code."""
    return exit_code_of(measured_scale, options)


def measured_scale(options):
    progress = report.Progress(not options.quiet and options.json != "-")
    check_target("--json", options.json)
    check_target("--png", options.png, report.KINDS)
    case = read_case(options.case, options.set)
    machine = this_machine()
    launcher = launcher_of(machine.mpi_name, options.launcher)
    counts = plan(options, case, options.cores or machine.cores)
    progress.update("reading the case")
    most = max(counts, key=lambda count: count.cores)
    case = with_steps(case, launcher.words(most.setting)) if not options.weak else with_steps(case)
    with Runner(case, launcher, options.scratch) as runner:

        def run(count, length, timeout=None):
            extra = [word for key, value in count.sets for word in ("--set", f"{key}={value}")]
            return runner.run(count.setting, length, timeout or 3600.0, extra=extra)

        if options.simulate:
            length = parse_length(options.simulate, case)
        else:
            progress.update("how long a run is to be")
            spread = (most.cores / min(count.cores for count in counts)) ** 0.5
            if options.weak:
                spread = 1.0
            length, _ = calibrate(case, most, options.seconds / spread, run)
        trials, stopped = measured.measure(
            counts, options.repeats, lambda count: run(count, length), progress.update
        )
    rows = measured.rows_of(trials, case.seconds, options.price)
    result = measured.result_of(rows)
    result.update(
        {
            "case": str(options.case),
            "model": case.model,
            "weak": bool(options.weak),
            "simulated_seconds": length,
            "whole_simulated_seconds": case.seconds,
            "repeats": options.repeats,
            "binding": options.binding,
            "launcher": " ".join(launcher.line),
            "interrupted": stopped,
            "problems": list(machine.problems),
        }
    )
    if options.price is not None:
        result["price_per_core_hour"] = options.price
    return finish(options, result, machine, progress)


def finish(options, result, machine, progress):
    if options.png and result["counts"]:
        from groundswell.plot.measured.scaling import draw

        draw(result, options.png, machine)
    if options.json == "-":
        print(json.dumps(envelope(result, machine), indent=1))
    else:
        if options.json:
            write_text(options.json, json.dumps(envelope(result, machine), indent=1) + "\n")
        progress.done(f"{len(result['counts'])} counts measured")
        if not result["counts"]:
            refuse("scale", None, None, "one run that ends before it is stopped")
        from groundswell.scale.table import print_scaling

        print_scaling(result)
    return INTERRUPTED if result["interrupted"] else 0


def envelope(result, machine, command="scale"):
    frame = report.envelope(command, result)
    ranks = max((row["ranks"] for row in result.get("counts", ())), default=1)
    frame["machine"].update(mpi=f"{machine.mpi_name} {machine.version}", hosts=machine.hosts, ranks=ranks)
    frame["machine"]["cores"] = machine.cores
    return frame
