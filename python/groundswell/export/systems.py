"""`groundswell export systems`: swells of a series in an order that lasts, in place of that of their height.

From one record to the next the swells of a point are paired so that they differ least together, in direction, period and height; a
pair farther apart than LIMITS allow is none (after Devaliere, Hanson & Luettich 2009, 11th International Workshop on Wave
Hindcasting and Forecasting, Halifax, who join systems by such differences; the limits are of this model). A swell that is missing for no more
than PATIENCE records keeps its place. What it makes depends on the records alone.
"""

import datetime
import itertools
import pathlib

import netCDF4
import numpy as np
from scipy.optimize import linear_sum_assignment

from groundswell import report
from groundswell.arguments import add_writing, check_target, command_parser
from groundswell.errors import refuse
from groundswell.plot.source import iso
from groundswell.whole_files import written_beside

PARTS = ("hs", "tm01", "dir")
LIMITS = 30.0, 0.2, 1.0  # degrees; logarithm of the period; of the height
PATIENCE = 1
EXAMPLE = """example:
  groundswell export systems series.nc swells.nc"""


def parser():
    top = command_parser(
        prog="groundswell export systems",
        description="A series whose swells, hs_part1 and so on, keep their place from record to record as long as they last, each with a "
        "number of its own, system_part1; in the file of the run the highest is always the first.",
        epilog=EXAMPLE,
    )
    top.add_argument("file", metavar="SERIES.nc", help="fields at points, with hs, tm01 and dir of swells")
    top.add_argument("output", metavar="OUT.nc", help="file to write")
    add_writing(top)
    return top


def distances(before, now):
    """[places, swells] how far apart they are, in parts of LIMITS, squared. Rows of height, period and direction."""
    turn = (before[2][:, None] - now[2] + 180.0) % 360.0 - 180.0
    stretch = np.log(before[1][:, None] / now[1])
    growth = np.log(before[0][:, None] / now[0])
    return sum((part / limit) ** 2 for part, limit in zip((turn, stretch, growth), LIMITS))


def follow(swells):
    """(which swell of a record each place has, the number of that swell), [time, place], −1 and 0 where none. `swells`: [hs, tm01,
    dir][time, place], of height 0 or NaN where there is none."""
    times, places = swells.shape[1:]
    source, number = np.full((times, places), -1), np.zeros((times, places), int)
    held, seen = np.full((3, places), np.nan), np.full(places, -PATIENCE - 2)
    last = 0
    owner = np.zeros(places, int)
    for t in range(times):
        now = np.nonzero(swells[0, t] > 0)[0]
        alive = np.nonzero(t - seen <= PATIENCE + 1)[0]
        apart = distances(held[:, alive], swells[:, t, now])
        taken = {}
        for row, column in zip(*linear_sum_assignment(np.minimum(apart, 1.0))):
            if apart[row, column] < 1.0:
                taken[now[column]] = alive[row]
        free = [place for place in range(places) if place not in taken.values()]
        # Of those that are free the first, and last the ones that wait for a swell that may come back.
        free.sort(key=lambda place: place in alive)
        for swell in now:
            place = taken.get(swell)
            if place is None:
                place = free.pop(0)
                last += 1
                owner[place] = last
            held[:, place], seen[place] = swells[:, t, swell], t
            source[t, place], number[t, place] = swell, owner[place]
    return source, number


def swells_of(path, data):
    """Names of the variables of each swell, and the values, [hs, tm01, dir][time, station, swell]."""
    count = next(n for n in itertools.count(1) if f"hs_part{n}" not in data.variables) - 1
    names = [[f"{part}_part{n}" for part in PARTS] for n in range(1, count + 1)]
    missing = [name for row in names or [["hs_part1"]] for name in row if name not in data.variables]
    shapes = {data[name].dimensions for row in names for name in row if name not in missing}
    if missing or shapes != {("time", "station")}:
        refuse(
            path,
            ", ".join(missing or names[0]),
            "(missing)" if missing else " × ".join(sorted(shapes)[0]),
            "a series of points with hs, tm01 and dir of its swells, hs_part1 and so on",
        )
    values = [[np.ma.filled(data[row[k]][:].astype(float), np.nan) for row in names] for k in range(3)]
    return names, np.moveaxis(np.array(values), 1, -1)


def copy_all(data, out, altered, history):
    """Dimensions, variables and attributes; `altered`: {name: values} in place of those of the file."""
    for name, dimension in data.dimensions.items():
        out.createDimension(name, None if dimension.isunlimited() else len(dimension))
    kept = {name: data.getncattr(name) for name in data.ncattrs() if name != "history"}
    now = datetime.datetime.now(datetime.timezone.utc)
    out.setncatts(kept | {"history": f"{iso(now)}: {history}\n{getattr(data, 'history', '')}".strip()})
    for name, variable in data.variables.items():
        attributes = {key: variable.getncattr(key) for key in variable.ncattrs()}
        fill = attributes.pop("_FillValue", None)
        made = out.createVariable(name, variable.dtype, variable.dimensions, fill_value=fill)
        if name in altered:
            attributes.pop("standard_name", None)  # that of the highest, the second and the third
            attributes["long_name"] = attributes["long_name"].split(",")[0] + ", swell " + name[-1]
        made.setncatts(attributes)
        made[:] = altered.get(name, variable[:])


def command_line(arguments):
    options = parser().parse_args(arguments)
    check_target("OUT.nc", options.output, (".nc",))
    if pathlib.Path(options.output).exists() and not options.overwrite:
        refuse(options.output, None, None, "no file of this name, or --overwrite")
    try:
        data = netCDF4.Dataset(options.file)
    except OSError:
        refuse(options.file, None, None, "a NetCDF file that can be read")
    with data, written_beside(options.output) as partial:
        names, swells = swells_of(options.file, data)
        followed = [follow(swells[:, :, s]) for s in range(swells.shape[2])]
        source, number = (np.stack(part, axis=1) for part in zip(*followed))
        altered = {}
        for k, part in enumerate(PARTS):
            ordered = np.take_along_axis(swells[k], np.maximum(source, 0), axis=-1)
            ordered[source < 0] = 0.0 if part == "hs" else np.nan
            for n, row in enumerate(names):
                altered[row[k]] = np.ma.masked_invalid(ordered[..., n])
        with netCDF4.Dataset(partial, "w") as out:
            copy_all(data, out, altered, " ".join(["groundswell export systems", *map(str, arguments)]))
            for n in range(len(names)):
                made = out.createVariable(f"system_part{n + 1}", "i4", ("time", "station"), fill_value=0)
                made.setncatts({"long_name": f"number of swell {n + 1} at its point", "units": "1"})
                made[:] = np.ma.masked_equal(number[..., n], 0)
    found = {"file": options.output, "swells": number.max(axis=(0, 2)).tolist()}
    if options.json:
        report.write_json(options.json, "export", found)
    if not options.quiet:
        print(
            f"{options.output}: {', '.join(map(str, found['swells']))} swells at the points, one after the other"
        )
