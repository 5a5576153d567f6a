"""Groups of settings to try, one after the other: each a function of the best setting so far that gives settings, and why others are left out."""

import dataclasses
import re

from groundswell.errors import check_word, refuse
from groundswell.trials.setting import BINDINGS, Setting
from groundswell.tune.mpi_settings import known
from groundswell.tune.search import Group

LITTLE = 0.01  # of a trial: what takes less is not worth a race
MANY = 12  # pairs of ranks × threads and bindings raced at once
NAMES = ("ranks", "binding", "transport", "progress", "output", "buffer", "mpi", "clusters")
EXCHANGE = ("exchange_pack", "exchange_wait", "exchange_unpack")
# Keys that --try may give values for, and the group that they belong to.
KEYS = {
    "ranks": "ranks",
    "threads": "ranks",
    "binding": "binding",
    "halo.transport": "transport",
    "halo.directions": "transport",
    "halo.progress": "progress",
    "output.mode": "output",
    "output.servers": "output",
    "output.buffer": "buffer",
    "solver.cluster_rate": "clusters",
    "solver.scale": "clusters",
    "solver.clusters": "clusters",
}


@dataclasses.dataclass
class Plan:
    """State that groups look at. `tried`: {key: [value]} of --try; `trial_of(setting)`: a Trial of it, None before the first."""

    case: object
    machine: object
    launcher: object
    cores: int
    tried: dict = dataclasses.field(default_factory=dict)
    names: tuple = NAMES
    trial_of: object = lambda setting: None

    def values(self, key, otherwise):
        return self.tried.get(key, otherwise)

    def share(self, setting, *phases):
        """Share of these phases in a trial of the setting; 1 where there is none yet."""
        trial = self.trial_of(setting)
        return trial.share(*phases) if trial is not None else 1.0


def parse_tries(words):
    """{key: [value]} of --try KEY=VALUE,VALUE."""
    found = {}
    for word in words:
        key, equals, values = word.partition("=")
        if not equals or not values:
            refuse("command line", "--try", word, "KEY=VALUE,VALUE…")
        check_word("command line", "--try", key, KEYS)
        found[key] = [value.strip() for value in values.split(",")]
        if key in ("ranks", "threads"):
            if not all(re.fullmatch(r"[1-9]\d*", value) for value in found[key]):
                refuse("command line", "--try", word, "whole numbers, 1 or more")
            found[key] = [int(value) for value in found[key]]
        if key == "binding" and not set(found[key]) <= set(BINDINGS):
            refuse("command line", "--try", word, f"some of {', '.join(BINDINGS)}")
    return found


def groups_of(plan, names):
    made = {
        "ranks": lambda best: ranks(plan, best),
        "binding": lambda best: bindings(plan, best),
        "transport": lambda best: transports(plan, best),
        "progress": lambda best: progress(plan, best),
        "output": lambda best: output(plan, best),
        "buffer": lambda best: buffers(plan, best),
        "mpi": lambda best: libraries(plan, best),
        "clusters": lambda best: clusters(plan, best),
    }
    return [Group(name, made[name]) for name in NAMES if name in names]


