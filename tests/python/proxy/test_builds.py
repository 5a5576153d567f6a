"""`groundswell proxy --compilers`: noise is never called a gain, a real one is found, and what is no program is refused."""

import json
import math
import random
import stat
import sys

import pytest

from groundswell import builds_cli


def rounds_of(factor, share, rounds, seed, kernels=8):
    """[round][program][row]: two programs, the second needing `factor` times as long, and the first once more, each with noise
    of its own: a share of its times is four times as long, as where another program takes the core."""
    chance = random.Random(seed)

    def row(kernel, times):
        disturbed = 4.0 if chance.random() < share else 1.0
        seconds = 1e-3 * (kernel + 1) * times * disturbed * math.exp(chance.gauss(0.0, 0.002))
        return {"name": f"k{kernel}", "cells": 512, "threads": 1, "median_seconds": seconds}

    return [[[row(k, times) for k in range(kernels)] for times in (1.0, factor, 1.0)] for _ in range(rounds)]


def test_equal_builds_are_called_equal():
    """Among 1000 comparisons of a build with itself where half of all times are disturbed; by the intervals alone a dozen would
    be called different."""
    wrong = 0
    for seed in range(1000):
        found = builds_cli.compare(rounds_of(1.0, 0.5, 5, seed), ["a", "b"])
        wrong += any(one["faster"] is not None for one in found)
    assert wrong <= 6


def test_a_faster_build_is_found_and_named():
    found = builds_cli.compare(rounds_of(0.7, 0.0, 7, 3), ["a", "b"])
    assert {one["faster"] for one in found} == {"b"}
    for one in found:
        assert one["low"] < 1 / 0.7 < one["high"]
    slower = builds_cli.compare(rounds_of(1.4, 0.0, 7, 2), ["a", "b"])
    assert {one["faster"] for one in slower} == {"a"}


def program(path, seconds, version="groundswell 1"):
    """A program that answers as groundswell does."""
    row = {"name": "propagation", "cells": 500, "threads": 1, "scheme": "upwind", "bins": 600}
    path.write_text(
        f"""#!{sys.executable}
import json, random, sys
if sys.argv[1:] == ["--version"]:
    print({version!r})
else:
    row = {{**{row!r}, "median_seconds": {seconds} * random.uniform(0.99, 1.01)}}
    json.dump({{"result": {{"kernels": [row], "said": sys.argv}}}}, open(sys.argv[-1], "w"))
"""
    )
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def test_programs_are_run_in_turns(tmp_path, capsys):
    fast, slow = program(tmp_path / "fast", 1.0), program(tmp_path / "slow", 2.0)
    arguments = [
        "--compilers",
        f"{slow},{fast}",
        "--rounds",
        "5",
        "--quiet",
        "--json",
        str(tmp_path / "b.json"),
    ]
    assert builds_cli.main([*arguments, "--cells", "500"]) == 0
    assert str(fast) in capsys.readouterr().out
    result = json.loads((tmp_path / "b.json").read_text())["result"]
    (one,) = result["comparison"]
    assert one["faster"] == str(fast) and one["speed_ratio"] == pytest.approx(2.0, rel=0.05)
    assert one["scheme"] == "upwind" and len(one["rounds"]) == 5


@pytest.mark.parametrize(
    "what", ["missing", "a folder", "not a program", "another program", "one alone", "a preset"]
)
def test_what_is_no_build_is_refused(tmp_path, capsys, what):
    good = program(tmp_path / "good", 1.0)
    other = program(tmp_path / "other", 1.0, "gnuplot 5")
    plain = tmp_path / "plain"
    plain.write_text("text")
    word = {
        "missing": tmp_path / "nothing",
        "a folder": tmp_path,
        "not a program": plain,
        "another program": other,
        "a preset": "no-such-preset",
    }.get(what)
    compilers = f"{good}" if word is None else f"{good},{word}"
    assert builds_cli.main(["--compilers", compilers]) == 2
    said = capsys.readouterr().err
    assert "--compilers" in said and "expected" in said and (word is None or str(word) in said)
