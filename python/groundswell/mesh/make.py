"""From a request to the arrays of an MPAS mesh: bathymetry, spacing, generators, Lloyd, sea cells and their depth."""

import json
import sys

import numpy as np

from groundswell.errors import refuse
from groundswell.mesh import bathymetry as bathymetry_module
from groundswell.mesh import mpas, plain_seas, sphere
from groundswell.mesh.coasts import obstruction
from groundswell.mesh.coasts.open_faces import add_open_faces
from groundswell.mesh.delaunay import triangulate
from groundswell.mesh.depth import joined, wet_means
from groundswell.mesh.icosahedron import icosahedral_mesh
from groundswell.mesh.lloyd import relax
from groundswell.mesh.sampling import expected_cells, sample
from groundswell.mesh.spacing import build_spacing, rim_degrees

RADIUS = sphere.EARTH_RADIUS
LARGEST_MESH = 20_000_000
DEGREE = np.radians(1.0) * RADIUS  # m
RIM_MARGIN = 5.0  # coarsest spacings read beyond the region
FARTHEST_COAST = 1.5e6  # m; how far outside the region a coast still counts


def make_mesh(request, progress=lambda text: None):
    """(arrays, attributes) of the mesh asked for. Deterministic: the same request gives the same bits."""
    return make_obstructed(request, progress)[:2]


def make_obstructed(request, progress=lambda text: None):
    """The same, and the Obstruction of its faces, or None where the request asks for none."""
    if request.icosahedron:
        return _icosahedral(request, progress)
    region, rule = request.region or (-180.0, 180.0, -90.0, 90.0), request.rule
    rim_x, rim_y = rim_degrees(region, rule, RADIUS)
    whole = bool(
        request.region is None
        or region[1] - region[0] + 2 * rim_x > 300
        or np.abs(region[2:]).max() + rim_y > 85
    )
    progress("reading the bathymetry")
    bathymetry = _bathymetry(request, region, whole, rule)
    progress("spacing")
    within = request.polygons.contains if request.polygons else None
    field = build_spacing(bathymetry, region, whole, rule, RADIUS, within)
    expected = expected_cells(field)
    if not field.inside.any():
        refuse(
            request.where,
            "region",
            ",".join(f"{v:g}" for v in region),
            "a region with some sea in it; of a lake, [bathymetry] level is the surface",
        )
    if expected > LARGEST_MESH:
        refuse(
            request.where,
            "spacing.finest_km",
            f"{rule.finest / 1000:g}",
            f"a spacing that needs at most {LARGEST_MESH:,} cells; this one would need {expected:,.0f}",
        )
    points = sample(field, request.seed)
    centre = (
        None
        if whole
        else sphere.to_xyz(
            np.radians(0.5 * (region[0] + region[1])), np.radians(0.5 * (region[2] + region[3]))
        )
    )
    movable = None if whole else _box(region, 0.75 * rim_x, 0.75 * rim_y)

    def report(step, offset):
        progress(
            f"Lloyd {step}/{request.iterations}: {len(points)} generators, {offset:.2%} of the spacing off centre"
        )

    points = relax(points, field, request.iterations, centre, movable, report)
    mesh = triangulate(points, centre)
    return _finish(
        request,
        points,
        mesh,
        bathymetry,
        field.at(points) / RADIUS,
        lambda at: (
            _box(region, 0, 0)(at) & (request.polygons.contains_points(at) if request.polygons else True)
        ),
        rule.finest,
        progress,
    )


def _icosahedral(request, progress):
    points, mesh = icosahedral_mesh(request.icosahedron)
    spacing = np.sqrt(8 * np.pi / (np.sqrt(3) * len(points)))
    progress("reading the bathymetry")
    bathymetry = _bathymetry(request, (-180.0, 180.0, -90.0, 90.0), True, None, spacing * RADIUS / 3)
    everywhere = np.full(len(points), spacing)
    return _finish(
        request, points, mesh, bathymetry, everywhere, lambda at: np.ones(len(at), bool), None, progress
    )


