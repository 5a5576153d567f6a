"""Convergence and isotropy

A smooth patch of swell, 500 km wide, 5° of spread, three frequencies of one speed, goes 950 km in a day over a deep
sea at the equator: with cells of 150, 100 and 67 km and steps of 45, 30 and 20 min to the east, and with 100 km also to
seven other sides. Exact: rays.

Scores: order in L1 of Hs² between two sizes of cells, at least 1.7 in second order with its limiter and 0.7 in first
order; largest error over the smallest of the eight directions; the highest cell over the exact highest, which nothing
may exceed. With the coarsest cells first order spreads the patch, whose standard deviation is 354 km, by 300 km in a day: its
order shows between the finer two. A Gaussian that spreads as widely as the patch does with cells of 150, 100 and 67 km is off by 0.33, 0.24 and
0.17, as the model is by 0.33, 0.25 and 0.17: all of the error is that diffusion, which as an order is 0.75 between the coarser two.
"""

import functools

import numpy as np
from case import Score
from rays import heights

SIZES = (150, 100, 67)
# In proportion to the cells: first order diffuses by both.
STEPS = {
    size: {"time.step": step, "time.source_step": step}
    for size, step in zip(SIZES, ("45min", "30min", "20min"))
}
MESHES = {f"{size}": {"spacing": {"finest_km": float(size)}} for size in SIZES}
SIDES = tuple(range(0, 360, 45))
RUNS = (
    {f"second order, {size} km": {"mesh": f"{size}", **STEPS[size]} for size in SIZES}
    | {
        f"first order, {size} km": {"mesh": f"{size}", "propagation.scheme": "upwind", **STEPS[size]}
        for size in SIZES
    }
    | {f"second order, {side}°": {"mesh": "100", "initial.direction": side} for side in SIDES}
)


@functools.cache
def both(output, direction):
    data = output.read("swell.nc")
    swell = {"centre": [0, 0], "radius": 500, "hs": 3.0, "direction": direction, "spread": 5}
    places = data["mesh_face_lon"], data["mesh_face_lat"]
    return data["hs"][-1], heights(*places, 86400, swell, [0.0714], [1.0], 720)


def error(output, direction=270):
    hs, right = both(output, direction)
    return np.abs(hs**2 - right**2).sum() / (right**2).sum()


def judge(out):
    scores = []
    for scheme, least in (("second order", 1.7), ("first order", 0.7)):
        errors = [error(out[f"{scheme}, {size} km"]) for size in SIZES]
        for i in (0, 1):
            order = np.log(errors[i] / errors[i + 1]) / np.log(SIZES[i] / SIZES[i + 1])
            scores.append(Score(f"{scheme}: order, {SIZES[i]} to {SIZES[i + 1]} km", order, least, 4))
    sides = [error(out[f"second order, {side}°"], side) for side in SIDES]
    scores.append(
        Score("largest error over the smallest of eight directions", max(sides) / min(sides), 1, 1.25)
    )
    highest = max(
        hs.max() / right.max() for hs, right in (both(out[f"second order, {side}°"], side) for side in SIDES)
    )
    scores.append(Score("highest cell over the exact highest", highest, 0.8, 1.0))
    return scores


def draw(out, figure):
    sizes, sides = figure.subplots(1, 2)
    for scheme in ("second order", "first order"):
        sizes.loglog(SIZES, [error(out[f"{scheme}, {size} km"]) for size in SIZES], "o-", label=scheme)
    sizes.set(xlabel="km", title="error of Hs² in L1", xticks=SIZES, xticklabels=SIZES)
    sizes.minorticks_off()
    sizes.legend()
    sides.bar(SIDES, [error(out[f"second order, {side}°"], side) for side in SIDES], width=30)
    sides.set(xlabel="coming from, degrees", title="the same by direction, 100 km", xticks=SIDES)
