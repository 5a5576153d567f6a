"""`groundswell halo`: its report, the transports' values, bytes by rank and by host, what it refuses."""

import json

import pytest
from launching import groundswell, refused

TRANSPORTS = {
    "point-to-point",
    "posted",
    "persistent",
    "neighbor",
    "datatypes",
    "shared",
}
PATCH = ("--hexagons", "24x20", "--directions", "12", "--frequencies", "5", "--repeats", "4")
BYTES = 12 * 5 * 4


def measure(folder, *arguments, ranks=2, env=None):
    """The result of a measurement, which must succeed, and its table."""
    path = folder / "halo.json"
    outcome = groundswell("halo", *arguments, "--json", path, ranks=ranks, env=env)
    assert outcome.code == 0, outcome.stderr
    report = json.loads(path.read_text())
    assert (
        report["schema"] == 1 and report["command"] == "halo" and report["machine"]["ranks"] == max(ranks, 1)
    )
    report["result"]["table"], report["result"]["said"] = outcome.stdout, outcome.stderr
    report["result"]["hosts"] = report["machine"]["hosts"]
    return report["result"]


def available(result):
    return [one for one in result["transports"] if one["available"]]


def is_phase(time):
    assert set(time) == {"p10", "median", "min", "mean", "max"}
    return 0 <= time["p10"] <= time["median"] and 0 <= time["min"] <= time["mean"] <= time["max"]


@pytest.mark.parametrize("ranks", [1, 2, 3])
def test_every_transport_brings_the_right_values(tmp_path, ranks):
    result = measure(tmp_path, *PATCH, ranks=ranks)
    assert {one["name"] for one in result["transports"]} == TRANSPORTS
    assert {"point-to-point", "posted", "neighbor", "datatypes", "shared"} <= {
        one["name"] for one in available(result)
    }
    assert all(one["verified"] is True for one in available(result))
    assert all(one["reason"] for one in result["transports"] if not one["available"])
    assert all(one["name"] in result["table"] for one in result["transports"])
    assert result["auto_choice"] in TRANSPORTS and "WRONG" not in result["table"]
    times = {one["name"]: one["whole"]["p10"] for one in available(result)}
    ratio = times[result["auto_choice"]] / min(times.values())
    assert result["auto_to_best"] == pytest.approx(ratio) and ratio >= 1.0


def test_report_of_halo(tmp_path):
    result = measure(tmp_path, *PATCH)
    assert (result["cells"], result["layers"], result["bytes_per_cell"]) == (480, 2, BYTES)
    assert result["repeats"] == 4 and result["baseline"] == "point-to-point"
    copy = result["memcpy_seconds"]
    assert set(copy) == {"p10", "median"} and 0 < copy["p10"] <= copy["median"]
    assert result["memcpy_bytes"] == result["received_bytes"]["max"] > 0
    baseline = next(one for one in result["transports"] if one["name"] == "point-to-point")
    for one in available(result):
        assert all(is_phase(one[phase]) for phase in ("pack", "wait", "unpack", "whole"))
        assert one["whole"]["p10"] > 0
        for which in ("mean", "max"):
            assert one["speedup"][which] == pytest.approx(baseline["whole"][which] / one["whole"][which])
        assert one["ratio_to_memcpy"] == pytest.approx(one["whole"]["p10"] / copy["p10"])
        assert one["off_host_bytes"] == 0
    assert baseline["speedup"] == {"mean": 1.0, "max": 1.0}


@pytest.mark.parametrize("ranks", [2, 3])
def test_matrix_sums_are_what_transports_send(tmp_path, ranks):
    """Sender by row, receiver by column; whole cells; nothing to oneself."""
    result = measure(tmp_path, *PATCH, "--layers", "1", ranks=ranks)
    matrix = result["matrix_bytes"]
    assert len(matrix) == ranks and all(len(row) == ranks for row in matrix)
    assert all(matrix[rank][rank] == 0 for rank in range(ranks))
    assert all(number % BYTES == 0 for row in matrix for number in row)
    total = sum(map(sum, matrix))
    received = [sum(row[rank] for row in matrix) for rank in range(ranks)]
    assert result["received_bytes"] == pytest.approx(
        {"min": min(received), "mean": total / ranks, "max": max(received)}
    )
    links = sum(number > 0 for row in matrix for number in row)
    for one in available(result):
        assert one["bytes_sent"] == total > 0, one["name"]
        assert one["messages"] <= links


@pytest.mark.parametrize("hosts", ["2", "2,round-robin"])
def test_bytes_that_leave_pretended_hosts(tmp_path, hosts):
    """Those of the matrix between ranks of different hosts, for whatever carries them."""
    result = measure(tmp_path, *PATCH, ranks=3, env={"GROUNDSWELL_TEST_HOSTS": hosts})
    assert result["hosts"] == 2 and sorted(set(result["host_of_rank"])) == [0, 1]
    host, matrix = result["host_of_rank"], result["matrix_bytes"]
    leaving = sum(matrix[a][b] for a in range(3) for b in range(3) if host[a] != host[b])
    total = sum(map(sum, matrix))
    assert 0 < leaving < total
    assert result["off_host_share"] == pytest.approx(leaving / total)
    assert all(one["off_host_bytes"] == leaving and one["verified"] for one in available(result))
    links = [(a, b) for a in range(3) for b in range(3) if matrix[a][b] > 0]
    messages = {one["name"]: one["messages"] for one in available(result)}
    assert messages["posted"] == len(links)
    # What a rank reads in the memory of its host is no message.
    assert 0 < messages["shared"] == sum(host[a] != host[b] for a, b in links) < len(links)


