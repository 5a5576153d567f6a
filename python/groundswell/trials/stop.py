"""Exit codes of commands that measure for long."""

from groundswell.errors import INTERRUPTED
from groundswell.trials.program import Failed


def exit_code_of(measure, options):
    """Exit code of a command that measures: that of `measure(options)`, where nothing stops it."""
    try:
        return measure(options)
    except Failed as failed:
        return failed.code
    except KeyboardInterrupt:
        return INTERRUPTED
