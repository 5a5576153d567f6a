#!/usr/bin/env python3
"""The validation book of the sea: runs its cases, judges them, draws them and writes docs/validation/sea.

    build/venv/bin/python tests/validation/sea/book.py                 all cases
    build/venv/bin/python tests/validation/sea/book.py fetch beach     these, the others stay as they were
    build/venv/bin/python tests/validation/sea/book.py --again fetch   judged and drawn anew from what its last runs left
    build/venv/bin/python tests/validation/sea/book.py --page          the page anew from results.json and what judges say, nothing runs

Ends with 1 where a score is outside its band that was within in results.json.

A case is a folder beside this file: `case.toml` and `mesh.toml` run by themselves, as those of cases/ do; `judge.py` says what is run
with which settings, and what has to come out (`case.py`). Meshes and output come into build/validation/sea.
"""

import argparse
import concurrent.futures
import datetime
import json
import os
import pathlib
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

import summary  # noqa: E402
from case import Case, machine  # noqa: E402
from page import ok, write_page  # noqa: E402

BOOK = HERE.parents[2] / "docs/validation/sea"
RESULTS = BOOK / "results.json"


def names():
    return sorted(path.parent.name for path in HERE.glob("*/judge.py"))


def known():
    return json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}


def can_run(name):
    """Whether what a case needs from outside the tree is there."""
    needed = getattr(Case(HERE / name).judging, "NEEDS", None)
    if needed is None or needed in os.environ:
        return True
    print(f"{name}: left out, {needed} is not set", flush=True)
    return False


def heading(case):
    return {"title": case.title, "text": case.text}


def measure(name, pool, again):
    """Runs a case, draws it, and gives what the page says of it."""
    begin = time.monotonic()
    case = Case(HERE / name)
    case.run(pool, again=again)
    scores = case.judge()
    case.draw(BOOK / f"{name}.png")
    timed = known().get(name, {}) if again else {}
    return {
        **heading(case),
        "scores": [score.as_dict() for score in scores],
        "seconds": timed.get("seconds", round(time.monotonic() - begin)),
        "runs": len(case.runs),
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d"),
        "machine": machine(),
    }


def record(name, result):
    """Puts a result into results.json, and into the summary that other programs read."""
    RESULTS.write_text(
        json.dumps({**known(), name: result}, indent=1, ensure_ascii=False, sort_keys=True) + "\n",
        encoding="utf-8",
    )
    # The summary's scores are right where their size is at most a limit: distance from the middle of the band.
    scores = []
    for score in result["scores"]:
        middle, half = 0.5 * (score["high"] + score["low"]), 0.5 * (score["high"] - score["low"])
        scores.append((score["name"], score["value"] - middle, half))
    passed = all(map(ok, result["scores"]))
    summary.record("sea", [{**summary.case(name, scores, result["title"]), "passed": passed}])
    return passed


def results():
    """What the page shows: results of the last runs, with the words that the judges have now."""
    return {name: known()[name] | heading(Case(HERE / name)) for name in names() if name in known()}


def within(result):
    return {score["name"] for score in result["scores"] if ok(score)}


def lost(before, result):
    """Scores outside their band that were within it in the result before; of a new case all that are outside."""
    named = {score["name"] for score in result["scores"]}
    return (named if before is None else named & within(before)) - within(result)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("case", nargs="*", choices=[[], *names()], help="cases; without any all of them")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="runs at once (default: cores)")
    parser.add_argument("--again", action="store_true", help="judge and draw what the last runs left")
    parser.add_argument(
        "--page", action="store_true", help="write the page from results.json and run nothing"
    )
    options = parser.parse_args()
    BOOK.mkdir(parents=True, exist_ok=True)
    failed = []
    if not options.page:
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for name in filter(can_run, options.case or names()):
                before = known().get(name)
                result = measure(name, pool, options.again)
                passed = record(name, result)
                failed += sorted(lost(before, result))
                print(
                    f"{name}: {'passed' if passed else 'not all within their bands'}, {result['seconds']} s",
                    flush=True,
                )
                for score in result["scores"]:
                    mark = " " if ok(score) else "*"
                    print(
                        f"  {mark} {score['name']}: {score['value']:.4g} ({score['low']:g} … {score['high']:g})"
                    )
    for name in failed:
        print(f"book.py: error: {name}: no longer within its band", file=sys.stderr)
    write_page(BOOK, results())
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
