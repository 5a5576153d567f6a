"""Command lines: errors in the program's own form, numbers below zero after any option, and types of options."""

import argparse
import math
import os
import pathlib
import re
import sys

from groundswell import __version__
from groundswell.errors import Refusal, refuse, shortened

MOST = 10**9
NEGATIVE = re.compile(r"-\.?\d")


class Parser(argparse.ArgumentParser):
    """argparse takes `-85,-65,20,32` for an option; here what follows an option and begins like a number is its value."""

    def parse_args(self, args=None, namespace=None):
        joined = []
        for word in sys.argv[1:] if args is None else args:
            before = joined[-1] if joined else ""
            if NEGATIVE.match(word) and re.fullmatch(r"--[a-z-]+", before):
                joined[-1] = f"{before}={word}"
            else:
                joined.append(word)
        return super().parse_args(joined, namespace)

    def error(self, message):
        raise Refusal(f"command line: {message}; see {self.prog} --help")


def command_parser(**words):
    """The parser of a whole command, from the words of argparse.ArgumentParser: with --version, and an epilog that keeps its lines."""
    top = Parser(formatter_class=argparse.RawDescriptionHelpFormatter, **words)
    top.add_argument("--version", action="version", version=__version__)
    return top


def add_writing(top):
    """Options of a command that writes one file."""
    top.add_argument("--overwrite", action="store_true", help="replace a file of this name")
    top.add_argument("--json", metavar="FILE", help="what was written, as JSON")
    top.add_argument("--quiet", action="store_true", help="no line about the file")


def positive(text, most=MOST):
    """A whole number: one beyond all that there is stands for a slip."""
    try:
        value = int(text)
    except ValueError:
        value = 0
    if not 1 <= value <= most:
        raise argparse.ArgumentTypeError(f"{shortened(text)}: expected a whole number, 1 to {most}")
    return value


def not_negative(text):
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < math.inf:
        raise argparse.ArgumentTypeError(f"{shortened(text)}: expected a number, 0 or more")
    return value


def parse_pair(option, text, expected, accepted=lambda a, b: True):
    """Two numbers of the command line, None where the option is not given."""
    if text is None:
        return None
    try:
        first, second = (float(part) for part in text.split(","))
    except ValueError:
        refuse("command line", option, text, expected)
    if not (math.isfinite(first) and math.isfinite(second) and accepted(first, second)):
        refuse("command line", option, text, expected)
    return first, second


def check_target(option, path, kinds=()):
    """A file that will be written at the end of a long command is refused at its start; None and - are no files."""
    if path in (None, "-"):
        return
    path = pathlib.Path(path)
    if kinds and path.suffix not in kinds:
        refuse("command line", option, path, f"a name that ends in {', '.join(kinds)}")
    if (
        not path.parent.is_dir()
        or not os.access(path if path.exists() else path.parent, os.W_OK)
        or path.is_dir()
    ):
        refuse("command line", option, path, "a file in a folder that is there and may be written to")
