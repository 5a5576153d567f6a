"""What a run says of its halo exchange, and what it says to settings that cannot be."""

import json
import os
import re
import subprocess

import pytest
from launching import (
    command_line,
    environment,
    groundswell,
    refused,
    run,
    swell_case,
    write_case,
)

CPUS = sorted(os.sched_getaffinity(0))


@pytest.fixture
def case(tmp_path, coast_mesh):
    table = swell_case(coast_mesh, hours=1, centre=(112.0, 17.0), radius=400.0)
    table["propagation"]["scheme"] = "upwind"
    table["output"]["map"][0]["every"] = "1h"
    return write_case(tmp_path / "case.toml", table)


def sets(**settings):
    return [word for key, value in settings.items() for word in ("--set", f"halo.{key}={value}")]


def result_of(folder):
    return json.loads((folder / "run.json").read_text())["result"]


def is_statistic(value):
    return value.keys() == {"min", "mean", "max"} and 0 <= value["min"] <= value["mean"] <= value["max"]


def test_bytes_with_and_without_the_directions_that_nobody_needs(case, tmp_path):
    for directions in ("needed", "all"):
        arguments = sets(transport="posted", directions=directions)
        outcome = groundswell("run", case, "--output", tmp_path / directions, *arguments, ranks=3)
        assert outcome.code == 0, outcome.stderr
        assert ("of all directions" in outcome.stdout) == (directions == "needed"), outcome.stdout
    needed, whole = (result_of(tmp_path / name)["exchange"] for name in ("needed", "all"))
    assert needed["whole_bytes"] == whole["whole_bytes"] == whole["bytes"]
    # Half of the circle enters through one edge; a halo cell with three edges to a part needs 300 degrees.
    assert 0.5 < needed["bytes"] / needed["whole_bytes"] < 0.75
    assert needed["messages"] == whole["messages"] == 6  # each of three ranks sends to both others


def test_report_of_the_exchange(case, tmp_path):
    for progress in ("none", "polling", "thread"):
        folder = tmp_path / progress
        run(case, "--output", folder, *sets(transport="posted", progress=progress), ranks=2)
        exchange = result_of(folder)["exchange"]
        assert exchange["progress"] == progress
        for name in ("waiting_seconds", "waiting_alone_seconds", "polling_seconds", "thread_seconds"):
            assert is_statistic(exchange[name]), name
        assert exchange["waiting_alone_seconds"]["min"] > 0
        assert (exchange["polling_seconds"]["min"] > 0) == (progress == "polling")
        assert (exchange["thread_seconds"]["max"] > 0) == (progress == "thread")
        waited = 1 - exchange["waiting_seconds"]["mean"] / exchange["waiting_alone_seconds"]["mean"]
        assert result_of(folder)["hidden_share"] == pytest.approx(min(max(waited, 0), 1))


@pytest.mark.alone
def test_polling_hides_most_of_the_exchange(make_mesh, tmp_path):
    """Messages too long to travel by themselves: without polls they wait for the end of the computation."""
    table = swell_case(make_mesh("overlap", "--depth", "4000", "--icosahedron", "16"), hours=10)
    table["time"]["step"] = "30min"
    table["spectrum"] = {"directions": 36, "frequencies": 35}
    table["output"]["map"][0]["every"] = "10h"
    case = write_case(tmp_path / "case.toml", table)
    shares = []
    for attempt in range(5):  # where other programs run too, ranks wait for processors, not for messages
        shares.append({})
        for progress in ("none", "polling"):
            folder = tmp_path / f"{progress}-{attempt}"
            run(case, "--output", folder, *sets(transport="posted", progress=progress), ranks=2)
            shares[-1][progress] = result_of(folder)["hidden_share"]
        if shares[-1]["none"] < 0.5 < shares[-1]["polling"]:
            return
    raise AssertionError(f"hidden shares {shares}")


