"""A run in two parts gives the files of one that was never interrupted."""

import os
import shutil
import signal

import netCDF4
import numpy as np
import pytest
from launching import (
    STORM_FILES,
    assert_same,
    finish,
    groundswell,
    rank_processes,
    refused,
    run,
    start,
    storm_case,
    wait_for_records,
    write_case,
)

# 45 minutes after 03:00: no map or series is due at that time, and the wind file has no record at it.
FIRST, LAST = "restart_20240906T034500.nc", "restart_20240906T073000.nc"


@pytest.fixture(scope="module", params=["upwind", "second-order"])
def whole(request, tmp_path_factory, coast_mesh, wind_file):
    """A case over a record of the wind (06:00) and the folder of its uninterrupted run."""
    folder = tmp_path_factory.mktemp("restart")
    table = storm_case(coast_mesh, wind_file, hours=5)
    table["propagation"]["scheme"] = request.param
    table["output"]["restart"] = {"every": "45min", "keep": 0}
    case = write_case(folder / "case.toml", table)
    run(case, "--output", folder / "whole", ranks=2)
    return case, folder / "whole"


@pytest.mark.parametrize(("ranks", "threads"), [(1, 1), (3, 2), pytest.param(4, 1, marks=pytest.mark.long)])
def test_continued_with_other_ranks_and_threads(whole, tmp_path, ranks, threads):
    """The old files, with all their later records, are continued: those records are written anew."""
    case, reference = whole
    copy = tmp_path / "copy"
    shutil.copytree(reference, copy)
    for name in STORM_FILES:  # what stands after the restart must not survive
        with netCDF4.Dataset(copy / name, "a") as data:
            for variable in data.variables.values():
                if variable.dimensions[:1] == ("time",) and variable.name != "time":
                    variable[-2:] = -77.0
    (copy / LAST).unlink()
    run(case, "--output", copy, "--restart", copy / FIRST, "--set", f"run.threads={threads}", ranks=ranks)
    assert_same(copy, reference, [*STORM_FILES, LAST])


def test_records_after_the_restart_are_dropped(whole, tmp_path):
    """A continued run that ends early leaves no record of the first run's later hours."""
    case, reference = whole
    copy = tmp_path / "copy"
    shutil.copytree(reference, copy)
    run(case, "--output", copy, "--restart", copy / FIRST, "--set", "time.end=2024-09-06T05:00:00Z")
    with netCDF4.Dataset(copy / "hourly.nc") as data, netCDF4.Dataset(reference / "hourly.nc") as full:
        assert np.array_equal(data["time"][:], full["time"][:3])
        assert np.array_equal(data["hs"][:], full["hs"][:3])


def test_a_restart_goes_on_beyond_the_first_end(whole, tmp_path):
    """The end of the first run is no end for a second one: its files grow."""
    case, reference = whole
    short = tmp_path / "short"
    run(case, "--output", short, "--set", "time.end=2024-09-06T06:00:00Z")
    last = sorted(short.glob("restart_*.nc"))[-1]
    run(case, "--output", short, "--restart", last, ranks=2)
    with netCDF4.Dataset(short / "hourly.nc") as data, netCDF4.Dataset(reference / "hourly.nc") as full:
        assert np.array_equal(data["hs"][:], full["hs"][:]) and np.array_equal(
            data["time"][:], full["time"][:]
        )


@pytest.mark.parametrize("ranks", [pytest.param(0, marks=pytest.mark.long), 2])
def test_sigterm_ends_with_a_restart(tmp_path, coast_mesh, wind_file, ranks):
    """Asked to end, the program finishes its step, writes a restart and exits with 0, if only one rank is asked."""
    table = storm_case(coast_mesh, wind_file, hours=6)
    table["output"]["mode"] = "serial"  # the model waits for the slow disk: there is time to ask it to end
    case = write_case(tmp_path / "case.toml", table)
    run(case, "--output", tmp_path / "whole")
    cut = tmp_path / "cut"
    process = start("run", case, "--output", cut, ranks=ranks, env={"GROUNDSWELL_TEST_DISK": "200kB/s"})
    wait_for_records(process, cut / "wind.nc", 3)
    os.kill(rank_processes(process)[-1], signal.SIGTERM)
    outcome = finish(process)
    assert outcome.code == 0, outcome.stderr
    restarts = list(cut.glob("restart_*.nc"))
    assert len(restarts) == 1 and restarts[0].name in outcome.stderr
    with netCDF4.Dataset(cut / "wind.nc") as data:
        assert len(data.dimensions["time"]) < 13
    run(case, "--output", cut, "--restart", restarts[0], ranks=3)
    assert_same(cut, tmp_path / "whole", STORM_FILES)


def test_another_start_is_refused(whole, tmp_path):
    case, reference = whole
    outcome = groundswell(
        "run",
        case,
        "--output",
        tmp_path / "new",
        "--restart",
        reference / FIRST,
        "--set",
        "time.start=2024-09-06T04:00:00Z",
        "--set",
        "time.end=2024-09-06T08:00:00Z",
    )
    assert outcome.code == 2 and len(outcome.errors) == 1
    assert "time.start" in outcome.errors[0] and FIRST in outcome.errors[0]


