"""Fields of faults that are told of others: when friction has weakened, how both sides move along the normal, what slip adds to stress."""

import netCDF4
import numpy as np
import pytest
from launching import groundswell, refused, run, write_case
from test_quake_fault_outputs import variables
from test_quake_faults import ageing_law, mesh, small_fault  # noqa: F401

PLACES = [[0, 0, -1500], [900, 0, -1100], [-1400, 0, -2000], [1500, 0, -700]]
FAST = {
    "a": 0.01,
    "b": 0.014,
    "state_distance": 0.1,
    "initial_slip_rate": 1e-16,
    "weakening_slip_rate": 0.1,
    "weakened_friction": 0.2,
}


def outputs(places, fields):
    return {
        "fault": [{"file": "fault.nc", "every": "0.1s", "fields": fields}],
        "fault_receivers": [{"file": "places.nc", "every": "4ms", "at": places, "fields": fields}],
    }


def series(path, *names):
    """[time], and [place][time] of each field."""
    time, *fields = variables(path, "time", *names)
    return time, *(field.T for field in fields)


@pytest.mark.parametrize("law", ["linear-slip-weakening", "exponential-slip-weakening"])
def test_friction_has_weakened_once_slip_has_reached_its_distance(mesh, tmp_path, law):  # noqa: F811
    table = small_fault(mesh)
    table["time"]["end"] = "1.2s"
    table["fault"]["law"] = law
    places = [[x, 0, z] for x in np.linspace(-1900, 1900, 9) for z in (-2500, -1900, -1300, -700)]
    table["output"] = outputs(places, ["slip", "rupture_time", "weakening_time", "friction"])
    run(write_case(tmp_path / "case.toml", table))
    time, slip, broken, weakened, friction = series(
        tmp_path / "output/places.nc", "slip", "rupture_time", "weakening_time", "friction"
    )
    distance = table["fault"]["set"][0]["slip_distance"]
    slipped = []
    for s in range(len(places)):
        assert np.isnan(weakened[s, 0]) and len(np.unique(weakened[s][~np.isnan(weakened[s])])) == 1
        last = weakened[s, -1]
        assert broken[s, -1] < last < time[-1]
        slipped.append(np.interp(last, time, slip[s]))
        # Nothing is told before the step in which it has happened.
        assert np.isnan(weakened[s][time < last - 0.01]).all()
        if law == "linear-slip-weakening":
            late, early = friction[s][time > last + 0.004], friction[s][time < last - 0.004]
            assert late == pytest.approx(0.525, abs=1e-6) and (early > 0.525 + 1e-6).all()
        else:
            assert np.interp(last, time, friction[s]) == pytest.approx(0.525 + 0.05 * 0.152, abs=2e-3)
    # Slip is the place's own, the time that of the nearest point, up to 100 m away.
    assert np.median(slipped) == pytest.approx(distance, rel=0.1)
    with netCDF4.Dataset(tmp_path / "output/fault.nc") as file:
        first, then = (file[name][-1] for name in ("rupture_time", "weakening_time"))
        both = ~np.ma.getmaskarray(then)
        assert (
            both.sum() > 50 and (then[both] > first[both]).all() and not np.ma.getmaskarray(first)[both].any()
        )


def test_friction_that_falls_at_high_slip_rates_has_weakened_but_for_a_twentieth(mesh, tmp_path):  # noqa: F811
    table = small_fault(mesh)
    table["time"]["end"] = "0.8s"
    table["fault"] = {
        "law": "fast-weakening",
        "plus_side": [0, -1e5, 0],
        "nucleation_duration": 0.2,
        "set": [
            FAST | {"stress": {"yy": -120e6, "xy": 45e6}},
            {
                "sphere": {"centre": PLACES[0], "radius": 1000.0},
                "nucleation": {"stress": {"xy": 45e6}},
            },
        ],
    }
    table["output"] = outputs(PLACES[:1], ["rupture_time", "weakening_time", "friction"])
    run(write_case(tmp_path / "case.toml", table))
    time, broken, weakened, friction = series(
        tmp_path / "output/places.nc", "rupture_time", "weakening_time", "friction"
    )
    last = weakened[0, -1]
    assert broken[0, -1] < last < time[-1]
    assert np.interp(last, time, friction[0]) == pytest.approx(0.2 + 0.05 * 0.4, abs=5e-3)
    assert (friction[0][(time > broken[0, -1]) & (time < last - 0.004)] > 0.22).all()


