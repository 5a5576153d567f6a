"""Storm tracks of ATCF decks, HURDAT2 and IBTrACS, compressed or not, and the table that the model reads.

A fix: {"time": "2024-09-03T06:00:00Z", "lat", "lon": degrees, and numbers in the table's units for what the track says of
vmax_kt, pmin_hpa, poci_hpa, rmw_nm, r34_ne_nm … r64_nw_nm, and its stage, a text}. What is not known is left out.
"""

import csv
import gzip
import pathlib
import re

from groundswell.errors import refuse
from groundswell.whole_files import written_beside

WINDS, QUADRANTS = (34, 50, 64), ("ne", "se", "sw", "nw")
RADII = [f"r{wind}_{quadrant}_nm" for wind in WINDS for quadrant in QUADRANTS]
COLUMNS = ["time", "lat", "lon", "vmax_kt", "pmin_hpa", "poci_hpa", "rmw_nm", *RADII, "stage"]


def lines(path):
    """(file:line, [field]) of what is neither empty nor a remark."""
    with open(path, "rb") as file:
        opener = gzip.open if file.read(2) == b"\x1f\x8b" else open
    try:
        with opener(path, "rt", encoding="utf-8-sig", errors="replace") as file:
            for number, line in enumerate(file, 1):
                if line.strip() and not line.lstrip().startswith("#"):
                    yield f"{path}:{number}", [field.strip() for field in line.rstrip("\r\n").split(",")]
    except (OSError, EOFError) as failure:
        refuse(path, None, None, f"a track that can be read ({failure})")


def form_of(path):
    """atcf, hurdat, ibtracs, or None, by the first line."""
    _, fields = next(iter(lines(path)), (None, [""]))
    if "SID" in fields and "ISO_TIME" in fields:
        return "ibtracs"
    if re.fullmatch(r"[A-Z]{2}\d{6}", fields[0]):
        return "hurdat"
    if len(fields) > 4 and re.fullmatch(r"[A-Z]{2}", fields[0]) and re.fullmatch(r"\d{10}", fields[2]):
        return "atcf"
    return None


def is_track(path):
    with open(path, "rb") as file:
        begin = file.read(8)
    if begin.startswith((b"GRIB", b"PK\x03\x04", b"CDF", b"\x89HDF")):
        return False
    return form_of(path) is not None


def read(paths, storm="", technique="", cycle=None):
    """[fix] of one storm, times ascending."""
    forms = {form_of(path) for path in paths}
    if len(forms) != 1 or (len(paths) > 1 and forms != {"atcf"}):
        refuse(paths[0], None, None, "one track, or ATCF decks of one storm")
    form = forms.pop()
    if storm and form == "atcf":
        refuse(paths[0], "--storm", storm, "a file of many storms: a deck holds one")
    if (technique or cycle) and form != "atcf":
        refuse(paths[0], "--technique", technique or cycle, "an ATCF deck: no other form holds forecasts")
    if form == "atcf":
        fixes = read_decks(paths, technique, cycle)
    else:
        fixes = chosen(paths[0], STORMS[form](paths[0]), storm)
    for before, after in zip(fixes, fixes[1:]):
        if after["time"] <= before["time"]:
            refuse(paths[0], "time", after["time"], f"a time after {before['time']}")
    if len(fixes) < 2:
        refuse(paths[0], "fixes", len(fixes), "at least two")
    return fixes


def number(where, name, text, least=0.0):
    """None for an empty field and for what stands for "not known"."""
    try:
        value = float(text) if text else None
    except ValueError:
        refuse(where, name, text, "a number")
    return value if value is not None and value > least else None


def coordinate(where, text, scale):
    match = re.fullmatch(r"([\d.]+)([NSEW])", text)
    if not match:
        refuse(where, "place", text, "a number and N, S, E or W")
    return float(match[1]) * scale * (-1.0 if match[2] in "SW" else 1.0)


def fix_of(time, lat, lon, values):
    known = {key: value for key, value in values.items() if value is not None}
    return {"time": time, "lat": round(lat, 4), "lon": round(lon, 4), **known}


def radii(names, values):
    """Four quadrants; all 0 means that nothing is known."""
    return dict(zip(names, values)) if any(v for v in values if v is not None) else {}


def field(fields, index):
    return fields[index] if index is not None and index < len(fields) else ""


