"""What kernels compute does not depend on the processor but for roundings: sums that callers of the kernels print are compared."""

import os
import shutil
import subprocess

import pytest
from kernel_counts import PROGRAM, ROOT

ARM = ROOT / "build/arm64/bin/count_kernels"
EMULATOR = ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"]
# Of the sum of magnitudes; up to 4e-7 and 3e-16 were seen.
WITHIN = {"float": 2e-6, "double": 1e-14}


def results(*command, **environment):
    """The sums of each kernel; skips where the program lacks a level of instructions."""
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment})
    if done.returncode == 2 and environment:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stderr
    lines = [line.split("\t") for line in done.stdout.splitlines()[1:]]
    assert len(lines) > 20
    return {name: [float(value) for value in sums] for name, _, *sums in lines}


def assert_same_but_for_roundings(expected, found):
    assert found.keys() == expected.keys()
    for name, sums in expected.items():
        within = WITHIN["double" if "double" in name else "float"]
        apart = max(abs(a - b) for a, b in zip(sums, found[name]))
        assert sums[0] > 0
        assert apart <= within * sums[0], (name, apart / sums[0])


def test_kernels_for_a_processor_without_avx_compute_the_same_but_for_roundings():
    assert_same_but_for_roundings(
        results(PROGRAM, GROUNDSWELL_ISA="v3"), results(PROGRAM, GROUNDSWELL_ISA="v2")
    )


def test_avx2_and_avx512_give_the_same_bits():
    assert results(PROGRAM, GROUNDSWELL_ISA="v3") == results(PROGRAM, GROUNDSWELL_ISA="v4")


@pytest.mark.long
def test_arm_computes_what_x86_computes_but_for_roundings():
    if not ARM.exists():
        pytest.skip("build/arm64 is not there (scripts/build arm64)")
    if shutil.which(EMULATOR[0]) is None:
        pytest.skip(f"{EMULATOR[0]} is not there (Debian package qemu-user)")
    assert_same_but_for_roundings(results(PROGRAM), results(*EMULATOR, ARM))
