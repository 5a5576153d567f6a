#!/usr/bin/env python3
"""What the receiver of this case sees: a P wave and an S wave that go on for ever. See README.md beside this file."""

import argparse
import pathlib

import numpy as np

FOLDER = pathlib.Path(__file__).resolve().parent
DENSITY, VP, VS = 1.0, 2.0, 1.0  # kg m-3, m s-1
WAVE = np.pi * np.ones(3)  # rad m-1
SIDEWAYS = np.array([1.0, -1.0, 0.0]) / np.sqrt(2.0)  # in which the S wave moves
RECEIVER = np.array([0.1, 0.2, 0.3])  # m


def velocity(place, time):
    """[component, time] at a place, of waves with an amplitude of 1 m/s each."""
    length = np.linalg.norm(WAVE)
    phase = WAVE @ np.asarray(place)
    found = [
        move[:, None] * np.cos(phase - speed * length * np.asarray(time))
        for move, speed in ((WAVE / length, VP), (SIDEWAYS, VS))
    ]
    return sum(found)


def main():
    options = argparse.ArgumentParser(description="Writes output/reference.csv.")
    options.add_argument(
        "--output", metavar="FILE.csv", default=FOLDER / "output/reference.csv", type=pathlib.Path
    )
    output = options.parse_args().output
    output.parent.mkdir(parents=True, exist_ok=True)
    time = 0.01 * np.arange(201)
    with output.open("w", encoding="utf-8") as out:
        out.write("# source: exact plane waves\ntime,vx,vy,vz\n")
        np.savetxt(out, np.column_stack([time, *velocity(RECEIVER, time)]), "%.2f,%.12e,%.12e,%.12e")
    print(output)


if __name__ == "__main__":
    main()
