"""Groups of settings one after another, each raced against the best so far; then a duel of what was found with what was there."""

import dataclasses
import math

from groundswell.tune.race import LEVEL, NOT_SURE, SECOND, SLOWER, WINS, Contest, gain_of

FOR_THE_DUEL = 0.2  # of the budget
MOST_PASSES = 3
USEFUL_ROUNDS, USEFUL_SETTINGS = 4, 3  # of a race that is worth its time
OPEN = (NOT_SURE, SECOND)  # worth another race, beside another incumbent or with more trials


@dataclasses.dataclass(frozen=True)
class Group:
    """`options(incumbent)` gives the settings to try in its place, and why others are not: ([setting], [text])."""

    name: str
    options: object


@dataclasses.dataclass
class Found:
    """Outcome of a search. `best` is the baseline where `difference` is false. `gain` of it over the baseline comes from the
    duel; `remaining` is what undecided settings may gain beyond. `races`: (name of the group, Race)."""

    baseline: object
    best: object
    difference: bool = False
    gain: dict = dataclasses.field(default_factory=lambda: {"low": 0.0, "high": 0.0})
    remaining: dict = dataclasses.field(default_factory=lambda: {"low": 0.0, "high": 0.0})
    races: list = dataclasses.field(default_factory=list)
    not_tried: list = dataclasses.field(default_factory=list)
    duel: dict | None = None
    interrupted: bool = False


class Search:
    """`name(setting)`: as people read it, in what was not tried."""

    def __init__(self, baseline, groups, contest: Contest, say=lambda text: None, name=str):
        self.groups, self.contest, self.say, self.name = groups, contest, say, name
        self.found = Found(baseline, baseline)
        self.best = baseline
        self.late = {}  # (group, setting): had no time

    def run(self):
        """A Found, also where the user stops it."""
        found = self.found
        try:
            for number in range(MOST_PASSES):
                if not self.one_pass(number):
                    break
            if self.best != found.baseline:
                self.settle()
        except KeyboardInterrupt:
            found.interrupted = True
        late = {}
        for group, setting in self.late:
            late.setdefault(group, []).append(self.name(setting))
        found.not_tried += [f"{group}: no time for {'; '.join(names)}" for group, names in late.items()]
        found.remaining = self.remaining()
        return found

    def one_pass(self, number):
        """Every group once; in later passes only what is still open. False: nothing was left to try."""
        any_race = False
        for place, group in enumerate(self.groups):
            settings = self.to_try(group, number)
            if not settings:
                continue
            sizes = [len(self.to_try(later, number, quietly=True)) for later in self.groups[place + 1 :]]
            left = self.contest.left() - FOR_THE_DUEL * self.contest.budget
            trial = self.contest.expected([self.best])
            share = left * len(settings) / (len(settings) + sum(sizes))
            # Where time is short the first groups, which matter most, get what decides something.
            share = max(share, min(left, USEFUL_ROUNDS * (1 + min(len(settings), USEFUL_SETTINGS)) * trial))
            fits = len(settings) if trial <= 0 else max(0, int(share / (2 * trial)) - 1)
            for setting in settings[:fits]:
                self.late.pop((group.name, setting), None)
            self.late.update({(group.name, setting): True for setting in settings[fits:] if number == 0})
            if not settings[:fits]:
                continue
            self.say(f"{group.name}: {len(settings[:fits])} against the best so far")
            race = self.contest.race(self.best, settings[:fits], self.contest.clock() + share)
            if race.rounds == 0:
                self.late.update({(group.name, setting): True for setting in settings[:fits]})
                continue
            self.found.races.append((group.name, race))
            self.best = race.winner
            any_race = True
        return any_race

    def to_try(self, group, number, quietly=False):
        settings, reasons = group.options(self.best)
        if number == 0 and not quietly:
            self.found.not_tried += [f"{group.name}: {reason}" for reason in reasons]
        others = [setting for setting in dict.fromkeys(settings) if setting != self.best]
        if number == 0:
            return others
        return [s for s in others if (group.name, s) in self.late or self.is_open(group, s)]

    def is_open(self, group, setting):
        """Whether it may still be worth something beside the best so far, by what all trials say."""
        outcomes = [
            one.outcome
            for name, race in self.found.races
            for one in race.contestants[1:]
            if name == group.name and one.setting == setting
        ]
        if not outcomes:
            return any(name == group.name for name, _ in self.found.races)  # new beside this incumbent
        if outcomes[-1] not in OPEN or setting not in self.contest.times:
            return False
        return self.contest.fit().compare(setting, self.best).low(LEVEL) < -math.log1p(0.01)

    def settle(self):
        """The duel of the best with the baseline: what it says counts."""
        found = self.found
        self.say("what was found against what was there")
        estimate, times, left_out = self.contest.duel(found.baseline, self.best)
        if estimate is None:
            found.not_tried.append("the last comparison: its trials failed")
            return
        found.gain, found.difference = gain_of(estimate), estimate.high(LEVEL) < 0
        found.duel = {"setting": self.best, "baseline": times[0], "best": times[1], "left_out": left_out}
        if found.difference:
            found.best = self.best

    def remaining(self):
        """Possible gain over `best` by settings that were tried and not decided: of each group the one that may gain most;
        their means add up, and what is not known of them as errors do."""
        found, fit = self.found, None
        most = {}
        for name, race in found.races:
            for one in race.contestants[1:]:
                if one.outcome in (SLOWER, WINS):
                    continue
                if one.setting in (found.best, self.best) or one.setting not in self.contest.times:
                    continue
                fit = fit or self.contest.fit()
                estimate = fit.compare(one.setting, self.best)
                if name not in most or estimate.low(LEVEL) < most[name].low(LEVEL):
                    most[name] = estimate
        means = sum(max(0.0, -one.mean) for one in most.values())
        errors = math.sqrt(sum(max(0.0, -one.low(LEVEL) - max(0.0, -one.mean)) ** 2 for one in most.values()))
        high = math.expm1(means + errors)
        if found.best != self.best:  # what the duel could not decide
            high = (1 + high) * (1 + max(0.0, found.gain["high"])) - 1
        return {"low": 0.0, "high": high}
