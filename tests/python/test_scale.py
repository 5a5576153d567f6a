"""`groundswell scale`: descriptions of machines, and the formula of the prediction."""

import dataclasses
import json
import math
import pathlib

import numpy as np
import pytest

from groundswell import scale_cli
from groundswell.errors import Refusal
from groundswell.scale import machine as machines
from groundswell.scale import predict as model
from groundswell.scale.checks import summary
from groundswell.scale.plan import Moment, Plan
from groundswell.scale.speeds import Curve, Limits, Speeds, speeds_of

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
SPEEDS = Speeds(
    element=1e-6, face=2e-6, rest=0.0, setup=0.0, memory=5000.0, traffic=1e3, peak=50e9, stream=12.5e9, output=0.0,
    source="made up",
)  # fmt: skip
COUNTED = {
    "cells": 8000,
    "step_seconds": 0.1,
    "clusters": {"rate": 2, "cells": [1000, 3000, 4000], "fault_faces": [100, 200, 0]},
}
LIMITS = Limits(peak=50e9, stream=12.5e9, traffic=100.0, curve=None)


@pytest.fixture
def machine(tmp_path):
    path = tmp_path / "one.toml"
    path.write_text(MACHINE, encoding="utf-8")
    return machines.read(str(path))


def parts(count, sender=(), receiver=(), size=(), **told):
    """Parts that have as much to do each, and these messages in a step."""
    arrays = np.array(receiver, int), np.array(sender, int), np.array(size, float)
    moment = Moment(np.full(count, 1.0 / count), np.zeros(count), *arrays)
    return Plan(count, "curve", (moment,), (0,), {"imbalance": 0.0, "seconds": 0.0, **told})


def test_units_are_those_of_si(machine):
    assert (machine.memory, machine.peak, machine.stream) == (64 * 2**30, 400e9, 100e9)
    assert machine.network == machines.Link(2e-6, 10e9, 0.5e-6, 65536.0)
    assert machine.core_peak == 50e9


@pytest.mark.parametrize("name", machines.shipped())
def test_shipped_machines_make_sense(name):
    found = machines.read(name)
    assert found.ranks_per_host * found.threads <= found.cores
    assert 0.02 < found.stream / found.peak < 1.0  # bytes for each operation, as hosts of these years have
    assert found.instructions in machines.INSTRUCTIONS


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
        (
            "cores = 8",
            'cores = 8\ninstructions = "avx2"',
            "host.instructions = avx2: expected one of v2, v3, v4",
        ),
        (
            'stream = "100 GB/s"',
            'stream = "100 GB/s"\ncache = "1 KiB"',
            "host.cache = 1 KiB: expected 1 MiB to 1 TiB",
        ),
        (
            "[network]",
            '[network]\noverhead = "9 us"',
            "network.overhead = 9 us: expected no more than the latency",
        ),
        (
            '[network]\nlatency = "2 us"\nbandwidth = "10 GB/s"\n',
            "",
            "network = (missing): expected a table [network]",
        ),
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
        working = row["step_seconds"] - row["waiting_seconds"]  # which is to agree that all is well
        assert working == pytest.approx((updates * 1e-6 + faces * 2e-6) / (2 * count))
        assert row["waiting_seconds"] < 2e-5
        assert row["run_seconds"] - row["start_seconds"] == pytest.approx(100 * row["step_seconds"])
        assert row["efficiency"] == pytest.approx(1.0, rel=0.05)
        assert row["communication_share"] == 0.0
        assert row["core_hours"] == pytest.approx(row["run_seconds"] * math.ceil(count / 4) * 8 / 3600)


def test_a_core_twice_as_fast_halves_the_time_until_memory_limits(machine):
    twice = dataclasses.replace(machine, peak=800e9)
    slow, fast = (model.predict(COUNTED, parts(4), SPEEDS, one, 10.0) for one in (machine, twice))
    assert fast["computing_seconds"] == pytest.approx(slow["computing_seconds"] / 2)
    assert slow["limited_by"] == "arithmetic"
    starved = dataclasses.replace(machine, stream=4e9)  # 8 cores with 1 kB an update: 2 us
    seconds, limit = model.element_seconds(SPEEDS, starved, 8, 1000, 8000)
    assert (seconds, limit) == (pytest.approx(2e-6), "memory")
    # 8000 cells of 5 kB that stay in the caches of the host.
    cached = dataclasses.replace(starved, cache=40e6)
    assert model.element_seconds(SPEEDS, cached, 8, 1000, 8000) == (pytest.approx(1e-6), "arithmetic")
    assert model.element_seconds(SPEEDS, cached, 8, 1000, 8001)[1] == "memory"