def _bathymetry(request, region, whole, rule, resolution=None):
    if request.kind == "uniform":
        return plain_seas.uniform(region, request.depth, whole)
    if request.kind == "beach":
        return plain_seas.beach(region, request.depth, request.slope, RADIUS)
    resolution = rule.finest / 3 if rule else resolution
    margin = 0.0
    if rule and not whole:
        reach = rule.band + (rule.coarsest - rule.finest) / rule.growth + RIM_MARGIN * rule.coarsest
        margin = min(reach, FARTHEST_COAST) / DEGREE / max(np.cos(np.radians(np.abs(region[2:]).max())), 0.1)
    reading = _reading(request)
    found = bathymetry_module.read_bathymetry(
        request.file, region, margin, resolution / DEGREE, reading, whole
    )
    if found.missing > 0:
        print(
            f"groundswell: warning: {request.file}: {100 * found.missing:.2g} % of the values in and around the region are "
            "missing and count as land",
            file=sys.stderr,
        )
    return found


def _reading(request, reef_depth=0.0):
    level = request.level - reef_depth
    if request.polygons and request.polygons.has_levels:
        polygons, elsewhere = request.polygons, request.level

        def level(lon, lat):
            return polygons.level(lon, lat, elsewhere) - reef_depth

    return bathymetry_module.Reading(request.variable, level, request.missing)


def _find_obstruction(request, points, mesh, keep, dry, arrays, spacing, progress):
    progress("islands and reefs smaller than a cell")
    region = request.region or (-180.0, 180.0, -90.0, 90.0)
    whole = request.region is None
    area = (region[1] - region[0]) * (region[3] - region[2])
    finest = np.degrees(spacing[keep].min()) / obstruction.PIXELS_ACROSS
    resolution = max(finest, np.sqrt(area / obstruction.LARGEST_RASTER))
    raster = bathymetry_module.read_bathymetry(
        request.file, region, 0.0, resolution, _reading(request, request.reef_depth), whole
    )
    return obstruction.find(raster, points, mesh, keep, dry, arrays, RADIUS)


def _box(region, more_x, more_y):
    """A test whether unit vectors lie inside the region widened by that many degrees."""
    west, east = region[0] - more_x, region[1] + more_x
    south, north = region[2] - more_y, region[3] + more_y

    def inside(points):
        lon, lat = np.degrees(sphere.to_lonlat(points))
        return (np.mod(lon - west, 360.0) <= min(east - west, 360.0)) & (lat >= south) & (lat <= north)

    return inside


def _finish(request, points, mesh, bathymetry, spacing, is_inside, finest, progress):
    progress("depths")
    inside = is_inside(points)
    share, depth = wet_means(bathymetry, points, inside, spacing)
    keep = inside & (share >= request.wet_share)
    keep[mesh.rim] = False
    keep = joined(mesh, keep, request.smallest_sea)
    if not keep.any():
        refuse(
            request.where,
            "mesh.smallest_sea",
            request.smallest_sea,
            "a sea of at least that many cells in the region",
        )
    progress(f"geometry of {keep.sum()} cells")
    arrays = mpas.build(points, mesh, keep, RADIUS)
    density = np.ones(len(points)) if finest is None else (finest / (spacing * RADIUS)) ** 4
    arrays["meshDensity"] = np.minimum(density[keep], 1.0)
    arrays["bottomDepth"] = np.round(depth[keep], 6)
    add_open_faces(arrays, lambda at: ~is_inside(at), bathymetry)
    found = None
    if request.obstruction:
        dry = inside & (share < request.wet_share)
        found = _find_obstruction(request, points, mesh, keep, dry, arrays, spacing, progress)
    return arrays, _attributes(request, bathymetry), found


def _attributes(request, bathymetry):
    how = {
        "region": request.region,
        "icosahedron": request.icosahedron,
        "iterations": request.iterations,
        "seed": request.seed,
        "wet_share": request.wet_share,
        "smallest_sea": request.smallest_sea,
        "spacing": vars(request.rule) if request.rule else None,
    }
    if request.level:
        how["level"] = request.level
    if request.polygons:
        how["polygon"] = request.polygons.name
    if request.obstruction:
        how["reef_depth"] = request.reef_depth
    return {"bathymetry": bathymetry.source.rsplit("/", 1)[-1], "mesh_request": json.dumps(how)}
