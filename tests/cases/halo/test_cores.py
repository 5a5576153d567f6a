"""A run that does not get its cores says so: at the start in one line each, at the end before everything else."""

import json
import os
import signal
import subprocess
import threading
import time

import pytest
from launching import IS_OPEN_MPI, command_line, environment, groundswell, moment, swell_case, write_case

pytestmark = pytest.mark.alone
CPUS = sorted(os.sched_getaffinity(0))
MACHINE = os.cpu_count()
several_cores = pytest.mark.skipif(len(CPUS) < 2 or len(CPUS) < MACHINE, reason="needs all of several cores")


@pytest.fixture
def case(tmp_path, sphere_mesh):
    table = swell_case(sphere_mesh, hours=3)
    table["physics"] = {"package": "st4"}
    return write_case(tmp_path / "case.toml", table)


def run_on(cpus, case, *arguments, ranks, env=None):
    """`run` by ranks that may use these CPUs: its outcome and the result of its report."""
    folder = case.parent / "out"
    outcome = subprocess.run(
        command_line(["run", case, "--output", folder, "--overwrite", *arguments], ranks),
        env=environment(env),
        preexec_fn=lambda: os.sched_setaffinity(0, cpus),
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert outcome.returncode == 0, outcome.stderr
    return outcome, json.loads((folder / "run.json").read_text())["result"]


def assert_named_first(outcome, result, code, *words):
    """One warning at the start, and the same at the head of the summary and of the report's findings."""
    found = result["cores"]["findings"][0]
    assert found["code"] == code and found["fix"]
    for word in words:
        assert word in found["message"], (word, found["message"])
    lines = outcome.stderr.splitlines()
    said = [number for number, line in enumerate(lines) if found["message"] in line]
    assert len(said) == 1 and lines[said[0]].startswith("groundswell: warning: "), outcome.stderr
    assert found["fix"] in lines[said[0]]
    assert not any("sea cells" in line for line in lines[: said[0]]), "before anything is read"
    first, second = outcome.stdout.splitlines()[:2]
    assert first.startswith("what slowed it") and found["message"] in first
    assert found["fix"] in second
    assert result["limited_by"]["code"] == code, result["limited_by"]


@several_cores
def test_two_ranks_on_one_core(case):
    outcome, result = run_on(CPUS[:1], case, ranks=2)
    assert_named_first(outcome, result, "shared-core", "ranks 0 and 1", f"core {CPUS[0]}, while")


@several_cores
def test_two_threads_on_one_core(case):
    outcome, result = run_on(CPUS[:1], case, "--set", "run.threads=2", ranks=1)
    assert_named_first(outcome, result, "narrow-binding", "2 threads of rank 0", f"core {CPUS[0]} only")


def test_more_ranks_and_threads_than_cores(case):
    ranks = len(CPUS) + 1
    if MACHINE > len(CPUS) or ranks > 9:
        pytest.skip("too many cores")
    outcome, result = run_on(CPUS, case, "--set", "run.threads=2", ranks=ranks)
    assert_named_first(outcome, result, "oversubscribed", f"{ranks} ranks × 2 threads")


def test_omp_num_threads_is_not_what_counts(case):
    outcome, _ = run_on(CPUS, case, ranks=1, env={"OMP_NUM_THREADS": "3"})
    warnings = [line for line in outcome.stderr.splitlines() if "OMP_NUM_THREADS" in line]
    assert len(warnings) == 1 and "--set run.threads=3" in warnings[0], outcome.stderr
    outcome, _ = run_on(CPUS, case, ranks=1, env={"OMP_NUM_THREADS": "1"})
    assert "OMP_NUM_THREADS" not in outcome.stderr


@pytest.mark.skipif(len(CPUS) < 2, reason="one core only")
def test_a_launch_with_a_core_for_each_is_not_blamed(case):
    """Other programs may be at work here; nothing of what is known at the start may be said."""
    for ranks, arguments in ((2, ()), (1, ("--set", "run.threads=2"))):
        outcome, result = run_on(CPUS, case, *arguments, ranks=ranks)
        launch = {
            "oversubscribed",
            "shared-core",
            "narrow-binding",
            "shared-hardware-threads",
            "omp-num-threads",
        }
        assert not launch & {found["code"] for found in result["cores"]["findings"]}, outcome.stderr


def test_a_rank_that_is_stopped_half_of_the_time(case):
    """Whoever else is at work here: what stops it is not the others, who run while it does not want its core."""
    folder = case.parent / "out"
    hours = ["--set", f"time.end={moment(15)}"]
    process = subprocess.Popen(
        command_line(["run", case, "--output", folder, "--set", "time.source_step=5min", *hours]),
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )

    def stop_and_go():
        while process.poll() is None:
            for number in (signal.SIGSTOP, signal.SIGCONT):
                process.send_signal(number)
                time.sleep(0.02)

    threading.Thread(target=stop_and_go, daemon=True).start()
    summary, _ = process.communicate(timeout=300)
    assert process.returncode == 0
    result = json.loads((folder / "run.json").read_text())["result"]
    rank, host = result["ranks"][0], result["cores"]["hosts"][0]
    lost = (1 - rank["core_share"]) * (rank["phases"]["propagation"] + rank["phases"]["source"])
    stolen = host["stolen_cores"] * result["wall_seconds"]
    if result["wall_seconds"] < 1.0 or lost - rank["queue_seconds"] - stolen < 0.4 * lost:
        pytest.skip("too short, or the machine too busy for being stopped to be what matters")
    codes = [found["code"] for found in result["cores"]["findings"]]
    assert "stopped-ranks" in codes, result["cores"]
    assert "did not wait for one: something stops it" in summary


def test_phases_add_up_to_the_wall_clock(case):
    _, result = run_on(CPUS, case, ranks=2)
    assert len(result["ranks"]) == 2 and [rank["rank"] for rank in result["ranks"]] == [0, 1]
    for rank in result["ranks"]:
        running = sum(seconds for name, seconds in rank["phases"].items() if name != "setup")
        assert running == pytest.approx(result["wall_seconds"], rel=0.01, abs=0.05)
        assert rank["cores"] and rank["host"] and 0 <= rank["core_share"] <= 1
    assert sum(rank["cells"] for rank in result["ranks"]) == result["cells"]
    for name, phase in result["phases"].items():
        assert phase["max"] == pytest.approx(max(rank["phases"][name] for rank in result["ranks"]))


def test_phases_of_the_summary_are_sorted(case):
    outcome, result = run_on(CPUS, case, ranks=1)
    lines = outcome.stdout.splitlines()
    begin = next(i for i, line in enumerate(lines) if line.startswith("seconds over ranks"))
    end = next(i for i, line in enumerate(lines) if line.startswith("total"))
    means = [float(line.split()[2]) for line in lines[begin + 1 : end]]
    assert len(means) == len(result["phases"]) and means == sorted(means, reverse=True)
    assert float(lines[end].split()[1]) == pytest.approx(sum(means), abs=0.02)


@pytest.mark.skipif(not IS_OPEN_MPI, reason="the option is Open MPI's")
@several_cores
def test_doctor_names_the_core_and_the_host(tmp_path):
    outcome = subprocess.run(
        command_line(["doctor", "--no-speed", "--json", tmp_path / "d.json", "--folder", tmp_path], 2),
        env=environment(),
        preexec_fn=lambda: os.sched_setaffinity(0, CPUS[:1]),
        capture_output=True,
        text=True,
        timeout=120,
    )
    result = json.loads((tmp_path / "d.json").read_text())["result"]
    problem = next(each for each in result["problems"] if each["code"] == "shared-core")
    assert outcome.returncode == 1
    assert result["hosts"][0]["host"] in problem["message"] and f"core {CPUS[0]}" in problem["message"]
    assert [rank["cores"] for rank in result["ranks"]] == [str(CPUS[0])] * 2
    assert not any(each["code"] == "oversubscribed" for each in result["problems"])


def test_doctor_counts_threads_against_the_cores_of_the_job(tmp_path):
    report = tmp_path / "d.json"
    groundswell(
        *("doctor", "--no-speed", "--threads", MACHINE + 1, "--json", report, "--folder", tmp_path), ranks=1
    )
    codes = [each["code"] for each in json.loads(report.read_text())["result"]["problems"]]
    assert "oversubscribed" in codes