def test_moved_ranks_are_counted(case, tmp_path):
    env = {"GROUNDSWELL_TEST_REORDER": "rotate"}
    outcome = groundswell(
        "run", case, "--output", tmp_path / "moved", *sets(reorder="true"), ranks=3, env=env
    )
    assert outcome.code == 0 and "moved 3 of 3 ranks" in outcome.stderr, outcome.stderr
    assert result_of(tmp_path / "moved")["exchange"]["moved_ranks"] == 3


def on_cpus(cpus, case, folder, *arguments, ranks):
    """`run` by ranks that may use these CPUs."""
    command = command_line(["run", case, "--output", folder, *arguments], ranks)
    return subprocess.run(
        command,
        env=environment(),
        preexec_fn=lambda: os.sched_setaffinity(0, cpus),
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_a_communication_thread_without_a_free_core(case, tmp_path):
    """One warning, which says what would give it one; the run goes on."""
    outcome = on_cpus(CPUS[:1], case, tmp_path / "crowded", *sets(progress="thread"), ranks=2)
    assert outcome.returncode == 0, outcome.stderr
    warnings = [line for line in outcome.stderr.splitlines() if "warning" in line and "halo.progress" in line]
    assert len(warnings) == 1, outcome.stderr
    for word in ("halo.progress", "2 of the 2 ranks", f"cores {CPUS[0]},", "ranks × (threads + 1) = 4"):
        assert word in warnings[0], (word, warnings[0])
    assert result_of(tmp_path / "crowded")["exchange"]["thread_cores"] == 0


@pytest.mark.skipif(len(CPUS) < 2, reason="one core only")
def test_the_warning_names_the_cores_that_would_do(case, tmp_path):
    outcome = on_cpus(CPUS[:1], case, tmp_path / "bound", *sets(progress="thread"), ranks=1)
    assert outcome.returncode == 0, outcome.stderr
    assert "give each rank 2 cores" in outcome.stderr
    cores = re.search(r"run\.free_cores = (\[\"\d+\"\])", outcome.stderr).group(1)
    named = (*sets(progress="thread"), "--set", f"run.free_cores={cores}")
    outcome = on_cpus(CPUS[:1], case, tmp_path / "named", *named, ranks=1)
    assert outcome.returncode == 0 and "halo.progress" not in outcome.stderr, outcome.stderr
    assert result_of(tmp_path / "named")["exchange"]["thread_cores"] == 1


@pytest.mark.skipif(len(CPUS) < 2, reason="one core only")
def test_a_communication_thread_with_a_core_of_its_own(case, tmp_path):
    outcome = on_cpus(CPUS[:2], case, tmp_path / "alone", *sets(progress="thread"), ranks=1)
    assert outcome.returncode == 0 and "halo.progress" not in outcome.stderr, outcome.stderr
    assert result_of(tmp_path / "alone")["exchange"]["thread_cores"] == 1


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        (
            {"transport": "neighbour"},
            ["halo.transport", '"neighbour"', '"neighbor"', '"shared"', "did you mean"],
        ),
        ({"directions": "need"}, ["halo.directions", '"needed"']),
        ({"progress": "threads"}, ["halo.progress", '"thread"', '"polling"']),
        ({"reorder": "1"}, ["halo.reorder", "true or false"]),
    ],
)
def test_words_that_are_not_known(case, setting, said):
    refused(groundswell("run", case, "--check", *sets(**setting), ranks=2), *said)


def test_an_mpi_that_is_not_for_several_threads(case, tmp_path):
    env = {"GROUNDSWELL_TEST_MPI": "funneled"}
    arguments = ["run", case, "--output", tmp_path / "output"]
    outcome = groundswell(*arguments, *sets(progress="thread"), ranks=2, env=env)
    refused(outcome, "case.toml", "halo.progress", '"polling"', "MPI_THREAD_MULTIPLE", "MPI")
    assert groundswell(*arguments, *sets(progress="polling"), ranks=2, env=env).code == 0
