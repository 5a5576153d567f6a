"""A disk that fills up, a folder that goes, a permission that is lost: said at once, and nothing is lost."""

import os
import shutil
import stat

import pytest
from faults import (
    IO_LAYERS,
    MODES,
    SLOW_DISK,
    check_what_is_left,
    fill,
    go_on,
    restart_files,
    sets,
    small_disk,
    small_storm,
    told,
    wait_for_line,
    without_privilege,
)
from launching import (
    STORM_FILES,
    finish,
    groundswell,
    output_mode,
    records_shown,
    run,
    start,
    wait_for_records,
)


@pytest.fixture(scope="module")
def whole(tmp_path_factory, coast_mesh, wind_file):
    """A case, and the folder of its undisturbed run."""
    folder = tmp_path_factory.mktemp("faults")
    case = small_storm(folder, coast_mesh, wind_file, checksums=True)
    run(case, "--output", folder / "whole")
    return case, folder / "whole"


def begin(case, folder, mode, records=5, env=None, wrapper=(), **keys):
    """A run on two ranks behind a slow disk, that has so many records in its busiest file and a restart."""
    arguments = ["run", case, "--output", folder, *sets(mode=mode, **keys)]
    process = start(*arguments, ranks=2, env={**SLOW_DISK, **(env or {})}, wrapper=wrapper)
    wait_for_records(process, folder / "wind.nc", records)
    return process


# In `make test` one mode where the model waits and one where it goes on.
FEW_MODES = [
    mode if mode in ("servers", MODES[0]) else pytest.param(mode, marks=pytest.mark.long) for mode in MODES
]

# ---------------------------------------------------------------------------------------------------- a full disk

# Where room can be set aside, a full disk is met before a record; where not, in the middle of one.
DISKS = {"reserved": {}, "unknown": {"GROUNDSWELL_TEST_SPACE": "unknown"}}
FULL = [
    (mode, layer, disk)
    for mode in MODES
    for layer in (IO_LAYERS if mode != "serial" else list(IO_LAYERS)[:1])
    for disk in DISKS
]
FAST_FULL = {
    ("direct", "ompio", "unknown"),
    ("direct", "romio", "unknown"),
    ("thread", "romio", "reserved"),
    ("servers", "ompio", "reserved"),
    ("servers", "romio", "unknown"),
}


def is_fast(mode, layer, disk):
    """A library with one layer only tests it for both."""
    return any((mode, one, disk) in FAST_FULL for one in ([layer] if layer else ["ompio", "romio"]))


@pytest.mark.parametrize(
    "mode, layer, disk",
    [way if is_fast(*way) else pytest.param(*way, marks=pytest.mark.long) for way in FULL],
)
def test_a_disk_that_fills_up_during_the_run(whole, tmp_path, mode, layer, disk):
    """Somebody else takes the room that the check at the start has found; when he gives it back the run goes on."""
    case, reference = whole
    with small_disk(tmp_path / "disk", "4m") as room:
        folder = room / "output"
        process = begin(case, folder, mode, env={**IO_LAYERS[layer], **DISKS[disk]})
        filler = fill(room)
        told(finish(process), folder, "No space left on device")
        shown = check_what_is_left(folder, reference)
        assert 5 <= shown["wind.nc"] < records_shown(reference / "wind.nc")
        filler.unlink()
        go_on(case, folder, reference, *sets(mode=mode), ranks=2, env=IO_LAYERS[layer])


@pytest.mark.parametrize("mode", [output_mode("direct"), "servers"])
def test_a_run_that_waits_for_room_goes_on_by_itself(whole, tmp_path, mode):
    case, reference = whole
    with small_disk(tmp_path / "disk", "4m") as room:
        folder = room / "output"
        process = begin(case, folder, mode, on_error="retry")
        filler = fill(room)
        shown = records_shown(folder / "wind.nc")
        assert "No space left on device" in wait_for_line(process, "the next attempt in")
        assert shown <= records_shown(folder / "wind.nc") < records_shown(reference / "wind.nc")
        filler.unlink()
        outcome = finish(process)
        assert outcome.code == 0, outcome.stderr
        shown = check_what_is_left(folder, reference)
        assert all(shown[name] == records_shown(reference / name) for name in STORM_FILES)


def test_too_little_room_is_found_before_the_run(whole, tmp_path):
    case, _ = whole
    with small_disk(tmp_path / "disk", "2m") as room:
        arguments = ["run", case, "--output", room / "output", "--set", 'output.map.0.every="1min"']
        outcome = groundswell(*arguments, ranks=2)
        assert outcome.code == 2 and len(outcome.errors) == 1, outcome.stderr
        assert "free space" in outcome.errors[0] and "MiB" in outcome.errors[0]
        assert not (room / "output").exists()


def test_room_is_asked_for_the_restarts_that_are_kept(whole, tmp_path):
    """Not for all that there will ever have been: a long run would need a disk for its past."""
    case, _ = whole
    arguments = ["run", case, "--check", "--set", 'output.restart.every="5min"']
    with small_disk(tmp_path / "disk", "4m") as room:
        assert groundswell(*arguments, "--output", room / "output").code == 0
        outcome = groundswell(*arguments, *sets(**{"restart.keep": 0}), "--output", room / "output")
        assert outcome.code == 2 and "free space" in outcome.errors[0], outcome.stderr


