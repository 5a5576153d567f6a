"""Sea floors that follow a formula."""

import numpy as np

from groundswell.mesh.bathymetry import from_elevation


def uniform(region, depth, whole=False):
    """Sea of one depth everywhere."""
    if whole:
        lon, lat = np.arange(-180.0, 180.0, 2.0), np.linspace(-90, 90, 91)
    else:
        lon, lat = np.linspace(region[0], region[1], 32), np.linspace(region[2], region[3], 32)
    return from_elevation(
        lon, lat, np.full((len(lat), len(lon)), -depth), whole, f"uniform depth {depth:g} m"
    )


def beach(region, depth, slope, radius, points=2001):
    """A plane beach: the waterline at the eastern side of the region, `depth` beyond `slope` metres west of it."""
    lon, lat = np.linspace(region[0], region[1], points), np.linspace(region[2], region[3], 5)
    metres = np.radians(region[1] - lon) * radius * np.cos(np.radians(0.5 * (region[2] + region[3])))
    profile = -depth * np.minimum(1.0, metres / slope)
    return from_elevation(
        lon, lat, np.tile(profile, (len(lat), 1)), False, f"plane beach {depth:g} m to 0 over {slope:g} m"
    )
