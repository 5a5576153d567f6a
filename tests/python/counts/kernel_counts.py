"""What kernels execute, counted by callgrind, and the largest of their stack frames: the same on any machine.

build/venv/bin/python tests/python/counts/kernel_counts.py            prints the tables of docs/performance.md
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
PAGE = ROOT / "docs/performance.md"
SECTION = "## Counted, not timed\n"
BUILD = ROOT / "build/release"
PROGRAM = BUILD / "bin/count_kernels"
FRAMES = "kernel file"  # heads the table of stack frames
COUNTED = "groundswell_counted"  # the function of PROGRAM in which kernels run
# callgrind's own processor has AVX2, but no AVX-512.
INSTRUCTION_SET = "v3"


class NotCounted(Exception):
    """Why nothing can be counted here."""


def count(program=PROGRAM):
    """Who compiled the kernels, and the instructions of each for a bin-step or an element update."""
    if shutil.which("valgrind") is None:
        raise NotCounted("valgrind is not there (Debian package valgrind)")
    with tempfile.TemporaryDirectory() as folder:
        callgrind = [
            "valgrind",
            "--tool=callgrind",
            f"--callgrind-out-file={folder}/part",
            "--collect-atstart=no",
            f"--toggle-collect={COUNTED}",
            f"--dump-after={COUNTED}",
        ]
        environment = {**os.environ, "GROUNDSWELL_ISA": INSTRUCTION_SET}
        done = subprocess.run([*callgrind, program], capture_output=True, text=True, env=environment)
        if "SIGILL" in done.stderr:
            raise NotCounted(f"{program} is compiled for more than {INSTRUCTION_SET} has")
        assert done.returncode == 0, done.stderr
        compiler, *calls = done.stdout.splitlines()
        counts = {}
        for part, call in enumerate(calls, 1):
            name, units, *_ = call.split("\t")
            total = re.search(r"^totals: (\d+)", pathlib.Path(f"{folder}/part.{part}").read_text(), re.M)
            counts[name] = int(total[1]) / float(units)
    return compiler, counts


def frames(build=BUILD):
    """The bytes of the largest stack frame among the functions of each kernel file, as the compiler wrote them into its .su
    files; those of one order of the earthquake by the file of that order."""
    largest = {}
    for report in build.rglob("*.su"):
        if f"_kernels_{INSTRUCTION_SET}.dir" not in str(report):
            continue
        for line in report.read_text().splitlines():
            function, size, _ = line.split("\t")
            together = report.name.startswith("unity_")
            name = pathlib.Path(function.split(":")[0]).stem if together else report.name.split(".")[0]
            largest[name] = max(largest.get(name, 0), int(size))
    return largest


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
    """Three digits that count."""
    return f"{value:.3g}" if value < 1000 else f"{float(f'{value:.4g}'):.0f}"


def with_values(text, values):
    """The page with other values in these rows: {table: {row: value}}."""
    before, section = text.split(SECTION, 1)
    for rows in values.values():
        for name, value in rows.items():
            row = re.compile(rf"^\| {re.escape(name)} \|[^|]*\|", re.MULTILINE)
            assert len(row.findall(section)) == 1, name
            section = row.sub(f"| {name} | {written(value)} |", section)
    return before + SECTION + section


def main():
    page = PAGE.read_text(encoding="utf-8")
    _, counts = count()
    of_files = frames()
    new = {}
    for heading, rows in tables(page).items():
        found = of_files if heading == FRAMES else counts
        new[heading] = {name: found[name] for name in rows if name in found}
    if "--write" in sys.argv:
        PAGE.write_text(with_values(page, new), encoding="utf-8")
        return
    for heading, rows in new.items():
        print(f"\n{heading}")
        for name, value in rows.items():
            print(f"{name:30}{written(value):>10}")


if __name__ == "__main__":
    main()
