"""A grid of frequencies that ends too low for the wind says so, once, at the start; so do triads where all water is deep."""

import pytest
from launching import ROOT, groundswell

GROWTH = ROOT / "cases/growth/case.toml"


def warnings_of(folder, text, depth=4000, ranks=2, **settings):
    """Lines of a run's warnings that hold the text; the folder gets the mesh."""
    mesh = folder / "mesh.nc"
    made = groundswell(
        "mesh", "make", "--depth", depth, "--region", "0,1,0,1", "--spacing", "25", "--output", mesh
    )
    assert made.code == 0, made.stderr
    settings = {
        "mesh.file": f'"{mesh}"',
        "time.end": "2000-01-01T01:00:00Z",
        "spectrum.directions": 16,
    } | settings
    arguments = [word for key, value in settings.items() for word in ("--set", f"{key}={value}")]
    outcome = groundswell("run", GROWTH, "--output", folder / "out", *arguments, ranks=ranks)
    assert outcome.code == 0, outcome.stderr
    return [line for line in outcome.stderr.splitlines() if text in line]


@pytest.mark.parametrize(
    ("frequencies", "wind", "told"), [(25, 6.0, True), (25, 12.0, False), (30, 6.0, False), (25, 1.0, False)]
)
def test_warning_for_light_wind(tmp_path, frequencies, wind, told):
    settings = {"spectrum.frequencies": frequencies, "wind.0.uniform": f"[{wind}, 0.0]"}
    warnings = warnings_of(tmp_path, "too low for winds below", **settings)
    assert len(warnings) == told, warnings
    for line in warnings:
        assert "spectrum.frequencies = 25" in line and "30 frequencies" in line and "7.7 m/s" in line


@pytest.mark.parametrize(("depth", "told"), [(4000, True), (20, False)])
def test_warning_for_triads_in_deep_water(tmp_path, depth, told):
    settings = {
        "physics.package": '"wam3"',
        "physics.terms": '["wind_snyder", "triads"]',
        "time.end": "2000-01-01T00:10:00Z",
    }
    warnings = warnings_of(tmp_path, "physics.terms has triads", depth, **settings)
    assert len(warnings) == told, warnings
    assert not told or "no cell is shallower than 4000 m" in warnings[0]
