"""Wanted size of cells everywhere: a rule in depth and distance to the coast, with bounded gradation.

At sea, inside the region, with D the distance to the nearest coast and d the depth:

    h = clip( min( finest + growth · max(0, D − band),  T · √(g d) ),  finest, coarsest )

The first term keeps fine cells in a band along the coast; the second, where asked for, is the way a long wave goes in T
seconds, so that the shelf gets finer cells than the deep sea. Then |∇h| ≤ gradation, by h(x) = min over y of
h(y) + gradation · |x − y| (Persson, "Mesh size functions for implicit geometries and PDE-based mesh generation",
Eng. Comput. 22 (2006), eq. 8). Over land and outside the region h grows by 0.3 m per metre: those cells are only needed to
close the ones that are kept.
"""

import dataclasses

import numpy as np

from groundswell.mesh import sphere

GRAVITY = 9.80665  # m s⁻²
OUTSIDE_GROWTH = 0.3  # metres of spacing per metre, over land and outside the region
RIM_CELLS = 4.0  # width of the band of helper cells around a region, in the coarsest spacing
LARGEST_GRID = 3_000_000  # values of the spacing grid


@dataclasses.dataclass
class SpacingRule:
    """Lengths in metres; growth and gradation in metres per metre; long_wave_seconds 0 leaves the depth rule out."""

    finest: float
    coarsest: float
    growth: float = 0.1
    band: float = 0.0
    long_wave_seconds: float = 0.0
    gradation: float = 0.15


@dataclasses.dataclass
class SpacingField:
    """Spacing in metres at the points of a regular grid (degrees); `inside` marks sea in the region."""

    lon0: float
    lat0: float
    dlon: float
    dlat: float
    spacing: np.ndarray
    inside: np.ndarray
    periodic: bool
    radius: float

    def at(self, points):
        """Bilinear spacing (m) at unit vectors."""
        lon, lat = np.degrees(sphere.to_lonlat(points))
        ny, nx = self.spacing.shape
        x = np.mod(lon - self.lon0 + (0.0 if self.periodic else 90.0), 360.0) - (
            0.0 if self.periodic else 90.0
        )
        fx = x / self.dlon if self.periodic else np.clip(x / self.dlon, 0, nx - 1)
        fy = np.clip((lat - self.lat0) / self.dlat, 0, ny - 1)
        i, j = np.minimum(fx.astype(int), nx - 1), np.minimum(fy.astype(int), ny - 2)
        i1 = (i + 1) % nx if self.periodic else np.minimum(i + 1, nx - 1)
        u, v = fx - i, fy - j
        h = self.spacing
        return (h[j, i] * (1 - u) + h[j, i1] * u) * (1 - v) + (h[j + 1, i] * (1 - u) + h[j + 1, i1] * u) * v

    def pixel_areas(self):
        """Area (m²) that each grid point stands for, (ny, 1)."""
        lat = self.lat0 + self.dlat * np.arange(self.spacing.shape[0])
        top, bottom = np.minimum(lat + self.dlat / 2, 90), np.maximum(lat - self.dlat / 2, -90)
        band = np.sin(np.radians(top)) - np.sin(np.radians(bottom))
        return self.radius**2 * np.radians(self.dlon) * band[:, None]


def coast_points(bathymetry):
    """Unit vectors of land grid points that touch the sea."""
    sea = bathymetry.wet >= 0.5
    near = np.zeros_like(sea)
    near[1:] |= sea[:-1]
    near[:-1] |= sea[1:]
    near[:, 1:] |= sea[:, :-1]
    near[:, :-1] |= sea[:, 1:]
    if bathymetry.periodic:
        near[:, 0] |= sea[:, -1]
        near[:, -1] |= sea[:, 0]
    j, i = np.nonzero(near & ~sea)
    return sphere.to_xyz(np.radians(bathymetry.lon[i]), np.radians(bathymetry.lat[j]))


