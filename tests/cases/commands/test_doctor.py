"""What `groundswell doctor` finds of the folder that output will go to."""

import json
import os
import subprocess

import pytest
from launching import (
    HAS_PNETCDF,
    IS_OPEN_MPI,
    LAUNCHER,
    PROGRAM,
    Outcome,
    environment,
    finish,
    groundswell,
    run,
    start,
    swell_case,
    write_case,
)


def doctor(folder, *arguments, ranks=2, **launch):
    """The report on a folder, and the outcome of the command."""
    report = launch.pop("report")
    outcome = groundswell(
        *("doctor", "--no-speed", "--output", folder, "--json", report), *arguments, ranks=ranks, **launch
    )
    assert outcome.code in (0, 1), outcome.stderr
    return json.loads(report.read_text())["result"], outcome


def codes(result):
    return [problem["code"] for problem in result["problems"]]


def test_shared_memory_is_told_as_what_it_is(tmp_path):
    result, outcome = doctor("/dev/shm", report=tmp_path / "d.json")
    found = result["file_system"]
    assert (found["type"], found["class"], found["mount_point"]) == ("tmpfs", "memory", "/dev/shm")
    assert found["folder"] == found["looked_at"] == "/dev/shm"
    assert found["shared"] and found["writable"] and found["reserves_room"] and found["record_locks"]
    room = os.statvfs("/dev/shm")
    assert found["total_bytes"] == room.f_blocks * room.f_frsize
    assert 0 <= found["free_bytes"] <= found["total_bytes"]
    assert found["hints"] == [] and "memory" in found["notes"][0]
    assert "tmpfs" in outcome.stdout and "same folder on every rank" in outcome.stdout
    assert not [name for name in os.listdir("/dev/shm") if "groundswell-trial" in name]


def test_folder_yet_to_be_made(tmp_path):
    """Its parent is looked at in its place; where that is missing too, nothing can be told of the file system."""
    result, _ = doctor(tmp_path / "output", report=tmp_path / "d.json")
    assert result["file_system"]["looked_at"] == str(tmp_path.resolve())
    assert "no-folder" not in codes(result)
    assert sorted(os.listdir(tmp_path)) == ["d.json"]
    result, outcome = doctor(tmp_path / "no/output", report=tmp_path / "d.json")
    assert outcome.code == 1 and "no-folder" in codes(result)


def test_folder_where_no_file_can_be_made(tmp_path):
    result, outcome = doctor("/proc", report=tmp_path / "d.json", ranks=1)
    assert outcome.code == 1 and "folder-not-writable" in codes(result)
    assert result["file_system"]["writable"] is False and result["file_system"]["class"] == "unknown"


