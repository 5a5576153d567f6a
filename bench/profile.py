#!/usr/bin/env python3
"""Cost of the profile of a run: bench/profile.py CASE.toml [--ranks 2] [--rounds 20] [--against PROGRAM].

Runs the case with this program, with --timeline, and with the program that --against names (built with
GROUNDSWELL_COUNT_MPI=OFF, or before a change), in turns: one of each a round, in an order that goes round. Prints how much longer
each takes than the first of them, as the median over rounds of the quotient within a round, with the interval that holds this
median with 95 % confidence, by the clock and by the time of all cores.
"""

import argparse
import pathlib
import resource
import statistics
import tempfile

from common import launch, program, read_json


def interval(values):
    """Median, and the two values between which that of the population lies with 95 % confidence, whatever its distribution."""
    ordered = sorted(values)
    number = len(ordered)
    reach = round(0.98 * number**0.5)
    low, high = max(0, number // 2 - reach), min(number - 1, (number - 1) // 2 + reach)
    return statistics.median(ordered), ordered[low], ordered[high]


def time_of(folder, ranks, binary, case, options):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    launch(ranks, binary, "run", case, "--output", folder, "--overwrite", "--quiet", *options)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = read_json(pathlib.Path(folder) / "run.json")["result"]
    return {
        "clock": result["wall_seconds"] + result["phases"]["setup"]["mean"],
        "cores": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
    }


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("case")
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--against", help="a program to compare with; it comes first")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        mine = program("groundswell")
        kinds = {"profile": (mine, []), "profile, timeline": (mine, ["--timeline", f"{folder}/trace.json"])}
        if options.against:
            kinds = {"against": (options.against, []), **kinds}
        names = list(kinds)
        times = {name: [] for name in names}
        for turn in range(options.rounds):
            for name in names[turn % len(names) :] + names[: turn % len(names)]:
                times[name].append(
                    time_of(folder, options.ranks, kinds[name][0], options.case, kinds[name][1])
                )
    for what in ("clock", "cores"):
        first = [one[what] for one in times[names[0]]]
        print(f"{names[0]:<20} {what}: {statistics.median(first):.3f} s, least {min(first):.3f} s")
        for name in names[1:]:
            quotients = [one[what] / base for one, base in zip(times[name], first, strict=True)]
            median, low, high = (100 * (value - 1) for value in interval(quotients))
            print(f"{name:<20} {what}: {median:+.2f} % ({low:+.2f} to {high:+.2f} %)")


if __name__ == "__main__":
    main()
