"""`plot proxy`: a picture of every report of the program, and where kernels leave the cache."""

import json

import matplotlib
import pytest

from groundswell import plot_cli
from groundswell.plot.measured import proxy

CELLS = [512, 1024, 2048, 4096, 8192]
# Propagation falls for good between 2048 and 4096 cells; the source terms do not.
SPEEDS = {"propagation": [90, 100, 97, 70, 60], "source": [50, 50, 51, 50, 50]}


def row(name, cells, speed, threads=1):
    needs = {"propagation": 1.2, "source": 37.0}[name]
    return {
        "name": name,
        "cells": cells,
        "threads": threads,
        "bins": 600,
        "directions": 24,
        "frequencies": 25,
        "scheme": "upwind",
        "bin_steps_per_second": 1e6 * speed,
        "gflops": 0.01 * speed * needs,
        "gigabytes_per_second": 0.01 * speed,
    }


def report(path, rows, **changes):
    result = {
        "model": "sea",
        "kernels": rows,
        "limits": [{"threads": 1, "stream_gigabytes_per_second": 20.0, "peak_gflops": 100.0}],
        "stream_gigabytes_per_second": 20.0,
        "peak_gflops": 100.0,
        "bytes_per_bin": 9.0,
    }
    path.write_text(
        json.dumps({"command": "proxy", "machine": {"cpu": "none", "ranks": 1}, "result": result | changes})
    )
    return path


def test_a_ring_stands_where_a_kernel_leaves_the_cache(tmp_path):
    rows = [row(name, cells, speed) for name, all_of in SPEEDS.items() for cells, speed in zip(CELLS, all_of)]
    path = report(tmp_path / "proxy.json", rows)
    _, result = proxy.draw_proxy(path)
    assert result["kernels"] == 10
    (left,) = result["out_of_cache"]
    assert (left["kernel"], left["cells"], left["bytes"]) == ("propagation", 4096, 9.0 * 600 * 4096)
    picture = tmp_path / "proxy.png"
    assert plot_cli.main(["proxy", str(path), "--output", str(picture), "--quiet"]) == 0
    assert matplotlib.image.imread(picture).std() > 0.05


def test_one_number_of_cells_is_drawn_too(tmp_path):
    path = report(tmp_path / "proxy.json", [row("propagation", 512, 90), row("source", 512, 50)])
    figure, result = proxy.draw_proxy(path)
    assert result["out_of_cache"] == [] and len(figure.axes) == 2


@pytest.mark.parametrize(
    ("changes", "words"),
    [({"kernels": []}, ["kernels"]), ({"kernels": [row("source", 1, 1) | {"gflops": None}]}, ["gflops"])],
)
def test_a_report_with_nothing_to_draw_is_refused(tmp_path, capsys, changes, words):
    path = report(tmp_path / "proxy.json", [], **changes)
    assert plot_cli.main(["proxy", str(path), "--output", str(tmp_path / "p.png")]) == 2
    said = capsys.readouterr().err
    assert all(word in said for word in [str(path), *words])
