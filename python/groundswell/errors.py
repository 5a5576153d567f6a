"""Errors for people: one message that names the file, the key, the value found and what was expected.

The exit codes are those of the C++ program: 0 done, 2 refused (usage, configuration, input), 3 failed while running.
"""

import difflib
import sys

REFUSED = 2
FAILED = 3


class Refusal(Exception):
    """Something the user gave cannot be used; the message says what and what was expected."""


def refuse(where, key, value, expected):
    """Raise a Refusal `FILE: KEY = VALUE: expected …`; key and value may be None to leave them out."""
    parts = [str(where)]
    if key is not None:
        parts.append(f"{key} = {value}" if value is not None else f"{key}")
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


def run_command(function, *arguments):
    """Call a command and turn its errors into a message on stderr and an exit code."""
    try:
        return function(*arguments) or 0
    except Refusal as refusal:
        print(f"groundswell: error: {refusal}", file=sys.stderr)
        return REFUSED
    except BrokenPipeError:
        return 0
    except (OSError, MemoryError) as failure:
        print(f"groundswell: error: {failure}", file=sys.stderr)
        return FAILED
