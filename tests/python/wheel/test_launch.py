"""The command `groundswell` of a wheel takes the MPI library that belongs to the launcher, and refuses what would not run as one."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

from groundswell import launch, mpi_families
from groundswell.errors import Refusal
from groundswell.mpi_families import MPICH, OPEN_MPI, Found

RANKS = {
    "Open MPI": {"OMPI_COMM_WORLD_SIZE": "2", "OMPI_COMM_WORLD_RANK": "1"},
    "MPICH": {"PMI_SIZE": "2", "PMI_RANK": "1", "MPI_LOCALNRANKS": "2"},
}
LAUNCHED = [(OPEN_MPI, "Open MPI"), (MPICH, "MPICH")]


def installation(folder, *names):
    for name in ("lib", "bin"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    for name in names:
        (folder / "lib" / name).touch()
    return folder


@pytest.fixture
def folder(tmp_path):
    """An installation of both families."""
    return installation(tmp_path / "both", OPEN_MPI.soname, MPICH.soname)


@pytest.fixture
def of_system(monkeypatch):
    """The families that the system has are put into this."""
    has = []

    def library(families):
        return next((Found(one, one.names()[-1]) for one in families if one in has), None)

    monkeypatch.setattr(launch, "library_of_system", library)
    monkeypatch.setattr(launch, "folder_of_launcher", lambda: None)
    monkeypatch.setattr(launch.sys, "prefix", "/nowhere")
    return has


def test_without_a_library_one_rank_runs_with_the_wheels_own(of_system):
    assert launch.choose_library({}) == launch.ONE_RANK
    alone = {"OMPI_COMM_WORLD_SIZE": "1", "OMPI_COMM_WORLD_RANK": "0"}
    assert launch.choose_library(alone) == launch.ONE_RANK


@pytest.mark.parametrize(
    ("who", "names", "expected"),
    [
        ("Open MPI", "libmpi.so.40", "Open MPI's"),
        ("MPICH", "libmpi.so.12 or libmpich.so.12", "MPICH's"),
        ("Slurm", "libmpi.so.40 or libmpi.so.12 or libmpich.so.12", "Open MPI's"),
    ],
)
def test_several_ranks_without_a_library_are_refused(of_system, who, names, expected):
    size, rank = launch.LAUNCHERS[who]
    with pytest.raises(Refusal, match=f"3 ranks and no library {names}: expected {expected}"):
        launch.choose_library({size: "3", rank: "1"})


@pytest.mark.parametrize(("family", "who"), LAUNCHED)
def test_ranks_take_the_library_of_their_launchers_family(folder, of_system, family, who):
    wanted = {"GROUNDSWELL_MPI": str(folder / "lib")}
    assert launch.choose_library({**RANKS[who], **wanted}).family is family
    of_system += [OPEN_MPI, MPICH]
    assert launch.choose_library(RANKS[who]).family is family


@pytest.mark.parametrize(("family", "who"), LAUNCHED)
def test_a_mix_of_two_families_is_refused_by_their_names(tmp_path, of_system, family, who):
    other = MPICH if family is OPEN_MPI else OPEN_MPI
    only = installation(tmp_path / "only", other.soname) / "lib"
    words = rf"2 ranks of {who}'s mpirun and .*{other.names()[-1]}, a library of {other.name}'s family: expected {who}'s"
    named = words.replace(other.names()[-1], other.soname)
    with pytest.raises(Refusal, match=named):
        launch.choose_library({**RANKS[who], "GROUNDSWELL_MPI": str(only)})
    of_system.append(other)
    with pytest.raises(Refusal, match=words):
        launch.choose_library(RANKS[who])
    with pytest.raises(Refusal, match=named):
        launch.choose_library(RANKS[who], here=Found(other, str(only / other.soname)))
    size, _ = launch.LAUNCHERS[who]
    assert launch.choose_library({**RANKS[who], size: "1"}).family is other


def test_hydras_ranks_are_told_from_slurms_of_the_same_variables():
    of_slurm = {"SLURM_STEP_NUM_TASKS": "4", "SLURM_PROCID": "3"}
    both = {**of_slurm, "PMI_SIZE": "4", "PMI_RANK": "3"}
    assert launch.launcher(both) == ("Slurm", 4, 3)
    within = {**of_slurm, **RANKS["MPICH"]}  # Hydra begins its own helpers by srun
    assert launch.launcher(within) == ("MPICH", 2, 1)


def test_the_library_is_that_of_the_launcher_and_else_of_this_python(monkeypatch, folder, tmp_path):
    monkeypatch.setattr(launch, "folder_of_launcher", lambda: folder / "bin")
    monkeypatch.setattr(launch.sys, "prefix", str(tmp_path / "elsewhere"))
    for family, who in LAUNCHED:
        found = launch.find_library(RANKS[who], [family])
        assert found == Found(family, str(folder / "lib" / family.soname))
    monkeypatch.setattr(launch.sys, "prefix", str(folder))
    assert launch.find_library({}).path == str(folder / "lib" / OPEN_MPI.soname)


def test_a_folder_that_is_named_must_have_a_library(folder):
    named = launch.choose_library({"GROUNDSWELL_MPI": str(folder / "lib")})
    assert named.path == str(folder / "lib" / OPEN_MPI.soname)
    with pytest.raises(Refusal, match="GROUNDSWELL_MPI = .*: expected auto, none, or a folder"):
        launch.choose_library({"GROUNDSWELL_MPI": str(folder)})


def test_the_program_finds_its_library_its_tools_and_its_projections(monkeypatch, folder):
    monkeypatch.setattr(launch.sysconfig, "get_path", lambda name: str(folder / "bin"))
    found = Found(OPEN_MPI, str(folder / "lib" / OPEN_MPI.soname))
    made = launch.program_environment({"PATH": "/bin"}, found)
    assert made["LD_LIBRARY_PATH"] == str(folder / "lib")
    assert made["PATH"].split(":")[0] == str(folder / "bin")
    assert pathlib.Path(made["PROJ_DATA"]).parts[-3:] == ("program", "share", "proj")


def test_debians_mpich_is_found_under_the_name_for_which_programs_ask(monkeypatch, tmp_path):
    alias = tmp_path / "alias" / MPICH.soname
    alias.parent.mkdir()
    alias.touch()
    monkeypatch.setattr(launch, "ALIAS", alias)
    found = Found(MPICH, "libmpich.so.12")
    assert launch.libraries_to_load(found) == ["libmpich.so.12", str(alias)]
    assert launch.program_environment({}, found)["LD_LIBRARY_PATH"] == str(alias.parent)
    plain = Found(MPICH, "/x/libmpi.so.12")
    assert launch.libraries_to_load(plain) == ["/x/libmpi.so.12"]


def shared_library(path, *options):
    words = ["cc", "-shared", "-x", "c", os.devnull, "-x", "none", *options, "-o", path]
    subprocess.run(words, check=True)


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
@pytest.mark.parametrize("family", [OPEN_MPI, MPICH], ids=lambda family: family.name)
def test_a_librarys_family_is_told_by_what_it_is_linked_with(tmp_path, family):
    mpi, own = tmp_path / family.soname, tmp_path / "own.so"
    shared_library(mpi, f"-Wl,-soname,{family.soname}")
    shared_library(own, "-Wl,--no-as-needed", mpi)
    assert mpi_families.family_of_file(own) is family


HERE = """
import ctypes, sys
from groundswell.mpi_families import libraries_here
assert libraries_here() == []
ctypes.CDLL(sys.argv[1])
(found,) = libraries_here()
assert (found.family.name, found.path) == (sys.argv[2], sys.argv[1]), found
"""


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
@pytest.mark.parametrize("family", [OPEN_MPI, MPICH], ids=lambda family: family.name)
def test_a_library_that_the_process_has_is_known_by_its_name_or_else_by_its_content(tmp_path, family):
    for name in (*family.names(), "libmpi.so"):
        library = tmp_path / name
        shared_library(library, f"-Wl,-soname,{family.soname}")
        subprocess.run([sys.executable, "-c", HERE, str(library), family.name], check=True)
