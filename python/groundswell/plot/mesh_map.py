"""`plot mesh`: a mesh file drawn by depth, spacing, or the part that each cell belongs to."""

import pathlib

import matplotlib
import numpy as np
from matplotlib.colors import ListedColormap

from groundswell.errors import refuse
from groundswell.mesh import quality
from groundswell.mesh.mpas_file import read_mesh
from groundswell.plot import chart
from groundswell.plot import source as reading
from groundswell.plot.map_file import Field
from groundswell.plot.measured.reports import counted
from groundswell.plot.scale import Scale, make_scale
from groundswell.plot.shape import make_shape

OUTLINED = 20_000  # cells; with more, outlines would hide the colours
PART = "part"  # variable (nCells), from 0; -1 where the model has no cell


def shape_of(arrays, region=None):
    """The Shape of a mesh in its arrays."""
    count = arrays["nEdgesOnCell"][:, None]
    corners = np.where(
        np.arange(arrays["verticesOnCell"].shape[1])[None, :] < count, arrays["verticesOnCell"] - 1, -1
    )
    node_lon, node_lat, lon, lat = (
        np.degrees(arrays[name]) for name in ("lonVertex", "latVertex", "lonCell", "latCell")
    )
    return make_shape(node_lon, node_lat, corners, lon, lat, region)


def mesh_shape(path, region=None):
    """(Shape, arrays) of a mesh file."""
    arrays, _ = read_mesh(path)
    shape = shape_of(arrays, region)
    if not shape.seen().any():
        refuse(path, "--region", ",".join(f"{x:g}" for x in region), "a region with cells of the mesh in it")
    return shape, arrays


def read_parts(path, cells):
    """[cells] the part of each cell, NaN for land; from NetCDF, or from text with one number a line."""
    if str(path).endswith(".nc"):
        with reading.opened(path, (PART,), "a partition of a mesh") as source:
            parts = reading.values(source.variables[PART])
    else:
        parts = numbers_of(path)
    if parts.shape != (cells,):
        refuse(path, PART, f"of shape {parts.shape}", f"one number for each of the mesh's {cells} cells")
    return np.where(parts < 0, np.nan, parts)


def numbers_of(path):
    try:
        return np.loadtxt(path, dtype=float, ndmin=1)
    except (OSError, ValueError) as error:
        refuse(
            path,
            None,
            None,
            f"the part of each cell, one a line, or NetCDF in a file that ends in .nc: {error}",
        )


def part_scale(parts):
    """Colours in which neighbouring numbers are unlike; they come again when there are more parts than colours."""
    count = int(np.nanmax(parts)) + 1
    colours = [matplotlib.colormaps["tab20"](k % 20) for k in range(count)]
    bounds = np.arange(count + 1) - 0.5
    ticks = list(range(0, count, max(1, -(-count // 16))))
    return Scale(ListedColormap(colours), matplotlib.colors.BoundaryNorm(bounds, count), ticks, "neither")


def draw_mesh(path, what="depth", parts=None, region=None, limits=None):
    """(Chart, summary) of a mesh by `what`: depth, spacing, or parts (from the file `parts`)."""
    shape, arrays = mesh_shape(path, region)
    if what == "parts":
        values = read_parts(parts, len(shape.lon))
        if np.isnan(values).all():
            refuse(parts, PART, "-1 everywhere", "at least one cell in a part")
        field, scale = Field("part", "parts", "", False), part_scale(values)
    else:
        if what == "spacing":
            values, field = quality.spacing(arrays) / 1000, Field("spacing", "cell spacing", "km", False)
        elif "bottomDepth" in arrays:
            values, field = arrays["bottomDepth"], Field("bottomDepth", "depth", "m", False)
        else:
            refuse(path, "bottomDepth", "(missing)", "a mesh with depths, or --spacing")
        shown = np.where(shape.seen(), values, np.nan)
        scale = make_scale(np.nanmin(shown), np.nanmax(shown), limits, name=what)
    sheet = chart.Chart(shape)
    sheet.colour(values, scale, chart.label(field))
    if len(values) <= OUTLINED:
        sheet.cells.set(edgecolors="black", linewidths=0.15)
    low, high = quality.spacing(arrays).min() / 1000, quality.spacing(arrays).max() / 1000
    name = pathlib.Path(path).name
    note = ""
    result = {
        "field": field.name,
        "unit": field.unit,
        "cells": len(values),
        "limits": list(scale.limits),
        "min": float(np.nanmin(values)),
        "max": float(np.nanmax(values)),
    }
    if what == "parts":
        sizes = np.bincount(values[~np.isnan(values)].astype(int))
        note = f"{len(sizes)} parts of {sizes.min():,} to {counted(sizes.max(), 'cell')}"
        result["part_cells"] = sizes.tolist()
    sheet.title(
        f"{name}: {counted(len(values), 'cell')}",
        chart.capital(field.long_name),
        f"spacing {low:.3g} to {high:.3g} km",
        (note,),
    )
    return sheet, result
