#!/usr/bin/env python3
"""Does `groundswell tune` find what an exhaustive search finds? bench/tuning/exhaustive.py [FOLDER] → exhaustive.json

Every combination of a small set of settings is measured, --repeats times, in turns. Then `tune` searches the same set, --tunes times,
each in a fifth of that time, beginning with one core. The least of many medians is less than any setting takes by chance alone, so what
was found is then measured once more, in turns with the best of the exhaustive search. `tune` is right where what it found is within 5 % of
that, or within the interval that it states for what may remain; it is to be right in eight of ten. At last it is given settings
that all do the same, and is to say "no difference". About twenty minutes on two cores that do nothing else.
"""

import argparse
import itertools
import json
import pathlib
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "python")]

from evaluation import run_to_exit_code, say  # noqa: E402
from tour import environment  # noqa: E402

from groundswell.trials.case import read_case, with_steps  # noqa: E402
from groundswell.trials.launcher import launcher_of  # noqa: E402
from groundswell.trials.length import calibrate  # noqa: E402
from groundswell.trials.machine import this_machine  # noqa: E402
from groundswell.trials.order import balanced_orders  # noqa: E402
from groundswell.trials.runner import Runner  # noqa: E402
from groundswell.trials.setting import Setting  # noqa: E402

CASE = ROOT / "cases/quake/plane-wave/case.toml"
SPLITS = ((2, 1), (1, 2), (1, 1))
BINDINGS = ("close", "none")
TRANSPORTS = ("auto", "shared", "posted", "neighbor", "datatypes")
PROGRESS = ("none", "polling")
EQUAL = "output.buffer=64 MiB,65 MiB,66 MiB,67 MiB"  # no mode of this case keeps anything in a buffer


def settings():
    """All; what concerns messages only where there are some."""
    found = []
    for (ranks, threads), binding in itertools.product(SPLITS, BINDINGS):
        plain = Setting(ranks, threads, binding)
        if ranks == 1:
            found.append(plain)
            continue
        for transport, progress in itertools.product(TRANSPORTS, PROGRESS):
            found.append(plain.with_keys(halo__transport=transport, halo__progress=progress))
    return found


def key(described):
    """A setting as both sides name it: without keys at the case's own values, and for one rank without those of messages."""
    plain = {"halo.transport": "auto", "halo.progress": "none"}
    alone = described["ranks"] == 1
    kept = {name: value for name, value in described.items() if plain.get(name) != value}
    return json.dumps(
        {n: v for n, v in kept.items() if not (alone and n.startswith("halo."))}, sort_keys=True
    )


def measured(runner, every, repeats, length, what):
    """{setting: seconds of each round}, in an order that is balanced over the rounds."""
    times = {setting: [] for setting in every}
    for number, order in zip(range(repeats), balanced_orders(len(every))):
        say(f"{what}: round {number + 1} of {repeats}, {len(every)} settings")
        for index in order:
            trial = runner.run(every[index], length)
            if trial.problem:
                raise SystemExit(f"{every[index]}: {trial.problem}")
            times[every[index]].append(trial.seconds * length / trial.simulated)
    return times


def exhaustive(options, runner, case):
    """({setting: median seconds}, {its name: setting}, length simulated, seconds that it took)."""
    every = settings()
    length, _ = calibrate(case, Setting(2, 1), options.seconds, runner.run)
    begin = time.monotonic()
    times = measured(runner, every, options.repeats, length, "exhaustive search")
    medians = {key(setting.described()): statistics.median(values) for setting, values in times.items()}
    return medians, {key(setting.described()): setting for setting in every}, length, time.monotonic() - begin


def tune(options, length, budget, *extra):
    report = options.folder / "tune.json"
    words = [sys.executable, "-m", "groundswell.tune_cli", CASE, "--simulate", f"{length:.9g}s", "--budget"]
    words += [f"{budget:.0f}s", "--json", report, "--output", options.folder / "tuned", "--quiet", *extra]
    words += ["--scratch", options.folder]
    subprocess.run([str(w) for w in words], env=environment(), stdout=subprocess.DEVNULL, check=True)
    return json.loads(report.read_text(encoding="utf-8"))["result"]


