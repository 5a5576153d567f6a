"""Finite-fault models: of the USGS (`basic_inversion.param`, `.fsp`) and of the database SRCMOD (`.fsp`), as rows of subfaults."""

import dataclasses
import pathlib
import re

from groundswell.errors import refuse

NUMBER = r"([-+]?[0-9]*\.?[0-9]+(?:[eEdD][-+]?[0-9]+)?)"


@dataclasses.dataclass
class Subfault:
    """A subfault as a point in its middle: degrees, m, s, N m; `rise` up to the largest slip rate and `fall` from there."""

    longitude: float
    latitude: float
    depth: float
    strike: float
    dip: float
    rake: float
    area: float
    slip: float
    onset: float
    rise: float
    fall: float
    moment: float | None = None


def read(path):
    """[Subfault] of a file, by what it looks like."""
    try:
        lines = pathlib.Path(path).read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError as failure:
        refuse(path, None, None, f"a finite-fault model that can be read ({failure.strerror})")
    begin = "\n".join(lines[:60])
    if begin.split()[:1] in (["1.0"], ["2.0"]):
        refuse(
            path,
            "format",
            "Standard Rupture Format",
            "no import: file of [[source.rupture]] reads it as it is",
        )
    if re.search(r"#\s*Fault_segment", begin):
        found = _read_param(path, lines)
    elif re.search(r"FINITE-SOURCE|%\s*(Evnt|Event|Mech)", begin):
        found = _read_fsp(path, lines)
    else:
        refuse(path, None, None, "a finite-fault model: basic_inversion.param of the USGS, or .fsp")
    if not found:
        refuse(path, None, None, "one subfault or more")
    return found


def _numbers(path, number, line, count):
    try:
        values = [float(word) for word in line.split()]
    except ValueError:
        values = []
    if len(values) < count:
        refuse(f"{path}:{number}", None, None, f"{count} numbers, not {line.strip()}")
    return values


def _read_param(path, lines):
    """Lines of latitude, longitude, depth (km), slip (cm), rake, strike, dip, times of rupture, rise and fall (s), moment (dyn cm)."""
    found, area, inside = [], None, False
    for number, line in enumerate(lines, 1):
        if line.lstrip().startswith("#"):
            size = re.search(rf"Dx\s*=\s*{NUMBER}\s*km.*Dy\s*=\s*{NUMBER}\s*km", line)
            if size:
                area = float(size[1]) * float(size[2]) * 1e6
            inside = "slip" in line.lower() and "rake" in line.lower()
            continue
        if not inside or not line.strip():
            continue
        if area is None:
            refuse(f"{path}:{number}", None, None, "a line #Fault_segment … Dx= … km … Dy= … km before it")
        row = _numbers(path, number, line, 10)
        found.append(
            Subfault(
                row[1], row[0], 1e3 * row[2], row[5], row[6], row[4], area, 1e-2 * row[3], row[7], row[8], row[9],
                1e-7 * row[10] if len(row) > 10 else None,
            )
        )  # fmt: skip
    return found


def _value(text, name):
    found = re.search(rf"\b{name}\s*=\s*{NUMBER}", text)
    return float(found[1]) if found else None


def _read_fsp(path, lines):
    """Columns LAT LON X Y Z SLIP RAKE TRUP RISE SF_MOMENT, in km, m, s and N m, under a header of lines with %."""
    head, columns, found = {}, [], []
    for number, line in enumerate(lines, 1):
        if line.lstrip().startswith("%"):
            for key, names in {
                "strike": ("STRK", "STRIKE"),
                "dip": ("DIP",),
                "rake": ("RAKE",),
                "along": ("Dx",),
                "down": ("Dz",),
            }.items():
                for name in names:
                    value = _value(line, name)
                    if value is not None:
                        head[key] = value
            words = line.replace("%", " ").split()
            if "LAT" in words and "LON" in words and "SLIP" in words:
                columns = [word.split("==")[0] for word in words]
            continue
        if not line.strip():
            continue
        if not columns:
            refuse(f"{path}:{number}", None, None, "a line % LAT LON … SLIP … before the subfaults")
        for key in ("strike", "dip", "along", "down"):
            if key not in head:
                refuse(f"{path}:{number}", None, None, "STRK, DIP, Dx and Dz in the header")
        row = dict(zip(columns, _numbers(path, number, line, len(columns))))
        for name in ("Z", "TRUP", "RISE"):
            if name not in row:
                refuse(
                    f"{path}:{number}",
                    name,
                    None,
                    "a column of this name: a model of slip alone has no times",
                )
        rake = row.get("RAKE", head.get("rake"))
        if rake is None:
            refuse(f"{path}:{number}", "RAKE", None, "a column, or RAKE in the header")
        found.append(
            Subfault(
                row["LON"], row["LAT"], 1e3 * row["Z"], head["strike"], head["dip"], rake, 1e6 * head["along"] * head["down"],
                row["SLIP"], row["TRUP"], 0.5 * row["RISE"], 0.5 * row["RISE"], row.get("SF_MOMENT"),
            )
        )  # fmt: skip
    return found
