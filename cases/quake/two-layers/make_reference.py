#!/usr/bin/env python3
"""What the receivers of this case see: plane waves that go straight up through two rocks to the surface, as sums of echoes.

A wave of velocity v(t - z/c) carries the traction -ρ c v up, and ρ c v down. At the interface velocity and traction go on
without a step, which gives what is sent back and what goes through (K. Aki and P. G. Richards 2002, "Quantitative Seismology",
section 5.2); the surface sends all of it back, and what leaves downwards does not return. See README.md.
"""

import argparse
import pathlib

import numpy as np

FOLDER = pathlib.Path(__file__).resolve().parent
DENSITY = {"above": 2600.0, "below": 2700.0}  # kg m-3
SPEED = {"P": {"above": 4000.0, "below": 6000.0}, "S": {"above": 2000.0, "below": 3464.0}}  # m s-1
INTERFACE = -1000.0  # m
START, WIDTH = -3000.0, 250.0  # m: where the pulse is at time 0, and how wide
RECEIVERS = {"surface": 0.0, "layer": -400.0, "below": -1800.0}
ECHOES = 12  # in the layer; each is weaker than the one before


def pulse(x):
    """The velocity of the pulse, m/s, x m from its middle."""
    return np.exp(-0.5 * (x / WIDTH) ** 2)


def motion(wave, z, time):
    """(velocity m/s, traction Pa) across a level z at these times, of the P wave (up and up) or the S wave (east and east)."""
    speed, density = SPEED[wave], DENSITY
    impedance = {rock: density[rock] * speed[rock] for rock in density}
    whole = sum(impedance.values())
    through, back = 2 * impedance["below"] / whole, (impedance["below"] - impedance["above"]) / whole
    out, echo = 2 * impedance["above"] / whole, -back  # of what comes down in the layer
    rock = "above" if z > INTERFACE else "below"
    arrival = (INTERFACE - START) / speed["below"]  # of the pulse at the interface
    trip = -2 * INTERFACE / speed["above"]  # to the surface and back

    def passing(size, when):
        """A pulse whose middle passes the level then."""
        return size * pulse(speed["below"] * (time - when))

    height = abs(z - INTERFACE) / speed[rock]
    if rock == "below":
        up = passing(1.0, arrival - height)
        down = passing(back, arrival + height)
        down = down + sum(
            passing(through * out * echo**n, arrival + (n + 1) * trip + height) for n in range(ECHOES)
        )
    else:
        sizes = [through * echo**n for n in range(ECHOES)]
        up = sum(passing(size, arrival + n * trip + height) for n, size in enumerate(sizes))
        down = sum(passing(size, arrival + (n + 1) * trip - height) for n, size in enumerate(sizes))
    return up + down, impedance[rock] * (down - up)


def main():
    options = argparse.ArgumentParser(description="Writes output/NAME.csv for each receiver of this case.")
    options.add_argument("--output", metavar="FOLDER", default=FOLDER / "output", type=pathlib.Path)
    folder = options.parse_args().output
    folder.mkdir(parents=True, exist_ok=True)
    time = 0.005 * np.arange(601)
    for name, z in RECEIVERS.items():
        (vz, szz), (vx, sxz) = (motion(wave, z, time) for wave in "PS")
        with (folder / f"{name}.csv").open("w", encoding="utf-8") as out:
            out.write("# source: sum of echoes\ntime,vx,vy,vz,szz,sxz\n")
            np.savetxt(out, np.column_stack([time, vx, 0 * vx, vz, szz, sxz]), "%.3f" + 5 * ",%.9e")
        print(folder / f"{name}.csv")


if __name__ == "__main__":
    main()
