"""How a run begins: parts that were cut beforehand, and no call in which every rank hears from every other."""

import re

import netCDF4
import numpy as np
import pytest
from launching import (
    STORM_FILES,
    assert_same,
    groundswell,
    refused,
    run,
    storm_case,
    write_case,
)
from profiling import BOX, result_of, run_case, sea

PARTS = 3


@pytest.fixture(scope="module")
def one(tmp_path_factory, coast_mesh, wind_file):
    """The folder of the storm's run by one rank."""
    folder = tmp_path_factory.mktemp("one")
    run(write_case(folder / "case.toml", storm_case(coast_mesh, wind_file)), "--output", folder)
    return folder


@pytest.fixture
def storm(tmp_path, coast_mesh, wind_file, one):
    """The case with a mesh of its own, beside which parts can stand; and the folder of its run by one rank."""
    mesh = tmp_path / "coast.grid.nc"
    mesh.write_bytes(coast_mesh.read_bytes())
    return write_case(tmp_path / "case.toml", storm_case(mesh, wind_file)), mesh, one


def cut(mesh, *arguments, parts=PARTS):
    outcome = groundswell("partition", mesh, "--parts", parts, *arguments)
    assert outcome.code == 0, outcome.stderr
    return outcome.stdout


def same_with(case, reference, folder, method, *arguments):
    run(case, "--output", folder, *arguments, ranks=PARTS)
    assert_same(folder, reference, STORM_FILES)
    assert result_of(folder)["partition"] == method


def test_parts_beside_the_mesh_are_found(storm, tmp_path):
    case, mesh, reference = storm
    same_with(case, reference, tmp_path / "none", "plain")  # two levels of one host
    said = cut(mesh, "--keep")
    kept = mesh.with_name("coast.grid.part.3.nc")
    assert str(kept) in said and kept.exists()
    same_with(case, reference, tmp_path / "kept", "file")
    assert kept.name in groundswell("run", case, "--check", ranks=PARTS).stderr
    # They are for as many ranks, and for who does not ask for another way.
    run(case, "--output", tmp_path / "two", ranks=2)
    assert result_of(tmp_path / "two")["partition"] == "plain"
    same_with(case, reference, tmp_path / "curve", "curve", "--set", "mesh.partition=curve")
    # The same cut as a run makes by itself, so as much is exchanged.
    one, other = (result_of(tmp_path / name)["exchange"] for name in ("none", "kept"))
    assert one["bytes"] == other["bytes"]


@pytest.mark.parametrize(
    "name", ["coast.grid.graph.info.part.3", "coast.graph.info.part.3", "graph.info.part.3"]
)
def test_parts_as_mpas_has_them(storm, tmp_path, name):
    case, mesh, reference = storm
    cut(mesh, "--output", mesh.with_name(name))
    lines = mesh.with_name(name).read_text().splitlines()
    with netCDF4.Dataset(mesh) as file:
        assert len(lines) == len(file.dimensions["nCells"])
    assert set(lines) == {"0", "1", "2"}
    same_with(case, reference, tmp_path / "kept", "file")


def test_parts_from_anywhere(storm, tmp_path):
    case, mesh, reference = storm
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    cut(mesh, "--output", elsewhere / "mine.nc")
    same_with(case, reference, tmp_path / "kept", "file", "--set", "mesh.part_file=elsewhere/mine.nc")


def test_wrong_parts_are_refused(storm, tmp_path, sphere_mesh):
    case, mesh, _ = storm
    folder = ("--output", tmp_path / "out")
    at_three = {"ranks": PARTS}
    needed = groundswell("run", case, *folder, "--set", "mesh.partition=file", **at_three)
    refused(needed, "mesh.partition", "coast.grid.part.3.nc", "--keep")
    other = groundswell("run", case, *folder, "--set", "mesh.partition=plain", "--set", "mesh.part_file=x.nc")
    refused(other, "mesh.part_file", 'not "plain"')
    reorder = groundswell("run", case, *folder, "--set", "mesh.partition=file", "--set", "halo.reorder=true")
    refused(reorder, "halo.reorder", '"file"')
    kept = mesh.with_name("coast.grid.part.3.nc")
    cut(sphere_mesh, "--output", kept)
    refused(groundswell("run", case, *folder, **at_three), kept.name, "cells of the mesh", "--keep")
    cut(mesh, "--output", kept, "--overwrite", parts=4)
    refused(groundswell("run", case, *folder, **at_three), kept.name, "parts = 4", "3, one for each rank")
    cut(mesh, "--output", kept, "--overwrite")
    with netCDF4.Dataset(kept, "a") as file:
        part = file["part"][:]
        file["part"][int(np.flatnonzero(part == 1)[7])] = -1
    refused(groundswell("run", case, *folder, **at_three), kept.name, "= -1", "sea in this run")
    with netCDF4.Dataset(kept, "a") as file:
        file["part"][:] = part
        file.graph = "0" * 16
    refused(groundswell("run", case, *folder, **at_three), kept.name, "graph", "another one")
    kept.write_text("no NetCDF")
    refused(groundswell("run", case, *folder, **at_three), kept.name)
    kept.unlink()
    text = mesh.with_name("graph.info.part.3")
    text.write_text("0\n1\n2\n")
    refused(groundswell("run", case, *folder, **at_three), text.name, "parts of 3 cells")
    assert not (tmp_path / "out").exists() or not list((tmp_path / "out").glob("*.nc"))


def test_parts_are_not_written_over(storm):
    _, mesh, _ = storm
    cut(mesh, "--keep")
    refused(groundswell("partition", mesh, "--parts", PARTS, "--keep"), "coast.grid.part.3.nc", "--overwrite")
    refused(groundswell("partition", mesh, "--parts", PARTS, "--output", mesh), str(mesh))


# Calls in which each rank sends something of its own to each other one.
ALL_TO_ALL = re.compile(r"MPI_I?(Alltoall|Reduce_scatter).*")


@pytest.mark.parametrize("model", ["sea", "quake"])
def test_a_start_has_no_call_from_all_to_all_and_no_more_calls_for_more_ranks(model, tmp_path, sphere_mesh):
    case = sea(tmp_path, sphere_mesh, hours=1) if model == "sea" else write_case(tmp_path / "case.toml", BOX)
    calls = {}
    for ranks in (4, 12):
        _, result = run_case(case, "--set", "halo.transport=posted", ranks=ranks)
        # Of each call, how often a rank made it on average.
        calls[ranks] = {call["name"]: call["setup_count"] / ranks for call in result["mpi"]["calls"]}
        assert calls[ranks]["MPI_Allreduce"] > 0
        assert not [name for name, count in calls[ranks].items() if count > 0 and ALL_TO_ALL.fullmatch(name)]
    for name in ("MPI_Bcast", "MPI_Allreduce", "MPI_Gather", "MPI_Allgather", "MPI_Scatter", "MPI_Barrier"):
        few, many = (calls[ranks].get(name, 0.0) for ranks in (4, 12))
        # Sorting along the curve takes rounds that go with the logarithm: four in place of two.
        assert many <= 2.0 * few + 1, name
