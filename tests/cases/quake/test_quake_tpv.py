"""The community's problems of rupture as their folders have them: what acts on the fault, that it breaks, and where; with the test
data, rupture times of SeisSol on its mesh."""

import re

import netCDF4
import numpy as np
import pytest
from launching import ROOT, groundswell, run

CASES = ROOT / "cases/quake"
# At (x, y, z) km of the fault: shear along strike, along dip, and normal stress before anything happens, MPa.
BEFORE = {
    "tpv3": [((0, 0, -20), (81.6, 0, -120)), ((7.5, 0, -20), (70, 0, -120))],
    "tpv5": [
        ((0, 0, -7.5), (81.6, 0, -120)),
        ((-7.5, 0, -7.5), (78, 0, -120)),
        ((7.5, 0, -7.5), (62, 0, -120)),
    ],
    "tpv6": [((0, 0, -7.5), (81.6, 0, -120)), ((7.5, 0, -7.5), (70, 0, -120))],
    # Of 60°: with Σ = (σ_yy, σ_zz) at depth d, normal 3/4 σ_yy + 1/4 σ_zz, shear √3/4 (σ_yy − σ_zz) up the footwall's side.
    "tpv13": [((0, -3.0, -5.19615), (0, -24.382, -44.339))],
    "tpv33": [((-6, 0, -6), (33.15, 0, -60)), ((-2, 0, -4), (30, 0, -60)), ((2.1, 0, -4), (27, 0, -60))],
    "tpv101": [((0, 0, -7.5), (75, 0, -120)), ((17.5, 0, -7.5), (75, 0, -120))],
    # 7378 Pa of pressure a metre down the dip, 0.55 of it as shear.
    "tpv10": [
        ((0, -3.0, -5.19615), (0, -0.55 * 44.268, -44.268)),
        ((9, -6.0, -10.3923), (0, -0.55 * 88.536, -88.536)),
    ],
    "tpv104": [((0, 0, -7.5), (40, 0, -120)), ((17.5, 0, -7.5), (40, 0, -120))],
    # 16 366 Pa of pressure a metre down to 45 MPa, 0.41 of it as shear.
    "tpv105": [((4, 0, -7.5), (18.45, 0, -45)), ((-12, 0, -1.5), (10.065, 0, -24.549))],
}


def made(name, folder):
    """A coarse mesh of the case."""
    request = (CASES / name / "mesh.toml").read_text()
    request = re.sub(r"\nsize = .*", "\nsize = 1500.0", request).replace("coarsest = 5e3", "coarsest = 8e3")
    (folder / "mesh.toml").write_text(request)
    outcome = groundswell("mesh", "make", folder / "mesh.toml", "--output", folder / "mesh.msh", "--quiet")
    assert outcome.code == 0, outcome.stderr
    return folder / "mesh.msh"


# In `make test` one of each kind: a square that is overloaded, a fault that dips in rock that yields, rate and state.
FEW = ("tpv5", "tpv13", "tpv101")


@pytest.mark.parametrize(
    "name", [*FEW, *(pytest.param(name, marks=pytest.mark.long) for name in BEFORE if name not in FEW)]
)
def test_the_fault_is_under_the_stress_of_the_problem_and_breaks(tmp_path, name):
    pytest.importorskip("gmsh", exc_type=ImportError)
    sets = [
        f"mesh.file={made(name, tmp_path)}",
        "time.end=0.3s",
        "solver.order=2",
        "output.fault.0.every=0.3s",
        'output.fault_receivers.0.fields=["traction_strike", "traction_dip", "normal_stress"]',
        "output.fault_receivers.0.at=" + repr([[1e3 * v for v in place] for place, _ in BEFORE[name]]),
        "output.fault_receivers.0.names="
        + repr([str(n) for n in range(len(BEFORE[name]))]).replace("'", '"'),
    ]
    output = tmp_path / "output"
    run(CASES / name / "case.toml", "--output", output, *(w for s in sets for w in ("--set", s)), ranks=2)
    with netCDF4.Dataset(output / "fault-receivers.nc") as file:
        for station, (_, expected) in enumerate(BEFORE[name]):
            found = [
                file[name][0, station] / 1e6 for name in ("traction_strike", "traction_dip", "normal_stress")
            ]
            # Where the stress is above the strength, slip has taken half a per cent of it within the first step.
            np.testing.assert_allclose(found, expected, rtol=0.006, atol=0.01)
    with netCDF4.Dataset(output / "rupture.nc") as file:
        moment, area = file["moment"][-1], file["area"][-1]
    assert moment > 0
    if name not in ("tpv101", "tpv104", "tpv105"):  # whose nucleation takes a second
        assert 0.5e6 < area < 20e6


def test_tpv5_breaks_when_the_reference_does(test_data, tmp_path):
    """On its mesh, at a lower order: the receivers' times of 1.08, 1.06, 0.63 and 0.63 s."""
    sets = (f"mesh.file={test_data / 'quake/mesh/tpv5-20k.h5'}", "time.end=1.2s", "solver.order=4")
    output = tmp_path / "output"
    run(
        CASES / "tpv5/case.toml",
        "--output",
        output,
        *(w for s in sets for w in ("--set", s)),
        ranks=2,
        seconds=300,
    )
    with netCDF4.Dataset(output / "fault-receivers.nc") as file:
        time = file["time"][:]
        rate = np.maximum.accumulate(file["slip_rate_strike"][:], axis=0)
        broke = [np.interp(1e-3, one, time) for one in rate.T]
    np.testing.assert_allclose(broke, [1.081, 1.063, 0.627, 0.627], atol=0.06)
