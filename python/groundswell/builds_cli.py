"""`groundswell proxy --compilers A,B`: the same proxy by several builds of the program, in turns, and which one is faster.

Every round runs each program once; the order turns from round to round, so that what the machine does meanwhile meets all alike.
A kernel of one round gives one ratio of medians. Of their logarithms follows an interval that holds the ratio of *all* kernels
together with a probability of 95 % (Student's t, Bonferroni's correction). Noise is seldom as even as that asks for, so the first
program runs twice in each round, and the ratios of the two are what noise can do. A build is called faster only where the interval
leaves out 1, all rounds say so, and the ratio is beyond every one of noise.
"""

import json
import math
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

from groundswell import report
from groundswell.arguments import command_parser
from groundswell.errors import refuse, run_command

CONFIDENCE = 0.95
TRAITS = ("name", "scheme", "bins", "order", "precision", "mechanisms", "friction", "cells", "threads")
EXAMPLES = """examples:
  groundswell proxy --compilers release,clang --cells 20000
  groundswell proxy --compilers build/release/bin/groundswell,build/clang/bin/groundswell --model quake --order 2,4,6
What is not listed here goes to `groundswell proxy` of each program."""


def parser():
    top = command_parser(
        prog="groundswell proxy --compilers",
        description="Compare builds of the program by their kernels: the first with each of the others.",
        epilog=EXAMPLES,
        allow_abbrev=False,
    )
    top.add_argument(
        "--compilers", required=True, metavar="A,B", help="programs, or presets of this source tree"
    )
    top.add_argument("--rounds", type=int, default=7, metavar="N", help="at least 5 (default 7)")
    top.add_argument("--json", metavar="FILE", help="the comparison as JSON; - prints it and nothing else")
    top.add_argument("--quiet", action="store_true", help="no progress")
    return top


def words_of(text, option):
    """Programs or presets, with commas between: two or more, each once."""
    words = [word for word in text.split(",") if word]
    if len(words) < 2 or len(set(words)) < len(words):
        refuse(
            "command line", option, text, "two or more builds of the program, each once, with commas between"
        )
    return words


def program_of(word, option="--compilers"):
    """The program that a path or the name of a preset means, and its version."""
    path = pathlib.Path(word)
    if re.fullmatch(r"[A-Za-z0-9_-]+", word) and not path.is_file():
        own = os.environ.get("GROUNDSWELL_PROGRAM")
        trees = (
            [pathlib.Path(own).resolve().parents[2]] if own and len(pathlib.Path(own).parts) > 3 else []
        ) + [pathlib.Path("build")]
        found = [tree / word / "bin" / "groundswell" for tree in trees]
        path = next((one for one in found if one.is_file()), found[0])
    expected = "a program groundswell, or a preset that was built: release, clang"
    if not path.is_file() or not os.access(path, os.X_OK):
        refuse("command line", option, word, f"{expected}; there is none at {path}")
    try:
        said = subprocess.run(
            [path.resolve(), "--version"], capture_output=True, text=True, timeout=60
        ).stdout
    except (OSError, subprocess.TimeoutExpired, UnicodeDecodeError):
        said = ""
    if not said.startswith("groundswell "):
        refuse("command line", option, word, f"{expected}; {path} does not say that it is one")
    return path.resolve(), said.strip()


def proxy(path, arguments, folder):
    """The rows of one proxy of a program."""
    target = pathlib.Path(folder, "proxy.json")
    done = subprocess.run([path, "proxy", *arguments, "--json", target], capture_output=True, text=True)
    if done.returncode != 0:
        sys.stderr.write(done.stderr)
        sys.exit(done.returncode)
    return json.loads(target.read_text(encoding="utf-8"))["result"]["kernels"]


def key_of(row):
    return tuple((trait, row[trait]) for trait in TRAITS if trait in row)


