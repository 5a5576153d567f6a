"""`groundswell score`: what was computed beside what was measured."""

import sys

from groundswell.errors import run_command
from groundswell.score.command import command_line, parser

__all__ = ["command_line", "main", "parser"]


def main(arguments=None):
    return run_command(command_line, sys.argv[1:] if arguments is None else arguments)


if __name__ == "__main__":
    sys.exit(main())
