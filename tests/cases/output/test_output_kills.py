"""Killed or stopped at any moment: what the files show is whole, and the run goes on to the bits of an undisturbed one."""

import dataclasses
import json
import os
import random
import re
import signal
import time

import netCDF4
import pytest
from faults import MODES, SLOW_DISK, go_on, restart_files, sets, small_storm, wait_for_line
from launching import (
    STORM_FILES,
    assert_same,
    assert_whole_records,
    finish,
    groundswell,
    rank_processes,
    run,
    start,
    wait_for_records,
)

RANKS = 3


@pytest.fixture(scope="module")
def whole(tmp_path_factory, coast_mesh, wind_file):
    """A case, and the folder of its undisturbed run."""
    folder = tmp_path_factory.mktemp("kills")
    case = small_storm(folder, coast_mesh, wind_file, checksums=True)
    run(case, "--output", folder / "whole")
    return case, folder / "whole"


def by_rank(process):
    """Process ids in the order of ranks. Of a run with servers the last is one."""

    def rank(pid):
        with open(f"/proc/{pid}/environ", "rb") as stream:
            return int(re.search(rb"(?:OMPI_COMM_WORLD|PMI)_RANK=(\d+)", stream.read())[1])

    return sorted(rank_processes(process), key=rank)


def kill(process, victim):
    """`job`: every rank and the launcher at once, as when the power fails."""
    pids = rank_processes(process)
    if victim == "job":
        pids = [process.pid, *pids]
    elif pids:
        pids = [by_rank(process)[-1 if victim == "server" else 0]]
    for pid in pids:
        os.kill(pid, signal.SIGKILL)


def check_killed(folder, reference):
    """Every file opens, every record is whole, and `verify` has no complaint, or a true one.

    A true one: of a file that was killed before its first record, while what does not change with time was written.
    """
    files = sorted(folder.glob("*.nc"))
    if not files:
        return
    report = folder / "verify.json"
    outcome = groundswell("verify", *files, "--json", report)
    found = {file["file"]: file for file in json.loads(report.read_text())["result"]["files"]}
    report.unlink()
    for path in files:
        file = found[str(path)]
        if file["ok"]:
            assert file["complete_records"] == file["records"]
            if path.name in STORM_FILES:
                assert assert_whole_records(path, reference / path.name) == file["records"]
            else:
                assert path.name.startswith("restart_")
            continue
        assert path.name in STORM_FILES and file["records"] == 0, (outcome.stdout, file)
        with netCDF4.Dataset(path) as data, netCDF4.Dataset(reference / path.name) as other:
            data.set_auto_mask(False)
            other.set_auto_mask(False)
            fixed = [name for name in other.variables if "time" not in other[name].dimensions]
            assert any((data[name][:] != other[name][:]).any() for name in fixed), file["problems"]
    assert outcome.code == (0 if all(file["ok"] for file in found.values()) else 1)


# ------------------------------------------------------------------------------------------------------ kill -9


@pytest.mark.parametrize(
    "mode, victim, records",
    [
        ("servers", "server", 3),
        ("servers", "client", 4),
        *((mode, "job", 3 + i) for i, mode in enumerate(MODES)),
    ],
)
def test_kill_9(whole, tmp_path, mode, victim, records):
    case, reference = whole
    process = start("run", case, "--output", tmp_path, *sets(mode=mode), ranks=RANKS, env=SLOW_DISK)
    wait_for_records(process, tmp_path / "wind.nc", records)
    time.sleep(random.Random(f"{mode} {victim}").uniform(0.0, 0.2))
    kill(process, victim)
    assert finish(process, 60).code != 0
    shown = assert_whole_records(tmp_path / "wind.nc", reference / "wind.nc")
    assert shown >= records
    check_killed(tmp_path, reference)
    (tmp_path / "restart_20200101T000000.nc.part").write_bytes(b"begun, and never gone on with")
    go_on(case, tmp_path, reference, ranks=2)


@dataclasses.dataclass
class Moment:
    """A kill: of which process, after which share of all bytes of records, and how long after that: in the time of a restart file."""

    mode: str
    victim: str
    share: float
    seconds: float

    def __str__(self):
        return f"{self.mode}-{self.victim}-{self.share:.3f}-{self.seconds:.3f}"


def random_moments(number):
    moments = []
    dice = random.Random(2024)
    for i in range(number):
        mode = MODES[i % len(MODES)]
        victim = dice.choice(["job", "client", "server"] if mode == "servers" else ["job", "client"])
        moments.append(Moment(mode, victim, dice.uniform(0.0, 0.95), dice.uniform(0.0, 0.6)))
    return moments


def bytes_of_records(folder):
    return sum((folder / name).stat().st_size for name in STORM_FILES if (folder / name).exists())


@pytest.mark.long
@pytest.mark.parametrize("moment", random_moments(50), ids=str)
def test_kill_9_at_a_random_moment(whole, tmp_path, moment):
    case, reference = whole
    wanted = moment.share * bytes_of_records(reference)
    process = start("run", case, "--output", tmp_path, *sets(mode=moment.mode), ranks=RANKS, env=SLOW_DISK)
    limit = time.monotonic() + 60
    while bytes_of_records(tmp_path) < wanted and process.poll() is None:
        assert time.monotonic() < limit
        time.sleep(0.002)
    time.sleep(moment.seconds)
    kill(process, moment.victim)
    finish(process, 60)
    check_killed(tmp_path, reference)
    go_on(case, tmp_path, reference, ranks=2)


# ------------------------------------------------------------------------------------------------------ stopped


@pytest.mark.parametrize("seconds, silence", [(3, "1s"), pytest.param(10, "4s", marks=pytest.mark.long)])
def test_a_stopped_server_is_named_and_waited_for(whole, tmp_path, seconds, silence):
    case, reference = whole
    arguments = sets(mode="servers", buffer="20 kB", silence=silence)
    process = start("run", case, "--output", tmp_path, *arguments, ranks=2, env=SLOW_DISK)
    wait_for_records(process, tmp_path / "wind.nc", 2)
    server = by_rank(process)[-1]
    os.kill(server, signal.SIGSTOP)
    begin = time.monotonic()
    warning = wait_for_line(process, "has not answered")  # the model meets the bound when the machine lets it
    time.sleep(max(0.0, begin + seconds - time.monotonic()))
    assert process.poll() is None
    os.kill(server, signal.SIGCONT)
    outcome = finish(process)
    assert outcome.code == 0, outcome.stderr
    assert re.search(
        r"warning: output: the output server, rank 1 on host \S+, has not answered for [\d.]+ s; "
        r"it was (waiting, and has not begun with )?(writing|creating|closing) ",
        warning,
    ), warning
    assert_same(tmp_path, reference, [*STORM_FILES, restart_files(reference)[-1].name])
