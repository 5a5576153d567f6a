"""Waves on a current along their way

Swell of 8 s and 3° of spread over deep water whose current along its way changes over 40 km from nothing to −1.5, −1,
+1 and +2 m/s; cells of 2 km, frequencies 3 % apart. Longuet-Higgins & Stewart (1961, J. Fluid Mech. 10, 529–549):
c/c0 = ½ (1 + √(1 + 4U/c0)), (H/H0)² = c0²/(c (c + 2U)); the swell of 8 s is stopped by −3.1 m/s.

Theory for a wave of the mean period m0/m1 of what the wave maker makes, and its sum over the bins of the spectrum
that are not stopped nor shifted beyond its last one, 0.275 Hz. Score: Hs over that sum just behind the change, within
3 %; the shortest waves, which a current of −1.5 m/s nearly stops, have not come farther after 8 h.
"""

import numpy as np
from case import Score
from rays import energy_of_bins

SPEEDS = (-1.5, -1.0, 1.0, 2.0)
RUNS = {f"{speed:+g}": {"current.0.amplitude": [speed, 0.0]} for speed in SPEEDS}


def amplification(period, speed):
    c0 = 9.80665 * period / (2 * np.pi)
    goes_on = 1 + 4 * speed / c0
    c = 0.5 * c0 * (1 + np.sqrt(np.maximum(goes_on, 1e-9)))
    # What is stopped, or shifted beyond the grid's last frequency, is not there.
    return np.where(
        (goes_on > 0) & (9.80665 / (2 * np.pi * c) < 0.275),
        c0 / np.sqrt(np.maximum(c * (c + 2 * speed), 1e-9)),
        0.0,
    )


def theory(speed):
    frequencies, shares = energy_of_bins(0.075, 1.03, 45, 8.0, 20.0)
    return np.sqrt((shares * amplification(1 / frequencies, speed) ** 2).sum())


def profile(output):
    """x (km), Hs and current along the middle."""
    data = output.read("current.nc")
    x, y = (data[f"mesh_face_{axis}"] * 111.195 for axis in ("lon", "lat"))
    middle = abs(y) < 8
    order = np.argsort(x[middle])
    return (v[middle][order] for v in (x, data["hs"][-1], data["ucur"][-1]))


def ratio(output):
    x, hs, current = profile(output)
    return hs[(x > 10) & (x < 16)].mean() / hs[x < -44].mean()


def judge(out):
    return [
        Score(f"{s:+g} m/s: Hs over theory", ratio(out[f"{s:+g}"]) / theory(s), 0.97, 1.03) for s in SPEEDS
    ]


def draw(out, figure):
    along, by_speed = figure.subplots(1, 2)
    for i, speed in enumerate(SPEEDS):
        x, hs, current = profile(out[f"{speed:+g}"])
        along.plot(x, hs / hs[x < -44].mean(), ".", ms=2, color=f"C{i}", label=f"{speed:+g} m/s")
        by_speed.plot(speed, ratio(out[f"{speed:+g}"]), "o", color=f"C{i}")
    line = np.linspace(-2, 2.5)
    by_speed.plot(line, [theory(s) for s in line], "k", label="sum over the spectrum")
    by_speed.plot(line, amplification(8.0, line), "k--", lw=0.8, label="8 s")
    along.set(xlabel="km", title="H/H0 along the way")
    by_speed.set(xlabel="current, m/s", title="H/H0 behind the change")
    along.legend()
    by_speed.legend()
