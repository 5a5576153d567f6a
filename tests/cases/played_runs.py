"""Each run that a test makes, done once more on the played device, where it must write the same bits.

GROUNDSWELL_TEST_PLAYED=FILE has launching.py do so after every `groundswell run CASE` that succeeds, and gets a line for each in this
file; conftest.py prints their sum at the end. `make test-all` sets it for a phase of its own.
"""

import collections
import filecmp
import json
import os
import pathlib
import platform
import re
import shutil
import tempfile
import time

REPORT = os.environ.get("GROUNDSWELL_TEST_PLAYED")
SEEDS = 20
# The played device rounds after each product, as kernels for x86-64-v2 do: the earthquake has the bits of these.
if REPORT and platform.machine() == "x86_64":
    os.environ.setdefault("GROUNDSWELL_ISA", "v2")
# What docs/how-to/gpu.md says has no form for devices, as the refusals of the program have it.
NO_FORM = {
    "source terms of a program's own": r"source terms on a device",
    "faults that the processor solves, in too large registers": r"faults that the processor solves at this order",
}
# They hold times, or where a run has been.
NOT_COMPARED = {"run.json"}
# Seconds of computing, all ranks together: the played device, which changes from lane to lane, takes a hundred times as long and more.
LARGE = 0.1
PATIENCE = 600


def wanted(arguments, env):
    words = list(map(str, arguments))
    runs_a_case = (
        words[:1] == ["run"]
        and not {"--check", "--explain"} & set(words)
        and len(words) > 1
        and not words[1].startswith("-")
    )
    return bool(REPORT) and runs_a_case and "GROUNDSWELL_PLAYED_DEVICE" not in (env or {})


def twice(answer, arguments, env, cwd):
    """What answer(arguments, env) is on the processor; a run that succeeds is repeated on the device."""
    words, env = list(map(str, arguments)), dict(env or {})
    folder = option(words, "--output") or pathlib.Path(words[1]).parent / "output"
    here = pathlib.Path(cwd or ".", folder).absolute()
    with tempfile.TemporaryDirectory(prefix="groundswell-played-") as place:
        there = pathlib.Path(place, "output")
        if here.is_dir():  # that a run goes on from, or replaces
            shutil.copytree(here, there, symlinks=True, ignore=special)
        outcome = answer(arguments, env)
        if outcome.code == 0:
            repeat(answer, words, env, here, there)
    return outcome


def repeat(answer, words, env, here, there):
    seed = len(report_lines()) % SEEDS + 1
    line = {"seed": seed, "test": os.environ.get("PYTEST_CURRENT_TEST", "")}
    report = json.loads((here / "run.json").read_text())
    computing = report["result"]["computation_seconds"]["mean"] * report["machine"]["ranks"]
    line["computing"] = round(computing, 3)
    if not any(path.is_file() and path.name not in NOT_COMPARED for path in here.rglob("*")):
        return note(line, "not repeated: it writes no file to compare")
    if computing > LARGE:
        return note(line, f"not repeated: more than {LARGE} s of computing")
    if env.get("GROUNDSWELL_ISA", "v2") != "v2":
        return note(line, "not repeated: by kernels of another kind of processor")
    begin = time.monotonic()
    repeated = answer(
        words_there(words, here, there), env | {"GROUNDSWELL_PLAYED_DEVICE": str(seed)}, seconds=PATIENCE
    )
    line["device"] = round(time.monotonic() - begin, 2)
    if repeated.code == 2:
        reasons = [name for name, said in NO_FORM.items() if re.search(said, repeated.stderr)]
        if reasons:
            return note(line, f"refused: {reasons[0]}")
    fault = repeated.stderr if repeated.code != 0 else difference(answer, here, there, words)
    note(line, "not the same" if fault else "same")
    assert not fault, f"on the played device of seed {seed}: {' '.join(words)}: {fault}"


def words_there(words, here, there):
    """A command on the device whose output, and restart file where it lies there, is in the other folder."""
    kept = []
    for before, word in zip(["", *words], words):
        if {before, word} & {"--output", "--json", "--timeline"}:
            continue
        path = pathlib.Path(word).absolute()
        kept.append(
            there / path.relative_to(here) if before == "--restart" and path.is_relative_to(here) else word
        )
    device = ("--set", "run.device=gpu", "--set", "run.ranks_of_gpu=64")
    return [*kept, "--output", there, *device]


def difference(answer, here, there, words):
    """Words on what is not the same in both folders, empty where all is."""
    told = {pathlib.Path(option(words, name) or "/none").absolute() for name in ("--json", "--timeline")}
    names = {
        path.relative_to(folder)
        for folder in (here, there)
        for path in folder.rglob("*")
        if path.is_file() and path.name not in NOT_COMPARED and path not in told
    }
    missing = [str(name) for name in names if not ((here / name).exists() and (there / name).exists())]
    if missing:
        return f"not in both folders: {missing}"
    unlike = [name for name in sorted(names) if not filecmp.cmp(here / name, there / name, shallow=False)]
    other = [str(name) for name in unlike if name.suffix != ".nc" or len(name.parts) > 1]
    if other or not unlike:
        return f"other bytes: {other}" if other else ""
    compared = answer(
        ("compare", here, there, *(word for name in unlike for word in ("--file", name))), {}, ranks=0
    )
    return "" if compared.code == 0 else compared.stdout + compared.stderr


def option(words, name):
    return words[words.index(name) + 1] if name in words else None


def special(folder, names):
    return [
        name for name in names if not (path := pathlib.Path(folder, name)).is_file() and not path.is_dir()
    ]


def report_lines():
    report = pathlib.Path(REPORT)
    return [json.loads(line) for line in report.read_text().splitlines()] if report.exists() else []


def note(line, answer):
    with open(REPORT, "a") as report:
        report.write(json.dumps(line | {"answer": answer}) + "\n")


def summary():
    """Lines on all that the report holds."""
    lines = report_lines()
    counts = collections.Counter(line["answer"] for line in lines)
    seeds = {line["seed"] for line in lines if line["answer"] == "same"}
    return [*(f"{number:5} {answer}" for answer, number in counts.most_common()), f"{len(seeds):5} seeds"]