def test_folders_of_one_name_that_are_not_one(tmp_path):
    """Two hosts, each with a folder of its own: what a local disk is to a run across hosts."""
    for name in ("a", "b"):
        (tmp_path / name / "output").mkdir(parents=True)
    wdir = "--wdir" if IS_OPEN_MPI else "-wdir"
    report = tmp_path / "d.json"
    command = [str(PROGRAM), "doctor", "--no-speed", "--output", "output", "--json", str(report)]
    launch = [LAUNCHER]
    for name in ("a", "b"):
        launch += ["-n", "1", wdir, str(tmp_path / name), *command, ":"]
    process = subprocess.Popen(
        launch[:-1],
        env=environment({"GROUNDSWELL_TEST_HOSTS": "2"}),
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    outcome = finish(process)
    assert isinstance(outcome, Outcome) and outcome.code == 1, outcome.stderr
    result = json.loads(report.read_text())["result"]
    assert result["file_system"]["shared"] is False
    problem = next(each for each in result["problems"] if each["code"] == "folder-not-shared")
    assert "pretended-1" in problem["message"] and "share" in problem["fix"]
    assert os.listdir(tmp_path / "a/output") == os.listdir(tmp_path / "b/output") == []


@pytest.mark.skipif(not IS_OPEN_MPI, reason="only Open MPI has two layers to choose from")
@pytest.mark.parametrize("layer, silent", [("ompio", True), ("romio321", False)])
def test_layer_that_opens_files(tmp_path, layer, silent):
    """The one that is silent when the disk is full is named."""
    result, outcome = doctor(tmp_path, report=tmp_path / "d.json", ranks=1, env={"OMPI_MCA_io": layer})
    assert result["mpi"]["io"] == layer
    assert result["file_system"]["silent_when_full"] is silent
    assert ("OMPIO reports success" in outcome.stdout) is silent


@pytest.mark.skipif(not IS_OPEN_MPI, reason="only Open MPI has a layer that is silent")
@pytest.mark.parametrize("layer", ["ompio", "romio321"])
def test_a_full_disk_that_nobody_would_tell_of(tmp_path, layer):
    """A disk of 4 MB: what is wrong is the layer, and its own option mends it."""
    disk = tmp_path / "disk"
    disk.mkdir()
    wrapper = ["unshare", "--mount", "sh", "-c", f'mount -t tmpfs -o size=4m tmpfs {disk} && exec "$@"', "sh"]
    if subprocess.run([*wrapper, "true"], capture_output=True).returncode != 0:
        pytest.skip("mounting needs root")
    report = tmp_path / "d.json"
    env = {"OMPI_MCA_io": layer}
    words = ("doctor", "--no-speed", "--output", disk, "--json", report)
    outcome = finish(start(*words, env=env, ranks=1, wrapper=wrapper))
    problems = {each["code"]: each for each in json.loads(report.read_text())["result"]["problems"]}
    assert outcome.code == 1 and "disk-nearly-full" in problems
    assert ("silent-full-disk" in problems) == (layer == "ompio")
    if layer == "ompio":
        assert "mpirun --mca io romio321" in problems["silent-full-disk"]["fix"]
        assert list(problems).index("silent-full-disk") < list(problems).index("disk-nearly-full")


def test_summary_tells_front_end_back_end_and_set_up_apart(tmp_path, sphere_mesh):
    case = write_case(tmp_path / "case.toml", swell_case(sphere_mesh, hours=3))
    outcome = groundswell("run", case, "--output", tmp_path / "out", ranks=2)
    assert outcome.code == 0, outcome.stderr
    lines = {line[:17].strip(): line[17:].strip() for line in outcome.stdout.splitlines()}
    report = json.loads((tmp_path / "out/run.json").read_text())["result"]["output"]
    assert f"{report['records']} records" in lines["output"] and str(tmp_path / "out") in lines["output"]
    most = {name: report[name + "_seconds"]["max"] for name in ("writing", "setup")}
    mean = {name: report[name + "_seconds"]["mean"] for name in ("preparing", "blocked", "finish")}
    # One number, made of three, and the same as in the table of phases.
    phase = json.loads((tmp_path / "out/run.json").read_text())["result"]["phases"]["output"]["mean"]
    assert sum(mean.values()) == pytest.approx(phase, abs=1e-4)
    assert lines["of the model"].startswith(f"{phase:.3f} s: {mean['preparing']:.3f} s to prepare fields")
    assert f"{mean['finish']:.3f} s at the end" in lines["of the model"]
    assert lines["writing"] == f"{most['writing'] - most['setup']:.3f} s"
    assert lines["set-up"].startswith(f"{most['setup']:.3f} s")
    assert 0.0 < most["setup"] < most["writing"]


@pytest.mark.skipif(not HAS_PNETCDF, reason="hints are for PnetCDF and MPI-IO")
def test_hints_of_the_case_reach_the_file(tmp_path, sphere_mesh):
    """A hint that leaves a trace: records begin where it says."""
    case = write_case(tmp_path / "case.toml", swell_case(sphere_mesh, hours=3))
    sizes = {}
    for name, extra in (("plain", ()), ("aligned", ("--set", "output.hints.nc_record_align_size=1048576"))):
        run(case, "--output", tmp_path / name, "--set", "output.mode=direct", *extra, ranks=2)
        sizes[name] = (tmp_path / name / "swell.nc").stat().st_size
    assert sizes["aligned"] > 2**20 > sizes["plain"]
    outcome = groundswell("compare", tmp_path / "plain/swell.nc", tmp_path / "aligned/swell.nc")
    assert outcome.code == 0, outcome.stdout
