"""What `tune` would try, and what it leaves out with which reason; what it writes. No program is run here."""

import dataclasses
import pathlib
import shlex

import pytest

from groundswell.errors import Refusal
from groundswell.toml_file import tomllib
from groundswell.trials.case import Case
from groundswell.trials.launcher import Launcher
from groundswell.trials.machine import Machine
from groundswell.trials.runner import Trial
from groundswell.trials.setting import Setting
from groundswell.tune import files
from groundswell.tune.groups import Plan, default_setting, groups_of, parse_tries
from groundswell.tune.mpi_settings import LAYERS, TABLES, known, never_run
from groundswell.tune.trials import FEWEST_TRIALS, Trials

KEYS = {
    "model": ('"sea"', ""),
    "run.threads": ("2", "integer"),
    "halo.transport": ('"auto"', '"shared" | "posted" | "auto"'),
    "halo.progress": ('"none"', ""),
    "output.mode": ('"auto"', ""),
    "propagation.scheme": ('"upwind"', ""),
}
SEA = Case("case.toml", (), KEYS, 86400.0, None, 300.0)
QUAKE_KEYS = {
    "model": ('"quake"', ""),
    "solver.cluster_rate": ("2", ""),
    "halo.transport": KEYS["halo.transport"],
}
QUAKE = dataclasses.replace(SEA, keys=QUAKE_KEYS)
MACHINE = Machine(
    "Open MPI", "4.1.4", 16, 1, tuple(range(16)), 2, 0.0, (), ("auto", "direct", "thread", "servers")
)
OPEN_MPI = Launcher("Open MPI", ["mpirun", "-n", "{ranks}", "{binding}"])
BEST = Setting(8, 2)


def plan(case=SEA, cores=16, tried=None, launcher=OPEN_MPI, **phases):
    report = {"phases": {name: {"mean": value} for name, value in phases.items()}}
    trial = Trial(BEST, 60.0, 10.0, 1.0, report)
    return Plan(case, MACHINE, launcher, cores, tried or {}, trial_of=lambda setting: trial)


def options(name, a_plan, best=BEST):
    (group,) = groups_of(a_plan, [name])
    return group.options(best)


def values(settings, key):
    return {dict(setting.keys).get(key) for setting in settings}


def test_ranks_times_threads_fill_the_cores_or_half_of_them():
    settings, _ = options("ranks", plan())
    assert {(s.ranks, s.threads) for s in settings} >= {(16, 1), (8, 2), (1, 16), (8, 1), (4, 2)}
    assert {s.ranks * s.threads for s in settings} == {16, 8}
    assert default_setting(SEA, 16, "close") == Setting(8, 2)


def test_spreading_is_tried_where_there_is_more_than_one_memory_domain():
    settings, reasons = options("binding", plan())
    assert {s.binding for s in settings} == {"close", "spread", "none"} and not reasons
    flat = plan()
    flat.machine = dataclasses.replace(MACHINE, domains=1)
    settings, reasons = options("binding", flat)
    assert {s.binding for s in settings} == {"close", "none"} and "one memory domain" in reasons[0]


def test_a_launcher_that_cannot_be_told_of_binding_is_not():
    settings, reasons = options("binding", plan(launcher=Launcher(None, ["srun", "-n", "{ranks}"])))
    assert settings == [] and "{binding}" in reasons[0]


def test_transports_are_those_of_the_program_and_directions_those_of_upwind():
    settings, _ = options("transport", plan(exchange_wait=1.0))
    assert values(settings, "halo.transport") == {"shared", "posted", None}  # auto is what the case has
    assert values(settings, "halo.directions") >= {"all", "needed"}
    quake, _ = options("transport", plan(QUAKE, exchange_wait=1.0))
    assert values(quake, "halo.directions") == {None}


@pytest.mark.parametrize(
    ("name", "best", "said"),
    [
        ("transport", Setting(1, 16), "one rank exchanges nothing"),
        ("transport", BEST, "nothing to gain"),
        ("progress", BEST, "too little"),
        ("output", BEST, "nothing to gain"),
        ("buffer", BEST, "too little"),
        ("mpi", BEST, "too little"),
        ("clusters", BEST, "clusters of the sea change its results"),
    ],
)
def test_what_cannot_matter_is_left_out_and_says_why(name, best, said):
    settings, reasons = options(name, plan(propagation=9.9), best)
    assert settings == [] and said in reasons[0]


