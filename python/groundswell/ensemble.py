"""Statistics of an ensemble: maps of the same mesh and times by several members, as one map of means, spreads and probabilities.

Spread is the sample standard deviation, N − 1 below the sum of squares; a probability is the share of members above a value. Of
bearings the mean is that of unit vectors, and the spread √(2 (1 − r)), r the length of that mean (Kuik et al. 1988, eq. 34), as the
model's own directional spread.
"""

import datetime

import netCDF4
import numpy as np

from groundswell import provenance
from groundswell.errors import refuse
from groundswell.plot.source import iso
from groundswell.whole_files import written_beside

TOPOLOGY = (
    "mesh",
    "mesh_",
)  # variables with these names, or names that begin so, are copied from the first member
FILL = np.float32(netCDF4.default_fillvals["f4"])
KEPT = ("title", "summary", "source", "groundswell_case", "time_coverage_start", "time_coverage_end")


def check_members(members):
    """Refuses members that are not on one mesh at the same times."""
    if len(members) < 2:
        refuse("command line", "MEMBER", f"{len(members)} file", "two or more members")
    first = members[0]
    for other in members[1:]:
        same = len(other.shape.lon) == len(first.shape.lon)
        if not same or not (
            np.array_equal(other.shape.lon, first.shape.lon)
            and np.array_equal(other.shape.lat, first.shape.lat)
        ):
            refuse(
                other.path,
                "mesh_face_lon",
                f"{len(other.shape.lon)} cells",
                f"the mesh of {first.path}: {len(first.shape.lon)} cells",
            )
        if other.times != first.times:
            told = f"{len(other.times)} times, {iso(other.times[0])} to {iso(other.times[-1])}"
            refuse(
                other.path,
                "time",
                told,
                f"the {len(first.times)} times of {first.path}, from {iso(first.times[0])}",
            )


def mean_and_spread(values):
    """Mean and spread of [members, cells]; NaN where no member has a value, and a spread of NaN where only one has."""
    known = np.isfinite(values)
    count = known.sum(axis=0)
    filled = np.where(known, values, 0.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = np.where(count > 0, filled.sum(axis=0) / count, np.nan)
        squares = np.where(known, (values - mean) ** 2, 0.0).sum(axis=0)
        return mean, np.where(count > 1, np.sqrt(squares / (count - 1)), np.nan)


def mean_and_spread_of_bearings(values):
    """The same of bearings, degrees."""
    angle = np.radians(values)
    with np.errstate(invalid="ignore"):
        east, north = (mean_and_spread(part)[0] for part in (np.sin(angle), np.cos(angle)))
        spread = np.degrees(np.sqrt(2 * (1 - np.minimum(np.hypot(east, north), 1.0))))
    return np.degrees(np.arctan2(east, north)) % 360.0, spread


def probability(values, level):
    """Share of all members above a level; a member without a value is not above it. NaN where none has a value."""
    share = (np.nan_to_num(values, nan=-np.inf) > level).mean(axis=0)
    return np.where(np.isfinite(values).any(axis=0), share, np.nan)


def level_text(level):
    """`4`, `0.5` as a part of a name: `4`, `0p5`."""
    return f"{level:g}".replace(".", "p").replace("-", "m")


def entries(field, levels):
    """(name, long name, unit, cell method) of all that is written of a field, in the order of statistics()."""
    for word, method in (("mean", "mean"), ("spread", "standard_deviation")):
        yield f"{field.name}_{word}", f"{word} of the members: {field.long_name}", field.unit, method
    for level in levels:
        said = f"probability that it is above {level:g} {field.unit}: {field.long_name}"
        yield f"{field.name}_above_{level_text(level)}", said, "1", "mean"


def statistics(field, values, levels):
    """Mean, spread and probabilities of [members, cells]."""
    both = mean_and_spread_of_bearings if field.bearing else mean_and_spread
    return [*both(values), *(probability(values, level) for level in levels)]


def write_ensemble(path, members, fields, levels, history, progress=None):
    """`members`: MapFiles; `fields`: names; `levels`: {field: [values]}. Returns what was written, for JSON."""
    check_members(members)
    first = members[0]
    for member in members:
        for name in fields:
            member.field(name)
    with written_beside(path) as partial, netCDF4.Dataset(partial, "w", format="NETCDF3_64BIT_DATA") as out:
        copy_mesh(first.path, out, len(members), history)
        variables = {name: [] for name in fields}
        for name in fields:
            field = first.field(name)
            for made, long_name, unit, method in entries(field, levels.get(name, ())):
                variable = out.createVariable(made, "f4", ("time", "nFace"), fill_value=FILL)
                variable.long_name, variable.units = long_name, unit
                variable.cell_methods = f"time: point realization: {method}"
                variable.mesh, variable.location = "mesh", "face"
                variable.coordinates = "mesh_face_lon mesh_face_lat"
                if field.bearing and method == "mean":
                    variable.standard_name = "sea_surface_wave_from_direction"
                variables[name].append(variable)
        written = [variable.name for name in fields for variable in variables[name]]
        for record in range(len(first.times)):
            for name in fields:
                values = np.stack([member.read(name, record) for member in members])
                told = statistics(first.field(name), values, levels.get(name, ()))
                for variable, found in zip(variables[name], told):
                    variable[record] = np.where(np.isfinite(found), found, FILL)
            if progress:
                progress(f"record {record + 1} of {len(first.times)}")
    return {
        "members": [str(member.path) for member in members],
        "fields": written,
        "records": len(first.times),
    }


def copy_mesh(path, out, members, history):
    """The mesh, the times and who made them, from a member's file."""
    with netCDF4.Dataset(path) as source:
        source.set_auto_mask(False)
        for name in KEPT:
            if name in source.ncattrs():
                out.setncattr(name, source.getncattr(name))
        now = datetime.datetime.now(datetime.timezone.utc)
        out.Conventions = getattr(source, "Conventions", "CF-1.11")
        out.title = f"{getattr(source, 'title', 'Groundswell')}, {members} members"
        out.history = f"{iso(now)}: {history}"
        out.date_created, out.groundswell_build = iso(now), provenance.build_text()
        for name, dimension in source.dimensions.items():
            out.createDimension(name, None if dimension.isunlimited() else len(dimension))
        for name, variable in source.variables.items():
            if name != "time" and not name.startswith(TOPOLOGY):
                continue
            said = {key: variable.getncattr(key) for key in variable.ncattrs()}
            made = out.createVariable(
                name, variable.dtype, variable.dimensions, fill_value=said.pop("_FillValue", None)
            )
            made.setncatts(said)
            made[:] = variable[:]
