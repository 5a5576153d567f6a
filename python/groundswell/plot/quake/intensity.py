"""Macroseismic intensity from peak motion, by C. B. Worden, M. C. Gerstenberger, D. A. Rhoades and D. J. Wald (2012),
"Probabilistic relationships between ground-motion parameters and Modified Mercalli Intensity in California", Bulletin of
the Seismological Society of America 102(1), 204–221, doi:10.1785/0120110156: table 1 and equation 3, without the terms of
distance and magnitude. Below intensity 2 it continues as ShakeMap does (module wgrw12), by a straight line down to 1.

MMI = a + b log₁₀ Y in each of three pieces of Y, the peak of the larger horizontal component in cm/s or cm/s²; the length of the
horizontal vector, in its place, is at most √2 times that. One reading of intensity is uncertain by 0.63 (from velocity) or 0.66
(from acceleration).
"""

import numpy as np

SOURCE = "Worden et al. 2012"
LOWEST, HIGHEST = 1.0, 10.0
# (up to log₁₀ Y of, a, b): what ShakeMap has below 2, then the paper's two lines.
VELOCITY = ((-1.21, 4.62, 2.17), (0.53, 3.78, 1.47), (np.inf, 2.89, 3.16))
ACCELERATION = ((0.14, 1.71, 2.08), (1.57, 1.78, 1.55), (np.inf, -1.60, 3.70))
ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X")
# The colours of the maps of intensity of the U.S. Geological Survey, I to X.
COLOURS = (
    "#ffffff", "#bfccff", "#a0e6ff", "#80ffff", "#7aff93", "#ffff00", "#ffc800", "#ff9100", "#ff0000", "#c80000",
)  # fmt: skip


def of_velocity(pgv):
    """Intensity of peak ground velocity, m/s."""
    return _intensity(pgv, VELOCITY)


def of_acceleration(pga):
    """Intensity of peak ground acceleration, m/s²."""
    return _intensity(pga, ACCELERATION)


def _intensity(peak, pieces):
    """1 to 10; NaN where the peak is NaN."""
    peak = np.asarray(peak, float)
    logarithm = np.log10(np.maximum(100.0 * peak, 1e-30))
    a, b = (np.asarray(part)[np.searchsorted([p[0] for p in pieces[:-1]], logarithm, side="right")]
            for part in list(zip(*pieces))[1:])  # fmt: skip
    return np.where(np.isnan(peak), np.nan, np.clip(a + b * logarithm, LOWEST, HIGHEST))
