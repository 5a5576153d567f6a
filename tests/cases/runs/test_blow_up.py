"""A sea that blows up ends the run at once: exit code 3, one message with cell, place, time and term; whole records stay."""

import re

import netCDF4
import numpy as np
import pytest
from launching import groundswell, moment, records_shown, run, storm_case, swell_case, write_case

# Constants of the physics with which a term runs away, and the name that the message must give it.
RUNAWAY = {
    "wind_input": {"wind_growth": 10.0, "whitecapping": 0.0, "growth_limiter": 1.0},
    "four_wave": {"four_wave": 1.0e9, "growth_limiter": 1.0, "terms": ["four_wave"]},
}


def runaway_case(folder, mesh, term, maps=None):
    """`maps`: so many of them, and no other output."""
    table = storm_case(mesh, None, hours=12)
    if maps is not None:
        table["output"] = {"map": table["output"]["map"][:maps]}
    # Strong enough that the height passes its bound by far: the moment does not hang on rounding.
    table["wind"] = [{"uniform": [60.0, 10.0]}]
    table["physics"] = RUNAWAY[term]
    if term == "four_wave":
        table["initial"] = {"state": "swell", "hs": 30.0, "tp": 9.0, "direction": 200.0}
    for entry in (*table["output"]["map"], *table["output"].get("points", [])):
        entry["every"] = "5min"
    return write_case(folder / "case.toml", table)


@pytest.mark.parametrize("term", RUNAWAY)
def test_message_and_files(tmp_path, coast_mesh, term):
    case = runaway_case(tmp_path, coast_mesh, term)
    messages = set()
    for ranks in (0, 3):
        folder = tmp_path / str(ranks)
        outcome = groundswell("run", case, "--output", folder, ranks=ranks, seconds=60)
        assert outcome.code == 3, outcome.stderr
        assert len(outcome.errors) == 1, outcome.stderr
        found = re.search(
            r"cell (\d+) at (-?[\d.]+) E (-?[\d.]+) N at (\S+) in the term (\w+)", outcome.errors[0]
        )
        assert found, outcome.errors[0]
        cell, lon, lat, time, blamed = found.groups()
        assert blamed == term
        with netCDF4.Dataset(coast_mesh) as mesh:
            place = np.degrees([mesh["lonCell"][int(cell) - 1], mesh["latCell"][int(cell) - 1]])
        assert np.allclose(place, [float(lon), float(lat)], atol=1e-3)
        with netCDF4.Dataset(folder / "hourly.nc") as data:
            last = netCDF4.num2date(data["time"][-1], data["time"].units).strftime("%Y-%m-%dT%H:%M:%SZ")
            assert moment(3).strftime("%Y-%m-%dT%H:%M:%SZ") <= last < time
            assert np.isfinite(data["hs"][:]).all() and data["hs"][:].max() < 100.0
        assert not (folder / "run.json").exists()
        messages.add(time)
    assert len(messages) == 1  # the moment does not depend on the ranks


def test_a_disk_that_fails_meanwhile_is_told_too(tmp_path, coast_mesh):
    """The last record before the end was handed over, and could not be written when nobody asked any more."""
    case = runaway_case(tmp_path, coast_mesh, "four_wave", maps=1)
    assert groundswell("run", case, "--output", tmp_path / "whole").code == 3
    records = records_shown(tmp_path / "whole" / "hourly.nc")
    calls = 9 + 7 * records  # variables without and with time
    outcome = groundswell(
        *("run", case, "--output", tmp_path / "failed", "--set", "output.mode=servers"),
        ranks=2,
        env={"GROUNDSWELL_TEST_FAIL": f"write:EIO:{calls}"},
    )
    assert outcome.code == 3 and len(outcome.errors) == 1, outcome.stderr
    assert "in the term four_wave" in outcome.errors[0], outcome.stderr
    assert re.search(
        rf"warning: \S+/hourly\.nc: record {records - 1}, .*Input/output error", outcome.stderr
    ), outcome.stderr
    assert records_shown(tmp_path / "failed" / "hourly.nc") == records - 1


@pytest.mark.parametrize("directions", [12, 20, 36])
@pytest.mark.parametrize("scheme", ["upwind", "second-order"])
def test_the_sharpest_front_stays_positive(tmp_path, coast_mesh, scheme, directions):
    """A wave maker in a calm sea: no bin of any cell is ever negative, and no wave is higher than the maker's."""
    table = swell_case(coast_mesh, hours=1)
    table["time"].pop("source_step")
    table["spectrum"]["directions"] = directions
    table["propagation"]["scheme"] = scheme
    table["initial"] = {"state": "calm"}
    table["wave_maker"] = [{"region": [110.0, 116.0, 14.0, 20.0], "hs": 3.0, "tp": 15.0, "direction": 270.0}]
    table["output"]["restart"] = {"every": "10min", "keep": 0}
    run(write_case(tmp_path / "case.toml", table), "--output", tmp_path, ranks=2)
    restarts = sorted(tmp_path.glob("restart_*.nc"))
    assert len(restarts) == 6
    for path in restarts:
        with netCDF4.Dataset(path) as data:
            action = data["action"][:]
        assert action.min() >= 0.0 and 0 < (action > 0.0).sum() < action.size
    with netCDF4.Dataset(tmp_path / "swell.nc") as data:
        assert data["hs"][:].max() < 3.0 * 1.3
