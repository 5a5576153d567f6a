"""What files tell of a rupture: sums over the fault by time, the speed of its front, strength, and what nucleates it."""

import json

import netCDF4
import numpy as np
import pytest
from launching import run, write_case
from test_quake_faults import ageing_law, mesh, small_fault  # noqa: F401


def variables(path, *names):
    with netCDF4.Dataset(path) as file:
        return [np.ma.filled(file[name][:].astype(float), np.nan) for name in names]


@pytest.fixture(scope="module")
def rupture(mesh, tmp_path_factory):  # noqa: F811
    folder = tmp_path_factory.mktemp("rupture")
    table = small_fault(mesh)
    table["time"]["end"] = "2s"
    table["output"]["rupture"]["every"] = "5ms"
    table["output"]["fault"][0].update(
        every="0.5s", fields=["slip", "slip_rate", "strength", "friction", "normal_stress"]
    )
    table["output"]["fault_receivers"][0]["fields"] = [
        "coulomb_stress",
        "strength",
        "slip_rate",
        "rupture_time",
    ]
    run(write_case(folder / "case.toml", table))
    return folder / "output"


def test_the_series_adds_up_what_the_fault_does(rupture):
    time, moment, rate, magnitude, area = variables(
        rupture / "rupture.nc", "time", "moment", "moment_rate", "magnitude", "area"
    )
    assert moment[0] == 0 and np.isnan(magnitude[0]) and (np.diff(moment) >= 0).all()
    np.testing.assert_allclose(magnitude[1:], (np.log10(moment[1:]) - 9.05) / 1.5, atol=0.005)
    integral = np.concatenate([[0], np.cumsum((rate[1:] + rate[:-1]) / 2 * np.diff(time))])
    np.testing.assert_allclose(integral, moment, rtol=0.02, atol=0.01 * moment[-1])
    # All of the fault's 5 km × 3 km breaks in the end, and slip times area times μ is the moment.
    assert area[-1] == pytest.approx(15e6, rel=1e-6)
    mean, largest = variables(rupture / "rupture.nc", "mean_slip", "largest_slip")
    assert moment[-1] == pytest.approx(2700 * 3464**2 * mean[-1] * area[-1], rel=1e-6)
    assert (largest >= mean).all()
    told = json.loads((rupture / "run.json").read_text())["result"]["rupture"]
    assert told["moment"] == pytest.approx(moment[-1], rel=0.01)
    assert told["area"] == pytest.approx(area[-1], rel=1e-6)
    with netCDF4.Dataset(rupture / "fault.nc") as file:
        assert told["faces"] == len(set(file["mesh_cell"][:]))


def test_energies_of_a_rupture_are_what_stress_and_slip_make_of_them(rupture):
    names = ("friction_work", "fracture_work", "released_work", "radiated_energy", "moment")
    friction, fracture, released, radiated, moment = (
        v[-1] for v in variables(rupture / "rupture.nc", *names)
    )
    # What the initial stress of 70 MPa (82 in the square, 2.56 of 15 km²) does over the slip goes into one or the other.
    slip_area = moment / (2700 * 3464**2)
    assert 70e6 * slip_area < friction + released < 75e6 * slip_area
    # Friction falls from 0.677 to 0.525 at 120 MPa over 0.1 m: half of the fall times that, on 15 km².
    assert fracture == pytest.approx(0.5 * 0.152 * 120e6 * 0.1 * 15e6, rel=0.15)
    assert 0 < radiated < released


@pytest.mark.parametrize("law", ["linear-slip-weakening", "linear-slip-weakening-bimaterial"])
def test_what_a_run_tells_in_the_end_is_what_its_series_ends_with(mesh, tmp_path, law):  # noqa: F811
    table = small_fault(mesh)
    table["fault"]["law"] = law
    table["time"]["end"] = "2s"
    table["output"]["rupture"]["every"] = "0.1s"
    table["output"]["fault"][0].update(every="2s", fields=["slip"])
    run(write_case(tmp_path / "case.toml", table))
    told = json.loads((tmp_path / "output/run.json").read_text())["result"]["rupture"]
    for name in ("fracture_work", "friction_work", "released_work"):
        (series,) = variables(tmp_path / "output/rupture.nc", name)
        assert series[-1] != 0 and told[name] == pytest.approx(series[-1], rel=0.01), name


