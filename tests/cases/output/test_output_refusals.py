"""Output that cannot work is refused before the start, with what to change; and one folder takes one run at a time."""

import os
import re
import signal
import subprocess

import pytest
from faults import SLOW_DISK, sets, small_storm
from launching import (
    HAS_PNETCDF,
    IS_OPEN_MPI,
    STORM_FILES,
    assert_same,
    build_setting,
    finish,
    groundswell,
    output_mode,
    rank_processes,
    records_shown,
    refused,
    run,
    start,
    wait_for_records,
)


@pytest.fixture(scope="module")
def case(tmp_path_factory, coast_mesh, wind_file):
    return small_storm(tmp_path_factory.mktemp("refusals"), coast_mesh, wind_file)


NO_THREADS = {"GROUNDSWELL_TEST_MPI": "funneled"}

# Keys of [output], ranks, the environment, and what the message must say.
REFUSED = {
    "as many servers as ranks": (
        {"mode": "servers", "servers": 2},
        2,
        {},
        ["output.servers = 2", "at most 1"],
    ),
    "more servers than ranks": (
        {"mode": "servers", "servers": 5},
        3,
        {},
        ["output.servers = 5", "at most 2"],
    ),
    "a share that leaves nobody": (
        {"mode": "servers", "servers": '"100%"'},
        3,
        {},
        ["output.servers = 100%", "at most 2"],
    ),
    "one rank": ({"mode": "servers"}, 1, {}, ["output.servers = 1", "at least 2 ranks", "mpirun -n 2"]),
    "servers without their mode": (
        {"servers": 1},
        2,
        {},
        ["output.servers = 1", 'output.mode = "servers"'],
    ),
    "a small buffer for servers": (
        {"mode": "servers", "buffer": '"1 kB"'},
        2,
        {},
        ["output.buffer = 1000 bytes", "at least", "one record of", ".nc on a rank"],
    ),
    "a small buffer for threads": (
        {"mode": "thread", "buffer": '"1 kB"'},
        2,
        {},
        ["output.buffer", "one record of"],
    ),
    "a mistyped mode": ({"mode": "treads"}, 1, {}, ["output.mode", 'did you mean "thread"']),
    "a mistyped policy": (
        {"on_error": "stopp"},
        1,
        {},
        ["output.on_error", "drop", "retry", 'did you mean "stop"'],
    ),
    "no size": ({"buffer": '"64 apples"'}, 1, {}, ["output.buffer", '"64 MiB"']),
    "threads without their support": (
        {"mode": "thread"},
        2,
        NO_THREADS,
        ["output.mode = thread", "direct, serial or servers", "MPI_THREAD_MULTIPLE"],
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_work_is_refused_before_the_start(case, tmp_path, name):
    keys, ranks, env, words = REFUSED[name]
    outcome = groundswell("run", case, "--output", tmp_path / "out", *sets(**keys), ranks=ranks, env=env)
    refused(outcome, "case.toml", *words)
    assert not (tmp_path / "out").exists()


def test_what_is_automatic_does_without_threads(case, tmp_path):
    outcome = groundswell("run", case, "--output", tmp_path, ranks=2, env=NO_THREADS)
    assert outcome.code == 0, outcome.stderr
    assert (
        f"output: mode {output_mode('direct')}: " in outcome.stderr and "no thread support" in outcome.stderr
    )


@pytest.mark.skipif(not (HAS_PNETCDF and IS_OPEN_MPI), reason="without OMPIO nothing in /dev/shm is wanted")
@pytest.mark.skipif(
    "clang" in build_setting("CMAKE_CXX_COMPILER", ""),
    reason="LLVM's OpenMP itself ends without a place there",
)
def test_too_little_memory_to_share(case, tmp_path):
    """A /dev/shm of one page: output does without, to the same bits, or says what is missing before the start."""
    wrapper = ["unshare", "--mount", "sh", "-c", 'mount -t tmpfs -o size=4k none /dev/shm && exec "$@"', "sh"]
    if subprocess.run([*wrapper, "true"], capture_output=True).returncode != 0:
        pytest.skip("mounting a small /dev/shm needs root")

    def small(mode, folder):
        arguments = ["run", case, "--output", folder, "--quiet", "--set", f"output.mode={mode}"]
        return finish(start(*arguments, ranks=3, wrapper=wrapper))

    missing = "/dev/shm has 4 kB free where MPI-IO wants"
    refused(small("direct", tmp_path / "no"), "output.mode = direct", "serial", missing, "--shm-size")
    assert not (tmp_path / "no").exists()
    run(case, "--output", tmp_path / "whole", ranks=2)
    outcome = small("auto", tmp_path / "small")
    assert outcome.code == 0 and missing in outcome.stderr, outcome.stderr
    assert_same(tmp_path / "small", tmp_path / "whole", STORM_FILES)


def test_a_mesh_that_is_refused_ends_the_servers_too(case, tmp_path):
    arguments = (*sets(mode="servers"), "--set", 'mesh.file="none.nc"')
    refused(groundswell("run", case, "--output", tmp_path, *arguments, ranks=3, seconds=60), "none.nc")


@pytest.mark.skipif(os.geteuid() != 0, reason="giving files away needs root")
def test_a_file_of_somebody_else_that_cannot_be_replaced(case, tmp_path):
    """In a folder like /tmp, where everybody makes files and removes only his own."""
    folder = tmp_path / "output"
    folder.mkdir()
    (folder / "hourly.nc").touch()
    for path in (folder, folder / "hourly.nc"):
        os.chown(path, 65534, 65534)
    folder.chmod(0o1777)
    caps = "-fowner,-dac_override,-dac_read_search"
    wrapper = ["setpriv", f"--bounding-set={caps}", f"--inh-caps={caps}"]
    if subprocess.run([*wrapper, "true"], capture_output=True).returncode != 0:
        pytest.skip("root cannot give up its privileges here (setpriv)")
    outcome = finish(start("run", case, "--output", folder, "--overwrite", ranks=2, wrapper=wrapper))
    refused(outcome, f"{folder}/hourly.nc", "a name that can be given to a new file: Operation not permitted")


def test_checking_writes_nothing(case, tmp_path):
    for mode in ("servers", "thread"):
        outcome = groundswell("run", case, "--check", "--output", tmp_path / "out", *sets(mode=mode), ranks=2)
        assert outcome.code == 0, outcome.stderr
    assert not (tmp_path / "out").exists()


# ------------------------------------------------------------------------------------------- two runs, one folder


def test_a_second_run_into_the_same_folder_is_refused(case, tmp_path):
    process = start("run", case, "--output", tmp_path, ranks=2, env=SLOW_DISK)
    wait_for_records(process, tmp_path / "wind.nc", 1)
    second = groundswell("run", case, "--output", tmp_path, "--overwrite", ranks=2)
    message = refused(second, str(tmp_path), "no other run writes to", "case.toml")
    named = int(re.search(r"process (\d+) on host \S+ does", message)[1])
    assert named in rank_processes(process)
    for pid in rank_processes(process):
        os.kill(pid, signal.SIGKILL)
    finish(process)
    short = ("--set", "time.end=2024-09-06T03:30:00Z", *sets(**{"restart.every": "never"}))
    third = groundswell("run", case, "--output", tmp_path, "--overwrite", *short, ranks=2)
    assert third.code == 0 and f"process {named} on host" in third.stderr, third.stderr
    assert not (tmp_path / ".groundswell.lock").exists()


# Words before a command that let it see another host name, or only processes of its own, as containers do.
ELSEWHERE = {
    "host": ["unshare", "--uts", "sh", "-c", 'hostname elsewhere && exec "$@"', "sh"],
    "processes": ["unshare", "--pid", "--fork", "--mount-proc"],
}


@pytest.mark.parametrize("where", ELSEWHERE)
def test_a_second_run_from_elsewhere_is_refused_too(case, tmp_path, where):
    wrapper = ELSEWHERE[where]
    if subprocess.run([*wrapper, "true"], capture_output=True).returncode != 0:
        pytest.skip("making another namespace needs root")
    first = start("run", case, "--output", tmp_path, env=SLOW_DISK)
    wait_for_records(first, tmp_path / "wind.nc", 1)
    second = finish(start("run", case, "--output", tmp_path, "--overwrite", wrapper=wrapper))
    host = os.uname().nodename
    refused(second, str(tmp_path), f"process {first.pid} on host {host} does", "case.toml")
    shown = records_shown(tmp_path / "wind.nc")
    assert finish(first).code == 0
    assert shown <= records_shown(tmp_path / "wind.nc") == 9  # the first one's records all the same


def test_the_lock_of_a_run_that_was_killed_elsewhere(case, tmp_path):
    """On this machine under another host name: taken over. On another machine: a person must say that it has ended."""
    wrapper = ELSEWHERE["host"]
    if subprocess.run([*wrapper, "true"], capture_output=True).returncode != 0:
        pytest.skip("giving another host name needs root")
    first = start("run", case, "--output", tmp_path, env=SLOW_DISK, wrapper=wrapper)
    wait_for_records(first, tmp_path / "wind.nc", 1)
    os.kill(first.pid, signal.SIGKILL)
    finish(first)
    again = ["run", case, "--output", tmp_path, "--overwrite"]
    assert "on host elsewhere did not end as it should" in run_and_tell(*again)
    lock = tmp_path / ".groundswell.lock"
    lock.write_text("far\n12\ncase.toml\n11111111-2222-3333-4444-555555555555 pid:[4026531836]\n")
    refused(groundswell(*again), "process 12 on host far does", f"if that run has ended, remove {lock}")
    lock.unlink()
    run(*again[1:])


def run_and_tell(*arguments):
    outcome = groundswell(*arguments)
    assert outcome.code == 0, outcome.stderr
    return outcome.stderr
