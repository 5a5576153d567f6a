"""What a run tells of itself: its time by part and kernel, its memory, its speed, its calls of MPI."""

import re
import shutil
import subprocess

import pytest
from launching import HAS_PNETCDF, PROGRAM, start, write_case
from profiling import BOX, run_case, sea


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
    if parts["mesh"] == 0:
        pytest.skip("the C library does not tell what its heap holds")
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


def test_the_rate_of_the_whole_run_is_that_of_its_kernels(any_run):
    """What they need together, over the clock's time."""
    outcome, result = any_run
    rate, limits = result["rate"], result["limits"]
    work = [0.0, 0.0]
    for kernel in result["kernels"]:
        for number, key in enumerate(("gflops", "gigabytes_per_second")):
            work[number] += 1e9 * kernel.get(key, 0.0) * kernel["seconds"]["mean"]
    assert [rate["flop"], rate["bytes"]] == pytest.approx(work) and rate["flop"] > 0
    assert rate["gflops"] == pytest.approx(1e-9 * rate["flop"] / result["wall_seconds"])
    assert rate["gigabytes_per_second"] == pytest.approx(1e-9 * rate["bytes"] / result["wall_seconds"])
    line = next(line for line in outcome.stdout.splitlines() if "GFLOP/s" in line)
    if limits is None:
        assert rate["share_of_peak"] is None and "%" not in line
    else:
        assert rate["share_of_peak"] == pytest.approx(rate["gflops"] / limits["peak_gflops"])
        assert "% of peak" in line


def progress_lines(case, *words):
    """Lines of progress of a run, which is ended when nobody wants another."""
    process = start("run", case, "--output", case.parent / "out", "--overwrite", *words)
    try:
        yield from (line for line in process.stderr if "element-updates/s" in line)
    finally:
        process.terminate()
        process.communicate(timeout=100)


def test_the_rate_is_in_the_progress_line_on_request(tmp_path):
    case = write_case(tmp_path / "case.toml", BOX | {"time": {"end": "200s"}})
    rate = re.compile(r"element-updates/s .* left  [0-9.e+]+ GFLOP/s.*, [0-9.e+]+ GB/s")
    assert any(rate.search(line) for line in progress_lines(case, "--rate"))
    assert "GFLOP/s" not in next(progress_lines(case))


def test_speed_of_intervals(any_run):
    _, result = any_run
    speed = result["speed"]
    assert speed["intervals"] == len(result["samples"])
    assert 0 < speed["min"] <= speed["median"] <= speed["max"]
    key = "bin_steps_per_second" if "bins" in result else "element_updates_per_second"
    # Of all intervals together, which leave out the end: files are closed then.
    whole = result[key] * result["wall_seconds"] / result["samples"][-1]["wall"]
    assert 0.999 * speed["min"] <= whole <= 1.001 * speed["max"]


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


POLLED = re.compile(r"MPI_(Test.*|I.?probe|Improbe|Request_get_status|Win_test)")


def test_calls_of_mpi_by_name(any_run):
    outcome, result = any_run
    calls = {call["name"]: call for call in result["mpi"]["calls"]}
    seconds = [call["seconds"]["mean"] for call in result["mpi"]["calls"]]
    assert seconds == sorted(seconds, reverse=True)
    assert calls["MPI_Init_thread"]["count"] == 2
    # The small reduction at the end of each cycle, on two ranks.
    assert calls["MPI_Allreduce"]["count"] >= 2 * 5 and calls["MPI_Allreduce"]["sent_bytes"]["min"] > 0
    # One thread calls: what is within its calls is within the clock. Of polls only every so many are timed.
    inside = sum(
        call["seconds"]["mean"] - call["setup_seconds"]["mean"]
        for call in result["mpi"]["calls"]
        if not POLLED.fullmatch(call["name"])
    )
    assert inside <= result["wall_seconds"] + 1e-3
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
    assert 2 * written["sent_bytes"]["mean"] >= result["output"]["bytes"]
    assert written["received_bytes"]["max"] == 0


def test_calls_of_mpi_by_phase(any_run):
    """What is called in a phase is part of its time; what was called since the first step is called in some phase."""
    outcome, result = any_run
    places = result["mpi"]["phases"]
    assert set(places) <= set(result["phases"]) | {"other_threads"} and "agreement" in places
    since = sum(call["count"] - call["setup_count"] for call in result["mpi"]["calls"])
    assert sum(place["count"] for place in places.values()) == since
    for key in ("sent_bytes", "received_bytes"):
        moved = sum(call[key]["mean"] - call[f"setup_{key}"]["mean"] for call in result["mpi"]["calls"])
        assert sum(place[key]["mean"] for place in places.values()) == pytest.approx(moved)
    assert places["agreement"]["seconds"]["mean"] <= 1.001 * result["phases"]["agreement"]["mean"]
    assert any(line.startswith("MPI by phase") for line in outcome.stdout.splitlines())


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
