"""`groundswell import srf`: finite-fault models as a file in the Standard Rupture Format, which a case reads."""

import pathlib

import numpy as np

from groundswell import report
from groundswell.arguments import add_writing, check_target, command_parser, not_negative
from groundswell.errors import refuse
from groundswell.ruptures.finite_fault import read
from groundswell.whole_files import write_text

EXAMPLES = """examples:
  groundswell import srf basic_inversion.param --output rupture.srf
  groundswell import srf event.fsp --output rupture.srf --interval 0.05"""
DENSITY = 2700.0  # kg m⁻³; the format has speed and density for the rigidity, which is their product alone


def parser():
    top = command_parser(
        prog="groundswell import srf",
        description="A finite-fault model of the USGS (basic_inversion.param, .fsp) or of SRCMOD (.fsp) in the Standard Rupture Format "
        "2.0, for file of [[source.rupture]]. Each subfault slips from its time on, at a rate that rises and falls along half a cosine "
        "each (C. Ji, D. J. Wald and D. V. Helmberger 2002, doi:10.1785/0120000916). Where the model says the moment of a subfault, it keeps "
        "it in any rock. A file in the Standard Rupture Format itself needs no import.",
        epilog=EXAMPLES,
    )
    top.add_argument("input", metavar="IN", help="finite-fault model")
    top.add_argument("--output", required=True, metavar="OUT.srf", help="file to write")
    top.add_argument(
        "--interval", type=not_negative, default=0.1, metavar="S", help="between two slip rates (0.1)"
    )
    add_writing(top)
    return top


def rates_of(subfault, interval):
    """Slip rates, m/s, from the onset on, whose sum times the interval is the slip."""
    rise, fall = max(subfault.rise, interval), max(subfault.fall, interval)
    t = interval * np.arange(int(np.ceil((rise + fall) / interval)) + 1)
    rates = np.where(
        t < rise, 1.0 - np.cos(np.pi * t / rise), 1.0 + np.cos(np.pi * np.minimum(t - rise, fall) / fall)
    )
    return subfault.slip * rates / (rates.sum() * interval)


def text_of(subfaults, interval):
    lines = ["2.0", f"POINTS {len(subfaults)}"]
    for one in subfaults:
        speed = density = -1.0
        if one.moment is not None and one.slip > 0.0:
            density = 1e-3 * DENSITY
            speed = 1e2 * (one.moment / (one.area * one.slip) / DENSITY) ** 0.5
        rates = rates_of(one, interval) if one.slip > 0.0 else []
        first = (
            one.longitude,
            one.latitude,
            1e-3 * one.depth,
            one.strike,
            one.dip,
            1e4 * one.area,
            one.onset,
            interval,
            speed,
            density,
        )
        lines.append(" ".join(repr(float(value)) for value in first))
        lines.append(f"{one.rake!r} {1e2 * one.slip!r} {len(rates)} 0 0 0 0")
        lines += [
            " ".join(f"{1e2 * rate:.9e}" for rate in rates[begin : begin + 6])
            for begin in range(0, len(rates), 6)
        ]
    return "\n".join(lines) + "\n"


def command_line(arguments):
    options = parser().parse_args(arguments)
    check_target("--output", options.output, (".srf",))
    if options.interval == 0.0:
        refuse("command line", "--interval", 0, "a time above 0, in s")
    target = pathlib.Path(options.output)
    if target.exists() and not options.overwrite:
        refuse(target, None, None, "no file of this name, or --overwrite")
    subfaults = read(options.input)
    write_text(target, text_of(subfaults, options.interval))
    moment = sum(one.moment or 0.0 for one in subfaults)
    if not options.quiet:
        told = f", moment {moment:.4g} N m" if moment else ""
        print(f"{target}: {len(subfaults)} subfaults{told}")
    if options.json:
        report.write_json(
            options.json,
            "import srf",
            {"file": str(target), "subfaults": len(subfaults), "moment": moment or None},
        )
    return 0
