"""The cell that each pixel of a page's map shows."""

import numpy as np
from PIL import Image, ImageDraw
from scipy.interpolate import RegularGridInterpolator

WIDTH = 900  # pixels of a map that is wider than tall
TALLEST = 1.1  # times as tall as wide, at most
LAND, OUTSIDE = 0, 1  # pixels without a cell; cell c is FIRST + c
FIRST = 2


def size_of(shape, width=WIDTH):
    """(width, height) in pixels."""
    west, east, south, north = shape.extent
    ratio = (north - south) * shape.aspect / (east - west)
    return (
        (width, max(1, round(width * ratio)))
        if ratio <= TALLEST
        else (round(width * TALLEST / ratio), round(width * TALLEST))
    )


def cells_of_pixels(shape, size):
    """[height, width] uint32, the northernmost row first: LAND, OUTSIDE, or FIRST + cell. Land by the shape's relief where it has
    one; else all that has no cell."""
    width, height = size
    west, east, south, north = shape.extent
    image = Image.new("I", size, LAND if shape.relief is None else OUTSIDE)
    pen = ImageDraw.Draw(image)
    scale = np.array([width / (east - west), -height / (north - south)])
    for polygon, cell in zip((shape.polygons - (west, north)) * scale, shape.cell):
        pen.polygon([tuple(corner) for corner in polygon], fill=int(cell) + FIRST)
    found = np.asarray(image).astype(np.uint32)
    if shape.relief is not None:
        lon = west + (np.arange(width) + 0.5) / width * (east - west)
        lat = north - (np.arange(height) + 0.5) / height * (north - south)
        found[elevation_at(shape.relief, lon, lat) >= 0.0] = LAND
    return found


def elevation_at(relief, lon, lat):
    """[lat, lon] elevations, bilinear; beyond the file its outermost."""
    between = RegularGridInterpolator((relief.lat, relief.lon), relief.elevation)
    rows = np.clip(lat, relief.lat[0], relief.lat[-1])
    columns = np.clip(lon, relief.lon[0], relief.lon[-1])
    return between(tuple(np.meshgrid(rows, columns, indexing="ij")))
