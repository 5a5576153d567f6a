"""Intervals of ratios of times: they hold the truth as often as they say, in noise with outliers and drift."""

import math

import numpy as np
import pytest

from groundswell.trials.order import balanced_orders
from groundswell.tune.judge import Fit, paired


def rounds(random, ratios, count, cv, outliers=0.0, drift=0.0):
    times = {setting: {} for setting in range(len(ratios))}
    for number in range(count):
        level = math.exp(drift * number)
        for setting, ratio in enumerate(ratios):
            noise = math.exp(random.normal(0, cv)) * (
                random.uniform(1.5, 3) if random.random() < outliers else 1
            )
            times[setting][number] = level * ratio * noise
    return times


def test_a_drift_from_round_to_round_changes_nothing():
    """Nor does it where a setting was dropped before the machine got slow."""
    times = rounds(np.random.default_rng(1), [1.0, 0.8, 1.3], 4, 0.0)
    times[2] = {number: times[2][number] for number in (0, 1)}
    drifted = {s: {n: v * 1.5**n for n, v in row.items()} for s, row in times.items()}
    for data in (times, drifted):
        fit = Fit(data)
        assert fit.compare(1, 0).mean == pytest.approx(math.log(0.8))
        assert fit.compare(2, 1).mean == pytest.approx(math.log(1.3 / 0.8))
        assert fit.compare(1, 0).half(0.95) < 0.001


@pytest.mark.parametrize("outliers", [0.0, 0.05])
def test_intervals_hold_the_truth(outliers):
    random = np.random.default_rng(2)
    inside = 0
    for _ in range(300):
        estimate = Fit(rounds(random, [1.0, 0.9, 1.1, 1.0], 5, 0.03, outliers, 0.05)).compare(1, 0)
        inside += estimate.low(0.95) <= math.log(0.9) <= estimate.high(0.95)
    assert inside >= 0.91 * 300  # 95 % less three standard deviations of the count


def test_outliers_do_not_hide_what_the_other_trials_show():
    random = np.random.default_rng(3)
    times = rounds(random, [1.0, 0.8, 1.0, 1.1], 6, 0.01)
    times[1][2] *= 3.0
    estimate = Fit(times).compare(1, 0)
    assert estimate.high(0.95) < 0
    assert estimate.mean == pytest.approx(math.log(0.8), abs=0.05)


@pytest.mark.parametrize("cv", [0.01, 0.1])
def test_pairs_of_equal_settings_seldom_differ(cv):
    """The duel: one in forty is faster by chance, for either side."""
    random = np.random.default_rng(4)
    alarms = 0
    for _ in range(400):
        one, other = (
            [math.exp(random.normal(0, cv)) * (2.0 if random.random() < 0.05 else 1.0) for _ in range(8)]
            for _ in range(2)
        )
        estimate, _ = paired([math.log(b / a) for a, b in zip(one, other)])
        alarms += estimate.high(0.95) < 0
    assert alarms <= 400 / 40 + 3 * math.sqrt(400 / 40)


def test_one_disturbed_pair_of_eight_is_left_out():
    estimate, left_out = paired([-0.2, -0.21, -0.19, -0.2, -0.22, -0.18, 0.9, -0.2])
    assert left_out == 1
    assert estimate.high(0.95) < -0.15


@pytest.mark.parametrize("count", [2, 3, 4, 5, 6, 9])
def test_orders_are_balanced(count):
    """Each setting equally often at every place, and after every other."""
    cycle = count if count % 2 == 0 else 2 * count
    orders = [order for order, _ in zip(balanced_orders(count), range(cycle))]
    assert all(sorted(order) == list(range(count)) for order in orders)
    places = {(place, one) for order in orders for place, one in enumerate(order)}
    assert len(places) == count * count
    followers = [pair for order in orders for pair in zip(order, order[1:])]
    assert {followers.count(pair) for pair in set(followers)} == {cycle // count}
    assert len(set(followers)) == count * (count - 1)
