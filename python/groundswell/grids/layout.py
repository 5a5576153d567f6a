"""Description of a grid and its fields in the CF conventions, the same for NetCDF and Zarr."""

import datetime

import numpy as np

from groundswell import __version__, provenance
from groundswell.grids.remapping import is_height
from groundswell.grids.target import vectors

EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
TIME_UNITS = "seconds since 1970-01-01 00:00:00"
CLOCK = {"calendar": "proleptic_gregorian", "units_metadata": "leap_seconds: none"}
EARTH = 6371229.0  # m, radius


def seconds(time):
    return (time - EPOCH).total_seconds()


def dimensions(grid):
    """(of rows, of columns)."""
    return ("rlat", "rlon") if grid.pole else ("latitude", "longitude")


def coordinates(grid, source, sea_fraction):
    """{name: (dimensions, values, attributes)} of all that is not a field or the time."""
    rows, columns = dimensions(grid)
    names = ("grid_latitude", "grid_longitude") if grid.pole else ("latitude", "longitude")
    units = ("degrees", "degrees") if grid.pole else ("degrees_north", "degrees_east")
    found = {}
    for name, standard, unit, axis, centres, edges in (
        (rows, names[0], units[0], "Y", grid.y, grid.y_edges),
        (columns, names[1], units[1], "X", grid.x, grid.x_edges),
    ):
        said = {
            "standard_name": standard,
            "long_name": standard.replace("_", " "),
            "units": unit,
            "axis": axis,
        }
        found[name] = ((name,), centres, said | {"bounds": f"{name}_bounds"})
        found[f"{name}_bounds"] = ((name, "bound"), np.stack([edges[:-1], edges[1:]], axis=1), {})
    if grid.pole:
        lon, lat = grid.places()
        for name, values, unit in (("latitude", lat, "degrees_north"), ("longitude", lon, "degrees_east")):
            found[name] = ((rows, columns), values, {"standard_name": name, "long_name": name, "units": unit})
    found["crs"] = ((), np.int32(0), mapping(grid))
    found["forecast_reference_time"] = (
        (),
        seconds(source.start),
        {"standard_name": "forecast_reference_time", "units": TIME_UNITS} | CLOCK,
    )
    found["sea_area_fraction"] = (
        (rows, columns),
        sea_fraction,
        {
            "standard_name": "sea_area_fraction",
            "long_name": "part of the box that cells of the sea cover",
            "units": "1",
        }
        | extra(grid),
    )
    return found


def mapping(grid):
    if not grid.pole:
        return {"grid_mapping_name": "latitude_longitude", "earth_radius": EARTH}
    return {
        "grid_mapping_name": "rotated_latitude_longitude",
        "grid_north_pole_longitude": float(grid.pole[0]),
        "grid_north_pole_latitude": float(grid.pole[1]),
        "north_pole_grid_longitude": 0.0,
        "earth_radius": EARTH,
    }


def extra(grid):
    return {"grid_mapping": "crs"} | ({"coordinates": "latitude longitude"} if grid.pole else {})


def time_attributes():
    return {"standard_name": "time", "long_name": "time", "units": TIME_UNITS, "axis": "T"} | CLOCK


def field_attributes(field, grid):
    method = "root_mean_square" if is_height(field.name) else "mean"
    said = {"standard_name": field.standard_name, "long_name": field.long_name, "units": field.unit}
    said |= {"cell_methods": f"area: {method} where sea", **extra(grid)}
    return {key: value for key, value in said.items() if value}


def global_attributes(source):
    said = {
        "Conventions": "CF-1.11",
        "title": source.title,
        "source": source.build,
        "history": f"groundswell {__version__} export grid",
        "groundswell_build": provenance.build_text(),
        "time_coverage_start": f"{source.start:%Y-%m-%dT%H:%M:%SZ}",
    }
    return {key: value for key, value in said.items() if value}


def nearest_cells(source, lon, lat):
    """([n] cell whose centre is nearest, which for Voronoi cells is the one that holds the place, [n] its distance in rad)."""
    from scipy.spatial import cKDTree

    chord, cell = cKDTree(vectors(source.lon, source.lat)).query(vectors(lon, lat))
    return cell, 2 * np.arcsin(np.clip(chord / 2, 0, 1))
