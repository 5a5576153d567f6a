"""Scores of pairs of model and measurement."""

import math

import numpy as np

QUANTILES = (0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99)
FEWEST = 2  # pairs, below which nothing can be said of their scatter


def scores(observed, modelled, bearing=False):
    """{name: number, None where it is not defined}. With o what was measured, m the model's and an overbar for means:

    bias                  m̄ − ō
    rmse                  √ mean (m − o)²
    scatter_index         √ mean ((m − m̄) − (o − ō))² / ō: the scatter alone
    scatter_index_rmse    rmse / ō: the scatter with the bias in it
    correlation           Pearson's
    slope                 Σ m o / Σ o²: least squares through the origin, all error in the model
    slope_symmetric       √ (Σ m² / Σ o²): of the ellipse, error on both sides alike
    standard deviations of both, and quantiles

    Bearings: means are those of unit vectors, differences the shorter way round; what needs a zero has no value.
    """
    o, m = np.asarray(observed, dtype=float), np.asarray(modelled, dtype=float)
    found = {"count": len(o)}
    if not len(o):
        return found
    if bearing:
        difference = (m - o + 180.0) % 360.0 - 180.0
        mean = lambda a: float(np.degrees(np.angle(np.exp(1j * np.radians(a)).mean())))  # noqa: E731
        bias = mean(difference)
        return found | {
            "mean_observed": mean(o) % 360.0,
            "mean_modelled": mean(m) % 360.0,
            "bias": bias,
            "rmse": float(np.sqrt(np.mean(difference**2))),
            "standard_deviation_of_difference": float(
                np.sqrt(np.mean(((difference - bias + 180.0) % 360.0 - 180.0) ** 2))
            ),
        }
    bias, rmse = float(np.mean(m - o)), float(np.sqrt(np.mean((m - o) ** 2)))
    scatter = float(np.sqrt(np.mean(((m - m.mean()) - (o - o.mean())) ** 2)))
    squares = float(np.sum(o * o))
    spread = float(o.std() * m.std())
    enough = len(o) >= FEWEST
    return found | {
        "mean_observed": float(o.mean()),
        "mean_modelled": float(m.mean()),
        "bias": bias,
        "rmse": rmse,
        "standard_deviation_of_difference": scatter,
        "scatter_index": _ratio(scatter, float(o.mean())) if enough else None,
        "scatter_index_rmse": _ratio(rmse, float(o.mean())),
        "correlation": _ratio(float(np.mean((o - o.mean()) * (m - m.mean()))), spread) if enough else None,
        "slope": _ratio(float(np.sum(m * o)), squares),
        "slope_symmetric": math.sqrt(float(np.sum(m * m)) / squares) if squares > 0 else None,
        "standard_deviation_observed": float(o.std()),
        "standard_deviation_modelled": float(m.std()),
        "quantiles": {
            "probability": list(QUANTILES),
            "observed": np.quantile(o, QUANTILES).tolist(),
            "modelled": np.quantile(m, QUANTILES).tolist(),
        },
    }


def _ratio(above, below):
    return above / below if below > 1e-12 * abs(above) and below > 0 else None


def by_lead(pairs, hours, bearing=False):
    """[{"from_hours", "to_hours", scores…}] of groups of lead time that have pairs."""
    group = np.floor(pairs.lead / hours + 1e-9).astype(int)
    found = []
    for k in np.unique(group):
        chosen = pairs.where(group == k)
        found.append(
            {"from_hours": k * hours, "to_hours": (k + 1) * hours}
            | scores(chosen.observed, chosen.modelled, bearing)
        )
    return found


def by_station(pairs, bearing=False):
    found = []
    for name in dict.fromkeys(pairs.station):
        chosen = pairs.where(pairs.station == name)
        found.append({"station": name} | scores(chosen.observed, chosen.modelled, bearing))
    return found
