"""Measured scaling: short runs of a case on ranks × threads, interleaved, and what they say of longer ones."""

import dataclasses
import statistics

from groundswell.errors import refuse
from groundswell.trials.order import balanced_orders
from groundswell.trials.setting import Setting
from groundswell.trials.spread import outliers_of, spread_of, statistic


@dataclasses.dataclass(frozen=True)
class Count:
    """One point of the curve. `sets`: values of keys that belong to it, as a mesh of its own."""

    setting: Setting
    mesh: str = ""
    sets: tuple = ()

    @property
    def cores(self):
        return self.setting.cores

    def __str__(self):
        return f"{self.setting.ranks} ranks × {self.setting.threads} threads" + (
            f" with {self.mesh}" if self.mesh else ""
        )


def doublings(most):
    """1, 2, 4 … and `most` itself."""
    found = [1]
    while 2 * found[-1] < most:
        found.append(2 * found[-1])
    return found + [most] if most > 1 else found


def plan_strong(ranks, threads, own_threads, cores, binding):
    """Counts in order of their cores; those that were not asked for by name are left out where they do not fit."""
    if ranks is None:
        threads = threads or doublings(cores)
        pairs = [(r, t) for t in threads for r in doublings(max(1, cores // t)) if r * t <= cores]
    else:
        pairs = [(r, t) for r in ranks for t in threads or [own_threads]]
    asked = [("--ranks", 0, value) for value in ranks or ()] + [
        ("--threads", 1, value) for value in threads or ()
    ]
    for name, place, value in sorted(
        asked, key=lambda one: one[2] <= cores
    ):  # first what is too many by itself
        if not any(pair[place] == value and pair[0] * pair[1] <= cores for pair in pairs):
            refuse(
                "command line",
                name,
                value,
                f"ranks × threads within the {cores} cores of this job (--cores N where it has more)",
            )
    fitting = dict.fromkeys(sorted((r * t, r, t) for r, t in pairs if r * t <= cores))
    return [Count(Setting(r, t, binding)) for _, r, t in fitting]


def measure(counts, repeats, run, say=lambda text: None):
    """{count: [Trial]}: every round all counts, in a balanced order. `run(count)` gives a Trial; Ctrl-C ends it early: then the
    second answer is True."""
    trials = {count: [] for count in counts}
    try:
        for number, order in zip(range(repeats), balanced_orders(len(counts))):
            for place, index in enumerate(order):
                count = counts[index]
                say(f"[{number * len(counts) + place + 1}/{repeats * len(counts)}] {count}")
                trial = run(count)
                if trial.problem:
                    refuse(str(count), None, None, f"a run that works: {trial.problem}")
                cells = trial.report.get("cells") or trial.report.get("elements")
                if cells and count.setting.ranks > cells:
                    refuse(str(count), None, None, f"at most {cells} ranks, one for each cell of the mesh")
                trials[count].append(trial)
    except KeyboardInterrupt:
        return trials, True
    return trials, False


def rows_of(trials, whole_seconds, price=None):
    """`counts` of the JSON: of each its times, speed, efficiency beside the fewest cores, and what the whole run would take."""
    rows = [row_of(count, runs, whole_seconds, price) for count, runs in trials.items() if runs]
    if not rows:
        return rows
    fewest = min(row["cores"] for row in rows)

    def rated(speed):
        """Speed per core of each row, relative to that of the best of those with the fewest cores."""
        base = max(speed(row) / row["cores"] for row in rows if row["cores"] == fewest)
        return [speed(row) / row["cores"] / base for row in rows]

    without, with_start_up = rated(lambda row: row["updates_per_second"]), rated(speed_with_start_up)
    for row, efficiency, other in zip(rows, without, with_start_up):
        row["efficiency"], row["efficiency_with_start_up"] = efficiency, other
        row["speedup"] = efficiency * row["cores"] / fewest
    return rows


def speed_with_start_up(row):
    return row["updates_per_second"] * row["seconds"]["mean"] / row["elapsed_seconds"]["mean"]


def row_of(count, runs, whole_seconds, price):
    seconds = spread_of([run.seconds for run in runs])
    start_up = statistic([run.start_up for run in runs])
    simulated = runs[0].simulated
    row = {
        "ranks": count.setting.ranks,
        "threads": count.setting.threads,
        "cores": count.cores,
        "seconds": {key: seconds[key] for key in ("min", "mean", "max")},
        "std": seconds["std"],
        "cv": seconds["cv"],
        "start_up_seconds": start_up,
        "elapsed_seconds": statistic([run.elapsed for run in runs]),
        "simulated_seconds": simulated,
        "updates_per_second": statistics.median(run.work for run in runs),
        "core_hours": seconds["mean"] * count.cores / 3600,
        "load": statistic([run.load for run in runs]),
        "outliers": outliers_of(runs),
        "runs": [
            {"seconds": run.seconds, "start_up_seconds": run.start_up, "load": run.load} for run in runs
        ],
    }
    if count.mesh:
        row["mesh"] = count.mesh
    cells = runs[0].report.get("cells") or runs[0].report.get("elements")
    if cells:
        row["cells"] = cells
    # Start-up is paid once, so it is taken apart from what grows with the length of the run.
    middle = statistics.median(run.seconds for run in runs)
    whole = start_up["mean"] + middle * whole_seconds / simulated
    row["whole"] = {"seconds": whole, "core_hours": whole * count.cores / 3600}
    if price is not None:
        row["whole"]["cost"] = row["whole"]["core_hours"] * price
    return row


def name_of(row):
    return {"ranks": row["ranks"], "threads": row["threads"]}


def result_of(rows):
    """`counts`, and of the whole run the fastest and the cheapest: the fewer cores where they do not differ."""
    if not rows:
        return {"counts": [], "fastest": None, "cheapest": None}
    return {
        "counts": rows,
        "fastest": name_of(min(rows, key=lambda row: (row["whole"]["seconds"], row["cores"]))),
        "cheapest": name_of(min(rows, key=lambda row: (row["whole"]["core_hours"], row["cores"]))),
    }
