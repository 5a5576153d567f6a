#!/usr/bin/env python3
"""Ruptures of the SCEC/USGS community against SeisSol's, on its meshes, at its order and by its rule for steps.

    GROUNDSWELL_TEST_DATA=… build/venv/bin/python tests/validation/tpv.py [NAME[:ORDER[:usual]] ...] → build/validation/tpv: NAME/
    with the run and its pictures, table.json, table.md

Friction is computed as SeisSol does (REFERENCE); with `usual` as it is done here if a case asks for nothing else, but for what versions
of SeisSol differ in (VERSION_OF). Without arguments: all cases, both ways. The points of a face are not the reference's then, up to some 100 m away, and while friction falls a receiver tells the
wave field of its place with the friction of the nearest point; so rupture times are those of the front at the reference's point, and
series on the fault are compared once friction has fallen (USUAL_FROM).

Both are one coarse mesh and far from the limit of fine ones, so like is compared with like. Rupture times are told as
differences in s; slip, largest slip rate, moment and energies relative to the reference; series as relative rms, those on the
fault after the shift in time that fits best, those in the volume relative to the largest component there. Slip, rupture times and
largest rates are those of the nearest point. Exit code 1: a number is beyond its LIMIT. Nothing is done without the data.
"""

import importlib.util
import json
import math
import os
import pathlib
import sys
import time

import conical_points
import numpy as np
import summary
from netCDF4 import Dataset
from study import ROOT, call
from tpv_table import table_of

DATA = pathlib.Path(os.environ.get("GROUNDSWELL_TEST_DATA", "/none")) / "quake"
FOLDER = ROOT / "build/validation/tpv"
sys.path.insert(0, str(ROOT / "python"))
from groundswell.plot.quake.fault_series import Reference, compared  # noqa: E402
from groundswell.plot.quake.receivers import Reference as Seismograms  # noqa: E402
from groundswell.toml_file import tomllib  # noqa: E402

HARD = {"density": 2760.0, "vp": math.sqrt(96120e6 / 2760.0), "vs": math.sqrt(32038.12032e6 / 2760.0)}
# name → mesh, end in s, towards which end of y the + side lies, whether the volume receivers are near enough to see the rupture.
CASES = {
    "tpv5": ("mesh/tpv5-20k.h5", 2.0, -1, True),
    "tpv6": ("mesh/tpv5-20k.h5", 2.0, 1, False),
    "tpv13": ("mesh/tpv12_13_example.puml.h5", 2.0, -1, True),
    "tpv33": ("mesh/tpv33_half_sym", 4.0, 1, True),
    "tpv101": ("mesh/tpv5-20k.h5", 2.0, -1, True),
}
# What a case asks for to do as the SeisSol of its reference did: points of faces, the pressure that strength feels, and how rate and
# state go on.
REFERENCE = ("fault.points=conical", "fault.pressure=full")
REFERENCE_OF = {"tpv101": ("fault.state_evolution=two-stage",)}
# What differs between versions of SeisSol, and rock that yields: asked for in either way. TPV5, 6 and 101 are of a version that dropped
# negative slip, as is usual here.
VERSION_OF = {
    "tpv13": ("plasticity.rock_at=centres", "fault.negative_slip=weakens"),
    "tpv33": ("fault.negative_slip=weakens",),
}
LIMITS = {
    "rupture_time": 0.02,
    "slip": 0.05,
    "peak_slip_rate": 0.15,
    "fault_series": 0.10,
    "volume_series": 0.05,
    "moment": 0.03,
    "energy": 0.03,
}
USUAL_FROM = 1.1  # of the slip distance
FAULT_FIELDS = ("slip_rate_strike", "slip_rate_dip", "traction_strike", "traction_dip", "normal_stress")


def rock_of(name):
    """Settings that make the rock that of the reference, whose input has another density than the community's problem."""
    if name == "tpv5":
        return [f"material.rock.0.{key}={value!r}" for key, value in HARD.items()]
    if name == "tpv6":
        spec = importlib.util.spec_from_file_location("make_rock", ROOT / "cases/quake/tpv6/make_rock.py")
        maker = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(maker)
        maker.SIDES = ((-1e5, *HARD.values()), maker.SIDES[1])
        path = FOLDER / "tpv6-rock.nc"
        maker.write(path)
        return [f"material.rock.0.grid={path}"]
    return []


def points_near(name, order, places):
    """Points at which the reference's receivers tell slip, largest slip rate and rupture time."""
    return conical_points.nearest(DATA / CASES[name][0], order, CASES[name][2], places)


