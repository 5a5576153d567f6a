"""NDBC's text: standard meteorological data and spectra, of the archive and of the last days.

Standard: a line of names (#YY MM DD hh mm WDIR WSPD … WVHT DPD APD MWD …), perhaps one of units, rows; missing values are MM, or all
nines. Spectra of the archive: the names are frequencies; five files a station, told apart by the letter before the year (w: density,
d: α1, i: α2, j: r1 × 100, k: r2 × 100). Spectra of the last days: `value (frequency)` pairs in files that end in .data_spec and .swdir,
.swr1, …. https://www.ndbc.noaa.gov/faq/measdes.shtml
"""

import gzip
import pathlib
import re

import numpy as np

from groundswell.errors import refuse
from groundswell.score import spectra
from groundswell.score.observations import Observations
from groundswell.score.quantities import QUANTITIES, accepted, found_in

OLD_NAMES = {"WD": "WDIR", "BAR": "PRES"}  # before 2007
PARTS = {"w": "density", "d": "bearing", "i": None, "j": "first", "k": None}
RECENT = {".data_spec": "density", ".swdir": "bearing", ".swdir2": None, ".swr1": "first", ".swr2": None}
EXPECTED = "NDBC's standard meteorological or spectral text (a first line #YY MM DD hh mm …), or NetCDF"


def read(paths, place, places):
    """[Observations]; the spectral files of one station become one."""
    found, parts = [], {}
    for path in paths:
        names, rows = _lines(path)
        if not rows:
            refuse(path, "rows", "(none)", "at least one measurement")
        name = _station(path)
        if _is_spectral(names, rows):
            part = _part(path)
            if part is None:
                continue
            axis, time, values = _pairs(path, rows) if "(" in "".join(rows[0]) else _table(path, names, rows)
            parts.setdefault(name, {}).setdefault(part, []).append((path, axis, time, values))
        else:
            found.append(_standard(path, name, names, rows))
    found += [_spectral(name, given) for name, given in parts.items()]
    for one in found:
        lon, lat = _place(one, place, places)
        one.lon, one.lat = np.full(len(one.time), lon), np.full(len(one.time), lat)
        one.ordered()
    return found