def test_a_communication_thread_gets_a_core():
    settings, _ = options("progress", plan(exchange_wait=1.0))
    (thread,) = [s for s in settings if dict(s.keys)["halo.progress"] == "thread"]
    assert (thread.threads, thread.spare) == (1, 1) and thread.cores == 16
    assert "slot:PE=2" in OPEN_MPI.words(thread)
    roomy, _ = options("progress", plan(exchange_wait=1.0, cores=24))
    assert any((s.threads, s.spare) == (2, 1) for s in roomy)
    settings, reasons = options("progress", plan(exchange_wait=1.0), Setting(16, 1))
    assert values(settings, "halo.progress") == {"polling"} and "needs a core" in reasons[0]


def test_ranks_that_are_not_bound_get_a_mask_for_it():
    settings, _ = options("progress", plan(exchange_wait=1.0), Setting(4, 4, "none"))
    assert "[12, 13, 14, 15]" in values(settings, "run.free_cores")


def test_output_is_tried_by_others_and_beside_them():
    settings, _ = options("output", plan(output=1.0))
    assert values(settings, "output.mode") == {"direct", "thread", "servers"}
    spare, _ = options("output", plan(output=1.0, cores=17))
    assert (9, "servers") in {(s.ranks, dict(s.keys)["output.mode"]) for s in spare}


def test_buffers_where_something_waits_in_them():
    threaded = BEST.with_keys(output__mode="thread")
    settings, _ = options("buffer", plan(output=1.0), threaded)
    assert values(settings, "output.buffer") == {"64 MiB", "512 MiB"}
    _, reasons = options("buffer", plan(output=1.0))
    assert "keeps nothing waiting" in reasons[0]


def test_settings_of_the_library_that_is_there():
    settings, _ = options("mpi", plan(exchange_wait=1.0))
    assert all(name.startswith("OMPI_MCA_") for s in settings for name, _ in s.mpi)
    names = {name for one in known("Open MPI", "5.0.1", 1) for name, _ in one.values}
    assert "OMPI_MCA_btl_sm_eager_limit" in names and "OMPI_MCA_btl_vader_eager_limit" not in names
    assert len(known("Open MPI", "4.1.4", 2)) > len(known("Open MPI", "4.1.4", 1))
    assert set(TABLES) == {"CRAY MPICH", "Open MPI", "MPICH", "Intel(R) MPI"}


def test_what_a_library_stands_on_has_settings_too():
    """By what it says that messages travel by; those are from documentation alone, and marked so."""
    own = set(known("MPICH", "4.0.2", 2))
    for transport, prefix in (("ch4:ucx", "UCX_"), ("ch4:ofi", "FI_")):
        more = set(known("MPICH", "4.0.2", 2, transport)) - own
        assert more and all(name.startswith(prefix) for one in more for name, _ in one.values)
        assert not any(one.was_run for one in more)
    assert known("Open MPI", "4.1.4", 2, "pml ob1, btl vader, self, tcp") == known("Open MPI", "4.1.4", 2)
    assert len(known("Open MPI", "4.1.4", 2, "pml ucx")) > len(known("Open MPI", "4.1.4", 2))
    cray = known("CRAY MPICH", "8.1.23", 4, "")
    assert cray and not any(one.was_run for one in cray)
    for one in cray:
        assert never_run(one.values) == [one.text]
    assert never_run((("OMPI_MCA_pml", "ob1"),)) == []
    none = dataclasses.replace(MACHINE, mpi_name="another MPI")
    _, reasons = options("mpi", dataclasses.replace(plan(exchange_wait=1.0), machine=none))
    assert reasons == ["no settings of another MPI are known here"]


def test_the_manual_lists_all_settings_of_libraries():
    page = pathlib.Path(__file__).parents[3].joinpath("docs/how-to/tuning.md").read_text(encoding="utf-8")
    section = page.partition("## Settings of MPI libraries")[2].partition("\n## ")[0]
    rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in section.splitlines()
        if "`" in line and line[0] == "|"
    ]
    told = [(row[1].strip("`"), row[3] != "not run") for row in rows]
    known_here = [one for table in (*TABLES.values(), *LAYERS.values()) for one in table]
    assert told == [(one.text, one.was_run) for one in known_here]


