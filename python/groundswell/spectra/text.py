"""Spectra as text: SWAN's standard spectral file and the point output of WAVEWATCH III."""

import gzip

import numpy as np

from groundswell.errors import refuse
from groundswell.spectra.layout import make_spectra

# SWAN user manual, appendix D: energy densities are of ρ g E.
WATER_WEIGHT = 1025.0 * 9.81


def read_lines(path):
    opened = (
        gzip.open(path, "rt", errors="replace") if str(path).endswith(".gz") else open(path, errors="replace")
    )
    with opened as file:
        return file.read().splitlines()


class _Words:
    """The lines of a file one by one, and a refusal that names the line."""

    def __init__(self, path, lines):
        self.path, self.lines, self.at = path, lines, 0

    def more(self):
        return self.at < len(self.lines)

    def line(self):
        while self.more() and self.lines[self.at].startswith("$"):  # a comment
            self.at += 1
        if not self.more():
            refuse(self.path, None, None, "more lines: the file ends too early")
        self.at += 1
        return self.lines[self.at - 1]

    def numbers(self, count):
        """The first `count` numbers of a line."""
        words = self.line().split()
        try:
            return [float(word) for word in words[:count]] if len(words) >= count else self.wrong(count)
        except ValueError:
            return self.wrong(count)

    def rest(self, count):
        """`count` numbers over as many lines as they take."""
        found = []
        while len(found) < count:
            words = self.line().split()
            try:
                found += [float(word) for word in words]
            except ValueError:
                self.wrong(count)
        return np.array(found[:count])

    def wrong(self, count):
        refuse(f"{self.path}:{self.at}", "line", self.lines[self.at - 1].strip(), f"{count} numbers")


def _time(words, text):
    digits = text.replace(".", " ").split()
    try:
        day, clock = digits[0], (digits[1] if len(digits) > 1 else "0").ljust(6, "0")
        return np.datetime64(f"{day[:4]}-{day[4:6]}-{day[6:8]}T{clock[:2]}:{clock[2:4]}:{clock[4:6]}", "ms")
    except (ValueError, IndexError):
        refuse(f"{words.path}:{words.at}", "time", text.strip(), "a date and time such as 20240903.060000")


def read_swan(path, lines):
    words = _Words(path, lines)
    words.line()
    timed, places, frequency, bearing = False, None, None, None
    while True:
        key = (words.line().split() or [""])[0].upper()
        if key == "TIME":
            timed = True
            words.line()
        elif key in ("LONLAT", "LOCATIONS"):
            if key == "LOCATIONS":
                refuse(f"{path}:{words.at}", "places", key, "LONLAT: in longitude and latitude")
            places = [words.numbers(2) for _ in range(int(words.numbers(1)[0]))]
        elif key in ("AFREQ", "RFREQ"):
            frequency = [words.numbers(1)[0] for _ in range(int(words.numbers(1)[0]))]
        elif key in ("NDIR", "CDIR"):
            given = np.array([words.numbers(1)[0] for _ in range(int(words.numbers(1)[0]))])
            # Nautical: coming from, clockwise from north. Cartesian: going to, anticlockwise from east.
            bearing = given + 180.0 if key == "NDIR" else 90.0 - given
        elif key == "QUANT":
            break
        else:
            refuse(f"{path}:{words.at}", "line", key, "TIME, LONLAT, AFREQ, NDIR, CDIR or QUANT")
    if places is None or frequency is None or bearing is None:
        refuse(path, "header", "incomplete", "LONLAT, AFREQ and NDIR or CDIR: two-dimensional spectra")
    if int(words.numbers(1)[0]) != 1:
        refuse(f"{path}:{words.at}", "quantities", words.lines[words.at - 1].strip(), "1: VaDens or EnDens")
    quantity, unit = words.line().split()[0], words.line().split()[0]
    if quantity not in ("VaDens", "EnDens"):
        refuse(f"{path}:{words.at - 1}", "quantity", quantity, "VaDens or EnDens: two-dimensional spectra")
    factor = (np.degrees(1.0) if "deg" in unit else 1.0) / (WATER_WEIGHT if quantity == "EnDens" else 1.0)
    exception = words.numbers(1)[0]
    times, records = [], []
    shape = len(frequency), len(bearing)
    while words.more():
        if not words.lines[words.at].strip():
            words.line()
            continue
        times.append(_time(words, words.line().split()[0]) if timed else np.datetime64("1970-01-01", "ms"))
        records.append([factor * _swan_block(words, shape, exception) for _ in places])
    lon, lat = np.array(places).T
    return make_spectra(path, times, lon, lat, frequency, bearing, np.array(records))


def _swan_block(words, shape, exception):
    kind = (words.line().split() or [""])[0].upper()
    if kind == "NODATA":
        return np.full(shape, np.nan)
    if kind == "ZERO":
        return np.zeros(shape)
    if kind != "FACTOR":
        refuse(f"{words.path}:{words.at}", "line", kind, "FACTOR, ZERO or NODATA")
    factor = words.numbers(1)[0]
    values = words.rest(shape[0] * shape[1]).reshape(shape)
    return np.where(values == exception, np.nan, factor * values)


def read_ww3(path, lines):
    """The transfer file of ww3_outp, type 1: directions are radians, going to, clockwise from north; m² s rad⁻¹."""
    words = _Words(path, lines)
    header = words.line().split("'")[2].split()
    try:
        frequencies, directions, points = (int(word) for word in header[:3])
    except ValueError:
        refuse(f"{path}:1", "line", lines[0], "'WAVEWATCH III SPECTRA' and three numbers")
    frequency, bearing = words.rest(frequencies), np.degrees(words.rest(directions))
    # Three digits in the file: the directions stand at equal steps.
    steps = np.round((bearing - bearing[0]) / (360.0 / directions))
    offset = np.mean(np.mod(bearing - steps * 360.0 / directions - bearing[0] + 180.0, 360.0) - 180.0)
    bearing = bearing[0] + offset + steps * 360.0 / directions
    times, records, places = [], [], {}
    while words.more():
        if not words.lines[words.at].strip():
            words.line()
            continue
        times.append(_time(words, words.line()))
        record = []
        for point in range(points):
            name, _, numbers = words.line().strip().lstrip("'").partition("'")
            try:
                lat, lon = (float(word) for word in numbers.split()[:2])
            except ValueError:
                refuse(
                    f"{path}:{words.at}", "line", words.lines[words.at - 1], "'NAME', latitude and longitude"
                )
            places.setdefault(point, (lon, lat))
            record.append(words.rest(frequencies * directions).reshape(directions, frequencies).T)
        records.append(record)
    lon, lat = np.array([places[point] for point in range(points)]).T
    return make_spectra(path, times, lon, lat, frequency, bearing, np.array(records))
