"""Ruptures that are made to begin: under any law, by stress, by strength and by time; and runs that end with their rupture."""

import json

import netCDF4
import numpy as np
import pytest
from launching import assert_same, groundswell, refused, run, write_case
from profiling import ONE_FAULT, ground_mesh

RATE_AND_STATE = {"a": 0.01, "b": 0.014, "state_distance": 0.1, "initial_slip_rate": 1e-16}
LAWS = {
    "linear-slip-weakening": {"static_friction": 0.677, "dynamic_friction": 0.525, "slip_distance": 0.1},
    "exponential-slip-weakening": {"static_friction": 0.677, "dynamic_friction": 0.525, "slip_distance": 0.1},
    "velocity-weakening": {"static_friction": 0.677, "a": 0.01, "b": 0.2, "state_distance": 0.1},
    "ageing": {**RATE_AND_STATE, "initial_slip_rate": 1e-12},
    "fast-weakening": {**RATE_AND_STATE, "weakening_slip_rate": 0.1, "weakened_friction": 0.2},
}
LEFT, RIGHT = [-1200, 0, -1500], [1200, 0, -1500]


@pytest.fixture(scope="module")
def mesh(tmp_path_factory):
    return ground_mesh(tmp_path_factory.mktemp("nucleation"), ONE_FAULT)


def case_of(mesh, law, *nucleations, end="0.6s", **fault):
    whole_fault = {"healing_velocity": 0.1} if law == "velocity-weakening" else {}
    rest = {**LAWS[law], "stress": {"yy": -120e6, "xy": 70e6}}
    return {
        "model": "quake",
        "time": {"end": end},
        "mesh": {"file": str(mesh)},
        "solver": {"order": 3},
        "material": {"rock": [{"density": 2700, "vp": 6000, "vs": 3464}]},
        "fault": {"law": law, "plus_side": [0, -1e5, 0], "set": [rest, *nucleations], **whole_fault, **fault},
        "output": {"fault": [{"file": "fault.nc", "every": "0.1s", "fields": ["rupture_time", "slip"]}]},
    }


def sphere(centre, **nucleation):
    return {"sphere": {"centre": centre, "radius": 700}, "nucleation": nucleation}


def ruptures(folder):
    """Rupture times, and how far each place is from two others."""
    with netCDF4.Dataset(folder / "fault.nc") as file:
        time = np.ma.filled(file["rupture_time"][-1], np.inf)
        place = np.stack([file[f"mesh_face_{axis}"][:] for axis in "xyz"], axis=-1)
    return time, *(np.linalg.norm(place - centre, axis=-1) for centre in (LEFT, RIGHT))


@pytest.mark.parametrize(
    "law",
    [
        "exponential-slip-weakening",
        *(pytest.param(law, marks=pytest.mark.long) for law in LAWS if law[0] != "e"),
    ],
)
def test_two_places_break_at_their_times_under_any_law(mesh, tmp_path, law):
    """One by stress, the other later by strength."""
    pull = sphere(LEFT, start=0.05, duration=0.1, traction={"strike": 40e6})
    loosen = sphere(RIGHT, start=0.3, duration=0.1, strength=0.4)
    run(write_case(tmp_path / "case.toml", case_of(mesh, law, pull, loosen, end="0.45s")))
    time, left, right = ruptures(tmp_path / "output")
    assert 0.05 <= time[left < 500].max() <= 0.16 and time[left < 500].min() >= 0.05
    assert 0.3 <= time[right < 500].min() and time[right < 500].max() <= 0.41


def test_strength_is_taken_away_from_a_place_outwards(mesh, tmp_path):
    spread = {"nucleation": {"start": 0.1, "duration": 0.02, "strength": 0.3, "speed": 8000, "from": LEFT}}
    table = case_of(mesh, "linear-slip-weakening", spread, end="0.5s")
    table["fault"]["set"][1]["sphere"] = {"centre": LEFT, "radius": 2000}
    run(write_case(tmp_path / "case.toml", table))
    time, left, _ = ruptures(tmp_path / "output")
    inside = left < 1900
    np.testing.assert_allclose(time[inside], 0.1 + left[inside] / 8000, atol=0.05)
    assert np.corrcoef(time[inside], left[inside])[0, 1] > 0.95


def test_a_run_ends_with_its_rupture_at_one_step_on_any_ranks_and_after_a_restart(mesh, tmp_path):
    table = case_of(
        mesh, "linear-slip-weakening", sphere(LEFT, duration=0.05, traction={"strike": 13e6}), end="30s"
    )
    table["fault"] |= {"end_after_quiet": 0.6, "quiet_slip_rate": 0.02, "quiet_moment_rate": 0.02}
    table["solver"]["order"] = 2
    # Slip weakens too slowly for the rupture to leave its patch.
    table["fault"]["set"][0]["slip_distance"] = 3.0
    table["output"]["rupture"] = {"file": "rupture.nc", "every": "0.1s"}
    table["output"]["restart"] = {"every": "0.5s", "keep": 0}
    case = write_case(tmp_path / "case.toml", table)
    outcome = groundswell("run", case)
    assert outcome.code == 0, outcome.stderr
    told = json.loads((tmp_path / "output/run.json").read_text())["result"]
    quiet = told["rupture"]["quiet_since"]
    assert "as the fault is quiet since" in outcome.stdout
    assert 0.05 < quiet and 0.55 < told["simulated_seconds"] - quiet < 0.8 and told["simulated_seconds"] < 10
    with netCDF4.Dataset(tmp_path / "output/rupture.nc") as file:
        rate, time = file["moment_rate"][:], file["time"][:]
        assert rate[time > quiet + 0.05].max() <= 0.02 * rate.max() and rate.max() > 0
    files = ["fault.nc", "rupture.nc"]
    run(case, "--output", tmp_path / "ranks", ranks=3)
    assert_same(tmp_path / "ranks", tmp_path / "output", files)
    restarts = sorted((tmp_path / "output").glob("restart_*.nc"))
    run(case, "--output", tmp_path / "again", "--set", "time.end=1s")
    run(case, "--output", tmp_path / "again", "--restart", tmp_path / "again" / restarts[0].name, ranks=2)
    assert_same(tmp_path / "again", tmp_path / "output", files)


@pytest.mark.parametrize(
    "change, words",
    [
        (lambda c: c["fault"]["set"][1]["nucleation"].pop("duration"), ["nucleation_duration"]),
        (lambda c: c["fault"]["set"][1].pop("sphere") and c["fault"]["set"][1]["nucleation"].update(speed=1e3), ["speed", "a sphere in the entry"]),
        (lambda c: c["fault"]["set"][1]["nucleation"].update(strength=1.5), ["strength = 1.5"]),
        (lambda c: c["fault"]["set"].extend(sphere(LEFT, start=i, duration=1.0, strength=0.1) for i in range(1, 5)), ["4 episodes, not 5"]),
        (lambda c: c["fault"].update(quiet_slip_rate=1e-4), ["quiet_slip_rate", "end_after_quiet next to it"]),
    ],
)  # fmt: skip
def test_what_is_refused(mesh, tmp_path, change, words):
    table = case_of(mesh, "linear-slip-weakening", sphere(LEFT, duration=0.05, strength=0.3))
    change(table)
    refused(groundswell("run", write_case(tmp_path / "case.toml", table), "--quiet"), *words)
