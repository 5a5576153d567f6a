"""The choice of writers, and of when they write, leaves no trace in them; verify proves it."""

import itertools
import json
import re

import netCDF4
import pytest
from faults import sets
from launching import (
    HAS_PNETCDF,
    STORM_FILES,
    assert_same,
    assert_whole_records,
    groundswell,
    moment,
    refused,
    run,
    storm_case,
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


# In `make test` alone and on the most; the runtime's own tests take every number.
@pytest.mark.parametrize("ranks", [1, *(pytest.param(n, marks=pytest.mark.long) for n in (2, 3)), 4])
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


def test_a_gap_in_time_of_a_continued_file_is_told(storm, tmp_path):
    """After a file was given up, at 5 h; a restart from before the gap closes it."""
    case, one = storm
    env = {"GROUNDSWELL_TEST_FAIL": "write:EIO:40:0"}
    run(case, "--output", tmp_path, *sets(mode="servers", on_error="drop"), ranks=2, env=env)
    later = ("--set", f"time.end={moment(7).isoformat()}Z")
    outcome = run(case, "--output", tmp_path, "--restart", tmp_path / LAST_RESTART, *later, ranks=2)
    between = "no records between 2024-09-06T05:00:00Z and 2024-09-06T06:30:00Z"
    assert outcome.stderr.count("no records") == 1 and f"wind.nc: {between}" in outcome.stderr, outcome.stderr
    assert output_of(tmp_path)["gaps"] == [
        {
            "file": str(tmp_path / "wind.nc"),
            "last": "2024-09-06T05:00:00Z",
            "first": "2024-09-06T06:30:00Z",
        }
    ]
    before = LAST_RESTART.replace("060000", "050000")
    outcome = run(case, "--output", tmp_path, "--restart", tmp_path / before, ranks=2)
    assert "no records" not in outcome.stderr and output_of(tmp_path)["gaps"] == []
    assert_same(tmp_path, one, STORM_FILES)


def test_a_slow_disk_keeps_the_model_and_the_bound_of_the_buffer(storm, tmp_path):
    case, one = storm
    env = {"GROUNDSWELL_TEST_DISK": "60kB/s"}
    outcome = run(
        case, "--output", tmp_path, *sets(mode="servers", buffer="20 kB", **NO_RESTART), ranks=2, env=env
    )
    output = output_of(tmp_path)
    assert re.search(r"the model has to wait for the disk \([\d.]+ s so far\)", outcome.stderr), (
        outcome.stderr
    )
    assert re.search(
        r"the model waited [\d.]+ s for the disk in all; the output reaches [\d.e-]+ MB/s; what would help: a faster",
        outcome.stderr,
    ), outcome.stderr
    assert output["waits"] > 0 and output["waited_seconds"]["max"] > 1.0
    assert output["most_buffered_bytes"] <= output["buffer_bytes"] == 20000
    assert_same(tmp_path, one, STORM_FILES)


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
    assert "record 2: variable hs: its values do not match their checksum" in outcome.stdout


def test_verify_finds_a_file_that_was_cut_off(storm, tmp_path):
    _, one = storm
    cut = tmp_path / "wind.nc"
    cut.write_bytes((one / "wind.nc").read_bytes()[:-100])
    outcome = groundswell("verify", one / "hourly.nc", cut)
    assert outcome.code == 1
    assert "6 of its 7 records are whole" in outcome.stdout
    refused(groundswell("verify", tmp_path / "none.nc"), "none.nc")
