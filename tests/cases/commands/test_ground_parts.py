"""`groundswell volume` and `halo` of tetrahedra: what parts receive is what ranks exchange; which options are refused."""

import json
import re

import pytest
from launching import groundswell, refused, write_case

CASE = {
    "model": "quake",
    "time": {"end": "1s"},
    "mesh": {"box": {"cubes": [6, 5, 6], "length": [3000, 2500, 3000], "jitter": 0.15}},
    "solver": {"order": 3, "precision": "float"},
    "material": {"rock": [{"layers": [[0, 2000, 1000, 400], [-1500, 2700, 6000, 3464]]}]},
}


@pytest.fixture(scope="module")
def box(tmp_path_factory):
    path = tmp_path_factory.mktemp("box") / "box.h5"
    outcome = groundswell(
        "box", "--cubes", "6,6,6", "--length", "6e3,6e3,6e3", "--jitter", 0.1, "--output", path
    )
    assert outcome.code == 0, outcome.stderr
    return path


@pytest.fixture(scope="module")
def case(tmp_path_factory):
    return write_case(tmp_path_factory.mktemp("case") / "case.toml", CASE)


def report(command, *arguments, **launch):
    outcome = groundswell(command, *arguments, "--json", "-", **launch)
    assert outcome.code == 0, outcome.stderr
    return json.loads(outcome.stdout)["result"]


QUICK = ("--transport", "posted,point-to-point", "--repeats", 2)


@pytest.mark.parametrize("options", [(), ("--order", 6, "--precision", "float")])
def test_parts_receive_what_ranks_exchange(box, options):
    """With one step for all: the bytes of the ranks' own plan, by the same parts."""
    options = (*options, "--rate", 1)
    halo = report("halo", box, *options, *QUICK, ranks=3, env={"GROUNDSWELL_TEST_HOSTS": "2"})
    assert all(one["verified"] for one in halo["transports"])
    volume = report("volume", box, *options, "--parts", 3, "--per-host", 2, "--method", "curve")
    (part,) = volume["partitions"]
    assert part["received_bytes"] == pytest.approx(halo["received_bytes"])
    assert part["off_host_share"] == pytest.approx(halo["off_host_share"]) and 0 < part["off_host_share"] < 1
    assert halo["transports"][0]["bytes_sent"] == sum(map(sum, halo["matrix_bytes"]))
    # Traction and velocity by the functions of a face, in whole registers.
    order, size = (6, 4) if options[0] == "--order" else (4, 8)
    least = 6 * order * (order + 1) // 2 * size
    for one in (halo, volume):
        assert least <= one["bytes_per_face"] < least + 64
        assert (one["cells"], one["order"]) == (1080, order)
    assert volume["steps"] == 1 and volume["clusters"] == {"rate": 1, "cells": [1080], "fault_faces": [0]}


def test_clusters_and_order_are_those_of_the_case(case, tmp_path):
    volume = report(
        "volume", "--case", case, "--parts", "2,5", "--method", "plain,two-level,curve,scattered,mapped"
    )
    assert (volume["mesh"], volume["order"], volume["precision"]) == ("mesh.box", 3, "float")
    assert len(volume["clusters"]["cells"]) > 1 and sum(volume["clusters"]["cells"]) == 900
    run = groundswell("run", case, "--check", "--json", tmp_path / "run.json")
    assert run.code == 0, run.stderr
    ran = json.loads((tmp_path / "run.json").read_text())["result"]
    assert [one["elements"] for one in ran["clusters"]] == volume["clusters"]["cells"]
    assert volume["step_seconds"] == pytest.approx(
        ran["clusters"][0]["step_seconds"] * 2 ** (len(volume["clusters"]["cells"]) - 1)
    )
    assert len(volume["partitions"]) == 10
    for one in volume["partitions"]:
        assert 0 < one["received_bytes"]["min"] <= one["received_bytes"]["max"]
        # Parts balance updates: those of the curve to one element, which may be the finest cluster's.
        assert one["imbalance"] < 0.1
    # Twice the steps, twice the bytes.
    twice = report("volume", "--case", case, "--parts", 5, "--method", "curve", "--steps", 2)["partitions"][0]
    once = next(one for one in volume["partitions"] if (one["parts"], one["method"]) == (5, "curve"))
    assert twice["received_bytes"]["mean"] == pytest.approx(2 * once["received_bytes"]["mean"])
    halo = report("halo", "--case", case, *QUICK, ranks=2)
    assert all(one["verified"] for one in halo["transports"])
    assert all(halo["clusters"][key] == volume["clusters"][key] for key in ("rate", "cells"))


def test_a_run_exchanges_what_was_foretold(box, tmp_path):
    """With one step for all each step of a run is one exchange, which is that of halo and volume, to the byte."""
    ranks = 3
    sections = {
        "mesh": {"file": str(box)},
        "time": {"end": "20ms"},
        "solver": {"order": 3, "cluster_rate": 1},
    }
    case = write_case(tmp_path / "case.toml", {**CASE, **sections})
    run = groundswell("run", case, "--json", tmp_path / "run.json", ranks=ranks)
    assert run.code == 0, run.stderr
    bytes_of_run = json.loads((tmp_path / "run.json").read_text())["result"]["exchange"]["bytes"]
    volume = report("volume", "--case", case, "--parts", ranks, "--method", "curve")["partitions"][0]
    assert bytes_of_run == round(ranks * volume["received_bytes"]["mean"])
    halo = report("halo", "--case", case, *QUICK, ranks=ranks)
    assert bytes_of_run == round(ranks * halo["received_bytes"]["mean"])


def test_tables_say_what_is_measured(box):
    volume = groundswell("volume", box, "--parts", 4, "--method", "curve")
    assert "1080 tetrahedra in " in volume.stdout and "in which all clusters come to meet" in volume.stdout
    halo = groundswell("halo", box, *QUICK, ranks=2)
    assert halo.code == 0, halo.stderr
    assert re.search(
        r"1080 cells, order 4, double, \d+ bytes a side of a face, all clusters at once", halo.stdout
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("volume", "BOX", "--directions", 24), ["--directions = 24", "--order and --precision"]),
        (("volume", "BOX", "--layers", 2), ["--layers = 2", "one of tetrahedra"]),
        (("volume", "--icosahedron", 4, "--order", 4), ["--order = 4", "--directions"]),
        (("volume", "BOX", "--precision", "half"), ["--precision", "half"]),
        (("volume", "--case", __file__), ["test_ground_parts.py"]),
        (("halo", "BOX", "--bytes-per-cell", 8), ["--bytes-per-cell = 8", "--order and --precision"]),
        (("halo", "BOX", "--partition", "plain"), ["--partition = plain", "along a curve"]),
        (("halo", "BOX", "--selection"), ["--selection", "--order and --precision"]),
        (("halo", "BOX", "--transport", "mpi"), ["mpi", "expected one of"]),
        (("halo", "--hexagons", "9x9", "--precision", "float"), ["--precision = float", "--bytes-per-cell"]),
    ],
)  # fmt: skip
def test_options_of_another_kind_of_mesh_are_refused(box, arguments, words):
    refused(groundswell(*[box if word == "BOX" else word for word in arguments]), *words)
