"""The cases of earthquakes in cases/quake, run as they are or shorter and coarser, against the references beside them."""

import json
import subprocess
import sys

import netCDF4
import numpy as np
import pytest
from launching import ROOT, groundswell, run

CASES = ROOT / "cases/quake"


@pytest.fixture
def errors(tmp_path):
    """errors(case file, reference files, plot options…) → [{component: misfits} of each station]; runs the case."""

    def go(case, references, *options, sets=(), ranks=2):
        output = tmp_path / "output"
        run(case, "--output", output, *(w for s in sets for w in ("--set", s)), ranks=ranks, seconds=500)
        numbers = tmp_path / "numbers.json"
        drawn = groundswell(
            *("plot", "seismograms", output / "receivers.nc", "--reference", *references, *options),
            *("--output", tmp_path / "drawn.png", "--json", numbers, "--quiet"),
        )
        assert drawn.code == 0, drawn.stderr
        stations = json.loads(numbers.read_text())["result"]["stations"]
        return [{c["component"]: c["reference"] for c in station["components"]} for station in stations]

    return go


def made_by(script, *arguments):
    """Runs a script of a case."""
    made = subprocess.run([sys.executable, script, *map(str, arguments)], capture_output=True, text=True)
    assert made.returncode == 0, made.stderr


@pytest.mark.parametrize("wave", ["P", pytest.param("S", marks=pytest.mark.long)])
def test_a_plane_wave_comes_round(errors, tmp_path, wave):
    exact = tmp_path / "exact.csv"
    made_by(CASES / "plane-wave/make_reference.py", "--wave", wave, "--output", exact)
    polarisation = ["initial.wave.0.polarisation=[1, -1, 0]"] if wave == "S" else []
    (found,) = errors(
        CASES / "plane-wave/case.toml", [exact], sets=[f"initial.wave.0.kind={wave}", *polarisation]
    )
    moving = ("vx", "vy", "vz") if wave == "P" else ("vx", "vy")
    for component in moving:
        assert found[component]["relative_rms"] < 0.002, component
        assert found[component]["phase_misfit"] < 0.001, component


def test_two_layers_answer_with_the_sum_of_echoes(errors, tmp_path):
    """Reflection, transmission and the free surface, for P (up) and S (east) at once."""
    made_by(CASES / "two-layers/make_reference.py", "--output", tmp_path)
    found = errors(
        CASES / "two-layers/case.toml",
        [tmp_path / f"{name}.csv" for name in ("surface", "layer", "below")],
        *("--components", "east,up"),
        sets=["solver.order=4", 'time.end="2.2s"'],
    )
    assert max(misfit["relative_rms"] for station in found for misfit in station.values()) < 0.012


def test_loh1_of_long_waves_on_the_coarse_mesh(errors, tmp_path):
    """σ = 0.25 s, for which elements of 700 m are fine enough at order 3."""
    mesh, exact, case = (tmp_path / name for name in ("loh1.msh", "exact.csv", "case.toml"))
    pytest.importorskip("gmsh", exc_type=ImportError)
    made_by(CASES / "loh1/make_mesh.py", "--coarse", "--output", mesh)
    made_by(CASES / "loh1/make_reference.py", "--width", "0.25", "--centre", "1.2", "--output", exact)
    text = (CASES / "loh1/case.toml").read_text(encoding="utf-8")
    for old, new in (("width = 0.09", "width = 0.25"), ("centre = 0.5", "centre = 1.2")):
        assert old in text
        text = text.replace(old, new)
    case.write_text(text, encoding="utf-8")
    (found,) = errors(
        case,
        [exact],
        *("--station", "10 km", "--epicentre", "0,0"),
        sets=[f'mesh.file="{mesh}"', "solver.order=3", 'time.end="6s"'],
    )
    for component, misfit in found.items():
        assert misfit["relative_rms"] < 0.10, component
        assert misfit["phase_misfit"] < 0.05 and misfit["envelope_misfit"] < 0.08, component


@pytest.mark.long
def test_a_rupture_is_short_and_strong_ahead_and_long_and_weak_behind(errors, tmp_path):
    """Apparent durations of S, (L/v)(1 - (v/c) cos θ), from when ground velocity is highest both ways, and its amplitudes.

    A. Ben-Menahem 1961: durations of 0.857, 2.857 and 4.857 s ahead, beside and behind; amplitudes are inverse to them.
    """
    made = tmp_path / "rupture.srf"
    made_by(CASES / "kinematic/make_rupture.py", "--output", made)
    assert made.read_bytes() == (CASES / "kinematic/rupture.srf").read_bytes()
    made_by(CASES / "kinematic/make_reference.py", "--output", tmp_path)
    found = errors(
        CASES / "kinematic/case.toml",
        [tmp_path / f"{angle}.csv" for angle in (0, 45, 90, 180)],
        *("--components", "east,north", "--filter", "0,1"),
        sets=["solver.order=4"],
    )
    ahead, slantwise, beside, behind = found
    assert ahead["vy"]["relative_rms"] < 0.03 and beside["vx"]["relative_rms"] < 0.05
    assert behind["vy"]["relative_rms"] < 0.08
    assert max(misfit["relative_rms"] for misfit in slantwise.values()) < 0.10
    with netCDF4.Dataset(tmp_path / "output/receivers.nc") as file:
        time = file["time"][:]
        across = {0: file["vy"][:, 0], 90: file["vx"][:, 2], 180: file["vy"][:, 3]}
    for angle, tolerance in ((0, 0.10), (90, 0.02), (180, 0.02)):
        duration = abs(time[np.argmax(across[angle])] - time[np.argmin(across[angle])])
        theory = 6000 / 2100 - 6000 * np.cos(np.radians(angle)) / 3000
        assert duration == pytest.approx(theory, rel=tolerance), angle
    # The mean of the waves that beginning and end of the rupture send out, which come as far on either side.
    ahead, behind = (np.sqrt(-across[angle].min() * across[angle].max()) for angle in (0, 180))
    assert ahead / behind == pytest.approx((1 + 2100 / 3000) / (1 - 2100 / 3000), rel=0.1)