def test_strength_is_friction_times_pressure(rupture):
    strength, friction, normal = variables(rupture / "fault.nc", "strength", "friction", "normal_stress")
    np.testing.assert_allclose(strength[0], 0.677 * 120e6, rtol=1e-3)
    np.testing.assert_allclose(strength, -friction * normal, rtol=0.1)


def test_the_coulomb_stress_of_a_fault_rises_to_zero_where_it_slips(rupture):
    names = ("time", "coulomb_stress", "strength", "slip_rate", "rupture_time")
    time, coulomb, strength, rate, broken = variables(rupture / "places.nc", *names)
    slips, before = rate > 1e-6, time[:, None] < np.nanmin(broken, axis=0) - 0.1
    assert slips.any() and before.any() and (coulomb[before] < 0).all()
    np.testing.assert_allclose(coulomb[slips] / strength[slips], 0, atol=1e-6)
    # The stress at the start is 70 MPa, the strength 0.677 times 120 MPa.
    assert coulomb[0, 1] == pytest.approx(70e6 - 0.677 * 120e6, rel=1e-3)


def test_the_front_has_the_speed_that_it_is_forced_to(mesh, tmp_path):  # noqa: F811
    """Down the fault at 2.5 km/s, in a fault that would not break by itself."""
    table = small_fault(mesh)
    table["time"]["end"] = "1.4s"
    table["fault"]["forced_rupture_duration"] = 0.05
    table["fault"]["set"] = [
        {
            "static_friction": 5.0,
            "dynamic_friction": 0.525,
            "slip_distance": 1e3,
            "forced_rupture_time_by_depth": [[-3000.0, 1.2], [0.0, 0.0]],
            "stress": {"yy": -120e6, "xy": 70e6},
        }
    ]
    table["output"] = {
        "fault": [{"file": "fault.nc", "every": "0.7s", "fields": ["rupture_time", "rupture_velocity"]}]
    }
    run(write_case(tmp_path / "case.toml", table))
    z, times, speed = variables(
        tmp_path / "output" / "fault.nc", "mesh_face_z", "rupture_time", "rupture_velocity"
    )
    assert np.isnan(speed[0]).all() and np.isnan(speed[1]).any()
    # Friction is below 70 / 120 at the end of its fall; a triangle has the time of a point up to 60 m from its centre.
    np.testing.assert_allclose(times[-1], -z / 2500 + 0.05, atol=0.05)
    np.testing.assert_allclose(speed[-1], 2500, rtol=0.06)
    assert np.median(speed[-1]) == pytest.approx(2500, rel=0.01)


def test_nucleation_and_state_are_told_alike_on_maps_and_at_places(mesh, tmp_path):  # noqa: F811
    table = small_fault(mesh)
    table["time"]["end"] = "0.4s"
    place = [0.0, 0.0, -1500.0]
    table["fault"] = {**ageing_law(72e6), "nucleation_duration": 0.3}
    table["fault"]["set"].append({"nucleation": {"stress": {"xy": 5e6}}})
    fields = ["traction_strike", "normal_stress", "friction", "state", "strength"]
    table["output"] = {
        "fault": [{"file": "fault.nc", "every": "0.1s", "fields": fields}],
        "fault_receivers": [{"file": "places.nc", "every": "0.1s", "at": [place], "fields": fields}],
    }
    run(write_case(tmp_path / "case.toml", table))
    time, *maps = variables(tmp_path / "output" / "fault.nc", "time", *fields)
    places = variables(tmp_path / "output" / "places.nc", *fields)
    for field, on_map, at_place in zip(fields, maps, places):
        assert at_place.std() > 0 or field == "normal_stress"
        np.testing.assert_allclose(on_map, at_place * np.ones_like(on_map), rtol=2e-3, err_msg=field)
    # exp((t − T)² / (t (t − 2T))) of 5 MPa, less what the fault gives by creeping.
    left = time[1:3] - 0.3
    share = np.exp(left**2 / (time[1:3] * (time[1:3] - 0.6)))
    np.testing.assert_allclose(places[0][:, 0], 72e6 + 5e6 * np.array([0, *share, 1, 1]), rtol=1e-3)
    with netCDF4.Dataset(tmp_path / "output" / "fault.nc") as file:
        assert file["state"].units == "s"
