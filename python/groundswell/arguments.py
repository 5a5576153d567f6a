"""Command lines: errors in the program's own form, numbers below zero after any option, and types of options."""

import argparse
import math
import re
import sys

from groundswell.errors import Refusal, refuse

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


def positive(text):
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text}: expected 1 or more")
    return value


def not_negative(text):
    value = float(text)
    if not value >= 0:
        raise argparse.ArgumentTypeError(f"{text}: expected 0 or more")
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
