"""Where the commands begin: a signal is heeded before the packages that a command needs are there, which takes a second."""

import importlib

from groundswell.errors import run_command


def _command(name):
    def begin():
        return run_command(lambda: importlib.import_module(f"groundswell.{name}_cli").main())

    return begin


builds = _command("builds")
export = _command("export")
import_ = _command("import")
mesh = _command("mesh")
plot = _command("plot")
scale = _command("scale")
tune = _command("tune")
