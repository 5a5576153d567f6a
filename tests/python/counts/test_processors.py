"""What kernels compute on another kind of processor is the same but for roundings, which add up in other orders."""

import os
import shutil
import subprocess

import pytest
from kernel_counts import PROGRAM, ROOT

ARM = ROOT / "build/arm64/bin/count_kernels"
EMULATOR = ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"]
# Of the sum of magnitudes. Sums hide single roundings: these are some hundred roundings of the worst.
WITHIN = {"float": 1e-5, "double": 1e-13}


def results(*command, **environment):
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment})
    assert done.returncode == 0, done.stderr
    lines = [line.split("\t") for line in done.stdout.splitlines()[1:]]
    return {name: [float(value) for value in sums] for name, _, *sums in lines}


def assert_same(expected, found):
    assert found.keys() == expected.keys()
    for name, sums in expected.items():
        within = WITHIN["double" if "double" in name else "float"]
        apart = max(abs(a - b) for a, b in zip(sums, found[name]))
        assert sums[0] > 0
        assert apart <= within * sums[0], (name, apart / sums[0])


@pytest.mark.long
def test_arm_computes_what_x86_computes():
    if not ARM.exists():
        pytest.skip("build/arm64 is not there (scripts/build arm64)")
    if shutil.which(EMULATOR[0]) is None:
        pytest.skip(f"{EMULATOR[0]} is not there (Debian package qemu-user)")
    assert_same(results(PROGRAM), results(*EMULATOR, ARM))
