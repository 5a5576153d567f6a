"""Decay of swell

Swell of 15 s in calm air over deep water, without propagation, for two days, at first 3 m and 1 m high. Ardhuin,
Chapron & Collard (2009, Geophys. Res. Lett. 36, L06607) followed swell over whole oceans by radar. Its decay by the
air, dE/dt = −(ρa/ρw) 16 fe σ² u E/g with u = 2σ √m0 of the orbits (Ardhuin et al. 2010, eq. 9), has a factor fe of
0.004 to 0.013 where the swell is steep.

Scores: fe of the first day of 3 m by σ of the peak, whatever terms the package has for it. `wam3` and `wam4` have
none but whitecapping: they are drawn and not judged. And swell of 1 m decays more slowly.

`st6` has two laws for it: the air resists waves that outrun the wind (`wind_donelan`, a0 = 0.09), alone an fe of 0.0125 with `liu`, and the orbits
make turbulence in the water (`swell_turbulence`), alone 0.003. Both with the coefficients of their authors: together they take more than was found by
radar.
"""

import numpy as np
from case import Score, legend
from curves import PACKAGES, G, colour

HEIGHTS = (3, 1)
RUNS = {
    f"{package}, {hs} m": {**settings, "initial.hs": hs}
    for package, settings in PACKAGES.items()
    for hs in HEIGHTS
}


def series(out, name):
    return out[name].read("series.nc")["hs"][:, 0]


def factor(hs):
    """fe by the fall of energy in the first day."""
    rate = -2 * np.log(hs[24] / hs[0]) / 86400
    sigma, height = 2 * np.pi / 15, np.sqrt(hs[24] * hs[0])
    return rate * G * 1000 / 1.225 / (16 * sigma**2 * sigma * height / 2)


def judge(out):
    scores = []
    for package in PACKAGES:
        if package.startswith("wam"):
            continue
        high, low = (series(out, f"{package}, {hs} m") for hs in HEIGHTS)
        scores.append(Score(f"{package}: fe, 3 m", factor(high), 0.004, 0.013))
        ratio = np.log(low[24] / low[0]) / np.log(high[24] / high[0])
        scores.append(Score(f"{package}: rate of decay of 1 m over that of 3 m", ratio, 0, 0.9))
    return scores


def draw(out, figure):
    for axes, hs in zip(figure.subplots(1, 2), HEIGHTS):
        for package in PACKAGES:
            if f"{package}, {hs} m" in out:
                axes.plot(series(out, f"{package}, {hs} m") / hs, color=colour(package), label=package)
        axes.set(xlabel="hours", title=f"height over that of the start, {hs} m")
    legend(figure, axes)
