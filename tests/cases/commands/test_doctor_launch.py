"""What is wrong with how ranks were started: `doctor` and a run name it first, with the option that mends it, and name nothing
where nothing is wrong."""

import json
import os
import subprocess

import pytest
from launching import IS_OPEN_MPI, command_line, environment, groundswell, swell_case, write_case

CPUS = sorted(os.sched_getaffinity(0))
OF_THE_LAUNCH = {
    "cpu-quota",
    "far-memory",
    "few-open-files",
    "free-core-used",
    "idle-cores",
    "lazy-connections",
    "narrow-binding",
    "omp-num-threads",
    "oversubscribed",
    "ranks-across-domains",
    "scattered-ranks",
    "separate-runs",
    "shared-core",
    "shared-hardware-threads",
    "small-shared-memory",
    "spinning-servers",
}
two_cores = pytest.mark.skipif(len(CPUS) < 2, reason="one core only")
# 2 sockets of 4 NUMA domains of 4 cores each: 32 cores.
LARGE = "pack:2 numa:4 core:4 pu:1"
SMALL = {"GROUNDSWELL_TEST_MACHINE": "core:2 pu:1"}


def doctor(folder, *arguments, ranks, env=None, cpus=None):
    """The report, without measurements of speed, and its findings about the launch; other programs may be at work on this machine."""
    report = folder / "doctor.json"
    outcome = subprocess.run(
        command_line(["doctor", "--no-speed", "--folder", folder, "--json", report, *arguments], ranks),
        env=environment(env),
        preexec_fn=(lambda: os.sched_setaffinity(0, cpus)) if cpus else None,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert outcome.returncode in (0, 1), outcome.stderr
    result = json.loads(report.read_text())["result"]
    assert outcome.returncode == (1 if result["problems"] else 0)
    return result, [each for each in result["problems"] if each["code"] in OF_THE_LAUNCH]


DEFECTS = {
    "ranks in turn on two hosts": (
        "scattered-ranks",
        4,
        [],
        {"GROUNDSWELL_TEST_HOSTS": "2,round-robin", "GROUNDSWELL_TEST_MACHINE": "core:2 pu:1;core"},
    ),
    "ranks anywhere on two hosts": (
        "scattered-ranks",
        4,
        [],
        {"GROUNDSWELL_TEST_HOSTS": "2,random", "GROUNDSWELL_TEST_MACHINE": "core:2 pu:1;core"},
    ),
    "threads of each rank on one core": (
        "narrow-binding",
        2,
        ["--threads", "16"],
        {"GROUNDSWELL_TEST_MACHINE": LARGE + ";core"},
    ),
    "twice as many threads as cores": (
        "oversubscribed",
        4,
        ["--threads", "16"],
        {"GROUNDSWELL_TEST_MACHINE": LARGE + ";domain"},
    ),
    "an eighth of the cores": (
        "idle-cores",
        4,
        ["--threads", "1"],
        {"GROUNDSWELL_TEST_MACHINE": LARGE + ";core"},
    ),
    "ranks that may run on both sockets": (
        "ranks-across-domains",
        2,
        ["--threads", "16"],
        {"GROUNDSWELL_TEST_MACHINE": LARGE + ";none"},
    ),
    "a small /dev/shm": ("small-shared-memory", 2, [], {"GROUNDSWELL_TEST_SHM": "32MB", **SMALL}),
    "OMP_NUM_THREADS": ("omp-num-threads", 1, [], {"OMP_NUM_THREADS": "2", **SMALL}),
}


@two_cores
@pytest.mark.parametrize("defect", DEFECTS)
def test_a_planted_defect_is_named_first(tmp_path, defect):
    code, ranks, arguments, env = DEFECTS[defect]
    _, problems = doctor(tmp_path, *arguments, ranks=ranks, env=env)
    assert [each["code"] for each in problems] == [code], problems
    assert problems[0]["message"] and problems[0]["fix"]


@pytest.mark.skipif(not IS_OPEN_MPI, reason="the settings are Open MPI's")
@two_cores
def test_a_server_that_spins(tmp_path):
    """Two ranks compute on two cores, and a third one writes: it works only where they give their cores away."""
    env = {"OMPI_MCA_mpi_yield_when_idle": "0"}
    _, problems = doctor(tmp_path, "--servers", "1", ranks=len(CPUS) + 1, env=env)
    assert [each["code"] for each in problems] == ["spinning-servers"], problems
    assert "mpirun --mca mpi_yield_when_idle 1" in problems[0]["fix"]
    result, problems = doctor(tmp_path, "--servers", "1", ranks=len(CPUS) + 1)
    assert problems == []
    assert [rank["serves"] for rank in result["ranks"]].count(True) == 1


@two_cores
def test_threads_on_one_core_of_this_machine(tmp_path):
    if len(CPUS) < os.cpu_count():
        pytest.skip("needs all cores")
    result, problems = doctor(tmp_path, "--threads", "2", ranks=1, cpus=CPUS[:1])
    assert [each["code"] for each in problems] == ["narrow-binding"]
    assert result["ranks"][0]["threads"] == [str(CPUS[0])] * 2


HEALTHY = [
    (1, 1, "", ()),
    (1, 2, "", ()),
    (2, 1, "", ()),
    (1, 1, "", ("--free-cores", "1")),
    (2, 1, "1", ()),
    (1, 1, "pack:1 core:2 pu:1;core", ()),
    (2, 1, "pack:1 core:2 pu:1;core", ()),
    (1, 2, "pack:1 core:2 pu:1;threads", ()),
    (4, 8, LARGE + ";threads", ()),
    (4, 4, LARGE + ";threads", ()),
    (2, 16, LARGE + ";threads", ()),
    (1, 32, LARGE + ";threads", ()),
    (4, 4, LARGE + ";domain", ()),
    (2, 8, "numa:2 core:8 pu:1;domain", ()),
    (2, 8, "numa:2 core:8 pu:2;threads", ()),
    (4, 2, "core:8 pu:1", ()),
    (3, 2, "core:6 pu:1", ()),
    (4, 1, "core:4 pu:1;core", ()),
    (4, 1, "core:4 pu:2", ()),
    (3, 4, "numa:3 core:4 pu:1;domain", ()),
]


@two_cores
@pytest.mark.parametrize(("ranks", "threads", "machine", "more"), HEALTHY)
def test_healthy_launches_are_not_blamed(tmp_path, ranks, threads, machine, more):
    if ":" not in machine and len(CPUS) > 3:
        pytest.skip("two threads would leave most cores of this machine idle")
    servers = ("--servers", machine) if machine.isdigit() else ()
    env = {} if servers else {"GROUNDSWELL_TEST_MACHINE": machine}
    _, problems = doctor(tmp_path, "--threads", threads, *servers, *more, ranks=ranks, env=env)
    assert problems == []


def test_twenty_launches_were_healthy():
    assert len(HEALTHY) == 20


def test_a_run_says_what_doctor_finds(tmp_path, coast_mesh):
    """The same words: in a warning before anything is read, at the head of the summary and in run.json."""
    case = write_case(
        tmp_path / "case.toml", swell_case(coast_mesh, hours=1, centre=(112.0, 17.0), radius=400.0)
    )
    env = {"GROUNDSWELL_TEST_HOSTS": "2,round-robin", "GROUNDSWELL_TEST_MACHINE": "core:2 pu:1;core"}
    _, problems = doctor(tmp_path, ranks=4, env=env)
    outcome = groundswell(
        *("run", case, "--output", tmp_path / "out", "--set", "output.map.0.every=1h"), ranks=4, env=env
    )
    assert outcome.code == 0, outcome.stderr
    result = json.loads((tmp_path / "out/run.json").read_text())["result"]
    assert result["cores"]["findings"][0] == problems[0]
    assert problems[0]["code"] == "scattered-ranks"
    warnings = [line for line in outcome.stderr.splitlines() if problems[0]["message"] in line]
    assert len(warnings) == 1 and problems[0]["fix"] in warnings[0]
    assert problems[0]["message"] in outcome.stdout.splitlines()[0]


def test_the_report_describes_the_machine(tmp_path):
    result, _ = doctor(
        tmp_path, "--threads", "8", ranks=4, env={"GROUNDSWELL_TEST_MACHINE": LARGE + ";threads"}
    )
    machine = result["hosts"][0]["machine"]
    assert (machine["sockets"], machine["cores"], machine["hardware_threads"]) == (2, 32, 32)
    assert [domain["cpus"] for domain in machine["domains"]][:2] == ["0-3", "4-7"]
    assert result["ranks"][1]["threads"][:2] == ["8", "9"] and result["ranks"][1]["cores"] == "8-15"
    limits = result["hosts"][0]["limits"]
    assert limits["memory_bytes"] >= limits["free_memory_bytes"] > 0
    mpi = result["mpi"]
    assert mpi["launcher"] != "none" and mpi["features"]["shared_windows"] in (True, False)
    assert mpi["first_messages_seconds"] > 0 and mpi["later_messages_seconds"] > 0
    if IS_OPEN_MPI:
        assert mpi["launcher"] == "mpirun of Open MPI" and mpi["waits_busily"] is False
    alone, _ = doctor(tmp_path, ranks=0)
    assert alone["mpi"]["launcher"] == "none"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--servers", "2"), "--servers"),
        (("--free-cores", "99"), "--free-cores"),
        (("--free-cores", "0", "0"), "twice"),
        (("--free-cores", "seven"), "--free-cores"),
    ],
)
def test_what_cannot_be_is_refused(tmp_path, arguments, said):
    outcome = groundswell("doctor", *arguments, ranks=2)
    assert outcome.code == 2 and len(outcome.errors) == 1 and said in outcome.errors[0], outcome.stderr


@pytest.mark.parametrize("shape", ["a hut", "core:2 pu:1;loosely"])
def test_a_pretended_machine_must_be_one(shape):
    outcome = groundswell("doctor", ranks=1, env={"GROUNDSWELL_TEST_MACHINE": shape})
    assert outcome.code == 2 and "GROUNDSWELL_TEST_MACHINE" in outcome.errors[0]
