"""Rock on both sides of the fault, as a grid: make_rock.py [rock.nc]"""

import sys

from netCDF4 import Dataset

# y, density, vp, vs: each holds up to the next y, in SI.
SIDES = ((-1e5, 2670.0, 6000.0, 3464.0), (0.0, 2225.0, 3750.0, 2165.0))
EDGE = 0.01  # m within which one becomes the other


def write(path):
    """The grid."""
    rows = []
    for (y, *rock), after in zip(SIDES, [*SIDES[1:], (1e5,)]):
        rows += [(y + EDGE, *rock), (after[0] - EDGE, *rock)]
    with Dataset(path, "w", format="NETCDF3_CLASSIC") as file:
        for axis, values in (("x", [-1e5, 1e5]), ("y", [row[0] for row in rows]), ("z", [-1e5, 0.0])):
            file.createDimension(axis, len(values))
            variable = file.createVariable(axis, "f8", (axis,))
            variable.units = "m"
            variable[:] = values
        for number, (name, unit) in enumerate((("density", "kg m-3"), ("vp", "m s-1"), ("vs", "m s-1")), 1):
            variable = file.createVariable(name, "f8", ("z", "y", "x"))
            variable.units = unit
            variable[:] = [[[row[number]] * 2 for row in rows]] * 2


if __name__ == "__main__":
    write(sys.argv[1] if len(sys.argv) > 1 else "rock.nc")
