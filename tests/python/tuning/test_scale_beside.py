"""Reports of several machines side by side."""

import json

import pytest

from groundswell import report, scale_cli

SPEEDS = {(1, 1): 10e6, (2, 1): 18e6, (1, 2): 16e6, (4, 1): 30e6}


def count(ranks, threads, speed):
    cores = ranks * threads
    return {
        "ranks": ranks,
        "threads": threads,
        "cores": cores,
        "cells": 500,
        "updates_per_second": speed,
        "efficiency": speed / 10e6 / cores,
        "whole": {"seconds": 1e9 / speed, "core_hours": 1e9 / speed * cores / 3600},
    }


def write(path, cpu, speeds, **changes):
    result = {"case": "case.toml", "model": "sea", "weak": False, "whole_simulated_seconds": 3600.0}
    result["counts"] = [count(*pair, speed) for pair, speed in speeds.items()]
    frame = report.envelope("scale", result | changes)
    frame["machine"] |= {"cpu": cpu, "mpi": "Open MPI 4.1.4"}
    path.write_text(json.dumps(frame), encoding="utf-8")
    return str(path)


@pytest.fixture
def pair(tmp_path):
    twice = {(1, 1): 20e6, (2, 1): 27e6, (8, 1): 90e6}
    return write(tmp_path / "a.json", "one", SPEEDS), write(tmp_path / "b.json", "other", twice)


def test_each_count_of_either_has_a_row(pair, tmp_path, capsys):
    told = tmp_path / "beside.json"
    assert scale_cli.main(["--beside", *pair, "--json", str(told)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("A: one (") and lines[1].startswith("B: other (")
    rows = [line.split() for line in lines[3:]]
    assert [row[:3] for row in rows] == [
        [str(ranks), "×", str(threads)] for ranks, threads in ((1, 1), (1, 2), (2, 1), (4, 1), (8, 1))
    ]
    by_count = {(row[0], row[2]): row[3:6] for row in rows}
    assert by_count["1", "1"] == ["10", "20", "2.000"] and by_count["2", "1"] == ["18", "27", "1.500"]
    assert by_count["4", "1"] == ["30", "-", "-"] and by_count["8", "1"] == ["-", "90", "-"]
    result = json.loads(told.read_text())["result"]
    assert [one["label"] for one in result["machines"]] == ["one", "other"]
    assert result["counts"][0]["over_first"] == [1.0, 2.0] and result["counts"][-1]["over_first"] == [
        None,
        None,
    ]


def test_a_picture_of_both(pair, tmp_path):
    from matplotlib.image import imread

    path = tmp_path / "beside.png"
    assert scale_cli.main(["--beside", *pair, "--png", str(path)]) == 0
    assert imread(path).std() > 0.05


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"model": "quake"}, "result.model = quake: expected sea, as in"),
        ({"whole_simulated_seconds": 60.0}, "result.whole_simulated_seconds = 60.0: expected 3600.0"),
        ({"counts": [count(1, 1, 1e6) | {"cells": 7}]}, "result.counts[].cells = [7]: expected [500]"),
    ],
)
def test_other_cases_are_refused(pair, tmp_path, changes, said, capsys):
    other = write(tmp_path / "c.json", "third", SPEEDS, **changes)
    assert scale_cli.main(["--beside", pair[0], other]) == 2
    assert said in capsys.readouterr().err


def test_one_report_has_nothing_beside_it(pair, capsys):
    assert scale_cli.main(["--beside", pair[0]]) == 2
    assert "reports of two machines or more" in capsys.readouterr().err
