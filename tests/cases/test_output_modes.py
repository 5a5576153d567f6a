"""Who writes the files, and when, leaves no trace in them; what goes wrong with a writer is said, and ends or not."""

import itertools
import json
import os
import re
import shutil
import signal
import time

import netCDF4
import pytest
from launching import (
    HAS_PNETCDF,
    STORM_FILES,
    assert_same,
    assert_whole_records,
    finish,
    groundswell,
    output_mode,
    rank_processes,
    refused,
    run,
    start,
    storm_case,
    wait_for_records,
    write_case,
)

LAST_RESTART = "restart_20240906T060000.nc"
NO_RESTART = {"restart.every": "never"}
SLOW_DISK = {"GROUNDSWELL_TEST_DISK": "150kB/s"}


@pytest.fixture(scope="module")
def storm(tmp_path_factory, coast_mesh, wind_file):
    """A case of every kind of file, and the folder of its run by one rank that writes for itself."""
    folder = tmp_path_factory.mktemp("modes")
    table = storm_case(coast_mesh, wind_file)
    table["output"]["restart"] = {"every": "1h"}
    case = write_case(folder / "case.toml", table)
    run(case, "--output", folder / "one", "--set", "output.mode=serial")
    return case, folder / "one"


def sets(**keys):
    """--set output.KEY=VALUE for each."""
    return [word for key, value in keys.items() for word in ("--set", f"output.{key}={value}")]


def output_of(folder):
    return json.loads((folder / "run.json").read_text())["result"]["output"]


# Servers and ranks that compute: in `make test` each number of both, at length all pairs.
SERVERS = [(1, 1), (1, 3), (2, 2), (3, 1), (3, 4)]
LONG_SERVERS = [pair for pair in itertools.product((1, 2, 3), (1, 2, 3, 4)) if pair not in SERVERS]


@pytest.mark.parametrize(
    "servers, computing",
    [*SERVERS, *(pytest.param(*pair, marks=pytest.mark.long) for pair in LONG_SERVERS)],
)
def test_servers_leave_no_trace(storm, tmp_path, servers, computing):
    case, one = storm
    run(case, "--output", tmp_path, *sets(mode="servers", servers=servers), ranks=servers + computing)
    assert_same(tmp_path, one, [*STORM_FILES, LAST_RESTART])
    assert output_of(tmp_path)["mode"] == "servers"


@pytest.mark.parametrize("ranks", [1, 2, 4])
@pytest.mark.parametrize(
    "mode", ["direct", "serial", "thread", "auto"] if HAS_PNETCDF else ["thread", "auto"]
)
def test_modes_leave_no_trace(storm, tmp_path, mode, ranks):
    case, one = storm
    run(case, "--output", tmp_path, *sets(mode=mode), ranks=ranks)
    assert_same(tmp_path, one, [*STORM_FILES, LAST_RESTART])
    if mode != "auto":
        assert output_of(tmp_path)["mode"] == mode


def test_a_run_by_servers_is_continued_by_threads(storm, tmp_path):
    case, one = storm
    run(case, "--output", tmp_path, *sets(mode="servers"), "--set", "time.end=2024-09-06T05:00:00Z", ranks=3)
    restart = tmp_path / "restart_20240906T040000.nc"
    run(case, "--output", tmp_path, *sets(mode="thread"), "--restart", restart, ranks=2)
    assert_same(tmp_path, one, [*STORM_FILES, LAST_RESTART])


def test_reordered_ranks_are_served_all_the_same(storm, tmp_path):
    """The first rank of the mesh, whose values stand for all where there is one value, need not be server 0's client."""
    case, one = storm
    moved = ("--set", "halo.reorder=true")
    env = {"GROUNDSWELL_TEST_REORDER": "reverse"}
    run(case, "--output", tmp_path, *sets(mode="servers", servers=2), *moved, ranks=5, env=env)
    assert_same(tmp_path, one, STORM_FILES)


def test_two_restarts_are_kept_unless_told_otherwise(storm, tmp_path):
    case, _ = storm
    run(case, "--output", tmp_path / "two", *sets(mode="servers"), ranks=2)
    run(case, "--output", tmp_path / "all", *sets(**{"restart.keep": 0}), ranks=2)
    names = lambda folder: sorted(path.name[-9:-3] for path in folder.glob("restart_*"))  # noqa: E731
    assert names(tmp_path / "two") == ["050000", "060000"]
    assert names(tmp_path / "all") == ["040000", "050000", "060000"]


