#!/usr/bin/env python3
"""The whole way on a new machine: bench/tuning/run [--budget 10min] [--cases wave,earthquake] [--page].

For each case: doctor, proxy, scale, tune, then runs with the settings that were found beside runs without them, and a comparison of
their results. What each command printed is kept in build/bench/tuning; --page puts it into docs/tutorials/a-day-on-a-new-machine.md, and the
figures into docs/images.
"""

import argparse
import json
import os
import pathlib
import re
import shlex
import shutil
import statistics
import subprocess
import sys
import textwrap

from evaluation import IMAGES, ROOT, Failure, put_into_page, run_to_exit_code, say

PAGE = ROOT / "docs/tutorials/a-day-on-a-new-machine.md"
WIDTH = 125  # of a line on the page
CASES = {
    "wave": {
        "folder": "cases/yagi",
        "proxy": ["--cells", "4096", "--threads", "1"],
        "piece": "time.end=2024-09-02T21:00:00Z",
        "quick_piece": "time.end=2024-09-02T18:30:00Z",
    },
    "earthquake": {
        "folder": "cases/quake/local-event",
        "proxy": [
            "--model",
            "quake",
            "--order",
            "5",
            "--precision",
            "float",
            "--cells",
            "4096",
            "--threads",
            "1",
        ],
        "piece": "time.end=3s",
        "quick_piece": "time.end=0.2s",
    },
}


def environment():
    folder = os.environ.get("GROUNDSWELL_BENCH_BIN", ROOT / "build/release/bin")
    path = os.pathsep.join([str(folder), str(ROOT / "build/venv/bin"), os.environ["PATH"]])
    return {**os.environ, "PATH": path}


def run(words, codes=(0,)):
    """Returns what a command printed on its standard output."""
    words = [str(word) for word in words]
    say(" ".join(words))
    answer = subprocess.run(
        words, cwd=ROOT, env=environment(), stdout=subprocess.PIPE, text=True, check=False
    )
    if answer.returncode not in codes:
        raise Failure(f"{' '.join(words)}: status {answer.returncode}")
    return answer.stdout


def wrapped(line):
    return textwrap.wrap(
        line, WIDTH, subsequent_indent=" " * 8, break_long_words=False, break_on_hyphens=False
    )


class Tour:
    def __init__(self, name, options):
        self.name, self.options, self.about = name, options, CASES[name]
        self.case = f"{self.about['folder']}/case.toml"
        self.folder = options.output / name
        self.piece = self.about["quick_piece" if options.quick else "piece"]
        self.folder.mkdir(parents=True, exist_ok=True)

    def keep(self, step, words, text):
        """A block of the page: the command, and what it printed."""
        shown = " ".join(str(word) for word in words).replace(f"{ROOT}/", "")
        lines = [
            line[:WIDTH].rstrip()
            for line in text.replace(f"{ROOT}/", "").replace(str(ROOT), ".").splitlines()
        ]
        block = f"```sh\n{shown}\n```\n\n```text\n" + "\n".join(lines).strip() + "\n```\n"
        (self.folder / f"{step}.md").write_text(block, encoding="utf-8")

    def is_there(self, step):
        return self.options.goes_on and (self.folder / f"{step}.md").exists()

    def command(self, step, *words, hidden=(), codes=(0,)):
        """`hidden`: options that belong to this script and not to the page."""
        if self.is_there(step):
            return
        self.keep(step, words, run([*words, *hidden], codes))

    def all_steps(self):
        self.make_mesh()
        self.command("doctor", "mpirun", "-n", "2", "groundswell", "doctor", codes=(0, 1))
        self.command("proxy", "groundswell", "proxy", *self.about["proxy"])
        report, picture = self.folder / "scale.json", IMAGES / f"scaling-{self.name}.png"
        self.command(
            "scale", "groundswell", "scale", self.case,
            hidden=["--quiet", "--json", report, "--png", picture, *self.short("scale")],
        )  # fmt: skip
        self.command(
            "tune", "groundswell", "tune", self.case, "--budget", self.options.budget, "--script", "slurm",
            hidden=["--quiet", "--json", self.folder / "tune.json", "--output", self.folder / "tuned"],
        )  # fmt: skip
        self.compare()

    def short(self, command):
        return ["--seconds", "3", "--repeats", "3"] if self.options.quick else []

    def make_mesh(self):
        wanted = ROOT / self.about["folder"] / "output"
        if not any((wanted / name).exists() for name in ("mesh.nc", "mesh.msh")):
            run(["groundswell", "mesh", "make", "--config", f"{self.about['folder']}/mesh.toml", "--quiet"])

    def compare(self):
        """Pieces of the run in turns: as it was started before, and as tune says."""
        if self.is_there("compare"):
            return
        found = json.loads((self.folder / "tune.json").read_text(encoding="utf-8"))["result"]
        lines = {name: found[name]["launch"] for name in ("baseline", "best")}
        times = {name: [] for name in lines}
        for number in range(1 if self.options.quick else 3):
            for name in list(lines)[:: 1 if number % 2 == 0 else -1]:
                output = self.folder / name
                shutil.rmtree(output, ignore_errors=True)
                words = [*shlex.split(lines[name]), "--set", self.piece, "--quiet", "--output", output]
                run(words)
                result = json.loads((output / "run.json").read_text(encoding="utf-8"))["result"]
                times[name].append(result["wall_seconds"])
        text = run(["groundswell", "compare", self.folder / "baseline", self.folder / "best"], codes=(0, 1))
        table = re.compile(r".* identical |variable|.*\.nc:$")
        said = [line for line in text.splitlines() if line and not table.match(line)]
        medians = {name: statistics.median(values) for name, values in times.items()}
        said.append(
            f"without start-up, median of {len(times['best'])}: before {medians['baseline']:.2f} s, with the settings of "
            f"tune {medians['best']:.2f} s"
        )
        piece = f"--set {self.piece}"
        commands = [
            f"{lines['baseline']} {piece} --output before",
            f"{lines['best']} {piece} --output tuned",
            "groundswell compare before tuned",
        ]
        self.keep("compare", ["\n".join(commands)], "\n".join(said))

    def fill_page(self):
        for step in ("doctor", "proxy", "scale", "tune", "compare"):
            block = self.folder / f"{step}.md"
            if not block.exists():
                say(f"{self.name}: {step} was not measured: the page keeps what it has")
                continue
            put_into_page(PAGE, f"bench/tuning/run {self.name} {step}", block.read_text(encoding="utf-8"))


def parse():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--budget", default="10min", help="of each tune (default 10min)")
    parser.add_argument("--cases", default="wave,earthquake", help="which of them")
    parser.add_argument("--quick", action="store_true", help="short runs: to see whether it works")
    parser.add_argument(
        "--continue", dest="goes_on", action="store_true", help="leave out steps that were done"
    )
    parser.add_argument("--page", action="store_true", help="put the outputs into the page of the manual")
    parser.add_argument(
        "--report", action="store_true", help="no runs: only fill the page with what is there"
    )
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "build/bench/tuning")
    return parser.parse_args()


def main():
    options = parse()
    for name in options.cases.split(","):
        if name not in CASES:
            raise Failure(f"--cases = {name}: expected of {', '.join(CASES)}")
        tour = Tour(name, options)
        if not options.report:
            tour.all_steps()
        if options.page or options.report:
            tour.fill_page()
    return 0


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT / "bench"))
    run_to_exit_code(main)
