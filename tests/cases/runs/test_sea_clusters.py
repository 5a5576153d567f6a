"""Cells that step at rates of their own (`propagation.cluster_rate = 2`)."""

import json

import netCDF4
import numpy as np
import pytest
from launching import (
    STORM_FILES,
    assert_same,
    groundswell,
    moment,
    refused,
    run,
    storm_case,
    write_case,
)

SCHEMES = ["upwind", "second-order"]
FIRST, LAST = "restart_20240906T034500.nc", "restart_20240906T060000.nc"


@pytest.fixture(scope="module", params=SCHEMES)
def whole(request, tmp_path_factory, coast_mesh, wind_file):
    """A storm on a mesh that is fine at the coast, and the folder of its run on one rank."""
    folder = tmp_path_factory.mktemp("clusters")
    table = storm_case(coast_mesh, wind_file)
    table["propagation"] = {"scheme": request.param, "cluster_rate": 2}
    table["output"]["restart"] = {"every": "45min", "keep": 0}
    table["time"]["source_step"] = "15min"
    case = write_case(folder / "case.toml", table)
    run(case, "--output", folder / "whole")
    return case, folder / "whole"


def result(folder):
    return json.loads((folder / "run.json").read_text())["result"]


def test_the_report_tells_the_clusters(whole):
    _, folder = whole
    found = result(folder)
    clusters = found["clusters"]
    assert len(clusters) > 1 and sum(entry["cells"] for entry in clusters) == found["cells"]
    for finer, coarser in zip(clusters, clusters[1:], strict=False):
        assert coarser["step_seconds"] == 2 * finer["step_seconds"]
    assert clusters[-1]["step_seconds"] == pytest.approx(found["step_seconds"])
    updates = sum(entry["cells"] / entry["step_seconds"] for entry in clusters)
    one_step = found["limiting"]["longest_step_seconds"] * 0.9
    gain = found["local_time_stepping"]["gain_of_clusters"]
    # One step for all is a little shorter than the longest one, so that source steps are whole numbers of it.
    assert 1.2 < found["cells"] / one_step / updates <= gain * 1.0001


@pytest.mark.parametrize(
    ("ranks", "threads", "transport"),
    [pytest.param(2, 1, "posted", marks=pytest.mark.long), (3, 2, "shared"), (4, 1, "neighbor")],
)
def test_bits_do_not_depend_on_ranks_threads_and_transport(whole, tmp_path, ranks, threads, transport):
    case, reference = whole
    run(
        case,
        "--output",
        tmp_path,
        "--set",
        f"run.threads={threads}",
        "--set",
        f'halo.transport="{transport}"',
        ranks=ranks,
    )
    assert_same(tmp_path, reference, [*STORM_FILES, LAST])


@pytest.mark.parametrize("ranks", [pytest.param(0, marks=pytest.mark.long), 3])
def test_bits_do_not_depend_on_a_restart(whole, tmp_path, ranks):
    case, reference = whole
    cut = tmp_path / "cut"
    run(case, "--output", cut, "--set", "time.end=2024-09-06T03:45:00Z", ranks=2)
    run(case, "--output", cut, "--restart", cut / FIRST, ranks=ranks)
    assert_same(cut, reference, [*STORM_FILES, LAST])


def test_other_clusters_than_those_of_the_restart_are_refused(whole, tmp_path):
    case, reference = whole
    for change in ("propagation.courant=0.3", "propagation.cluster_rate=1"):
        outcome = groundswell(
            "run", case, "--output", tmp_path, "--restart", reference / FIRST, "--set", change, ranks=2
        )
        assert outcome.code == 2 and len(outcome.errors) == 1, outcome.stderr


@pytest.mark.parametrize("rate", ["0", "3", "2.5", '"two"'])
def test_an_unknown_rate_is_refused(whole, tmp_path, rate):
    case, _ = whole
    outcome = groundswell("run", case, "--output", tmp_path, "--set", f"propagation.cluster_rate={rate}")
    refused(outcome, "propagation.cluster_rate", rate.strip('"'), "1", "2")


