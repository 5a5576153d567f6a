"""A rank that is killed in the middle of a run takes all the others with it, at once and without traces."""

import os
import pathlib
import signal
import time

import pytest
from launching import (
    finish,
    left_in_shared_memory,
    ours_in_shared_memory,
    rank_processes,
    start,
    swell_case,
    wait_for_records,
    write_case,
)

RANKS = 3

# In `make test` one of each kind: messages pushed by a thread, a collective, memory that ranks share.
WAYS = [("posted", "thread"), ("neighbor", "none"), ("shared", "polling")]
LONG_WAYS = [
    (transport, progress)
    for transport in (
        "point-to-point",
        "posted",
        "persistent",
        "neighbor",
        "datatypes",
        "shared",
    )
    for progress in ("none", "polling", "thread")
    if (transport, progress) not in WAYS
]


@pytest.fixture(scope="module")
def endless(tmp_path_factory, coast_mesh):
    """A case that would run for many minutes."""
    table = swell_case(coast_mesh, hours=100_000, centre=(112.0, 17.0), radius=400.0)
    table["propagation"]["scheme"] = "upwind"
    table["output"]["map"][0]["every"] = "50h"
    return write_case(tmp_path_factory.mktemp("endless") / "case.toml", table)


def rank_of(pid):
    for entry in pathlib.Path(f"/proc/{pid}/environ").read_bytes().split(b"\0"):
        name, _, value = entry.partition(b"=")
        if name in (b"OMPI_COMM_WORLD_RANK", b"PMI_RANK"):
            return int(value)
    raise AssertionError(f"process {pid} was not started as a rank")


def lives(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize(
    ("transport", "progress"), [*WAYS, *(pytest.param(*way, marks=pytest.mark.long) for way in LONG_WAYS)]
)
def test_kill_9_of_one_rank(endless, tmp_path, transport, progress):
    arguments = ["--set", f"halo.transport={transport}", "--set", f"halo.progress={progress}"]
    before = ours_in_shared_memory()
    process = start("run", endless, "--quiet", "--output", tmp_path, *arguments, ranks=RANKS)
    wait_for_records(process, tmp_path / "swell.nc", 3)
    pids = rank_processes(process)
    assert len(pids) == RANKS
    victim = next(pid for pid in pids if rank_of(pid) == 1)
    os.kill(victim, signal.SIGKILL)
    killed = time.monotonic()
    outcome = finish(process, seconds=30)
    assert outcome.code != 0
    while any(map(lives, pids)):
        assert time.monotonic() < killed + 30, f"processes {list(filter(lives, pids))} live on"
        time.sleep(0.05)
    # Seconds, not minutes; the machine may be busy with other tests.
    assert time.monotonic() - killed < 15
    assert not left_in_shared_memory(before)
