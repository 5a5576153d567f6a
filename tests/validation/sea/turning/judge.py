"""A wind that turns

A sea that six hours of 15 m/s from the south have raised (2.7 m, 6.8 s) meets at once a wind of 15 m/s from the west,
or from the south-west: it turns by 90° or 45°. Measurements (van Vledder & Holthuijsen 1993, J. Phys. Oceanogr. 23,
177–192; Holthuijsen, Kuik & Mosselman 1987) and models: the mean direction follows the wind in one sweep and does not
swing beyond it, within hours, and the models turn faster than the sea.

Scores: share of the turn that is done after 12 h; how far it swings beyond the wind; the largest step back; hours
until half of the turn, 1 to 5. Bands are of this book: no paper gives them. `st6`, `zieger` turns too slowly by 45°, as
its new sea grows too slowly: it has a wind of 28 u* where `liu` has 32 u*. With `donelan_speed = 32` it does 0.77 of the turn in 12 h; with the whitecapping
of `liu`, which takes more, 0.68, and with both 0.75.
"""

import numpy as np
from case import Score, legend
from curves import PACKAGES, colour

TURNS = {90: [15.0, 0.0], 45: [15.0 / np.sqrt(2), 15.0 / np.sqrt(2)]}
RUNS = {
    f"{package}, {turn}": {**settings, "wind.0.uniform": wind}
    for package, settings in PACKAGES.items()
    for turn, wind in TURNS.items()
}


def turned(out, package, turn):
    """Share of the turn, every half hour."""
    return (out[f"{package}, {turn}"].read("series.nc")["dir"][:, 0] - 180) / turn


def judge(out):
    scores = []
    for package in PACKAGES:
        for turn in TURNS:
            share = turned(out, package, turn)
            half = np.interp(0.5, np.maximum.accumulate(share), np.arange(len(share)) / 2)
            scores.append(Score(f"{package}, {turn}°: share after 12 h", share[24], 0.75, 1.01))
            scores.append(
                Score(
                    f"{package}, {turn}°: beyond the wind or back",
                    max(share.max() - 1, -np.diff(share).min(), 0),
                    0,
                    0.02,
                )
            )
            scores.append(Score(f"{package}, {turn}°: hours until half", half, 1, 5))
    return scores


def draw(out, figure):
    for axes, turn in zip(figure.subplots(1, 2, sharey=True), TURNS):
        for package in PACKAGES:
            if f"{package}, {turn}" in out:
                share = turned(out, package, turn)
                axes.plot(np.arange(len(share)) / 2, share, color=colour(package), label=package)
        axes.set(xlabel="hours", title=f"share of a turn of {turn}°")
    legend(figure, axes)
