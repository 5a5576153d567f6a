"""Convergence and isotropy

A smooth patch of swell, 500 km wide, 5° of spread, three frequencies of one speed, goes 950 km in a day over a deep
sea at the equator: with cells of 150, 100, 67 and 48 km and steps of 45, 30, 20 and 14.4 min to the east, and with 100 km also to
seven other sides. Exact: rays.

Scores: order in L1 of Hs² between two sizes of cells, at least 1.7 in second order with its limiter and 0.7 in first
order; largest error over the smallest of the eight directions; the highest cell over the exact highest, which nothing
may exceed. The order of the second is that between 150, 100 and 67 km. With 150 km the first spreads the patch, whose standard deviation is 354 km,
by 300 km in a day: as much as the patch itself, where no order shows, so its order is that between 100, 67 and 48 km. A Gaussian that spreads as
widely as the patch does with cells of 150, 100 and 67 km is off by 0.33, 0.24 and 0.17, as the model is by 0.33, 0.25 and 0.17: all of the
error is that diffusion, which as an order is 0.75 between the coarsest two.
"""

import functools

import numpy as np
from case import Score
from rays import heights

SIZES = (150, 100, 67, 48)
SIZES_OF = {"second order": SIZES[:3], "first order": SIZES[1:]}
# In proportion to the cells: first order diffuses by both.
STEPS = {
    size: {"time.step": step, "time.source_step": step}
    for size, step in zip(SIZES, ("45min", "30min", "20min", "864s"))
}
MESHES = {f"{size}": {"spacing": {"finest_km": float(size)}} for size in SIZES}
SIDES = tuple(range(0, 360, 45))
RUNS = {
    f"{scheme}, {size} km": {"mesh": f"{size}", "propagation.scheme": name, **STEPS[size]}
    for scheme, name in (("second order", "second-order"), ("first order", "upwind"))
    for size in SIZES_OF[scheme]
} | {f"second order, {side}°": {"mesh": "100", "initial.direction": side} for side in SIDES}


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
        sizes = SIZES_OF[scheme]
        errors = [error(out[f"{scheme}, {size} km"]) for size in sizes]
        for i in (0, 1):
            order = np.log(errors[i] / errors[i + 1]) / np.log(sizes[i] / sizes[i + 1])
            scores.append(Score(f"{scheme}: order, {sizes[i]} to {sizes[i + 1]} km", order, least, 4))
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
        of_scheme = SIZES_OF[scheme]
        errors = [error(out[f"{scheme}, {size} km"]) for size in of_scheme]
        sizes.loglog(of_scheme, errors, "o-", label=scheme)
    sizes.set(xlabel="km", title="error of Hs² in L1", xticks=SIZES, xticklabels=SIZES)
    sizes.minorticks_off()
    sizes.legend()
    sides.bar(SIDES, [error(out[f"second order, {side}°"], side) for side in SIDES], width=30)
    sides.set(xlabel="coming from, degrees", title="the same by direction, 100 km", xticks=SIDES)
