"""`groundswell scale`: how a run gets faster with cores, measured here; or what it costs on many ranks of a machine, predicted."""

import argparse
import sys

from groundswell import __version__
from groundswell.arguments import Parser, not_negative, positive
from groundswell.errors import refuse, run_command
from groundswell.scale import machine as machines
from groundswell.scale.beside import beside
from groundswell.scale.command import scale
from groundswell.scale.describe import describe
from groundswell.scale.forecast import forecast
from groundswell.scale.options import add_prediction_options
from groundswell.trials.case import seconds_of
from groundswell.trials.setting import BINDINGS

EXAMPLES = """examples:
  groundswell scale case.toml --png scaling.png
  groundswell scale case.toml --ranks 1,2,4,8 --threads 1,2 --repeats 7 --price 0.02 --json scaling.json
  groundswell scale case.toml --weak small.nc double.nc --ranks 1,2
  groundswell scale case.toml --launcher "srun -n {ranks} -c {cores} {binding}" --ranks 128,256,512
  groundswell scale case.toml --predict archer2 --hosts 8 16 32 64 128
  groundswell scale case.toml --predict laptop --parts 2 --compare output/run.json
  groundswell scale case.toml --set mesh.file=full.msh --predict mine.toml --speeds run.json --json cost.json --png cost.png
  groundswell scale --icosahedron 785 --predict fvwam56 --parts 1024 4096 32768 --replay --aggregate hosts
  groundswell scale --beside here.json there.json --png beside.png
  groundswell scale --measure mine.toml"""


def cores(text):
    """Number of cores of a job."""
    return positive(text, 10**6)


def counts(text):
    """A list such as 1,2,4."""
    return [positive(word) for word in text.split(",")]


def add_trial_options(top):
    """Options that `scale` and `tune` share."""
    top.add_argument("--version", action="version", version=__version__)
    top.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="in place of what the case says"
    )
    top.add_argument(
        "--cores", type=cores, metavar="N", help="cores of this job (default: those of its hosts)"
    )
    top.add_argument(
        "--launcher",
        metavar="LINE",
        help="how ranks are started, with {ranks}, {threads}, {cores} of a rank and {binding}, such as "
        '"srun -n {ranks} -c {cores} {binding}" (default: mpirun of the MPI library)',
    )
    top.add_argument(
        "--simulate",
        metavar="TIME",
        help="how much of the case a run simulates, such as 60s or 2h; without a case, how long the predicted run is",
    )
    top.add_argument(
        "--scratch",
        metavar="DIR",
        help="where runs write, and what they leave goes (default: beside the case)",
    )
    top.add_argument("--json", metavar="FILE", help="the result as JSON; - prints it and nothing else")
    top.add_argument("--quiet", action="store_true", help="no progress")


def parser():
    top = Parser(
        prog="groundswell scale",
        description="Measure how short runs of a case get faster with ranks and threads, how much they vary, and which number "
        "of cores makes the whole run fastest and cheapest. With --predict: what a run costs on many ranks of a machine, from "
        "its mesh cut into that many parts and speeds measured here.",
        epilog=EXAMPLES + f"\nMachines that are shipped: {', '.join(machines.shipped())}.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("case", nargs="?", metavar="CASE.toml", help="case of the sea or of an earthquake")
    add_trial_options(top)
    top.add_argument("--png", metavar="FILE", help="picture (.png, .svg, .pdf)")
    top.add_argument(
        "--ranks",
        type=counts,
        metavar="N,N…",
        help="numbers of ranks (default: 1, 2, 4 … that fit); with --predict that of the short run (default 2)",
    )
    measured = top.add_argument_group("measuring")
    measured.add_argument(
        "--threads", type=counts, metavar="N,N…", help="of each rank (default: all that fit, or the case's)"
    )
    measured.add_argument(
        "--weak",
        nargs="+",
        metavar="MESH",
        help="a mesh for each number of ranks: files, or cubes of a box such as 8,8,8 16,8,8",
    )
    measured.add_argument(
        "--seconds", type=float, default=10.0, metavar="N", help="that a run is to take, about (default 10)"
    )
    measured.add_argument(
        "--repeats", type=positive, default=5, metavar="N", help="of each count (default 5)"
    )
    measured.add_argument(
        "--binding", choices=BINDINGS, default="close", help="of ranks to cores (default close)"
    )
    measured.add_argument(
        "--price", type=not_negative, metavar="PER_CORE_HOUR", help="the cost of a run, too"
    )
    top.add_argument(
        "--beside",
        nargs="+",
        metavar="SCALE.json",
        help="what several machines measured of one case (scale --json), side by side; nothing runs",
    )
    predicted = top.add_argument_group("predicting")
    predicted.add_argument("--predict", metavar="MACHINE", help="TOML file of a machine, or the name of one")
    predicted.add_argument("--hosts", type=positive, nargs="+", metavar="N", help="numbers of hosts")
    predicted.add_argument(
        "--parts", type=positive, nargs="+", metavar="N", help="numbers of ranks, in place of hosts"
    )
    predicted.add_argument(
        "--speeds",
        nargs="+",
        metavar="RUN.json",
        help="reports of runs to take speeds from, the last for all but the start; none is made",
    )
    predicted.add_argument(
        "--compare", metavar="RUN.json", help="report of the whole run: how far off the prediction is"
    )
    add_prediction_options(top)
    return top


def predict(options):
    ranks = options.ranks or [2]
    if len(ranks) != 1:
        refuse("command line", "--ranks", ",".join(map(str, ranks)), "one number with --predict")
    options.ranks = ranks[0]
    if options.simulate:
        length = seconds_of(options.simulate)
        if options.case or not length or not length > 0:
            refuse("command line", "--simulate", options.simulate, "without a case, a duration such as 24h")
        options.simulate = length
    return forecast(options)


def command(options):
    if options.beside:
        return beside(options)
    if options.measure:
        return describe(options)
    if options.predict:
        return predict(options)
    for name in ("hosts", "parts", "speeds", "compare", "mesh", "icosahedron"):
        if getattr(options, name) is not None:
            refuse("command line", f"--{name}", None, "--predict MACHINE with it")
    if options.case is None:
        refuse(
            "command line", "scale", None, "a case file: groundswell scale CASE.toml; or --predict, --measure"
        )
    if not options.seconds > 0:
        refuse("command line", "--seconds", options.seconds, "more than 0")
    return scale(options)


def main(arguments=None):
    return run_command(lambda: command(parser().parse_args(arguments)))


if __name__ == "__main__":
    sys.exit(main())
