#!/usr/bin/env python3
"""What `make validate` found, for other programs: build/validation/sea/summary.json and build/validation/quake/summary.json.

    {"cases": [{"name": …, "passed": …, "scores": [{"name": …, "value": …, "limit": …, "reference": …}]}]}

A score is as it should be where its value is at most its limit to either side. As a program it takes up the outcome of tests:

    build/venv/bin/python tests/validation/summary.py JUNIT.xml ...
"""

import json
import pathlib
import sys
import xml.etree.ElementTree

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "build/validation"
# Tests of the earthquake model by their files' names; the others are the sea's.
QUAKE = ("attenuation", "full_space", "plane_wave", "resolution", "stability")


def record(model, cases):
    """Puts cases in the place of those of the same name in the model's summary."""
    path = FOLDER / model / "summary.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    known = json.loads(path.read_text())["cases"] if path.exists() else []
    new = {case["name"] for case in cases}
    kept = [case for case in known if case["name"] not in new]
    path.write_text(json.dumps({"cases": [*kept, *cases]}, indent=1) + "\n", encoding="utf-8")


def case(name, scores, reference, passed=True):
    """One case from scores (name, value, limit); `passed`: whether all else is as it should be."""
    return {
        "name": name,
        "passed": bool(passed and all(abs(value) <= limit for _, value, limit in scores)),
        "scores": [
            {"name": what, "value": value, "limit": limit, "reference": reference}
            for what, value, limit in scores
        ],
    }


def of_tests(path):
    """By model, the cases of a JUnit file of ctest or pytest: the number of tests that failed, expected to be 0."""
    found = {"sea": [], "quake": []}
    for test in xml.etree.ElementTree.parse(path).iter("testcase"):
        name = test.get("name")
        if test.find("skipped") is not None or test.get("status") in ("disabled", "notrun"):
            continue
        failed = test.find("failure") is not None or test.find("error") is not None
        model = "quake" if any(word in name for word in QUAKE) else "sea"
        found[model].append(case(name, [("failed", int(failed), 0)], "the solution that the test names"))
    return found


def main():
    for path in map(pathlib.Path, sys.argv[1:]):
        if not path.exists():
            sys.exit(f"summary.py: error: {path}: expected a file of tests that have run")
        for model, cases in of_tests(path).items():
            record(model, cases)
    return 0


if __name__ == "__main__":
    sys.exit(main())
