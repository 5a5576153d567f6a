"""A machine made up: settings with known times, and a clock that their trials move. Noise, outliers and drift are like those of a
machine that others use too."""

import itertools
import math

import numpy as np

from groundswell.tune.race import Contest
from groundswell.tune.search import Group, Search

SPACE = {
    "ranks": ("2x1", "1x2", "1x1", "4x1"),
    "binding": ("close", "none"),
    "transport": ("auto", "shared", "posted", "neighbor"),
    "progress": ("none", "polling"),
    "mpi": ("-", "yield", "ob1"),
}
BASELINE = tuple(values[0] for values in SPACE.values())
EVERY = list(itertools.product(*SPACE.values()))
START_UP = 1.0  # s, of every trial
# Standard deviation of the logarithm of what each group changes, and of how ranks and transports depend on each other.
EFFECTS = {"ranks": 0.25, "binding": 0.1, "transport": 0.08, "progress": 0.04, "mpi": 0.03}
TOGETHER = 0.02
SECONDS = 3.0


class Machine:
    """`equal`: all settings take the same time."""

    def __init__(self, seed, cv, equal=False, outliers=0.03, drift=0.1):
        self.random = np.random.default_rng(seed)
        self.cv, self.outliers, self.drift = cv, outliers, drift
        spread = 0.0 if equal else 1.0
        self.effects = [
            {value: spread * self.random.normal(0, EFFECTS[name]) for value in values}
            for name, values in SPACE.items()
        ]
        self.pairs = {
            pair: spread * self.random.normal(0, TOGETHER)
            for pair in itertools.product(SPACE["ranks"], SPACE["transport"])
        }
        self.phase = self.random.uniform(0, 2 * math.pi)
        self.now = 0.0
        self.count = 0

    def truth(self, setting):
        """Seconds without noise."""
        effect = sum(effects[value] for effects, value in zip(self.effects, setting))
        return SECONDS * math.exp(effect + self.pairs[setting[0], setting[2]])

    def best(self):
        return min(map(self.truth, EVERY))

    def exhaustive(self, repeats=3):
        """Seconds that every setting takes, so many times."""
        return repeats * sum(self.truth(setting) + START_UP for setting in EVERY)

    def __call__(self, setting):
        noise = self.random.normal(0, self.cv) + self.drift * math.sin(self.phase + self.now / 120)
        seconds = self.truth(setting) * math.exp(noise)
        if self.random.random() < self.outliers:
            seconds *= self.random.uniform(1.3, 3.0)
        self.now += seconds + START_UP
        self.count += 1
        return seconds


def groups():
    def options(place, values):
        return lambda best: ([(*best[:place], value, *best[place + 1 :]) for value in values], [])

    return [Group(name, options(place, values)) for place, (name, values) in enumerate(SPACE.items())]


def tune(machine, budget):
    contest = Contest(machine, lambda: machine.now, budget)
    contest.trial(BASELINE)
    return Search(BASELINE, groups(), contest).run()