def test_a_given_step_is_that_of_the_slowest(whole, tmp_path):
    """What would be too long a step for all is taken in halves, quarters, … where cells need that."""
    case, _ = whole
    step = ["--set", 'time.step="15min"', "--check", "--output", tmp_path]
    refused(groundswell("run", case, *step, "--set", "propagation.cluster_rate=1"), "time.step", "15min")
    run(case, *step, "--json", tmp_path / "check.json")
    found = json.loads((tmp_path / "check.json").read_text())["result"]
    assert found["step_seconds"] == 900.0 == found["clusters"][-1]["step_seconds"]
    assert found["clusters"][0]["step_seconds"] <= found["limiting"]["longest_step_seconds"]


@pytest.fixture(scope="module")
def island_mesh(make_mesh, inputs):
    """1841 cells, 10 km apart at an island on a shelf and 100 km in the ocean around it."""
    degrees = np.arange(-14.0, 14.01, 0.1)
    radius = 111.2 * np.hypot(*np.meshgrid(degrees, degrees))  # km
    path = inputs / "island-depths.nc"
    with netCDF4.Dataset(path, "w") as data:
        for name, unit in (("lon", "degrees_east"), ("lat", "degrees_north")):
            data.createDimension(name, degrees.size)
            axis = data.createVariable(name, "f8", (name,))
            axis.units, axis[:] = unit, degrees
        elevation = data.createVariable("elevation", "f4", ("lat", "lon"))
        elevation.units = "m"
        elevation[:] = (
            -4000.0 + 3950.0 * np.exp(-((radius / 200.0) ** 4)) + 300.0 * np.exp(-((radius / 50.0) ** 2))
        )
    return make_mesh(
        "island", path, "--region=-12,12,-12,12", "--spacing", "finest=10,coarsest=100,growth=0.1"
    )


# Swell that reaches the island from the west, and a sea that grows with the fetch and in its lee.
SWELL = {
    "initial": {
        "state": "swell",
        "hs": 3.0,
        "tp": 14.0,
        "direction": 270.0,
        "spread": 25.0,
        "centre": [-5.0, 0.0],
        "radius": 300.0,
    },
    "physics": {"package": "none"},
}
WIND = {"wind": [{"uniform": [15.0, 5.0]}], "initial": {"state": "calm"}}


@pytest.mark.parametrize("sea", [SWELL, WIND], ids=["swell", "wind sea"])
@pytest.mark.parametrize("scheme", SCHEMES)
def test_heights_agree_with_those_of_one_step_for_all(island_mesh, tmp_path, scheme, sea):
    """Within half a percent: on average, and second order in 99 of 100 cells. What is left is what longer steps change."""
    table = {
        "time": {"start": moment(0), "end": moment(12)},
        "mesh": {"file": island_mesh},
        "spectrum": {"directions": 16, "frequencies": 12, "first_frequency": 0.04177, "ratio": 1.15},
        "propagation": {"scheme": scheme},
        "output": {"map": [{"file": "map.nc", "every": "6h", "fields": ["hs"]}]},
    } | sea
    case = write_case(tmp_path / "case.toml", table)
    height = {}
    for rate in (1, 2):
        folder = tmp_path / f"{rate}"
        run(case, "--output", folder, "--set", f"propagation.cluster_rate={rate}")
        with netCDF4.Dataset(folder / "map.nc") as data:
            height[rate] = np.ma.filled(data["hs"][1:].astype(float), np.nan)
    assert len(result(tmp_path / "2")["clusters"]) >= (2 if scheme == "upwind" else 3)
    difference = np.abs(height[2] / height[1] - 1.0)[height[1] > 0.1 * height[1].max()]
    assert 0.0 < difference.mean() < 0.005
    if scheme == "second-order":
        assert np.quantile(difference, 0.99) < 0.005
