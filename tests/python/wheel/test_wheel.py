"""A wheel installs where there is neither a compiler nor MPI, and computes there what the program of this tree computes."""

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
    names = ("OMPI_", "PMI", "LD_LIBRARY_PATH", "PYTHONPATH", "GROUNDSWELL_")
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
    assert "libmpi" not in names.replace("groundswell/program/one-rank/libmpi.so.40", "")


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


@pytest.mark.skipif(shutil.which("mpirun") is None, reason="no mpirun")
def test_two_ranks_are_one_run_and_without_their_library_none(installed, tmp_path):
    first_hour(installed / "groundswell", tmp_path / "one")
    case = tmp_path / "one/typhoon/case.toml"
    line = ["mpirun", "--oversubscribe", "-n", "2", installed / "groundswell", "run", case, "--overwrite"]
    line += ["--output", tmp_path / "two", "--set", "time.end=2024-09-02T19:00:00Z"]
    done(*line, env=ENVIRONMENT)
    compared = done(PROGRAM, "compare", tmp_path / "one/typhoon/output/yagi.nc", tmp_path / "two/yagi.nc")
    assert "hold the same" in compared.stdout
    refused = subprocess.run(
        [str(word) for word in line],
        env={**ENVIRONMENT, "GROUNDSWELL_MPI": "none"},
        capture_output=True,
        text=True,
    )
    told = [line for line in refused.stderr.splitlines() if line.startswith("groundswell: error: ")]
    assert refused.returncode == 2 and len(told) == 1 and "2 ranks and no library libmpi.so.40" in told[0]


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
