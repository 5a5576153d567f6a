"""`groundswell tune`: the settings with which a case runs fastest on this machine."""

import argparse
import sys

from groundswell.arguments import Parser
from groundswell.errors import run_command
from groundswell.scale_cli import add_trial_options
from groundswell.tune.command import tune
from groundswell.tune.groups import KEYS, NAMES

EXAMPLES = f"""examples:
  groundswell tune case.toml
  groundswell tune case.toml --budget 30min --script slurm --json tune.json
  groundswell tune case.toml --baseline 4x8 --groups ranks,binding,transport
  groundswell tune case.toml --try halo.transport=shared,posted --try ranks=2,4
  groundswell tune case.toml --mpi release,mpich --baseline 2x1
  groundswell tune case.toml --launcher "srun -n {{ranks}} -c {{cores}} {{binding}}"

groups, in the order in which they are tried: {", ".join(NAMES)}
keys of --try: {", ".join(KEYS)}"""


def parser():
    top = Parser(
        prog="groundswell tune",
        description="Try ranks × threads, binding, transports, progress, output and settings of the MPI library in short runs of "
        "the case, interleaved with runs of the best so far, and say which are surely faster, by how much, and what was not "
        "tried. Results are the same to the bit whatever is chosen; clusters, which change them, are tried and told only.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    top.add_argument("case", metavar="CASE.toml", help="case of either model")
    add_trial_options(top)
    top.add_argument(
        "--budget", default="10min", metavar="TIME", help="that all trials may take (default 10min)"
    )
    top.add_argument(
        "--baseline",
        metavar="RxT",
        help="ranks x threads to begin with (default: all cores, the case's threads)",
    )
    top.add_argument("--groups", metavar="NAME,NAME…", help="only these groups of settings")
    top.add_argument(
        "--try",
        dest="tries",
        action="append",
        default=[],
        metavar="KEY=VALUE,…",
        help="these values of a key, in place of the usual ones",
    )
    top.add_argument(
        "--mpi",
        metavar="A,B…",
        help="compare MPI libraries instead: builds of the program (presets of this source tree, or paths), which run the case in turns",
    )
    top.add_argument("--script", choices=("slurm", "pbs"), help="a job script, too")
    top.add_argument(
        "--output",
        metavar="DIR",
        help="where launch.sh, keys.toml and the job script go (default: tuned/ beside the case)",
    )
    return top


def main(arguments=None):
    return run_command(lambda: tune(parser().parse_args(arguments)))


if __name__ == "__main__":
    sys.exit(main())
