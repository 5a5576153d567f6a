"""Conservation and positivity

Swell in a closed basin of 10° with cells of 40 km and without source terms for two days (`coast = "closed"`), in
second order with its limiter and in first order and with the cure of the sprinkler. Energy, the sum of Hs² times
area, stays to the rounding of the state (`float`): 10⁻⁵. Heights are never below nothing.

The same on the whole sphere, 64 002 cells some 90 km apart without a coast, with ten frequencies, of swell that starts close by the
North Pole, goes over it and spreads.
"""

import netCDF4
from case import Score, legend

RUNS = {
    "second order": {"propagation.swell_age": "none"},
    "second order with the cure": {},
    "first order": {"propagation.scheme": "upwind"},
}
MESHES = {"sphere": {"region": None, "spacing": None, "mesh": {"icosahedron": 80}}}
SPHERE = {
    "mesh": "sphere",
    "initial.centre": [30, 84],
    "initial.radius": 600,
    "initial.direction": 200,
    "time.source_step": "30min",
    "spectrum.frequencies": 10,
}
RUNS |= {f"sphere, {name}": {**settings, **SPHERE} for name, settings in RUNS.items()}


def energy(output):
    data = output.read("basin.nc")
    with netCDF4.Dataset(output.mesh) as mesh:
        area = mesh["areaCell"][:][data["mesh_cell"].astype(int) - 1]
    return data["hours"], (data["hs"] ** 2) @ area


def judge(out):
    scores = []
    for name in RUNS:
        _, total = energy(out[name])
        scores.append(
            Score(f"{name}: energy over the first, less 1", max(total / total[0] - 1, key=abs), -1e-5, 1e-5)
        )
        scores.append(Score(f"{name}: lowest Hs, m", out[name].read("basin.nc")["hs"].min(), 0, 100))
    return scores


def draw(out, figure):
    axes = figure.subplots(1, 1)
    for name in RUNS:
        hours, total = energy(out[name])
        axes.plot(hours, 1e6 * (total / total[0] - 1), "--" if "sphere" in name else "-", label=name)
    axes.set(xlabel="hours", title="energy over that of the start, less 1, in millionths")
    legend(figure, axes)
