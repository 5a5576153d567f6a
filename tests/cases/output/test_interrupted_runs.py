"""Interrupted at any moment, a run leaves no file behind that is not whole."""

import os
import signal
import time

import pytest
from faults import MODES, restart_files, sets, small_storm
from launching import IS_OPEN_MPI, finish, groundswell, rank_processes, start

INT, TERM = signal.SIGINT, signal.SIGTERM
# A restart file takes as long as Open MPI's launcher leaves between SIGTERM and SIGKILL.
SLOW = {"GROUNDSWELL_TEST_DISK": "100kB/s", "OMPI_MCA_odls_base_sigkill_timeout": "2"}
by_open_mpi = pytest.mark.skipif(
    not IS_OPEN_MPI, reason="each launcher ends its processes in a way of its own"
)


@pytest.fixture(scope="module")
def storm(tmp_path_factory, coast_mesh, wind_file):
    return small_storm(tmp_path_factory.mktemp("interrupted"), coast_mesh, wind_file, restart="10min")


def start_writing(storm, folder, mode, ranks, seconds, env=SLOW, **output):
    """A run that is so many seconds into its first restart file."""
    arguments = sets(mode=mode, **output)
    process = start("run", storm, "--output", folder, "--quiet", *arguments, ranks=ranks, env=env)
    limit = time.monotonic() + 60
    while not list(folder.glob("restart_*.part")) and process.poll() is None and time.monotonic() < limit:
        time.sleep(0.005)
    time.sleep(seconds)
    return process


def check_what_is_left(folder):
    assert not list(folder.glob("*.part"))
    if restarts := restart_files(folder):
        outcome = groundswell("verify", *restarts)
        assert outcome.code == 0, outcome.stdout + outcome.stderr


@by_open_mpi
@pytest.mark.parametrize(
    "mode, seconds, number",
    [
        *((mode, 0.3 * i, [INT, TERM][i % 2]) for i, mode in enumerate(MODES)),
        *(pytest.param("servers", 0.15 * i, INT, marks=pytest.mark.long) for i in range(20)),
    ],
)
def test_the_launcher_is_told_to_end(storm, tmp_path, mode, seconds, number):
    process = start_writing(storm, tmp_path, mode, 3, seconds)
    process.send_signal(number)
    assert finish(process).code != 0
    check_what_is_left(tmp_path)


@by_open_mpi
@pytest.mark.parametrize("mode", MODES[-2:])
def test_the_launcher_goes_at_the_second_interrupt(storm, tmp_path, mode):
    """It leaves the ranks alone, which end by themselves."""
    process = start_writing(storm, tmp_path, mode, 3, 0.2)
    ranks = rank_processes(process)
    for _ in range(2):
        process.send_signal(INT)
        time.sleep(0.2)
    assert finish(process).code != 0
    limit = time.monotonic() + 60
    while any(os.path.exists(f"/proc/{pid}") for pid in ranks) and time.monotonic() < limit:
        time.sleep(0.01)
    check_what_is_left(tmp_path)


@by_open_mpi
@pytest.mark.parametrize("mode", [MODES[0], "servers"])
def test_one_rank_is_interrupted(storm, tmp_path, mode):
    process = start_writing(storm, tmp_path, mode, 3, 0.3)
    for pid in rank_processes(process)[:1]:
        os.kill(pid, INT)
    assert finish(process).code != 0
    check_what_is_left(tmp_path)


@pytest.mark.parametrize("mode, seconds", [(MODES[0], 0.1), ("thread", 0.5)])
def test_a_program_without_a_launcher_is_interrupted(storm, tmp_path, mode, seconds):
    process = start_writing(storm, tmp_path, mode, 0, seconds, format="netcdf4")
    process.send_signal(INT)
    assert finish(process).code == -INT
    check_what_is_left(tmp_path)


@pytest.mark.parametrize("mode", ["serial", "servers"])
def test_a_rank_that_is_told_to_end_has_all_the_time_it_needs(storm, tmp_path, mode):
    """Nobody kills it then: what was begun becomes whole, and the run can be continued where it stopped."""
    process = start_writing(storm, tmp_path, mode, 3, 0.2, env={**SLOW, "GROUNDSWELL_TEST_DISK": "1MB/s"})
    for pid in rank_processes(process)[:1]:
        os.kill(pid, TERM)
    outcome = finish(process)
    assert outcome.code == 0, outcome.stderr
    assert restart_files(tmp_path)
    check_what_is_left(tmp_path)