def interval(ratios, comparisons):
    """(ratio, low, high) by the logarithms of the rounds' ratios."""
    from scipy import stats

    logs = [math.log(one) for one in ratios]
    mean = statistics.fmean(logs)
    error = statistics.stdev(logs) / math.sqrt(len(logs))
    reach = error * stats.t.ppf(1 - 0.5 * (1 - CONFIDENCE) / comparisons, len(logs) - 1)
    return math.exp(mean), math.exp(mean - reach), math.exp(mean + reach)


def compare(rounds, names):
    """From rounds [round][program][row] the speed of every other program over the first one's, kernel by kernel. Behind the
    programs stands the first one once more."""
    common = [set(map(key_of, rows)) for programs in rounds for rows in programs]
    keys = [key for key in map(key_of, rounds[0][0]) if all(key in some for some in common)]
    seconds = [
        [{key_of(row): row["median_seconds"] for row in rows} for rows in programs] for programs in rounds
    ]
    found = []
    for other in range(1, len(names)):
        for key in keys:
            ratios = [programs[0][key] / programs[other][key] for programs in seconds]
            noise = max(abs(math.log(programs[0][key] / programs[-1][key])) for programs in seconds)
            ratio, low, high = interval(ratios, len(keys) * (len(names) - 1))
            is_beyond = abs(math.log(ratio)) > noise
            faster = None
            if is_beyond and low > 1 and min(ratios) > 1:
                faster = names[other]
            elif is_beyond and high < 1 and max(ratios) < 1:
                faster = names[0]
            found.append(
                {**dict(key), "program": names[other], "over": names[0], "speed_ratio": ratio}
                | {"low": low, "high": high, "noise": math.exp(noise), "faster": faster, "rounds": ratios}
            )
    return found


def table_of(comparison):
    rows = [["kernel", "kind", "cells", "threads", "program", "speed ratio", "from", "to", "noise", "faster"]]
    for one in comparison:
        kind = " ".join(str(one[k]) for k in ("scheme", "bins", "order", "precision") if k in one)
        numbers = [f"{one[k]:.3f}" for k in ("speed_ratio", "low", "high", "noise")]
        rows.append(
            [
                one["name"],
                kind,
                one["cells"],
                one["threads"],
                one["program"],
                *numbers,
                one["faster"] or "no difference",
            ]
        )
    return report.table(rows)


def command_line(arguments):
    options, passed = parser().parse_known_args(arguments)
    words = words_of(options.compilers, "--compilers")
    if options.rounds < 5:
        refuse("command line", "--rounds", options.rounds, "5 or more: fewer tell little of the noise")
    programs = [program_of(word) for word in words]
    progress = report.Progress(not options.quiet)
    rounds = []
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.rounds):
            rows = [None] * (len(words) + 1)  # the first program has a twin behind the others
            for i in range(len(rows)):
                which = (i + number) % len(rows)
                name = words[which % len(words)]
                progress.update(f"round {number + 1} of {options.rounds}: {name}")
                rows[which] = proxy(programs[which % len(words)][0], passed, folder)
            rounds.append(rows)
    progress.done(f"{options.rounds} rounds")
    comparison = compare(rounds, words)
    if not comparison:
        refuse("command line", "--compilers", options.compilers, "programs that time the same kernels")
    result = {
        "programs": [{"name": w, "path": str(p), "version": v} for w, (p, v) in zip(words, programs)],
        "confidence": CONFIDENCE,
        "comparison": comparison,
    }
    if options.json == "-":
        print(json.dumps(report.envelope("proxy builds", result), indent=1))
        return
    print(table_of(comparison))
    print(
        f"speed of each program over {words[0]}'s, {options.rounds} rounds; intervals hold all of them with "
        f"{100 * CONFIDENCE:.0f} %; noise: the widest ratio of {words[0]} to itself. Who is faster is said only where the interval "
        "leaves out 1, every round agrees, and the ratio is beyond noise"
    )
    if options.json:
        report.write_json(options.json, "proxy builds", result)


def main(arguments=None):
    return run_command(command_line, sys.argv[1:] if arguments is None else arguments)


if __name__ == "__main__":
    sys.exit(main())
