"""A grid of frequencies that ends too low for the wind says so, once, at the start."""

import pytest
from launching import ROOT, groundswell

GROWTH = ROOT / "cases/growth/case.toml"


@pytest.mark.parametrize(
    ("frequencies", "wind", "told"), [(25, 6.0, True), (25, 12.0, False), (30, 6.0, False), (25, 1.0, False)]
)
def test_warning_for_light_wind(tmp_path, frequencies, wind, told):
    mesh = tmp_path / "mesh.nc"
    made = groundswell(
        "mesh", "make", "--depth", "4000", "--region", "0,1,0,1", "--spacing", "25", "--output", mesh
    )
    assert made.code == 0, made.stderr
    settings = {
        "mesh.file": f'"{mesh}"',
        "time.end": "2000-01-01T01:00:00Z",
        "spectrum.frequencies": frequencies,
        "spectrum.directions": 16,
        "wind.0.uniform": f"[{wind}, 0.0]",
    }
    arguments = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
    outcome = groundswell("run", GROWTH, "--output", tmp_path / "out", *arguments, ranks=2)
    assert outcome.code == 0, outcome.stderr
    warnings = [line for line in outcome.stderr.splitlines() if "too low for winds below" in line]
    assert len(warnings) == told, outcome.stderr
    for line in warnings:
        assert "spectrum.frequencies = 25" in line and "30 frequencies" in line and "7.7 m/s" in line
