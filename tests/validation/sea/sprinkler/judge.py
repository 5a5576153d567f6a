"""The garden sprinkler effect

Swell of 14 s of a storm of 150 km over cells of 100 km, 24 directions and frequencies a tenth apart, for five days
(the test of Booij & Holthuijsen 1987, J. Comput. Phys. 68, 307–326; Tolman 2002, Ocean Modelling 4, 1–19). What such
bins do in place of a swell that spreads evenly is fall apart into one heap for each direction and frequency. Truth: a run with ten times the directions and four times the frequencies, itself held against rays of a spectrum
that is even within each bin of frequency and smooth in direction, which have no cells.

Scores: rms of Hs − truth where there is swell, over the largest true Hs, and the highest cell over the highest true
one. The first order smears, the second without a cure falls apart; the cure has to come at least twice as near as none and to keep the height.

The cure's age is to be a third of the swell's. A case that names none has a third of what the longest waves take through its region, and 48 h
at most, which is what it has here. One of 12 h, as for a sea of 1500 km, is drawn beside it: too short for a swell of five days, it leaves 0.8 of
the error.
"""

import functools

import numpy as np
from case import Score
from rays import energy_of_bins, heights

SWELL = {"centre": [5, 5], "radius": 150, "hs": 5.0, "direction": 235, "spread": 20}
RUNS = {
    "first order": {"propagation.scheme": "upwind"},
    "second order, no cure": {"propagation.swell_age": "none"},
    "second order with the cure": {},
    "second order, cure of 12 h": {"propagation.swell_age": "12h"},
    "240 directions, 20 frequencies": {
        "propagation.swell_age": "none",
        "spectrum.directions": 240,
        "spectrum.frequencies": 20,
        "spectrum.first_frequency": 0.058 * 1.1**-0.375,
        "spectrum.ratio": 1.1**0.25,
    },
}


def places(out):
    data = out["first order"].read("swell.nc")
    return data["mesh_face_lon"], data["mesh_face_lat"]


@functools.cache
def truth_of(output):
    frequencies, shares = energy_of_bins(0.058, 1.1, 5, 14.0, 3.3, parts=6)
    data = output.read("swell.nc")
    places = data["mesh_face_lon"], data["mesh_face_lat"]
    return heights(*places, 5 * 86400, SWELL, frequencies, shares, 720)


def truth(out):
    return truth_of(out["first order"])


FINE = "240 directions, 20 frequencies"
BANDS = {
    "first order": 0.25,
    "second order, no cure": 1.0,
    "second order with the cure": 0.15,
    "second order, cure of 12 h": 0.15,
}


def last(out, name):
    return out[name].read("swell.nc")["hs"][-1]


def judge(out):
    rays, fine = truth(out), last(out, FINE)
    there = np.maximum(rays, fine) > 0.02
    scores = [
        Score(f"{FINE}: rms of Hs − rays over the largest", rms(fine, rays, there), 0, 0.1),
        Score(f"{FINE}: highest Hs over that of rays", fine.max() / rays.max(), 0.75, 1.25),
    ]
    error = {name: rms(last(out, name), fine, there) for name in BANDS}
    for name, band in BANDS.items():
        scores.append(Score(f"{name}: rms of Hs − that of {FINE} over the largest", error[name], 0, band))
    cured = "second order with the cure"
    ratio = error[cured] / error["second order, no cure"]
    scores.append(Score(f"{cured}: error over that without", ratio, 0, 0.5))
    highest = last(out, cured).max() / fine.max()
    scores.append(Score(f"{cured}: highest Hs over that of {FINE}", highest, 0.75, 1.25))
    return scores


def rms(hs, right, there):
    return np.sqrt(np.mean((hs - right)[there] ** 2)) / right.max()


def draw(out, figure):
    lon, lat = places(out)
    right = truth(out)
    fields = {"rays": right} | {name: out[name].read("swell.nc")["hs"][-1] for name in RUNS}
    for i, (name, hs) in enumerate(fields.items()):
        axes = figure.add_subplot(1, len(fields), i + 1)
        image = axes.tricontourf(
            lon, lat, hs, levels=np.linspace(0.02, 1.6 * right.max(), 14), extend="max", cmap="viridis"
        )
        axes.set(aspect="equal", xticks=[], yticks=[], xlim=(15, 55), ylim=(5, 40))
        axes.set_title(name.replace(", ", "\n").replace(" with", "\nwith"), fontsize=7)
        axes.grid(False)
    figure.colorbar(image, ax=figure.axes, label="Hs, m", shrink=0.5)
