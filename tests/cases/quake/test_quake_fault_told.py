"""What a run says of its faults is true: shares are of area, no state without stress, no strength or rate that no point has."""

import re

import netCDF4
import numpy as np
import pytest
from launching import groundswell, refused, run, write_case
from test_quake_faults import mesh, small_fault  # noqa: F401

RATE_AND_STATE = {"a": 0.008, "b": 0.012, "state_distance": 0.02, "initial_slip_rate": 1e-12}


def short(mesh, **fault):  # noqa: F811
    table = small_fault(mesh)
    table["fault"] |= fault
    table["time"]["end"] = "0.2s"
    table["output"] = {"rupture": {"file": "rupture.nc", "every": "50ms"}}
    return table


@pytest.mark.parametrize("points", ["symmetric", "conical"])
def test_the_share_that_fails_at_once_is_of_the_area(mesh, tmp_path, points):  # noqa: F811
    """The half of x > 0, whose faces are a sixth as large by number as the others' here: all of the fault but that of x < 0."""
    table = short(mesh, points=points)
    table["fault"]["set"][1]["box"] = {"x": [0, 2500]}
    outcome = groundswell("run", write_case(tmp_path / "case.toml", table), "--check")
    assert outcome.code == 0, outcome.stderr
    share = float(re.search(r"([\d.]+) % of it fails at once", outcome.stderr)[1])
    at = [float(v) for v in re.search(r"around (\S+), (\S+), (\S+) m", outcome.stderr).groups()]
    assert share == pytest.approx(50.0, abs=1.0)
    np.testing.assert_allclose(at, [1250, 0, -1500], atol=60)


def test_stress_in_another_unit_is_refused_unless_it_is_meant(mesh, tmp_path):  # noqa: F811
    table = short(mesh)
    whole, patch = table["fault"]["set"]
    for unit, greatest in ((1e-6, "120 Pa"), (1e6, "1.2e+14 Pa")):
        for entry, old in ((whole, {"yy": -120e6, "xy": 70e6}), (patch, {"xy": 81.6e6})):
            entry["stress"] = {key: value * unit for key, value in old.items()}
        case = write_case(tmp_path / "case.toml", table)
        for ranks in (0, 2):
            refused(
                groundswell("run", case, "--check", ranks=ranks),
                f"fault.set.stress = {greatest}, where it is greatest",
                "MPa",
                "[fault] unusual = true",
            )
        meant = groundswell("run", case, "--check", "--set", "fault.unusual=true")
        assert meant.code == 0, meant.stderr


def test_cohesion_that_nobody_says_is_told(mesh, tmp_path):  # noqa: F811
    line = "groundswell: fault: cohesion is 0 Pa everywhere, as no [[fault.set]] says it"
    table = short(mesh)
    for said in ({}, {"cohesion": 0.0}, {"cohesion_by_depth": [[-4e3, 0.0], [0.0, 1e6]]}):
        table["fault"]["set"][1] |= said
        outcome = groundswell("run", write_case(tmp_path / "case.toml", table), "--check", ranks=2)
        assert outcome.code == 0 and outcome.stderr.splitlines().count(line) == (not said), outcome.stderr
        table["fault"]["set"][1].pop("cohesion", None)


def test_a_slip_distance_in_kilometres_is_told_of_metres(mesh, tmp_path):  # noqa: F811
    words = "the slip over which the fault weakens is in metres"
    for distance, told in ((0.1, False), (0.1e-3, True)):
        table = short(mesh)
        table["fault"]["set"][0]["slip_distance"] = distance
        outcome = groundswell("run", write_case(tmp_path / "case.toml", table), "--check")
        assert outcome.code == 0 and (words in outcome.stderr) == told, outcome.stderr


@pytest.mark.parametrize("law", ["ageing", "slip", "fast-weakening"])
def test_rate_and_state_without_shear_is_refused(mesh, tmp_path, law):  # noqa: F811
    more = {"weakening_slip_rate": 0.1, "weakened_friction": 0.2} if law == "fast-weakening" else {}
    table = short(mesh, law=law)
    table["fault"]["set"] = [RATE_AND_STATE | more | {"stress": {"yy": -120e6, "xy": 75e6}}]
    assert groundswell("run", write_case(tmp_path / "case.toml", table), "--check").code == 0
    table["fault"]["set"].append({"box": {"x": [0, 1000]}, "stress": {"xy": 0.0}})
    refused(
        groundswell("run", write_case(tmp_path / "case.toml", table), "--check"),
        "fault.set.stress = 0 Pa of shear",
        "1.2e+08 Pa press",
    )


def test_rate_and_state_in_tension_is_refused(mesh, tmp_path):  # noqa: F811
    table = short(mesh, law="ageing")
    table["fault"]["set"] = [
        RATE_AND_STATE | {"stress": {"yy": -120e6, "xy": 75e6}},
        {"box": {"x": [0, 1000]}, "stress": {"yy": 1e6}},
    ]
    refused(
        groundswell("run", write_case(tmp_path / "case.toml", table), "--check"),
        "fault.set.stress = 1e+06 Pa of normal stress",
        "compression, which is negative",
    )


@pytest.mark.parametrize("missing", ["initial_slip_rate", "weakening_slip_rate", "weakened_friction"])
def test_numbers_of_rate_and_state_that_none_are_usual_for_must_be_given(mesh, tmp_path, missing):  # noqa: F811
    numbers = RATE_AND_STATE | {"weakening_slip_rate": 0.1, "weakened_friction": 0.2}
    del numbers[missing]
    table = short(mesh, law="fast-weakening")
    table["fault"]["set"] = [numbers | {"stress": {"yy": -120e6, "xy": 75e6}}]
    refused(
        groundswell("run", write_case(tmp_path / "case.toml", table), "--check"), missing, "is not given at"
    )


def test_maps_show_no_strength_or_rate_that_no_point_has(mesh, tmp_path):  # noqa: F811
    """Strength jumps from 84 to 0 MPa inside faces; the greatest slip rate so far is a bound for any that a map shows later on."""
    table = short(mesh)
    table["fault"]["set"].append({"box": {"x": [900, 1300]}, "static_friction": 0.0, "dynamic_friction": 0.0})
    table["output"]["fault"] = [
        {
            "file": "fault.nc",
            "every": "3.7ms",
            "fields": ["strength", "slip_rate", "peak_slip_rate"],
            "refine": 2,
        }
    ]
    run(write_case(tmp_path / "case.toml", table))
    with netCDF4.Dataset(tmp_path / "output/fault.nc") as file:
        strength, rate, peak = (
            file[name][:].filled() for name in ("strength", "slip_rate", "peak_slip_rate")
        )
    assert 0.0 <= strength.min() < 1e6 and strength.max() < 130e6
    assert rate.max() < 1.3 * peak.max()
