"""The soft layer of cases/quake/layered-basin rings as theory has it."""

import importlib.util

import netCDF4
import numpy as np
import pytest
from launching import ROOT, run

CASE = ROOT / "cases/quake/layered-basin"


@pytest.mark.long
def test_a_layer_rings_at_a_quarter_wavelength(tmp_path):
    spec = importlib.util.spec_from_file_location("layered_basin", CASE / "make_reference.py")
    theory = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(theory)
    run(CASE / "case.toml", "--output", tmp_path, ranks=2, seconds=300)
    with netCDF4.Dataset(tmp_path / "receivers.nc") as data:
        time, velocity = data["time"][:].data, data["vx"][:].data.ravel()
    frequency, amplification = theory.resonance(time, velocity)
    assert frequency == pytest.approx(theory.QUARTER_WAVELENGTH, rel=0.03)
    expected = theory.surface(time)
    assert amplification == pytest.approx(theory.resonance(time, expected)[1], rel=0.03)
    assert np.sqrt(np.mean((velocity - expected) ** 2) / np.mean(expected**2)) < 0.05
