"""What a command answers that measures for long."""

from groundswell.errors import INTERRUPTED
from groundswell.trials.program import Failed


def exit_code_of(measure, options):
    """What a command returns that measures: `measure(options)` gives its own code, where nothing stops it."""
    try:
        return measure(options)
    except Failed as failed:
        return failed.code
    except KeyboardInterrupt:
        return INTERRUPTED
