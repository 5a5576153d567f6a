"""Pictures of `groundswell halo` and `groundswell volume`: what is drawn where, several reports, refusals."""

import copy
import json

import matplotlib.image
import numpy as np
import pytest
from plot_files import texts

from groundswell import plot_cli
from groundswell.plot.measured.halo import draw_halo
from groundswell.plot.measured.volume import draw_volume


def phase(seconds, spread=0.1):
    return {
        "p10": 0.9 * seconds,
        "median": seconds,
        "min": (1 - spread) * seconds,
        "mean": seconds,
        "max": (1 + spread) * seconds,
    }


def transport(name, pack, wait, unpack, baseline=400e-6):
    whole = pack + wait + unpack
    return {
        "name": name,
        "available": True,
        "reason": "",
        "verified": True,
        "pack": phase(pack),
        "wait": phase(wait),
        "unpack": phase(unpack),
        "whole": phase(whole),
        "speedup": {"mean": baseline / whole, "max": 0.5 * baseline / whole},
        "ratio_to_memcpy": whole / 80e-6,
        "bytes_sent": 3 * 2**20,
        "off_host_bytes": 0,
        "messages": 2,
    }


def halo_report(mpi="Open MPI 4.1.4", hosts=1):
    """Two ranks; rank 0 sends 2 MiB and receives 1 MiB; one transport is missing, one was also timed with less."""
    transports = [
        transport("point-to-point", 100e-6, 300e-6, 0.0),
        transport("posted", 90e-6, 110e-6, 0.0),
        {"name": "carrier-pigeon", "available": False, "reason": "this MPI has none"},
        transport("shared", 0.0, 100e-6, 0.0),
    ]
    transports[1]["selected"] = transport("posted", 60e-6, 70e-6, 30e-6)
    return {
        "schema": 1,
        "command": "halo",
        "version": "0.1.0",
        "machine": {"mpi": mpi, "hosts": hosts, "ranks": 2, "threads": 1, "cpu": "a cpu"},
        "result": {
            "cells": 40000,
            "layers": 2,
            "bytes_per_cell": 5040,
            "memcpy_seconds": {"p10": 72e-6, "median": 80e-6},
            "transports": transports,
            "matrix_bytes": [[0, 2**21], [2**20, 0]],
            "host_of_rank": [0, hosts - 1],
        },
    }


def volume_report(cells=283000, per_host=28):
    partitions = []
    for number, method in enumerate(["plain", "two-level", "scattered"]):
        for parts in (8, 64, 512):
            mib = 1000.0 / parts + number
            partitions.append(
                {
                    "parts": parts,
                    "method": method,
                    "received_mib": {"min": 0.0 if parts == 8 else 0.5 * mib, "mean": mib, "max": 2.0 * mib},
                    "off_host_share": [0.25, 0.15, 0.95][number] if parts > per_host else 0.0,
                }
            )
    return {
        "schema": 1,
        "command": "volume",
        "version": "0.1.0",
        "machine": {"mpi": "", "hosts": 1, "ranks": 1, "threads": 1, "cpu": "a cpu"},
        "result": {
            "cells": cells,
            "layers": 2,
            "directions": 36,
            "frequencies": 35,
            "steps": 60,
            "per_host": per_host,
            "partitions": partitions,
        },
    }


def written(path, report):
    path.write_text(json.dumps(report))
    return path


@pytest.fixture
def halo_file(tmp_path):
    return written(tmp_path / "halo.json", halo_report())


def plot(*arguments):
    return plot_cli.main([str(a) for a in arguments])


def refused(capsys, *arguments):
    assert plot(*arguments) == 2
    said = capsys.readouterr().err.strip()
    assert said.startswith("groundswell: error: ") and "\n" not in said
    return said


def bars(axes):
    """{middle of the bar on the y axis: [(begin, length)]}."""
    found = {}
    for bar in axes.patches:
        found.setdefault(round(bar.get_y() + bar.get_height() / 2, 3), []).append(
            (bar.get_x(), bar.get_width())
        )
    return found


# ------------------------------------------------------------------------------------------------------- halo


def test_halo_picture_and_json(halo_file, tmp_path, capsys):
    picture = tmp_path / "halo.png"
    assert plot("halo", halo_file, "--output", picture, "--json", tmp_path / "drawn.json") == 0
    assert "halo.png" in capsys.readouterr().out
    assert matplotlib.image.imread(picture).std() > 0.1
    drawn = json.loads((tmp_path / "drawn.json").read_text())
    assert drawn["command"] == "plot halo" and drawn["result"]["file"] == [str(halo_file)]
    names = [(one["transport"], one["needed_directions"]) for one in drawn["result"]["transports"]]
    assert names == [("point-to-point", False), ("posted", False), ("posted", True), ("shared", False)]


