"""The coast as a file of depths has it, islands smaller than a cell included, in place of the outline of the cells."""

import dataclasses

import numpy as np
from scipy import ndimage

from groundswell.mesh.bathymetry import read_bathymetry

FINEST = 2000  # grid points across the map: finer files are averaged
EDGE = -0.01  # m: what stands at 0 is land, as in the mesh
BEYOND = "0.94"  # sea outside the mesh, and gaps between its cells and the coast


@dataclasses.dataclass
class Coast:
    """Elevations (m, positive up; [latitude, longitude]) on ascending longitudes of the map and latitudes, degrees."""

    lon: np.ndarray
    lat: np.ndarray
    elevation: np.ndarray


def read_coast(path, extent):
    """The file's elevations in `extent` = (west, east, south, north) of a map. Refusal where it does not cover the map."""
    west, east, south, north = extent
    found = read_bathymetry(path, extent, 0.0, (north - south) / FINEST)
    lon, elevation = found.lon, found.elevation
    if found.periodic:  # once around from where the map begins, with the first column again at its end
        turned = west + np.mod(lon - west, 360.0)
        order = np.argsort(turned)
        lon, elevation = turned[order], elevation[:, order]
        lon = np.concatenate([[lon[-1] - 360.0], lon, [lon[0] + 360.0]])
        elevation = np.concatenate([elevation[:, -1:], elevation, elevation[:, :1]], axis=1)
    return Coast(lon, found.lat, elevation)


def without_inland_water(coast, lon, lat):
    """The same coast, with what lies below 0 as land where none of these places (of cells' centres, degrees) is in it, as polders
    and lakes that are not in the mesh."""
    waters, _ = ndimage.label(coast.elevation < 0.0)
    row, column = _nearest(coast.lat, lat), _nearest(coast.lon, lon)
    kept = np.unique(waters[row, column])
    inland = (coast.elevation < 0.0) & ~np.isin(waters, kept[kept > 0])
    return dataclasses.replace(coast, elevation=np.where(inland, 0.5, coast.elevation))


def _nearest(axis, values):
    after = np.clip(np.searchsorted(axis, values), 1, len(axis) - 1)
    return after - (values - axis[after - 1] < axis[after] - values)


def add_coast(axes, coast, land):
    """Land in its colour over the cells, and its edge; the sea without cells becomes pale."""
    axes.set_facecolor(BEYOND)
    points = coast.lon, coast.lat, coast.elevation
    if (coast.elevation > EDGE).any():
        top = max(float(coast.elevation.max()), 1.0)
        axes.contourf(*points, levels=[EDGE, top + 1.0], colors=[land], zorder=1.3)
        axes.contour(*points, levels=[EDGE], colors="0.12", linewidths=0.6, linestyles="solid", zorder=2)
