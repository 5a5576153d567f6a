"""Swell that only travels: its exact heights by rays, great circles along which spectral densities stay.

The sea at the start is that of `[initial] state = "swell"`: JONSWAP in frequency, cos^2s of half the angle in direction, a height that falls
as exp(-r²/2R²) from a place.
"""

import numpy as np

EARTH = 6371229.0
G = 9.80665


def unit(longitude, latitude):
    """Of degrees; the last axis is x, y, z."""
    lon, lat = np.radians(longitude), np.radians(latitude)
    return np.stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)], axis=-1)


def jonswap(frequency, peak_period, gamma):
    """Shape of E(f), without a scale."""
    peak = 1 / peak_period
    width = np.where(frequency <= peak, 0.07, 0.09)
    bump = np.exp(-0.5 * ((frequency / peak - 1) / width) ** 2)
    return frequency**-5.0 * np.exp(-1.25 * (peak / frequency) ** 4) * gamma**bump


def spreading(angle, spread):
    """Of angles (rad) from the mean, for a one-sided spread in degrees, √(2/(s + 1))."""
    s = 2 / np.radians(spread) ** 2 - 1
    return np.abs(np.cos(0.5 * angle)) ** (2 * s)


def energy_of_bins(first, ratio, count, peak_period, gamma, parts=1):
    """Frequencies and their shares of the energy; each bin in so many parts. The tail E ∝ f⁻⁵ beyond the last bin, which the model counts
    in its heights, goes with that bin."""
    edges = first * ratio ** ((np.arange(count * parts + 1)) / parts - 0.5)
    middle = np.sqrt(edges[1:] * edges[:-1])
    whole = first * ratio ** np.repeat(np.arange(count), parts)
    share = jonswap(whole, peak_period, gamma) * np.diff(edges)
    share[-parts:] += jonswap(whole[-1], peak_period, gamma) * edges[-1] / 4 / parts
    return middle, share / share.sum()


def heights(longitude, latitude, seconds, swell, frequencies, shares, directions=720):
    """Hs (m) at places (degrees) after so many seconds. `swell`: centre, radius (km), hs, direction (coming from), spread (degrees)."""
    place = unit(np.asarray(longitude, float), np.asarray(latitude, float))
    east = np.stack([-place[:, 1], place[:, 0], 0 * place[:, 0]], axis=-1)
    east /= np.linalg.norm(east, axis=1, keepdims=True)
    north = np.cross(place, east)
    centre = unit(*np.asarray(swell["centre"], float))
    to = np.radians(swell["direction"] + 180)
    energy = np.zeros(len(place))
    bearing = 2 * np.pi * (np.arange(directions) + 0.5) / directions
    total = spreading((bearing - to + np.pi) % (2 * np.pi) - np.pi, swell["spread"]).sum()
    for frequency, share in zip(frequencies, shares):
        angle = G / (4 * np.pi * frequency) * seconds / EARTH
        for b in bearing:
            heading = np.sin(b) * east + np.cos(b) * north
            source = np.cos(angle) * place - np.sin(angle) * heading
            sine, cosine = np.sin(angle), np.cos(angle)
            was = sine * place + cosine * heading  # the ray's heading at the source
            away = np.arccos(np.clip(source @ centre, -1, 1)) * EARTH / 1e3
            near = away < 6 * swell["radius"]
            if not near.any():
                continue
            s, w = source[near], was[near]
            e = np.stack([-s[:, 1], s[:, 0], 0 * s[:, 0]], axis=-1)
            e /= np.linalg.norm(e, axis=1, keepdims=True)
            at_source = np.arctan2((w * e).sum(1), (w * np.cross(s, e)).sum(1))
            turn = (at_source - to + np.pi) % (2 * np.pi) - np.pi
            weight = spreading(turn, swell["spread"]) / total
            energy[near] += share * weight * np.exp(-((away[near] / swell["radius"]) ** 2))
    return swell["hs"] * np.sqrt(energy)


def middle(longitude, latitude, weight):
    """Unit vector of a weighted mean of places."""
    mean = (unit(longitude, latitude) * np.asarray(weight)[:, None]).sum(0)
    return mean / np.linalg.norm(mean)
