"""A case as trials need it: what the program reads in it, and how to run a piece of it."""

import dataclasses
import datetime
import math
import re

from groundswell.errors import refuse
from groundswell.trials.program import answer_of

UNITS = {"s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0}


def seconds_of(text):
    """Seconds of a duration of the case file such as "90s"; None for other texts."""
    found = re.fullmatch(r'"?([0-9]*\.?[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+\.)(s|min|h|d)"?', text.strip())
    return float(found[1]) * UNITS[found[2]] if found else None


def moment_of(text):
    found = datetime.datetime.fromisoformat(text.strip().replace("Z", "+00:00"))
    return found if found.tzinfo else found.replace(tzinfo=datetime.timezone.utc)


def words_of(sets):
    return [word for one in sets for word in ("--set", one)]


@dataclasses.dataclass(frozen=True)
class Case:
    """`keys`: {key: (value as text, its type as text)} as the program takes them; `sets`: --set options of the user;
    `seconds`: how long the whole run simulates; `unit`: that its trials last a whole number of (s), so that they step as it."""

    path: str
    sets: tuple
    keys: dict
    seconds: float
    start: datetime.datetime | None
    unit: float = 0.0

    @property
    def set_words(self):
        """Words of a command line that say what the user has set."""
        return words_of(self.sets)

    @property
    def model(self):
        return self.value("model")

    def value(self, key, otherwise=""):
        return self.keys[key][0].strip('"') if key in self.keys else otherwise

    def choices(self, key):
        """The words that a key may be, by the program's own table."""
        return re.findall(r'"([^"]+)"', self.keys[key][1]) if key in self.keys else []

    @property
    def threads(self):
        return int(self.value("run.threads", "1"))

    def end_after(self, seconds):
        """The value of time.end that ends the run after so many seconds."""
        if self.start is None:
            return f"{seconds:.9g}s"
        end = self.start + datetime.timedelta(seconds=seconds)
        return (
            end.strftime("%Y-%m-%dT%H:%M:%S") + (f".{end.microsecond:06d}" if end.microsecond else "") + "Z"
        )

    def whole_units(self, seconds):
        """The nearest length of a trial: whole steps that the outputs share, and no more than the run."""
        if self.unit <= 0:
            return min(seconds, self.seconds)
        return min(self.seconds, max(1, round(seconds / self.unit)) * self.unit)

    def records_per_second(self):
        """Records of all files that the whole run writes, for each second that it simulates."""
        number = 0.0
        for key, (value, _) in self.keys.items():
            if not re.fullmatch(r"output\.(?!restart).*\bevery", key):
                continue
            for every in filter(None, map(seconds_of, value.split("|"))):  # one for each table of a list
                number += 1 + math.floor(self.seconds / every * (1 + 1e-12))
        return number / self.seconds


def read_case(path, sets=()):
    """The program refuses what it cannot read, in its own words (Failed)."""
    report = answer_of("run", path, *words_of(sets), "--explain")
    keys = {one["key"]: (one["value"], one["type"]) for one in report["result"]["parameters"]}
    start, end = keys.get("time.start", ("",))[0], keys["time.end"][0]
    if start:
        begin = moment_of(start)
        seconds = (moment_of(end) - begin).total_seconds()
    else:
        begin, seconds = None, seconds_of(end)
    if not seconds or seconds <= 0:
        refuse(path, "time.end", end, "a run that lasts, to take a piece of")
    return Case(str(path), tuple(sets), keys, seconds, begin)


def with_steps(case, launcher=()):
    """The case with the length of its steps; reads and checks all its input, as a run would."""
    result = answer_of("run", case.path, *case.set_words, "--check", launcher=launcher)["result"]
    unit = result.get("source_step_seconds") or result.get("step_seconds") or 0.0
    return dataclasses.replace(case, unit=float(unit))
