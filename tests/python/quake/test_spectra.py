"""Spectra of known pulses, and oscillators held against exact and numerical solutions of their equation."""

import json

import numpy as np
import pytest
from plot_files import texts
from quake_files import write_receivers
from scipy.integrate import solve_ivp

from groundswell import plot_cli
from groundswell.plot.quake.receivers import ReceiverFile
from groundswell.plot.quake.seismograms import Choice
from groundswell.plot.quake.spectra import draw_spectra, fourier_amplitude
from groundswell.response import acceleration_of, displacements, pseudo_accelerations

INTERVAL = 0.02
TIME = INTERVAL * np.arange(1001)


def gaussian(when=10.0, width=0.25):
    return np.exp(-0.5 * ((TIME - when) / width) ** 2)


def test_a_gaussian_has_the_spectrum_of_a_gaussian():
    """∫ exp(−t²/2σ²) e^(−2πift) dt = σ √(2π) exp(−2π²f²σ²)."""
    frequencies, found = fourier_amplitude(3.0 * gaussian(), INTERVAL)
    exact = 3.0 * 0.25 * np.sqrt(2 * np.pi) * np.exp(-2 * (np.pi * frequencies * 0.25) ** 2)
    strong = exact > 1e-6
    assert strong.sum() > 40 and np.allclose(found[strong], exact[strong], rtol=1e-6)
    assert frequencies[0] == pytest.approx(1 / (1001 * INTERVAL)) and frequencies[-1] < 0.5 / INTERVAL + 1e-9


@pytest.mark.parametrize("damping", [0.02, 0.05, 0.3])
@pytest.mark.parametrize("period", [0.05, 0.31, 1.0, 4.0])
def test_oscillators_follow_their_equation(period, damping):
    """u'' + 2ζωu' + ω²u = −a, with a rough a that is straight between its samples, by a Runge–Kutta method of order 8."""
    acceleration = np.random.default_rng(5).normal(size=200).cumsum()
    acceleration -= np.linspace(acceleration[0], acceleration[-1], 200)
    time, omega = INTERVAL * np.arange(200), 2 * np.pi / period

    def slope(t, state):
        u, v = state
        return v, -2 * damping * omega * v - omega**2 * u - np.interp(t, time, acceleration)

    exact = solve_ivp(
        slope,
        (0, time[-1]),
        (0, 0),
        "DOP853",
        rtol=1e-9,
        atol=1e-12,
        max_step=INTERVAL / 2,
        dense_output=True,
    )
    highest = np.abs(exact.sol(np.linspace(0, time[-1], 40001))[0]).max()
    assert displacements(acceleration, INTERVAL, [period], damping)[0] == pytest.approx(highest, rel=1.5e-3)


def test_a_constant_push_and_its_overshoot():
    """The response to a push a from the start on: a/ω² (1 + exp(−πζ/√(1 − ζ²))), half a period later."""
    for period, damping in ((0.5, 0.05), (2.0, 0.2)):
        omega = 2 * np.pi / period
        over = 1 + np.exp(-np.pi * damping / np.sqrt(1 - damping**2))
        found = displacements(np.full(400, 1.7), INTERVAL, [period], damping)[0]
        assert found == pytest.approx(1.7 / omega**2 * over, rel=1.5e-3)


def test_limits_of_stiff_and_soft_oscillators():
    """A stiff one moves with the ground, and shows its peak acceleration; a soft one stays, and shows its peak displacement."""
    velocity = np.gradient(gaussian(), INTERVAL)  # of a displacement of 1 m
    acceleration = acceleration_of(TIME, velocity)
    assert pseudo_accelerations(acceleration, INTERVAL, [0.02])[0] == pytest.approx(
        np.abs(acceleration).max(), rel=0.01
    )
    assert displacements(acceleration, INTERVAL, [200.0])[0] == pytest.approx(1.0, rel=0.03)


def test_resonance():
    """On ground that swings long enough with its own period, an oscillator reaches a/(2ζω²)."""
    time = INTERVAL * np.arange(5000)
    found = displacements(0.3 * np.sin(2 * np.pi * time), INTERVAL, [1.0], 0.05)[0]
    assert found == pytest.approx(0.3 / (2 * 0.05 * (2 * np.pi) ** 2), rel=2e-3)


@pytest.fixture
def receivers(tmp_path):
    velocity = np.zeros((2, 3, len(TIME)))
    velocity[0, 2] = 0.1 * gaussian() * np.sin(2 * np.pi * 2.0 * (TIME - 10.0))
    velocity[0, 0] = velocity[1, 1] = 0.05 * gaussian()
    return write_receivers(tmp_path / "r.nc", TIME, [(0, 0, 0), (1e3, 0, 0)], velocity, ["quarry", "mill"])


def test_the_picture_and_its_numbers(receivers, tmp_path):
    given = ("spectra", receivers, "--station", "quarry", "--components", "up,east", "--periods", "0.1,5")
    out = ("--output", tmp_path / "s.png", "--json", tmp_path / "s.json", "--quiet")
    assert plot_cli.main([str(word) for word in (*given, *out)]) == 0
    found = json.loads((tmp_path / "s.json").read_text())["result"]
    up, east = found["stations"][0]["components"]
    assert up["peak_frequency"] == pytest.approx(2.0, abs=0.1) and east["peak_frequency"] < 0.2
    assert up["peak_period"] == pytest.approx(0.5, rel=0.25) and found["damping"] == 0.05
    assert up["periods"][0] == pytest.approx(0.1) and up["periods"][-1] == pytest.approx(5.0)
    figure, _ = draw_spectra(ReceiverFile(receivers), None, Choice(["up"]), damping=0.02)
    said = texts(figure)
    assert {"Fourier amplitude of velocity, m", "pseudo-acceleration, 2 %, m s⁻²", "% g", "Test rock"} <= set(
        said
    )
    assert "mill (1, 0, 0) km" in said and "period of the oscillator, s" in said


def test_refusals(receivers, tmp_path, capsys):
    for given, expected in (
        (("--damping", "1.5"), "--damping = 1.5: expected a share of the critical"),
        (("--periods", "5,1"), "--periods = 5,1: expected short,long in s"),
        (("--periods", "0.01,1"), "--periods = 0.01,1: expected periods above 0.04 s"),
        (("--components", "sxx"), "--components = sxx: expected velocities"),
    ):
        assert plot_cli.main(["spectra", str(receivers), *given, "--output", str(tmp_path / "x.png")]) == 2
        assert expected in capsys.readouterr().err
