"""What a run tells of itself: its time by part and kernel, its memory, its calls of MPI, a timeline, and what limited it."""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import time

import pytest
from launching import (
    HAS_PNETCDF,
    PROGRAM,
    finish,
    groundswell,
    output_mode,
    refused,
    start,
    swell_case,
    wait_for_records,
    write_case,
)

BOX = {
    "model": "quake",
    "title": "a small box",
    "time": {"end": "0.25s"},
    "mesh": {"box": {"cubes": [5, 4, 4], "length": [1000, 900, 1100], "jitter": 0.12}},
    "solver": {"order": 3, "cluster_rate": 2},
    "material": {"rock": [{"layers": [[0, 2000, 1000, 400], [-400, 2700, 6000, 3464]]}]},
    "source": {
        "point": [
            {
                "place": [10, -20, -610],
                "force": [1e9, 0, 0],
                "time_function": "ricker",
                "centre": 0.05,
                "frequency": 12,
            }
        ]
    },
    "output": {"energies": {"file": "energy.nc", "every": "10ms"}},
}


def sea(folder, mesh, hours=6, **output):
    table = swell_case(mesh, hours=hours)
    table["physics"] = {"package": "st4"}
    table["output"] |= {"mode": output_mode("direct"), **output}
    return write_case(folder / "case.toml", table)


def result_of(folder):
    return json.loads((folder / "run.json").read_text())["result"]


def run_case(case, *arguments, ranks=2, env=None):
    """The summary and the report of a run that must succeed."""
    folder = case.parent / "out"
    outcome = groundswell("run", case, "--output", folder, "--overwrite", *arguments, ranks=ranks, env=env)
    assert outcome.code == 0, outcome.stderr
    return outcome, result_of(folder)


@pytest.fixture(scope="module")
def sea_run(tmp_path_factory, sphere_mesh):
    folder = tmp_path_factory.mktemp("sea")
    return run_case(sea(folder, sphere_mesh))


@pytest.fixture(scope="module")
def quake_run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("quake")
    return run_case(write_case(folder / "case.toml", BOX))


@pytest.fixture(params=["sea_run", "quake_run"])
def any_run(request):
    return request.getfixturevalue(request.param)


def means(parts):
    return {name: statistic["mean"] for name, statistic in parts.items()}


# ------------------------------------------------------------------------------------------------- parts of a run


def test_phases_add_up_to_the_wall_clock(any_run):
    _, result = any_run
    running = sum(seconds for name, seconds in means(result["phases"]).items() if name != "setup")
    assert running == pytest.approx(result["wall_seconds"], rel=0.02, abs=0.02)


def test_parts_of_the_start_up_add_up_to_it(any_run):
    outcome, result = any_run
    parts = means(result["startup"])
    assert set(parts) == {
        *("reading", "partition", "plan", "connections", "first_exchange", "trials", "output", "other")
    }
    assert sum(parts.values()) == pytest.approx(result["phases"]["setup"]["mean"], rel=0.02, abs=1e-3)
    for name in ("partition", "plan", "connections", "first_exchange"):
        assert parts[name] > 0, f"two ranks do some of {name}"
    assert any(
        line.startswith("start-up ") and "first exchange" in line for line in outcome.stdout.splitlines()
    )


def test_memory_adds_up_to_the_peak(any_run):
    outcome, result = any_run
    parts = means(result["memory"])
    assert sum(parts.values()) == pytest.approx(result["peak_memory_bytes"]["mean"], rel=0.02)
    assert all(parts[name] > 0 for name in ("state", "mesh", "halo", "rest"))
    assert any(line.startswith("memory ") and "state" in line for line in outcome.stdout.splitlines())


def test_the_state_is_as_large_as_its_numbers(sea_run):
    _, result = sea_run
    two_copies = 2 * 4 * result["bins"] * result["cells"] / 2  # float, two ranks
    assert two_copies < result["memory"]["state"]["mean"] < 3 * two_copies, "with halos and padding"


def test_kernels_are_told_by_cluster(quake_run):
    outcome, result = quake_run
    kernels = result["kernels"]
    clusters = result["clusters"]
    clusters = list(clusters.values()) if isinstance(clusters, dict) else clusters
    for name in ("local", "neighbour"):
        of_name = [kernel for kernel in kernels if kernel["name"] == name]
        assert [kernel["cluster"] for kernel in of_name] == list(range(len(clusters)))
        assert sum(kernel["seconds"]["mean"] for kernel in of_name) == pytest.approx(
            result["phases"][name]["mean"], rel=0.01, abs=1e-4
        )
        # Every element is stepped once in each step of its cluster.
        for kernel, cluster in zip(of_name, clusters, strict=True):
            steps = result["simulated_seconds"] / cluster["step_seconds"]
            assert 2 * kernel["updates"]["mean"] == pytest.approx(cluster["elements"] * steps, rel=1e-6)
    assert "of cluster 0" in outcome.stdout


