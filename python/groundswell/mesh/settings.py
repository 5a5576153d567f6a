"""Keys of a case file that decide the steps of a run: spectrum, scheme, depths, intervals. Defaults are the model's own."""

import dataclasses
import datetime
import math
import pathlib
import re

from groundswell.errors import refuse
from groundswell.toml_file import read_toml_file

UNITS = {"ms": 1e-3, "s": 1, "min": 60, "h": 3600, "d": 86400}
LONGEST_SOURCE_STEP = 300.0  # s, of an automatic one


@dataclasses.dataclass
class Settings:
    spectrum: dict = dataclasses.field(
        default_factory=lambda: {
            "directions": 36,
            "frequencies": 35,
            "first_frequency": 0.04177,
            "ratio": 1.1,
        }
    )
    scheme: str = "second-order"
    courant: float = 0.9
    minimum_depth: float = 2.0  # m
    closed: bool = False
    uniform_depth: float | None = None  # m
    interval: float = 3600.0  # s, that all outputs and the end have in common
    source_step: float | None = None  # s; None: automatic
    step: float | None = None
    mesh: pathlib.Path | None = None

    def run_step(self, longest):
        """The propagation step that a run takes on a mesh whose longest stable one is `longest` seconds."""
        if self.step:
            return self.step
        source = self.source_step or self.interval / _parts(self.interval, LONGEST_SOURCE_STEP)
        return source / _parts(source, self.courant * longest)


def _parts(total, longest):
    return max(1, math.ceil(total / longest * (1 - 1e-12)))


def _seconds(text):
    """Seconds of a duration such as "15min"; None for "auto" and for what is no duration: the program itself refuses that."""
    match = re.fullmatch(r"([0-9.]+) *(ms|s|min|h|d)", str(text))
    return float(match[1]) * UNITS[match[2]] if match else None


def _instant(value):
    if isinstance(value, str):
        value = datetime.datetime.fromisoformat(value.replace("Z", "+00:00"))
    if not isinstance(value, datetime.datetime):
        value = datetime.datetime(value.year, value.month, value.day)
    return value.timestamp() if value.tzinfo else value.replace(tzinfo=datetime.timezone.utc).timestamp()


def read_settings(path):
    """The Settings of a case file. Of its values only those are checked that are read here: a run checks the others."""
    case = read_toml_file(path)
    found = Settings()
    try:
        _fill(found, case, pathlib.Path(path).parent)
    except (AttributeError, KeyError, TypeError, ValueError) as failure:
        refuse(path, None, None, f"a case that `groundswell run --check` accepts ({failure!r})")
    return found


def _fill(found, case, folder):
    found.spectrum.update({key: case.get("spectrum", {}).get(key, v) for key, v in found.spectrum.items()})
    propagation, time, output = case.get("propagation", {}), case["time"], case.get("output", {})
    found.scheme = propagation.get("scheme", found.scheme)
    found.courant = float(propagation.get("courant", found.courant))
    found.closed = propagation.get("coast", "absorbing") == "closed"
    found.minimum_depth = float(case.get("physics", {}).get("minimum_depth", found.minimum_depth))
    found.uniform_depth = case.get("mesh", {}).get("uniform_depth")
    found.mesh = folder / str(case["mesh"]["file"])
    found.step, found.source_step = _seconds(time.get("step")), _seconds(time.get("source_step"))
    streams = [*output.get("map", ()), *output.get("points", ()), output.get("restart", {})]
    lengths = [_seconds(stream["every"]) for stream in streams if stream.get("every", "never") != "never"]
    lengths.append(_instant(time["end"]) - _instant(time["start"]))
    found.interval = math.gcd(*(round(1000 * length) for length in lengths)) / 1000