def test_a_restart_that_is_cut_short_is_refused(whole, tmp_path):
    case, reference = whole
    cut = tmp_path / FIRST
    shutil.copy(reference / FIRST, cut)
    with open(cut, "r+b") as file:
        file.truncate(os.path.getsize(cut) - 64)
    outcome = groundswell("run", case, "--output", tmp_path / "new", "--restart", cut, ranks=2)
    assert outcome.code == 2 and len(outcome.errors) == 1
    assert "wave_stress_y = cut short" in outcome.errors[0] and FIRST in outcome.errors[0]


ALTERED = {
    "step": 12,
    "cycles": 1,
    "steps_per_cycle": 1 << 32,
    "interval_microseconds": 1000,
    "time": "2024-09-06T04:45:00Z",
}


@pytest.mark.parametrize("name", ALTERED)
def test_a_restart_with_attributes_that_contradict_each_other_is_refused(whole, tmp_path, name):
    """Also one without checksums: what stands in it twice must agree."""
    case, reference = whole
    altered = tmp_path / FIRST
    shutil.copy(reference / FIRST, altered)
    with netCDF4.Dataset(altered, "a") as data:
        value = ALTERED[name]
        data.delncattr("header_checksum")
        data.setncattr(name, value if isinstance(value, str) else data.getncattr(name) + np.int64(value))
    outcome = groundswell("run", case, "--output", tmp_path / "new", "--restart", altered, ranks=2)
    message = refused(outcome, FIRST)
    assert any(word in message for word in (f"{name} = ", "step = ", "time = ")), message
    assert not (tmp_path / "new").exists()


def test_a_restart_whose_attributes_are_not_those_of_its_checksum_is_refused(whole, tmp_path):
    """A unit, say, that nothing else contradicts. verify finds the same."""
    case, _ = whole
    options = ("--set", "output.checksums=true", "--set", "time.end=2024-09-06T04:00:00Z")
    run(case, "--output", tmp_path, *options, ranks=2)
    with netCDF4.Dataset(tmp_path / FIRST, "a") as file:
        file["action"].units = "m2 s2 rad-3"
    again = ("run", case, "--output", tmp_path, "--restart", tmp_path / FIRST, *options)
    refused(groundswell(*again, ranks=3), FIRST, "header_checksum", "verify")
    outcome = groundswell("verify", tmp_path / FIRST)
    assert outcome.code == 1 and "the header does not match its checksum" in outcome.stdout


def test_a_restart_with_a_damaged_header_is_refused_at_once(whole, tmp_path):
    """One byte in a number of dimensions, of attributes, in a length: no library is asked for gigabytes."""
    case, reference = whole
    sound = (reference / FIRST).read_bytes()
    damaged = tmp_path / FIRST
    for byte in (17, 20, 21, 22, 30, 42, 43, 50):
        damaged.write_bytes(sound[:byte] + bytes([sound[byte] ^ 0x40]) + sound[byte + 1 :])
        for command in (
            ["run", case, "--output", tmp_path / "new", "--restart", damaged],
            ["compare", damaged, reference / FIRST],
        ):
            outcome = groundswell(*command, seconds=10)
            assert outcome.code == 2 and len(outcome.errors) == 1, (byte, command, outcome)
            assert FIRST in outcome.errors[0]


def test_a_restart_whose_values_are_not_those_of_its_checksums_is_refused(whole, tmp_path):
    case, _ = whole
    options = ("--set", "output.checksums=true", "--set", "time.end=2024-09-06T04:00:00Z")
    run(case, "--output", tmp_path, *options, ranks=2)
    again = ("run", case, "--output", tmp_path, "--restart", tmp_path / FIRST, *options)
    assert groundswell(*again, ranks=3).code == 0
    with netCDF4.Dataset(tmp_path / FIRST, "a") as file:
        file["action"][7, 1, 2] += 1.0
    outcome = groundswell(*again, ranks=3)
    assert outcome.code == 2 and len(outcome.errors) == 1
    assert FIRST in outcome.errors[0] and "action" in outcome.errors[0] and "verify" in outcome.errors[0]


def test_a_restart_that_holds_no_number_is_refused(whole, tmp_path):
    """One that something else has written, without checksums."""
    case, reference = whole
    altered = tmp_path / FIRST
    shutil.copy(reference / FIRST, altered)
    with netCDF4.Dataset(altered, "a") as file:
        file.delncattr("header_checksum")
        for name in [name for name in file.variables if name.endswith("_checksum")]:
            file.renameVariable(name, f"{name}_of_old")
        file["action"][7, 1, 2] = np.nan
    refused(
        groundswell("run", case, "--output", tmp_path / "new", "--restart", altered, ranks=3),
        FIRST,
        "action = NaN",
    )
