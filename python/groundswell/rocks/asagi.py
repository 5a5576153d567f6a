"""`groundswell import asagi`: grids of SeisSol's library ASAGI, whose one variable is a compound, as plain variables."""

import pathlib

import netCDF4
import numpy as np

from groundswell import provenance, report
from groundswell.arguments import add_writing, check_target, command_parser
from groundswell.errors import refuse
from groundswell.whole_files import written_beside

EXAMPLES = """examples:
  groundswell import asagi rock.nc --output plain.nc
  groundswell import asagi stress.nc --output plain.nc --name s_xx=stress_xx --name s_xy=stress_xy --units Pa"""

# Of SeisSol's inputs: what members are called and measured in, which the file does not say.
UNITS = {
    "rho": "kg m-3", "density": "kg m-3", "mu": "Pa", "lambda": "Pa", "vp": "m s-1", "vs": "m s-1", "qp": "1", "qs": "1",
    **{f"s_{pair}": "Pa" for pair in ("xx", "yy", "zz", "xy", "yz", "xz")},
    **{f"stress_{pair}": "Pa" for pair in ("xx", "yy", "zz", "xy", "yz", "xz")},
    "mu_s": "1", "mu_d": "1", "d_c": "m", "cohesion": "Pa",
}  # fmt: skip
NAMES = {
    **{f"s_{pair}": f"stress_{pair}" for pair in ("xx", "yy", "zz", "xy", "yz", "xz")},
    "mu_s": "static_friction", "mu_d": "dynamic_friction", "d_c": "slip_distance",
}  # fmt: skip


def parser():
    top = command_parser(
        prog="groundswell import asagi",
        description="The members of a compound variable (rho, mu and lambda; s_xx …) become variables of their own with units, on "
        "the same axes: what grid of [[material.rock]] and of [[fault.set]] read. Axes without a unit are in metres.",
        epilog=EXAMPLES,
    )
    top.add_argument("input", metavar="IN.nc", help="grid of ASAGI, NetCDF-4")
    top.add_argument("--output", required=True, metavar="OUT.nc", help="file to write")
    top.add_argument(
        "--name", action="append", default=[], metavar="OLD=NEW", help="call a member so; may be repeated"
    )
    top.add_argument("--units", metavar="UNIT", help="of members that have no usual one")
    add_writing(top)
    return top


def compound_of(path, source):
    """The one variable that is a compound."""
    found = [v for v in source.variables.values() if isinstance(v.datatype, netCDF4.CompoundType)]
    if len(found) != 1:
        names = ", ".join(source.variables) or "(none)"
        refuse(
            path,
            "variables",
            names,
            "one compound variable, as ASAGI has them; plain variables are read as they are",
        )
    return found[0]


def new_names(options):
    names = dict(NAMES)
    for pair in options.name:
        old, mark, new = pair.partition("=")
        if not (old and mark and new):
            refuse("command line", "--name", pair, "OLD=NEW")
        names[old] = new
    return names


def command_line(arguments):
    options = parser().parse_args(arguments)
    check_target("--output", options.output, (".nc",))
    target = pathlib.Path(options.output)
    if target.resolve() == pathlib.Path(options.input).resolve():
        refuse("command line", "--output", options.output, "a file that is not read")
    if target.exists() and not options.overwrite:
        refuse(target, None, None, "no file of this name, or --overwrite")
    names = new_names(options)
    try:
        source = netCDF4.Dataset(options.input)
    except OSError as failure:
        refuse(options.input, None, None, f"a NetCDF file that can be read ({failure.strerror or failure})")
    with source, written_beside(target) as partial, netCDF4.Dataset(partial, "w") as made:
        made.groundswell_build = provenance.build_text()
        written = split(options, source, made, names)
    if not options.quiet:
        print(f"{target}: {', '.join(written)}")
    if options.json:
        report.write_json(options.json, "import asagi", {"file": str(target), "variables": written})
    return 0


def split(options, source, made, names):
    """Writes the members of the compound of `source`; their new names."""
    field = compound_of(options.input, source)
    for name in field.dimensions:
        made.createDimension(name, len(source.dimensions[name]))
        if name not in source.variables:
            refuse(options.input, name, None, "a coordinate variable for each dimension of the compound")
        axis = made.createVariable(name, "f8", (name,))
        axis.units = str(getattr(source.variables[name], "units", "m"))
        axis[:] = source.variables[name][:]
    values, written = field[:], []
    for member in field.datatype.dtype.names:
        units = UNITS.get(member.lower(), options.units)
        if units is None:
            refuse(
                options.input, f"{field.name}.{member}", None, "--units, of a member that has no usual one"
            )
        name = names.get(member, names.get(member.lower(), member))
        variable = made.createVariable(name, values.dtype[member], field.dimensions)
        variable.units = units
        variable[:] = np.ma.getdata(values)[member]
        written.append(name)
    return written
