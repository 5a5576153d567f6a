"""One CF NetCDF file of winds, as [[wind]] of a case reads it."""

import netCDF4
import numpy as np

from groundswell import __version__, provenance
from groundswell.errors import refuse
from groundswell.whole_files import written_beside

NAMES = ("u10", "v10")
TRUE = ("eastward_wind", "northward_wind")
ALONG = ("x_wind", "y_wind")
EPOCH = np.datetime64("1970-01-01T00:00:00", "s")


def newest(fields):
    """{time: (field, field)} of both components; of two fields of one time the newer forecast, else the later file, holds."""
    chosen = ({}, {})
    for position, field in enumerate(fields):
        key = (field.order, position)
        here = chosen[field.component]
        if field.time not in here or key > here[field.time][0]:
            here[field.time] = (key, field)
    for component in (0, 1):
        others = sorted(set(chosen[1 - component]) - set(chosen[component]))
        if others:
            found = chosen[1 - component][others[0]][1]
            refuse(found.source, "time", others[0], f"a {TRUE[component]} at this time too")
    return {time: (chosen[0][time][1], chosen[1][time][1]) for time in sorted(chosen[0])}


def write_wind(path, fields, progress):
    """Writes the file beside itself first, so that none is left that is half written."""
    pairs = newest(fields)
    grid = next(iter(pairs.values()))[0].grid
    for pair in pairs.values():
        for field in pair:
            if not field.grid.same(grid):
                refuse(
                    field.source,
                    "grid",
                    f"{len(field.grid.x)} × {len(field.grid.y)} points",
                    f"that of {fields[0].source}",
                )
    with written_beside(path) as partial, netCDF4.Dataset(partial, "w") as data:
        variables = define(data, grid)
        for i, (time, pair) in enumerate(pairs.items()):
            data["time"][i] = (time - EPOCH).astype(float)
            for variable, field in zip(variables, pair):
                variable[i] = np.ma.masked_invalid(field.read())
            progress(f"time {i + 1} of {len(pairs)}")
    times = list(pairs)
    told = {"times": len(times), "first": f"{times[0]}Z", "last": f"{times[-1]}Z"}
    return told | {"rows": len(grid.y), "columns": len(grid.x)}


def define(data, grid):
    mapped = grid.mapping is not None
    rotated = mapped and grid.mapping["grid_mapping_name"] == "rotated_latitude_longitude"
    names = ("rlat", "rlon") if rotated else ("y", "x") if mapped else ("latitude", "longitude")
    standard = (
        ("grid_latitude", "grid_longitude")
        if rotated
        else ("projection_y_coordinate", "projection_x_coordinate")
    )
    units = ("degrees",) * 2 if rotated else ("m",) * 2 if mapped else ("degrees_north", "degrees_east")
    data.Conventions = "CF-1.11"
    data.title = "Wind at 10 m"
    data.history = f"groundswell {__version__} import wind"
    data.groundswell_build = provenance.build_text()
    data.createDimension("time", None)
    time = data.createVariable("time", "f8", ("time",))
    time.setncatts(
        {"standard_name": "time", "units": "seconds since 1970-01-01", "calendar": "standard", "axis": "T"}
    )
    for name, kind, unit, values, axis in zip(
        names, standard if mapped else names, units, (grid.y, grid.x), "YX"
    ):
        data.createDimension(name, len(values))
        variable = data.createVariable(name, "f8", (name,))
        variable.setncatts({"standard_name": kind, "units": unit, "axis": axis})
        variable[:] = values
    height = data.createVariable("height", "f8", ())
    height.setncatts({"standard_name": "height", "units": "m", "positive": "up"})
    height[...] = 10.0
    if mapped:
        data.createVariable("mapping", "i4", ()).setncatts(grid.mapping)
    variables = []
    for name, standard_name in zip(NAMES, ALONG if grid.along_grid else TRUE):
        variable = data.createVariable(
            name, "f4", ("time", *names), compression="zlib", complevel=1, fill_value=np.float32(9.96921e36)
        )
        variable.setncatts({"standard_name": standard_name, "units": "m s-1", "coordinates": "height"})
        if mapped:
            variable.grid_mapping = "mapping"
        variables.append(variable)
    return variables
