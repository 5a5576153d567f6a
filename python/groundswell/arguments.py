"""Command lines: errors in the program's own form, and numbers below zero after any option."""

import argparse
import re
import sys

from groundswell.errors import Refusal

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
