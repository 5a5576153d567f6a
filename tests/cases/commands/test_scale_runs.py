"""`groundswell scale --predict` of a case, with speeds from a short run of it, or from the report of one; nothing that is asserted
depends on how busy the machine is."""

import json

import pytest
from launching import groundswell, refused, run, write_case


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


def scale(case, folder, *arguments):
    outcome = groundswell(
        "scale", case, "--predict", "laptop", "--json", folder / "cost.json", *arguments, seconds=200
    )
    assert outcome.code == 0, outcome.stderr
    return json.loads((folder / "cost.json").read_text())["result"], outcome.stdout


def test_speeds_come_from_a_short_run(case, tmp_path):
    result, said = scale(case, tmp_path, "--parts", 1, 2, "--png", tmp_path / "cost.png")
    assert [row["parts"] for row in result["predicted"]] == [1, 2]
    assert result["cells"] == 625
    assert result["simulated_seconds"] == 0.5 and "on 2 ranks here" in result["speeds"]["source"]
    one, two = result["predicted"]
    assert 0 == one["communication_seconds"] < two["communication_seconds"]
    # Half as much, or more where the cores' memory does not keep up.
    assert one["computing_seconds"] / 2 * (1 - 1e-9) <= two["computing_seconds"] <= one["computing_seconds"]
    assert (tmp_path / "cost.png").stat().st_size > 10_000
    assert "core-hours" in said


def test_the_report_of_a_run_is_compared(case, tmp_path):
    report = case.parent / "output" / "run.json"
    result, said = scale(case, tmp_path, "--parts", 2, "--speeds", report, "--compare", report)
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
