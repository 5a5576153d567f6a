"""The picture of a mesh: a map of its spacing and histograms of what matters."""

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import PolyCollection

from groundswell.mesh import quality

OUTLINED = 20_000  # cells; with more, outlines would hide the colours


def cell_polygons(mesh):
    """Corner longitudes and latitudes (cells, corners, 2) in degrees, each polygon on one side of the date line; short ones
    repeat their last corner."""
    count = mesh["nEdgesOnCell"]
    place = np.minimum(np.arange(mesh["verticesOnCell"].shape[1])[None, :], count[:, None] - 1)
    vertices = np.take_along_axis(mesh["verticesOnCell"], place, axis=1) - 1
    lon, lat = np.degrees(mesh["lonVertex"][vertices]), np.degrees(mesh["latVertex"][vertices])
    middle = map_longitude(np.degrees(mesh["lonCell"]))
    lon = middle[:, None] + np.mod(lon - middle[:, None] + 180.0, 360.0) - 180.0
    return np.stack([lon, lat], axis=-1)


def map_longitude(lon):
    """Longitudes turned so that the widest gap between cells is at the edge of the map."""
    ordered = np.sort(np.mod(lon, 360.0))
    gaps = np.diff(np.append(ordered, ordered[0] + 360.0))
    widest = int(np.argmax(gaps))
    start = ordered[(widest + 1) % len(ordered)] if gaps[widest] > 20.0 else 180.0
    if start > 180.0 or gaps[widest] <= 20.0:
        start -= 360.0
    return start + np.mod(lon - start, 360.0)


def draw(mesh, radius, result, name, path):
    spacing = quality.spacing(mesh) / 1000
    figure = plt.figure(figsize=(13, 7.5), layout="constrained")
    grid = figure.add_gridspec(3, 2, width_ratios=(2.6, 1))
    _map(figure, figure.add_subplot(grid[:, 0]), mesh, spacing)
    _histogram(figure.add_subplot(grid[0, 1]), spacing, "spacing, km")
    _histogram(
        figure.add_subplot(grid[1, 1]),
        100 * quality.centroid_offset(mesh),
        "generator off centroid, % of spacing",
    )
    angles = quality.angles(mesh)
    _histogram(
        figure.add_subplot(grid[2, 1]),
        angles.ravel() if angles is not None else np.zeros(0),
        "angles of dual triangles, °",
    )
    step = f", longest step {result['longest_step']:.0f} s" if result.get("longest_step") else ""
    figure.suptitle(f"{name}: {result['cells']:,} cells, {spacing.min():.3g}–{spacing.max():.3g} km{step}")
    figure.savefig(path, dpi=110)
    plt.close(figure)


def _map(figure, axes, mesh, spacing):
    outlined = len(spacing) <= OUTLINED
    polygons = PolyCollection(
        cell_polygons(mesh),
        array=spacing,
        cmap="viridis_r",
        linewidths=0.15 if outlined else 0.1,
        edgecolors="black" if outlined else "face",
    )
    axes.add_collection(polygons)
    axes.set_facecolor("0.85")
    axes.autoscale_view()
    if np.ptp(axes.get_xlim()) > 330.0:
        axes.set(xlim=(-180, 180), ylim=(-90, 90))
    middle = np.mean(axes.get_ylim())
    axes.set_aspect(1 / max(np.cos(np.radians(middle)), 0.3))
    axes.set_xlabel("longitude, °E")
    axes.set_ylabel("latitude, °N")
    figure.colorbar(polygons, ax=axes, label="cell spacing, km", shrink=0.8)


def _histogram(axes, values, label):
    axes.hist(values, bins=60, color="tab:blue")
    axes.set_xlabel(label)
    axes.set_ylabel("number")
