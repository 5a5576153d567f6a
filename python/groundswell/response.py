"""Response spectra: how far damped oscillators of many periods are driven by the ground that they stand on.

u'' + 2 ζ ω u' + ω² u = −a(t), at rest before, with a(t) straight between its samples. For such an a the step from sample to
sample is exact, as N. C. Nigam and P. C. Jennings (1969), "Calculation of response spectra from strong-motion earthquake
records", Bulletin of the Seismological Society of America 59(2), 909–922, take it; here by the exponential of the matrix of
oscillator and acceleration together, in which their coefficients stand.
"""

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.linalg import expm
from scipy.signal import lfilter

SAMPLES_A_PERIOD = 60  # between which the highest point may hide: it is at most (π / 60)² / 2 = 0.14 % higher


def acceleration_of(time, velocity):
    """m/s² at the same times, the slope of a cubic spline through the velocity, m/s."""
    return CubicSpline(time, velocity).derivative()(time)


def displacements(acceleration, interval, periods, damping=0.05):
    """[period] the largest |u|, m, of oscillators of these periods, s, on ground of this acceleration, m/s², sampled every
    `interval` s; `damping` is the share of the critical."""
    acceleration = np.asarray(acceleration, float)
    highest = np.empty(len(periods))
    for number, period in enumerate(periods):
        pieces = max(1, int(np.ceil(SAMPLES_A_PERIOD * interval / period)))
        highest[number] = _displacement(acceleration, interval, pieces, 2.0 * np.pi / period, damping)
    return highest


def _displacement(acceleration, interval, pieces, omega, damping):
    step = interval / pieces
    # d/dt of (u, u', a, a'), a' constant over the step.
    system = np.zeros((4, 4))
    system[0, 1], system[2, 3] = 1.0, 1.0
    system[1] = (-(omega**2), -2.0 * damping * omega, -1.0, 0.0)
    advance = expm(system * step)
    slope = np.diff(acceleration) / interval
    begin = acceleration[:-1, None] + slope[:, None] * step * np.arange(pieces)
    push = np.stack([begin.ravel(), np.repeat(slope, pieces)], axis=-1) @ advance[:2, 2:].T
    # (u, u') → own (u, u') + push, as a recurrence of u alone, since a matrix obeys its own characteristic equation.
    own = advance[:2, :2]
    driven = push[:, 0].copy()
    driven[1:] += own[0, 1] * push[:-1, 1] - own[1, 1] * push[:-1, 0]
    return float(np.abs(lfilter([1.0], [1.0, -np.trace(own), np.linalg.det(own)], driven)).max())


def pseudo_accelerations(acceleration, interval, periods, damping=0.05):
    """[period] ω² max |u|, m/s²: what a response spectrum shows, near the peak acceleration where periods are short."""
    omega = 2.0 * np.pi / np.asarray(periods, float)
    return omega**2 * displacements(acceleration, interval, periods, damping)
