"""The folder of `make bundle-cuda` has less than 60 MB, and computes in a root that has the C library and a shell and nothing else."""

import os
import pathlib
import re
import shutil
import subprocess

import pytest
from pages import ROOT

BUNDLE = pathlib.Path(os.environ.get("GROUNDSWELL_BUNDLE", ROOT / "build/bundle-cuda"))
PROGRAM = ROOT / "build/release/bin/groundswell"
# The C library's, by the names of Debian's package libc6.
C_LIBRARY = r"/(ld-linux-x86-64|libc|libm|libdl|librt|libpthread|libresolv)\.so"


def ended(*words, **options):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, **options)


def done(*words, **options):
    made = ended(*words, **options)
    assert made.returncode == 0, made.stderr
    return made


def test_a_folder_of_sixty_megabytes_is_refused_with_its_largest_part_first(tmp_path):
    for name, size in (("small", 7_000_000), ("large", 52_990_000)):
        (tmp_path / name).open("wb").truncate(size)
    assert "59.99 MB  all" in done(ROOT / "scripts/bundle-size", tmp_path).stdout
    (tmp_path / "more").open("wb").truncate(10_000)
    refused = ended(ROOT / "scripts/bundle-size", tmp_path)
    assert refused.returncode == 3
    assert "bundle = 60.00 MB: expected less than 60" in refused.stderr
    assert refused.stdout.splitlines()[0].split()[-1] == "large"


@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    """inside(words of the wrapper, environment): runs them where there is nothing but the bundle, the C library and a shell."""
    if os.geteuid() != 0:
        pytest.skip("not root")
    if not (BUNDLE / "bin/groundswell").exists():
        pytest.skip("there is no bundle: make bundle-cuda")
    root = tmp_path_factory.mktemp("bare")
    for name in ("proc", "sys", "tmp", "bin"):
        (root / name).mkdir()
    shutil.copytree(BUNDLE, root / "bundle")
    for name in ("sh", "dirname", "readlink"):
        shutil.copy(shutil.which(name), root / "bin" / name)
    program = BUNDLE / "bin/groundswell.program"
    for path in re.findall(r"(/\S+)", done("ldd", program, "/bin/sh").stdout):
        if re.search(C_LIBRARY, path):
            place = root / path.removeprefix("/").removeprefix("usr/")
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, place)

    def inside(*words, **environment):
        enter = 'mount -t proc proc "$0/proc" && mount -t sysfs sysfs "$0/sys" && exec chroot "$0" "$@"'
        line = ["unshare", "--mount", "sh", "-c", enter, root, "/bundle/bin/groundswell", *words]
        return ended(*line, env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", **environment})

    inside.root = root
    return inside


@pytest.mark.long
def test_the_bundle_has_less_than_sixty_megabytes(bare):
    done(ROOT / "scripts/bundle-size", bare.root / "bundle")


@pytest.mark.long
def test_the_sea_has_the_bits_of_the_tree_where_nothing_is_installed(bare, tmp_path):
    case = shutil.copytree(
        ROOT / "cases/basin", bare.root / "tmp/basin", ignore=shutil.ignore_patterns("output")
    )
    done(PROGRAM, "mesh", "make", "--config", case / "mesh.toml")
    choices = ["--set", "time.end=2000-01-01T06:00:00Z"]
    ran = bare("run", "/tmp/basin/case.toml", "--output", "/tmp/sea", *choices)
    assert ran.returncode == 0, ran.stderr
    done(PROGRAM, "run", case / "case.toml", "--output", tmp_path, *choices)
    compared = done(PROGRAM, "compare", bare.root / "tmp/sea/basin.nc", tmp_path / "basin.nc")
    assert "hold the same" in compared.stdout


@pytest.mark.long
def test_an_earthquake_in_any_projection_is_computed_where_nothing_is_installed(bare):
    shutil.copytree(ROOT / "cases/quake/plane-wave", bare.root / "tmp/plane")
    choices = ["mesh.box.cubes=[4,4,4]", "time.end=0.1s", 'projection.proj="EPSG:3413"']
    words = [word for choice in choices for word in ("--set", choice)]
    ran = bare("run", "/tmp/plane/case.toml", "--output", "/tmp/quake", *words)
    assert ran.returncode == 0, ran.stderr
    assert bare("verify", "/tmp/quake/receivers.nc", "/tmp/quake/energy.nc").returncode == 0
    # Without the table of projections it is refused, as in a program without PROJ.
    refused = bare("run", "/tmp/plane/case.toml", "--output", "/tmp/none", *words, PROJ_DATA="/tmp")
    assert refused.returncode == 2 and "projection.proj" in refused.stderr


@pytest.mark.long
def test_what_the_bundle_cannot_do_is_refused_there(bare):
    assert bare("--version").returncode == 0
    told = bare("doctor")
    # 1: something is wrong with this machine, such as ranks that share cores.
    assert told.returncode in (0, 1) and re.search(r"^GPU.*driver", told.stdout, re.M), (
        told.stdout + told.stderr
    )
    shutil.copytree(ROOT / "cases/quake/plane-wave", bare.root / "tmp/gpu")
    refused = bare("run", "/tmp/gpu/case.toml", "--output", "/tmp/on-gpu", "--set", "run.device=gpu")
    assert refused.returncode == 2 and "a device that CUDA can use" in refused.stderr
    # Ranks of a launcher whose library is not there, or for which the program is not made.
    for variable, words in (
        ("OMPI_COMM_WORLD_SIZE", "2 ranks and no library libmpi.so.40"),
        ("PMI_SIZE", "2 ranks: expected those of Open MPI's mpirun"),
    ):
        refused = bare("doctor", **{variable: "2"})
        assert refused.returncode == 2 and words in refused.stderr, refused.stderr