def test_kernels_of_the_sea_are_its_phases(sea_run):
    _, result = sea_run
    assert {kernel["name"] for kernel in result["kernels"]} == {"propagation", "source"}
    for kernel in result["kernels"]:
        assert kernel["seconds"] == pytest.approx(result["phases"][kernel["name"]])


def test_speed_of_intervals(any_run):
    _, result = any_run
    speed = result["speed"]
    assert speed["intervals"] == len(result["samples"])
    assert 0 < speed["min"] <= speed["median"] <= speed["max"]
    key = "bin_steps_per_second" if "bins" in result else "element_updates_per_second"
    assert speed["min"] <= result[key] * 1.05 and result[key] <= speed["max"] * 1.05


def test_hardware_counters_or_why_there_are_none(any_run):
    outcome, result = any_run
    counters = result["hardware_counters"]
    lines = [line for line in outcome.stdout.splitlines() if line.startswith("hardware counters")]
    assert len(lines) == 1
    if counters["available"]:
        assert counters["instructions"]["min"] > 0 and counters["cycles"]["min"] > 0
    else:
        assert counters["reason"] and counters["reason"] in lines[0]


# ------------------------------------------------------------------------------------------------------ calls of MPI


def test_calls_of_mpi_by_name(any_run):
    outcome, result = any_run
    calls = {call["name"]: call for call in result["mpi"]["calls"]}
    seconds = [call["seconds"]["mean"] for call in result["mpi"]["calls"]]
    assert seconds == sorted(seconds, reverse=True)
    assert calls["MPI_Init_thread"]["count"] == 2
    # The small reduction at the end of each cycle, on two ranks.
    assert calls["MPI_Allreduce"]["count"] >= 2 * 5 and calls["MPI_Allreduce"]["bytes"]["min"] > 0
    inside = sum(call["seconds"]["mean"] - call["setup_seconds"]["mean"] for call in result["mpi"]["calls"])
    assert inside <= 1.01 * result["wall_seconds"]
    lines = outcome.stdout.splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("MPI calls"))
    for line, call in zip(lines[first : first + 5], result["mpi"]["calls"], strict=False):
        assert call["name"] in line


@pytest.mark.skipif(not HAS_PNETCDF, reason="a build without PnetCDF")
def test_calls_of_libraries_count_too(sea_run):
    _, result = sea_run
    calls = {call["name"]: call for call in result["mpi"]["calls"]}
    written = (
        calls["MPI_File_write_at_all"] if "MPI_File_write_at_all" in calls else calls["MPI_File_write_at"]
    )
    assert calls["MPI_File_open"]["count"] > 0, "PnetCDF opens its files with MPI-IO"
    assert 2 * written["bytes"]["mean"] >= result["output"]["bytes"]


# What only looks up or describes, and is over before a clock could be read, or ends the program.
LOCAL = re.compile(
    r"MPI_(Abort|Initialized|Finalized|Query_thread|Wtime|Get_.*|Error_.*|Errhandler_.*|Type_.*|Info_.*|Group_.*|Op_.*|"
    r"Comm_(rank|size|group|get_.*|set_.*|delete_attr|remote_.*|test_inter|[fc]2[fc]|accept|connect|spawn.*)|"
    r"Win_(get_.*|set_.*|delete_attr|call_errhandler)|Pack.*|Unpack.*|Reduce_local|Status_.*|Test_cancelled|Grequest_.*|"
    r"Topo_test|Cart_(coords|get|map|rank|shift)|Cartdim_get|Graph_(get|map|neighbors.*)|Graphdims_get|File_get_.*|"
    r"Request_free|Aint_.*|T_.*)$"
)


def symbols(path, *options):
    lines = subprocess.run(
        ["nm", "-D", *options, str(path)], capture_output=True, text=True, check=True
    ).stdout
    return {
        word.split("@")[0]
        for line in lines.splitlines()
        for word in line.split()[-1:]
        if word.startswith("MPI_")
    }


@pytest.mark.skipif(shutil.which("nm") is None, reason="no nm")
def test_no_call_of_ours_or_of_our_libraries_goes_uncounted():
    libraries = subprocess.run(["ldd", str(PROGRAM)], capture_output=True, text=True).stdout
    paths = [word for word in libraries.split() if re.search(r"/lib(pnetcdf|netcdf|hdf5\w*)\.so", word)]
    called = symbols(PROGRAM, "--undefined-only").union(
        *(symbols(path, "--undefined-only") for path in paths)
    )
    called = {name for name in called if re.match(r"MPI_[A-Z][a-z]", name)}
    counted = symbols(PROGRAM, "--defined-only")
    assert len(counted) > 20, "the program defines them, and lets libraries see them"
    assert {name for name in called - counted if not LOCAL.match(name)} == set()


# ---------------------------------------------------------------------------------------------------------- timeline


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
    last = max(event["ts"] for event in events if event["ph"] == "X" and event["name"] == "propagation")
    assert 1e-6 * last > 0.5 * result["wall_seconds"], "to its end, with fewer steps"


