"""Every report and file says which program wrote it, and nothing of how that was run."""

import json
import re
import shutil
import subprocess

import netCDF4
import pytest
from launching import HAS_PNETCDF, PROGRAM, ROOT, groundswell, output_mode, write_case
from profiling import BOX, run_case, sea


def build_of(file):
    with netCDF4.Dataset(file) as data:
        return data.groundswell_build


def files_of(folder):
    return sorted(folder.glob("*.nc"))


def sea_case(folder, mesh, mode=None):
    stations = {"file": "points.nc", "every": "1h", "at": [[0.0, 0.0]], "fields": ["hs"]}
    return sea(
        folder,
        mesh,
        hours=2,
        mode=mode or output_mode("direct"),
        map=[{"file": "map.nc", "every": "1h", "fields": ["hs"]}],
        points=[stations],
        restart={"every": "2h"},
    )


@pytest.fixture(scope="module")
def sea_run(tmp_path_factory, sphere_mesh):
    folder = tmp_path_factory.mktemp("provenance")
    run_case(sea_case(folder, sphere_mesh))
    return folder / "out"


@pytest.fixture(scope="module")
def quake_run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("provenance-quake")
    run_case(
        write_case(folder / "case.toml", BOX | {"output": BOX["output"] | {"mode": output_mode("direct")}})
    )
    return folder / "out"


@pytest.fixture(params=["sea_run", "quake_run"])
def any_run(request):
    return request.getfixturevalue(request.param)


def test_a_report_names_compiler_flags_libraries_and_sources(any_run):
    build = json.loads((any_run / "run.json").read_text())["build"]
    assert build["architecture"] and build["instruction_sets"]
    assert re.fullmatch(r"(GNU|Clang) \d+\.\d+.*", build["compiler"])
    assert "-ffp-contract=off" in build["flags"] and "-W" not in build["flags"]
    assert set(build["libraries"]) == {"mpi", "netcdf", "hdf5", "pnetcdf", "metis"}
    for name, version in build["libraries"].items():
        if name == "pnetcdf" and not HAS_PNETCDF:
            assert version is None
        else:
            assert re.search(r"\d+\.\d+", version), (name, version)


@pytest.mark.skipif(not shutil.which("nc-config"), reason="no nc-config")
def test_the_version_of_netcdf_is_that_of_the_system(sea_run):
    told = subprocess.run(["nc-config", "--version"], capture_output=True, text=True).stdout.split()[1]
    assert json.loads((sea_run / "run.json").read_text())["build"]["libraries"]["netcdf"] == told


def test_sources_are_named_as_git_names_commits(sea_run):
    """The program may be older than the last commit: any commit of this repository will do."""
    source = json.loads((sea_run / "run.json").read_text())["build"]["source"]
    if source is None:
        assert not (ROOT / ".git").exists() or PROGRAM.parent.parent.parent != ROOT / "build"
        return
    commit = source.removesuffix("-dirty")
    known = subprocess.run(["git", "-C", ROOT, "cat-file", "-t", commit], capture_output=True, text=True)
    assert known.stdout.strip() == "commit"


def test_every_file_says_what_the_report_says(any_run):
    report = json.loads((any_run / "run.json").read_text())
    build = report["build"]
    names = {path.name.split("_")[0] for path in files_of(any_run)}
    assert names in ({"map.nc", "points.nc", "restart"}, {"energy.nc"})
    for path in files_of(any_run):
        text = build_of(path)
        expected = [
            build["version"],
            build["compiler"],
            build["flags"],
            f"kernels {report['machine']['isa']} of",
        ]
        expected += [version for version in build["libraries"].values() if version]
        expected += [build["source"]] if build["source"] else []
        assert all(each in text for each in expected), (path.name, text)


@pytest.mark.parametrize("mode, ranks", [("serial", 1), ("thread", 3), ("servers", 3)])
def test_it_does_not_depend_on_how_one_runs(tmp_path, sphere_mesh, sea_run, mode, ranks):
    run_case(sea_case(tmp_path, sphere_mesh, mode), "--set", "run.threads=2", ranks=ranks)
    texts = {build_of(path) for folder in (sea_run, tmp_path / "out") for path in files_of(folder)}
    assert len(texts) == 1


def test_equal_results_of_two_builds_are_equal(tmp_path, sea_run):
    """Neither `compare` nor a checksum minds which program wrote a file."""
    other = tmp_path / "map.nc"
    shutil.copy(sea_run / "map.nc", other)
    with netCDF4.Dataset(other, "a") as data:
        data.groundswell_build = "another"
    outcome = groundswell("compare", sea_run / "map.nc", other)
    assert outcome.code == 0, outcome.stdout


def test_boxes_and_partitions_say_it_too(tmp_path, sphere_mesh):
    box, parts = tmp_path / "box.puml.h5", tmp_path / "parts.nc"
    assert groundswell("partition", sphere_mesh, "--parts", 4, "--output", parts).code == 0
    outcome = groundswell("box", "--cubes", "2,2,2", "--length", "100,100,100", "--output", box)
    assert outcome.code == 0, outcome.stderr
    assert all(build_of(path).startswith("Groundswell ") for path in (box, parts))
