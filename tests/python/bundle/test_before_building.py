"""Targets for GPUs look for nvcc and a GPU before anything is built, and say what to do where there is none."""

import os
import re
import shutil
import subprocess

import pytest
from pages import ROOT


def ended(*words, **options):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, **options)


def test_without_nvcc_both_targets_say_what_to_install(tmp_path):
    words = (ROOT / "scripts/find-nvcc").read_text(encoding="utf-8").replace("/usr/local/cuda/bin", "")
    (tmp_path / "find-nvcc").write_text(words, encoding="utf-8")
    for name in ("bash", "cat"):
        (tmp_path / name).symlink_to(shutil.which(name))
    refused = ended(shutil.which("bash"), tmp_path / "find-nvcc", env={"PATH": str(tmp_path)})
    assert refused.returncode == 2
    named = re.search(r"-r (\S+)", refused.stderr)[1]
    pinned = (ROOT / named).read_text(encoding="utf-8").splitlines()
    assert {line.split("==")[0] for line in pinned if "==" in line} >= {"nvidia-cuda-nvcc", "nvidia-nvvm"}
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in ("bench-gpu", "bundle-cuda"):
        assert "\t@scripts/find-nvcc >/dev/null\n" in makefile.split(f"\n{target}:\n")[1].split("\n\n")[0]


@pytest.mark.parametrize(
    ("init", "count", "words"),
    [
        (0, 2, None),
        (0, 0, "sees no GPU"),
        (100, 0, "sees no GPU"),
        (803, 0, "error 803"),
        (None, 0, "no driver"),
    ],
)
def test_bench_gpu_wants_a_driver_that_sees_a_gpu(tmp_path, init, count, words):
    if init is not None:
        code = f"int cuInit(unsigned f) {{ return {init}; }} int cuDeviceGetCount(int* n) {{ *n = {count}; return 0; }}"
        (tmp_path / "driver.c").write_text(code)
        made = ended("cc", "-shared", "-o", tmp_path / "libcuda.so.1", tmp_path / "driver.c")
        assert made.returncode == 0, made.stderr
    elif ended("ldconfig", "-p").stdout.count("libcuda.so.1"):
        pytest.skip("this machine has a driver")
    looked = ended(ROOT / "scripts/find-gpu", env={**os.environ, "LD_LIBRARY_PATH": str(tmp_path)})
    if words is None:
        assert looked.returncode == 0 and looked.stdout == f"{count}\n"
    else:
        assert looked.returncode == 2 and words in looked.stderr and "make bundle-cuda" in looked.stderr
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert "\nbench-gpu:\n\t@scripts/find-gpu >/dev/null\n" in makefile
