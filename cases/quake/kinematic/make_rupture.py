#!/usr/bin/env python3
"""Writes rupture.srf of this case: uniform slip on a vertical rectangle, which a straight front crosses from west to east.

The model of N. A. Haskell (1964, Bull. Seismol. Soc. Am. 54, 1811-1841) as points of the Standard Rupture Format, version 2.
See README.md.
"""

import argparse
import math
import pathlib

FOLDER = pathlib.Path(__file__).resolve().parent
LONGITUDE, LATITUDE = 20.0, 0.0  # of the middle, degrees: that of [projection]
LENGTH, WIDTH, DEPTH = 6.0, 2.0, 17.0  # km; depth of the middle
COLUMNS, ROWS = 24, 4
SLIP = 50.0  # cm
RUPTURE_SPEED = 2.1  # km/s
RISE_TIME = 1.2  # s: the rate goes up and down as a cosine
INTERVAL = 0.05  # s
VS, DENSITY = 3.0e5, 2.7  # cm/s, g/cm3
# Kilometres of a degree along the equator of the WGS 84 ellipsoid.
DEGREE = 6378.137 * math.pi / 180.0


def points():
    """(km east of the middle, depth in km, seconds at which slip begins) of each."""
    for row in range(ROWS):
        for column in range(COLUMNS):
            along = (column + 0.5) * LENGTH / COLUMNS
            down = (row + 0.5) * WIDTH / ROWS - 0.5 * WIDTH
            yield along - 0.5 * LENGTH, DEPTH + down, along / RUPTURE_SPEED


def slip_rates():
    """cm/s, INTERVAL apart, of every point: their sum times INTERVAL is SLIP."""
    steps = round(RISE_TIME / INTERVAL)
    return [SLIP / RISE_TIME * (1 - math.cos(2 * math.pi * i / steps)) for i in range(steps + 1)]


def lines():
    """Those of the file."""
    yield "2.0"
    yield "# Haskell's model: see make_rupture.py beside this file"
    yield "PLANE 1"
    yield f"{LONGITUDE:.6f} {LATITUDE:.6f} {COLUMNS} {ROWS} {LENGTH:.4f} {WIDTH:.4f}"
    yield f"90 90 {DEPTH - 0.5 * WIDTH:.4f} {-0.5 * LENGTH:.4f} {0.5 * WIDTH:.4f}"
    yield f"POINTS {COLUMNS * ROWS}"
    area = 1e10 * LENGTH * WIDTH / (COLUMNS * ROWS)  # cm2
    rates = slip_rates()
    for east, depth, begin in points():
        yield (
            f"{LONGITUDE + east / DEGREE:.9f} {LATITUDE:.6f} {depth:.4f} 90 90 {area:.6e} {begin:.6f} "
            f"{INTERVAL} {VS:.4e} {DENSITY}"
        )
        yield f"0 {SLIP:.4f} {len(rates)} 0.0 0 0.0 0"
        yield " ".join(f"{rate:.6g}" for rate in rates)


def main():
    options = argparse.ArgumentParser(description="Writes rupture.srf of this case.")
    options.add_argument("--output", metavar="FILE", default=FOLDER / "rupture.srf", type=pathlib.Path)
    file = options.parse_args().output
    file.write_text("\n".join(lines()) + "\n", encoding="utf-8")
    print(file)


if __name__ == "__main__":
    main()