def simulate(name, order, usual):
    """The folder of a run, and its seconds."""
    mesh, end, _, _ = CASES[name]
    output = FOLDER / (name + ("" if order == 6 else f"-order{order}") + ("-usual" if usual else ""))
    case = tomllib.loads((ROOT / f"cases/quake/{name}/case.toml").read_text())
    at = case["output"]["fault_receivers"][0]["at"]
    at += points_near(name, order, at)
    settings = [
        f"output.fault_receivers.0.at={at}",
        f"output.fault_receivers.0.names={json.dumps([str(i + 1) for i in range(len(at))])}",
        f"mesh.file={DATA / mesh}",
        f"time.end={end}s",
        f"solver.order={order}",
        "solver.step_rule=own",
        "solver.scale=1",
        *(() if usual else (*REFERENCE, *REFERENCE_OF.get(name, ()))),
        *VERSION_OF.get(name, ()),
        "output.fault.0.every=1s",
        "output.rupture.moment_of_jump=true",
        *rock_of(name),
    ]
    begin = time.monotonic()
    call(
        *("mpirun", "-n", 2, ROOT / "groundswell", "run", ROOT / f"cases/quake/{name}/case.toml", "--quiet"),
        *("--output", output, "--overwrite"),
        *(word for setting in settings for word in ("--set", setting)),
    )
    return output, time.monotonic() - begin


def place_of(path):
    """x, y and z that a text file of a receiver begins with."""
    lines = path.read_text().splitlines()[:8]
    return [float(line.split()[-1]) for line in lines if line.startswith("# x")]


def nearest(file, place):
    places = np.stack([file[axis][:].filled() for axis in "xyz"], axis=-1)
    away = np.linalg.norm(places - place, axis=1)
    return int(np.argmin(away)), float(away.min())


def front_at(output, place, reach=400.0):
    """When the front came to a place of the fault, s: by the plane in space and time that is nearest to the rupture times around it."""
    with Dataset(output / "fault.nc") as file:
        centres = np.stack([file[f"mesh_face_{axis}"][:].filled() for axis in "xyz"], axis=-1)
        times = file["rupture_time"][-1]
    near = (np.linalg.norm(centres - place, axis=1) < reach) & ~np.ma.getmaskarray(times)
    away = (centres[near] - place) / reach
    along = np.linalg.svd(away - away.mean(axis=0), full_matrices=False)[2][:2]
    unknowns = np.column_stack([np.ones(len(away)), away @ along.T])
    return float(np.linalg.lstsq(unknowns, times[near].filled(), rcond=None)[0][0])


def slip_distance(name):
    """Over how much slip friction of a case falls at most, m. With rate and state that is L ln(V / V_initial) until a slip rate V (A.
    Bizzarri and M. Cocco 2003, doi:10.1029/2002JB002198), 1 m/s here."""
    case = tomllib.loads((ROOT / f"cases/quake/{name}/case.toml").read_text())
    return max(
        one["slip_distance"]
        if "slip_distance" in one
        else one.get("state_distance", 0.0) * math.log(1.0 / one.get("initial_slip_rate", 1.0))
        for one in case["fault"]["set"]
    )