# ------------------------------------------------------------------------------------------------- a write that fails

# Calls that come in a record of the busiest file, whoever writes.
FAULTS = ["EIO:45", "EIO:45:0", "ENOSPC:47:0", "EROFS:46:0", "short:45:0", "silent:47:0"]
WORDS = {
    "EIO": "Input/output error",
    "ENOSPC": "No space left on device",
    "EROFS": "Read-only file system",
    "short": "is not on the disk although the write reported success",
    "silent": "is not on the disk although the write reported success",
}
FAST_FAULTS = {("EIO:45", mode) for mode in MODES} | {("short:45:0", mode) for mode in ("serial", "servers")}


@pytest.mark.parametrize(
    "fault, mode",
    [
        way if way in FAST_FAULTS else pytest.param(*way, marks=pytest.mark.long)
        for way in ((fault, mode) for fault in FAULTS for mode in MODES)
    ],
)
def test_a_write_that_fails_ends_all_ranks(whole, tmp_path, fault, mode):
    case, reference = whole
    env = {"GROUNDSWELL_TEST_FAIL": f"write:{fault}"}
    outcome = groundswell("run", case, "--output", tmp_path, *sets(mode=mode), ranks=3, env=env, seconds=60)
    message = told(outcome, tmp_path, WORDS[fault.split(":")[0]], ", variable ", ", rows ")
    assert "record" in message
    check_what_is_left(tmp_path, reference)
    go_on(case, tmp_path, reference, *sets(mode=mode), ranks=2)


# ------------------------------------------------------------------------------------------- a folder, a permission


@pytest.mark.parametrize("mode", MODES)
def test_an_output_folder_that_is_removed(whole, tmp_path, mode):
    case, _ = whole
    folder = tmp_path / "output"
    process = begin(case, folder, mode, records=2)
    shutil.rmtree(folder)
    outcome = finish(process, 60)
    message = told(outcome, folder)
    assert "No such file or directory" in message or "a folder that exists" in message
    assert f"these files are not there: {folder}/" in outcome.stderr and "--restart" not in outcome.stderr


@pytest.mark.parametrize("mode", FEW_MODES)
def test_a_file_that_somebody_else_cuts(whole, tmp_path, mode):
    """Within its header: what is written afterwards is there, but nobody can read the file."""
    case, _ = whole
    folder = tmp_path / "output"
    process = begin(case, folder, mode, records=2)
    os.truncate(folder / "wind.nc", 1000)
    told(finish(process, 60), folder, "wind.nc")


@pytest.mark.parametrize("mode", FEW_MODES)
def test_a_permission_that_is_lost(whole, tmp_path, mode):
    """The files belong to somebody else from one moment to the next."""
    case, reference = whole
    folder = tmp_path / "output"
    process = begin(case, folder, mode, wrapper=without_privilege())
    for path in folder.glob("*.nc"):
        path.chmod(stat.S_IRUSR)
    told(finish(process, 60), folder, "Permission denied")
    for path in folder.glob("*.nc"):
        path.chmod(stat.S_IRUSR | stat.S_IWUSR)
    shown = check_what_is_left(folder, reference)
    assert 5 <= shown["wind.nc"] < records_shown(reference / "wind.nc")
    go_on(case, folder, reference, *sets(mode=mode), ranks=2)


@pytest.mark.parametrize("mode", FEW_MODES)
def test_a_folder_that_takes_no_new_files(whole, tmp_path, mode):
    """The files that are open can still be written; the next restart cannot be made."""
    case, reference = whole
    folder = tmp_path / "output"
    process = begin(case, folder, mode, wrapper=without_privilege())
    folder.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        outcome = finish(process, 60)
    finally:
        folder.chmod(stat.S_IRWXU)
    assert outcome.code == 3 and len(outcome.errors) == 1, outcome.stderr
    message = outcome.errors[0]
    assert message.startswith(f"{folder}/restart_") and (
        "Permission denied" in message or "a folder that can be written to" in message
    ), message
    assert f"--restart {restart_files(folder)[-1]}" in outcome.stderr
    check_what_is_left(folder, reference)
    go_on(case, folder, reference, *sets(mode=mode), ranks=2)


def test_restart_files_of_an_earlier_run_are_not_what_to_go_on_from(whole, tmp_path):
    case, reference = whole
    folder = tmp_path / "output"
    shutil.copytree(reference, folder)
    lost = restart_files(folder)[0]
    (folder / "hourly.nc").unlink()
    arguments = ["run", case, "--output", folder, "--overwrite", *sets(mode="servers")]
    process = start(*arguments, ranks=2, env=SLOW_DISK)
    wait_for_records(process, folder / "hourly.nc", 1)
    lost.with_name(lost.name + ".part").mkdir()  # it cannot be written again
    outcome = finish(process)
    assert outcome.code == 3 and outcome.errors[0].startswith(f"{lost}.part: "), outcome.stderr
    before = lost.with_name(lost.name.replace("T060000", "T050000"))
    assert f"continue with --restart {before}\n" in outcome.stderr, outcome.stderr