def test_cells_are_faster_where_a_core_has_few(machine):
    curve = Curve(np.array([100.0, 1000.0, 10000.0]), np.array([1e-6, 2e-6, 4e-6]))
    speeds = dataclasses.replace(SPEEDS, curve=curve, share=1000.0, element=3e-6)
    assert [speeds.element_at(share) for share in (10, 100, 1000, 1e6)] == pytest.approx(
        [1.5e-6, 1.5e-6, 3e-6, 6e-6]
    )
    assert speeds.element_at(math.sqrt(100 * 1000)) == pytest.approx(2.25e-6)


def test_ranks_of_a_host_share_its_link(machine):
    pairs = {"sender": range(4), "receiver": [1, 2, 3, 0], "size": [1e6] * 4}
    pack = 2 * 1e6 / (100e9 / 4)  # reads and writes each byte at a rank's share of the memory
    inside = model.predict(COUNTED, parts(4, **pairs), SPEEDS, machine, 10.0)
    assert inside["communication_seconds"] == pytest.approx(1e-6 + 1e6 / 20e9)
    far = {"sender": range(4), "receiver": range(4, 8), "size": [1e6] * 4}
    across = model.predict(COUNTED, parts(8, **far), SPEEDS, machine, 10.0)
    overhead = 2e-6 / 4  # at either end
    # The beginnings of all four have passed the link before the first rank has packed.
    rest = 1e6 - machine.network.eager
    assert across["communication_seconds"] == pytest.approx(
        pack + 2 * overhead + 2e-6 + 4 * rest / 10e9, rel=0.01
    )
    assert across["received_bytes"] == 1e6 and across["messages"] == 1


def test_parts_wait_for_the_one_that_has_most(machine):
    even = parts(4)
    moment = dataclasses.replace(even.moments[0], work=np.array([0.1, 0.2, 0.3, 0.4]))
    uneven = dataclasses.replace(even, moments=(moment,))
    one, other = (model.predict(COUNTED, plan, SPEEDS, machine, 10.0) for plan in (even, uneven))
    assert other["waiting_seconds"] - one["waiting_seconds"] == pytest.approx(0.6 * one["computing_seconds"])
    assert other["communication_seconds"] == pytest.approx(0.0, abs=1e-12)


def test_what_is_not_needed_is_not_sent(machine):
    pairs = {"sender": [0], "receiver": [1], "size": [1e9]}  # on one host
    whole = model.predict(COUNTED, parts(2, **pairs), SPEEDS, machine, 10.0)
    less = model.predict(COUNTED, parts(2, **pairs).with_bytes(0.65), SPEEDS, machine, 10.0)
    assert less["communication_seconds"] / whole["communication_seconds"] == pytest.approx(0.65, rel=1e-4)


def test_a_file_system_that_does_not_keep_up_is_waited_for(machine):
    writing = dataclasses.replace(SPEEDS, output=1e9, writing=0.5)
    step = COUNTED["step_seconds"]
    row = model.predict(COUNTED, parts(4), writing, machine, 10.0)
    assert row["output_seconds"] == pytest.approx(0.5 * step)  # as measured here
    disk = dataclasses.replace(machine, file_system=2e9)
    assert model.output_seconds(writing, disk, step) == pytest.approx(1e9 * step / 2e9)
    assert model.output_seconds(writing, disk, step, hidden_behind=0.04) == pytest.approx(0.01)


def test_the_start_is_cutting_and_each_rank_s_share(machine):
    speeds = dataclasses.replace(SPEEDS, setup=1e-3, setup_fixed=0.25)
    plain = dataclasses.replace(parts(4, seconds=3.0), method="plain")
    slower = dataclasses.replace(machine, peak=200e9)
    for on, times in ((machine, 1), (slower, 2)):
        row = model.predict(COUNTED, plain, speeds, on, 10.0)
        assert row["cutting_seconds"] == pytest.approx(times * 3.0)
        assert row["start_seconds"] == pytest.approx(times * (3.0 + 0.25 + 2.0))
    along_the_curve = model.predict(COUNTED, parts(4, seconds=3.0), speeds, machine, 10.0)
    assert along_the_curve["cutting_seconds"] == 0.0
    assert along_the_curve["start_seconds"] == pytest.approx(2.25)
    # Two hosts of four ranks of 1000 cells: half of what is read belongs to the other host.
    two = parts(8, seconds=3.0)
    across = 4 * 1000 * speeds.dealt * 0.5 / 10e9
    assert model.start_seconds(COUNTED, two, speeds, machine) == pytest.approx(1.25 + across, rel=1e-12)
    # There transports are tried, 57 exchanges or for a tenth of a second.
    row = model.predict(COUNTED, two, speeds, machine, 10.0)
    assert row["start_seconds"] == pytest.approx(1.25 + across + min(0.1, 57 * row["communication_seconds"]))
    assert model.trial_seconds(1.0, 2) == 0.1 and model.trial_seconds(1.0, 1) == 0.0


