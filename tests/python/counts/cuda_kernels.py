#!/usr/bin/env python3
"""Kernels as nvcc compiles them for GPUs: cuda_kernels.py → the table of docs/how-to/gpu.md, on standard output.

Takes minutes: rock has six orders in two precisions. test_cuda_kernels.py holds the kernels to the limits of a multiprocessor.
"""

import collections
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs/how-to/gpu.md"
SOURCES = sorted((ROOT / "src/groundswell").rglob("cuda_entry.cu"))
BUILD = (ROOT / "cmake/GroundswellCuda.cmake").read_text(encoding="utf-8")
FLAGS = re.search(r"set\(groundswell_cuda_flags (.*?)\)", BUILD)[1].split()
GENERATIONS = re.search(r'GROUNDSWELL_CUDA_GENERATIONS "([\d;]+)"', BUILD)[1].split(";")
GENERATED = ROOT / "build/release/generated"
NVCC = shutil.which("nvcc", path=os.environ["PATH"] + ":/usr/local/cuda/bin")
# Of a multiprocessor, in all generations (CUDA C++ Programming Guide, compute capabilities).
REGISTERS, GRANULE, WARP = 65536, 8, 32

Kernel = collections.namedtuple("Kernel", "symbol generation registers stack spilled lanes blocks_at_once")


class Compiled:
    """Kernels of a file (`kernels`), what else of it stands on the stack or was spilled (`functions`), and its assembly (`texts`)."""

    def __init__(self, source, generations, folder):
        codes = [f"-gencode=arch=compute_{g},code=sm_{g}" for g in generations]
        # The processor's half, too: it must know what kernels include.
        told = ["-Xptxas=-v", "--keep", f"--keep-dir={folder}", "-c", source, "-o", folder / "kernel.o"]
        done = subprocess.run(
            [NVCC, *FLAGS, f"-I{ROOT / 'src'}", f"-I{GENERATED}", *codes, *told],
            capture_output=True,
            text=True,
            check=False,
        )
        self.words = done.stderr
        if done.returncode != 0:
            raise RuntimeError(self.words)
        self.texts = [path.read_text(encoding="utf-8") for path in Path(folder).rglob("*.ptx")]
        bounds = {
            symbol: (int(lanes), int(blocks))
            for text in self.texts
            for symbol, lanes, blocks in re.findall(
                r"\.entry (\w+)\(.*?\.maxntid (\d+), 1, 1\s+\.minnctapersm (\d+)", text, re.DOTALL
            )
        }
        # By function: stack, bytes spilled and brought back; the library has some of its own.
        properties = r"Function properties for (\S+)\n\s*(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill"
        self.functions = [
            (name, int(stack), int(stores) + int(loads))
            for name, stack, stores, loads in re.findall(properties, self.words)
        ]
        self.kernels = [
            Kernel(symbol, generation, int(registers), int(stack), int(stores) + int(loads), *bounds[symbol])
            for symbol, generation, stack, stores, loads, registers in re.findall(
                r"entry function '(\w*run_on_cuda\w*)' for 'sm_(\d+)'\n.*?"
                r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads\n"
                r".*?Used (\d+) registers",
                self.words,
                re.DOTALL,
            )
        ]


def most_registers(kernel):
    """Registers that a lane may have where as many blocks as the kernel wants share a multiprocessor."""
    return REGISTERS // (kernel.lanes * kernel.blocks_at_once) // GRANULE * GRANULE


def warps(kernel):
    """Warps that the registers of a multiprocessor suffice for, of 64 that it has places for."""
    rounded = (kernel.registers + GRANULE - 1) // GRANULE * GRANULE
    blocks = REGISTERS // (rounded * kernel.lanes)
    return min(64, blocks * kernel.lanes // WARP)


def class_of(symbol):
    """The kernel's class, without its namespace and without the variant that it is compiled for."""
    name = subprocess.run(["c++filt", symbol], capture_output=True, text=True, check=True).stdout
    inner = re.search(r"run_on_cuda<(.*)>\(", name)[1]
    return re.sub(r"<.*", "", inner).split("::")[-1]


def table(kernels):
    """Lines of a table by class: of its variants the one with the most registers stands for all."""
    of_class = collections.defaultdict(list)
    for kernel in kernels:
        of_class[class_of(kernel.symbol)].append(kernel)
    yield "| kernel | variants | lanes of a block | " + " | ".join(f"sm_{g}" for g in GENERATIONS) + " |"
    yield "|---|---|---|" + "---|" * len(GENERATIONS)
    for name in sorted(of_class):
        found = of_class[name]
        cells = []
        for generation in GENERATIONS:
            most = max((k for k in found if k.generation == generation), key=lambda k: k.registers)
            cells.append(f"{most.registers}, {warps(most)}")
        variants = len({kernel.symbol for kernel in found})
        yield f"| `{name}` | {variants} | {max(k.lanes for k in found)} | " + " | ".join(cells) + " |"


def main():
    kernels = []
    for source in SOURCES:
        print(f"{source.relative_to(ROOT)} …", file=sys.stderr)
        with tempfile.TemporaryDirectory() as folder:
            kernels += Compiled(source, GENERATIONS, Path(folder)).kernels
    print("\n".join(table(kernels)))


if __name__ == "__main__":
    main()
