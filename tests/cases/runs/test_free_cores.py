"""Cores on which nothing computes: what was asked is what the threads of a run get, and what cannot be is refused."""

import json
import os
import pathlib
import time

import pytest
from launching import (
    HAS_PNETCDF,
    IS_OPEN_MPI,
    assert_same,
    finish,
    groundswell,
    rank_processes,
    refused,
    run,
    start,
    swell_case,
    write_case,
)

CPUS = sorted(os.sched_getaffinity(0))
two_cores = pytest.mark.skipif(len(CPUS) != 2 or os.cpu_count() != 2, reason="written for two cores")


@pytest.fixture(scope="module")
def case(tmp_path_factory, coast_mesh):
    table = swell_case(coast_mesh, hours=6, centre=(112.0, 17.0), radius=400.0)
    table["output"]["map"][0]["every"] = "30min"
    return write_case(tmp_path_factory.mktemp("free") / "case.toml", table)


def sets(**keys):
    return [word for key, value in keys.items() for word in ("--set", f"{key.replace('__', '.')}={value}")]


def result_of(folder):
    return json.loads((folder / "run.json").read_text())["result"]


@two_cores
@pytest.mark.parametrize(
    ("asked", "free"), [("1", CPUS[1]), (f'["{CPUS[0]}"]', CPUS[0]), (f"[{CPUS[1]}]", CPUS[1])]
)
def test_threads_keep_off_and_the_communication_thread_gets_it(case, tmp_path, asked, free):
    run(case, "--output", tmp_path / "plain", ranks=1)
    keys = sets(run__free_cores=asked, halo__progress="thread")
    outcome = groundswell("run", case, "--output", tmp_path / "free", *keys, ranks=1)
    assert outcome.code == 0, outcome.stderr
    other = CPUS[0] if free == CPUS[1] else CPUS[1]
    told = [line for line in outcome.stderr.splitlines() if "kept free" in line]
    assert len(told) == 1 and f"cores {free} of" in told[0] and f"compute on {other}" in told[0]
    assert "halo.progress" not in outcome.stderr
    result = result_of(tmp_path / "free")
    assert result["cores"]["hosts"][0]["free_cores"] == str(free)
    assert result["ranks"][0]["cores"] == result["cores"]["hosts"][0]["cores"] == str(other)
    assert result["exchange"]["thread_cores"] == 1
    assert "free-core-used" not in {found["code"] for found in result["cores"]["findings"]}
    assert_same(tmp_path / "free", tmp_path / "plain", ["swell.nc"])


@two_cores
def test_none_are_kept_free(case, tmp_path):
    keys = sets(run__free_cores=0, halo__progress="thread")
    outcome = groundswell("run", case, "--output", tmp_path, *keys, ranks=1)
    assert outcome.code == 0 and "run.free_cores = 0" in outcome.stderr, outcome.stderr
    assert result_of(tmp_path)["exchange"]["thread_cores"] == 0


def where_threads_may_run(process):
    """CPUs of each thread of each rank."""
    found = {}
    for pid in rank_processes(process):
        for status in pathlib.Path(f"/proc/{pid}/task").glob("*/status"):
            try:
                text = status.read_text()
            except OSError:
                continue  # it has just ended
            lines = dict(line.split(":\t", 1) for line in text.splitlines() if ":\t" in line)
            found.setdefault(pid, {})[int(status.parent.name)] = lines["Cpus_allowed_list"]
    return found


def wait_until_bound(process, wanted, seconds=60):
    """Until the main threads of the ranks may run there, and there alone."""
    limit = time.monotonic() + seconds
    while time.monotonic() < limit and process.poll() is None:
        found = where_threads_may_run(process)
        if sorted(threads.get(pid, "") for pid, threads in found.items()) == sorted(wanted):
            return found
        time.sleep(0.02)
    raise AssertionError(
        f"{found}, not {wanted}: {finish(process, 1 if process.poll() is None else 10).stderr}"
    )