def test_both_sides_move_alike_along_the_normal(mesh, tmp_path):  # noqa: F811
    """As receivers in the rock to both sides do, while a wave passes that the mesh carries and the fault bears."""
    table = small_fault(mesh)
    table["solver"]["order"] = 5
    table["time"]["end"] = "1.2s"
    table["fault"]["set"] = [
        {
            "static_friction": 5.0,
            "dynamic_friction": 0.5,
            "slip_distance": 1.0,
            "stress": {"yy": -120e6, "xy": 10e6},
        }
    ]
    explosion = {"xx": 1e15, "yy": 1e15, "zz": 1e15, "xy": 0.0, "yz": 0.0, "xz": 0.0}
    table["source"] = {
        "point": [
            {"place": [-700.0, -1900.0, -2500.0], "moment": explosion, "centre": 0.4, "width": 0.1},
        ]
    }
    table["output"] = outputs(PLACES[1:], ["normal_velocity"])
    table["output"]["receivers"] = [
        {
            "file": "rock.nc",
            "every": "4ms",
            "at": [[x, side, z] for side in (-0.1, 0.1) for x, _, z in PLACES[1:]],
            "fields": ["vy"],
        }
    ]
    run(write_case(tmp_path / "case.toml", table))
    _, along = series(tmp_path / "output/places.nc", "normal_velocity")
    _, normal = series(tmp_path / "output/rock.nc", "vy")
    plus, minus = normal[:3], normal[3:]
    # The + side lies at y < 0, so the normal is that of y, and the wave comes along it.
    largest = np.abs(along).max(axis=1, keepdims=True)
    assert (along.max(axis=1, keepdims=True) > 0.5 * largest).all()
    for other in (plus, minus, 0.5 * (plus + minus)):
        assert (np.abs(along - other) / largest).max() < 0.02


def test_maps_and_receivers_tell_the_same_of_one_place(mesh, tmp_path):  # noqa: F811
    fields = ["normal_velocity", "rupture_velocity", "weakening_time"]
    table = small_fault(mesh)
    table["time"]["end"] = "0.9s"
    table["output"] = outputs(PLACES, fields)
    for folder in ("map", "places"):
        (tmp_path / folder).mkdir()
    run(write_case(tmp_path / "map/case.toml", table))
    with netCDF4.Dataset(tmp_path / "map/output/fault.nc") as file:
        centre = np.stack([file[f"mesh_face_{axis}"][:] for axis in "xyz"], axis=-1)
        on_map = [np.ma.filled(file[name][:].astype(float), np.nan) for name in fields]
    broken = np.isfinite(on_map[1][-1]) & np.isfinite(on_map[2][-1])
    chosen = np.flatnonzero(broken)[:4]
    assert len(chosen) == 4
    table["output"] = outputs(centre[chosen].tolist(), fields)
    table["output"]["fault_receivers"][0]["every"] = "0.1s"
    run(write_case(tmp_path / "places/case.toml", table))
    at_places = variables(tmp_path / "places/output/places.nc", *fields)
    for name, map_values, values in zip(fields, on_map, at_places):
        assert np.isfinite(values[-1]).all(), name
        scale = np.nanmax(np.abs(values))
        np.testing.assert_allclose(map_values[:, chosen], values, atol=1e-4 * scale, rtol=1e-5, err_msg=name)


def test_what_slip_adds_to_stress_leaves_the_initial_stress(mesh, tmp_path):  # noqa: F811
    table = small_fault(mesh)
    table["time"]["end"] = "0.5s"
    parts = ["normal_stress", "traction_strike", "traction_dip"]
    table["output"] = outputs(PLACES[1:], [*parts, *(f"{name}_change" for name in parts)])
    run(write_case(tmp_path / "case.toml", table))
    for name, initial in zip(parts, (-120e6, 70e6, 0.0)):
        for file, tolerance in (("fault.nc", 1e-5), ("places.nc", 1e-6)):
            every, change = variables(tmp_path / "output" / file, name, f"{name}_change")
            # On a map the square in the middle, which is under more stress, is seen as well.
            there = np.isclose(every[0], initial, atol=1e3)
            assert there.sum() >= 3 and np.abs(change[0, there]).max() == 0.0
            left = every[:, there] - change[:, there]
            np.testing.assert_allclose(left, initial, atol=120e6 * tolerance, err_msg=f"{file}: {name}")
            assert name != "traction_strike" or np.abs(change).max() > 5e6


def test_laws_without_an_end_of_weakening_have_no_such_time(mesh, tmp_path):  # noqa: F811
    table = small_fault(mesh)
    table["fault"] = ageing_law(72e6)
    table["output"] = outputs(PLACES, ["weakening_time"])
    outcome = groundswell("run", write_case(tmp_path / "case.toml", table), "--check")
    refused(outcome, "output.fault", "weakening_time belongs to friction")
