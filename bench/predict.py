#!/usr/bin/env python3
"""Predictions beside runs: python bench/predict.py [FOLDER] [--quick] [--rounds N] [--keep] → predict.json, and a table.

Both models on 1, 2 and 4 ranks, on one host and on two pretended ones (scripts/pretend-hosts, which needs root), whose links are as
fast as this machine makes them or held to a rate: 14 combinations. What a prediction knows are runs on one and on two ranks of one
host, the kernels alone, and the links, measured by `groundswell halo` with two ranks in the same place; it is then compared with a
run in each place. Nothing else may compute meanwhile: about ten minutes on two cores. `--keep` makes the errors those that
`groundswell scale --predict` prints.
"""

import argparse
import dataclasses
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

from common import ENVIRONMENT, ROOT, launch_flags, machine_text, program, write_json

sys.path.insert(0, str(ROOT / "python"))
from groundswell import report  # noqa: E402
from groundswell.scale import checks, describe, gauge  # noqa: E402
from groundswell.scale import predict as model  # noqa: E402
from groundswell.scale.machine import Link, Machine  # noqa: E402
from groundswell.scale.speeds import Curve, speeds_of  # noqa: E402
from groundswell.trials.case import read_case  # noqa: E402
from groundswell.trials.program import answer_of  # noqa: E402

# Ranks, pretended hosts (0: the machine itself), rate of each host's link.
PLACES = [
    (1, 0, None),
    (2, 0, None),
    (4, 0, None),
    (2, 2, None),
    (4, 2, None),
    (2, 2, "1gbit"),
    (4, 2, "500mbit"),
]
SLICE = 3e-3  # s that the system lets a thread compute while others want its core
LIMITS = {"step": 0.25, "communication": 0.15, "start": 1 / 3}
ACROSS = (
    *("--mca", "plm_rsh_agent", str(ROOT / "scripts/pretend-host-agent"), "--mca", "pml", "ob1"),
    *(
        "--mca",
        "btl",
        "tcp,vader,self",
        "--mca",
        "btl_tcp_if_include",
        "e0",
        "--mca",
        "oob_tcp_if_include",
        "e0",
    ),
)
SEA = """title = "a sea"
[time]
start = 2024-09-06T00:00:00Z
end = 2024-09-06T{hours:02d}:00:00Z
[mesh]
file = "mesh.nc"
[spectrum]
directions = 24
frequencies = 25
first_frequency = 0.05
ratio = 1.1
[[wind]]
uniform = [10.0, 3.0]
[[output.map]]
file = "map.nc"
every = "1h"
fields = ["hs", "tp"]
"""
QUAKE = """model = "quake"
[time]
end = "{end}s"
[mesh.box]
cubes = {cubes}
length = [8000, 8000, 8000]
jitter = 0.1
[[material.rock]]
layers = [[0, 2000, 1500, 700], [-1500, 2400, 3000, 1600], [-4000, 2700, 6000, 3464]]
[output.energies]
file = "energy.nc"
every = "0.5s"
"""


def launch_words(ranks, hosts, rate):
    """The command that starts ranks in a place."""
    if ranks == 1:
        return []
    if hosts == 0:
        return ["mpirun", *launch_flags(), "-n", ranks]
    words = ["--rate", rate] if rate else []
    words = [
        ROOT / "scripts/pretend-hosts",
        *words,
        hosts,
        "mpirun",
        "--oversubscribe",
        "--bind-to",
        "none",
        *ACROSS,
    ]
    names = ",".join(f"host{i + 1}:{ranks // hosts}" for i in range(hosts))
    return [*words, "-n", ranks, "-host", names]


class Place:
    """A machine as ranks find it in a place."""

    def __init__(self, ranks, hosts, rate, limits, links):
        self.ranks, self.hosts, self.rate = ranks, max(1, hosts), rate
        self.launch = launch_words(ranks, hosts, rate)
        per_host = ranks // self.hosts
        peak, stream = limits[min(ranks, max(limits))]
        inside = Link(*links[None])
        between = links.get((hosts, rate))
        self.machine = Machine(
            where="here",
            name=self.text(),
            about="",
            hosts=self.hosts,
            cores=per_host,
            memory=1e12,
            peak=peak / self.hosts,
            stream=stream / self.hosts,
            ranks_per_host=per_host,
            threads=1,
            network=Link(*between, between[0] / 4) if between else inside,
            inside=inside,
            file_system=None,
        )

    def text(self):
        if self.hosts == 1:
            return f"{self.ranks} on 1 host"
        return f"{self.ranks} on {self.hosts} hosts" + (f", {self.rate}" if self.rate else "")


