"""Where `groundswell-tools NAME` begins, which the program calls for its commands in Python: NAME is a module NAME_cli. A signal is
heeded before the packages that a command needs are there, which takes a second."""

import importlib
import importlib.util
import re
import sys

from groundswell.errors import refuse, run_command


def _command():
    name = sys.argv[1] if len(sys.argv) > 1 else ""
    if not re.fullmatch("[a-z]+", name) or not importlib.util.find_spec(f"groundswell.{name}_cli"):
        refuse(
            "command line", "groundswell-tools", name or None, "a Python tool that groundswell --help lists"
        )
    sys.argv[:2] = [f"groundswell {name}"]
    return importlib.import_module(f"groundswell.{name}_cli").main()


def main():
    return run_command(_command)
