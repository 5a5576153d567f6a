"""The command `groundswell` of a wheel takes the MPI library that belongs to the launcher, and refuses what would not run as one."""

import pathlib

import pytest

from groundswell import launch
from groundswell.errors import Refusal


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "lib").mkdir()
    (tmp_path / "bin").mkdir()
    (tmp_path / "lib" / launch.LIBRARY).touch()
    return tmp_path


def no_library(monkeypatch):
    monkeypatch.setattr(launch, "find_library", lambda environment: None)


def test_without_a_library_one_rank_runs_with_the_wheels_own(monkeypatch):
    no_library(monkeypatch)
    assert launch.choose_library({}) == str(launch.ONE_RANK)
    assert launch.choose_library({"OMPI_COMM_WORLD_SIZE": "1", "OMPI_COMM_WORLD_RANK": "0"}) == str(
        launch.ONE_RANK
    )


@pytest.mark.parametrize("who", ["Open MPI", "Slurm"])
def test_several_ranks_without_a_library_are_refused(monkeypatch, who):
    no_library(monkeypatch)
    size, rank = launch.LAUNCHERS[who]
    with pytest.raises(Refusal, match="3 ranks and no library libmpi.so.40: expected Open MPI's"):
        launch.choose_library({size: "3", rank: "1"})


def test_ranks_of_another_familys_launcher_are_refused(folder):
    ranks = {"PMI_SIZE": "2", "PMI_RANK": "0", "GROUNDSWELL_MPI": str(folder / "lib")}
    with pytest.raises(Refusal, match="MPICH's, 2 ranks: expected Open MPI's"):
        launch.choose_library(ranks)
    assert launch.choose_library({**ranks, "PMI_SIZE": "1"}) == str(folder / "lib")


def test_the_library_is_that_of_the_launcher_and_else_of_this_python(monkeypatch, folder):
    monkeypatch.setattr(launch, "folder_of_launcher", lambda: folder / "bin")
    monkeypatch.setattr(launch.sys, "prefix", str(folder / "elsewhere"))
    ranks = {"OMPI_COMM_WORLD_SIZE": "2", "OMPI_COMM_WORLD_RANK": "1"}
    assert launch.find_library(ranks) == str(folder / "lib")
    monkeypatch.setattr(launch.sys, "prefix", str(folder))
    assert launch.find_library({}) == str(folder / "lib")


def test_a_folder_that_is_named_must_have_the_library(folder):
    assert launch.choose_library({"GROUNDSWELL_MPI": str(folder / "lib")}) == str(folder / "lib")
    with pytest.raises(Refusal, match="GROUNDSWELL_MPI = .*: expected auto, none, or a folder"):
        launch.choose_library({"GROUNDSWELL_MPI": str(folder)})


def test_the_program_finds_its_library_its_tools_and_its_projections(monkeypatch, folder):
    monkeypatch.setattr(launch.sysconfig, "get_path", lambda name: str(folder / "bin"))
    made = launch.program_environment({"GROUNDSWELL_MPI": str(folder / "lib"), "PATH": "/bin"})
    assert made["LD_LIBRARY_PATH"] == str(folder / "lib")
    assert made["PATH"].split(":")[0] == str(folder / "bin")
    assert pathlib.Path(made["PROJ_DATA"]).parts[-3:] == ("program", "share", "proj")
