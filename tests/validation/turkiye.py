#!/usr/bin/env python3
"""The Kahramanmaraş earthquake by the one command of its folder, on two ranks: size, faults that broke, speed of the front, shaking, energy.

    build/venv/bin/python tests/validation/turkiye.py → build/validation/turkiye: the run and its pictures

Ends with exit code 1 where a number is outside its limits, which are those of a plausible earthquake of this size and not
observations: the case is not scored against any.
"""

import json
import sys

import numpy as np
import summary
from netCDF4 import Dataset
from study import ROOT, call

CASE = ROOT / "cases/quake/turkiye"
FOLDER = ROOT / "build/validation/turkiye"
OUTPUT = FOLDER / "output"
FASTEST_P, SLOWEST_S = 6000.0, 3464.0  # of the rock around most of the faults, m/s
# What: from, to.
LIMITS = {
    "magnitude": (7.6, 8.0),
    "share of the main fault that broke": (0.8, 1.0),
    "share of the splay that broke": (0.8, 1.0),
    "mean speed of the front, m/s": (1500.0, FASTEST_P),
    "peak ground velocity within 5 km of the faults, median, m/s": (0.5, 3.0),
    "energy in the end over its largest value": (0.0, 1.0),
}


def simulate():
    """The result of run.json. Pictures too are those that a user gets."""
    call(CASE / "run", "--output", OUTPUT)
    return json.loads((OUTPUT / "run.json").read_text())["result"]


def triangles(file):
    """Centres and areas of a file's triangles."""
    corner = np.stack([file[f"mesh_node_{axis}"][:].filled() for axis in "xyz"], axis=-1)[
        file["mesh_face_nodes"][:].filled()
    ]
    area = 0.5 * np.linalg.norm(np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0]), axis=1)
    return corner.mean(axis=1), area


def stretches(place, area, tag, known, fast):
    """Stretches of each fault that are at least 10 km long and mostly broken by a front faster than S waves, by the nearest city."""
    with Dataset(OUTPUT / "receivers.nc") as file:
        names = [b"".join(letters.compressed()).decode() for letters in file["station_name"][:]]
        at = np.stack([file["x"][:], file["y"][:]], axis=-1).filled()
    width, found = 5e3, []
    for number, fault in ((65, "main fault"), (66, "splay")):
        mine = known & (tag == number)
        # From west to east; a straight line is close enough to the way along the trace.
        step = np.floor(place[:, 0] / width).astype(int)
        mostly = [
            k
            for k in range(step[mine].min(), step[mine].max() + 1)
            if area[mine & fast & (step == k)].sum() > 0.5 * area[mine & (step == k)].sum()
        ]
        for piece in np.split(mostly, np.flatnonzero(np.diff(mostly) > 1) + 1):
            if len(piece) < 2:
                continue
            inside = mine & np.isin(step, piece)
            length = float(np.linalg.norm(np.ptp(place[inside, :2], axis=0)) / 1e3)
            middle = place[inside, :2].mean(axis=0)
            nearest = names[np.argmin(np.hypot(*(at - middle).T))]
            found.append(f"{fault}, {length:.0f} km by {nearest}")
    return found


def measure(told):
    """What LIMITS asks for, and what is only told."""
    with Dataset(OUTPUT / "fault.nc") as file:
        place, area = triangles(file)
        tag = file["fault_tag"][:].filled()
        broke = ~np.ma.getmaskarray(file["rupture_time"][-1])
        speed = np.ma.filled(file["rupture_velocity"][-1].astype(float), np.nan)
    known = np.isfinite(speed) & (speed > 0)
    share = {
        number: float(area[broke & (tag == number)].sum() / area[tag == number].sum()) for number in (65, 66)
    }
    # By the way that the front has gone, its time is the sum of slownesses.
    mean = float(area[known].sum() / (area[known] / speed[known]).sum())
    supershear = known & (speed > SLOWEST_S)
    trace = place[place[:, 2] > -3e3][:, :2]
    with Dataset(OUTPUT / "surface.nc") as file:
        surface, _ = triangles(file)
        pgv = file["pgv"][-1].filled()
    away = np.array([np.hypot(*(trace - at[:2]).T).min() for at in surface])
    with Dataset(OUTPUT / "energy.nc") as file:
        energy = sum(file[name][:].filled() for name in ("kinetic", "elastic"))
    numbers = {
        "magnitude": told["magnitude"],
        "share of the main fault that broke": share[65],
        "share of the splay that broke": share[66],
        "mean speed of the front, m/s": mean,
        "peak ground velocity within 5 km of the faults, median, m/s": float(np.median(pgv[away < 5e3])),
        "energy in the end over its largest value": float(energy[-1] / energy.max()),
    }
    besides = {
        "minutes": told["wall_seconds"] / 60,
        "share of the faults where the front was faster than S waves": float(
            area[supershear].sum() / area[known].sum()
        ),
        "where": stretches(place, area, tag, known, supershear),
        "largest peak ground velocity, m/s": float(pgv.max()),
    }
    return numbers, besides


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    numbers, besides = measure(simulate())
    bad = [what for what, value in numbers.items() if not LIMITS[what][0] <= value <= LIMITS[what][1]]
    for what, value in {**numbers, **besides}.items():
        limits = f"  (expected {LIMITS[what][0]:g} to {LIMITS[what][1]:g})" if what in LIMITS else ""
        print(f"{what}: {value if isinstance(value, list) else format(value, '.4g')}{limits}")
    # A score is a distance from the middle of what is expected.
    scores = [
        (what, value - sum(LIMITS[what]) / 2, (LIMITS[what][1] - LIMITS[what][0]) / 2)
        for what, value in numbers.items()
    ]
    summary.record("quake", [summary.case("turkiye", scores, "middle of what is plausible", not bad)])
    for what in bad:
        print(f"turkiye.py: {what} is not as expected", file=sys.stderr)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
