"""`groundswell tune CASE.toml`: from the command line to what is printed and written."""

import json
import pathlib

from groundswell import report
from groundswell.arguments import check_target
from groundswell.errors import check_word, refuse
from groundswell.scale.command import envelope
from groundswell.trials.case import read_case, seconds_of, with_steps
from groundswell.trials.launcher import launcher_of
from groundswell.trials.length import parse_length
from groundswell.trials.machine import this_machine
from groundswell.trials.runner import Runner
from groundswell.trials.setting import Setting, parse_baseline
from groundswell.trials.stop import INTERRUPTED, exit_code_of
from groundswell.tune import files
from groundswell.tune.bits import same_bits, without_clusters
from groundswell.tune.groups import NAMES, Plan, clusters, default_setting, groups_of, parse_tries
from groundswell.tune.libraries import compare_libraries
from groundswell.tune.race import WINS, Contest, gain_of
from groundswell.tune.search import Search
from groundswell.tune.summary import print_summary, result_of
from groundswell.tune.trials import Trials
from groundswell.whole_files import write_text

LONGEST_BUDGET = 30 * 86400.0  # s


def parse_groups(text):
    if text is None:
        return [name for name in NAMES if name != "clusters"]
    names = text.split(",")
    for name in names:
        check_word("command line", "--groups", name, NAMES)
    return names


def parse_budget(text):
    seconds = seconds_of(text)
    if not seconds or not 0 < seconds <= LONGEST_BUDGET:
        refuse("command line", "--budget", text, "a duration such as 90s, 10min or 2h, at most 30d")
    return seconds


def baseline_of(options, plan):
    binding = "close" if plan.launcher.bindings() else "none"
    if options.baseline is None:
        return default_setting(plan.case, plan.cores, binding)
    ranks, threads, given = parse_baseline(options.baseline)
    setting = Setting(ranks, threads, given or binding)
    if setting.cores > plan.cores:
        refuse(
            "command line",
            "--baseline",
            options.baseline,
            f"within the {plan.cores} cores of this job (--cores N where it has more)",
        )
    return setting


def tune(options):
    """The exit code."""
    if options.mpi:
        return compare_libraries(options, parse_budget(options.budget))
    return exit_code_of(tuned, options)


def tuned(options):
    progress = report.Progress(not options.quiet and options.json != "-")
    check_target("--json", options.json)
    budget, names = parse_budget(options.budget), parse_groups(options.groups)
    tries = parse_tries(options.tries)
    case = read_case(options.case, options.set)
    with files.folder_for(options.output or pathlib.Path(options.case).parent / "tuned") as folder:
        return tuned_into(folder, options, case, budget, names, tries, progress)


def tuned_into(folder, options, case, budget, names, tries, progress):
    machine = this_machine()
    launcher = launcher_of(machine.mpi_name, options.launcher)
    plan = Plan(case, machine, launcher, options.cores or machine.cores, tries, tuple(names))
    baseline = baseline_of(options, plan)
    groups_of(plan, names)[0].options(baseline)  # refuses what cannot be tried at all
    progress.update("reading the case")
    plan.case = case = with_steps(case, launcher.words(baseline))
    simulate = parse_length(options.simulate, case) if options.simulate else None
    with Runner(case, launcher, options.scratch) as runner:
        trials = Trials(case, runner, budget)
        plan.trial_of = trials.last.get
        progress.update(f"how long a trial is to be: {baseline}")
        probe = trials.settle_length(baseline, simulate)
        refuse_few_cells(probe, plan, tries)
        short = case.whole_units(min(trials.length, 4 * (case.unit or trials.length)))
        contest = Contest(trials.measure, trials.clock, budget - 2.2 * probe.elapsed)
        trials.say = lambda text: progress.update(f"{trials.clock():.0f} of {budget:.0f} s: {text}")
        contest.trial(baseline)  # what a trial costs, before the first race
        search = Search(
            baseline, groups_of(plan, names), contest, progress.update, lambda one: one.beside(baseline)
        )
        found = search.run()
        advice = None if found.interrupted or "clusters" in names else cluster_advice(plan, contest, found)
        equal = None
        if not found.interrupted:
            progress.update("are the results the same to the bit?")
            equal = same_bits(runner, baseline, other_setting(found, baseline), short)
    result = result_of(found, trials, plan, probe, advice, equal)
    return finish(options, result, plan, found, folder, progress)


def refuse_few_cells(probe, plan, tries):
    cells = probe.report.get("cells") or probe.report.get("elements")
    most = max(tries.get("ranks", [probe.setting.ranks]))
    if cells and most > cells:
        refuse(
            "command line",
            "--try",
            f"ranks={most}",
            f"at most {cells}, one for each cell of {plan.case.path}",
        )


def other_setting(found, baseline):
    """The best where there is one, else whatever was tried last: a pair for the comparison of bits."""
    if found.best != baseline:
        return found.best
    tried = [one.setting for _, race in found.races for one in race.contestants if one.estimate is not None]
    return next((setting for setting in reversed(tried) if without_clusters(setting) != baseline), baseline)


def cluster_advice(plan, contest, found):
    """Other clusters of time steps, tried with what time is left: told, but not chosen, since results change with them."""
    settings, _ = clusters(plan, found.best)
    cost = contest.expected([found.best])
    if not settings or contest.left() < 3 * (len(settings) + 1) * cost:
        return None
    try:
        race = contest.race(found.best, settings, contest.budget)
    except KeyboardInterrupt:
        return None
    tried = [one for one in race.contestants[1:] if one.estimate is not None]
    if not tried:
        return None
    best = min(tried, key=lambda one: one.estimate.mean)
    return {
        "settings": best.setting.described(),
        "keys": dict(key for key in best.setting.keys if key not in found.best.keys),
        "gain": gain_of(best.estimate),
        "difference": best.outcome == WINS,
    }


def finish(options, result, plan, found, folder, progress):
    case, setting = plan.case, found.best
    about = [
        f"Found by groundswell tune for {case.path}: {plan.machine.mpi_name} {plan.machine.version}, {plan.cores} cores.",
        gain_text(result),
    ]
    written = [
        files.write(
            folder, "launch.sh", files.run_script(plan.launcher, setting, case, about), executable=True
        ),
        files.write(folder, "keys.toml", files.keys_text(setting.case_keys(), about)),
    ]
    if options.script:
        seconds = result["whole"]["best_seconds"]
        text = files.job_script(options.script, plan.launcher, setting, case, plan.machine, seconds, about)
        written.append(files.write(folder, f"job.{options.script}", text, executable=True))
    result["files"] = [str(path) for path in written]
    frame = envelope(result, plan.machine, "tune")
    if options.json == "-":
        print(json.dumps(frame, indent=1))
    else:
        if options.json:
            write_text(options.json, json.dumps(frame, indent=1) + "\n")
        progress.done("stopped" if found.interrupted else "done")
        print_summary(result)
    return INTERRUPTED if found.interrupted else 0


def gain_text(result):
    if not result["difference"]:
        return "No difference that trials could show to how it was run before."
    low, high = (100 * result["gain"][end] for end in ("low", "high"))
    return f"{low:.1f} to {high:.1f} % faster than {result['baseline']['launch']}"