def limits_of_cores():
    """{threads: (peak, stream)} of so many cores at work."""
    found = {}
    for threads in range(1, describe.cores_here() + 1):
        told = gauge.result_of(
            *("proxy", "--model", "quake", "--order", 4, "--precision", "double"),
            *("--cells", 1000, "--threads", threads, "--repeats", 5),
        )
        found[threads] = told["peak_gflops"] * 1e9, told["stream_gigabytes_per_second"] * 1e9
    return found


def run_in(place, case, folder):
    return answer_of("run", case, "--output", folder, "--overwrite", "--quiet", launcher=place.launch)


def took(run, step_seconds):
    """(a step, share of messages, start) of a run."""
    result = run["result"]
    wall = result["wall_seconds"]
    return (
        wall / (result["simulated_seconds"] / step_seconds),
        result["communication_seconds"]["mean"] / wall,
        result["phases"]["setup"]["mean"],
    )


class Sea:
    name = "sea"

    def __init__(self, folder, quick):
        self.case = folder / "case.toml"
        self.case.write_text(SEA.format(hours=1 if quick else 3), encoding="utf-8")
        words = ["mesh", "make", "--depth", 4000, "--icosahedron", 12 if quick else 40, "--quiet"]
        subprocess.run([program("groundswell"), *map(str, words), "--output", folder / "mesh.nc"], check=True)
        steps = gauge.checked(read_case(self.case))
        self.steps = {key: steps[key] for key in ("step_seconds", "source_step_seconds")}
        self.about = {"directions": 24, "frequencies": 25, "scheme": "second-order"}
        self.source = [folder / "mesh.nc", "--layers", 2, "--directions", 24, "--frequencies", 25]
        weights = {"propagation": 1.0, "source": steps["step_seconds"] / steps["source_step_seconds"]}
        self.limits = gauge.limits_here("sea", self.about, weights)

    def counted(self, ranks, per_host, folder):
        method = "two-level" if ranks > per_host else "plain"
        counted, plans = gauge.counted_parts(self.source, [method], [ranks], per_host, folder)
        return counted | self.steps, plans[0]

    def cutting(self, folder):
        return {2: self.counted(2, 2, folder)[1].told["seconds"]}


class Quake:
    name = "quake"

    def __init__(self, folder, quick):
        self.case = folder / "case.toml"
        text = QUAKE.format(end=0.5 if quick else 2.0, cubes=[8, 8, 8] if quick else [16, 16, 16])
        self.case.write_text(text, encoding="utf-8")
        self.limits = gauge.limits_here("quake", {"order": 4, "precision": "double"})

    def counted(self, ranks, per_host, folder):
        counted, plans = gauge.counted_parts(["--case", self.case], ["curve"], [ranks], per_host, folder)
        return counted, plans[0]

    def cutting(self, folder):
        return {}


def waiting_for_turns(place, plan, costs):
    """Seconds of a step in which a rank waits at its exchange because another has its core: where there are more ranks than cores, and
    each computes for less than the system lets it go on. Else they take turns while they compute, and nothing is seen of it."""
    times = ranks_a_core(place)
    if times <= 1:
        return 0.0
    seconds = [moment.work.mean() * costs.work for moment in plan.moments]
    # Within a tenth of the slice it is now so, now so.
    share = [min(1.0, max(0.0, (1.1 - one / times / SLICE) / 0.2)) for one in seconds]
    waited = [one * (1 - 1 / times) * part for one, part in zip(seconds, share)]
    return float(plan.times() @ waited)


def ranks_a_core(place):
    return max(1.0, place.ranks / describe.cores_here())


def on_shared_cores(speeds, place):
    """Ranks that share a core share its cache: each is as fast as one with as many cells as all of them have."""
    times = ranks_a_core(place)
    if speeds.curve is None or times == 1.0:
        return speeds
    curve = Curve(speeds.curve.cells / times, speeds.curve.seconds)
    return dataclasses.replace(speeds, curve=curve, share=speeds.share / times)


def start_of(row, place):
    """Only one rank cuts the mesh, and has a core for itself as the others wait."""
    return row["start_seconds"] - row["cutting_seconds"] * (1 - 1 / ranks_a_core(place))


def median_of(runs, step_seconds):
    return [statistics.median(values) for values in zip(*(took(run, step_seconds) for run in runs))]


