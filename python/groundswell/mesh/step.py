"""The longest stable step of the model on a mesh, by the model's own formula (docs/explanation/theory.md, The longest stable step):

    upwind: 1 / max over cells and bins of cg/(k A) Σ_e ℓ_e k_e max(0, n_e·d);    second order: half of that

with k_e the harmonic mean of the wave numbers on both sides of an edge, and k at the coast.
"""

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from groundswell.mesh import sphere

GRAVITY = 9.80665  # m s⁻²
LIMIT = {"second-order": 0.5, "upwind": 1.0}  # share of a cell that may leave in one step
SMALLEST_SEA = 0.01  # of the largest one's cells: what is smaller the model leaves out
LARGEST_FRAME_TURN = 0.1  # rad over one cell: beyond, the east of its centre is carried over the cell


def wave_number(frequency, depth):
    """k of σ² = gk tanh kd, by Newton's method from Eckart's approximation."""
    sigma = 2 * np.pi * frequency
    deep = sigma**2 * np.asarray(depth, float) / GRAVITY
    kd = deep / np.sqrt(np.tanh(deep))
    for _ in range(8):
        t = np.tanh(kd)
        kd = kd - (kd * t - deep) / (t + kd * (1 - t**2))
    return kd / depth


def group_speed(frequency, depth):
    """cg = ½ (σ/k) (1 + 2kd / sinh 2kd)."""
    k = wave_number(frequency, depth)
    twice = np.minimum(2 * k * depth, 300.0)
    return np.pi * frequency / k * (1 + twice / np.sinh(twice))


def sea_cells(mesh, depth):
    """[cells] those that the model computes: below the sea's surface, and not in a water far smaller than the largest."""
    wet = depth > 0
    pair = mesh["cellsOnEdge"] - 1
    joined = pair[(pair >= 0).all(axis=1)]
    joined = joined[wet[joined].all(axis=1)]
    graph = coo_array((np.ones(len(joined)), (joined[:, 0], joined[:, 1])), shape=(len(wet), len(wet)))
    water = connected_components(graph, directed=False)[1]
    size = np.bincount(water, wet)
    return wet & (size[water] >= SMALLEST_SEA * size.max())


class Sides:
    """The sides of all sea cells: each edge once for either cell, `there` -1 where no sea lies beyond."""

    def __init__(self, mesh, sea):
        pair = mesh["cellsOnEdge"] - 1
        here = np.concatenate([pair[:, 0], pair[:, 1]])
        there = np.concatenate([pair[:, 1], pair[:, 0]])
        used = (here >= 0) & sea[here]
        edge = np.tile(np.arange(len(pair)), 2)[used]
        self.cell, there = here[used], there[used]
        self.there = np.where((there >= 0) & sea[there], there, -1)
        self.rate = mesh["dvEdge"][edge] / mesh["areaCell"][self.cell]
        # The normal is perpendicular to the edge itself, which need not be so of the line between the centres.
        corners = sphere.to_xyz(mesh["lonVertex"], mesh["latVertex"])
        begin, end = (corners[mesh["verticesOnEdge"][edge, k] - 1] for k in (0, 1))
        middle = sphere.unit(begin + end)
        centre = sphere.to_xyz(mesh["lonCell"], mesh["latCell"])[self.cell]
        normal = np.cross(end - begin, middle)
        normal *= np.where(np.sum(normal * (middle - centre), axis=1) < 0, -1.0, 1.0)[:, None]
        self.bearing = bearing_at(middle, normal)
        size = np.sqrt(mesh["areaCell"]) / sphere.EARTH_RADIUS
        near = (size * np.abs(np.tan(mesh["latCell"])) > LARGEST_FRAME_TURN)[self.cell]
        self.bearing[near] -= carried_east(centre[near], middle[near])


def carried_east(centre, place):
    """Bearing at a place, against the local east, of the east of a centre that is carried there along the great circle."""
    along = np.sum(centre * place, axis=1)[:, None]
    return bearing_at(place, along * place - centre) - bearing_at(centre, place - along * centre)


def bearing_at(place, vector):
    """Angle of vectors at places of the sphere against the local east, counter-clockwise."""
    east, north = sphere.local_frame(place)
    return np.arctan2(np.sum(north * vector, axis=1), np.sum(east * vector, axis=1))


def _fastest(sides, chosen, weight, directions, cells):
    """[cells] the largest over directions of Σ weight · rate · max(0, n·d), over the chosen sides."""
    worst, which = np.zeros(cells), np.zeros(cells, int)
    cell, bearing, strength = sides.cell[chosen], sides.bearing[chosen], (weight * sides.rate[chosen])
    for number in range(directions):
        through = np.maximum(np.cos(bearing - 2 * np.pi * number / directions), 0.0)
        out = np.bincount(cell, strength * through, cells)
        higher = out > worst
        worst[higher], which[higher] = out[higher], number
    return worst, which


def longest_step(mesh, sea, depth, spectrum, closed=False):
    """(seconds of the upwind scheme, cell, frequency bin, direction bin) of the limit, over all sea cells and bins.

    Depths are those that the waves feel. Through a closed coast nothing leaves.
    """
    sides, cells, directions = Sides(mesh, sea), len(sea), spectrum["directions"]
    beyond = sides.there >= 0
    open_sides = beyond | (not closed)
    # What all directions share bounds what a frequency can do in a cell: only cells above the worst so far are looked into.
    widest, _ = _fastest(sides, open_sides, 1.0, directions, cells)
    fastest, limit = 0.0, (-1, 0, 0)
    for number in range(spectrum["frequencies"]):
        frequency = spectrum["first_frequency"] * spectrum["ratio"] ** number
        k, speed = np.ones(cells), np.zeros(cells)
        k[sea], speed[sea] = wave_number(frequency, depth[sea]), group_speed(frequency, depth[sea])
        own = k[sides.cell]
        other = np.where(beyond, k[sides.there], own)
        share = 2 * other / (own + other)  # k_e / k
        most = np.zeros(cells)
        np.maximum.at(most, sides.cell, share)
        chosen = open_sides & (widest * most * speed > fastest)[sides.cell]
        rate, direction = _fastest(sides, chosen, (share * speed[sides.cell])[chosen], directions, cells)
        cell = int(np.argmax(rate))
        if rate[cell] > fastest:
            fastest, limit = float(rate[cell]), (cell, number, int(direction[cell]))
    return (1 / fastest if fastest > 0 else np.inf), *limit
