"""`groundswell scale --predict` of a case, with speeds from a short run of it, or from the report of one, and of a mesh alone;
`--measure`. Nothing that is asserted depends on how busy the machine is."""

import json

import pytest
from launching import groundswell, refused, run, swell_case, write_case

from groundswell.scale import machine as machines


@pytest.fixture(scope="module")
def case(tmp_path_factory):
    table = {
        "model": "quake",
        "time": {"end": "0.5s"},
        "mesh": {"box": {"cubes": [5, 5, 5], "length": [2500, 2500, 2500], "jitter": 0.1}},
        "solver": {"order": 3},
        "material": {"rock": [{"density": 2700.0, "vp": 6000.0, "vs": 3464.0}]},
        "output": {"energies": {"file": "energy.nc", "every": "0.1s"}},
    }
    case = write_case(tmp_path_factory.mktemp("scale") / "case.toml", table)
    run(case, ranks=2)
    return case


def kernels_of(folder, *words):
    """A report of kernels of few cells, quickly measured: that a prediction need not measure its own."""
    path = folder / "kernels.json"
    words = ("proxy", *words, "--cells", "480,1920", "--threads", 1, "--repeats", 5, "--json", path)
    outcome = groundswell(*words, seconds=200)
    assert outcome.code == 0, outcome.stderr
    return path


@pytest.fixture(scope="module")
def kernels(tmp_path_factory):
    return kernels_of(tmp_path_factory.mktemp("kernels"), "--model", "quake", "--order", 3)


def scale(case, folder, *arguments):
    chosen = () if "--predict" in arguments else ("--predict", "laptop")
    outcome = groundswell("scale", case, *chosen, "--json", folder / "cost.json", *arguments, seconds=200)
    assert outcome.code == 0, outcome.stderr
    return json.loads((folder / "cost.json").read_text())["result"], outcome.stdout


def test_speeds_come_from_a_short_run(case, tmp_path):
    result, said = scale(case, tmp_path, "--parts", 1, 2, "--png", tmp_path / "cost.png")
    assert [row["parts"] for row in result["predicted"]] == [1, 2]
    assert result["cells"] == 625
    assert result["simulated_seconds"] == 0.5 and "on 2 ranks here" in result["speeds"]["source"]
    one, two = result["predicted"]
    assert 0 == one["communication_seconds"] < two["communication_seconds"]
    assert 0 < two["computing_seconds"] < one["computing_seconds"]
    assert result["model"] == "quake" and set(result["speeds"]["by_cells"]) == {"cells", "seconds"}
    assert (tmp_path / "cost.png").stat().st_size > 10_000
    assert "core-hours" in said


def test_the_report_of_a_run_is_compared(case, kernels, tmp_path):
    report = case.parent / "output" / "run.json"
    words = ("--parts", 2, "--speeds", report, "--compare", report, "--kernels", kernels)
    result, said = scale(case, tmp_path, *words)
    run_seconds = json.loads(report.read_text())["result"]["wall_seconds"]
    found = result["compared"]
    assert found["seconds"] == run_seconds
    assert found["error"] == pytest.approx(found["predicted_seconds"] / run_seconds - 1)
    assert "the run took" in said


def test_speeds_of_another_order_are_refused(case):
    report = case.parent / "output" / "run.json"
    refused(
        groundswell("scale", case, "--predict", "laptop", "--speeds", report, "--set", "solver.order=4"),
        "run.json", "order", "3", "expected 4",
    )  # fmt: skip


def test_a_report_on_other_ranks_is_not_compared(case):
    report = case.parent / "output" / "run.json"
    refused(
        groundswell("scale", case, "--predict", "laptop", "--parts", 1, "--speeds", report, "--compare", report),
        "run.json", "machine.ranks", "2",
    )  # fmt: skip


def test_a_case_of_the_sea(sphere_mesh, tmp_path):
    """Parts of two levels on pretended hosts of two cores, their messages replayed, and what changes with each way."""
    case = write_case(tmp_path / "case.toml", swell_case(sphere_mesh, hours=3))
    run(case, ranks=2)
    table = machines.find("laptop").read_text(encoding="utf-8").replace("hosts = 1", "hosts = 4")
    (tmp_path / "four.toml").write_text(table, encoding="utf-8")
    report = case.parent / "output" / "run.json"
    words = ("--predict", tmp_path / "four.toml", "--parts", 2, 8, "--speeds", report, "--replay")
    spectrum = ("--scheme", "second-order", "--directions", 20, "--frequencies", 6)
    result, said = scale(
        case, tmp_path, *words, "--kernels", kernels_of(tmp_path, "--model", "sea", *spectrum)
    )
    two, eight = result["predicted"]
    assert (two["hosts"], eight["hosts"]) == (1, 4) and (two["method"], eight["method"]) == ("two-level",) * 2
    assert result["model"] == "sea" and result["cells"] == 642 and result["simulated_seconds"] == 3 * 3600
    assert result["needed_share"] is None  # second order reads all directions
    for row in result["predicted"]:
        spent = sum(
            row[f"{name}_seconds"] for name in ("computing", "waiting", "communication", "rest", "output")
        )
        assert row["step_seconds"] == pytest.approx(spent)
    whats = {row["what"] for row in result["changes"] if row["parts"] == 8}
    assert "two-level parts, not parts on random ranks" in whats and "two-level parts" in said
    for row in result["replayed"]:
        assert row["step_seconds"] == pytest.approx(row["formula_seconds"], rel=0.1)


def test_a_mesh_without_a_case(tmp_path):
    path = tmp_path / "cost.json"
    spectrum = ("--scheme", "upwind", "--directions", 12, "--frequencies", 10)
    words = ("scale", "--icosahedron", 10, "--predict", "fvwam28", *spectrum)
    words += ("--kernels", kernels_of(tmp_path, "--model", "sea", *spectrum))
    outcome = groundswell(
        *words, "--parts", 28, 112, "--replay", "--aggregate", "hosts", "--slow-rank", "5:3", "--json", path
    )
    assert outcome.code == 0, outcome.stderr
    result = json.loads(path.read_text())["result"]
    assert result["cells"] == 1002 and result["needed_share"] == pytest.approx(0.66)
    needed = {row["parts"]: row["ratio"] for row in result["changes"] if row["what"].startswith("needed")}
    assert set(needed) == {28, 112} and 1.0 < needed[112] < 1 / 0.66
    one, four = result["replayed"]
    assert (one["messages"], four["tried"]["messages"]) == (0, 4 * 3) and four["messages"] > 12
    assert one["tried"]["ratio"] > 1.5  # one rank of three times the work
    refused(groundswell(*words, "--parts", 1003), "--parts", "1003", "1002")


def test_this_machine_is_described(tmp_path):
    path = tmp_path / "mine.toml"
    outcome = groundswell("scale", "--measure", path, seconds=200)
    assert outcome.code == 0, outcome.stderr
    found = machines.read(str(path))
    assert found.hosts == 1 and found.ranks_per_host == found.cores >= 1
    assert "# [network]" in path.read_text(encoding="utf-8")
