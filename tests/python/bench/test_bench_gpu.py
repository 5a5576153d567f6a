"""bench/gpu.py from its first run to its table, on the played device, and beside an nvidia-smi that is made up."""

import importlib
import json
import os
import pathlib
import sys
import time

import pytest
from pages import ROOT

PROGRAMS = pathlib.Path(os.environ.get("GROUNDSWELL_BENCH_BIN", ROOT / "build/release/bin"))


SEA = ["--model", "sea", "--cells", "12", "--directions", "8", "--frequencies", "4"]
QUAKE = ["--model", "quake", "--order", "2", "--precision", "double", "--cells", "320"]


@pytest.fixture
def gpu(monkeypatch, tmp_path):
    """The module, with cases small enough for the played device, and programs of the tests."""
    monkeypatch.syspath_prepend(str(ROOT / "bench"))
    module = importlib.import_module("gpu")
    monkeypatch.setattr(module, "CASES", [SEA, QUAKE])
    monkeypatch.setattr(module, "WAYS_CUBES", 4)
    monkeypatch.setattr(module, "WAYS_END", "0.03s")
    monkeypatch.setenv("GROUNDSWELL_BENCH_BIN", str(PROGRAMS))
    monkeypatch.setenv("GROUNDSWELL_PLAYED_DEVICE", "3")
    monkeypatch.setattr(sys, "argv", ["gpu.py", str(tmp_path / "out"), "1"])
    return module


def with_power(monkeypatch, folder, script):
    """`script` of the shell is what stands behind the name of nvidia-smi."""
    tool = folder / "nvidia-smi"
    tool.write_text(f"#!/bin/sh\n{script}\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")


def table(folder):
    return json.loads((folder / "out/gpu.json").read_text())["result"]["kernels"]


def result(watts, rate):
    row = {"name": "local", "order": 4, "precision": "double", "cells": 80, "updates_per_second": rate}
    shares = {"share_of_stream": 0.5, "share_of_peak": 0.25}
    other = {**row, **shares, "name": "fault", "cells": 8}
    return {"model": "quake", "watts": watts, "kernels": [row | shares, other]}


def test_energy_is_power_over_the_rate_and_the_processor_that_of_the_first_run(gpu):
    runs = [[result(300.0, 2e6)], [result(100.0, 1e6)], [result(None, 4e6)]]
    # The processor's mesh has not quite as many cells.
    beside = result(40.0, 5e5)
    beside["kernels"][0]["cells"] = 79
    row = gpu.summarise(runs, [beside])[0]
    assert row["kernel"] == "local, order 4 double" and row["cells"] == 80 and row["runs"] == 3
    assert row["joules"] == pytest.approx((300.0 / 2e6 + 100.0 / 1e6) / 2)
    assert row["over_processor"] == 4.0
    assert row["best"] == 4e6 and row["mean"] == pytest.approx(7e6 / 3)
    alone = gpu.summarise([[result(None, 1e6)]], [])[0]
    assert alone["joules"] is None and alone["over_processor"] is None


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("while :; do echo 250.00; echo '[N/A]'; sleep 0.02; done", [250.0]),
        ("echo 'Unable to determine the device handle'; exit 6", []),
        ("exit 0", []),
    ],
)
def test_power_is_the_mean_of_what_is_read(gpu, tmp_path, monkeypatch, script, expected):
    with_power(monkeypatch, tmp_path, script)
    with gpu.power() as watts:
        time.sleep(0.5)
    assert watts == expected


def test_without_the_tool_there_is_no_power(gpu, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with gpu.power() as watts:
        pass
    assert watts == []


def test_a_run_by_each_way_of_halos_has_its_row(gpu, tmp_path):
    rows = gpu.ways(tmp_path)
    ways = [("staged", False), ("mpi", False), ("memory", False), ("memory", True)]
    assert [(row["route"], row["graphs"]) for row in rows] == ways
    assert all(
        row["updates_per_second"] > 0 and row["halo_bytes"] == rows[0]["halo_bytes"] > 0 for row in rows
    )


def test_a_way_that_is_not_there_is_left_out(gpu, tmp_path, monkeypatch, capsys):
    monkeypatch.delenv("GROUNDSWELL_PLAYED_DEVICE")
    if gpu.ways(tmp_path):
        pytest.skip("this machine has a GPU, and the program was built for it")
    assert "no run by memory" in capsys.readouterr().err


@pytest.mark.long
def test_each_kernel_has_its_energy_and_its_ratio_to_the_processor(gpu, tmp_path, monkeypatch):
    with_power(monkeypatch, tmp_path, "while :; do echo 250.00; sleep 0.05; done")
    gpu.main()
    rows = table(tmp_path)
    assert {"propagation, upwind", "source terms", "local, order 2 double"} <= {row["kernel"] for row in rows}
    for row in rows:
        assert row["runs"] == 1 and 0 < row["mean"] == row["best"]
        assert row["over_processor"] > 0
        assert row["joules"] == pytest.approx(250.0 / row["mean"])
    assert (tmp_path / "out/gpu.png").exists()


def test_without_a_gpu_there_is_no_table(gpu, tmp_path, monkeypatch, capsys):
    monkeypatch.delenv("GROUNDSWELL_PLAYED_DEVICE")
    gpu.main()
    if (tmp_path / "out/gpu.json").exists():
        pytest.skip("this machine has a GPU, and the program was built for it")
    assert "GPU" in capsys.readouterr().err
