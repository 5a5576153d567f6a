"""Values at places: constants where they are, else files of values by point, which a case names as grids."""

import numpy as np

from groundswell import provenance
from groundswell.whole_files import written_beside


def constant_of(values):
    """The one value that all have, or None."""
    return float(values[0]) if len(values) and np.all(values == values[0]) else None


def write_points(path, place, columns, title):
    """Columns {name: (unit, values)} at places, [point][x, y, z] in m."""
    import netCDF4

    with written_beside(path) as partial, netCDF4.Dataset(partial, "w") as made:
        made.title, made.groundswell_build = title, provenance.build_text()
        made.createDimension("point", len(place))
        for axis, name in enumerate("xyz"):
            columns = {**columns, name: ("m", place[:, axis])}
        for name, (unit, values) in columns.items():
            variable = made.createVariable(name, "f8", ("point",))
            variable.units = unit
            variable[:] = values
