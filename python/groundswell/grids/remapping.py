"""Fields of cells on a grid: each by the mean that keeps what it stands for."""

import numpy as np

# Energy of a cell is its area × hs²; these fields belong to it and are means over it.
HEIGHTS = ("hs", "hmax")
INVERSE_PERIODS = {"tm01": 1, "tm02": 2}  # m1 = m0 / tm01 and m2 = m0 / tm02² are what adds up
PERIODS = ("tp", "tmm10")
ENERGY, DIRECTION, SPREAD = "hs", "dir", "spread"


def is_height(name):
    return name in HEIGHTS or name.startswith("hs_")


class Remapping:
    """Applies weights to fields. With A the area that a cell has in a box and E = hs² its energy:

    heights                 √ (Σ A hs² / Σ A): energy is kept
    tm01, tm02, tmm10, tp   Σ A E / Σ A E/tm01; √ of the same with tm02²; Σ A E tmm10 / Σ A E
    bearings                of the vector Σ A E r (sin, cos), r = 1 − spread²/2 for `dir` where the spread is there, else 1
    spread                  √ 2 (1 − length of that vector / Σ A E)
    everything else         Σ A v / Σ A
    Without hs, E is 1. A cell without a value is left out.
    """

    def __init__(self, weights, grid, cells, least_sea=0.0):
        self.box, self.cell, self.area = weights.box, weights.cell, weights.area
        self.grid, self.cells = grid, cells
        sea = self._sum(np.ones(cells))
        # Not cut at 1, which straight pieces of edges exceed by some millionths: area × fraction × hs² is the energy.
        self.sea_fraction = (sea / grid.areas().ravel()).reshape(grid.rows, grid.columns)
        self.kept = (sea > 0) & (self.sea_fraction.ravel() >= least_sea)

    def _sum(self, values, known=None):
        """[boxes] Σ A v over the cells that have a value."""
        area = self.area if known is None else self.area * known[self.cell]
        return np.bincount(self.box, area * values[self.cell], minlength=self.grid.size)

    def fields(self, values, bearings=()):
        """{name: [rows, columns]} of {name: [cells]}, NaN on land; `bearings` names those in degrees coming from."""
        energy = np.nan_to_num(values[ENERGY]) ** 2 if ENERGY in values else np.ones(self.cells)
        found = {}
        for name, v in values.items():
            with np.errstate(invalid="ignore", divide="ignore"):
                box = self._field(name, v, energy, values, name in bearings)
            found[name] = np.where(self.kept, box, np.nan).reshape(self.grid.rows, self.grid.columns)
        return found

    def _field(self, name, v, energy, values, bearing):
        known = np.isfinite(v)
        v = np.where(known, v, 0.0)
        if bearing:
            length = (
                _length(values[SPREAD]) if name == DIRECTION and SPREAD in values else np.ones(self.cells)
            )
            known &= np.isfinite(length)
            east, north = self._vector(v, energy * np.nan_to_num(length), known)
            return np.where(np.hypot(east, north) > 0, np.degrees(np.arctan2(east, north)) % 360.0, np.nan)
        if name == SPREAD and DIRECTION in values:
            known &= np.isfinite(values[DIRECTION])
            east, north = self._vector(np.nan_to_num(values[DIRECTION]), energy * _length(v), known)
            whole = self._sum(energy, known)
            return np.degrees(np.sqrt(2 * (1 - np.minimum(np.hypot(east, north) / whole, 1.0))))
        if is_height(name):
            return np.sqrt(self._sum(v**2, known) / self._sum(np.ones(self.cells), known))
        if name in INVERSE_PERIODS:
            power = INVERSE_PERIODS[name]
            known &= v > 0
            moment = self._sum(energy / np.where(known, v, 1.0) ** power, known)
            return (self._sum(energy, known) / moment) ** (1 / power)
        if name in PERIODS or name.startswith(("tp_", "tm")):
            return self._sum(energy * v, known) / self._sum(energy, known)
        return self._sum(v, known) / self._sum(np.ones(self.cells), known)

    def _vector(self, bearing, weight, known):
        angle = np.radians(bearing)
        return self._sum(weight * np.sin(angle), known), self._sum(weight * np.cos(angle), known)


def _length(spread):
    """Length of the mean vector of a spectrum with this one-sided spread, degrees."""
    return 1 - np.radians(spread) ** 2 / 2
