"""A program that was built for one kind of processor says so on another, in one sentence, before anything else."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LEVELS = """#define GROUNDSWELL_KERNEL_LEVELS(X) X(v4)
#define GROUNDSWELL_BUILD_ARCHITECTURE "native"
#define GROUNDSWELL_BUILD_FEATURES " {features} "
"""


def program(folder, features):
    """One that holds the check and the words of a build that takes these features for granted."""
    compiler = shutil.which("g++") or shutil.which("clang++")
    header = folder / "groundswell/exec/kernel_levels.hpp"
    header.parent.mkdir(parents=True)
    header.write_text(LEVELS.format(features=features))
    (folder / "main.cpp").write_text('#include <cstdio>\nint main() { return std::puts("started") < 0; }\n')
    built = folder / "program"
    subprocess.run(
        [compiler, "-std=c++20", "-O1", f"-I{folder}", f"-I{ROOT / 'src'}", folder / "main.cpp"]
        + [ROOT / "src/groundswell/exec/build_features.cpp", "-o", built],
        check=True,
    )
    return built


@pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind is the other processor, and not here")
def test_another_processor_is_refused_before_the_first_line(tmp_path):
    """The processor that valgrind plays has AVX2 and no AVX-512."""
    outcome = subprocess.run(
        ["valgrind", "-q", program(tmp_path, "sse4.2 avx2 avx512f")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert outcome.returncode == 2 and outcome.stdout == ""
    assert outcome.stderr == (
        "groundswell: error: GROUNDSWELL_ARCH = native: expected the kind of processor that this program was "
        "built for; this one lacks avx512f: build it here, or with GROUNDSWELL_ARCH=portable\n"
    )


def test_the_processor_that_it_was_built_for_is_not(tmp_path):
    outcome = subprocess.run([program(tmp_path, "sse4.2")], capture_output=True, text=True, check=False)
    assert (outcome.returncode, outcome.stdout, outcome.stderr) == (0, "started\n", "")


@pytest.mark.skipif(shutil.which("qemu-x86_64") is None, reason="qemu is the old processor, and not here")
def test_a_processor_too_old_for_every_program_is_refused(tmp_path):
    """Conroe, of 2006, has SSSE3 and no SSE4.2; Nehalem, of 2008, is the first that will do."""
    portable = program(tmp_path, "")
    old, new = (
        subprocess.run(["qemu-x86_64", "-cpu", kind, portable], capture_output=True, text=True, check=False)
        for kind in ("Conroe", "Nehalem")
    )
    assert (old.returncode, old.stdout) == (2, "")
    assert old.stderr.startswith("groundswell: error: processor: expected one of x86-64-v2")
    assert "lacks sse4.2" in old.stderr.splitlines()[0]
    assert (new.returncode, new.stdout) == (0, "started\n")
