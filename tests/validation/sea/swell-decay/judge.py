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

The same over an ocean: swell of 4 m and 400 km, as it goes 3000 km in three days, over cells of 100 km in second order, with 24 directions × 20 frequencies.
Score: the fe of the three days, from the energy over that of a run without source terms, and from the mean height, weighted by energy, of all
cells, which falls from 2.7 to 1.1 m. The resistance of the air in `st6` does not fall with the height, as u does: its fe grows from day to day, from
0.016 to 0.023.
"""

import netCDF4
import numpy as np
from case import Score, legend
from curves import PACKAGES, G, colour

HEIGHTS = (3, 1)
RUNS = {
    f"{package}, {hs} m": {**settings, "initial.hs": hs}
    for package, settings in PACKAGES.items()
    for hs in HEIGHTS
}

MESHES = {
    "ocean": {
        "region": {
            "centre": None,
            "size_km": None,
            "west": -10.0,
            "east": 38.0,
            "south": -15.0,
            "north": 15.0,
        },
        "spacing": {"finest_km": 100.0},
        "mesh": {"smallest_sea": None},
    }
}
OCEAN = {
    "mesh": "ocean",
    "propagation.scheme": "second-order",
    "spectrum.directions": 24,
    "spectrum.frequencies": 20,
    "time.end": "2000-01-04T00:00:00Z",
    "time.source_step": "30min",
    "initial.centre": [0, 0],
    "initial.radius": 400,
    "initial.hs": 4,
}
OVER_AN_OCEAN = [package for package in PACKAGES if not package.startswith("wam")]
RUNS |= {f"{package}, ocean": {**PACKAGES[package], **OCEAN} for package in OVER_AN_OCEAN}
RUNS["none, ocean"] = {"physics.package": "none", **OCEAN}


def series(out, name):
    return out[name].read("series.nc")["hs"][:, 0]


def of_rate(rate, height):
    """fe of a decay of energy, s⁻¹, of swell of this height."""
    sigma = 2 * np.pi / 15
    return rate * G * 1000 / 1.225 / (16 * sigma**2 * sigma * height / 2)


def factor(hs):
    """fe by the fall of energy in the first day."""
    return of_rate(-2 * np.log(hs[24] / hs[0]) / 86400, np.sqrt(hs[24] * hs[0]))


def energy(output):
    """Hours, energy, and the mean height weighted by it."""
    data = output.read("waves.nc")
    with netCDF4.Dataset(output.mesh) as mesh:
        area = mesh["areaCell"][:][data["mesh_cell"].astype(int) - 1]
    total = data["hs"] ** 2 @ area
    return data["hours"], total, data["hs"] ** 3 @ area / total


def left(out, package):
    """Hours, and energy over that without source terms, and mean heights."""
    hours, total, height = energy(out[f"{package}, ocean"])
    free = energy(out["none, ocean"])[1]
    return hours, total / free * free[0] / total[0], height


def factor_over_an_ocean(out, package):
    hours, share, height = left(out, package)
    return of_rate(-np.log(share[-1]) / (3600 * hours[-1]), np.trapezoid(height, hours) / hours[-1])


def judge(out):
    scores = []
    for package in PACKAGES:
        if package.startswith("wam"):
            continue
        high, low = (series(out, f"{package}, {hs} m") for hs in HEIGHTS)
        scores.append(Score(f"{package}: fe, 3 m", factor(high), 0.004, 0.013))
        ratio = np.log(low[24] / low[0]) / np.log(high[24] / high[0])
        scores.append(Score(f"{package}: rate of decay of 1 m over that of 3 m", ratio, 0, 0.9))
    for package in OVER_AN_OCEAN:
        scores.append(
            Score(f"{package}: fe, over an ocean", factor_over_an_ocean(out, package), 0.004, 0.013)
        )
    return scores


def draw(out, figure):
    *panels, ocean = figure.subplots(1, 3)
    for axes, hs in zip(panels, HEIGHTS):
        for package in PACKAGES:
            if f"{package}, {hs} m" in out:
                axes.plot(series(out, f"{package}, {hs} m") / hs, color=colour(package), label=package)
        axes.set(xlabel="hours", title=f"Hs over the first, {hs} m")
    for package in OVER_AN_OCEAN:
        hours, share, _ = left(out, package)
        ocean.plot(hours, share, color=colour(package))
    ocean.set(xlabel="hours", title="energy left, over an ocean")
    legend(figure, panels[0])
