"""`groundswell scale`: descriptions of machines, and the formula of the prediction."""

import dataclasses
import json
import math
import pathlib

import pytest

from groundswell import scale_cli
from groundswell.errors import Refusal
from groundswell.scale import machine as machines
from groundswell.scale import predict as model

MACHINE = """name = "one"
hosts = 100
[host]
cores = 8
memory = "64 GiB"
peak = "400 GFLOP/s"
stream = "100 GB/s"
[job]
ranks_per_host = 4
threads = 2
[network]
latency = "2 us"
bandwidth = "10 GB/s"
[inside]
latency = "1 us"
bandwidth = "20 GB/s"
"""
SPEEDS = model.Speeds(
    element=1e-6, face=2e-6, rest=0.0, setup=0.0, elements=1000, memory=5000.0, traffic=1e3, peak=50e9, output=0.0,
    ranks=1, source="made up",
)  # fmt: skip
COUNTED = {
    "cells": 8000,
    "step_seconds": 0.1,
    "clusters": {"rate": 2, "cells": [1000, 3000, 4000], "fault_faces": [100, 200, 0]},
}


@pytest.fixture
def machine(tmp_path):
    path = tmp_path / "one.toml"
    path.write_text(MACHINE, encoding="utf-8")
    return machines.read(str(path))


def parts(count, **other):
    quiet = {
        "imbalance_in_step": 0.0,
        "off_host_share": 0.0,
        "messages": {"max": 0},
        "received_bytes": {"max": 0},
    }
    return {"parts": count, **quiet, **other}


def test_units_are_those_of_si(machine):
    assert (machine.memory, machine.peak, machine.stream) == (64 * 2**30, 400e9, 100e9)
    assert machine.network == machines.Link(2e-6, 10e9)
    assert machine.core_peak == 50e9


