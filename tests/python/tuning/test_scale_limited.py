"""`groundswell scale --predict`: what limits a step, and with which instructions speeds are measured."""

import dataclasses
import os

import numpy as np
import pytest
from test_scale import COUNTED, LIMITS, MACHINE, SPEEDS, parts

from groundswell.errors import Refusal
from groundswell.scale import forecast, instructions, show
from groundswell.scale import machine as machines
from groundswell.scale import predict as model


@pytest.fixture
def machine(tmp_path):
    path = tmp_path / "one.toml"
    path.write_text(MACHINE, encoding="utf-8")
    return machines.read(str(path))


@pytest.mark.parametrize(
    ("changes", "limit"),
    [
        ({}, "arithmetic"),
        ({"rest": 20.0}, "rest"),
        ({"writing": 0.5}, "output"),
    ],
)
def test_what_takes_most_of_a_step_limits_it(machine, changes, limit):
    row = model.predict(COUNTED, parts(4), dataclasses.replace(SPEEDS, **changes), machine, 10.0)
    assert row["limited_by"] == limit
    assert (row["efficiency"] < 0.3) == (limit == "output")


def test_messages_and_waiting_limit_too(machine):
    far = parts(8, sender=range(4), receiver=range(4, 8), size=[1e9] * 4)
    assert model.predict(COUNTED, far, SPEEDS, machine, 10.0)["limited_by"] == "messages"
    moment = dataclasses.replace(parts(4).moments[0], work=np.array([0.01, 0.01, 0.01, 0.97]))
    uneven = dataclasses.replace(parts(4), moments=(moment,))
    assert model.predict(COUNTED, uneven, SPEEDS, machine, 10.0)["limited_by"] == "waiting"


def test_the_table_shows_what_output_takes(machine):
    speeds = dataclasses.replace(SPEEDS, writing=0.02)
    rows = [model.predict(COUNTED, parts(count), speeds, machine, 10.0) for count in (1, 4, 16)]
    assert [row["limited_by"] for row in rows] == ["arithmetic", "output", "output"]
    head, *lines = show.table(machine, rows, "elements").splitlines()
    end = head.index("output") + len("output")
    for line, row in zip(lines, rows, strict=True):
        share = 100 * row["output_seconds"] / row["step_seconds"]
        assert line[:end].endswith(f" {share:.1f} %")
    assert show.limited_text(rows) == "limited by arithmetic, by output from 4 ranks on"


def test_speeds_say_with_which_instructions_they_were_measured(machine):
    avx2 = dataclasses.replace(machine, instructions="v3")
    same, other = (dataclasses.replace(SPEEDS, isa=isa) for isa in ("v3", "v4"))
    assert show.speeds_text(same, avx2).endswith("GFLOP/s with v3")
    assert show.speeds_text(other, avx2).endswith("with v4, where one has v3: compared by their peaks alone")
    assert show.speeds_text(SPEEDS, avx2).endswith("GFLOP/s")


def test_a_run_of_other_instructions_than_the_kernels_is_refused():
    run = {"machine": {"isa": "v4"}}
    forecast.check_instructions("run.json", run, dataclasses.replace(LIMITS, isa="v4"))
    with pytest.raises(Refusal, match="run.json: machine.isa = v4: expected v3"):
        forecast.check_instructions("run.json", run, dataclasses.replace(LIMITS, isa="v3"))


def test_instructions_are_those_of_the_machine_meanwhile(monkeypatch):
    monkeypatch.setattr(instructions, "has", lambda wanted: wanted != "v4")
    monkeypatch.delenv("GROUNDSWELL_ISA", raising=False)
    for wanted, held in (("v3", "v3"), ("v4", None), (None, None)):
        with instructions.held_to(wanted):
            assert os.environ.get("GROUNDSWELL_ISA") == held
        assert "GROUNDSWELL_ISA" not in os.environ
    monkeypatch.setenv("GROUNDSWELL_ISA", "v2")  # the user's choice
    with instructions.held_to("v3"):
        assert os.environ["GROUNDSWELL_ISA"] == "v2"
