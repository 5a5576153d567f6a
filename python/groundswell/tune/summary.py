"""The result of a tune: as JSON and for people."""

import statistics

from groundswell import report
from groundswell.report import length_text, time_text
from groundswell.scale.table import print_problems
from groundswell.tune.files import launch_line
from groundswell.tune.mpi_settings import never_run
from groundswell.tune.race import gain_of

SHOWN = 12  # contestants of a race in the table


def described(setting, plan):
    return {
        "settings": setting.described(),
        "launch": launch_line(plan.launcher, setting, plan.case),
        "keys": setting.case_keys(),
    }


def whole_seconds(setting, trials, plan):
    """Seconds of the whole run with a setting, start-up included, from the middle of its trials."""
    runs = [run for run in trials.history.get(setting, []) if not run.problem]
    if not runs:
        return None
    piece = statistics.median(trials.time_of(run) for run in runs)
    start_up = statistics.median(run.start_up for run in runs)
    return start_up + piece * plan.case.seconds / trials.length


def result_of(found, trials, plan, probe, advice, equal):
    before, after = (whole_seconds(setting, trials, plan) for setting in (found.baseline, found.best))
    guess = probe.start_up + probe.seconds * plan.case.seconds / probe.simulated
    result = {
        "trials": trials.rows(),
        "best": described(found.best, plan),
        "gain": found.gain if found.races else {"low": 0.0, "high": 0.0},
        "difference": found.difference,
        "remaining": found.remaining,
        "baseline": described(found.baseline, plan),
        "groups": [group_json(name, race) for name, race in found.races],
        "duel": None,
        "not_tried": found.not_tried,
        "never_run": sorted({text for setting in trials.history for text in never_run(setting.mpi)}),
        "same_bits": equal,
        "clusters": advice,
        "case": plan.case.path,
        "model": plan.case.model,
        "simulated_seconds": trials.length,
        "whole": {"baseline_seconds": before or guess, "best_seconds": after or before or guess},
        "budget_seconds": trials.budget,
        "spent_seconds": trials.clock(),
        "interrupted": found.interrupted,
        "problems": list(plan.machine.problems),
    }
    if found.duel:
        result["duel"] = {
            "settings": found.duel["setting"].described(),
            "baseline_seconds": found.duel["baseline"],
            "best_seconds": found.duel["best"],
            "pairs_left_out": found.duel["left_out"],
        }
    return result


def group_json(name, race):
    rows = []
    for one in race.contestants[1:]:
        row = {
            "settings": one.setting.described(),
            "name": one.setting.beside(race.incumbent),
            "outcome": one.outcome,
        }
        if one.estimate is not None:
            row["gain"] = gain_of(one.estimate)
        rows.append(row)
    return {
        "name": name,
        "rounds": race.rounds,
        "incumbent": race.incumbent.described(),
        "incumbent_name": str(race.incumbent),
        "winner": race.winner.described(),
        "contestants": rows,
    }


def cut(text, most=45):
    return text if len(text) <= most else f"{text[:most]}…"


def percent_range(gain):
    return f"{100 * gain['low']:+.1f} … {100 * gain['high']:+.1f} %"


def print_summary(result):
    count = sum(row["repeats"] for row in result["trials"])
    print(
        f"{count} trials of {length_text(result['simulated_seconds'])} simulated, in {time_text(result['spent_seconds'])} of "
        f"{time_text(result['budget_seconds'])}"
    )
    for group in result["groups"]:
        print_group(group)
    print()
    if result["difference"]:
        print(f"best: {percent_range(result['gain'])} faster than before, by fresh pairs of trials (95 %)")
    elif result["duel"]:
        print(
            f"no difference: what looked best is {percent_range(result['gain'])} faster by fresh pairs of trials (95 %)"
        )
    else:
        print("no difference: nothing that was tried is surely faster than what is there")
    print(f"what is undecided may gain up to {100 * result['remaining']['high']:.1f} % more")
    whole = result["whole"]
    print(
        f"the whole run: about {time_text(whole['best_seconds'])}, before {time_text(whole['baseline_seconds'])}"
    )
    print(f"start it with\n\n    {result['best']['launch']}\n")
    bits = {True: "are the same to the bit", False: "DIFFER: that is a defect", None: "were not compared"}
    print(f"results of the two settings {bits[result['same_bits']]}")
    advice = result["clusters"]
    if advice:
        keys = ", ".join(f"{key} = {value}" for key, value in advice["keys"].items())
        said = "surely faster" if advice["difference"] else "not surely faster"
        print(
            f"clusters: {keys} is {said} ({percent_range(advice['gain'])}); it changes the time steps and so the last digits "
            "of results: --groups clusters,… chooses it"
        )
    if result["never_run"]:
        print(
            "of the MPI settings tried, this project knows these from their documentation alone, and has never run them: "
            + "; ".join(result["never_run"])
        )
    for text in result["not_tried"]:
        print(f"not tried: {text}")
    print_problems(result)
    for path in result["files"]:
        print(f"written: {path}")


def print_group(group):
    print(f"\n{group['name']}: beside {group['incumbent_name']}, {group['rounds']} rounds")
    rows = [["", "faster by", ""]]
    order = sorted(group["contestants"], key=lambda row: -row.get("gain", {"low": -1})["low"])
    for row in order[:SHOWN]:
        gain = percent_range(row["gain"]) if "gain" in row else ""
        rows.append([f"  {row['name']}", gain, cut(row["outcome"])])
    print(report.table(rows))
