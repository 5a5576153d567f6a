"""What kernels execute, counted by callgrind, and the largest of their stack frames: the same on any machine.

build/venv/bin/python tests/python/counts/kernel_counts.py            prints the tables of docs/evaluation/performance.md
build/venv/bin/python tests/python/counts/kernel_counts.py --write    puts them there
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
PAGE = ROOT / "docs/evaluation/performance.md"
SECTION = "## Counted, not timed\n"
BUILD = ROOT / os.environ.get("GROUNDSWELL_COUNT_BUILD", "build/release")
PROGRAM = BUILD / "bin/count_kernels"
# Headings of the tables: of instructions, and of stack frames.
SEA, EARTHQUAKE, FRAMES = "kernel of the sea", "kernel of the earthquake", "kernel file"
# callgrind's own processor has AVX2, but no AVX-512.
INSTRUCTION_SET = "v3"


class NotCounted(Exception):
    """Why nothing can be counted here."""


def count(program=PROGRAM):
    """The compiler of the kernels, and the instructions of each for a bin-step or an element update."""
    if shutil.which("valgrind") is None:
        raise NotCounted("valgrind is not there (Debian package valgrind)")
    with tempfile.TemporaryDirectory() as folder:
        # The program says when instructions count, and how the file of each count is called.
        callgrind = [
            "valgrind",
            "--tool=callgrind",
            f"--callgrind-out-file={folder}/part",
            "--instr-atstart=no",
        ]
        environment = {**os.environ, "GROUNDSWELL_ISA": INSTRUCTION_SET}
        done = subprocess.run([*callgrind, program], capture_output=True, text=True, env=environment)
        if done.returncode == 2:
            raise NotCounted(done.stderr.strip())
        assert done.returncode == 0, done.stderr
        compiler, *calls = done.stdout.splitlines()
        units = {name: float(number) for name, number, *_ in (call.split("\t") for call in calls)}
        found = {}
        for part in pathlib.Path(folder).glob("part.*"):
            text = part.read_text()
            name = re.search(r"^desc: Trigger: Client Request: (.*)", text, re.M)[1]
            found[name] = int(re.search(r"^totals: (\d+)", text, re.M)[1]) / units[name]
    return compiler, {name: found[name] for name in units}


def frames(build=BUILD):
    """The bytes of the largest stack frame among the functions of each kernel file, as the compiler wrote them beside its
    objects; without those files that only hand kernels out."""
    largest = {}
    for report in build.rglob(f"*_kernels_{INSTRUCTION_SET}.dir/**/*.su"):
        place, name = re.search(r"\.dir/(src|generated)/groundswell/(.+)\.su$", str(report)).groups()
        source = (ROOT if place == "src" else build) / place / "groundswell" / name
        # Reports of files that are gone stay in the build folder.
        if report.name.endswith("entry.cpp.su") or not source.exists():
            continue
        sizes = [int(line.split("\t")[1]) for line in report.read_text().splitlines()]
        largest[name] = max(sizes, default=0)
    return dict(sorted(largest.items()))


def tables(text):
    """The rows of the section's tables, by the heading of their first column."""
    section = text.split(SECTION, 1)[1].split("\n## ", 1)[0]
    found, rows = {}, None
    for line in section.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|"):
            rows = None
        elif rows is None:
            rows = found.setdefault(cells[0], {})
        elif not cells[0].startswith("---"):
            rows[cells[0]] = float(cells[1].replace(" ", ""))
    return found


def compiler_of_tables(text):
    return re.search(r"GCC \d+", text.split(SECTION, 1)[1])[0]


def written(value):
    """Three digits that count; whole numbers whole."""
    number = value if isinstance(value, int) else float(f"{value:.3g}")
    return f"{number:,.0f}".replace(",", " ") if number >= 10000 else f"{number:g}"


def with_values(text, values):
    """The page with these tables in place of its own: {heading: {row: value}}."""
    for heading, rows in values.items():
        lines = "".join(f"| {name} | {written(value)} |\n" for name, value in rows.items())
        text = re.sub(rf"(^\| {heading} \|.*\n\|[-|]+\n)(?:\|.*\n)*", rf"\g<1>{lines}", text, flags=re.M)
    return text


def measured():
    """The values of all tables, by their headings."""
    _, counts = count()
    of_sea = {name: value for name, value in counts.items() if not name.startswith("order")}
    of_earthquake = {name: value for name, value in counts.items() if name not in of_sea}
    return {SEA: of_sea, EARTHQUAKE: of_earthquake, FRAMES: frames()}


def main():
    if "--write" in sys.argv:
        PAGE.write_text(with_values(PAGE.read_text(encoding="utf-8"), measured()), encoding="utf-8")
        return
    for heading, rows in measured().items():
        print(f"\n{heading}")
        for name, value in rows.items():
            print(f"{name:30}{written(value):>10}")


if __name__ == "__main__":
    main()
