#!/usr/bin/env python3
"""Does `groundswell tune` find what an exhaustive search finds? bench/tuning/exhaustive.py [FOLDER] → exhaustive.json

Every combination of a small set of settings is measured, --repeats times, in turns. Then `tune` searches the same set, --tunes times,
each in a fifth of that time. It is right where what it found is within 5 % of the best by the exhaustive search, or within the interval
that it states for what may remain; it is to be right in eight of ten. At last it is given settings that all do the same, and is to say
"no difference". About a quarter of an hour on two cores that do nothing else.
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


def exhaustive(options):
    """({setting: median seconds}, length simulated, seconds that it took)."""
    machine = this_machine()
    launcher = launcher_of(machine.mpi_name)
    case = with_steps(read_case(CASE), launcher.words(Setting(2, 1)))
    every = settings()
    with Runner(case, launcher, options.folder) as runner:
        length, _ = calibrate(case, Setting(2, 1), options.seconds, runner.run)
        begin, times = time.monotonic(), {setting: [] for setting in every}
        for number, order in zip(range(options.repeats), balanced_orders(len(every))):
            say(f"exhaustive search: round {number + 1} of {options.repeats}, {len(every)} settings")
            for index in order:
                trial = runner.run(every[index], length)
                if trial.problem:
                    raise SystemExit(f"{every[index]}: {trial.problem}")
                times[every[index]].append(trial.seconds * length / trial.simulated)
    return (
        {key(s.described()): statistics.median(v) for s, v in times.items()},
        length,
        time.monotonic() - begin,
    )


def tune(options, length, budget, *extra):
    report = options.folder / "tune.json"
    words = [sys.executable, "-m", "groundswell.tune_cli", CASE, "--simulate", f"{length:.9g}s", "--budget"]
    words += [f"{budget:.0f}s", "--json", report, "--output", options.folder / "tuned", "--quiet", *extra]
    words += ["--scratch", options.folder]
    subprocess.run([str(w) for w in words], env=environment(), stdout=subprocess.DEVNULL, check=True)
    return json.loads(report.read_text(encoding="utf-8"))["result"]


def search(options, medians, length, budget):
    best, rows = min(medians.values()), []
    space = ["--try", "ranks=2,1", "--try", "threads=1,2", "--try", f"binding={','.join(BINDINGS)}"]
    space += [
        "--try",
        f"halo.transport={','.join(TRANSPORTS)}",
        "--try",
        f"halo.progress={','.join(PROGRESS)}",
    ]
    for number in range(options.tunes):
        found = tune(options, length, budget, *space, "--groups", "ranks,binding,transport,progress")
        behind = medians[key(found["best"]["settings"])] / best - 1
        rows.append(
            {
                "settings": found["best"]["settings"],
                "behind": behind,
                "remaining": found["remaining"]["high"],
                "right": behind <= max(0.05, found["remaining"]["high"]),
                "within_5_percent": behind <= 0.05,
                "difference": found["difference"],
                "gain": found["gain"],
                "seconds": found["spent_seconds"],
            }
        )
        say(
            f"tune {number + 1}: {100 * behind:.1f} % behind the best, {100 * rows[-1]['remaining']:.1f} % undecided"
        )
    return rows


def parse():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", type=pathlib.Path, default=ROOT / "build/bench/tuning")
    parser.add_argument("--repeats", type=int, default=7, help="of every setting in the exhaustive search")
    parser.add_argument("--tunes", type=int, default=10)
    parser.add_argument("--equal", type=int, default=3, help="tunes of settings that are all equal")
    parser.add_argument("--seconds", type=float, default=0.6, help="of a trial, without its start-up")
    return parser.parse_args()


def main():
    options = parse()
    options.folder.mkdir(parents=True, exist_ok=True)
    medians, length, took = exhaustive(options)
    budget = took / 5
    say(f"exhaustive search: {took:.0f} s; each tune has {budget:.0f} s")
    rows = search(options, medians, length, budget)
    equal = [
        tune(options, length, budget, "--groups", "buffer", "--try", EQUAL)["difference"]
        for _ in range(options.equal)
    ]
    result = {
        "settings": medians,
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
        f"{result['right']} of {len(rows)} (within 5 % in {result['within_5_percent']}); equal settings called different: "
        f"{sum(equal)} of {len(equal)}"
    )
    return 0 if result["right"] >= 0.8 * len(rows) and not any(equal) else 1


if __name__ == "__main__":
    run_to_exit_code(main)
