"""Length of the piece of the case that a trial simulates."""

from groundswell.errors import refuse
from groundswell.trials.case import seconds_of

SHORTEST = 0.25  # s: less is more noise than time


def parse_length(text, case):
    """Length given by --simulate: whole steps within the run."""
    seconds = seconds_of(text)
    if not seconds or not 0 < seconds <= case.seconds * (1 + 1e-9):
        refuse(
            "command line",
            "--simulate",
            text,
            f"a duration such as 60s or 1h, no longer than the run ({case.seconds:g}s)",
        )
    return case.whole_units(seconds)


def calibrate(case, setting, seconds, run):
    """(length that takes about so many seconds of the setting, the last Trial of it). `run(setting, length)` gives a Trial."""
    length = case.whole_units(case.unit or case.seconds)
    for _ in range(6):
        trial = run(setting, length)
        if trial.problem:
            refuse(case.path, f"{setting}", None, f"a run that works, to measure: {trial.problem}")
        took = max(trial.seconds, 1e-4)
        if took >= 0.7 * seconds or length >= case.seconds:
            break
        # The first steps cost more than the others: a length from a much shorter run is only trusted by half.
        factor = seconds / took
        length = case.whole_units(length * (factor if factor < 4 else min(factor, 30) * 0.7))
        if length <= trial.simulated:
            break
    return length, trial
