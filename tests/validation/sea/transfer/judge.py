"""The four-wave transfer of a JONSWAP sea

The discrete interaction approximation of the model (Hasselmann et al. 1985, C = 3·10⁷), as the run tells it at its
start (`spectra = ["budgets"]`), beside the exact transfer of the same spectrum
(`tests/validation/exact_transfer.py`): 10 s, γ = 3.3, spread 30°, 30 frequencies × 36 directions; for the exact one
the tail fades out beyond four times the peak, as in `tests/python/spectra/test_exact_transfer.py`, so that nothing
leaves the grid. The approximation was made to have the exact transfer's positive lobe below the peak; it is known to
be broader above it.

Scores: sums over the grid by sums of absolute values (the approximation within 2 %: waves above the grid take part;
the exact one within 1 %); the highest growth and where it is, the greatest loss and the first crossing, over those of
the exact transfer; bands are of this book. The approximation knows one quadruplet alone, in which
frequencies differ by a quarter: its positive lobe is wider than the exact one, and the first crossing lies farther up.
"""

import functools
import sys

import numpy as np
from case import ROOT, Score

sys.path.insert(0, str(ROOT / "tests/validation"))
from exact_transfer import Grid, transfer  # noqa: E402

RUNS = {"wam3": {}}


@functools.cache
def both(output):
    """f, and dE/dt of approximation and exact transfer (m²)."""
    data = output.read("spectra.nc")
    grid = Grid(0.05, 1.1, 30, 36)
    energy = data["efth"][0, 0]
    # So that nothing leaves the grid.
    exact = transfer(grid, energy * np.exp(-((grid.frequency / 0.4) ** 4))[:, None], points=6)
    return grid, data["budget_four_wave"][0, 0], exact.sum(axis=1) * grid.direction[1]


def crossing(f, line):
    """From growth to loss, at the peak."""
    i = int(line.argmax())
    while line[i + 1] > 0:
        i += 1
    return f[i] + (f[i + 1] - f[i]) * line[i] / (line[i] - line[i + 1])


def judge(out):
    grid, fast, exact = both(out["wam3"])
    f = grid.frequency
    scores = []
    for name, line, most in (("approximation", fast, 0.02), ("exact", exact, 0.01)):
        balance = (line * grid.width).sum() / (abs(line) * grid.width).sum()
        scores.append(Score(f"{name}: sum over sum of absolute values", balance, -most, most))
    scores.append(Score("highest growth over the exact one", fast.max() / exact.max(), 0.5, 2))
    scores.append(Score("its frequency over the exact one", f[fast.argmax()] / f[exact.argmax()], 0.9, 1.1))
    scores.append(
        Score("first crossing over the exact one", crossing(f, fast) / crossing(f, exact), 0.9, 1.1)
    )
    scores.append(Score("greatest loss over the exact one", fast.min() / exact.min(), 0.5, 2))
    return scores


def draw(out, figure):
    grid, fast, exact = both(out["wam3"])
    axes = figure.subplots(1, 1)
    axes.plot(grid.frequency, 1e6 * exact, "k", label="exact")
    axes.plot(grid.frequency, 1e6 * fast, "C0.-", label="approximation")
    axes.set(xlabel="Hz", title="dE(f)/dt, 10⁻⁶ m²", xlim=(0.05, 0.35))
    axes.legend()
