"""Intensities at the points that the paper and ShakeMap publish."""

import numpy as np
import pytest

from groundswell.plot.quake import intensity


def test_published_lines():
    """Worden et al. (2012), table 1: where the two lines meet, at log Y = 0.53 and 1.57, and a point on each."""
    assert intensity.of_velocity(0.01 * 10**0.0) == pytest.approx(3.78)
    assert intensity.of_velocity(0.01 * 10**1.0) == pytest.approx(2.89 + 3.16)
    assert intensity.of_acceleration(0.01 * 10**1.0) == pytest.approx(1.78 + 1.55)
    assert intensity.of_acceleration(0.01 * 10**2.0) == pytest.approx(-1.60 + 3.70 * 2)
    # Their bends are at intensity 4.56 and 4.22 (t2 of the table), from both sides to the rounding of the table.
    for function, bend, value in (
        (intensity.of_velocity, 0.53, 4.56),
        (intensity.of_acceleration, 1.57, 4.22),
    ):
        below, above = function(0.01 * 10 ** np.array([bend - 1e-9, bend + 1e-9]))
        assert below == pytest.approx(value, abs=0.01) and above == pytest.approx(value, abs=0.02)


def test_the_legend_of_shakemap():
    """Its scale "based upon Worden et al. (2012)": II–III, IV, V … IX at these velocities in cm/s and accelerations in % g."""
    classes = [2.5, 4, 5, 6, 7, 8, 9]
    velocity = np.array([0.13, 1.41, 4.65, 9.64, 20.0, 41.4, 85.8]) / 100
    assert intensity.of_velocity(velocity) == pytest.approx(classes, abs=0.03)
    acceleration = np.array([0.30, 2.76, 6.2, 11.5, 21.5, 40.1, 74.7]) / 100 * 9.81
    assert intensity.of_acceleration(acceleration) == pytest.approx(classes, abs=0.03)


def test_ends_and_order():
    peaks = np.array([0.0, 1e-9, np.nan, 100.0])
    assert intensity.of_velocity(peaks)[[0, 1, 3]].tolist() == [1.0, 1.0, 10.0]
    assert np.isnan(intensity.of_velocity(peaks)[2])
    rising = np.geomspace(1e-5, 30.0, 4000)
    for function in (intensity.of_velocity, intensity.of_acceleration):
        # The pieces meet within the rounding of their coefficients.
        assert np.diff(function(rising)).min() > -0.05 and function(rising[-1]) == 10.0