def _lines(path):
    """(names of the columns, rows of words)."""
    data = pathlib.Path(path).read_bytes()
    try:
        text = (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode("ascii")
    except (OSError, EOFError, UnicodeDecodeError):
        refuse(path, None, None, EXPECTED)
    lines = [line for line in text.splitlines() if line.strip()]
    names = lines[0].lstrip("#").split() if lines else []
    if [n.lower() for n in names[1:4]] != ["mm", "dd", "hh"] or names[0] not in ("YY", "YYYY", "yr"):
        refuse(path, "line 1", (lines or [""])[0][:60] or "(empty)", EXPECTED)
    return names, [
        line.split() for line in lines[1:] if not line.startswith("#") and line.split()[0].isdigit()
    ]


def _is_spectral(names, rows):
    return "(" in "".join(rows[0]) or all(re.fullmatch(r"\d*\.\d+", n) for n in names[5:8])


def _station(path):
    stem = pathlib.Path(path).name.split(".")[0]
    match = re.match(r"([0-9A-Za-z]{5})(?:[a-z](?:\d{4}|\d{1,2})\w*)?$", stem)
    return match[1].upper() if match else stem


def _part(path):
    file = pathlib.Path(path)
    suffixes = [suffix for suffix in file.suffixes if suffix != ".gz"]
    if suffixes and suffixes[-1] in RECENT:
        return RECENT[suffixes[-1]]
    match = re.match(r"[0-9A-Za-z]{5}([wdijk])\d", file.name)
    if not match:
        refuse(path, "name", file.name, "a letter w, d, i, j or k before the year: which spectral file it is")
    return PARTS[match[1]]


def _times(path, names, rows):
    has_minutes = len(names) > 4 and names[4] in ("mm", "mn")
    times = []
    for row in rows:
        try:
            year, month, day, hour = (int(word) for word in row[:4])
            minute = int(row[4]) if has_minutes else 0
            year += 1900 if year < 100 else 0
            times.append(
                np.datetime64(f"{year:04d}-{month:02d}-{day:02d}T{hour:02d}:{minute:02d}", "s").astype(float)
            )
        except (ValueError, IndexError):
            refuse(path, "time", " ".join(row[:5]), "year, month, day, hour and minute")
    return np.array(times, dtype=float), 5 if has_minutes else 4


def _number(path, word):
    try:
        return np.nan if word == "MM" else float(word)
    except ValueError:
        refuse(path, "value", word, "a number, or MM where there is none")


def _column(path, rows, k):
    return np.array([_number(path, row[k]) if k < len(row) else np.nan for row in rows])


def _standard(path, name, names, rows):
    names = [OLD_NAMES.get(n, n) for n in names]
    time, first = _times(path, names, rows)
    columns = {n: k for k, n in enumerate(names) if k >= first}
    found = found_in(columns, {})
    if not found:
        refuse(path, "columns", " ".join(columns), "one of WVHT, DPD, APD, MWD, WSPD")
    values = {q: accepted(QUANTITIES[q], _column(path, rows, columns[n])) for q, n in found.items()}
    return Observations(path, "NDBC standard meteorological text", name, time, None, None, values, {})


def _table(path, names, rows):
    time, first = _times(path, names, rows)
    try:
        axis = np.array([float(n) for n in names[first:]])
    except ValueError:
        refuse(path, "line 1", " ".join(names), "frequencies in Hz behind the names of the time")
    if len(axis) < 3 or not (np.diff(axis) > 0).all() or axis[0] <= 0:
        refuse(path, "frequencies", " ".join(names[first:]), "three or more, above 0 and ascending")
    values = np.stack([_column(path, rows, first + k) for k in range(len(axis))], axis=1)
    return axis, time, values


def _pairs(path, rows):
    time, first = _times(path, ["YY", "MM", "DD", "hh", "mm"], rows)
    axis, values = None, []
    for row in rows:
        found = re.findall(r"([\d.]+)\s+\(([\d.]+)\)", " ".join(row[first:]))
        here = np.array([float(f) for _, f in found])
        if axis is not None and not np.array_equal(here, axis):
            refuse(path, "frequencies", f"others at {' '.join(row[:5])}", "the same in all rows")
        axis = here
        values.append([float(v) for v, _ in found])
    return axis, time, np.array(values)


def _spectral(name, given):
    if "density" not in given:
        path = next(iter(given.values()))[0][0]
        refuse(
            path,
            None,
            None,
            f"the spectral density of {name} too: its file with w before the year, or .data_spec",
        )
    path, axis = given["density"][0][:2]
    for files in given.values():
        for other, frequencies, *_ in files:
            if not np.array_equal(frequencies, axis):
                refuse(other, "frequencies", None, f"those of {path}")
    time = np.concatenate([t for _, _, t, _ in given["density"]])
    density = np.concatenate([v for *_, v in given["density"]])
    density = np.where((density < 0) | (density >= 999), np.nan, density)
    bearing = _beside(time, given.get("bearing"), lambda v: np.where((v < 0) | (v > 360), np.nan, v))
    first = _beside(time, given.get("first"), _fraction)
    values = spectra.parameters(axis, density, bearing, first)
    values = {q: accepted(QUANTITIES[q], v) for q, v in values.items()}
    return Observations(path, "NDBC spectral text", name, time, None, None, values, {})


def _fraction(values):
    """The archive holds hundredths, files of the last days do not."""
    values = np.where((values < 0) | (values >= 999), np.nan, values)
    return values / 100 if np.nanmax(values, initial=0.0) > 1.5 else values


def _beside(time, files, mend):
    """[n, frequency] of another file of the station at the times of the densities, NaN where it has no row."""
    if not files:
        return None
    times = np.concatenate([t for _, _, t, _ in files])
    values = mend(np.concatenate([v for *_, v in files]))
    rows = {t: k for k, t in reversed(list(enumerate(times)))}
    found = np.full((len(time), values.shape[1]), np.nan)
    for k, t in enumerate(time):
        if t in rows:
            found[k] = values[rows[t]]
    return found


def _place(one, place, places):
    if one.name in places:
        return places[one.name]
    if place is None:
        known = f"; the table has {', '.join(places)}" if places else ""
        refuse(
            one.path,
            "place",
            "(not in the text)",
            f"--at LON,LAT, or --places TABLE.csv with a row named {one.name}{known}",
        )
    return place
