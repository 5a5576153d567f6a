"""How trials are started, how long they are, and what is said of their spread; no program is run here."""

import dataclasses
import datetime
import time

import pytest

from groundswell.errors import Refusal
from groundswell.trials import length as lengths
from groundswell.trials.case import Case
from groundswell.trials.launcher import Launcher, binding_words, from_template
from groundswell.trials.machine import cores_of, one_of_each_core
from groundswell.trials.runner import Runner, Trial, run_limited, said_of
from groundswell.trials.setting import Setting
from groundswell.trials.spread import outliers_of, spread_of

KEYS = {
    "model": ('"sea"', ""),
    "run.threads": ("2", "integer"),
    "halo.transport": ('"auto"', '"shared" | "posted" | "auto"'),
    "output.map[].every": ('"1h"', "duration"),
    "output.points[].every": ('"30min" | "2h"', "duration"),
    "output.restart.every": ('"2d"', "duration"),
}
START = datetime.datetime(2024, 9, 2, 18, tzinfo=datetime.timezone.utc)
SEA = Case("case.toml", ("mesh.imbalance=0.1",), KEYS, 86400.0, START, 300.0)
QUAKE = Case("quake.toml", (), {"model": ('"quake"', "")}, 2.0, None, 0.25)


@pytest.mark.parametrize(
    ("family", "binding", "threads", "words"),
    [
        ("Open MPI", "close", 1, "--map-by core --bind-to core"),
        ("Open MPI", "close", 4, "--map-by slot:PE=4 --bind-to core"),
        ("Open MPI", "spread", 4, "--map-by numa:PE=4 --bind-to core"),
        ("Open MPI", "none", 4, "--bind-to none"),
        ("MPICH", "close", 4, "-bind-to core:4 -map-by core:4"),
        ("MPICH", "spread", 4, "-bind-to core:4 -map-by numa"),
        ("Intel(R) MPI", "spread", 8, "-genv I_MPI_PIN 1 -genv I_MPI_PIN_DOMAIN 8:scatter"),
        ("srun", "close", 8, "--distribution=block:block --cpu-bind=cores"),
        ("srun", "none", 8, "--cpu-bind=none"),
    ],
)
def test_each_launcher_is_told_of_binding_in_its_own_words(family, binding, threads, words):
    assert " ".join(binding_words(family, binding, threads)) == words


def test_a_whole_command():
    launcher = Launcher("Open MPI", ["mpirun", "-n", "{ranks}", "{binding}"])
    setting = Setting(2, 3, "close", spare=1, mpi=(("OMPI_MCA_pml", "ob1"),)).with_keys(
        halo__transport="shared"
    )
    line = " ".join(launcher.command(setting, "groundswell", SEA, ["--quiet"]))
    assert line == (
        "env OMPI_MCA_pml=ob1 mpirun -n 2 --map-by slot:PE=4 --bind-to core groundswell run case.toml "
        "--set mesh.imbalance=0.1 --set run.threads=3 --set halo.transport=shared --quiet"
    )


def test_a_line_of_the_user_is_filled_in():
    launcher = from_template("env -i sh -n {ranks} -c {cores}")
    assert launcher.words(Setting(4, 2)) == ["env", "-i", "sh", "-n", "4", "-c", "2"]
    assert not launcher.bindings()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("env -n 4", "{ranks} where the number"),
        ("env -n {rank}", "{rank}"),
        ("no-such-launcher -n {ranks}", "on PATH"),
        ("env '-n {ranks}", "as a shell takes them"),
    ],
)
def test_a_line_that_cannot_be_used_is_refused(text, said):
    with pytest.raises(Refusal, match=said.replace("{", r"\{")):
        from_template(text)


def test_trials_end_within_the_run_and_on_a_whole_step():
    assert SEA.end_after(3600.0) == "2024-09-02T19:00:00Z"
    assert QUAKE.end_after(0.75) == "0.75s"
    assert SEA.whole_units(1000.0) == 900.0
    assert SEA.whole_units(1.0) == 300.0
    assert SEA.whole_units(1e9) == 86400.0


def test_records_of_all_files_but_restarts_count():
    assert SEA.records_per_second() == pytest.approx((25 + 49 + 13) / 86400)


