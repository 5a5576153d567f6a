"""`groundswell scale`: what a run costs on many ranks of a machine, before it is paid for."""

import argparse
import sys

from groundswell import __version__
from groundswell.arguments import Parser, positive
from groundswell.errors import refuse, run_command
from groundswell.scale import machine as machines
from groundswell.scale.describe import describe
from groundswell.scale.forecast import forecast
from groundswell.scale.options import add_prediction_options

EXAMPLES = """examples:
  groundswell scale case.toml --predict archer2 --hosts 8 16 32 64 128
  groundswell scale case.toml --predict laptop --parts 2 --compare output/run.json
  groundswell scale case.toml --set mesh.file=full.msh --predict mine.toml --speeds run.json --json cost.json --png cost.png
  groundswell scale --icosahedron 785 --predict fvwam56 --parts 1024 4096 32768 --replay --aggregate hosts
  groundswell scale --measure mine.toml"""


def parser():
    top = Parser(
        prog="groundswell scale",
        description="Predict what a run costs on many ranks of a machine: its mesh is cut into that many "
        "parts and what they exchange is counted; speeds are measured in a short run of the same case here, or taken from the "
        "report of one.",
        epilog=EXAMPLES + f"\nMachines that are shipped: {', '.join(machines.shipped())}.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("--version", action="version", version=__version__)
    top.add_argument("case", nargs="?", metavar="CASE.toml", help="case of the sea or of an earthquake")
    top.add_argument("--predict", metavar="MACHINE", help="TOML file of a machine, or the name of one")
    top.add_argument("--hosts", type=positive, nargs="+", metavar="N", help="numbers of hosts")
    top.add_argument(
        "--parts", type=positive, nargs="+", metavar="N", help="numbers of ranks, in place of hosts"
    )
    top.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="in place of what the case says"
    )
    top.add_argument(
        "--ranks", type=positive, default=2, metavar="N", help="of the short run here (default 2)"
    )
    top.add_argument(
        "--speeds",
        nargs="+",
        metavar="RUN.json",
        help="reports of runs to take speeds from, the last for all but the start; none is made",
    )
    top.add_argument(
        "--compare", metavar="RUN.json", help="report of the whole run: how far off the prediction is"
    )
    top.add_argument("--json", metavar="FILE", help="the prediction as JSON; - prints it and nothing else")
    top.add_argument("--png", metavar="FILE", help="picture of it (.png, .svg, .pdf)")
    top.add_argument("--quiet", action="store_true", help="no progress")
    add_prediction_options(top)
    return top


def run(options):
    if options.measure:
        return describe(options)
    if not options.predict:
        refuse("command line", "--predict", None, "--predict MACHINE, or --measure FILE.toml")
    return forecast(options)


def main(arguments=None):
    return run_command(lambda: run(parser().parse_args(arguments)))


if __name__ == "__main__":
    sys.exit(main())
