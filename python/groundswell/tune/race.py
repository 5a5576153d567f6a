"""Races: challengers against what is known, round by round, until what loses is out and what wins is sure; and the duel at the
end, whose fresh trials alone say what is gained."""

import dataclasses
import math

from groundswell.trials.order import balanced_orders
from groundswell.tune.judge import Estimate, Fit, paired

WORTH = 0.01  # gains below this are not looked for
FEWEST_ROUNDS, MOST_ROUNDS = 3, 10  # before a challenger may win; of a race
FEWEST_PAIRS, MOST_PAIRS = 6, 40  # of a duel
DROP_LEVEL = 0.9  # sure enough to drop a challenger
LEVEL = 0.95  # of intervals that are shown


@dataclasses.dataclass
class Contestant:
    """One setting of a race. `outcome` is one of those below, or says why there is no time; `estimate` is of its time over the
    incumbent's."""

    setting: object
    outcome: str = "not sure"
    estimate: Estimate | None = None


WINS, NOT_SURE, EQUAL, SLOWER, SECOND = (
    "wins",
    "not sure",
    "no difference",
    "slower",
    "slower than another",
)


@dataclasses.dataclass
class Race:
    incumbent: object
    contestants: list  # the incumbent first
    winner: object
    rounds: int = 0


class Contest:
    """Trials of settings within a budget. `measure(setting)` gives seconds, or a text that says why there are none; `clock()`
    the seconds spent so far. Trials of all races are kept: what two settings did in the same round is compared."""

    def __init__(self, measure, clock, budget):
        self.measure, self.clock, self.budget = measure, clock, budget
        self.times = {}  # {setting: {round: seconds}}
        self.cost = {}  # of a trial with its start
        self.rounds = 0
        self.fitted = (0, None)

    def left(self):
        return self.budget - self.clock()

    def trial(self, setting):
        begin = self.clock()
        found = self.measure(setting)
        self.cost[setting] = self.clock() - begin
        return found

    def expected(self, settings):
        known = max(self.cost.values(), default=0.0)
        return sum(self.cost.get(setting, known) for setting in settings)

    def fit(self):
        """Fit of all trials so far."""
        count = sum(map(len, self.times.values()))
        if self.fitted[0] != count:
            self.fitted = (count, Fit(self.times))
        return self.fitted[1]

    def race(self, incumbent, challengers, until):
        """`until`: on the clock. The winner is the incumbent where no challenger is surely faster."""
        result = Race(incumbent, [Contestant(setting) for setting in (incumbent, *challengers)], incumbent)
        running, orders = list(result.contestants), balanced_orders(len(result.contestants))
        while len(running) > 1 and result.rounds < MOST_ROUNDS:
            running = self.affordable(result, running, until)
            if len(running) < 2:
                break
            self.round([one for one in map(result.contestants.__getitem__, next(orders)) if one in running])
            result.rounds += 1
            running = [one for one in running if one.outcome == NOT_SURE]
            if running[:1] != result.contestants[:1]:
                break  # the incumbent failed
            if result.rounds > 1 and len(running) > 1:
                running = self.drop(result, running)
        self.judge(result)
        return result

    def affordable(self, result, running, until):
        """Those for whom another round has time: where it does not last for all, the slower ones wait. Before the first round
        nobody knows which those are."""
        left = until - self.clock()
        if self.expected([one.setting for one in running]) <= left:
            return running
        if result.rounds == 0:
            return []
        fit = self.fit()
        challengers = sorted(running[1:], key=lambda one: fit.compare(one.setting, result.incumbent).mean)
        kept = running[:1]
        for one in challengers:
            if self.expected([each.setting for each in (*kept, one)]) > left:
                break
            kept.append(one)
        return [one for one in running if one in kept]

    def round(self, contestants):
        self.rounds += 1
        for one in contestants:
            found = self.trial(one.setting)
            if isinstance(found, str):
                one.outcome = found
            else:
                self.times.setdefault(one.setting, {})[self.rounds] = found

    def drop(self, result, running):
        """Those that are neither lost, nor as good as the incumbent, nor surely better than all others."""
        fit, incumbent = self.fit(), running[0]
        best = min(running, key=lambda one: fit.compare(one.setting, incumbent.setting).mean)
        kept = [incumbent]
        for one in running[1:]:
            one.estimate = fit.compare(one.setting, incumbent.setting)
            if one.estimate.low(DROP_LEVEL) > -math.log1p(WORTH):
                one.outcome = SLOWER if one.estimate.low(LEVEL) > 0 else EQUAL
            elif one is not best and fit.compare(one.setting, best.setting).low(DROP_LEVEL) > 0:
                one.outcome = SECOND
            else:
                kept.append(one)
        if len(kept) == 2 and self.is_sure(fit, result, kept[1]):
            return kept[1:]
        return kept

    def is_sure(self, fit, result, one):
        """Surely faster than the incumbent, were it tried alone or among so many: by the noise of all settings, and by its own
        pairs, in case it is noisier than others."""
        mine, theirs = self.times[one.setting], self.times[result.incumbent]
        common = sorted(set(mine) & set(theirs))
        if len(common) < FEWEST_ROUNDS:
            return False
        own, _ = paired([math.log(mine[number] / theirs[number]) for number in common])
        strict = 1 - (1 - LEVEL) / (len(result.contestants) - 1)
        return fit.compare(one.setting, result.incumbent).high(strict) < 0 and own.high(LEVEL) < 0

    def judge(self, result):
        if result.rounds < 2 or result.incumbent not in self.times:
            return
        fit, sure = self.fit(), []
        for one in result.contestants[1:]:
            if one.setting not in self.times:
                continue
            one.estimate = fit.compare(one.setting, result.incumbent)
            if one.outcome == NOT_SURE and self.is_sure(fit, result, one):
                sure.append(one)
        if sure:
            best = min(sure, key=lambda one: one.estimate.mean)
            for one in sure:
                one.outcome = WINS if one is best else SECOND
            result.winner = best.setting

    def duel(self, one, other):
        """Fresh pairs of trials: (Estimate of the other's time over the one's, times of both, number of pairs left out)."""
        pair = self.expected([one, other])
        count = self.pairs_needed(one, other)
        if pair > 0:
            count = max(FEWEST_PAIRS, min(count, int(self.left() / pair)))
        times = ([], [])
        for number in range(count):
            if number >= FEWEST_PAIRS and self.left() < pair:
                break
            found = {i: self.trial((one, other)[i]) for i in ((0, 1) if number % 2 == 0 else (1, 0))}
            if not any(isinstance(value, str) for value in found.values()):
                times[0].append(found[0])
                times[1].append(found[1])
        if len(times[0]) < 2:
            return None, times, 0
        estimate, left_out = paired([math.log(b / a) for a, b in zip(*times)])
        return estimate, times, left_out

    def pairs_needed(self, one, other):
        """For an interval of 2 % to either side, or a third of the expected gain."""
        fit = self.fit()
        wanted = max(0.02, abs(fit.compare(other, one).mean) / 3)
        return min(MOST_PAIRS, max(FEWEST_PAIRS, math.ceil(2 * (2.3 * fit.noise / wanted) ** 2)))


def gain_of(estimate, level=LEVEL):
    """{"low", "high"}: how much faster, as a fraction: 0.25 does five runs in the time of four."""
    return {"low": math.expm1(-estimate.high(level)), "high": math.expm1(-estimate.low(level))}
