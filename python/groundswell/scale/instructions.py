"""Speeds are measured with the instruction set of the machine that is predicted, where this one has it: kernels do not all gain as
much from wider registers as the peak does."""

import contextlib
import os
import subprocess

from groundswell.errors import Refusal
from groundswell.trials.program import program

VARIABLE = "GROUNDSWELL_ISA"


def has(instructions):
    """Whether this processor and program have them; no where there is no program, as those say who need it."""
    asked = {**os.environ, VARIABLE: instructions}
    try:
        answer = subprocess.run([program(), "--version"], env=asked, capture_output=True, check=False)
    except (Refusal, OSError):
        return False
    return answer.returncode == 0


@contextlib.contextmanager
def held_to(wanted):
    """Meanwhile kernels use these, unless they are None, not here, or the user has chosen."""
    if wanted is None or VARIABLE in os.environ or not has(wanted):
        yield
        return
    os.environ[VARIABLE] = wanted
    try:
        yield
    finally:
        del os.environ[VARIABLE]
