"""Errors for people: one message that names the file, the key, the value found and what was expected.

The exit codes are those of the C++ program: 0 done, 2 refused (usage, configuration, input), 3 failed while running;
130 where a signal ended the command.
"""

import contextlib
import difflib
import signal
import sys
import threading

REFUSED = 2
FAILED = 3
INTERRUPTED = 130  # as shells have it
LONGEST = 200  # characters of a value that are quoted
LONGEST_PLACE = 1000  # of the path of a file, which is cut only where it is no path


class Refusal(Exception):
    """Something the user gave cannot be used; the message says what and what was expected."""


def shortened(text):
    """Puts text from a user on one line and leaves out the middle of a long one."""
    line = "".join(one if one.isprintable() else repr(one)[1:-1] for one in str(text))
    return line if len(line) <= LONGEST else f"{line[: LONGEST // 2]} … {line[-LONGEST // 4 :]}"


def refuse(where, key, value, expected):
    """Raise a Refusal `FILE: KEY = VALUE: expected …`; key and value may be None to leave them out."""
    parts = [str(where) if len(str(where)) <= LONGEST_PLACE else shortened(where)]
    if key is not None:
        parts.append(f"{key} = {shortened(value)}" if value is not None else f"{key}")
    parts.append(f"expected {expected}")
    raise Refusal(": ".join(parts))


def nearest(word, known):
    """The known word that resembles `word` most, or None."""
    found = difflib.get_close_matches(str(word), [str(k) for k in known], n=1, cutoff=0.5)
    return found[0] if found else None


def refuse_unknown(where, key, known, value=None):
    """Refuse a key that nobody reads, naming the nearest known one (all of them where none resembles it)."""
    guess = nearest(key.rsplit(".", 1)[-1], [k.rsplit(".", 1)[-1] for k in known])
    refuse(
        where, key, value, f"a known key; did you mean '{guess}'?" if guess else f"one of {', '.join(known)}"
    )


def check_word(where, key, word, known):
    """Refuse a word that is not one of the known ones, naming the nearest (all of them where none resembles it)."""
    if word not in known:
        guess = nearest(word, known)
        refuse(where, key, word, f"did you mean '{guess}'?" if guess else f"one of {', '.join(known)}")


@contextlib.contextmanager
def _ended_by_signals():
    """SIGTERM, as batch systems send it, and SIGINT raise KeyboardInterrupt, but for one that whoever began this had ignored. The program
    holds both back until now, since Python would answer with a traceback while it starts."""

    def stop(*_):
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    heeded = [one for one in (signal.SIGTERM, signal.SIGINT) if signal.getsignal(one) != signal.SIG_IGN]
    before = {number: signal.signal(number, stop) for number in heeded}
    try:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, (signal.SIGTERM, signal.SIGINT))
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def run_command(function, *arguments):
    """Call a command and turn its errors, and signals, into a message on stderr and an exit code."""
    try:
        with _ended_by_signals():
            return function(*arguments) or 0
    except KeyboardInterrupt:
        print("groundswell: interrupted", file=sys.stderr)
        return INTERRUPTED
    except Refusal as refusal:
        print(f"groundswell: error: {refusal}", file=sys.stderr)
        return REFUSED
    except BrokenPipeError:
        return 0
    except OSError as failure:
        words = ": ".join(str(one) for one in (failure.filename, failure.strerror) if one)
        print(f"groundswell: error: {words or failure}", file=sys.stderr)
        return FAILED
    except MemoryError as failure:
        print(f"groundswell: error: {failure or 'not enough memory'}", file=sys.stderr)
        return FAILED
