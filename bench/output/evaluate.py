#!/usr/bin/env python3
"""Repeats the published comparison of ways to write: see --help, and docs/evaluation/output-evaluation.md. Called by bench/output/run."""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

import report
from common import launch_flags, program
from evaluation import ROOT, is_done, measure_all, run_limited, run_to_exit_code, say, write_json
from plan import INTERVAL_SECONDS, RECORD_BYTES, SLOW_DISK, measurements, parts

HELP = """\
Repeats on this machine the comparison of CFIO (Huang et al. 2014, Geosci. Model Dev. 7): a model that computes and writes
without output, with all ranks writing together, with a thread, with output servers, with one rank writing; a fast disk and
one of 40 MB/s; computation and output, and output alone. Two ranks compute, records have 16 MB, 0.5 s of computing lie
between two of them. Every measurement is kept as it is done: called again, the command goes on where it was stopped.
Results: FOLDER/evaluation.json, tables.md and pictures."""
EXAMPLES = """\
examples:
  bench/output/run                    everything; about eleven minutes on two cores that do nothing else
  bench/output/run --quick            the same with few records, to see that all works
  bench/output/run --minutes 5        as much as fits; what matters most comes first
  bench/output/run --report           tables and pictures from what has been measured
  bench/output/run --report --page    and put them into docs/evaluation/output-evaluation.md and docs/images"""
REARRANGING_ROUNDS = 3


def parse(words=None):
    parser = argparse.ArgumentParser(
        prog="bench/output/run",
        description=HELP,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--quick", action="store_true", help="few records; kept apart from the real figures")
    parser.add_argument("--minutes", type=float, help="begin no measurement after so many minutes")
    parser.add_argument(
        "--disk",
        metavar="FOLDER",
        type=pathlib.Path,
        help="of the fast disk (default: /dev/shm where it has room, else that of the results)",
    )
    parser.add_argument(
        "--list", action="store_true", help="say what is measured and what is to do, measure nothing"
    )
    parser.add_argument("--report", action="store_true", help="measure nothing, only report")
    parser.add_argument("--page", action="store_true", help="put the report into the manual's page")
    parser.add_argument("--fresh", action="store_true", help="forget what has been measured")
    parser.add_argument("--output", metavar="FOLDER", type=pathlib.Path, help="(default: build/bench/output)")
    options = parser.parse_args(words)
    if options.quick and options.page:
        parser.error("--page with --quick: expected the real figures in the page")
    if options.output is None:
        options.output = ROOT / "build/bench/output"
    if options.quick:
        options.output = options.output / "quick"
    return options


def scratch_parent(options):
    """Where files are written: in memory, so that what is measured is not the disk of this machine."""
    memory = pathlib.Path("/dev/shm")
    if options.disk:
        return options.disk
    if memory.is_dir() and shutil.disk_usage(memory).free > 2 << 30:
        return memory
    return options.output


def file_system(folder):
    answer = subprocess.run(["stat", "-f", "-c", "%T", str(folder)], capture_output=True, text=True)
    return answer.stdout.strip() or "unknown"


class Evaluation:
    def __init__(self, options, scratch):
        self.options, self.scratch = options, scratch
        self.folder = options.output
        self.raw = self.folder / "raw"
        self.parts = {part.name: part for part in parts(options.quick)}

    def launch(self, ranks, words, log, seconds, slow=False):
        env = {**os.environ, "OMP_NUM_THREADS": "1"}
        env.pop("GROUNDSWELL_TEST_DISK", None)
        if slow:
            env["GROUNDSWELL_TEST_DISK"] = SLOW_DISK
        run_limited(["mpirun", *launch_flags(), "-n", ranks, *words], env, self.raw / f"{log}.log", seconds)

    def passes(self):
        """Work of one interval: what two ranks that compute at once do in its time. The same for all that is measured here."""
        kept = self.raw / "calibration.json"
        if not kept.exists():
            seconds = 1 if self.options.quick else 4
            words = [program("bench_output_model"), "--calibrate", seconds, "--json", kept]
            self.launch(2, words, "calibration", 60)
        rate = json.loads(kept.read_text())["result"]["passes_per_second"]
        return round(rate * INTERVAL_SECONDS)

    def measure(self, what):
        part, way = self.parts[what.part], what.way
        result = self.scratch / "part.json"
        words = [program("bench_output_model"), "--mode", way.mode, "--intervals", part.intervals]
        words += ["--work", self.passes() if part.interval else 0, "--record", RECORD_BYTES]
        words += ["--servers", way.servers, "--format", way.format, *["--idle"] * (part.name == "idle")]
        words += ["--file", self.scratch / "map.nc", "--json", result]
        load = os.getloadavg()[0]
        self.launch(way.clients + way.servers, words, what.key, 150, part.slow)
        self.keep(result, what.key, load)
        (self.scratch / "map.nc").unlink(missing_ok=True)

    def keep(self, result, key, load):
        found = json.loads(result.read_text())
        result.unlink()
        found["load_average_before"] = load
        write_json(self.raw / f"{key}.json", found)
        (self.raw / f"{key}.failed").unlink(missing_ok=True)

    def measure_rearranging(self):
        """Against plain writing of the same bytes, until all is on a device: in the folder of the results."""
        rounds = 1 if self.options.quick else REARRANGING_ROUNDS
        result, load = self.scratch / "part.json", os.getloadavg()[0]
        with tempfile.TemporaryDirectory(dir=self.folder) as disk:
            words = [program("bench_output"), rounds, disk, result]
            self.launch(2, words, "rearranging", 600)
        self.keep(result, "rearranging", load)

    def jobs(self):
        """[(key, what people read, what to call)] of everything."""
        every = []
        for what in measurements(self.parts.values()):
            text = f"{self.parts[what.part].title}: {what.way.title} ({what.way.ranks}), round {what.round}"
            every.append((what.key, text, lambda what=what: self.measure(what)))
        every.append(("rearranging", "Rearranged against plain writing", self.measure_rearranging))
        return every

    def run(self):
        every = self.jobs()
        todo = [job for job in every if not is_done(self.raw, job[0])]
        return measure_all(self.raw, todo, len(every) - len(todo), self.options.minutes)


def main():
    options = parse()
    raw = options.output / "raw"
    raw.mkdir(parents=True, exist_ok=True)
    if options.fresh:
        for path in raw.glob("*"):
            path.unlink()
    failed = 0
    with tempfile.TemporaryDirectory(prefix="groundswell-bench-", dir=scratch_parent(options)) as scratch:
        evaluation = Evaluation(options, pathlib.Path(scratch))
        if options.list:
            for key, *_ in evaluation.jobs():
                print("done  " if is_done(raw, key) else "to do ", key)
            return 0
        if not options.report:
            write_json(options.output / "disk.json", {"file_system": file_system(scratch)})
            failed = evaluation.run()
    report.write(options.output, options.quick, options.page)
    say(f"the results are in {options.output}: evaluation.json, tables.md, *.png")
    return 3 if failed else 0


if __name__ == "__main__":
    run_to_exit_code(main)
