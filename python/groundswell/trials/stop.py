"""A command that measures for long is told to end: by the user at the keyboard, or by a batch system."""

import contextlib
import signal

from groundswell.trials.program import Failed

INTERRUPTED = 130  # the exit code, as shells have it


@contextlib.contextmanager
def stopped_politely():
    """SIGTERM like Ctrl-C: what was measured is written."""

    def stop(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def exit_code_of(measure, options):
    """What a command returns that measures: `measure(options)` gives its own code, where nothing stops it."""
    try:
        with stopped_politely():
            return measure(options)
    except Failed as failed:
        return failed.code
    except KeyboardInterrupt:
        return INTERRUPTED
