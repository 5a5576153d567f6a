"""Options of `groundswell scale` that belong to predictions."""

from groundswell.arguments import positive


def add_prediction_options(top):
    top.add_argument(
        "--kernels",
        metavar="PROXY.json",
        help="report of groundswell proxy by number of cells, in place of measuring the kernels now",
    )
    sea = top.add_argument_group("a sea without a case")
    sea.add_argument("--mesh", metavar="FILE.nc", help="mesh in MPAS format, in place of a case")
    sea.add_argument(
        "--icosahedron", type=positive, metavar="N", help="a globe of 10 N² + 2 cells, in place of a case"
    )
    sea.add_argument("--bathymetry", metavar="FILE.nc", help="with --icosahedron: cells on land are left out")
    sea.add_argument("--directions", type=positive, default=36, help="of the spectrum (default 36)")
    sea.add_argument("--frequencies", type=positive, default=35, help="of the spectrum (default 35)")
    sea.add_argument(
        "--scheme", choices=("upwind", "second-order"), default="second-order", help="of propagation"
    )
    sea.add_argument(
        "--time-step", type=float, default=60.0, metavar="SECONDS", help="of propagation (default 60)"
    )
    replay = top.add_argument_group("replay, message by message")
    replay.add_argument("--replay", action="store_true", help="also play steps over the described network")
    replay.add_argument("--aggregate", choices=("hosts",), help="try one message for each pair of hosts")
    replay.add_argument(
        "--slow-rank", metavar="RANK:FACTOR", help="try a rank that takes so many times as long"
    )
    replay.add_argument("--slow-link", metavar="HOST:FACTOR", help="try a host whose link does")
    replay.add_argument(
        "--output-on-link",
        action="store_true",
        help="try to write an hour's output over the same links at once",
    )
    machine = top.add_argument_group("machines")
    machine.add_argument(
        "--measure", metavar="FILE.toml", help="describe this machine, measured, and do no more"
    )
    machine.add_argument(
        "--launch",
        metavar="WORDS",
        help='with --measure: what starts two ranks on two hosts, such as "srun -N 2 -n 2", to measure the network',
    )