def on_the_fault(name, order, output, usual):
    """By receiver of the reference: how far from it."""
    found = []
    fallen = USUAL_FROM * slip_distance(name) if usual else 0.0
    with Dataset(output / "fault-receivers.nc") as file:
        seconds = file["time"][:].filled()
        for path in sorted((DATA / name / "reference").glob("*-faultreceiver-*.dat")):
            station, away = nearest(file, place_of(path))
            if away > 1.0:
                sys.exit(f"tpv.py: error: {path}: {away:.4g} m from any receiver of the case")
            reference = Reference(path)
            one = {"id": path.stem.split("-")[-2], "place": place_of(path)}
            there = nearest(file, points_near(name, order, [one["place"]])[0])[0]
            mine, of_point = (
                {
                    key: file[key][:, at].filled().astype(float)
                    for key in file.variables
                    if file[key].dimensions == ("time", "station")
                }
                for at in (station, there)
            )
            theirs = np.hypot(reference.values["slip_rate_strike"], reference.values["slip_rate_dip"])
            rate = np.hypot(mine["slip_rate_strike"], mine["slip_rate_dip"])
            # Of the nearest point, as both tell it; where the reference does not, by the rate at the place.
            both = ((rate, seconds), (theirs, reference.time))
            broke = [np.interp(1e-3, np.maximum.accumulate(series), at) for series, at in both]
            if "rupture_time" in reference.values:
                broke = [of_point["rupture_time"][-1], reference.values["rupture_time"][-1]]
            if usual:
                broke[0] = front_at(output, points_near(name, order, [one["place"]])[0])
            one["rupture_time"] = float(broke[0] - broke[1])
            peaks = [rate.max(), theirs.max()]
            if "peak_slip_rate" in reference.values:
                peaks = [values["peak_slip_rate"][-1] for values in (of_point, reference.values)]
            one["peak_slip_rate"] = float(peaks[0] / peaks[1] - 1.0)
            last = min(seconds[-1], reference.time[-1])
            one["slip"] = None
            if "slip_strike" in reference.values:
                slips = [
                    np.hypot(*(np.interp(last, at, series[key]) for key in ("slip_strike", "slip_dip")))
                    for at, series in ((seconds, of_point), (reference.time, reference.values))
                ]
                one["slip"] = float(slips[0] / slips[1] - 1.0)
            # Series of both directions together, after one shift: that of the slip rate.
            shift = compared(seconds, rate, (reference.time, theirs))["late"]
            inside = (
                (seconds + shift >= seconds[0])
                & (seconds + shift <= seconds[-1])
                & (seconds <= reference.time[-1])
            )
            if fallen:
                inside &= np.hypot(mine["slip_strike"], mine["slip_dip"]) >= fallen
            for kind, keys in (("slip_rate", FAULT_FIELDS[:2]), ("traction", FAULT_FIELDS[2:])):
                off = size = 0.0
                for key in keys:
                    if key not in reference.values:
                        continue
                    theirs_at = np.interp(seconds[inside], reference.time, reference.values[key])
                    mine_at = np.interp(seconds[inside] + shift, seconds, mine[key])
                    off += np.sum((mine_at - theirs_at) ** 2)
                    size += np.sum(theirs_at**2)
                one[kind] = float(np.sqrt(off / size)) if size > 0 else None
            one["fault_series"] = max(one["slip_rate"], one["traction"] or 0.0)
            found.append(one)
    return found


def in_the_volume(name, output):
    found = []
    with Dataset(output / "receivers.nc") as file:
        seconds = file["time"][:].filled()
        for path in sorted((DATA / name / "reference").glob("*-receiver-*.dat")):
            station, away = nearest(file, place_of(path))
            if away > 1.0:
                sys.exit(f"tpv.py: error: {path}: {away:.4g} m from any receiver of the case")
            reference = Seismograms(path).only
            inside = seconds <= reference.time[-1]
            series = {
                key: (
                    file[key][inside, station].filled().astype(float),
                    np.interp(seconds[inside], reference.time, reference.values[key]),
                )
                for key in ("vx", "vy", "vz")
            }
            largest = max(np.linalg.norm(theirs) for _, theirs in series.values())
            worst = max(np.linalg.norm(mine - theirs) for mine, theirs in series.values())
            found.append(
                {
                    "id": path.stem.split("-")[-2],
                    "place": place_of(path),
                    "volume_series": float(worst / largest),
                }
            )
    return found


def energies_of(path):
    """{name: (times, values)} of a table of energies, by column or by row."""
    rows = [line.split(",") for line in path.read_text().split()]
    if rows[0][1:] == ["variable", "measurement"]:
        table = {}
        for at, name, value in rows[1:]:
            table.setdefault(name, []).append((float(at), float(value)))
        return {name: np.array(values).T for name, values in table.items()}
    columns = np.array(rows[1:], float).T
    return {name: np.stack([columns[0], values]) for name, values in zip(rows[0][1:], columns[1:])}


def sums(name, output, end):
    """Relative differences of energies and moments at whole seconds, by the reference's names for what is the same here. Its
    moment and its work are by the jump of velocity between polynomials; `moment` along the stress and `released_work`, by the slip that
    friction allows, stand beside them unjudged."""
    (path,) = (DATA / name / "reference").glob("*energy.csv")
    theirs, found = energies_of(path), []
    with Dataset(output / "energy.nc") as waves, Dataset(output / "rupture.nc") as rupture:
        mine = {
            "elastic_energy": (waves["time"][:], waves["elastic"][:]),
            "elastic_kinetic_energy": (waves["time"][:], waves["kinetic"][:]),
            "total_frictional_work": (rupture["time"][:], rupture["released_work"][:]),
            "seismic_moment": (rupture["time"][:], rupture["moment_of_jump"][:]),
            "moment": (rupture["time"][:], rupture["moment"][:]),
        }
    theirs["moment"] = theirs["seismic_moment"]
    for second in np.arange(1.0, end + 0.5):
        one = {"time": float(second)}
        for key, (at, values) in mine.items():
            reference = np.interp(second, *theirs[key])
            one[key] = float(np.interp(second, at, values) / reference - 1.0) if reference > 0 else None
        found.append(one)
    return found