@two_cores
def test_a_server_goes_to_the_free_core(case, tmp_path):
    keys = sets(run__free_cores=1, output__mode="servers")
    slow = {"GROUNDSWELL_TEST_DISK": "100kB/s"}
    process = start("run", case, "--output", tmp_path, "--quiet", *keys, ranks=2, env=slow)
    wait_until_bound(process, [str(CPUS[0]), str(CPUS[1])])
    outcome = finish(process)
    assert outcome.code == 0, outcome.stderr
    result = result_of(tmp_path)
    assert result["ranks"][0]["cores"] == str(CPUS[0])
    assert result["cores"]["hosts"][0]["free_cores"] == str(CPUS[1])


@two_cores
@pytest.mark.skipif(not IS_OPEN_MPI, reason="the setting is Open MPI's")
def test_a_run_names_a_server_that_spins(case, tmp_path):
    """Two ranks compute on two cores and a third one writes, with a library that keeps cores busy."""
    env = {"OMPI_MCA_mpi_yield_when_idle": "0"}
    short = sets(output__mode="servers", time__end="2024-09-06T00:30:00Z")
    outcome = groundswell("run", case, "--output", tmp_path / "spins", *short, ranks=3, env=env)
    assert outcome.code == 0, outcome.stderr
    assert result_of(tmp_path / "spins")["cores"]["findings"][0]["code"] == "spinning-servers"
    assert (
        outcome.stdout.startswith("what slowed it")
        and "mpi_yield_when_idle" in outcome.stdout.splitlines()[1]
    )
    run(case, "--output", tmp_path / "yields", *short, ranks=3)
    codes = {found["code"] for found in result_of(tmp_path / "yields")["cores"]["findings"]}
    assert "spinning-servers" not in codes


@two_cores
@pytest.mark.skipif(not HAS_PNETCDF, reason="threads write with PnetCDF")
def test_the_writer_thread_gets_it_too(case, tmp_path):
    keys = sets(run__free_cores=1, output__mode="thread")
    slow = {"GROUNDSWELL_TEST_DISK": "100kB/s"}
    process = start("run", case, "--output", tmp_path, *keys, ranks=1, env=slow)
    wait_until_bound(process, [str(CPUS[0])])
    limit, seen = time.monotonic() + 30, set()
    while str(CPUS[1]) not in seen and process.poll() is None and time.monotonic() < limit:
        for threads in where_threads_may_run(process).values():
            seen |= set(threads.values())
    outcome = finish(process)
    assert outcome.code == 0 and "writer thread:" not in outcome.stderr, outcome.stderr
    assert str(CPUS[1]) in seen


REFUSED = {
    "more than a rank has": ("2", 1, ["at most 1", "cores"]),
    "more than ranks that share cores have": ("1", 2, ["at most 0", "compute with 2 threads"]),
    "a core that is not there": ('["7000"]', 1, ["cores of this job", "not 7000"]),
    "one core twice": (f'["{CPUS[0]}", "{CPUS[0]}"]', 2, ["each core once", f"{CPUS[0]} stands there twice"]),
    "too few lists": (f'["{CPUS[0]}"]', 2, ["each of the 2 ranks"]),
    "all cores": (f'["{CPUS[0]}-{CPUS[-1]}"]', 1, ["fewer cores", "1 threads would have none"]),
    "no number": ("-1", 1, ["a number of cores"]),
    "half a core": ("0.5", 1, ["a number of cores"]),
    "a word": ("many", 1, ['"auto"']),
    "an empty list": ("[]", 1, ["list"]),
    "no list of cores": ('["1-"]', 1, ['"1-" is no list of cores']),
}


@two_cores
@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_is_refused(case, tmp_path, what):
    value, ranks, words = REFUSED[what]
    outcome = groundswell("run", case, "--output", tmp_path / "no", *sets(run__free_cores=value), ranks=ranks)
    message = refused(outcome, "run.free_cores = ", "expected ", *words)
    assert message.startswith((str(case), "--set")), message
    assert not (tmp_path / "no").exists()


@two_cores
def test_the_other_model_has_the_key_too(tmp_path):
    quake = pathlib.Path(__file__).resolve().parents[3] / "cases/quake/plane-wave/case.toml"
    outcome = groundswell("run", quake, "--check", *sets(run__free_cores=9), "--output", tmp_path, ranks=1)
    refused(outcome, "run.free_cores = 9: expected at most 1")
    explained = groundswell("run", quake, "--explain", *sets(run__free_cores=1))
    assert any("free_cores" in line and "1" in line for line in explained.stdout.splitlines())
