"""A sea of one dimension off a shore: what size of cells and where a fetch begins do to its height, without anything else.

Bins of frequency travel one way at the group speed cg and grow by themselves, cg dE/dx = a + γE(1 − E/E∞), with γ of Komen et al. (1984) four times
over, so that the peak moves as it should without four-wave interactions, E∞ of half of Phillips' spectrum, and a wind of 10 m/s. Its steady state is
known exactly but for the rule of a fine integration.
"""

import functools

import numpy as np
from curves import G

FREQUENCY = 0.04177 * 1.1 ** np.arange(35)
WIDTH = FREQUENCY * (1.1 - 1 / 1.1) / 2
SPEED = G / (4 * np.pi * FREQUENCY)
OMEGA = 2 * np.pi * FREQUENCY
GROWTH = 4 * 0.25 * 1.2e-3 * OMEGA * np.maximum(0, 28 * 0.38 * OMEGA / G - 1)
HIGHEST = 0.5 * 0.0081 * G**2 * (2 * np.pi) ** -4 * FREQUENCY**-5
START = 1e-6 * HIGHEST * OMEGA
LENGTH, HOURS = 260.0, 60  # km


def height(energy):
    return 4 * np.sqrt((energy * WIDTH).sum(axis=-1))


@functools.cache
def exact():
    """Fetches, km, and heights, by the midpoint rule."""

    def slope(energy):
        return (START + GROWTH * energy * (1 - energy / HIGHEST)) / SPEED

    x = np.linspace(0, LENGTH, 40001)
    step, found = 1e3 * x[1], [np.zeros_like(FREQUENCY)]
    for _ in x[1:]:
        found.append(found[-1] + step * slope(found[-1] + 0.5 * step * slope(found[-1])))
    return x, height(np.array(found))


def second_order(energy, share):
    """At the faces that waves leave by; at the shore the slope is that towards the one neighbour."""
    before = np.vstack([2 * energy[:1] - energy[1:2], energy[:-1]])
    beyond = np.vstack([energy[1:], 2 * energy[-1:] - energy[-2:-1]])
    slope = np.maximum(0.5 * (beyond - before), -2 * energy)
    low, high = np.minimum(energy, beyond), np.maximum(energy, beyond)
    return np.maximum(np.clip(energy + 0.5 * slope * (1 - share), low, high), 0)


def first_order(energy, _share):
    return energy


def third_order(energy, share):
    """ULTIMATE QUICKEST (Leonard 1991), as WAVEWATCH III has it, with nothing at the land's point."""
    before = np.vstack([0 * energy[:1], energy[:-1]])
    beyond = np.vstack([energy[1:], energy[-1:]])
    face = 0.5 * ((1 - share) * beyond + (1 + share) * energy) - (1 - share**2) / 6 * (
        beyond - 2 * energy + before
    )
    whole = np.where(beyond == before, 1, beyond - before)
    at, value = (energy - before) / whole, (face - before) / whole
    bounded = np.clip(value, at, np.minimum(1, at / share))
    return np.where((at < 0) | (at > 1) | (beyond == before), energy, before + bounded * whole)


def heights(size, scheme):
    """Of the cells in order from the shore; size in km."""
    metres = 1e3 * size
    step = min(300.0, 0.8 * metres / SPEED.max())
    energy = np.zeros((int(LENGTH / size), len(FREQUENCY)))
    for _ in range(int(HOURS * 3600 / step)):
        flux = np.vstack([0 * energy[:1], scheme(energy, SPEED * step / metres)]) * SPEED
        energy = energy - step / metres * np.diff(flux, axis=0)
        rate = np.clip(GROWTH * (1 - energy / HIGHEST) * step, -5, 5)
        energy = np.clip((energy + step * START) * np.exp(rate), 0, HIGHEST)
    return height(energy)


def over_exact(size, scheme, first):
    """Fetches, km, of cells whose first one lies so many of them from the shore, and their heights over the exact ones."""
    found = heights(size, scheme)
    fetch = (np.arange(len(found)) + first) * size
    return fetch, found / np.interp(fetch, *exact())


def main():
    """The table of docs/explanation/physics-packages.md."""
    rows = [("cells", 12.5, second_order, 0.5), ("cells", 6.25, second_order, 0.5),
            ("first order", 12.5, first_order, 0.5), ("points", 12.5, third_order, 0.5), ("from the land's point", 12.5, third_order, 1.0)]  # fmt: skip
    for name, size, scheme, first in rows:
        line = np.interp([25, 50, 100, 200], *over_exact(size, scheme, first))
        print(f"{name:22}{size:6g} km", *(f"{ratio:6.2f}" for ratio in line))


if __name__ == "__main__":
    main()
