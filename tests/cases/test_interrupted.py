"""Whatever ends a run, every record that its files show is whole."""

import contextlib
import os
import random
import signal
import subprocess
import time

import pytest
from launching import (
    HAS_PNETCDF,
    STORM_FILES,
    assert_whole_records,
    finish,
    groundswell,
    rank_processes,
    records_shown,
    run,
    start,
    storm_case,
    wait_for_records,
    write_case,
)

MODES = [*(["direct"] if HAS_PNETCDF else []), "serial", "thread", "servers"]
SLOW_DISK = {"GROUNDSWELL_TEST_DISK": "150kB/s"}


@pytest.fixture(scope="module")
def whole(tmp_path_factory, coast_mesh, wind_file):
    folder = tmp_path_factory.mktemp("interrupted")
    case = write_case(folder / "case.toml", storm_case(coast_mesh, wind_file, hours=12))
    run(case, "--output", folder / "whole")
    return case, folder / "whole"


@pytest.mark.parametrize("records", [2, 5, 9])
@pytest.mark.parametrize("mode", MODES)
def test_kill_9(whole, tmp_path, mode, records):
    """Both ranks are killed at once, at any moment within the writing of the next records."""
    case, reference = whole
    process = start("run", case, "--output", tmp_path, "--set", f"output.mode={mode}", ranks=2, env=SLOW_DISK)
    wait_for_records(process, tmp_path / "wind.nc", records)
    time.sleep(random.Random(records).uniform(0.0, 0.2))
    for pid in rank_processes(process):
        os.kill(pid, signal.SIGKILL)
    assert finish(process).code != 0
    shown = {
        name: assert_whole_records(tmp_path / name, reference / name)
        for name in STORM_FILES
        if (tmp_path / name).exists()
    }
    assert records <= shown["wind.nc"] < records_shown(reference / "wind.nc")


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("fault", ["write:EIO:25", "write:EIO:25:0", "write:ENOSPC:27:0"])
def test_a_write_that_fails_ends_all_ranks(whole, tmp_path, mode, fault):
    """One message that names the file, exit code 3 on all ranks, no hang; the file opens with whole records."""
    case, reference = whole
    outcome = groundswell(
        "run",
        case,
        "--output",
        tmp_path,
        "--set",
        f"output.mode={mode}",
        ranks=3,
        env={"GROUNDSWELL_TEST_FAIL": fault},
        seconds=60,
    )
    assert outcome.code == 3, outcome.stderr
    assert len(outcome.errors) == 1 and str(tmp_path) in outcome.errors[0], outcome.stderr
    for name in STORM_FILES:
        if (tmp_path / name).exists():
            assert assert_whole_records(tmp_path / name, reference / name) < records_shown(reference / name)


@pytest.fixture
def small_disk(tmp_path):
    """A disk of 2 MB."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=2m", "none", folder], capture_output=True, text=True
    )
    if mount.returncode != 0:
        pytest.skip(f"a small disk cannot be mounted here: {mount.stderr.strip()}")
    yield folder
    subprocess.run(["umount", folder], check=True)


@pytest.mark.parametrize("mode", MODES)
def test_a_disk_that_fills_up_during_the_run(whole, small_disk, mode):
    """Somebody else takes the room that the check at the start has found."""
    case, reference = whole
    process = start(
        "run", case, "--output", small_disk / "output", "--set", f"output.mode={mode}", ranks=2, env=SLOW_DISK
    )
    wait_for_records(process, small_disk / "output/wind.nc", 3)
    with contextlib.suppress(OSError), open(small_disk / "filler", "wb", buffering=0) as filler:
        while filler.write(bytes(4096)):
            pass
    outcome = finish(process)
    assert outcome.code == 3, outcome.stderr
    assert len(outcome.errors) == 1, outcome.stderr
    for name in STORM_FILES:
        assert assert_whole_records(small_disk / "output" / name, reference / name) < records_shown(
            reference / name
        )


def test_too_little_room_is_found_before_the_run(whole, small_disk):
    case, _ = whole
    outcome = groundswell(
        "run", case, "--output", small_disk / "output", "--set", 'output.map.0.every="1min"', ranks=2
    )
    assert outcome.code == 2 and len(outcome.errors) == 1, outcome.stderr
    assert "free space" in outcome.errors[0] and "MiB" in outcome.errors[0]
    assert not (small_disk / "output").exists()
