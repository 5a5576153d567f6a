#!/usr/bin/env python3
"""What the receivers of this case would see in rock without end: the exact solution, point by point of rupture.srf.

The displacement of a moment tensor in homogeneous rock (K. Aki and P. G. Richards 2002, "Quantitative Seismology", equation
4.29), with near, intermediate and far field, summed over the points of make_rupture.py. See README.md.
"""

import argparse
import pathlib

import make_rupture
import numpy as np

FOLDER = pathlib.Path(__file__).resolve().parent
DENSITY, VP, VS = 2700.0, 5196.0, 3000.0  # kg m-3, m s-1
DISTANCE = 12000.0  # m
ANGLES = (0, 45, 90, 180)  # degrees from the way that the rupture runs
TIME = 0.02 * np.arange(451)


class Rate:
    """A rate of slip that is straight between samples, and its slope."""

    def __init__(self, interval, rates):
        rates = np.asarray(rates)
        self.interval, self.rates = interval, rates

    def at(self, time):
        return np.interp(time, self.interval * np.arange(self.rates.size), self.rates, 0.0, 0.0)

    def slope(self, time):
        steps = np.diff(self.rates) / self.interval
        index = np.floor(time / self.interval).astype(int)
        inside = (index >= 0) & (index < steps.size)
        return np.where(inside, steps[np.clip(index, 0, steps.size - 1)], 0.0)


def velocity(place, tensor, rate, time):
    """[3, time], m/s, at a place in m from a point whose tensor is times the slip (N m per m) and whose slip rate is known."""
    far = np.linalg.norm(place)
    g = place / far
    mg, gmg = tensor @ g, g @ tensor @ g
    near = 15 * g * gmg - 3 * g * np.trace(tensor) - 6 * mg
    of_p = 6 * g * gmg - g * np.trace(tensor) - 2 * mg
    of_s = 6 * g * gmg - g * np.trace(tensor) - 3 * mg
    p, s = time - far / VP, time - far / VS
    # ∫ τ rate(t - τ) dτ from far/VP to far/VS, by Simpson's rule between many points.
    tau = np.linspace(far / VP, far / VS, 401)
    weight = np.full(tau.size, 2.0)
    weight[1::2], weight[0], weight[-1] = 4.0, 1.0, 1.0
    weight *= (tau[1] - tau[0]) / 3
    between = (weight * tau) @ rate.at(time[None, :] - tau[:, None])
    scale = 4 * np.pi * DENSITY
    return (
        np.outer(near, between) / (scale * far**4)
        + np.outer(of_p, rate.at(p)) / (scale * VP**2 * far**2)
        - np.outer(of_s, rate.at(s)) / (scale * VS**2 * far**2)
        + np.outer(g * gmg, rate.slope(p)) / (scale * VP**3 * far)
        - np.outer(g * gmg - mg, rate.slope(s)) / (scale * VS**3 * far)
    )


def seismogram(angle, time=TIME):
    """[3, time], m/s, east, north and up."""
    rate = Rate(make_rupture.INTERVAL, 0.01 * np.asarray(make_rupture.slip_rates()))
    area = 1e6 * make_rupture.LENGTH * make_rupture.WIDTH / (make_rupture.COLUMNS * make_rupture.ROWS)
    rigidity = 10 * make_rupture.DENSITY * make_rupture.VS**2 / 100  # g/cm3 and cm/s to Pa
    # Left-lateral slip on a vertical plane that strikes east (Aki and Richards 2002, box 4.4).
    tensor = np.zeros((3, 3))
    tensor[0, 1] = tensor[1, 0] = -rigidity * area
    receiver = DISTANCE * np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle)), 0.0])
    sum_ = np.zeros((3, time.size))
    for east, depth, begin in make_rupture.points():
        place = receiver - 1000 * np.array([east, 0.0, make_rupture.DEPTH - depth])
        sum_ += velocity(place, tensor, rate, time - begin)
    return sum_


def main():
    options = argparse.ArgumentParser(description="Writes output/ANGLE.csv for each receiver of this case.")
    options.add_argument("--output", metavar="FOLDER", default=FOLDER / "output", type=pathlib.Path)
    folder = options.parse_args().output
    folder.mkdir(parents=True, exist_ok=True)
    for angle in ANGLES:
        with (folder / f"{angle}.csv").open("w", encoding="utf-8") as out:
            out.write("# source: exact, rock without end\ntime,vx,vy,vz\n")
            np.savetxt(out, np.column_stack([TIME, *seismogram(angle)]), "%.2f" + 3 * ",%.9e")
        print(folder / f"{angle}.csv")


if __name__ == "__main__":
    main()
