"""`scale` without --predict, on a machine that is made up: efficiency, costs, order, and what it refuses."""

import pytest

from groundswell.errors import Refusal
from groundswell.scale import measure as measured
from groundswell.scale.table import print_scaling
from groundswell.scale.weak import plan_weak
from groundswell.trials.case import Case
from groundswell.trials.runner import Trial
from groundswell.trials.setting import Setting

SERIAL = 0.1  # share of the work that no core takes from another
WORK = 1e6  # updates in a run
BOX = Case(
    "case.toml",
    (),
    {
        "model": ('"quake"', ""),
        "mesh.box.cubes": ("[8, 8, 8]", ""),
        "mesh.box.length": ("[2.0, 2.0, 4.0]", ""),
    },
    20.0,
    None,
    0.1,
)


def amdahl(count, seconds=8.0):
    took = seconds * (SERIAL + (1 - SERIAL) / count.cores)
    return Trial(count.setting, 2.0, took, 1.0, {"bin_steps_per_second": WORK / took, "cells": 100}, 0.3)


def rows(pairs, price=None, run=amdahl, whole=20.0):
    counts = [measured.Count(Setting(r, t)) for r, t in pairs]
    trials, stopped = measured.measure(counts, 3, run)
    assert not stopped
    return measured.rows_of(trials, whole, price)


def test_efficiency_is_speed_over_cores_beside_one_core():
    for row in rows([(1, 1), (2, 1), (2, 2)]):
        expected = 1 / (row["cores"] * (SERIAL + (1 - SERIAL) / row["cores"]))
        assert row["efficiency"] == pytest.approx(expected)
        assert row["speedup"] == pytest.approx(expected * row["cores"])
        assert row["core_hours"] == pytest.approx(row["seconds"]["mean"] * row["cores"] / 3600)
        assert set(row["seconds"]) == {"min", "mean", "max"}


def test_start_up_does_not_shrink_with_cores_and_is_paid_once():
    one, four = rows([(1, 1), (4, 1)], price=0.5)
    assert four["efficiency_with_start_up"] < four["efficiency"]
    assert one["whole"]["seconds"] == pytest.approx(1.0 + 8.0 * 20.0 / 2.0)
    assert four["whole"]["core_hours"] == pytest.approx(four["whole"]["seconds"] * 4 / 3600)
    assert four["whole"]["cost"] == pytest.approx(0.5 * four["whole"]["core_hours"])


def test_the_fastest_and_the_cheapest():
    result = measured.result_of(rows([(1, 1), (2, 1), (1, 4)]))
    assert result["fastest"] == {"ranks": 1, "threads": 4}
    assert result["cheapest"] == {"ranks": 1, "threads": 1}


def test_runs_of_all_counts_take_turns():
    order = []

    def run(count):
        order.append(count.setting.ranks)
        return amdahl(count)

    rows([(1, 1), (2, 1), (4, 1)], run=run)
    assert [set(order[i : i + 3]) for i in (0, 3, 6)] == [{1, 2, 4}] * 3
    assert order[0:3] != order[3:6]


def test_when_the_user_stops_it_what_was_measured_remains():
    seen = []

    def run(count):
        if len(seen) == 4:
            raise KeyboardInterrupt
        seen.append(count)
        return amdahl(count)

    counts = [measured.Count(Setting(r, 1)) for r in (1, 2, 4)]
    trials, stopped = measured.measure(counts, 3, run)
    assert stopped
    assert sum(map(len, trials.values())) == 4
    assert len(measured.rows_of(trials, 20.0)) == 3


def test_by_default_all_products_of_doublings_that_fit():
    counts = measured.plan_strong(None, None, 1, 6, "close")
    pairs = [(count.setting.ranks, count.setting.threads) for count in counts]
    assert set(pairs) == {(1, 1), (1, 2), (2, 1), (1, 4), (2, 2), (3, 2), (4, 1), (1, 6), (6, 1)}
    assert [r * t for r, t in pairs] == sorted(r * t for r, t in pairs)


def test_counts_that_were_asked_for():
    asked = measured.plan_strong([1, 2, 4], [1, 2], 1, 4, "close")
    assert [(c.setting.ranks, c.setting.threads) for c in asked] == [(1, 1), (1, 2), (2, 1), (2, 2), (4, 1)]
    own = measured.plan_strong([1, 2], None, 2, 4, "close")
    assert {c.setting.threads for c in own} == {2}


@pytest.mark.parametrize(("ranks", "threads"), [([1, 8], None), ([1], [8]), (None, [8])])
def test_more_than_the_cores_of_the_job_is_refused(ranks, threads):
    with pytest.raises(Refusal, match="= 8: expected ranks × threads within the 4 cores"):
        measured.plan_strong(ranks, threads, 1, 4, "close")


def test_more_ranks_than_cells_are_refused():
    with pytest.raises(Refusal, match="at most 100 ranks"):
        rows([(128, 1)])


def test_a_run_that_fails_is_told():
    with pytest.raises(Refusal, match="2 ranks × 1 threads: expected a run that works: no such file"):
        rows(
            [(1, 1), (2, 1)],
            run=lambda count: Trial(count.setting, problem="no such file" if count.cores > 1 else ""),
        )


def test_boxes_of_a_weak_family_keep_the_size_of_their_cubes():
    small, large = plan_weak(["8,8,8", "16,8,8"], None, [1], BOX, 4, "close")
    assert small.setting.ranks == 1 and large.setting.ranks == 2
    assert dict(large.sets) == {"mesh.box.cubes": "[16, 8, 8]", "mesh.box.length": "[4.0, 2.0, 4.0]"}


@pytest.mark.parametrize(
    ("meshes", "ranks", "said"),
    [
        (["a.nc"], [1], "a file with a mesh"),
        (["8,8,8", "16,8,8"], [1], "1 meshes, one for each"),
        (["8,8,8", "16,8,8"], [1, 8], "no more than 4 cores"),
    ],
)
def test_a_family_that_cannot_be_measured_is_refused(meshes, ranks, said):
    with pytest.raises(Refusal, match=said):
        plan_weak(meshes, ranks, [1], BOX, 4, "close")


def result(**extra):
    found = measured.result_of(rows([(1, 1), (2, 1), (1, 2), (4, 1), (2, 2)], price=0.02))
    return {
        **found,
        "case": "case.toml",
        "model": "sea",
        "weak": False,
        "simulated_seconds": 2.0,
        "whole_simulated_seconds": 20.0,
        "repeats": 3,
        "interrupted": False,
        "price_per_core_hour": 0.02,
        **extra,
    }


def test_the_table_names_both_answers(capsys):
    print_scaling(result())
    said = capsys.readouterr().out
    assert "fastest on 4 × 1" in said or "fastest on 2 × 2" in said
    assert "cheapest on 1 × 1" in said and "cost" in said


def test_the_figure_is_drawn(tmp_path):
    from matplotlib.image import imread

    from groundswell.plot.measured.scaling import draw

    draw(result(), tmp_path / "scaling.png")
    assert imread(tmp_path / "scaling.png").std() > 0.05