def build_spacing(bathymetry, region, whole, rule, radius, within=None):
    """The spacing field on region (west, east, south, north) plus its rim, or on the whole sphere.

    `within(lon, lat)`: which places (degrees) of it belong to the mesh; None: all.
    """
    metres_per_degree = np.radians(1.0) * radius
    lon0, lat0, dlon, dlat, nx, ny = _grid(region, whole, rule, metres_per_degree)
    lon, lat = lon0 + dlon * np.arange(nx), lat0 + dlat * np.arange(ny)
    grid_lon, grid_lat = np.meshgrid(lon, lat)
    elevation = bathymetry.interpolate(grid_lon, grid_lat)
    inside = (elevation < 0) & (lat >= region[2])[:, None] & (lat <= region[3])[:, None]
    if not whole or region[1] - region[0] < 360.0:
        east_of = np.mod(lon - region[0] + 1e-9, 360.0)
        inside &= (east_of <= region[1] - region[0] + 2e-9)[None, :]
    if within is not None:
        inside &= within(grid_lon, grid_lat)
    spacing = np.full((ny, nx), np.inf)
    spacing[inside] = _rule(
        rule,
        bathymetry,
        np.radians(grid_lon[inside]),
        np.radians(grid_lat[inside]),
        elevation[inside],
        radius,
    )
    steps = metres_per_degree * dlon * np.maximum(np.cos(np.radians(lat)), 1e-6), metres_per_degree * dlat
    spacing = limit_gradation(spacing, steps, rule.gradation, whole)
    spacing[~inside] = np.inf
    spacing = limit_gradation(spacing, steps, OUTSIDE_GROWTH, whole)
    spacing = np.minimum(spacing, 0.2 * radius)
    return SpacingField(lon0, lat0, dlon, dlat, spacing, inside, whole, radius)


def rim_degrees(region, rule, radius):
    """Width of the band of helper cells around a region, in degrees of longitude and latitude."""
    north = RIM_CELLS * rule.coarsest / (np.radians(1.0) * radius)
    highest = min(np.abs(region[2:]).max() + north, 90.0)
    return north / max(np.cos(np.radians(highest)), 1e-3), north


def _grid(region, whole, rule, metres_per_degree):
    step = 0.5 * rule.finest / metres_per_degree
    if whole:
        step = max(step, np.sqrt(360.0 * 180.0 / LARGEST_GRID))
        nx, ny = int(np.ceil(360.0 / step)), int(np.ceil(180.0 / step)) + 1
        return -180.0, -90.0, 360.0 / nx, 180.0 / (ny - 1), nx, ny
    rim_x, rim_y = rim_degrees(region, rule, metres_per_degree / np.radians(1.0))
    west, east, south, north = region[0] - rim_x, region[1] + rim_x, region[2] - rim_y, region[3] + rim_y
    shrink = max(np.cos(np.radians(0.5 * (south + north))), 1e-3)
    step = max(step, np.sqrt((east - west) * shrink * (north - south) / LARGEST_GRID))
    nx, ny = int(np.ceil((east - west) * shrink / step)) + 1, int(np.ceil((north - south) / step)) + 1
    return west, south, (east - west) / (nx - 1), (north - south) / (ny - 1), nx, ny


def _rule(rule, bathymetry, lon, lat, elevation, radius):
    h = np.full(elevation.shape, rule.coarsest)
    coast = coast_points(bathymetry)
    if len(coast) and rule.coarsest > rule.finest and rule.growth > 0:
        reach = rule.band + (rule.coarsest - rule.finest) / rule.growth
        chord = 2 * np.sin(min(reach / (2 * radius), np.pi / 2))
        # Here, as reading it takes a third of a second, which other commands need not wait.
        from scipy.spatial import cKDTree

        distance, _ = cKDTree(coast).query(sphere.to_xyz(lon, lat), distance_upper_bound=chord * 1.0001)
        metres = 2 * radius * np.arcsin(np.minimum(distance / 2, 1.0))
        metres[~np.isfinite(distance)] = np.inf
        h = np.minimum(h, rule.finest + rule.growth * np.maximum(0.0, metres - rule.band))
    if rule.long_wave_seconds > 0:
        h = np.minimum(h, rule.long_wave_seconds * np.sqrt(GRAVITY * np.maximum(-elevation, 0.0)))
    return np.clip(h, rule.finest, rule.coarsest)


def limit_gradation(h, steps, slope, periodic):
    """h lowered until it rises by at most `slope` per metre; steps = (metres east per row, metres north).

    Sweeps over the rows up and down; along a row, min over k of h_k + s|j − k| is a running minimum of h_k ∓ s k.
    """
    h = h.copy()
    east, north = steps
    for _ in range(2):
        for rows in (range(len(h)), range(len(h) - 1, -1, -1)):
            previous = None
            for row in rows:
                line = h[row]
                if previous is not None:
                    np.minimum(line, previous + slope * north, out=line)
                    diagonal = slope * np.hypot(north, east[row])
                    np.minimum(line[1:], previous[:-1] + diagonal, out=line[1:])
                    np.minimum(line[:-1], previous[1:] + diagonal, out=line[:-1])
                h[row] = previous = _limit_row(line, slope * east[row], periodic)
    return h


def _limit_row(line, rise, periodic):
    n = len(line)
    if periodic:
        line = np.concatenate([line, line, line])
    ramp = rise * np.arange(len(line))
    line = np.minimum(
        np.minimum.accumulate(line - ramp) + ramp, (np.minimum.accumulate((line + ramp)[::-1])[::-1]) - ramp
    )
    return line[n : 2 * n] if periodic else line
