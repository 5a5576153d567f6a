"""Rock that yields: never far above its strength, relaxing in the time that it is given, elastic where it is strong."""

import json

import netCDF4
import numpy as np
import pytest
from launching import assert_same, groundswell, output_mode, refused, run, write_case
from test_quake_surface_file import case_of
from test_quake_volume import corners_of

DENSITY, VS = 2700.0, 3464.0
MU = DENSITY * VS**2
SHEAR = ["sxx", "syy", "szz", "sxy", "syz", "sxz"]


def shear_wave(cohesion, relaxation, friction=0.0, velocity=1.0, stress=None):
    """A wide S pulse along z with the motion along x; stress σ_xz of ρ vs v = 9.35 MPa at its highest."""
    return {
        "model": "quake",
        "time": {"end": "0.5s"},
        "mesh": {"box": {"cubes": [4, 4, 24], "length": [800, 800, 4800], "periodic": ["x", "y", "z"]}},
        "solver": {"order": 4},
        "material": {"rock": [{"density": DENSITY, "vp": 6000, "vs": VS}]},
        "plasticity": {
            "cohesion": cohesion,
            "bulk_friction": friction,
            "relaxation_time": relaxation,
            "stress": stress or {"zz": 0.0},
        },
        "initial": {
            "wave": [
                {
                    "kind": "S",
                    "direction": [0, 0, 1],
                    "polarisation": [1, 0, 0],
                    "width": 400,
                    "centre": [0, 0, -2400],
                    "velocity": velocity,
                }
            ]
        },
        "output": {
            "volume": [{"file": "volume.nc", "every": "0.05s", "fields": [*SHEAR, "plastic_strain"]}],
            "map": [{"file": "map.nc", "every": "0.05s", "fields": ["plastic_strain"]}],
            "energies": {"file": "energy.nc", "every": "0.05s"},
        },
    }


def tau_of(path):
    """[record, cell] √(½ s:s) at the centres, Pa."""
    with netCDF4.Dataset(path) as file:
        xx, yy, zz, xy, yz, xz = (file[name][:].filled().astype(float) for name in SHEAR)
    mean = (xx + yy + zz) / 3
    return np.sqrt(((xx - mean) ** 2 + (yy - mean) ** 2 + (zz - mean) ** 2) / 2 + xy**2 + yz**2 + xz**2)


def test_stress_falls_to_the_strength_and_energy_goes_into_yielding(tmp_path):
    """The pulse brings more for a while, so that a little is always too much; what is lost is the work of yielding."""
    highest = DENSITY * VS
    case = write_case(tmp_path / "case.toml", shear_wave(0.5 * highest, 0.01))
    run(case)
    tau = tau_of(tmp_path / "output/volume.nc")
    assert tau[0].max() == pytest.approx(highest, rel=0.03)
    assert (tau[2:].max(axis=1) < 0.55 * highest).all() and tau[2:].max() > 0.45 * highest
    told = json.loads((tmp_path / "output/run.json").read_text())["result"]["plasticity"]
    with netCDF4.Dataset(tmp_path / "output/energy.nc") as file:
        energy = file["kinetic"][:] + file["elastic"][:]
    # What the waves lose is the work that yielding takes.
    assert energy[0] - energy[-1] == pytest.approx(told["work"], rel=0.03)
    assert told["work"] > 0.05 * energy[0] and told["volume"] > 0
    assert 0 < told["largest_strain"] < highest / MU
    with (
        netCDF4.Dataset(tmp_path / "output/volume.nc") as file,
        netCDF4.Dataset(tmp_path / "output/map.nc") as cells,
    ):
        strain, time = file["plastic_strain"][:].filled(), file["time"][:]
        np.testing.assert_array_equal(
            cells["plastic_strain"][:].filled(), strain[:, np.argsort(file["mesh_cell"][:])]
        )
    # It begins where the pulse is, never falls, and ends as the summary has it, but for the last step of a cell.
    assert time[0] == 0 and strain[0].max() == 0 and (np.diff(strain, axis=0) >= 0).all()
    assert strain[-1].max() == pytest.approx(told["largest_strain"], rel=0.05)
    # Each m³ has taken the work s:ε = 2 τ √(½ ε:ε), at a τ above the strength by what comes within the relaxation time.
    with netCDF4.Dataset(tmp_path / "output/volume.nc") as file:
        corner = corners_of(file)
    volume = np.linalg.det(corner[:, 1:] - corner[:, :1]) / 6
    assert 1.0 < told["work"] / (2 * 0.5 * highest * (strain[-1] * volume).sum()) < 1.3