@pytest.mark.parametrize("text", ["10", "0s", "-5s", "2d", "soon"])
def test_a_length_that_cannot_be_simulated_is_refused(text):
    with pytest.raises(Refusal, match="--simulate"):
        lengths.parse_length(text, SEA)


def test_a_trial_is_made_as_long_as_wished():
    """First steps that cost more than the others do not deceive it."""

    def run(setting, length):
        return Trial(setting, length, seconds=0.5 + 0.002 * length)

    length, trial = lengths.calibrate(SEA, Setting(1, 2), 8.0, run)
    assert length % 300 == 0
    assert 0.7 * 8.0 <= trial.seconds <= 1.5 * 8.0
    whole, _ = lengths.calibrate(SEA, Setting(1, 2), 1e6, run)
    assert whole == SEA.seconds


def test_numbers_of_cores():
    assert cores_of("0-2,5 8-9") == (0, 1, 2, 5, 8, 9)


def test_hardware_threads_of_a_core_count_once():
    siblings = {cpu: (cpu % 4, cpu % 4 + 4) for cpu in range(8)}
    assert one_of_each_core(tuple(range(8)), siblings) == (0, 1, 2, 3)
    assert one_of_each_core((2, 5, 6), siblings) == (2, 5)
    assert one_of_each_core((3, 4), {}) == (3, 4)


# ------------------------------------------------------------------------------------------------------- what is said


def trial(seconds, load=0.5, findings=(), **phases):
    report = {
        "phases": {name: {"mean": value} for name, value in phases.items()},
        "cores": {"findings": [{"code": code, "message": code} for code in findings]},
    }
    return Trial(Setting(1, 1), 60.0, seconds, 1.0, report, load)


def test_an_outlier_is_told_with_what_differed():
    runs = [trial(10.0 + 0.01 * i, propagation=8.0, output=2.0) for i in range(4)]
    runs.append(trial(15.0, 3.5, ("busy-cores",), propagation=8.0, output=7.0))
    (found,) = outliers_of(runs)
    assert found["run"] == 4 and found["ratio"] == pytest.approx(1.5, rel=0.01)
    assert found["why"] == ["busy-cores", "of the difference: output +5 s", "load average 3.5, otherwise 0.5"]


def test_runs_that_are_alike_have_no_outliers():
    assert outliers_of([trial(10.0 + 0.1 * (i % 3)) for i in range(6)]) == []
    assert outliers_of([trial(1.0), trial(9.0)]) == []


def test_the_spread_of_one_run_is_not_known():
    assert spread_of([2.0])["cv"] is None
    found = spread_of([1.0, 2.0, 3.0])
    assert (found["min"], found["mean"], found["max"], found["std"]) == (1.0, 2.0, 3.0, 1.0)
    assert found["cv"] == pytest.approx(0.5)


# ------------------------------------------------------------------------------------------------------- processes


def test_a_trial_that_takes_too_long_is_ended_with_all_it_started(tmp_path):
    mark = tmp_path / "still there"
    code = run_limited(["sh", "-c", f"(sleep 3; touch '{mark}') & wait"], tmp_path / "log", 0.3)
    assert code is None
    time.sleep(3.2)
    assert not mark.exists()


def test_what_a_launcher_said_is_told(tmp_path):
    log = tmp_path / "log"
    log.write_text("-----\nNot enough slots\n-----\n", encoding="utf-8")
    assert said_of(log, 1) == "ended with code 1: Not enough slots"
    log.write_text("noise\ngroundswell: error: case.toml: halo.transport = x: expected y\n", encoding="utf-8")
    assert said_of(log, 2) == "case.toml: halo.transport = x: expected y"


def test_folders_of_trials_are_apart_and_go(tmp_path):
    case = dataclasses.replace(QUAKE, path=str(tmp_path / "case.toml"))
    launcher = Launcher(None, ["env"])
    with Runner(case, launcher) as one, Runner(case, launcher) as other:
        assert one.folder != other.folder and one.folder.parent == tmp_path
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(Refusal, match="--scratch"):
        Runner(QUAKE, Launcher(None, ["env"]), tmp_path / "nowhere")