def splits(plan):
    """(ranks, threads): those that use all cores, and half of them, which memory may keep busy already."""
    asked = plan.tried.get("ranks"), plan.tried.get("threads")
    cores = plan.cores
    if asked[0] or asked[1]:
        all_threads = asked[1] or sorted({max(1, cores // r) for r in asked[0]})
        all_ranks = asked[0] or sorted({max(1, cores // t) for t in all_threads})
        found = [(r, t) for r in all_ranks for t in all_threads if r * t <= cores]
        if not found:
            refuse(
                "command line",
                "--try",
                f"ranks={all_ranks}, threads={all_threads}",
                f"a pair within the {cores} cores of this job",
            )
        return found
    found = [(cores // t, t) for t in range(cores, 0, -1) if cores % t == 0]
    half = cores // 2
    if half >= 1 and cores > 1:
        found += [(half // t, t) for t in range(half, 0, -1) if half % t == 0 and t <= 16]
    return found


def ranks(plan, best):
    pairs = splits(plan)
    choices = possible_bindings(plan)[0] if together(plan) else [best.binding]
    found = [
        dataclasses.replace(best, ranks=r, threads=t, binding=binding, spare=0)
        for r, t in pairs
        for binding in choices or [best.binding]
    ]
    return found, []


def possible_bindings(plan):
    if not plan.launcher.bindings():
        return [], ["the launcher's line has no {binding}"]
    wanted = plan.values("binding", BINDINGS)
    reasons = []
    if "spread" in wanted and plan.machine.domains < 2 and "binding" not in plan.tried:
        wanted = [one for one in wanted if one != "spread"]
        reasons.append("spread: one memory domain on this host, so it is the same as close")
    return list(wanted), reasons


def together(plan):
    """Whether bindings are raced with ranks × threads: where there are few."""
    few = len(splits(plan)) * len(possible_bindings(plan)[0]) <= MANY
    return few and {"ranks", "binding"} <= set(plan.names)


def bindings(plan, best):
    wanted, reasons = possible_bindings(plan)
    if together(plan):
        return [], reasons
    return [dataclasses.replace(best, binding=one) for one in wanted], reasons


def transports(plan, best):
    if best.ranks == 1:
        return [], ["one rank exchanges nothing"]
    if plan.share(best, *EXCHANGE) < LITTLE and "halo.transport" not in plan.tried:
        return [], [f"exchanges take {100 * plan.share(best, *EXCHANGE):.1f} % of a trial: nothing to gain"]
    found = [
        best.with_keys(halo__transport=one)
        for one in plan.values("halo.transport", plan.case.choices("halo.transport"))
    ]
    reasons = []
    if plan.case.value("propagation.scheme") == "upwind":
        found += [
            best.with_keys(halo__directions=one) for one in plan.values("halo.directions", ("all", "needed"))
        ]
    elif plan.case.model == "sea":
        reasons.append("halo.directions: only the upwind scheme reads fewer than all")
    return [one for one in found if same_as_case(plan, one) != best], reasons


def same_as_case(plan, setting):
    """The setting without keys that have the case's own value."""
    kept = tuple((key, value) for key, value in setting.keys if plan.case.value(key) != value)
    return dataclasses.replace(setting, keys=kept)


def progress(plan, best):
    if best.ranks == 1:
        return [], ["one rank exchanges nothing"]
    if plan.share(best, *EXCHANGE) < LITTLE and "halo.progress" not in plan.tried:
        return [], ["exchanges take too little of a trial"]
    wanted = plan.values("halo.progress", ("none", "polling", "thread"))
    found, reasons = [], []
    own = dict(best.keys).get("halo.progress", plan.case.value("halo.progress"))
    for one in wanted:
        if one == own:
            continue
        if one != "thread":
            found.append(dataclasses.replace(best, spare=0).with_keys(halo__progress=one))
            continue
        room = [
            dataclasses.replace(best, spare=spare, threads=threads).with_keys(halo__progress=one)
            for spare, threads in ((1, best.threads), (1, best.threads - 1))
            if threads >= 1 and best.ranks * (threads + spare) <= plan.cores
        ]
        found += [masked(plan, setting) for setting in room[:1]]
        if not room:
            reasons.append("thread: each rank's communication thread needs a core, and the ranks take all")
    return found, reasons


def masked(plan, setting):
    """Where ranks are not bound, their communication threads get the last cores of the host by name."""
    if setting.binding != "none" or plan.machine.hosts > 1 or setting.ranks > len(plan.machine.core_list):
        return setting
    return setting.with_keys(run__free_cores=str(list(plan.machine.core_list[-setting.ranks :])))


def output(plan, best):
    if plan.share(best, "output") < LITTLE and not {"output.mode", "output.servers"} & set(plan.tried):
        return [], [f"output takes {100 * plan.share(best, 'output'):.1f} % of a trial: nothing to gain"]
    modes = plan.values("output.mode", [one for one in plan.machine.output_modes if one != "auto"])
    found, reasons = [], []
    for mode in modes:
        if mode != "servers":
            found.append(best.with_keys(output__mode=mode, output__servers=None))
            continue
        numbers = plan.values("output.servers", ("1",) if best.ranks < 16 else ("1", "5%"))
        if best.ranks == 1:
            reasons.append("servers: one rank has none to spare")
            continue
        found += [best.with_keys(output__mode=mode, output__servers=number) for number in numbers]
        if best.cores + 1 <= plan.cores:
            more = dataclasses.replace(best, ranks=best.ranks + 1)
            found.append(more.with_keys(output__mode=mode, output__servers="1"))
    return [one for one in found if same_as_case(plan, one) != best], reasons


def buffers(plan, best):
    mode = dict(best.keys).get("output.mode", plan.case.value("output.mode"))
    if "output.buffer" not in plan.tried:
        if plan.share(best, "output") < LITTLE:
            return [], ["output takes too little of a trial"]
        if mode not in ("thread", "servers"):
            return [], [f"output.mode = {mode} keeps nothing waiting"]
    return [
        best.with_keys(output__buffer=one) for one in plan.values("output.buffer", ("64 MiB", "512 MiB"))
    ], []


def libraries(plan, best):
    if best.ranks == 1:
        return [], ["one rank sends no messages"]
    machine = plan.machine
    settings = known(machine.mpi_name, machine.version, machine.hosts, machine.transport)
    if not settings:
        return [], [f"no settings of {machine.mpi_name} are known here"]
    if plan.share(best, *EXCHANGE, "agreement", "output") < LITTLE:
        return [], ["exchanges, agreements and output take too little of a trial"]
    return [dataclasses.replace(best, mpi=one.values) for one in settings], []


def clusters(plan, best):
    """These change the steps that elements take, and with them the last digits of results."""
    if plan.case.model != "quake":
        return [], ["clusters of the sea change its results, and are not tried (propagation.cluster_rate)"]
    found = [
        best.with_keys(solver__cluster_rate=one)
        for one in plan.values("solver.cluster_rate", ("1", "2", "3"))
    ]
    found += [best.with_keys(solver__scale=one) for one in plan.values("solver.scale", ())]
    found += [best.with_keys(solver__clusters=one) for one in plan.values("solver.clusters", ())]
    return [one for one in found if same_as_case(plan, one) != best], []


def default_setting(case, cores, binding):
    """Setting of a user who gave it no thought: the case's threads, and ranks on all cores."""
    return Setting(max(1, cores // case.threads), case.threads, binding)
