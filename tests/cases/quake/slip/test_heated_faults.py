"""Faults that heat, and whose numbers vary at random: the same bits on any ranks and after a restart, what heat does, what is refused."""

import json

import netCDF4
import numpy as np
import pytest
from launching import assert_same, groundswell, refused, run, write_case
from profiling import ONE_FAULT, ground_mesh

HEAT = {"diffusivity": 1e-6, "heat_capacity": 2.7e6, "pressure_per_kelvin": 1e5}
FIELDS = ["slip", "temperature_change", "pore_pressure_change", "strength", "friction", "normal_stress"]


@pytest.fixture(scope="module")
def mesh(tmp_path_factory):
    return ground_mesh(tmp_path_factory.mktemp("heated"), ONE_FAULT)


def heated(mesh):
    """Under rate-and-state friction that weakens fast; stress in a sphere starts it, L and the zone's width vary."""
    rest = {
        "a": 0.01, "b": 0.014, "state_distance": 0.1, "initial_slip_rate": 1e-16, "weakening_slip_rate": 0.1,
        "weakened_friction": 0.2, "shear_zone_half_width": 0.01, "hydraulic_diffusivity": 4e-4,
        "stress": {"yy": -60e6, "xy": 30e6},
    }  # fmt: skip
    pull = {
        "sphere": {"centre": [0, 0, -1500], "radius": 1000},
        "nucleation": {"duration": 0.1, "traction": {"strike": 25e6}},
    }
    varied = {
        "add": True, "state_distance": 0.02, "shear_zone_half_width": 0.002,
        "random": {"seed": 5, "correlation_length": 1500.0, "shortest_wavelength": 600.0},
    }  # fmt: skip
    return {
        "model": "quake",
        "time": {"end": "0.4s"},
        "mesh": {"file": str(mesh)},
        "solver": {"order": 3},
        "material": {"rock": [{"density": 2700, "vp": 6000, "vs": 3464}]},
        "fault": {
            "law": "fast-weakening",
            "plus_side": [0, -1e5, 0],
            "thermal_pressurisation": dict(HEAT),
            "set": [rest, pull, varied],
        },
        "output": {
            "fault": [{"file": "fault.nc", "every": "0.1s", "fields": FIELDS}],
            "fault_receivers": [
                {"file": "places.nc", "every": "10ms", "at": [[0, 0, -1500]], "fields": FIELDS}
            ],
            "restart": {"every": "0.2s", "keep": 0},
        },
    }


def test_heat_takes_strength_away_with_the_same_bits_however_it_is_run(mesh, tmp_path):
    table = heated(mesh)
    case = write_case(tmp_path / "case.toml", table)
    run(case)
    with netCDF4.Dataset(tmp_path / "output/fault.nc") as file:
        last = {name: np.ma.filled(file[name][-1], np.nan) for name in FIELDS}
    slipped = last["slip"] > 0.1
    assert 20 < slipped.sum() < slipped.size
    assert np.all(last["temperature_change"][slipped] > 5) and np.all(last["pore_pressure_change"] >= 0)
    # What cannot leave at all adds this much.
    undrained = HEAT["pressure_per_kelvin"] * last["temperature_change"]
    assert np.all(last["pore_pressure_change"][slipped] < undrained[slipped])
    assert np.all(last["pore_pressure_change"][slipped] > 0.1 * undrained[slipped])
    still = last["slip"] < 1e-6
    assert still.any() and np.all(last["temperature_change"][still] < 1e-2)
    # Strength is friction times what the fluid leaves of the pressure.
    with netCDF4.Dataset(tmp_path / "output/places.nc") as file:
        one = {name: file[name][-1, 0] for name in FIELDS}
    assert one["pore_pressure_change"] > 1e6
    pressure = -one["normal_stress"] - one["pore_pressure_change"]
    np.testing.assert_allclose(one["strength"], one["friction"] * pressure, rtol=0.02)
    files = ["fault.nc", "places.nc"]
    run(case, "--output", tmp_path / "ranks", "--set", "run.threads=2", ranks=3)
    assert_same(tmp_path / "ranks", tmp_path / "output", files)
    restart = min(path.name for path in (tmp_path / "output").glob("restart_*.nc"))
    run(case, "--output", tmp_path / "again", "--set", "time.end=0.3s")
    run(case, "--output", tmp_path / "again", "--restart", tmp_path / "again" / restart, ranks=2)
    assert_same(tmp_path / "again", tmp_path / "output", files)
    # Without heat the fault bears more, and slips less.
    del table["fault"]["thermal_pressurisation"]
    for entry in table["fault"]["set"]:
        for key in ("shear_zone_half_width", "hydraulic_diffusivity"):
            entry.pop(key, None)
    for stream in ("fault", "fault_receivers"):
        table["output"][stream][0]["fields"] = ["slip", "strength"]
    run(write_case(tmp_path / "cold.toml", table), "--output", tmp_path / "cold")
    with netCDF4.Dataset(tmp_path / "cold/fault.nc") as file:
        assert last["slip"].max() > 1.02 * file["slip"][-1].max()
        assert np.mean(last["strength"][slipped]) < 0.98 * np.mean(file["strength"][-1][slipped])


