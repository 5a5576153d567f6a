"""The loop that measures the peak of the arithmetic units: multiply-adds in registers, and nothing else.

It is compiled as the build compiles it, for each instruction set, and its machine code is read.
"""

import json
import pathlib
import re
import shlex
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMANDS = ROOT / "build/release/compile_commands.json"
SOURCE = "exec/limit_kernels.cpp"
# Instructions of a round and register, and the registers: two of them hold the constants.
SETS = {"v2": (2, "xmm", 16), "v3": (1, "ymm", 16), "v4": (1, "zmm", 32)}


def compile_command(level):
    """That of the build, for another instruction set, to assembly on standard output."""
    if not COMMANDS.exists():
        pytest.skip("no build/release")
    entries = [each for each in json.loads(COMMANDS.read_text()) if each["file"].endswith(SOURCE)]
    words = shlex.split(entries[0]["command"])
    output = words.index("-o")
    del words[output : output + 2]
    words = [word for word in words if not word.startswith(("-march=", "-mtune=", "-m")) and word != "-c"]
    if pathlib.Path(words[0]).name == "ccache":
        del words[0]
    return [*words, f"-march=x86-64-{level}", "-S", "-o", "-"], entries[0]["directory"]


def inner_loops(assembly):
    """Instructions of each loop that holds no other: from a label to the jump back to it."""
    lines = [line.split("#")[0].strip() for line in assembly.splitlines()]
    places = {line[:-1]: i for i, line in enumerate(lines) if re.fullmatch(r"[.\w$]+:", line)}
    loops = []
    for end, line in enumerate(lines):
        jump = re.fullmatch(r"j\w+\s+(\S+)", line)
        if jump and places.get(jump[1], end) < end:
            loops.append((places[jump[1]], end))
    inner = [a for a in loops if not any(b != a and a[0] <= b[0] and b[1] <= a[1] for b in loops)]
    return [[line for line in lines[begin + 1 : end + 1] if line and line[0] != "."] for begin, end in inner]


def arithmetic(loop, kind):
    return [line for line in loop if re.match(rf"v?f?n?(madd|mul|add)\w*{kind}\b", line)]


@pytest.mark.parametrize("precision", ["ps", "pd"])
@pytest.mark.parametrize("level", SETS)
def test_nothing_but_multiply_adds_in_registers(level, precision):
    command, folder = compile_command(level)
    compiled = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if compiled.returncode != 0 and "march" in compiled.stderr:
        pytest.skip("not a compiler for this processor: " + compiled.stderr.splitlines()[0])
    assert compiled.returncode == 0, compiled.stderr
    instructions, register, registers = SETS[level]
    chains = registers - 2
    # The triad's loop has loads; those of the peak are the longest ones of each precision.
    loop = max(inner_loops(compiled.stdout), key=lambda each: len(arithmetic(each, precision)))
    work = arithmetic(loop, precision)
    assert len(work) == instructions * chains, "\n".join(loop)
    assert all(f"%{register}" in line for line in work), "\n".join(loop)
    if instructions == 1:
        assert all("fmadd" in line for line in work), "\n".join(loop)
    # A memory operand has its address in brackets. What is left counts the rounds.
    assert not [line for line in loop if "(" in line], "\n".join(loop)
    assert len(loop) <= len(work) + 3, "\n".join(loop)
