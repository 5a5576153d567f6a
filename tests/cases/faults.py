"""What the tests of faults share: a small case with every kind of file, disks that fill up, users without privileges."""

import contextlib
import os
import re
import signal
import subprocess
import threading

import pytest
from launching import (
    HAS_PNETCDF,
    IS_OPEN_MPI,
    STORM_FILES,
    assert_same,
    assert_whole_records,
    groundswell,
    run,
    storm_case,
    write_case,
)

MODES = [*(["direct"] if HAS_PNETCDF else []), "serial", "thread", "servers"]
# The parts of Open MPI that read and write files; other libraries have one, with the name it has there.
IO_LAYERS = (
    {"ompio": {"OMPI_MCA_io": "ompio"}, "romio": {"OMPI_MCA_io": "romio321"}} if IS_OPEN_MPI else {"": {}}
)
SLOW_DISK = {"GROUNDSWELL_TEST_DISK": "400kB/s"}


def sets(**keys):
    """--set output.KEY=VALUE for each."""
    return [word for key, value in keys.items() for word in ("--set", f"output.{key}={value}")]


def small_storm(folder, mesh, wind, hours=4, restart="1h", **output):
    """A case whose restart files are of a size with its maps, so that none of them takes all the time."""
    table = storm_case(mesh, wind, hours)
    table["spectrum"] |= {"directions": 12, "frequencies": 8}
    table["output"] |= {"restart": {"every": restart}, **output}
    return write_case(folder / "case.toml", table)


def restart_files(folder):
    return sorted(folder.glob("restart_*.nc"))


def check_what_is_left(folder, reference):
    """Whole records in every file, as far as it goes; a proof of each by its checksums. Returns records by file."""
    files = [folder / name for name in STORM_FILES if (folder / name).exists()]
    shown = {path.name: assert_whole_records(path, reference / path.name) for path in files}
    files += restart_files(folder)
    outcome = groundswell("verify", *files)
    assert outcome.code == 0, outcome.stdout + outcome.stderr
    return shown


def go_on(case, folder, reference, *arguments, **launch):
    """From the last restart file before the end, or from the beginning where there is none: to the same bits."""
    last = restart_files(reference)[-1].name
    restarts = [path for path in restart_files(folder) if path.name != last]
    way = ["--restart", restarts[-1]] if restarts else ["--overwrite"]
    run(case, "--output", folder, *way, *arguments, **launch)
    assert_same(folder, reference, [*STORM_FILES, last])
    assert not list(folder.glob("*.part"))


# What a user must be told of a failed write: the file, what of it, and the system's own words.
FAILED_WRITE = re.compile(
    r"(?P<file>\S+\.nc(\.part)?): .*"
    r"(record \d+|variables? \w+|no room for|folder = |header|cannot create|cannot be given its name)"
)


def told(outcome, folder, *words):
    """One message, exit code 3, with file, place and these words; what the files are worth and how to go on."""
    assert outcome.code == 3, (outcome.code, outcome.stderr)
    assert len(outcome.errors) == 1, outcome.stderr
    message = outcome.errors[0]
    found = FAILED_WRITE.match(message)
    assert found and found["file"].startswith(str(folder)), message
    for word in words:
        assert word in message, (word, message)
    assert "all records before the failure are whole and kept" in outcome.stderr, outcome.stderr
    return message


def wait_for_line(process, words, seconds=60):
    """The first line on standard error that has these words."""
    deadline = threading.Timer(seconds, lambda: os.killpg(process.pid, signal.SIGKILL))
    deadline.start()
    said = []
    try:
        for line in process.stderr:
            said.append(line)
            if words in line:
                return line
    finally:
        deadline.cancel()
    raise AssertionError(f"{process.args} never said {words!r}; it said:\n{''.join(said)}")


@contextlib.contextmanager
def small_disk(folder, size):
    """A file system in memory of that size, in bytes, at `folder`."""
    folder.mkdir()
    mount = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "none", folder], capture_output=True, text=True
    )
    if mount.returncode != 0:
        pytest.skip(f"mounting a small disk needs root: {mount.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)


def fill(disk):
    """Somebody else takes all the room that is left. Returns his file."""
    filler = disk / "filler"
    with contextlib.suppress(OSError), open(filler, "wb", buffering=0) as stream:
        while stream.write(bytes(4096)):
            pass
    return filler


def without_privilege():
    """Words before a command that make permissions hold for root too."""
    if os.geteuid() != 0:
        return []
    caps = "-dac_override,-dac_read_search"
    words = ["setpriv", f"--bounding-set={caps}", f"--inh-caps={caps}"]
    if subprocess.run([*words, "true"], capture_output=True).returncode != 0:
        pytest.skip("root cannot give up its privileges here (setpriv)")
    return words