def test_clusters_of_other_rates():
    settings, _ = options("clusters", plan(QUAKE))
    assert values(settings, "solver.cluster_rate") == {"1", "3"}


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("halo.transprt=x", "did you mean 'halo.transport'"),
        ("qqqq=1", "one of ranks, threads"),
        ("ranks", "KEY=VALUE"),
        ("threads=two", "whole numbers"),
        ("binding=tight", "of close, spread, none"),
    ],
)
def test_what_cannot_be_tried_is_refused(word, said):
    with pytest.raises(Refusal, match=said):
        parse_tries([word])


# ------------------------------------------------------------------------------------------------------- trials


class Runner:
    """Every trial takes its start-up and so many seconds for each simulated one."""

    def __init__(self, rate, start_up, clock):
        self.rate, self.start_up, self.clock = rate, start_up, clock

    def run(self, setting, length, timeout):
        seconds = self.rate * length
        self.clock[0] += min(timeout, seconds + self.start_up)
        if seconds + self.start_up > timeout:
            return Trial(setting, length, problem=f"not done after {timeout:.0f} s")
        return Trial(setting, length, seconds, self.start_up, {"phases": {}})


def trials(budget, rate=0.01, start_up=1.0):
    clock = [0.0]
    return Trials(SEA, Runner(rate, start_up, clock), budget, clock=lambda: clock[0])


def test_trials_are_as_long_as_the_budget_allows():
    short, long = trials(120.0), trials(1200.0)
    for one in (short, long):
        one.settle_length(BEST)
    assert short.length % 300 == 0 and short.length < long.length
    assert long.length * 0.01 <= 20.0 * 1.5
    assert short.clock() < 0.3 * 120


@pytest.mark.parametrize(
    ("budget", "rate", "start_up"), [(20.0, 0.01, 1.0), (60.0, 0.5, 1.0), (60.0, 0.01, 6.0)]
)
def test_a_budget_too_small_is_refused_with_what_would_do(budget, rate, start_up):
    one = trials(budget, rate, start_up)
    with pytest.raises(Refusal, match=f"--budget = {budget:g} s: expected .*{FEWEST_TRIALS} are the fewest"):
        one.settle_length(BEST)


def test_records_that_the_whole_run_does_not_have_so_often_do_not_count():
    case = dataclasses.replace(SEA, keys={**KEYS, "output.map[].every": ('"12h"', "")})
    one = Trials(case, None, 100.0)
    one.length = 43200.0
    report = {"output": {"records": 2}, "phases": {"output": {"mean": 4.0}}}
    trial = Trial(BEST, 43200.0, 10.0, 1.0, report)
    # The whole run has 3 records in twice the time: 1.5 for the trial, which wrote 2.
    assert one.time_of(trial) == pytest.approx(10.0 - 4.0 * (1 - 1.5 / 2))


# ------------------------------------------------------------------------------------------------------- files

CHOSEN = Setting(8, 2, mpi=(("OMPI_MCA_pml", "ob1"),)).with_keys(
    halo__transport="shared", run__free_cores="[14, 15]", output__buffer="64 MiB"
)


def test_keys_are_toml_that_says_the_same():
    text = files.keys_text(CHOSEN.case_keys(), ["Found by chance."])
    assert tomllib.loads(text) == {
        "run": {"threads": 2, "free_cores": [14, 15]},
        "halo": {"transport": "shared"},
        "output": {"buffer": "64 MiB"},
    }


def test_the_launch_line_can_be_typed_as_it_is():
    words = shlex.split(files.launch_line(OPEN_MPI, CHOSEN, SEA))
    assert words[:6] == ["env", "OMPI_MCA_pml=ob1", "mpirun", "-n", "8", "--map-by"]
    assert "output.buffer=64 MiB" in words


@pytest.mark.parametrize(
    ("kind", "lines"),
    [
        ("slurm", ["--nodes=1", "--ntasks-per-node=8", "--cpus-per-task=2", "--time=00:45:00"]),
        ("pbs", ["select=1:ncpus=16:mpiprocs=8:ompthreads=2", "walltime=00:45:00", "$PBS_O_WORKDIR"]),
    ],
)
def test_job_scripts_ask_for_what_the_run_needs(kind, lines):
    text = files.job_script(kind, OPEN_MPI, CHOSEN, SEA, MACHINE, 1800.0, ["Found by chance."])
    for line in lines:
        assert line in text
    assert text.startswith("#!/bin/bash\n") and '"$program" run' in text