def test_the_start_of_two_runs_tells_what_every_rank_does(machine):
    runs = [report_of_run(ranks, 20.0) for ranks in (1, 4)]
    for run, seconds in zip(runs, (9.0, 5.0 + 2.0)):
        run["result"]["phases"]["setup"]["mean"] = seconds
    # 8000 and 2000 cells a rank; the second was also cut, which took 2 s: 4 s for 6000 cells, and the rest for all.
    speeds = speeds_of(runs, LIMITS, "made up", {4: 2.0})
    assert speeds.setup == pytest.approx(4.0 / 6000) and speeds.setup_fixed == pytest.approx(
        9.0 - 8000 * 4.0 / 6000
    )
    # Had it found its parts beside the mesh, all of its start were such work.
    runs[1]["result"]["partition"] = "file"
    assert speeds_of(runs, LIMITS, "made up", {4: 2.0}).setup == pytest.approx(2.0 / 6000)


def test_it_stops_scaling_where_half_of_the_gain_is_gone():
    rows = [{"parts": 2**i, "step_seconds": seconds} for i, seconds in enumerate((8.0, 4.1, 2.4, 1.9, 1.8))]
    assert model.stops_scaling(rows) == (4, True)
    assert model.stops_scaling(rows[:3]) == (4, False)


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
                "exchange_pack": same(0.0),
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
    speeds = speeds_of([report_of_run(ranks, 20.0)], LIMITS, "itself")
    row = model.predict(COUNTED, parts(ranks), speeds, machine, 3.0)
    agreeing = 30 * (0 if ranks == 1 else 2 * math.ceil(math.log2(ranks)) * 1e-6)
    assert row["run_seconds"] == pytest.approx(20.0 + 1.0 + agreeing, rel=1e-9)
    assert row["memory_bytes"] == pytest.approx(2**27)


def test_packing_is_told_from_all_bytes_that_a_run_packed():
    """Several exchanges in a step: what counts is how many there were, not how many steps."""
    run = report_of_run(4, 20.0)
    run["result"]["phases"]["exchange_pack"]["mean"] = 0.5
    run["result"] |= {"steps": 30, "exchange": {"bytes": 8_000_000, "count": 240}}
    assert speeds_of([run], LIMITS, "itself").pack == pytest.approx(0.5 / (240 * 8e6 / 4))


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


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--predict", "laptop"], "one of CASE.toml, --mesh FILE.nc and --icosahedron N"),
        (["--icosahedron", "4"], "--predict MACHINE"),
        (["--icosahedron", "4", "--mesh", "m.nc", "--predict", "laptop"], "one of CASE.toml"),
        (
            ["--icosahedron", "4", "--predict", "laptop", "--aggregate", "hosts"],
            "--aggregate: expected --replay",
        ),
        (
            ["--icosahedron", "4", "--predict", "laptop", "--parts", "2", "--replay", "--slow-rank", "2:3"],
            "--slow-rank = 2:3: expected RANK:FACTOR, a rank from 0 to 1",
        ),
        (
            [
                "--icosahedron",
                "4",
                "--predict",
                "archer2",
                "--hosts",
                "2",
                "--replay",
                "--slow-link",
                "1:0.5",
            ],
            "--slow-link = 1:0.5: expected HOST:FACTOR",
        ),
        (
            ["--icosahedron", "4", "--predict", "laptop", "--time-step", "-60"],
            "--time-step = -60.0: expected seconds, more than 0",
        ),
        (["--measure", "machine.txt"], "--measure = machine.txt: expected a file name that ends in .toml"),
    ],
)
def test_command_lines_that_make_no_sense(words, said, capsys):
    assert scale_cli.main(words) == 2
    assert said in capsys.readouterr().err


def test_an_existing_description_is_not_replaced(tmp_path, capsys):
    path = tmp_path / "one.toml"
    path.write_text(MACHINE, encoding="utf-8")
    assert scale_cli.main(["--measure", str(path)]) == 2
    assert "a new file" in capsys.readouterr().err and path.read_text(encoding="utf-8") == MACHINE


def test_errors_of_checks_are_summed_up():
    rows = [{"model": "sea", "step": x, "communication": -x / 2, "start": 2 * x} for x in (0.02, -0.1, 0.05)]
    told = summary(rows)["sea"]
    assert told["combinations"] == 3
    assert told["step"] == {"median": 0.05, "largest": 0.1}
    assert told["communication"] == {"median": 0.025, "largest": 0.05}
    assert told["start"] == {"median": 0.1, "largest": 0.2}


def test_pictures_are_drawn(tmp_path, machine):
    from matplotlib.image import imread

    from groundswell.plot.measured.cost import draw

    rows = [model.predict(COUNTED, parts(count), SPEEDS, machine, 10.0) for count in (4, 8, 16)]
    result = {
        "model": "quake",
        "predicted": rows,
        "machine": {"name": "one", "threads": 2, "ranks_per_host": 4, "cores": 8},
        "cells": 8000,
        "simulated_seconds": 10.0,
        "speeds": {"source": "made up"},
    }
    path = pathlib.Path(tmp_path, "cost.png")
    draw(json.loads(json.dumps(result)), path)
    assert imread(path).std() > 0.05
