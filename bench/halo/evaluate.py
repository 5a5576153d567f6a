#!/usr/bin/env python3
"""Repeats the published evaluation of halo exchanges: see --help, and docs/evaluation/halo-evaluation.md. Called by bench/halo/run."""

import argparse
import json
import os
import pathlib
import subprocess

from evaluation import ROOT, Failure, is_done, measure_all, run_limited, run_to_exit_code, say
from libraries import LIBRARIES, PRETEND_HOSTS, build, install
from plan import WAY_TITLES, WAYS, measurements

HELP = """\
Repeats the evaluation of halo exchanges of Pang et al. 2025 (Geosci. Model Dev. 18) on this machine: a regional mesh of
283 000 cells (6 to 12 km, 90-150E 5S-45N), 36 directions x 35 frequencies, 60 steps of 60 s; Open MPI 4 and 5, MPICH 4
and 5, Intel MPI; one host, and two to four pretend hosts (network namespaces, which need root and are left out without);
ranks in METIS order, in random order, and remapped. Every measurement is kept as it is done: called again, the command goes
on where it was stopped. Results: FOLDER/evaluation.json, tables.md and pictures."""
EXAMPLES = """\
examples:
  bench/halo/run                      everything; about two hours on two cores, and the machine should do nothing else
  bench/halo/run --quick              the same with a small mesh and few steps, to see that all works
  bench/halo/run --minutes 60         as much as fits; what matters most comes first
  bench/halo/run --report             tables and pictures from what has been measured
  bench/halo/run --report --page      and put them into docs/evaluation/halo-evaluation.md and docs/images"""
BATHYMETRY = "bathymetry/etopo5_nwpac_90-150E_5S-45N.nc"
REGION = ("--region", "90,150,-5,45")


