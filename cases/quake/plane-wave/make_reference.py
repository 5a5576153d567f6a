#!/usr/bin/env python3
"""What the receiver of this case sees: a plane wave that goes on for ever. See README.md beside this file."""

import argparse
import pathlib

import numpy as np

FOLDER = pathlib.Path(__file__).resolve().parent
DENSITY, VP, VS = 1.0, 2.0, 1.0  # kg m-3, m s-1
WAVE = np.pi * np.ones(3)  # rad m-1
SIDEWAYS = np.array([1.0, -1.0, 0.0]) / np.sqrt(2.0)  # in which the S wave moves
RECEIVER = np.array([0.1, 0.2, 0.3])  # m


def velocity(wave, place, time):
    """[component, time] at a place, of the P or the S wave with an amplitude of 1 m/s."""
    length = np.linalg.norm(WAVE)
    move, speed = {"P": (WAVE / length, VP), "S": (SIDEWAYS, VS)}[wave]
    return move[:, None] * np.cos(WAVE @ np.asarray(place) - speed * length * np.asarray(time))


def main():
    options = argparse.ArgumentParser(description="Writes output/reference.csv.")
    options.add_argument(
        "--wave", choices=["P", "S"], default="P", help="kind of the wave in the case (default P)"
    )
    options.add_argument(
        "--output", metavar="FILE.csv", default=FOLDER / "output/reference.csv", type=pathlib.Path
    )
    chosen = options.parse_args()
    chosen.output.parent.mkdir(parents=True, exist_ok=True)
    time = 0.01 * np.arange(201)
    with chosen.output.open("w", encoding="utf-8") as out:
        out.write(f"# source: exact {chosen.wave} wave\ntime,vx,vy,vz\n")
        table = np.column_stack([time, *velocity(chosen.wave, RECEIVER, time)])
        np.savetxt(out, table, "%.2f,%.12e,%.12e,%.12e")
    print(chosen.output)


if __name__ == "__main__":
    main()
