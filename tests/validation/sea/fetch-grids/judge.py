"""Growth with fetch by size of cells

Wind of 10 m/s off a straight shore for 30 h over 260 km, with cells of 25, 12.5 and 6.25 km, in second order, and of
12.5 km in first order; `ww3` and `ecwam`. The height at a fetch is that of the line through the logarithms of cells
near it along the middle, fetch counted from the edge of the mesh.

The shore is 300 km long. Its ends shade waves that run at an angle to the wind: in the middle of one 1600 km long heights are the same up to 50 km of
fetch, within 1 %, but 3 and 5 % higher at 100 and 200 km (`ww3`, 12.5 km). All sizes of cells miss these waves alike.

Scores: heights at 50, 100 and 200 km over those of the finest cells, within 5 % (12.5 km) and 15 % (25 km): what a
grid adds. Beside it the curve of Kahma & Calkoen (1992) up to χ = 10 000, within 30 %.

Each halving of the cells takes as much from the height as the one before: of a fetch the cells have to be a small part. It is neither this
scheme's doing nor that of the sources: bins that go one way and grow by a law of their own, whose exact heights are known
(`tests/validation/sea/shore.py`), are too high likewise two to four cells from a shore, by second order on cells and by third order on points.

First order misses its band for the same reason: what leaves a cell is as old as the cell's mean, so that a bin which grows by γ becomes 1/(1 − γΔx/cg)
times as high from cell to cell instead of exp(γΔx/cg) times. The same bins that go one way are 13 % too high at 50 km by first order with cells of
12.5 km, where this score is farthest from 1.

Where a fetch begins counts as much. On a grid of points nothing enters the half of the spacing that belongs to land: fetches counted from the
land's point are half a spacing too long, which makes up for the error. So heights of this model at a fetch are to be held against those of
a model on points half a spacing farther from its land, as the case beside WAVEWATCH III has it.
"""

import numpy as np
from case import worst
from curves import PACKAGES, height, kahma_calkoen

MESHES = {"25": {"spacing": {"finest_km": 25.0}}, "12.5": {}, "6.25": {"spacing": {"finest_km": 6.25}}}
RUNS = {
    f"{package}, {size} km": {**PACKAGES[package], "mesh": size}
    for package in ("st4, ww3", "st4, ecwam")
    for size in MESHES
} | {
    "st4, ww3, 12.5 km, first order": {
        **PACKAGES["st4, ww3"],
        "mesh": "12.5",
        "propagation.scheme": "upwind",
    }
}
FETCHES = (50.0, 100.0, 200.0)


def cells(output):
    data = output.read("waves.nc")
    x, y = (data[f"mesh_face_{axis}"] * 111.195 for axis in ("lon", "lat"))
    middle = (abs(y) < 40) & (x < 115)
    order = np.argsort(x[middle])
    return x[middle][order] + 130.0, data["hs"][-1][middle][order]


def at(output, fetch):
    x, hs = cells(output)
    near = abs(np.log(x / fetch)) < 0.45
    return np.exp(np.polyval(np.polyfit(np.log(x[near] / fetch), np.log(hs[near]), 1), 0))


def judge(out):
    scores = []
    for package in ("st4, ww3", "st4, ecwam"):
        finest = np.array([at(out[f"{package}, 6.25 km"], f) for f in FETCHES])
        for size, band in (("25", 0.15), ("12.5", 0.05)):
            ratios = [at(out[f"{package}, {size} km"], f) / h for f, h in zip(FETCHES, finest)]
            scores.append(worst(f"{package}, {size} km: Hs over that of 6.25 km", ratios, 1 - band, 1 + band))
        curve = height(kahma_calkoen(9.80665 * np.array(FETCHES[:2]) * 1e3 / 100)[0], 10)
        scores.append(
            worst(f"{package}, 6.25 km: Hs over Kahma & Calkoen", list(finest[:2] / curve), 0.7, 1.3)
        )
    finest = [at(out["st4, ww3, 6.25 km"], f) for f in FETCHES]
    ratios = [at(out["st4, ww3, 12.5 km, first order"], f) / h for f, h in zip(FETCHES, finest)]
    scores.append(worst("st4, ww3, 12.5 km, first order: Hs over that of 6.25 km", ratios, 0.9, 1.1))
    return scores


def draw(out, figure):
    line = np.geomspace(10, 230)
    for axes, package in zip(figure.subplots(1, 2, sharey=True), ("st4, ww3", "st4, ecwam")):
        for i, name in enumerate(n for n in RUNS if n.startswith(package)):
            axes.loglog(*cells(out[name]), ".", ms=2 + 2 * (i == 0), label=name.removeprefix(package + ", "))
        axes.loglog(
            line,
            height(kahma_calkoen(9.80665 * line * 1e3 / 100)[0], 10),
            "k--",
            lw=0.9,
            label="Kahma & Calkoen",
        )
        axes.set(xlabel="fetch, km", title=f"Hs, m, {package}", xlim=(8, 250), ylim=(0.3, 2.2))
        axes.legend()
