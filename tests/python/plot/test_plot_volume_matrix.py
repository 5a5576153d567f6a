"""`plot volume --matrix`: what parts send each other, drawn from the table that volume wrote."""

import json

import numpy as np
import pytest

from groundswell import plot_cli
from groundswell.plot.measured.volume import draw_volume

BYTES = 2 * 3 * 4  # of a cell: directions x frequencies x bytes
HEAD = "partition,receiver,sender,cluster,times,count\n"
# Two methods, three parts each: (receiver, sender, cells); what a part does itself stands between.
SENT = {"plain": [(0, 1, 5), (1, 0, 7), (2, 1, 4)], "scattered": [(0, 2, 6), (1, 2, 9), (2, 0, 1)]}


@pytest.fixture
def report(tmp_path):
    partitions = []
    for method, rows in SENT.items():
        received = BYTES * 10 * sum(cells for *_, cells in rows) / 3
        each = {"min": received, "mean": received, "max": received}
        partitions.append(
            {
                "parts": 3,
                "method": method,
                "received_bytes": each,
                "received_mib": each,
                "off_host_share": 0.5,
            }
        )
    result = {"cells": 300, "layers": 1, "directions": 2, "frequencies": 3, "bytes_per_value": 4, "steps": 10}
    path = tmp_path / "volume.json"
    path.write_text(
        json.dumps(
            {"command": "volume", "machine": {}, "result": result | {"per_host": 2, "partitions": partitions}}
        )
    )
    return path


@pytest.fixture
def table(tmp_path):
    lines = [f"{number},{part},{part},0,1,100" for number in range(2) for part in range(3)] + [
        f"{number},{receiver},{sender},0,1,{cells}"
        for number, rows in enumerate(SENT.values())
        for receiver, sender, cells in rows
    ]
    path = tmp_path / "matrix.csv"
    path.write_text(HEAD + "\n".join(sorted(lines)) + "\n")
    return path


def test_each_method_has_a_square_with_its_bytes(report, table):
    figure, _ = draw_volume([report], table)
    squares = [axes for axes in figure.axes if axes.images and axes.get_title(loc="left")]
    assert [axes.get_title(loc="left") for axes in squares] == ["plain, 3 parts", "scattered, 3 parts"]
    for axes, rows in zip(squares, SENT.values()):
        expected = np.zeros((3, 3))
        for receiver, sender, cells in rows:
            expected[sender, receiver] = cells * BYTES * 10 / 1024  # KiB, as the largest is 2160 bytes
        assert np.ma.filled(axes.images[0].get_array(), 0.0) == pytest.approx(expected)
        assert axes.images[0].get_clim() == (0.0, 9 * BYTES * 10 / 1024), "all with one scale"
        assert [line.get_xdata()[0] for line in axes.lines if line.get_xdata()[0] == line.get_xdata()[1]] == [
            1.5
        ]


def test_the_picture_is_written(report, table, tmp_path):
    path = tmp_path / "v.png"
    assert (
        plot_cli.main(["volume", str(report), "--matrix", str(table), "--output", str(path), "--quiet"]) == 0
    )
    assert path.stat().st_size > 10_000


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a,b\n1,2\n", "what groundswell volume wrote with --matrix"),
        (HEAD + "0,0,1,0,1,5\n", "partition 0 = 1200 bytes: expected 3840 bytes"),
        (HEAD + "0,0,9,0,1,5\n", "partition 0"),
        (HEAD + "0,0,x,0,1,5\n", "what groundswell volume wrote with --matrix"),
    ],
)
def test_a_table_of_another_run_is_refused(report, tmp_path, text, said, capsys):
    path = tmp_path / "other.csv"
    path.write_text(text)
    assert (
        plot_cli.main(["volume", str(report), "--matrix", str(path), "--output", str(tmp_path / "v.png")])
        == 2
    )
    error = capsys.readouterr().err
    assert said in error and error.startswith(f"groundswell: error: {path}")


def test_a_table_belongs_to_one_report(report, table, tmp_path, capsys):
    words = ["volume", str(report), str(report), "--matrix", str(table), "--output", str(tmp_path / "v.png")]
    assert plot_cli.main(words) == 2
    assert "--matrix" in capsys.readouterr().err