# ------------------------------------------------------------------------------------------------------ decks


def read_decks(paths, technique, cycle):
    best, forecasts = {}, {}
    for path in paths:
        for where, fields in lines(path):
            if len(fields) < 9:
                refuse(where, "columns", len(fields), "at least 9 in a line of a deck")
            what = fields[4]
            # Of forecasts the fourth column is a number of the technique, not minutes.
            start = deck_time(where, fields[2], fields[3] if what == "BEST" else "")
            table = best if what == "BEST" else forecasts.setdefault(what, {}).setdefault(start, {})
            take_deck_line(where, fields, start, table)
    known = ", ".join(sorted(forecasts)) or "none"
    if not best and not technique:
        if len(forecasts) != 1:
            refuse(paths[0], "BEST lines", "none", f"some, or --technique, one of {known}")
        technique = next(iter(forecasts))
    if technique and technique not in forecasts:
        refuse(paths[0], "--technique", technique, f"one of the file: {known}")
    fixes = [best[time] for time in sorted(best)]
    if technique:
        cycles = forecasts[technique]
        fits = [
            c
            for c in cycles
            if (c == cycle.rstrip("Z") + "Z" if cycle else not fixes or c <= fixes[-1]["time"])
        ]
        if not fits:
            refuse(paths[0], "--cycle", cycle or "none that fits", f"one of {min(cycles)} … {max(cycles)}")
        ahead = cycles[max(fits)]
        fixes += [ahead[time] for time in sorted(ahead) if not fixes or time > fixes[-1]["time"]]
    return fixes


def deck_time(where, text, minutes):
    if not re.fullmatch(r"\d{10}", text):
        refuse(where, "time", text, "YYYYMMDDHH")
    return f"{text[:4]}-{text[4:6]}-{text[6:8]}T{text[8:]}:{int(minutes or 0):02d}:00Z"


def take_deck_line(where, fields, start, table):
    from datetime import datetime, timedelta

    hours = float(fields[5] or 0)
    valid = datetime.fromisoformat(start[:-1]) + timedelta(hours=hours)
    time = f"{valid:%Y-%m-%dT%H:%M:%SZ}"
    if time not in table:
        values = {
            "vmax_kt": number(where, "wind", fields[8]),
            "pmin_hpa": number(where, "pressure", field(fields, 9)),
            "poci_hpa": number(where, "last closed isobar", field(fields, 17)),
            "rmw_nm": number(where, "radius of maximum wind", field(fields, 19)),
        }
        place = [coordinate(where, fields[6 + i], 0.1) for i in (0, 1)]
        table[time] = fix_of(time, *place, values) | {"stage": field(fields, 10)}
    threshold = number(where, "threshold", field(fields, 11))
    if threshold not in WINDS or len(fields) < 17:
        return
    given = [float(fields[13 + i] or 0) for i in range(4)]
    code = fields[12]
    if code == "AAA":
        given = [given[0]] * 4
    else:
        turn = ("NEQ", "SEQ", "SWQ", "NWQ").index(code) if code in ("NEQ", "SEQ", "SWQ", "NWQ") else 0
        given = [given[(i - turn) % 4] for i in range(4)]
    table[time] |= radii([f"r{int(threshold)}_{q}_nm" for q in QUADRANTS], given)


# ---------------------------------------------------------------------------------------------------- archives


def chosen(path, storms, asked):
    """The fixes of the storm whose number or name, with or without its year, was asked for."""
    labels, found = [], []
    for numbers, name, year, fixes in list(storms):
        labels.append(f"{name} {year} ({numbers[0]})")
        words = [*numbers, name, f"{name} {year}"]
        if not asked or asked.upper() in [word.upper() for word in words]:
            found.append((labels[-1], fixes))
    if len(found) != 1:
        several = ", ".join(label for label, _ in found[:5])
        if asked and found:
            refuse(path, "--storm", asked, f"one storm: {several} have this name")
        refuse(
            path,
            "--storm",
            asked or None,
            f"one of the file's {len(labels)}, such as {', '.join(labels[:5])}",
        )
    return found[0][1]


def hurdat_storms(path):
    storm = None
    for where, fields in lines(path):
        if re.fullmatch(r"[A-Z]{2}\d{6}", fields[0]):
            storm = ([fields[0]], fields[1], fields[0][4:], [])
            yield storm
        elif storm is None:
            refuse(where, "columns", ", ".join(fields[:3]), "a storm's head before its fixes")
        else:
            storm[3].append(hurdat_fix(where, fields))


