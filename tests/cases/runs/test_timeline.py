"""`run --timeline`: when each thread of each rank did what, in a file that viewers open, also after a kill or a full disk."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import time

import pytest
from launching import (
    finish,
    groundswell,
    rank_processes,
    refused,
    start,
    swell_case,
    wait_for_records,
    write_case,
)
from profiling import run_case, sea


def events_of(path):
    return json.loads(path.read_text())


def check_slices(events):
    """Slices of a thread lie beside or within each other, as viewers need it."""
    tracks = {}
    for event in events:
        if event["ph"] == "X":
            assert event["dur"] >= 0 and event["ts"] >= 0
            tracks.setdefault((event["pid"], event["tid"]), []).append((event["ts"], -event["dur"]))
    for slices in tracks.values():
        open_until = []
        for begin, minus in sorted(slices):
            end = begin - minus
            while open_until and open_until[-1] <= begin + 0.002:
                open_until.pop()
            assert not open_until or end <= open_until[-1] + 0.002
            open_until.append(end)
    return tracks


def test_a_timeline_has_phases_exchanges_and_output_of_every_rank(tmp_path, sphere_mesh):
    trace = tmp_path / "trace.json"
    _, result = run_case(sea(tmp_path, sphere_mesh), "--timeline", trace)
    events = events_of(trace)
    check_slices(events)
    assert {event["pid"] for event in events if event["ph"] == "X"} == {1, 2}
    names = {event["args"]["name"] for event in events if event["name"] == "process_name"}
    assert any(name.startswith("rank 0 on ") for name in names) and len(names) == 2
    for pid in (1, 2):
        mine = [event for event in events if event["pid"] == pid]
        categories = {event.get("cat") for event in mine}
        assert {"phase", "exchange", "output", "start-up"} <= categories
        assert (
            sum(event["ph"] == "b" for event in mine)
            == sum(event["ph"] == "e" for event in mine)
            == result["steps"]
        )
        # What is drawn of a phase is what the profile has of it.
        drawn = sum(
            event["dur"] for event in mine if event.get("cat") == "phase" and event["name"] == "propagation"
        )
        assert 1e-6 * drawn == pytest.approx(result["ranks"][pid - 1]["phases"]["propagation"], rel=0.02)
        assert any("swell.nc" in event.get("args", {}).get("what", "") for event in mine)


def test_a_writer_thread_and_servers_have_tracks_of_their_own(tmp_path, sphere_mesh):
    trace = tmp_path / "trace.json"
    case = sea(tmp_path, sphere_mesh)
    run_case(case, "--timeline", trace, "--set", "output.mode=thread")
    threads = [event for event in events_of(trace) if event["name"] == "thread_name"]
    assert sorted(event["args"]["name"] for event in threads) == ["main", "main", "writer", "writer"]
    run_case(case, "--timeline", trace, "--set", "output.mode=servers", ranks=3)
    events = events_of(trace)
    writes = {event["pid"] for event in events if event.get("cat") == "output"}
    assert writes == {3}, "the last rank serves"


def test_threads_that_compute_have_rows_of_their_own(tmp_path, sphere_mesh):
    trace = tmp_path / "trace.json"
    _, result = run_case(sea(tmp_path, sphere_mesh), "--timeline", trace, "--set", "run.threads=3")
    events = events_of(trace)
    check_slices(events)
    for pid in (1, 2):
        names = {
            event["tid"]: event["args"]["name"]
            for event in events
            if event["name"] == "thread_name" and event["pid"] == pid
        }
        assert sorted(names.values()) == ["main", "thread 1", "thread 2"]
        phases = result["ranks"][pid - 1]["phases"]
        shares = [event for event in events if event.get("cat") == "thread" and event["pid"] == pid]
        for tid in names:
            lasted = 1e-6 * sum(event["dur"] for event in shares if event["tid"] == tid)
            if names[tid] == "main":
                assert lasted == 0
            else:
                assert 0 < lasted < phases["propagation"] + phases["source"] + phases["setup"] + 0.1


def test_a_timeline_of_several_hosts_becomes_one_file(tmp_path, sphere_mesh):
    trace = tmp_path / "trace.json"
    run_case(sea(tmp_path, sphere_mesh), "--timeline", trace, ranks=3, env={"GROUNDSWELL_TEST_HOSTS": "2"})
    assert {event["pid"] for event in events_of(trace) if event["ph"] == "X"} == {1, 2, 3}
    assert list(tmp_path.glob("trace.json*")) == [trace]


def test_a_long_run_has_a_timeline_of_bounded_size(tmp_path, sphere_mesh):
    trace = tmp_path / "trace.json"
    case = sea(tmp_path, sphere_mesh, hours=48)
    _, result = run_case(case, "--timeline", trace, env={"GROUNDSWELL_TEST_TIMELINE": "60kB"})
    assert trace.stat().st_size < 2 * 1.25 * 60e3 + 10e3
    events = events_of(trace)
    check_slices(events)
    last = max(
        event["ts"] for event in events if event["ph"] == "X" and event["name"] in ("propagation", "source")
    )
    assert 1e-6 * last > 0.5 * result["wall_seconds"], "to its end, with fewer steps"


def wait_for_phases(process, trace, ranks, seconds=60):
    """Until the file shows a phase of each of the ranks: both write by now and then."""
    limit = time.monotonic() + seconds
    while True:
        lines = trace.read_text().splitlines() if trace.exists() else []
        if all(any('"cat":"phase"' in line and rank in line for line in lines[:-1]) for rank in ranks):
            return
        assert process.poll() is None and time.monotonic() < limit, (
            "the run never showed phases of both ranks"
        )
        time.sleep(0.05)


def test_a_killed_run_leaves_a_timeline_that_opens(tmp_path, sphere_mesh):
    """An array that nobody closed: viewers read it, and with a bracket it is JSON."""
    trace = tmp_path / "trace.json"
    folder = tmp_path / "out"
    case = sea(tmp_path, sphere_mesh, hours=24 * 3650)
    process = start("run", case, "--output", folder, "--timeline", trace, ranks=2)
    wait_for_phases(process, trace, ('"pid":1,', '"pid":2,'))
    os.killpg(process.pid, signal.SIGKILL)
    finish(process)
    text = trace.read_text().rstrip()
    assert text.startswith("[") and text.endswith("},")
    events = json.loads(text[:-1] + "]")
    assert {event["pid"] for event in events if event.get("cat") == "phase"} == {1, 2}


@pytest.mark.skipif(
    not pathlib.Path("/dev/full").exists(), reason="no device on which every write finds the disk full"
)
def test_a_timeline_on_a_full_disk_is_told_at_the_start(tmp_path, sphere_mesh):
    case = sea(tmp_path, sphere_mesh)
    outcome = groundswell("run", case, "--output", tmp_path / "out", "--timeline", "/dev/full", ranks=2)
    refused(outcome, "--timeline", "/dev/full", "No space left")


@pytest.mark.skipif(shutil.which("prlimit") is None, reason="no prlimit")
def test_a_disk_that_fills_up_ends_the_timeline_and_not_the_run(tmp_path, sphere_mesh):
    """The limit on the size of a file stands for the disk: the timeline meets it, and the output, which is smaller, does not."""
    trace, folder = tmp_path / "trace.json", tmp_path / "out"
    table = swell_case(sphere_mesh, hours=24 * 120)
    table["output"]["map"][0] |= {"every": "240h", "fields": ["hs"]}
    case = write_case(tmp_path / "case.toml", table)
    process = start("run", case, "--output", folder, "--timeline", trace)
    wait_for_records(process, folder / "swell.nc", 1)
    limit = trace.stat().st_size + 300_000
    for rank in rank_processes(process):
        subprocess.run(["prlimit", "--pid", str(rank), f"--fsize={limit}"], check=True)
    outcome = finish(process)
    assert outcome.code == 0, outcome.stderr
    warnings = [line for line in outcome.stderr.splitlines() if "timeline" in line]
    assert len(warnings) == 1, outcome.stderr
    for word in ("trace.json", "File too large", "the run goes on", "--timeline"):
        assert word in warnings[0]
    text = trace.read_text().rstrip()
    assert text.endswith("},") and trace.stat().st_size <= limit
    json.loads(text[:-1] + "]")


def test_a_timeline_is_none_of_the_runs_own_files(tmp_path, sphere_mesh):
    case = sea(tmp_path, sphere_mesh)
    for name in (case, tmp_path / "out/swell.nc", tmp_path / "out/run.json"):
        outcome = groundswell("run", case, "--output", tmp_path / "out", "--timeline", name)
        refused(outcome, str(name))
    refused(groundswell("run", case, "--timeline", tmp_path / "nowhere/trace.json"), "nowhere")