def test_strong_rock_is_elastic(tmp_path):
    table = shear_wave(1e9, 0.05)
    run(write_case(tmp_path / "strong.toml", table), "--output", tmp_path / "strong")
    del table["plasticity"], table["output"]["map"]
    table["output"]["volume"][0]["fields"] = SHEAR
    run(write_case(tmp_path / "elastic.toml", table), "--output", tmp_path / "elastic")
    assert_same(tmp_path / "strong", tmp_path / "elastic", ["energy.nc"])
    with (
        netCDF4.Dataset(tmp_path / "strong/volume.nc") as strong,
        netCDF4.Dataset(tmp_path / "elastic/volume.nc") as elastic,
    ):
        for name in SHEAR:
            np.testing.assert_array_equal(strong[name][:], elastic[name][:])
        assert (strong["plastic_strain"][:] == 0).all()
    told = json.loads((tmp_path / "strong/run.json").read_text())["result"]["plasticity"]
    assert told == {"largest_strain": 0.0, "volume": 0.0, "work": 0.0}


def test_pressure_makes_rock_strong(tmp_path):
    """c cos φ − σ_m sin φ of a friction of 0.75, φ = 36.87°: 0.8 c + 0.6 p."""
    highest = DENSITY * VS
    stress = {"xx": -10e6, "yy": -10e6, "zz": -10e6}
    run(write_case(tmp_path / "case.toml", shear_wave(1e6, 0.005, 0.75, stress=stress)))
    tau = tau_of(tmp_path / "output/volume.nc")
    expected = 0.8 * 1e6 + 0.6 * 10e6
    assert expected < 0.8 * highest
    assert tau[2].max() == pytest.approx(expected, rel=0.04)


def layered(fault_stress=False):
    table = case_of(
        volume=[{"file": "volume.nc", "every": "40ms", "fields": [*SHEAR, "plastic_strain"]}],
        restart={"every": "90ms", "keep": 0},
    )
    table["plasticity"] = {
        "cohesion_by_depth": [[-1200.0, 2e3], [0.0, 500.0]],
        "bulk_friction": 0.6,
        "relaxation_time": 0.02,
        "stress": {
            "xx_by_depth": [[-1200.0, -4e3], [0.0, 0.0]],
            "zz_by_depth": [[-1200.0, -5e3], [0.0, 0.0]],
        },
    }
    return table


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    folder = tmp_path_factory.mktemp("plastic")
    case = write_case(folder / "case.toml", layered())
    run(case, "--set", "output.mode=serial")
    told = json.loads((folder / "output/run.json").read_text())["result"]["plasticity"]
    assert told["volume"] > 1e6 and told["largest_strain"] > 0
    return case, folder / "output"


@pytest.mark.parametrize("ranks, threads, mode", [(1, 2, "thread"), (2, 1, "direct"), (4, 1, "servers")])
def test_bits_do_not_depend_on_how_it_is_run(alone, tmp_path, ranks, threads, mode):
    case, reference = alone
    options = ["--set", f"output.mode={output_mode(mode)}", "--set", f"run.threads={threads}"]
    run(case, "--output", tmp_path, *options, ranks=ranks)
    assert_same(tmp_path, reference, ["volume.nc", *(path.name for path in reference.glob("restart_*.nc"))])


def test_a_run_that_is_continued_has_the_same_bits(alone, tmp_path):
    case, reference = alone
    first, last = sorted(path.name for path in reference.glob("restart_*.nc"))
    run(case, "--output", tmp_path, "--set", "time.end=0.12s", ranks=2)
    run(case, "--output", tmp_path, "--restart", tmp_path / first, ranks=3)
    assert_same(tmp_path, reference, ["volume.nc", last])


@pytest.mark.parametrize(
    "change, words",
    [
        (lambda p: p.pop("cohesion"), ["plasticity.cohesion", "cohesion_by_depth"]),
        (lambda p: p.pop("relaxation_time"), ["plasticity.relaxation_time"]),
        (lambda p: p.update(cohesion=-1.0), ["plasticity.cohesion = -1"]),
        (lambda p: p.pop("stress"), ["plasticity.stress", "initial stress"]),
        (
            lambda p: p.update(cohesion=1.0, stress={"xy": 1e6}),
            ["plasticity.stress", "bears at least somewhere"],
        ),
    ],
)
def test_what_is_refused(tmp_path, change, words):
    table = shear_wave(1e6, 0.05)
    change(table["plasticity"])
    refused(groundswell("run", write_case(tmp_path / "case.toml", table), "--quiet"), *words)


def test_plastic_strain_of_rock_that_does_not_yield_is_refused(tmp_path):
    for key in ("map", "volume"):
        table = case_of(**{key: [{"file": "cells.nc", "every": "40ms", "fields": ["plastic_strain"]}]})
        told = groundswell("run", write_case(tmp_path / "case.toml", table), "--check")
        refused(told, f"output.{key}", "plastic_strain needs a section [plasticity]")
