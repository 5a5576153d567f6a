"""Codes of stations and channels, as SEED has them: capitals and digits, five for a station, three for a channel."""

import re

from groundswell.errors import refuse

LENGTH = {"mseed": 5, "sac": 8}
# First letter of a channel by its samples a second (SEED manual 2.4, appendix A, for instruments of a short and of a long
# corner period, of which a model has none: the letters of broad bands); X in the second place: derived or generated.
BANDS = ((1000.0, "F"), (250.0, "C"), (80.0, "H"), (10.0, "B"), (1.0001, "M"), (0.0, "L"))
ORIENTATION = {
    "vx": ("E", 90.0, 0.0),
    "vy": ("N", 0.0, 0.0),
    "vz": ("Z", 0.0, -90.0),
}  # name, azimuth, dip; degrees


def channel(component, interval):
    """`HXE` for the eastward velocity at 100 samples a second."""
    rate = 1.0 / interval
    band = next(letter for least, letter in BANDS if rate >= least * (1 - 1e-9))
    return f"{band}X{ORIENTATION[component][0]}"


def station_codes(path, names, form, shorten=False):
    """[code] of stations. A name that does not fit is refused with what `--shorten` makes of it; so are two of one code."""
    most = LENGTH[form]
    codes = []
    for number, name in enumerate(names, 1):
        code = re.sub(r"[^A-Z0-9]", "", name.upper())
        if len(code) > most:
            short = shortened(code, most)
            if short in codes:
                short = shortened(f"{code}{number}", most)
            if not shorten:
                refuse(
                    path,
                    "station_name",
                    name,
                    f"at most {most} letters and digits for {form}; --shorten makes {short} of it and writes a list",
                )
            code = short
        codes.append(code or f"S{number}")
    for number, code in enumerate(codes):
        if code in codes[:number]:
            other = names[codes.index(code)]
            refuse(
                path, "station_name", names[number], f"a name unlike '{other}': both are {code} for {form}"
            )
    return codes


def shortened(code, most):
    """The beginning and the number at the end: `RECEIVER9` becomes `RECE9`, `MOUNTAINS` `MOUNT`."""
    tail = re.search(r"\d*$", code)[0][-most + 1 :]
    return code[: most - len(tail)] + tail
