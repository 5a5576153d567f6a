"""The rupture against the boundary integral solution: compare.py REFERENCE [OUTPUT]

REFERENCE: folder with TPV3-BI-Rupture-Time.npy, TPV3-BI-P-Time.npy and TPV3-BI-P1-…, P2-….npy of S. M. Day, L. A. Dalguer,
N. Lapusta and Y. Liu (2005, doi:10.1029/2005JB003813). Prints the table of README.md, and the same as JSON with --json FILE.
"""

import argparse
import json
import pathlib

import numpy as np
from netCDF4 import Dataset

CENTRE = (0.0, -20e3)  # of the fault, x and z
CELL = 100.0  # of the reference, m
STEP = 0.00962281  # by which its rupture times are late, as its file says


def rupture_times(reference, output):
    """RMS difference over the fault, relative to the reference's RMS; without the patch that fails at once."""
    expected = np.load(reference / "TPV3-BI-Rupture-Time.npy") - STEP
    with Dataset(output / "fault.nc") as file:
        x, z = file["mesh_face_x"][:] - CENTRE[0], file["mesh_face_z"][:] - CENTRE[1]
        found = file["rupture_time"][-1]
    column = np.clip(((x + 15e3) / CELL).astype(int), 0, expected.shape[0] - 1)
    row = np.clip(((z + 7.5e3) / CELL).astype(int), 0, expected.shape[1] - 1)
    there = np.maximum(np.abs(x), np.abs(z)) > 1800.0
    difference = found[there] - expected[column, row][there]
    return {
        "rms": float(np.sqrt(np.mean(difference**2) / np.mean(expected[column, row][there] ** 2))),
        "mean": float(np.mean(difference)),
        "ruptured": float(1.0 - np.ma.count_masked(found) / found.size),
    }


def place(reference, output, number):
    """Slip and largest slip rate at one of the two places, relative to the reference."""
    time = np.load(reference / "TPV3-BI-P-Time.npy")
    rate = np.load(reference / f"TPV3-BI-P{number}-Slip-Velocity.npy")
    slip = np.load(reference / f"TPV3-BI-P{number}-Slip.npy")
    with Dataset(output / "fault-receivers.nc") as file:
        seconds = file["time"][:]
        found_rate = np.abs(file["slip_rate_strike"][:, number - 1])
        found_slip = np.abs(file["slip_strike"][:, number - 1])
    last = min(seconds[-1], time[-1])
    broke = np.interp(1e-3, np.maximum.accumulate(rate), time)
    found_broke = np.interp(1e-3, np.maximum.accumulate(found_rate), seconds)
    same = seconds <= last
    shifted = np.interp(seconds[same] - (found_broke - broke), time, rate)
    return {
        "rupture_time": float(found_broke - broke),
        "slip": float(np.interp(last, seconds, found_slip) / np.interp(last, time, slip) - 1.0),
        "peak": float(found_rate.max() / rate.max() - 1.0),
        "rate": float(np.linalg.norm(found_rate[same] - shifted) / np.linalg.norm(shifted)),
    }


def main():
    """See above."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("reference", type=pathlib.Path)
    parser.add_argument(
        "output", type=pathlib.Path, nargs="?", default=pathlib.Path(__file__).parent / "output"
    )
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    found = {"rupture_time": rupture_times(options.reference, options.output)}
    for number, name in ((1, "in-plane"), (2, "antiplane")):
        found[name] = place(options.reference, options.output, number)
    times = found["rupture_time"]
    print(
        f"rupture time   rms {100 * times['rms']:.2f} %, mean {times['mean']:+.3f} s, {100 * times['ruptured']:.1f} % ruptured"
    )
    for name in ("in-plane", "antiplane"):
        one = found[name]
        print(
            f"{name:<14} breaks {one['rupture_time']:+.3f} s, slip {100 * one['slip']:+.1f} %, largest slip rate "
            f"{100 * one['peak']:+.1f} %, slip rate {100 * one['rate']:.1f} % rms after that shift"
        )
    if options.json:
        options.json.write_text(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main()
