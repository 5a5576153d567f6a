"""`groundswell demo`: Typhoon Yagi's sea or an earthquake at Hualien, from mesh to pictures, in a folder of one's own."""

import datetime
import os
import pathlib
import shutil
import subprocess
import sys

from groundswell.arguments import command_parser, positive
from groundswell.errors import refuse, run_command
from groundswell.toml_file import read_toml_file
from groundswell.trials import program

EXAMPLES = """examples:
  groundswell demo
  groundswell demo typhoon --hours 1 --output first-hour
The cases are copied, so that they can be changed and run again: groundswell run FOLDER/case.toml"""

# Of each: its case, what its mesh is made from, and its pictures.
DEMOS = {
    "typhoon": (
        "yagi",
        ["mesh", "make", "--config", "mesh.toml", "--overwrite"],
        [
            ["map", "output/yagi.nc", "--field", "hs", "--maximum", "--output", "output/hs-max.png"],
            ["series", "output/series.nc", "--output", "output/series.png"],
        ],
    ),
    "earthquake": (
        "quake/local-event",
        ["mesh", "make", "mesh.toml", "--overwrite"],
        [
            ["map", "output/surface.nc", "--field", "pgv", "--output", "output/pgv.png"],
            ["seismograms", "output/receivers.nc", "--output", "output/seismograms.png"],
        ],
    ),
}


def parser():
    top = command_parser(
        prog="groundswell demo", description="Run a case that comes with the program.", epilog=EXAMPLES
    )
    top.add_argument(
        "name", nargs="?", choices=list(DEMOS), help="which (default: both, one after the other)"
    )
    top.add_argument(
        "--output", default="groundswell-demo", metavar="FOLDER", help="where to (default groundswell-demo)"
    )
    top.add_argument("--hours", type=positive, metavar="N", help="of the typhoon (default: all five days)")
    top.add_argument(
        "--threads",
        type=positive,
        default=len(os.sched_getaffinity(0)),
        metavar="N",
        help="default: all cores",
    )
    return top


def folder_of_cases():
    """Place of the cases beside this package, in a wheel, an installation or a source tree."""
    here = pathlib.Path(__file__).resolve().parent
    for place in (here / "program/share/groundswell", here.parents[1]):
        if (place / "cases").is_dir():
            return place / "cases"
    refuse(here, None, None, "the cases beside the Python package: an installation that is whole")


def call(command, arguments, folder):
    print("groundswell " + " ".join(arguments), file=sys.stderr)
    code = subprocess.run([command, *arguments], cwd=folder).returncode
    if code != 0:
        sys.exit(code)


def demonstrate(name, arguments):
    case, mesh, pictures = DEMOS[name]
    folder = pathlib.Path(arguments.output, name)
    command = program.program()
    shutil.copytree(
        folder_of_cases() / case, folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("output")
    )
    (folder / "output").mkdir(exist_ok=True)
    call(command, mesh, folder)
    run = ["run", "case.toml", "--overwrite", "--set", f"run.threads={arguments.threads}"]
    if name == "typhoon" and arguments.hours:
        start = read_toml_file(folder / "case.toml")["time"]["start"]
        end = start + datetime.timedelta(hours=arguments.hours)
        run += ["--set", f"time.end={end:%Y-%m-%dT%H:%M:%SZ}"]
    call(command, run, folder)
    for picture in pictures:
        call(command, ["plot", *picture], folder)
    print(f"groundswell: the results are in {folder / 'output'}", file=sys.stderr)


def _command():
    arguments = parser().parse_args()
    for name in [arguments.name] if arguments.name else DEMOS:
        demonstrate(name, arguments)


def main():
    return run_command(_command)