def test_phases_are_stacked_in_microseconds_beside_memcpy(halo_file):
    figure, _ = draw_halo([halo_file])
    time, speedup, _, *_ = figure.axes
    stacked = bars(time)
    assert np.allclose(stacked[0], [(0, 100), (100, 300), (400, 0)])
    assert np.allclose(stacked[2], [(0, 60), (60, 70), (130, 30)])  # posted with the needed directions
    assert 3 not in stacked  # carrier-pigeon is missing
    assert np.allclose(stacked[4], [(0, 0), (0, 100), (100, 0)])
    assert time.lines[0].get_xdata() == pytest.approx([80, 80])  # memcpy
    labels = [label.get_text() for label in time.get_yticklabels()]
    assert labels == ["point-to-point", "posted", "needed directions", "carrier-pigeon", "shared"]
    said = texts(figure)
    assert "not available" in said and any(t.strip() == "400 µs   5.0 × memcpy" for t in said)
    ratios = {place: widths[0][1] for place, widths in bars(speedup).items()}
    assert ratios[1 - 0.17] == pytest.approx(2.0) and ratios[1 + 0.17] == pytest.approx(1.0)


def test_spread_over_ranks_is_the_error_bar(halo_file):
    figure, _ = draw_halo([halo_file])
    ends = figure.axes[0].containers
    spread = [c.lines[2][0].get_segments()[0][:, 0] for c in ends if hasattr(c, "lines")]
    assert spread[0] == pytest.approx([360, 440])


def test_matrix_shows_who_sends_to_whom(halo_file):
    figure, _ = draw_halo([halo_file])
    image = next(axes.images[0] for axes in figure.axes if axes.images)
    shown = np.ma.filled(image.get_array(), 0.0)
    assert shown.tolist() == [[0.0, 2.0], [1.0, 0.0]] and image.norm.vmax == 2.0
    assert {"sending rank", "receiving rank", "MiB in one exchange", "2.00", "1.00"} <= set(texts(figure))
    assert "border between hosts" not in texts(figure)


def test_reports_are_told_apart_and_share_scales(halo_file, tmp_path):
    slow = halo_report("MPICH 4.0.2", hosts=2)
    slow["result"]["transports"][0] = transport("point-to-point", 1e-3, 3e-3, 0.0)
    figure, found = draw_halo([halo_file, written(tmp_path / "slow.json", slow)])
    said = texts(figure)
    for words in (
        "Open MPI 4.1.4, 2 ranks on 1 host",
        "MPICH 4.0.2, 2 ranks on 2 hosts",
        "border between hosts",
    ):
        assert words in said
    times = [axes for axes in figure.axes if axes.get_xlabel().startswith("median exchange, µs")]
    assert len(times) == 2 and times[0].get_xlim() == times[1].get_xlim() and times[0].get_xlim()[1] > 4400
    assert len({one["label"] for one in found["transports"]}) == 2


def test_only_what_differs_is_in_the_labels(halo_file, tmp_path):
    unmapped = halo_report()
    unmapped["result"]["mapping"] = "none"
    _, found = draw_halo([halo_file, written(tmp_path / "unmapped.json", unmapped)])
    assert {one["label"] for one in found["transports"]} == {"parts mapped to hosts", "parts as cut"}


def test_reports_that_do_not_differ_are_told_by_their_files(halo_file, tmp_path):
    figure, _ = draw_halo([halo_file, written(tmp_path / "again.json", halo_report())])
    assert {"halo", "again"} <= set(texts(figure))


def test_one_rank_without_baseline_and_more_ranks_than_a_matrix(tmp_path):
    report = halo_report()
    report["result"]["matrix_bytes"] = None
    del report["result"]["host_of_rank"]
    for one in report["result"]["transports"]:
        one["speedup"] = one["ratio_to_memcpy"] = None
    report["result"]["transports"][3]["verified"] = False
    said = texts(draw_halo([written(tmp_path / "halo.json", report)])[0])
    assert "point-to-point was not measured" in said and "too many ranks for a matrix" in said
    assert any("WRONG VALUES" in t for t in said)


# ------------------------------------------------------------------------------------------------------- volume


