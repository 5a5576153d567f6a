"""Several runs from one folder at the same time do not disturb each other."""

import json
import os
import pathlib

import pytest
from launching import (
    assert_same,
    finish,
    left_in_shared_memory,
    ours_in_shared_memory,
    refused,
    run,
    start,
    swell_case,
    write_case,
)

RESTART = "restart_20240906T030000.nc"


@pytest.fixture(scope="module")
def case(tmp_path_factory, coast_mesh):
    table = swell_case(coast_mesh, hours=3, centre=(112.0, 17.0), radius=400.0)
    table["output"]["map"][0]["every"] = "30min"
    table["output"]["restart"] = {"every": "3h"}
    return write_case(tmp_path_factory.mktemp("together") / "case.toml", table)


@pytest.mark.parametrize("transport", ["shared", "posted"])
def test_runs_into_different_folders(case, tmp_path, transport):
    """Three at once, of two ranks each: each is what it would be alone, and leaves nothing but its output."""
    beside, before = set(os.listdir(case.parent)), ours_in_shared_memory()
    run(case, "--output", tmp_path / "alone", ranks=2)
    settings = ("--quiet", "--set", f"halo.transport={transport}")
    runs = [start("run", case, "--output", tmp_path / str(i), *settings, ranks=2) for i in range(3)]
    for i, process in enumerate(runs):
        outcome = finish(process)
        assert outcome.code == 0, outcome.stderr
        assert_same(tmp_path / str(i), tmp_path / "alone", ["swell.nc", RESTART])
        assert sorted(os.listdir(tmp_path / str(i))) == sorted(["swell.nc", "run.json", RESTART])
    assert set(os.listdir(case.parent)) == beside and not left_in_shared_memory(before)


def test_both_models_from_one_folder(case, tmp_path):
    """A wave run and an earthquake run beside each other, and two of the earthquake."""
    quake = pathlib.Path(__file__).resolve().parents[3] / "cases/quake/plane-wave/case.toml"
    short = ("--quiet", "--set", "time.end=0.05s")
    runs = [start("run", quake, "--output", tmp_path / str(i), *short, ranks=2) for i in range(2)]
    runs.append(start("run", case, "--output", tmp_path / "sea", "--quiet", ranks=1))
    for process in runs:
        outcome = finish(process)
        assert outcome.code == 0, outcome.stderr
    files = [name for name in os.listdir(tmp_path / "0") if name.endswith(".nc")]
    assert files
    assert_same(tmp_path / "1", tmp_path / "0", files)


@pytest.mark.parametrize("exists", [pytest.param(True, marks=pytest.mark.long), False])
def test_of_two_runs_into_one_folder_one_is_refused(case, tmp_path, exists):
    """Started in the same moment, whether the folder is there or not: one ends well, the other names it."""
    folder = tmp_path / "out"
    if exists:
        folder.mkdir()
    slow = {"GROUNDSWELL_TEST_DISK": "40kB/s"}
    outcomes = [
        finish(process)
        for process in [
            start("run", case, "--output", folder, "--overwrite", "--quiet", env=slow) for _ in range(2)
        ]
    ]
    good, bad = sorted(outcomes, key=lambda outcome: outcome.code)
    assert good.code == 0, good.stderr
    refused(bad, str(folder), "no other run writes to")
    assert json.loads((folder / "run.json").read_text())["result"]["steps"] > 0