def search(options, length, budget):
    space = ["--try", "ranks=2,1", "--try", "threads=1,2", "--try", f"binding={','.join(BINDINGS)}"]
    space += [
        "--try",
        f"halo.transport={','.join(TRANSPORTS)}",
        "--try",
        f"halo.progress={','.join(PROGRESS)}",
    ]
    space += ["--groups", "ranks,binding,transport,progress", "--baseline", "1x1"]
    rows = []
    for number in range(options.tunes):
        found = tune(options, length, budget, *space)
        rows.append(
            {
                "settings": found["best"]["settings"],
                "remaining": found["remaining"]["high"],
                "difference": found["difference"],
                "gain": found["gain"],
                "seconds": found["spent_seconds"],
            }
        )
        say(f"tune {number + 1}: {key(rows[-1]['settings'])}, {100 * rows[-1]['remaining']:.0f} % undecided")
    return rows


def judge(options, runner, rows, medians, named, length):
    """Distance of each finding from the best of the exhaustive search: both measured once more, in turns."""
    best = min(medians, key=medians.get)
    found = list(dict.fromkeys([best, *(key(row["settings"]) for row in rows)]))
    times = measured(
        runner, [named[name] for name in found], options.checks, length, "findings beside the best"
    )
    for row in rows:
        mine, its = times[named[key(row["settings"])]], times[named[best]]
        row["behind"] = statistics.median(a / b for a, b in zip(mine, its)) - 1
        row["within_5_percent"] = row["behind"] <= 0.05
        row["right"] = row["behind"] <= max(0.05, row["remaining"])
    return best


def parse():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", type=pathlib.Path, default=ROOT / "build/bench/tuning")
    parser.add_argument("--repeats", type=int, default=7, help="of every setting in the exhaustive search")
    parser.add_argument("--tunes", type=int, default=10)
    parser.add_argument("--equal", type=int, default=3, help="tunes of settings that are all equal")
    parser.add_argument("--checks", type=int, default=15, help="rounds in which findings run beside the best")
    parser.add_argument("--seconds", type=float, default=1.2, help="of a trial, without its start-up")
    return parser.parse_args()


def main():
    options = parse()
    options.folder.mkdir(parents=True, exist_ok=True)
    launcher = launcher_of(this_machine().mpi_name)
    case = with_steps(read_case(CASE), launcher.words(Setting(2, 1)))
    with Runner(case, launcher, options.folder) as runner:
        medians, named, length, took = exhaustive(options, runner, case)
        budget = took / 5
        say(f"exhaustive search: {took:.0f} s; each tune has {budget:.0f} s")
        rows = search(options, length, budget)
        best = judge(options, runner, rows, medians, named, length)
    equal = [
        tune(options, length, budget, "--groups", "buffer", "--try", EQUAL)["difference"]
        for _ in range(options.equal)
    ]
    result = {
        "settings": medians,
        "best": best,
        "simulated_seconds": length,
        "exhaustive_seconds": took,
        "budget_seconds": budget,
        "tunes": rows,
        "right": sum(row["right"] for row in rows),
        "within_5_percent": sum(row["within_5_percent"] for row in rows),
        "of": len(rows),
        "equal_called_different": sum(equal),
        "equal_of": len(equal),
    }
    (options.folder / "exhaustive.json").write_text(json.dumps({"result": result}, indent=1) + "\n")
    print(
        f"{len(medians)} settings, {options.repeats} times each: {took:.0f} s; tune, in {budget:.0f} s: right in "
        f"{result['right']} of {len(rows)} (within 5 % in {result['within_5_percent']}, {100 * max(row['behind'] for row in rows):.1f} % "
        f"behind the best at most); equal settings called different: "
        f"{sum(equal)} of {len(equal)}"
    )
    return 0 if result["right"] >= 0.8 * len(rows) and not any(equal) else 1


if __name__ == "__main__":
    run_to_exit_code(main)