def test_needed_directions_are_fewer_bytes(tmp_path):
    result = measure(tmp_path, *PATCH, "--selection", ranks=3, env={"GROUNDSWELL_TEST_HOSTS": "3"})
    assert result["layers"] == 1 and 0.4 < result["selected_share"] < 0.75
    total = sum(map(sum, result["matrix_bytes"]))
    posted = next(one for one in result["transports"] if one["name"] == "posted")
    for one in available(result):
        assert one["bytes_sent"] == total
        if "selected" in one:
            assert one["selected"]["verified"] is True
            assert one["selected"]["bytes_sent"] == one["selected"]["off_host_bytes"]
            assert one["selected"]["bytes_sent"] == pytest.approx(result["selected_share"] * total)
    assert "selected" in posted and "posted, needed only" in result["table"]


def test_chosen_transports_of_a_mesh_file(tmp_path, coast_mesh):
    """One is not measured: nothing to compare with; each once, in the order given; whole cells of any size."""
    names = "shared,posted,shared"
    options = ("--transport", names, "--bytes-per-cell", "13", "--repeats", "3", "--partition", "scattered")
    result = measure(tmp_path, coast_mesh, *options, "--quiet")
    assert [one["name"] for one in result["transports"]] == ["shared", "posted"]
    assert all(one["verified"] and one["speedup"] is None for one in result["transports"])
    assert (result["cells"], result["bytes_per_cell"], result["auto_choice"]) == (542, 13, None)
    assert result["table"] == "" and "halo" not in result["said"]


@pytest.mark.parametrize("way", ["reverse", "rotate"])
def test_ranks_that_the_library_moved(tmp_path, way):
    """The measurement runs on the new ranks: the same bytes, the right values."""
    still = measure(tmp_path, *PATCH, ranks=3)
    moved = measure(tmp_path, *PATCH, "--reorder", ranks=3, env={"GROUNDSWELL_TEST_REORDER": way})
    assert moved["moved_ranks"] >= 2 and still["moved_ranks"] == 0
    assert moved["matrix_bytes"] == still["matrix_bytes"]
    assert all(one["verified"] for one in available(moved))


def test_report_on_standard_output_stands_alone():
    outcome = groundswell("halo", *PATCH, "--transport", "posted", "--json", "-", ranks=2)
    assert outcome.code == 0 and json.loads(outcome.stdout)["command"] == "halo", outcome.stderr


def test_repeats_are_chosen_to_take_seconds(tmp_path):
    result = measure(tmp_path, "--hexagons", "60x60", "--transport", "posted,shared", "--layers", "1")
    # A round is at least one whole exchange of each.
    least = sum(one["whole"]["min"] for one in result["transports"])
    assert 20 <= result["repeats"] <= 5000 and least * result["repeats"] < 6.0


@pytest.mark.parametrize("ranks", [0, 2])
@pytest.mark.parametrize(
    "arguments, words",
    [
        (["--hexagons", "9x9", "--transport", "postd"], ["postd", "point-to-point", "did you mean posted?"]),
        (["--hexagons", "9x9", "--transport", "posted,mpi"], ["mpi", "expected one of"]),
        (["none.nc"], ["none.nc"]),
        ([], ["a mesh file or --hexagons"]),
        (["mesh.nc", "--hexagons", "9x9"], ["mesh.nc", "one of the two"]),
        (["--hexagons", "9"], ["--hexagons = 9", "200x200"]),
        (["--hexagons", "9x0"], ["--hexagons = 9x0"]),
        (["--hexagons", "9x9x9"], ["--hexagons = 9x9x9"]),
        (["--hexagons", "20000x20000"], ["--hexagons = 20000x20000", "20 million cells"]),
        (["--hexagons", "9x9", "--layers", "3"], ["--layers"]),
        (["--hexagons", "9x9", "--layers", "2", "--selection"], ["--layers = 2", "second order"]),
        (["--hexagons", "9x9", "--bytes-per-cell", "8", "--selection"], ["--bytes-per-cell = 8"]),
        (["--hexagons", "9x9", "--bytes-per-cell", "0"], ["--bytes-per-cell"]),
        (["--hexagons", "9x9", "--partition", "tow-level"], ["--partition = tow-level", "two-level"]),
        (["--hexagons", "9x9", "--mapping", "best"], ["--mapping = best", "auto or none"]),
        (["--hexagons", "9x9", "--repeats", "many"], ["--repeats", "many"]),
    ],
)
def test_bad_input_is_refused(tmp_path, arguments, words, ranks):
    outcome = groundswell("halo", *arguments, "--json", tmp_path / "x.json", ranks=ranks)
    refused(outcome, *words)
    assert not (tmp_path / "x.json").exists() and outcome.stdout == ""
