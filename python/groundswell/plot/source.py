"""NetCDF files as the drawings read them: opened or refused, their times, what a variable is called."""

import contextlib
import datetime
import re

import netCDF4
import numpy as np

from groundswell.errors import nearest, refuse

UTC = datetime.timezone.utc
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@contextlib.contextmanager
def opened(path, needed, kind):
    """The NetCDF file, with fill values read as NaN; refused where it cannot be read or has not the variables of a `kind`."""
    try:
        source = netCDF4.Dataset(path)
    except OSError as failure:
        refuse(path, None, None, f"a NetCDF file that can be read ({failure.strerror or failure})")
    with source:
        for name in needed:
            if name not in source.variables:
                refuse(
                    path,
                    name,
                    "(missing)",
                    f"{kind}, which has this variable; it has {', '.join(source.variables) or 'none'}",
                )
        yield source


def values(variable, index=slice(None)):
    """Numbers of a variable as float64, NaN where there are none."""
    return np.ma.filled(np.ma.asarray(variable[index], dtype=float), np.nan)


def text_rows(variable):
    """Strings of a character variable, or of a variable of strings."""
    rows = variable[:]
    if variable.dtype.kind == "S":
        rows = netCDF4.chartostring(np.ma.filled(rows, b""), encoding="utf-8")
    return [str(row).strip("\x00 ") for row in rows]


def read_times(source, path):
    """Times of the records, datetimes in UTC."""
    variable = source.variables["time"]
    if not len(variable):
        refuse(path, "time", "(no record)", "at least one record")
    try:
        found = netCDF4.num2date(
            variable[:],
            variable.units,
            getattr(variable, "calendar", "standard"),
            only_use_cftime_datetimes=False,
            only_use_python_datetimes=True,
        )
    except (AttributeError, ValueError) as failure:
        refuse(path, "time", None, f"CF units and a real-world calendar ({failure})")
    # Seconds since an epoch held as floating-point numbers come back microseconds off.
    times = [
        (t.replace(tzinfo=UTC) + datetime.timedelta(milliseconds=0.5)).replace(microsecond=0) for t in found
    ]
    # The library reads what is missing at the end of a file as zeros, and says nothing.
    for before, after in zip(times, times[1:], strict=False):
        if after <= before:
            refuse(
                path,
                "time",
                f"{iso(before)} and then {iso(after)}",
                "times that increase; is the file cut short? (groundswell verify)",
            )
    return times


def reference_time(source, times):
    """When the forecast began: the start of its case where the file tells it, else the first record."""
    try:
        said = re.sub(r"[zZ]$", "+00:00", str(source.time_coverage_start))
        start = datetime.datetime.fromisoformat(said)
    except (AttributeError, ValueError):
        return times[0]
    start = start.replace(tzinfo=UTC) if start.tzinfo is None else start.astimezone(UTC)
    return start if start <= times[0] else times[0]


def lead(time, start):
    """`T+36`, or `T+1:30`: hours, and minutes where there are any, since the start of the forecast."""
    minutes = round((time - start).total_seconds() / 60)
    return f"T+{minutes // 60}" + (f":{minutes % 60:02d}" if minutes % 60 else "")


def parse_time(text, option="--time", where="command line"):
    """A time of the command line, or of a file; without zone it is UTC."""
    try:
        time = datetime.datetime.fromisoformat(re.sub(r"[zZ]$", "+00:00", text.strip()))
    except ValueError:
        refuse(where, option, text, "a time such as 2024-09-05T12:00:00Z")
    return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)


def record_at(times, time, path, option="--time"):
    """Index of the record nearest to a time inside the file's period."""
    if not times[0] <= time <= times[-1]:
        refuse(
            path,
            option,
            iso(time),
            f"a time from {iso(times[0])} to {iso(times[-1])}, the period of the file",
        )
    return min(range(len(times)), key=lambda k: abs(times[k] - time))


def iso(time):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ")


def clock(time, offset=0.0, date=True):
    """`2024-09-05 12:00 UTC`, and behind it the local time where an offset in hours is given."""
    said = time.strftime("%Y-%m-%d %H:%M UTC" if date else "%H:%M UTC")
    if not offset:
        return said
    local = time + datetime.timedelta(hours=offset)
    day = "" if local.date() == time.date() else local.strftime("%d %b ").lstrip("0")
    return f"{said} ({day}{local:%H:%M} {zone(offset)})"


def zone(offset):
    if not offset:
        return "UTC"
    hours, minutes = divmod(round(abs(offset) * 60), 60)
    return f"UTC{'+' if offset > 0 else '−'}{hours}" + (f":{minutes:02d}" if minutes else "")


def unit_text(unit):
    """A unit for people: `m2 s rad-1` becomes m² s rad⁻¹."""
    unit = {"degree": "°", "degrees": "°", "1": ""}.get(unit, unit)
    return re.sub(r"(?<=[A-Za-z])-?\d+", lambda power: power.group().translate(RAISED), unit)


def calm_text(calm):
    """Mask of what a drawing of periods and bearings leaves out."""
    return f"white: waves below {calm:g} m"


def three_figures(value):
    """`13.0`, `3.58`, `1010`: three figures with their zeros, because 13.0 m says more than 13 m."""
    return f"{value:.0f}" if abs(value) >= 100 else f"{value:#.3g}"


def place_text(lon, lat, digits=2):
    return f"{degrees(lat, 'N', 'S', digits)} {degrees(lon, 'E', 'W', digits)}"


def degrees(angle, positive, negative, digits=None):
    """`15°N`, `170°W`, `0°`, `180°`."""
    if positive == "E":
        angle = (angle + 180.0) % 360.0 - 180.0
    number = f"{abs(angle):.{digits}f}" if digits is not None else f"{abs(angle):.6g}"
    if float(number) in (0.0, 180.0):
        return f"{float(number):g}°"
    return f"{number}°{positive if angle > 0 else negative}"


def known_or_refused(path, option, name, known):
    """Refuse a name that is not among the known ones, with the nearest of them."""
    if name in known:
        return name
    guess = nearest(name, known)
    said = f"one of {', '.join(known)}" if known else "a file that has any"
    refuse(path, option, name, said + (f"; did you mean '{guess}'?" if guess else ""))
