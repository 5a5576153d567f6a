"""`tune --mpi`: what trials in turns say of MPI libraries. No program is run here."""

import numpy as np
import pytest

from groundswell.trials.runner import Trial
from groundswell.trials.setting import Setting
from groundswell.tune.libraries import compared


def trial(seconds, exchange):
    report = {"phases": {"exchange_wait": {"mean": exchange * seconds}}}
    return Trial(Setting(2, 1), 60.0, seconds, 1.0, report)


def rounds(*factors, noise=0.01, exchange=(0.1, 0.1, 0.1)):
    """Ten, on a machine that gets a tenth slower meanwhile."""
    chance = np.random.default_rng(7)
    return [
        [
            trial(factor * (1 + number / 100) * np.exp(noise * chance.normal()), share)
            for factor, share in zip(factors, exchange)
        ]
        for number in range(10)
    ]


def test_a_faster_library_is_found_in_spite_of_a_drift():
    (found,) = compared(rounds(10.0, 8.0))
    assert found["difference"] and found["gain"]["low"] < 0.25 < found["gain"]["high"]
    assert found["gain"]["high"] - found["gain"]["low"] < 0.05
    (slower,) = compared(rounds(8.0, 10.0))
    assert slower["difference"] and slower["gain"]["high"] < 0


def test_equal_libraries_do_not_differ():
    assert not any(one["difference"] for one in compared(rounds(10.0, 10.0, 10.0, noise=0.05)))


def test_exchanges_are_compared_by_themselves():
    """Half of the time of exchanges in as long a run, and none at all on one rank."""
    (found,) = compared(rounds(10.0, 10.0, exchange=(0.2, 0.1)))
    assert not found["difference"] and found["exchange_gain"]["low"] == pytest.approx(1.0, abs=0.1)
    (alone,) = compared(rounds(10.0, 10.0, exchange=(0.0, 0.0)))
    assert alone["exchange_gain"] is None