def pictures(name, output):
    """Front over the reference's, slip at the places of the fault."""
    front = DATA / name / "reference/tpv-RF-00000-TID-00.dat"
    beside = ["--reference", front] if front.exists() else []
    plot = (ROOT / "groundswell", "plot")
    slip = [*plot, "fault", output / "fault.nc", "--field", "slip", *beside, "--output", output / "slip.png"]
    call(*slip, "--json", output / "front.json", "--quiet")
    call(*plot, "rupture", output / "rupture.nc", "--output", output / "rupture.png", "--quiet")
    with Dataset(output / "fault-receivers.nc") as file:
        for path in sorted((DATA / name / "reference").glob("*-faultreceiver-*.dat")):
            station = nearest(file, place_of(path))[0] + 1
            call(*plot, "slip", output / "fault-receivers.nc", "--station", station, "--reference", path,
                 "--output", output / f"place-{station}.png", "--quiet")  # fmt: skip
    return json.loads((output / "front.json").read_text())["result"].get("rupture_time_difference")


def growth_of(output):
    """Energy of waves and strain in the end over its largest value before."""
    with Dataset(output / "energy.nc") as file:
        energy = file["kinetic"][:].filled() + file["elastic"][:].filled()
    return float(energy[-1] / energy[:-1].max())


def run_long():
    """TPV33 to the end by the usual rule for steps, on the mesh on which the published run blows up after 4 s."""
    output = FOLDER / "tpv33-long"
    call(
        *("mpirun", "-n", 2, ROOT / "groundswell", "run", ROOT / "cases/quake/tpv33/case.toml", "--quiet"),
        *("--output", output, "--overwrite", "--set", f"mesh.file={DATA / CASES['tpv33'][0]}"),
        *("--set", "time.end=12s", "--set", "solver.order=6"),
    )
    growth = growth_of(output)
    print(
        f"TPV33 for 12 s by the usual rule for steps: energy in the end {growth:.3f} of its largest",
        flush=True,
    )
    scores = [("energy in the end over its largest", growth, 1.0)]
    summary.record("quake", [summary.case("tpv33 for 12 s", scores, "energy that leaves does not come back")])
    return growth <= 1.0


def scores_of(row):
    """All numbers that are judged: (what, number, limit to either side)."""
    scores = []
    for one in row["fault"]:
        for key in ("rupture_time", "slip", "peak_slip_rate", "fault_series"):
            if one[key] is not None:
                scores.append((f"{key} at {one['id']}", one[key], LIMITS[key]))
    for one in row["volume"] if CASES[row["name"]][3] else []:
        scores.append((f"volume at {one['id']}", one["volume_series"], LIMITS["volume_series"]))
    for one in row["sums"]:
        limits = {"elastic_energy": "energy", "elastic_kinetic_energy": "energy", "seismic_moment": "moment"}
        for key, limit in limits.items():
            if one[key] is not None:
                scores.append((f"{key} at {one['time']:g} s", one[key], LIMITS[limit]))
    return scores


def main():
    """See above."""
    if not DATA.is_dir():
        print("tpv.py: GROUNDSWELL_TEST_DATA has no references of ruptures: nothing to do")
        return 0
    FOLDER.mkdir(parents=True, exist_ok=True)
    rows, failed = [], False
    for word in sys.argv[1:] or [*CASES, *(f"{name}:6:usual" for name in CASES)]:
        name, order, usual = (word.split(":") + ["", ""])[:3]
        usual = usual == "usual"
        output, seconds = simulate(name, int(order or 6), usual)
        report = json.loads((output / "run.json").read_text())["result"]
        row = {
            "name": name,
            "order": int(order or 6),
            "usual": usual,
            "seconds": seconds,
            "step": report["clusters"][0]["step_seconds"],
            "clusters": [one["elements"] for one in report["clusters"]],
            "front": pictures(name, output),
            "fault": on_the_fault(name, int(order or 6), output, usual),
            "volume": in_the_volume(name, output),
            "sums": sums(name, output, CASES[name][1]),
            "sees_rupture": CASES[name][3],
        }
        rows.append(row)
        print(table_of([row]), flush=True)
        scores = scores_of(row)
        title = f"{name}, order {row['order']}" + (", by default settings" if usual else "")
        summary.record("quake", [summary.case(title, scores, "SeisSol on this mesh")])
        for what, number, limit in scores:
            if abs(number) <= limit:
                continue
            failed = True
            print(
                f"tpv.py: {name}: {what} is {number:.4g}: expected at most {limit:g} either way", flush=True
            )
    if not sys.argv[1:]:
        failed |= not run_long()
    (FOLDER / "table.json").write_text(json.dumps(rows, indent=1))
    (FOLDER / "table.md").write_text(table_of(rows))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
