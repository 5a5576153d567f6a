"""nvcc compiles every kernel that has a device form for the GPUs of three generations; none spills registers or ends in a trap."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
SOURCES = sorted((ROOT / "src/groundswell").rglob("cuda_entry.cu"))
BUILD = (ROOT / "cmake/GroundswellCuda.cmake").read_text(encoding="utf-8")
FLAGS = re.search(r"set\(groundswell_cuda_flags (.*?)\)", BUILD)[1].split()
GENERATED = ROOT / "build/release/generated"
NVCC = shutil.which("nvcc", path=os.environ["PATH"] + ":/usr/local/cuda/bin")


def constant(name, folder):
    """What the kernels of a folder say of a block, or else what block.cuh says."""
    headers = [*sorted(folder.glob("*.hpp")), ROOT / "src/groundswell/exec/device/cuda/block.cuh"]
    found = (re.search(rf"\b{name} = (\d+)", header.read_text(encoding="utf-8")) for header in headers)
    return int(next(match for match in found if match)[1])


def choices():
    """One generation, and all where there is time for them; six orders of rock in two precisions take minutes."""
    generations = re.search(r'GROUNDSWELL_CUDA_GENERATIONS "([\d;]+)"', BUILD)[1].split(";")
    assert generations == ["80", "90", "100"]
    for source in SOURCES:
        name = "-".join(source.parent.relative_to(ROOT / "src/groundswell").parts)
        yield pytest.param(
            source, ["90"], id=name, marks=[pytest.mark.long] if "quake" in source.parts else []
        )
        yield pytest.param(source, generations, id=f"{name}-all", marks=pytest.mark.long)


@pytest.mark.skipif(NVCC is None, reason="nvcc is not there")
@pytest.mark.parametrize(("source", "generations"), list(choices()))
def test_kernels_keep_their_numbers_in_registers(source, generations, tmp_path):
    codes = [f"-gencode=arch=compute_{g},code=sm_{g}" for g in generations]
    # The processor's half, too: it must know what kernels include.
    told = ["-Xptxas=-v", "--keep", f"--keep-dir={tmp_path}", "-c", source, "-o", tmp_path / "kernel.o"]
    done = subprocess.run(
        [NVCC, *FLAGS, f"-I{ROOT / 'src'}", f"-I{GENERATED}", *codes, *told],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    compiled = re.findall(r"Compiling entry function '\w*run_on_cuda\w*' for 'sm_(\d+)'", done.stderr)
    kernels = len(compiled) // len(generations)
    assert sorted(compiled, key=int) == [g for g in generations for _ in range(kernels)], done.stderr
    assert kernels > 0, done.stderr
    functions = re.findall(
        r"Function properties for (\S+)\n\s*(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill",
        done.stderr,
    )
    assert len(functions) >= len(compiled), done.stderr  # and what the library has of its own
    assert all((stores, loads) == ("0", "0") for _, _, stores, loads in functions), done.stderr
    # CUDA's library brings large angles near zero by an array, which stands on the stack.
    framed = [name for name, frame, _, _ in functions if frame != "0"]
    assert all("Yoffe" in name for name in framed), framed
    # A multiprocessor has 65536 registers, given out in eights (CUDA C++ Programming Guide, compute capabilities).
    lanes = constant("most_lanes", source.parent) * constant("blocks_at_once", source.parent)
    most = 65536 // lanes // 8 * 8
    registers = [int(number) for number in re.findall(r"Used (\d+) registers", done.stderr)]
    assert len(registers) == len(compiled) and max(registers) <= most, done.stderr
    # Where a kernel wants to know where a constant of the host lies, nvcc says nothing, and puts an end to the kernel there.
    texts = [path.read_text(encoding="utf-8") for path in tmp_path.rglob("*.ptx")]
    assert texts and not any(re.search(r"\btrap;", text) for text in texts)