def parse():
    parser = argparse.ArgumentParser(
        prog="bench/halo/run",
        description=HELP,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    names = [library.name for library in LIBRARIES]
    parser.add_argument(
        "--quick", action="store_true", help="a small mesh, few steps; kept apart from the real figures"
    )
    parser.add_argument(
        "--libraries", metavar="A,B", default=",".join(names), help=f"of {', '.join(names)} (default: all)"
    )
    parser.add_argument("--minutes", type=float, help="begin no measurement after so many minutes")
    parser.add_argument(
        "--prepare", action="store_true", help="install, build and make the mesh, measure nothing"
    )
    parser.add_argument(
        "--list", action="store_true", help="say what is measured and what is to do, measure nothing"
    )
    parser.add_argument("--report", action="store_true", help="measure nothing, only report")
    parser.add_argument("--page", action="store_true", help="put the report into the manual's page")
    parser.add_argument("--fresh", action="store_true", help="forget what has been measured")
    parser.add_argument("--output", metavar="FOLDER", type=pathlib.Path, help="(default: build/bench/halo)")
    options = parser.parse_args()
    options.libraries = options.libraries.split(",")
    for name in options.libraries:
        if name not in names:
            parser.error(f"--libraries = {name}: expected {', '.join(names)}")
    if options.output is None:
        options.output = ROOT / "build/bench/halo"
    if options.quick:
        options.output = options.output / "quick"
    return options


class Evaluation:
    def __init__(self, options):
        self.options = options
        self.folder = options.output
        self.raw = self.folder / "raw"
        self.raw.mkdir(parents=True, exist_ok=True)
        self.mesh = self.folder / "mesh.nc"
        self.steps = 6 if options.quick else 60
        self.repeats = 5 if options.quick else 60
        self.seconds = 120 if options.quick else 1200

    def make_mesh(self):
        """The sea between 90 and 150 E, 5 S and 45 N; without bathymetry an even mesh of as many cells, all sea."""
        if self.mesh.exists():
            return
        source = pathlib.Path(os.environ.get("GROUNDSWELL_TEST_DATA", "/nowhere")) / BATHYMETRY
        if source.exists():
            spacing = "finest=30,coarsest=60,growth=0.0235" if self.options.quick else SPACING
            ground = [str(source), "--spacing", spacing]
        else:
            say(f"{BATHYMETRY} is not in GROUNDSWELL_TEST_DATA: the mesh is an even one of one depth")
            ground = ["--depth", "4000", "--spacing", "58" if self.options.quick else "11.7"]
        say(
            "making the mesh ..."
            if self.options.quick
            else "making the mesh, which takes two or three minutes ..."
        )
        part = self.folder / "mesh-part.nc"
        words = [
            "groundswell-tools",
            "mesh",
            "make",
            *ground,
            *REGION,
            "--output",
            part,
            "--overwrite",
            "--quiet",
        ]
        run_limited(words, os.environ, self.folder / "mesh.log", 3600)
        part.rename(self.mesh)

    def case(self):
        """Sixty steps of a minute under a steady wind; no output but what a run must have."""
        end = f"2024-09-03T{self.steps // 60:02d}:{self.steps % 60:02d}:00Z"
        path = self.folder / "case.toml"
        path.write_text(f"""\
title = "Halo evaluation"
[time]
start = 2024-09-03T00:00:00Z
end = {end}
step = "60s"
[mesh]
file = "mesh.nc"
[[wind]]
uniform = [12.0, 5.0]
[propagation]
scheme = "upwind"
[halo]
directions = "all"
[output]
mode = "serial"
[[output.points]]
file = "point.nc"
every = "{self.steps}min"
at = [[130.0, 15.0]]
names = ["sea"]
fields = ["hs"]
""")
        return path

    def words(self, what, program, report):
        partition, mapping, reorder, _ = WAYS[what.way]
        if what.kind == "halo":
            words = [program, "halo", self.mesh, "--layers", 2, "--repeats", self.repeats]
            words += ["--partition", partition, "--mapping", mapping, *["--reorder"] * reorder]
            return [*words, "--quiet", "--json", report]
        values = {"mesh.partition": partition, "mesh.mapping": mapping, "halo.transport": what.transport}
        if what.kind == "steps":
            values["physics.package"] = "none"
        words = [program, "run", self.case(), "--quiet", "--overwrite", "--output", self.folder / "scratch"]
        for name, value in values.items():
            words += ["--set", f"{name}={value}"]
        return [*words, "--json", report]

    def measure(self, library, what):
        report, traffic = self.folder / "part.json", self.folder / "traffic"
        for path in (report, traffic):
            path.unlink(missing_ok=True)
        words = library.command(what.order, [str(w) for w in self.words(what, library.program, report)])
        if what.hosts > 1:
            words[1:1] = ["--traffic", str(traffic)]
        env = {**os.environ, **library.settings(what.hosts), "OMP_NUM_THREADS": "1"}
        load = os.getloadavg()[0]
        run_limited(words, env, self.raw / f"{what.key}.log", self.seconds)
        found = json.loads(report.read_text())
        found["load_average_before"] = load
        if found["machine"]["hosts"] != what.hosts:
            raise Failure(f"the MPI library saw {found['machine']['hosts']} hosts, not {what.hosts}")
        if what.hosts > 1:
            found["network_bytes"] = int(traffic.read_text())
            self.check_network(what, found)
        (self.raw / f"{what.key}.json").write_text(json.dumps(found, indent=1) + "\n")
        (self.raw / f"{what.key}.failed").unlink(missing_ok=True)

    def check_network(self, what, found):
        """Checks that whatever left a host has gone through the network, and not through the memory that pretend hosts share."""
        if what.kind == "halo":
            each = [one["off_host_bytes"] for one in found["result"]["transports"] if one["available"]]
            least = self.repeats * sum(each)
        else:
            least = (
                found["result"]["steps"] * found["result"]["exchange"]["bytes"] // 2
                if what.per_host == 1
                else 1
            )
        if found["network_bytes"] < least:
            raise Failure(
                f"{found['network_bytes']} bytes went through the network, of {least} that should have"
            )

    def todo(self):
        every = list(measurements(self.options.libraries))
        return every, [what for what in every if not is_done(self.raw, what.key)]

    def run(self):
        every, todo = self.todo()
        done = len(every) - len(todo)
        check = subprocess.run([PRETEND_HOSTS, "--check"], capture_output=True, text=True)
        if check.returncode != 0:
            say(f"measured on one host only: {check.stdout.strip()}")
            todo = [what for what in todo if what.hosts == 1]
        by_name = {library.name: library for library in LIBRARIES}
        jobs = []
        for what in todo:
            library = by_name[what.mpi]
            text = f"{library.title}, {what.layout}, {WAY_TITLES[what.way]}: {what.kind} {what.transport}"
            jobs.append((what.key, text, lambda what=what, library=library: self.measure(library, what)))
        return measure_all(self.raw, jobs, done, self.options.minutes)


# Gives 283 000 cells with ETOPO5.
SPACING = "finest=6,coarsest=12,growth=0.0238"


def prepare(options):
    """Everything that must be there before the clock runs; libraries that cannot be had are left out, and said so."""
    ready = []
    for library in LIBRARIES:
        if library.name not in options.libraries:
            continue
        try:
            say(f"{library.title}: installed and built in build/bench-mpi/{library.name} ...")
            install(library)
            build(library, os.cpu_count())
            ready.append(library.name)
        except Failure as error:
            say(f"{library.title} is left out: {error}")
    return ready


def main():
    options = parse()
    evaluation = Evaluation(options)
    if options.fresh:
        for path in evaluation.raw.glob("*"):
            path.unlink()
    if options.list:
        every, todo = evaluation.todo()
        for what in every:
            print("to do " if what in todo else "done  ", what.key)
        return 0
    failed = 0
    if not options.report:
        wanted = options.libraries
        options.libraries = prepare(options)
        evaluation.make_mesh()
        if options.prepare:
            return 0 if options.libraries == wanted else 3
        failed = evaluation.run()
        failed += len(wanted) - len(options.libraries)
    import report

    report.write(evaluation.folder, options.page)
    say(f"the results are in {evaluation.folder}: evaluation.json, tables.md, *.png")
    return 3 if failed else 0


if __name__ == "__main__":
    run_to_exit_code(main)
