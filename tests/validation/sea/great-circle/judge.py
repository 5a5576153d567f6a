"""Great circles, poles and the date line

Swell of 16.5 s (five frequencies from 0.05 Hz, 72 directions, spread 8°) in deep water on a sphere of 10 242 cells,
some 240 km apart, for six days: past the pole by 7°, right over it, and across the date line. Exact: every direction
and frequency keeps to its great circle, cos φ sin α = const, at cg = g/4πf, and takes its density along; the spectrum is even within each bin of frequency.

Scores: how far the middle of the swell is from the exact middle, as a share of the way, at most 0.01; height of the highest cell over the
exact one; energy over that of the start.

More than half of either way by the pole lies north of 71°, where frames turn so fast from cell to cell of this size that spectra are turned
as they cross their edges. The way over the date line knows nothing of that.

Swell that is smooth in direction, too, is off over a pole by 0.0082 in L1 with cells of 298 km and 36 directions, and by 0.0021 with 149 km and 72:
an order of 1.97, and of 1.99 without the limiter (`tests/convergence/propagation.cpp`, which holds both above 1.9). With 144 directions alone, so that
only cells grow finer, it is off by 0.0089, 0.0035, 0.0021 and 0.0013 with cells of 446, 298, 223 and 149 km.
"""

import functools

import numpy as np
from case import Score
from rays import EARTH, energy_of_bins, heights, middle

SWELL = {"radius": 600, "hs": 4.0, "spread": 8}
WAYS = {
    "past the pole": {"centre": [0, 45], "direction": 190},
    "over the pole": {"centre": [0, 45], "direction": 180},
    "over the date line": {"centre": [150, 20], "direction": 250},
}
RUNS = {name: {f"initial.{key}": value for key, value in way.items()} for name, way in WAYS.items()}


@functools.cache
def exact_of(output, name, day):
    data = output.read("swell.nc")
    frequencies, shares = energy_of_bins(0.05, 1.1, 5, 16.5, 7, parts=4)
    places = data["mesh_face_lon"], data["mesh_face_lat"]
    return heights(*places, day * 86400, {**SWELL, **WAYS[name]}, frequencies, shares, 240)


def exact(out, name, day):
    return exact_of(out[name], name, day)


def area(out, name):
    import netCDF4

    data = out[name].read("swell.nc")
    with netCDF4.Dataset(out[name].mesh) as mesh:
        return mesh["areaCell"][:][data["mesh_cell"].astype(int) - 1]


def measured(out, name, day):
    return out[name].read("swell.nc")["hs"][day]


def judge(out):
    scores = []
    for name in WAYS:
        data, weight = out[name].read("swell.nc"), area(out, name)
        places = data["mesh_face_lon"], data["mesh_face_lat"]
        right, found = exact(out, name, 6), measured(out, name, 6)
        start = middle(*places, measured(out, name, 0) ** 2 * weight)
        ends = [middle(*places, hs**2 * weight) for hs in (right, found)]
        way = 9.80665 * 16.5 / (4 * np.pi) * 6 * 86400
        off = EARTH * np.arccos(np.clip(ends[0] @ ends[1], -1, 1)) / way
        assert start @ ends[0] < 0.9
        scores.append(Score(f"{name}: middle off after 6 days, share of the way", off, 0, 0.01))
        scores.append(Score(f"{name}: highest Hs over the exact one", found.max() / right.max(), 0.85, 1.1))
        kept = (found**2 * weight).sum() / (measured(out, name, 0) ** 2 * weight).sum()
        scores.append(Score(f"{name}: energy over that of the start", kept, 0.999, 1.001))
    return scores


def draw(out, figure):
    for i, name in enumerate(WAYS):
        data = out[name].read("swell.nc")
        axes = figure.add_subplot(1, 3, i + 1)
        lon, lat = data["mesh_face_lon"], data["mesh_face_lat"]
        polar = "pole" in name
        for k, day in enumerate((0, 3, 6)):
            for values, style in ((measured(out, name, day), "-"), (exact(out, name, day), "--")):
                if polar:
                    r, a = 90 - lat, np.radians(lon)
                    x, y, near = r * np.sin(a), -r * np.cos(a), lat > 5
                else:
                    x, y, near = lon % 360, lat, (abs(lat) < 70)
                axes.tricontour(
                    x[near],
                    y[near],
                    values[near],
                    levels=[0.5 * values.max()],
                    colors=f"C{k}",
                    linestyles=style,
                    linewidths=1,
                )
        axes.set(title=name, aspect="equal", xticks=[], yticks=[])
        if polar:
            axes.plot(0, 0, "k+")
            axes.set(xlim=(-65, 65), ylim=(-65, 65))
        else:
            axes.axvline(180, color="k", lw=0.5)
            axes.set(xlim=(120, 280), ylim=(-30, 70))
    figure.suptitle("Half of the greatest height after 0, 3 and 6 days: model —, exact – –", fontsize=8)
