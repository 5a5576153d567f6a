"""Trials for a search: each setting's times in the unit that races compare, with everything that was measured kept."""

import time

from groundswell.errors import refuse
from groundswell.trials.length import SHORTEST, calibrate
from groundswell.trials.spread import statistic

FEWEST_TRIALS = 12  # that tell anything: two settings in three rounds, and a duel
PATIENCE = 6.0  # times the baseline's whole time; slower has lost
LONGEST = 20.0  # s, of a trial
USUAL_SETTINGS, USUAL_ROUNDS = 20, 4  # that a budget is to last for


class Trials:
    """`history`: {setting: [Trial]}, those that failed among them. Times are seconds for the length of a trial, with as much output in
    them as the whole run has."""

    def __init__(self, case, runner, budget, clock=time.monotonic):
        self.case, self.runner, self.budget, self.now = case, runner, budget, clock
        self.begin = clock()
        self.history, self.last = {}, {}
        self.length, self.patience = 0.0, None
        self.say = lambda text: None

    def clock(self):
        return self.now() - self.begin

    def run(self, setting, length, timeout=None):
        trial = self.runner.run(
            setting, length, timeout or self.patience or max(1.0, self.budget - self.clock())
        )
        self.history.setdefault(setting, []).append(trial)
        return trial

    def settle_length(self, baseline, simulate=None):
        """Part of the case that a trial simulates, from the budget and what the first one takes."""
        probe = self.run(baseline, simulate or self.case.whole_units(self.case.unit or self.case.seconds))
        self.refuse_small(probe, probe.problem)
        seconds = self.budget / (USUAL_SETTINGS * USUAL_ROUNDS) - probe.start_up
        seconds = min(LONGEST, max(SHORTEST, 0.5 * probe.start_up, seconds))
        if simulate is None:
            self.length, probe = calibrate(self.case, baseline, seconds, self.run)
            self.refuse_small(probe, "")
        else:
            self.length = simulate
        self.history = {baseline: []}
        self.last[baseline] = probe
        self.patience = max(20.0, PATIENCE * probe.elapsed)
        return probe

    def refuse_small(self, probe, problem):
        if problem and not problem.startswith("not done"):
            refuse(self.case.path, str(probe.setting), None, f"a run that works, to begin with: {problem}")
        needed = self.clock() + FEWEST_TRIALS * probe.elapsed
        if problem or needed > self.budget:
            took = "is not done in that time" if problem else f"takes {probe.elapsed:.1f} s"
            enough = f"at least {needed:.0f} s" if not problem else "more"
            refuse(
                "command line",
                "--budget",
                f"{self.budget:g} s",
                f"{enough}: one trial of {probe.setting} {took}, and {FEWEST_TRIALS} are the fewest that tell anything",
            )

    def measure(self, setting):
        self.say(str(setting))
        trial = self.run(setting, self.length)
        if trial.problem:
            return trial.problem
        self.last[setting] = trial
        return self.time_of(trial)

    def time_of(self, trial):
        return (trial.seconds - self.too_much_output(trial)) * self.length / trial.simulated

    def too_much_output(self, trial):
        """Seconds of output that a piece of the whole run would not have: a short run has the records of its start and end."""
        records = trial.report.get("output", {}).get("records", 0)
        whole = self.case.records_per_second() * trial.simulated
        if not records or not whole:
            return 0.0
        return (1 - min(1.0, whole / records)) * trial.share("output") * trial.seconds

    def rows(self):
        """`trials` of the JSON."""
        return [self.row(setting, runs) for setting, runs in self.history.items() if runs]

    def row(self, setting, runs):
        done = [run for run in runs if not run.problem]
        problems = [run.problem for run in runs if run.problem]
        row = {"settings": setting.described(), "repeats": len(done)}
        if done:
            row["seconds"] = statistic([self.time_of(run) for run in done])
            row["start_up_seconds"] = statistic([run.start_up for run in done])
            row["runs"] = [
                {"seconds": run.seconds, "start_up_seconds": run.start_up, "load": run.load} for run in done
            ]
        if problems:
            row["problem"] = problems[-1]
        return row
