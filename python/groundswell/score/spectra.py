"""Integral parameters of measured spectra S(f), with mean bearings α1(f) and r1(f) where they are known."""

import numpy as np


def parameters(frequency, density, bearing=None, first=None):
    """{quantity: [n]} of density [n, frequency] m²/Hz, bearing [n, frequency] degrees coming from, first = r1 in 0…1.

    Trapezoidal rule over the frequencies that were measured, none beyond; a spectrum with a missing value is missing.
    """
    width = np.gradient(frequency)
    width[[0, -1]] = np.diff(frequency)[[0, -1]] / 2
    moment = {n: (density * frequency**n * width).sum(axis=1) for n in (-1, 0, 1, 2)}
    calm = ~(moment[0] > 0)
    top = np.argmax(np.nan_to_num(density), axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        found = {
            "hs": 4 * np.sqrt(moment[0]),
            "tp": np.where(calm, np.nan, 1 / frequency[top]),
            "tm01": moment[0] / moment[1],
            "tm02": np.sqrt(moment[0] / moment[2]),
            "tmm10": moment[-1] / moment[0],
        }
    rows = np.arange(len(density))
    if bearing is not None:
        found["dp"] = np.where(calm, np.nan, bearing[rows, top])
    if bearing is not None and first is not None:
        weight = density * width * first
        angle = np.radians(bearing)
        with np.errstate(invalid="ignore", divide="ignore"):
            north = np.nansum(weight * np.cos(angle), axis=1) / moment[0]
            east = np.nansum(weight * np.sin(angle), axis=1) / moment[0]
        found["dir"] = np.where(calm, np.nan, np.degrees(np.arctan2(east, north)) % 360.0)
        length = np.clip(np.hypot(north, east), 0.0, 1.0)
        found["spread"] = np.where(calm, np.nan, np.degrees(np.sqrt(2 * (1 - length))))
    return found
