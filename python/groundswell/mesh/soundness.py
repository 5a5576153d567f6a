"""Elevations that no place on Earth has, and rows or columns that a grid lacks: refused before they become a sea floor."""

import numpy as np

from groundswell.errors import refuse

LOWEST, HIGHEST = -12_000.0, 9_000.0  # m: below the Challenger Deep, above Mount Everest
HOLE = 2.5  # times the spacing that is usual around there
NEIGHBOURS = 3  # spacings on either side that tell what is usual


def check_elevations(path, name, values, lon, lat):
    """Values (ny, nx) of elevation, m, NaN where nothing is known."""
    with np.errstate(invalid="ignore"):
        wrong = np.flatnonzero((values < LOWEST) | (values > HIGHEST))
    if len(wrong):
        j, i = np.unravel_index(wrong[0], values.shape)
        refuse(
            path,
            f"{name} at {lon[i]:.3f}°E, {lat[j]:.3f}°N",
            f"{values[j, i]:g} m of elevation",
            f"{LOWEST:g} … {HIGHEST:g} m; a number that marks missing values without _FillValue is named by "
            "[bathymetry] missing",
        )


def check_spacing(path, name, axis, low, high):
    """An ascending axis; a hole of it between `low` and `high` is refused."""
    spacing = np.diff(axis)
    for k in range(len(spacing)):
        around = spacing[max(0, k - NEIGHBOURS) : k + NEIGHBOURS + 1]
        usual = np.sort(around)[(len(around) - 1) // 2]
        if len(around) > 2 and spacing[k] > HOLE * usual and axis[k] < high and axis[k + 1] > low:
            refuse(
                path,
                name,
                f"nothing from {axis[k]:g} to {axis[k + 1]:g}",
                f"rows and columns about {usual:g} degrees apart all over the region",
            )