@pytest.mark.parametrize("mode", ["direct", "servers"] if HAS_PNETCDF else ["servers"])
def test_one_file_is_given_up_and_the_run_goes_on(storm, tmp_path, mode):
    case, one = storm
    env = {"GROUNDSWELL_TEST_FAIL": "write:EIO:40:0"}  # only wind.nc takes so many calls
    outcome = run(case, "--output", tmp_path, *sets(mode=mode, on_error="drop"), ranks=2, env=env)
    given_up = output_of(tmp_path)["given_up"]
    assert len(given_up) == 1 and "wind.nc: record 5, variable " in given_up[0], given_up
    assert "Input/output error" in given_up[0] and "the run goes on" in outcome.stderr
    assert_same(tmp_path, one, ["hourly.nc", "spectra.nc", "series.nc", LAST_RESTART])
    assert assert_whole_records(tmp_path / "wind.nc", one / "wind.nc") == 5


def test_a_slow_disk_keeps_the_model_and_the_bound_of_the_buffer(storm, tmp_path):
    case, one = storm
    env = {"GROUNDSWELL_TEST_DISK": "60kB/s"}
    outcome = run(
        case, "--output", tmp_path, *sets(mode="servers", buffer="20 kB", **NO_RESTART), ranks=2, env=env
    )
    output = output_of(tmp_path)
    assert "the model has to wait for the disk" in outcome.stderr
    assert output["waits"] > 0 and output["waited_seconds"]["max"] > 1.0
    assert output["most_buffered_bytes"] <= output["buffer_bytes"] == 20000
    assert_same(tmp_path, one, STORM_FILES)


# ----------------------------------------------------------------------------------------------- stopped and killed


def server_of(process):
    """The last rank is the server where there is one."""

    def rank(pid):
        with open(f"/proc/{pid}/environ", "rb") as stream:
            return int(re.search(rb"(?:OMPI_COMM_WORLD|PMI)_RANK=(\d+)", stream.read())[1])

    return max(rank_processes(process), key=rank)


def test_a_stopped_server_is_named_and_waited_for(storm, tmp_path):
    case, one = storm
    arguments = sets(mode="servers", buffer="20 kB", silence="1s", **NO_RESTART)
    process = start("run", case, "--output", tmp_path, *arguments, ranks=2, env=SLOW_DISK)
    wait_for_records(process, tmp_path / "wind.nc", 2)
    server = server_of(process)
    os.kill(server, signal.SIGSTOP)
    time.sleep(3)
    os.kill(server, signal.SIGCONT)
    outcome = finish(process)
    assert outcome.code == 0, outcome.stderr
    assert re.search(
        r"output: the output server, rank 1 on host \S+, has not answered for [\d.]+ s; it was ",
        outcome.stderr,
    ), outcome.stderr
    assert_same(tmp_path, one, STORM_FILES)


@pytest.mark.parametrize("victim", ["server", "client"])
def test_a_killed_rank_leaves_whole_records(storm, tmp_path, victim):
    case, one = storm
    process = start("run", case, "--output", tmp_path, *sets(mode="servers"), ranks=3, env=SLOW_DISK)
    wait_for_records(process, tmp_path / "wind.nc", 3)
    server = server_of(process)
    client = next(pid for pid in rank_processes(process) if pid != server)
    os.kill(server if victim == "server" else client, signal.SIGKILL)
    assert finish(process, 60).code != 0
    shown = {name: assert_whole_records(tmp_path / name, one / name) for name in STORM_FILES}
    assert shown["wind.nc"] >= 3


@pytest.mark.parametrize("mode", [output_mode("direct"), "thread", "servers"])
def test_an_output_folder_that_is_removed_ends_the_run(storm, tmp_path, mode):
    case, _ = storm
    folder = tmp_path / "output"
    process = start("run", case, "--output", folder, *sets(mode=mode), ranks=2, env=SLOW_DISK)
    wait_for_records(process, folder / "wind.nc", 2)
    shutil.rmtree(folder)
    outcome = finish(process, 60)
    assert outcome.code == 3, outcome.stderr
    assert len(outcome.errors) == 1 and str(folder) in outcome.errors[0], outcome.stderr