@pytest.mark.parametrize("name", machines.shipped())
def test_shipped_machines_make_sense(name):
    found = machines.read(name)
    assert found.ranks_per_host * found.threads <= found.cores
    assert 0.02 < found.stream / found.peak < 1.0  # bytes for each operation, as hosts of these years have


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('latency = "2 us"', 'latency = "-2 us"', "network.latency = -2 us: expected 20 ns to 1 ms"),
        ('latency = "2 us"', 'latency = "2 s"', "network.latency = 2 s: expected a number and a unit"),
        ('latency = "2 us"', "latency = 2e-6", "network.latency = 2e-06: expected a number and a unit"),
        ('"10 GB/s"', '"10 MB/s"', "network.bandwidth = 10 MB/s: expected 50 MB/s to 5 TB/s; GB/s are bytes"),
        (
            "ranks_per_host = 4",
            "ranks_per_host = 5",
            "job.ranks_per_host = 5: expected at most host.cores = 8",
        ),
        ("cores = 8", "cores = 0", "host.cores = 0: expected a whole number"),
        (
            'peak = "400 GFLOP/s"',
            'peak = "400 TFLOP/s"',
            "host.peak = 400 TFLOP/s: expected 0.5 to 500 GFLOP/s",
        ),
        ('peak = "400 GFLOP/s"\n', "", "host.peak = (missing): expected a number and a unit"),
        ("[inside]", "[insides]", "did you mean 'inside'?"),
        ("hosts = 100", "hosts = 1.5", "hosts = 1.5: expected a whole number"),
        ("name", "name = ", "expected TOML"),
    ],
)
def test_senseless_machines_are_asked_back(tmp_path, old, new, said):
    path = tmp_path / "one.toml"
    assert old in MACHINE
    path.write_text(MACHINE.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(Refusal) as refusal:
        machines.read(str(path))
    assert str(path) in str(refusal.value) and said in str(refusal.value)


def test_a_machine_that_is_not_known_is_told(tmp_path):
    with pytest.raises(Refusal, match="did you mean 'archer2'"):
        machines.read("archer")
    with pytest.raises(Refusal, match="a file that can be read"):
        machines.read(str(tmp_path / "none.toml"))


def test_without_messages_work_is_shared_out(machine):
    updates = 1000 * 4 + 3000 * 2 + 4000
    faces = 100 * 4 + 200 * 2
    for count in (1, 4, 16):
        row = model.predict(COUNTED, parts(count), SPEEDS, machine, 10.0)
        assert row["step_seconds"] == pytest.approx((updates * 1e-6 + faces * 2e-6) / (2 * count))
        assert row["run_seconds"] == pytest.approx(100 * row["step_seconds"])
        assert row["efficiency"] == pytest.approx(1.0)
        assert row["communication_share"] == 0.0
        assert row["core_hours"] == pytest.approx(row["run_seconds"] * math.ceil(count / 4) * 8 / 3600)


def test_a_core_twice_as_fast_halves_the_time_until_memory_limits(machine):
    twice = dataclasses.replace(machine, peak=800e9)
    slow, fast = (model.predict(COUNTED, parts(4), SPEEDS, one, 10.0) for one in (machine, twice))
    assert fast["step_seconds"] == pytest.approx(slow["step_seconds"] / 2)
    assert slow["limited_by"] == "arithmetic"
    starved = dataclasses.replace(machine, stream=4e9)  # 8 cores with 1 kB an update: 2 us
    seconds, limit = model.element_seconds(SPEEDS, starved, 8)
    assert (seconds, limit) == (pytest.approx(2e-6), "memory")


def test_ranks_of_a_host_share_its_link(machine):
    bytes_only = {"received_bytes": {"max": 1e6}}
    inside = model.predict(COUNTED, parts(4, **bytes_only), SPEEDS, machine, 10.0)
    assert inside["communication_seconds"] == pytest.approx(1e6 / 20e9)
    across = model.predict(COUNTED, parts(8, off_host_share=1.0, **bytes_only), SPEEDS, machine, 10.0)
    assert across["communication_seconds"] == pytest.approx(4 * 1e6 / 10e9)
    messages = model.predict(
        COUNTED, parts(8, off_host_share=0.5, messages={"max": 1000}), SPEEDS, machine, 10.0
    )
    assert messages["communication_seconds"] == pytest.approx(1000 * 1.5e-6)


def report_of_run(ranks, seconds):
    same = lambda value: {"min": value, "mean": value, "max": value}  # noqa: E731
    clusters = zip(COUNTED["clusters"]["cells"], COUNTED["clusters"]["fault_faces"])
    return {
        "machine": {"ranks": ranks, "threads": 2},
        "result": {
            "phases": {
                **{
                    "local": same(0.5 * seconds),
                    "neighbour": same(0.25 * seconds),
                    "rupture": same(0.15 * seconds),
                },
                **{"sampling": same(0.06 * seconds), "output": same(0.04 * seconds), "setup": same(1.0)},
            },
            "clusters": [{"elements": cells, "fault_faces": faces} for cells, faces in clusters],
            "local_time_stepping": {"rate": 2},
            "element_updates": 30 * (4000 + 6000 + 4000),
            "elements": 8000,
            "simulated_seconds": 3.0,
            "peak_memory_bytes": same(2**27),
            "output": {"bytes": 100},
        },
    }


@pytest.mark.parametrize("ranks", [1, 3])
def test_the_run_that_was_measured_is_predicted_as_it_was(machine, ranks):
    """Its own phases, from its own counts, on a machine of its own speed."""
    speeds = model.speeds_of(report_of_run(ranks, 20.0), machine.core_peak, 100.0, "itself")
    row = model.predict(COUNTED, parts(ranks), speeds, machine, 3.0)
    assert row["run_seconds"] == pytest.approx(20.0 + 1.0)
    assert row["memory_bytes"] == pytest.approx(2**27)


def test_too_little_memory_or_too_few_hosts_are_told(machine):
    row = model.predict(COUNTED, parts(4), SPEEDS, machine, 10.0)
    assert model.fits(row, machine)
    assert not model.fits({**row, "memory_of_host_bytes": 60 * 2**30}, machine)
    assert not model.fits({**row, "hosts": 101}, machine)


def test_hosts_or_parts(tmp_path, capsys):
    case = tmp_path / "case.toml"
    case.write_text('model = "quake"\n', encoding="utf-8")
    code = scale_cli.main([str(case), "--predict", "laptop", "--hosts", "1", "--parts", "2"])
    assert code == 2
    assert "--hosts or --parts" in capsys.readouterr().err


def test_a_case_of_the_sea_is_refused(tmp_path, capsys):
    case = tmp_path / "case.toml"
    case.write_text('title = "sea"\n', encoding="utf-8")
    assert scale_cli.main([str(case), "--predict", "laptop"]) == 2
    assert 'model = "quake"' in capsys.readouterr().err


def test_pictures_are_drawn(tmp_path, machine):
    from matplotlib.image import imread

    from groundswell.plot.cost import draw

    rows = [model.predict(COUNTED, parts(count), SPEEDS, machine, 10.0) for count in (4, 8, 16)]
    result = {
        "predicted": rows,
        "machine": {"name": "one", "threads": 2, "ranks_per_host": 4, "cores": 8},
        "cells": 8000,
        "simulated_seconds": 10.0,
        "speeds": {"source": "made up"},
    }
    path = pathlib.Path(tmp_path, "cost.png")
    draw(json.loads(json.dumps(result)), path)
    assert imread(path).std() > 0.05