def test_a_killed_run_leaves_a_timeline_that_opens(tmp_path, sphere_mesh):
    """An array that nobody closed: viewers read it, and with a bracket it is JSON."""
    trace = tmp_path / "trace.json"
    folder = tmp_path / "out"
    case = sea(tmp_path, sphere_mesh, hours=24 * 30)
    process = start("run", case, "--output", folder, "--timeline", trace, ranks=2)
    wait_for_records(process, folder / "swell.nc", 3)
    time.sleep(2.5)
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


def test_a_disk_that_fills_up_ends_the_timeline_and_not_the_run(tmp_path, sphere_mesh):
    """The limit on the size of a file stands for the disk: what is beyond cannot be written, and the output is smaller."""
    trace = tmp_path / "trace.json"
    table = swell_case(sphere_mesh, hours=240)
    table["output"]["map"][0] |= {"every": "24h", "fields": ["hs"]}
    case = write_case(tmp_path / "case.toml", table)
    process = start(
        "run", case, "--output", tmp_path / "out", "--timeline", trace, wrapper=["prlimit", "--fsize=150000"]
    )
    outcome = finish(process)
    assert outcome.code == 0, outcome.stderr
    warnings = [line for line in outcome.stderr.splitlines() if "timeline" in line]
    assert len(warnings) == 1, outcome.stderr
    for word in ("trace.json", "File too large", "the run goes on", "--timeline"):
        assert word in warnings[0]
    text = trace.read_text().rstrip()
    assert text.endswith("},")
    json.loads(text[:-1] + "]")


def test_a_timeline_is_none_of_the_runs_own_files(tmp_path, sphere_mesh):
    case = sea(tmp_path, sphere_mesh)
    for name in (case, tmp_path / "out/swell.nc", tmp_path / "out/run.json"):
        outcome = groundswell("run", case, "--output", tmp_path / "out", "--timeline", name)
        refused(outcome, str(name))
    refused(groundswell("run", case, "--timeline", tmp_path / "nowhere/trace.json"), "nowhere")


# -------------------------------------------------------------------------------------------------- what limited it


DEFECTS = {"slow-output", "spinning-server", "slow-rank", "imbalance", "late-ranks", "network", "start-up"}


def limit_of(outcome, result):
    """The code; its paragraph ends the summary."""
    limit = result["limited_by"]
    words = " ".join(outcome.stdout.split())
    paragraph = f"What limited this run: {limit['text']} What would help most: {limit['help']}"
    assert words.endswith(" ".join(paragraph.split())), outcome.stdout
    return limit["code"]


@pytest.mark.parametrize("ranks", [1, 2])
def test_a_healthy_run_has_none_of_the_defects(tmp_path, sphere_mesh, ranks):
    outcome, result = run_case(sea(tmp_path, sphere_mesh, hours=24), ranks=ranks)
    code = limit_of(outcome, result)
    if result["cores"]["findings"]:
        pytest.skip("the machine is busy: " + code)
    assert code in ("computing", "memory"), result["limited_by"]


@pytest.mark.parametrize("mode", [output_mode("direct"), "thread", "servers"])
def test_a_slow_disk_is_named(tmp_path, sphere_mesh, mode):
    case = sea(tmp_path, sphere_mesh, hours=12, restart={"every": "3h"}, mode=mode)
    outcome, result = run_case(
        case, ranks=3 if mode == "servers" else 2, env={"GROUNDSWELL_TEST_DISK": "300kB/s"}
    )
    assert limit_of(outcome, result) == "slow-output", result["limited_by"]
    assert "MiB/s" in result["limited_by"]["text"]


def test_a_spinning_server_is_named(tmp_path, sphere_mesh):
    case = sea(tmp_path, sphere_mesh, hours=48, mode="servers")
    outcome, result = run_case(case, ranks=2, env={"GROUNDSWELL_TEST_SERVERS": "spin"})
    if result["output"]["server_idle_seconds"]["max"] < 1.0:
        pytest.skip("too short to tell")
    assert limit_of(outcome, result) == "spinning-server", result["limited_by"]
    _, sleeping = run_case(case, ranks=2)
    assert sleeping["limited_by"]["code"] != "spinning-server"


@pytest.mark.alone
def test_a_slow_rank_is_named_in_both_models(tmp_path, sphere_mesh):
    table = json.loads(json.dumps(BOX))
    table["time"]["end"] = "3s"
    table["mesh"]["box"]["cubes"] = [8, 8, 8]
    quake = write_case(tmp_path / "quake.toml", table)
    for case in (sea(tmp_path, sphere_mesh, hours=24 * 6), quake):
        outcome, result = run_case(case, env={"GROUNDSWELL_TEST_SLOW": "1:3"})
        code = limit_of(outcome, result)
        if code != "slow-rank" and any("core" in found["code"] for found in result["cores"]["findings"]):
            pytest.skip("the machine is busy: " + code)
        assert code == "slow-rank", result["limited_by"]
        assert "rank 1" in result["limited_by"]["text"].lower()