# ------------------------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    "keys, ranks, words",
    [
        ({"mode": "servers", "servers": 2}, 2, ["output.servers = 2", "at most 1"]),
        ({"mode": "servers", "servers": '"100%"'}, 3, ["output.servers = 100%", "at most 2"]),
        ({"mode": "servers"}, 1, ["output.servers = 1", "at least 2 ranks"]),
        ({"servers": 1}, 2, ["output.servers = 1", 'output.mode = "servers"']),
        ({"mode": "servers", "buffer": '"1 kB"'}, 2, ["output.buffer", "one record of", ".nc on a rank"]),
        ({"mode": "thread", "buffer": '"1 kB"'}, 2, ["output.buffer", "one record of"]),
        ({"mode": "treads"}, 1, ["output.mode", 'did you mean "thread"']),
    ],
)
def test_what_cannot_work_is_refused_before_the_start(storm, tmp_path, keys, ranks, words):
    case, _ = storm
    outcome = groundswell("run", case, "--output", tmp_path / "out", *sets(**keys), ranks=ranks)
    refused(outcome, "case.toml", *words)
    assert not (tmp_path / "out").exists()


def test_a_mesh_that_is_refused_ends_the_servers_too(storm, tmp_path):
    case, _ = storm
    arguments = (*sets(mode="servers"), "--set", 'mesh.file="none.nc"')
    refused(groundswell("run", case, "--output", tmp_path, *arguments, ranks=3, seconds=60), "none.nc")


def test_checking_writes_nothing(storm, tmp_path):
    case, _ = storm
    for mode in ("servers", "thread"):
        outcome = groundswell("run", case, "--check", "--output", tmp_path / "out", *sets(mode=mode), ranks=2)
        assert outcome.code == 0, outcome.stderr
    assert not (tmp_path / "out").exists()


def test_a_second_run_into_the_same_folder_is_refused(storm, tmp_path):
    case, _ = storm
    process = start("run", case, "--output", tmp_path, ranks=2, env=SLOW_DISK)
    wait_for_records(process, tmp_path / "wind.nc", 1)
    second = groundswell("run", case, "--output", tmp_path, "--overwrite", ranks=2)
    message = refused(second, str(tmp_path), "no other run writes to", "case.toml")
    named = int(re.search(r"process (\d+) on host \S+ does", message)[1])
    assert named in rank_processes(process)
    for pid in rank_processes(process):
        os.kill(pid, signal.SIGKILL)
    finish(process)
    short = ("--set", "time.end=2024-09-06T03:30:00Z")
    third = groundswell("run", case, "--output", tmp_path, "--overwrite", *short, ranks=2)
    assert third.code == 0 and f"process {named} on host" in third.stderr, third.stderr
    assert not (tmp_path / ".groundswell.lock").exists()


# --------------------------------------------------------------------------------------------------------- verify


def test_verify_proves_files_by_their_checksums(storm, tmp_path):
    case, _ = storm
    run(case, "--output", tmp_path, *sets(mode="servers", checksums="true"), ranks=3)
    files = [tmp_path / name for name in (*STORM_FILES, LAST_RESTART)]
    outcome = groundswell("verify", *files, "--json", tmp_path / "verify.json")
    assert outcome.code == 0, outcome.stdout
    reports = json.loads((tmp_path / "verify.json").read_text())["result"]["files"]
    assert all(report["ok"] and report["checksums"] > 0 and not report["problems"] for report in reports)
    assert [report["records"] for report in reports] == [4, 7, 4, 7, 0]
    with netCDF4.Dataset(tmp_path / "hourly.nc", "r+") as data:
        data["hs"][2, 100] += 1e-6
    outcome = groundswell("verify", *files)
    assert outcome.code == 1
    assert "record 2: variable hs: its values are not those of its checksum" in outcome.stdout


def test_verify_finds_a_file_that_was_cut_off(storm, tmp_path):
    _, one = storm
    cut = tmp_path / "wind.nc"
    cut.write_bytes((one / "wind.nc").read_bytes()[:-100])
    outcome = groundswell("verify", one / "hourly.nc", cut)
    assert outcome.code == 1
    assert "6 of its 7 records are whole" in outcome.stdout
    refused(groundswell("verify", tmp_path / "none.nc"), "none.nc")
