"""`tune` on machines that are made up, hundreds of them: how often it finds what is best, and how often it takes noise for a gain."""

import pytest
from synthetic import BASELINE, Machine, groups, tune

from groundswell.tune.race import FEWEST_PAIRS, Contest
from groundswell.tune.search import Search

REPEATS = 25  # of each kind of machine; eight kinds


@pytest.mark.parametrize("cv", [0.01, 0.02, 0.05, 0.1])
def test_in_a_fifth_of_the_time_it_finds_the_best_within_five_percent_or_its_own_interval(cv):
    good = 0
    for seed in range(REPEATS):
        machine = Machine(seed, cv)
        budget = machine.exhaustive() / 5
        found = tune(machine, budget)
        behind = machine.truth(found.best) / machine.best() - 1
        good += behind <= max(0.05, found.remaining["high"])
        assert machine.now <= 1.05 * budget
    assert good >= 0.8 * REPEATS


@pytest.mark.parametrize("cv", [0.01, 0.05, 0.1, 0.2])
def test_equal_settings_are_no_difference(cv):
    alarms, claims = 0, 0
    for seed in range(REPEATS):
        machine = Machine(1000 + seed, cv, equal=True)
        found = tune(machine, machine.exhaustive() / 5)
        alarms += found.difference
        claims += sum(race.winner != race.incumbent for _, race in found.races)
        assert found.difference or found.best == BASELINE
    assert alarms <= 1  # of 25: the duel alone would err in one of 40
    assert (
        claims <= 0.4 * REPEATS
    )  # a group's winner that is none does no harm, as all are equal, but is to be rare


def test_a_gain_that_is_plain_is_found_and_its_interval_holds_the_truth():
    inside = 0
    for seed in range(10):
        machine = Machine(seed, 0.02)
        machine.effects[0]["1x2"] = machine.effects[0]["2x1"] - 0.4  # half as fast again
        found = tune(machine, machine.exhaustive() / 5)
        assert found.difference
        gain = machine.truth(BASELINE) / machine.truth(found.best) - 1
        inside += found.gain["low"] <= gain <= found.gain["high"]
    assert inside >= 8  # of 95 %


def test_settings_that_lose_by_far_are_dropped_early():
    machine = Machine(3, 0.01, equal=True, outliers=0.0)
    machine.effects[0].update({"1x1": 1.0, "4x1": 1.0, "1x2": 1.0})
    found = tune(machine, 1000.0)
    first = found.races[0][1]
    assert {one.outcome for one in first.contestants[1:]} == {"slower"}
    assert first.rounds == 2


def test_what_cannot_be_run_is_out_and_says_why():
    machine = Machine(4, 0.01)

    def without_shared(setting):
        return "refused: no such transport" if setting[2] == "shared" else machine(setting)

    contest = Contest(without_shared, lambda: machine.now, 500.0)
    found = Search(BASELINE, groups(), contest).run()
    outcomes = [one.outcome for name, race in found.races if name == "transport" for one in race.contestants]
    assert "refused: no such transport" in outcomes
    assert "shared" not in found.best


def test_when_the_user_stops_it_what_was_found_remains():
    machine = Machine(5, 0.01)

    def stops(setting):
        if machine.count >= 20:
            raise KeyboardInterrupt
        return machine(setting)

    found = Search(BASELINE, groups(), Contest(stops, lambda: machine.now, 500.0)).run()
    assert found.interrupted and not found.difference
    assert machine.count == 20


def test_what_had_no_time_is_named():
    machine = Machine(6, 0.05)
    found = tune(machine, 60.0)
    assert any("no time" in text for text in found.not_tried)
    assert found.duel is None or len(found.duel["best"]) <= FEWEST_PAIRS