def heated_in_clusters(mesh):
    """Soft rock above the middle of the patch that breaks first, hard rock below: faces of both step by steps of their own."""
    table = heated(mesh)
    table["material"]["rock"] = [{"layers": [[0, 2400, 2600, 1500], [-1500, 2700, 6000, 3464]]}]
    table["solver"] |= {"cluster_rate": 2, "scale": 1.0}
    return table


def test_heat_goes_on_under_local_steps_as_under_one(mesh, tmp_path):
    case = write_case(tmp_path / "case.toml", heated_in_clusters(mesh))
    run(case)
    clusters = json.loads((tmp_path / "output/run.json").read_text())["result"]["clusters"]
    assert sum(cluster["fault_faces"] > 10 for cluster in clusters) >= 2, clusters
    files = ["fault.nc", "places.nc"]
    run(case, "--output", tmp_path / "ranks", ranks=3)
    assert_same(tmp_path / "ranks", tmp_path / "output", files)
    restart = min(path.name for path in (tmp_path / "output").glob("restart_*.nc"))
    run(case, "--output", tmp_path / "again", "--set", "time.end=0.3s", ranks=3)
    run(case, "--output", tmp_path / "again", "--restart", tmp_path / "again" / restart)
    assert_same(tmp_path / "again", tmp_path / "output", files)
    # Time steps are all that clusters change: temperature, pressure and slip come to those of one step for all as steps get shorter.
    last = {}
    for rate in (1, 2):
        for courant in (0.5, 0.25):
            folder = tmp_path / f"rate-{rate}-{courant}"
            sets = (f"solver.cluster_rate={rate}", f"solver.courant={courant}", "output.restart.every=1s")
            run(case, "--output", folder, *(word for one in sets for word in ("--set", one)))
            with netCDF4.Dataset(folder / "fault.nc") as file:
                last[rate, courant] = {name: np.ma.filled(file[name][-1], np.nan) for name in FIELDS}
    for name in ("slip", "temperature_change", "pore_pressure_change"):
        long, short = (
            np.linalg.norm(last[2, courant][name] - last[1, courant][name])
            / np.linalg.norm(last[1, courant][name])
            for courant in (0.5, 0.25)
        )
        assert 0 < short < 0.012 and short < 0.65 * long < 0.025, (name, long, short)


@pytest.mark.parametrize(
    "change, words",
    [
        (lambda f: f["set"][0].pop("hydraulic_diffusivity"), ["hydraulic_diffusivity is not given at"]),
        (lambda f: f["set"][0].update(hydraulic_diffusivity=1e-6), ["hydraulic_diffusivity = 1e-06", "another than diffusivity"]),
        (lambda f: f["set"][0].update(shear_zone_half_width=0.0), ["shear_zone_half_width = 0", "1e-06 … 10"]),
        (lambda f: f["thermal_pressurisation"].update(diffusivity=-1.0), ["diffusivity = -1", "1e-10 … 1"]),
        (lambda f: f["thermal_pressurisation"].pop("heat_capacity"), ["thermal_pressurisation.heat_capacity"]),
        (lambda f: f.pop("thermal_pressurisation"), ["a section [fault.thermal_pressurisation]", "shear_zone_half_width"]),
        (lambda f: f["set"][2].pop("add"), ["add", "true next to random"]),
        (lambda f: f["set"][2]["random"].update(shortest_wavelength=2e3), ["shortest_wavelength", "no more than correlation_length"]),
        (lambda f: f["set"][2]["random"].update(hurst=2.0), ["hurst = 2", "0.01 … 1"]),
    ],
)  # fmt: skip
def test_what_is_refused(mesh, tmp_path, change, words):
    table = heated(mesh)
    change(table["fault"])
    refused(groundswell("run", write_case(tmp_path / "case.toml", table), "--quiet"), *words)


def test_fields_of_heat_belong_to_faults_that_heat(mesh, tmp_path):
    table = heated(mesh)
    del table["fault"]["thermal_pressurisation"]
    for entry in table["fault"]["set"]:
        entry.pop("shear_zone_half_width", None)
        entry.pop("hydraulic_diffusivity", None)
    answer = groundswell("run", write_case(tmp_path / "case.toml", table), "--quiet")
    refused(answer, "temperature_change and pore_pressure_change need a section")
