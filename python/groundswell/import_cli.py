"""`groundswell import`: what other programs and archives hand out, as files that the model reads."""

import importlib
import sys

from groundswell import __version__
from groundswell.errors import nearest, refuse, run_command

KINDS = {
    "wind": ("groundswell.winds.command", "winds and storm tracks as archives hand them out"),
    "spectra": (
        "groundswell.spectra.command",
        "spectra of other wave models, which enter a run at its open boundary",
    ),
    "seissol": (
        "groundswell.seissol.command",
        "cases of SeisSol: parameter file, models of easi, receivers, sources",
    ),
    "srf": (
        "groundswell.ruptures.command",
        "finite-fault models of the USGS and of SRCMOD, as Standard Rupture Format",
    ),
    "asagi": ("groundswell.rocks.asagi", "grids of rock and stress in the form of SeisSol's library ASAGI"),
}


def usage():
    lines = [f"  {name:8} {text}" for name, (_, text) in KINDS.items()]
    return "\n".join(
        [
            "usage: groundswell import KIND IN… --output OUT",
            "",
            *lines,
            "",
            "`groundswell import KIND --help` tells more.",
        ]
    )


def command_line(arguments):
    word = arguments[0] if arguments else ""
    if word in ("-h", "--help"):
        print(usage())
        return 0
    if word == "--version":
        print(__version__)
        return 0
    if word not in KINDS:
        guess = nearest(word, KINDS)
        refuse(
            "command line",
            "KIND",
            word or None,
            f"did you mean '{guess}'?" if guess else f"one of {', '.join(KINDS)}",
        )
    return importlib.import_module(KINDS[word][0]).command_line(arguments[1:])


def main(arguments=None):
    return run_command(command_line, sys.argv[1:] if arguments is None else arguments)


if __name__ == "__main__":
    sys.exit(main())