def hurdat_fix(where, fields):
    day, clock = fields[0], fields[1]
    if not re.fullmatch(r"\d{8}", day) or not re.fullmatch(r"\d{4}", clock) or len(fields) < 8:
        refuse(where, "time", f"{day} {clock}", "YYYYMMDD, hhmm")
    time = f"{day[:4]}-{day[4:6]}-{day[6:]}T{clock[:2]}:{clock[2:]}:00Z"
    values = {
        "vmax_kt": number(where, "wind", fields[6]),
        "pmin_hpa": number(where, "pressure", fields[7]),
        "rmw_nm": number(where, "radius of maximum wind", field(fields, 20)),
    }
    given = [number(where, "radius", field(fields, 8 + i), least=-1.0) for i in range(12)]
    for w in range(3):
        values |= radii(RADII[4 * w : 4 * w + 4], given[4 * w : 4 * w + 4])
    place = (coordinate(where, fields[4 + i], 1.0) for i in (0, 1))
    return fix_of(time, *place, values) | {"stage": fields[3]}


def ibtracs_storms(path):
    column, storm = None, None
    for where, fields in lines(path):
        if column is None:
            column = {name: i for i, name in enumerate(fields)}
            missing = [
                n
                for n in ("SID", "SEASON", "NAME", "ISO_TIME", "USA_LAT", "USA_LON", "USA_WIND")
                if n not in column
            ]
            if missing:
                refuse(where, "columns", "IBTrACS", f"a column {missing[0]}")
            continue
        get = lambda name: field(fields, column.get(name))  # noqa: B023, E731
        sid = get("SID")
        if not sid:  # the line of units
            continue
        if storm is None or storm[0][0] != sid:
            storm = ([sid], get("NAME"), get("SEASON"), [])
            yield storm
        if get("USA_ATCF_ID") and len(storm[0]) == 1:
            storm[0].append(get("USA_ATCF_ID"))
        if not get("USA_LAT") or get("TRACK_TYPE").startswith("spur"):
            continue
        values = {
            key: number(where, name, get(name))
            for key, name in (
                ("vmax_kt", "USA_WIND"),
                ("pmin_hpa", "USA_PRES"),
                ("poci_hpa", "USA_POCI"),
                ("rmw_nm", "USA_RMW"),
            )
        }
        for wind in WINDS:
            names = [f"USA_R{wind}_{q.upper()}" for q in QUADRANTS]
            given = [number(where, name, get(name), least=-1.0) for name in names]
            values |= radii([f"r{wind}_{q}_nm" for q in QUADRANTS], given)
        time = get("ISO_TIME").replace(" ", "T") + "Z"
        fix = fix_of(time, float(get("USA_LAT")), float(get("USA_LON")), values)
        storm[3].append(fix | {"stage": get("USA_STATUS")})


STORMS = {"hurdat": hurdat_storms, "ibtracs": ibtracs_storms}


# ----------------------------------------------------------------------------------------------------- writing


def write(path, fixes, sources):
    """The table; winds that are not known stand between those that are, on a straight line in time."""
    import numpy as np

    stamps = (
        np.array([np.datetime64(fix["time"].rstrip("Z")) for fix in fixes])
        .astype("datetime64[s]")
        .astype(float)
    )
    known = [i for i, fix in enumerate(fixes) if "vmax_kt" in fix]
    if not known:
        refuse(sources[0], "wind", "none", "a maximum wind in at least one fix")
    winds = np.interp(stamps, stamps[known], [fixes[i]["vmax_kt"] for i in known])
    columns = [c for c in COLUMNS if c in COLUMNS[:4] or any(c in fix for fix in fixes)]
    with written_beside(path) as partial, open(partial, "w", encoding="utf-8", newline="") as out:
        out.write(f"# Winds: 1-minute means. From {', '.join(pathlib.Path(s).name for s in sources)}.\n")
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(columns)
        for fix, wind in zip(fixes, winds):
            row = {**fix, "vmax_kt": round(float(wind), 2)}
            writer.writerow(["" if row.get(c) is None else plain(row[c]) for c in columns])


def plain(value):
    return f"{value:.10g}" if isinstance(value, float) else value