def middle(runs, key):
    """The run in the middle: what a prediction is made from counts by its median, as what it is compared with."""
    return sorted(runs, key=key)[len(runs) // 2]


def check(subject, places, folder, rounds):
    """A row for each place."""
    runs = {place: [] for place in places}
    for i in range(rounds):
        for place in places:
            runs[place].append(run_in(place, subject.case, folder / f"out-{i}"))
    known = [runs[place] for n in (1, 2) for place in places if place.ranks == n and place.hosts == 1]
    # The kernels as they are on one rank, the start as it changes from one to two.
    starts = [middle(some, lambda run: run["result"]["phases"]["setup"]["mean"]) for some in known]
    speeds = speeds_of(starts, subject.limits, "runs on 1 and 2 ranks", subject.cutting(folder))
    single = middle(known[0], lambda run: run["result"]["wall_seconds"])
    alone = speeds_of([single], subject.limits, "a run on 1 rank")
    alone = dataclasses.replace(alone, setup=speeds.setup, setup_fixed=speeds.setup_fixed, dealt=speeds.dealt)
    rows = []
    for place in places:
        counted, plan = subject.counted(place.ranks, place.ranks // place.hosts, folder)
        here = on_shared_cores(alone, place)
        row = model.predict(counted, plan, here, place.machine, 1.0)
        turns = waiting_for_turns(place, plan, model.Costs(counted, plan, here, place.machine))
        talking = row["communication_share"] + turns / row["step_seconds"]
        step, share, start = median_of(runs[place], counted["step_seconds"])
        rows.append(
            {
                "model": subject.name,
                "place": place.text(),
                "measured": {"step": step, "communication": share, "start": start},
                "predicted": {
                    "step": row["step_seconds"],
                    "communication": talking,
                    "start": start_of(row, place),
                },
                "start_up": {
                    name: statistics.median(run["result"]["startup"][name]["mean"] for run in runs[place])
                    for name in runs[place][0]["result"]["startup"]
                },
                "step": row["step_seconds"] / step - 1,
                "communication": talking - share,
                "start": start_of(row, place) / start - 1,
                "link": dataclasses.asdict(place.machine.network),
                "core_share": min(
                    run["result"]["cores"]["core_share"]["min"]
                    for run in runs[place]
                    if "cores" in run["result"]
                ),
            }
        )
    return rows


def table(rows):
    lines = [
        ["model", "ranks", "step", "predicted", "off", "messages", "predicted", "start", "predicted", "off"]
    ]
    for row in rows:
        real, told = row["measured"], row["predicted"]
        lines.append(
            [
                row["model"],
                row["place"],
                f"{1e3 * real['step']:.3g} ms",
                f"{1e3 * told['step']:.3g} ms",
                f"{100 * row['step']:+.0f} %",
                f"{100 * real['communication']:.1f} %",
                f"{100 * told['communication']:.1f} %",
                f"{real['start']:.2f} s",
                f"{told['start']:.2f} s",
                f"{100 * row['start']:+.0f} %",
            ]
        )
    return report.table(lines)


def measured(options):
    limits = limits_of_cores()
    links = {None: describe.link_by(launch_words(2, 0, None))}
    wanted = [place for place in PLACES if not (options.one_host and place[1])]
    for _, hosts, rate in wanted:
        if hosts and (hosts, rate) not in links:
            links[hosts, rate] = describe.link_by(launch_words(2, hosts, rate), "posted")
    places = [Place(*place, limits, links) for place in wanted]
    rows = []
    for make in (Sea, Quake):
        with tempfile.TemporaryDirectory() as folder:
            subject = make(pathlib.Path(folder), options.quick)
            rows += check(subject, places, pathlib.Path(folder), options.rounds)
        print(f"{make.name}: {len(places)} places", file=sys.stderr, flush=True)
    return rows


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", type=pathlib.Path, default=ROOT / "build/bench")
    parser.add_argument(
        "--quick", action="store_true", help="small meshes: to try the script, not for figures"
    )
    parser.add_argument(
        "--rounds", type=int, default=3, help="runs in each place, of which the median counts"
    )
    parser.add_argument(
        "--one-host", action="store_true", help="without pretended hosts, for which one has to be root"
    )
    parser.add_argument("--keep", action="store_true", help="predictions print these errors from now on")
    options = parser.parse_args()
    os.environ.update(ENVIRONMENT)
    os.environ.setdefault("GROUNDSWELL_PROGRAM", program("groundswell"))
    options.folder.mkdir(parents=True, exist_ok=True)
    rows = measured(options)
    models = checks.summary(rows)
    print(table(rows))
    for name, told in models.items():
        for what, limit in LIMITS.items():
            verdict = "holds" if told[what]["largest"] <= limit else "DOES NOT HOLD"
            largest, middle = 100 * told[what]["largest"], 100 * told[what]["median"]
            print(
                f"{name}, {what}: at most {100 * limit:.0f} wanted, {largest:.0f} found, median {middle:.0f}: {verdict}"
            )
    here = report.envelope("predict", {"rows": rows, "models": models})
    machine = machine_text({**here["machine"], "mpi": "mpirun"})
    write_json(options.folder / "predict.json", here)
    if options.keep:
        kept = {"machine": machine, "models": models}
        checks.KEPT.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