def test_volume_lines_are_those_of_the_report(tmp_path):
    figure, found = draw_volume([written(tmp_path / "v.json", volume_report())])
    volume, share = figure.axes
    assert volume.get_xscale() == volume.get_yscale() == share.get_xscale() == "log"
    lines = [container.lines[0] for container in volume.containers]
    assert [line.get_ydata().tolist() for line in lines] == [
        [1000.0 / parts + number for parts in (8, 64, 512)] for number in range(3)
    ]
    segments = volume.containers[1].lines[2][0].get_segments()
    assert segments[1][:, 1] == pytest.approx([0.5 * (1000 / 64 + 1), 2 * (1000 / 64 + 1)])
    assert all(segment[0, 1] > 0 for segment in segments)  # also where a part receives nothing
    drawn = [(line.get_xdata().tolist(), line.get_ydata().tolist()) for line in share.lines]
    assert drawn == [([64, 512], [25.0] * 2), ([64, 512], [15.0] * 2), ([64, 512], [95.0] * 2)]
    said = texts(figure)
    assert {
        "plain",
        "two-level",
        "scattered",
        "received by a part in 60 steps, MiB (logarithmic)",
        "parts (logarithmic)",
    } <= set(said)
    assert len(found["partitions"]) == 9


def test_volumes_of_several_reports(tmp_path):
    one = written(tmp_path / "a.json", volume_report())
    two = written(tmp_path / "b.json", volume_report(6162252, 1000))
    assert plot("volume", one, two, "--output", tmp_path / "v.png", "--quiet") == 0
    said = texts(draw_volume([one, two])[0])
    assert "283\u202f000 cells, 28 parts a host" in said and "all parts are on one host" in said


# ------------------------------------------------------------------------------------------------------- refusals


def test_reports_of_tetrahedra(tmp_path):
    """Sides of faces in place of rings of cells."""
    volume, halo = volume_report(), halo_report()
    for report, sea in (
        (volume, ("layers", "directions", "frequencies")),
        (halo, ("layers", "bytes_per_cell")),
    ):
        for key in sea:
            del report["result"][key]
        report["result"].update(order=5, precision="float", bytes_per_face=384)
    figure, _ = draw_volume([written(tmp_path / "v.json", volume)])
    assert any("order 5, float" in text for text in texts(figure))
    figure, _ = draw_halo([written(tmp_path / "h.json", halo)])
    assert any("order 5, float, 384 bytes a side of a face" in text for text in texts(figure))


@pytest.mark.parametrize(
    "content, expected",
    [
        (None, "expected a report of groundswell halo --json that can be read (No such file"),
        ("pack: 3\n", ".json:1: expected a report of groundswell halo --json; this is not JSON"),
        ("[1]", "result = (missing): expected a report of groundswell halo --json"),
        (json.dumps(volume_report()), "command = volume: expected a report of groundswell halo --json"),
    ],
)
def test_what_is_no_report(tmp_path, capsys, content, expected):
    path = tmp_path / "x.json"
    if content is not None:
        path.write_text(content)
    assert expected in refused(capsys, "halo", path, "--output", tmp_path / "x.png")


def test_report_without_what_is_needed(tmp_path, capsys):
    report = halo_report()
    del report["result"]["memcpy_seconds"]
    path = written(tmp_path / "x.json", report)
    assert "result.memcpy_seconds = (missing)" in refused(
        capsys, "halo", path, "--output", tmp_path / "x.png"
    )


def test_report_with_nothing_measured(tmp_path, capsys):
    report = halo_report()
    report["result"]["transports"] = report["result"]["transports"][2:3]
    path = written(tmp_path / "x.json", report)
    assert "(none available)" in refused(capsys, "halo", path, "--output", tmp_path / "x.png")
    alone = copy.deepcopy(volume_report())
    for one in alone["result"]["partitions"]:
        one["received_mib"] = {"min": 0.0, "mean": 0.0, "max": 0.0}
    path = written(tmp_path / "y.json", alone)
    assert "(nothing is received)" in refused(capsys, "volume", path, "--output", tmp_path / "x.png")


def test_ratios_are_those_of_the_lengths_drawn(halo_file):
    """Median over median, whatever other statistics the report has."""
    report = halo_report()
    report["result"]["transports"][0]["ratio_to_memcpy"] = 99.0
    halo_file.write_text(json.dumps(report))
    figure, found = draw_halo([halo_file])
    assert found["transports"][0]["times_memcpy"] == pytest.approx(400e-6 / 80e-6)
    assert "   400 µs   5.0 × memcpy" in texts(figure) and not any("percentile" in t for t in texts(figure))


def test_logarithmic_axes_have_lines_that_draw_together(tmp_path):
    figure, _ = draw_volume([written(tmp_path / "v.json", volume_report())])
    volume = figure.axes[0]
    assert volume.get_yscale() == "log" and volume.get_ylabel().endswith("(logarithmic)")
    lines = volume.yaxis.get_minorticklocs()
    low, high = volume.get_ylim()
    assert ((lines > low) & (lines < high)).sum() >= 8
