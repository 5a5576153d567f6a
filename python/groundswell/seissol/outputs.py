"""Outputs of SeisSol as streams of a case, and those that have no counterpart."""

import numpy as np

from groundswell.errors import refuse
from groundswell.seissol.fault import heats, slip_weakens, weakening_ends
from groundswell.whole_files import write_text

WAVES = ("sxx", "syy", "szz", "sxy", "syz", "sxz", "vx", "vy", "vz")
# Groups of the mask of fault outputs, from 1.
FAULT = {
    1: ("slip_rate_strike", "slip_rate_dip"), 2: ("traction_strike_change", "traction_dip_change", "normal_stress_change"),
    3: ("normal_velocity",), 4: ("friction", "state"), 5: ("traction_strike", "traction_dip", "normal_stress"),
    6: ("slip_strike", "slip_dip"), 7: ("rupture_velocity",), 8: ("slip",), 9: ("peak_slip_rate",), 10: ("rupture_time",),
    11: ("weakening_time",), 12: ("pore_pressure_change", "temperature_change"),
}  # fmt: skip
USUAL_MASK = "1 1 1 1 1 1 0 0 0 0 0 0"
VERY_LONG = 1e30


def duration(seconds):
    return f"{seconds!r}s"


def read_places(path, at):
    """Rows of x, y and z of a list of receivers."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as failure:
        refuse(
            at, path, None, f"a list of receivers that can be read ({getattr(failure, 'strerror', failure)})"
        )
    places = []
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            x, y, z = (
                float(word.replace("d", "e").replace("D", "e")) for word in line.replace(",", " ").split()[:3]
            )
        except ValueError:
            refuse(f"{path}:{number}", None, None, f"x, y and z of a receiver, not {line.strip()}")
        places.append((x, y, z))
    if not places:
        refuse(path, None, None, "one receiver or more")
    return np.array(places)


def _write_list(case, folder, name, places):
    write_text(folder / name, "".join(f"{x!r} {y!r} {z!r}\n" for x, y, z in places.tolist()))
    return name


def receivers(case, output, folder):
    path = output.path("rfilename")
    if path is None or not output.flag("receiveroutput", True):
        return
    every = output.number("pickdt", 0.0)
    places = read_places(path, output.at("rfilename"))
    entry = case.entry("output.receivers")
    entry["file"], entry["every"] = "receivers.nc", duration(every if every > 0.0 else 0.005)
    entry["stations"] = _write_list(case, folder, "receivers.dat", places)
    entry["fields"] = list(WAVES)
    for key, what in (
        ("receivercomputerotation", "rotation at receivers"),
        ("receivercomputestrain", "strain at receivers"),
    ):
        if output.flag(key):
            case.lose(output, key, what)


def fault_places(rupture, pickpoint):
    """Places of the fault's receivers, none where there is no such output."""
    kind = rupture.one_of("outputpointtype", 0, {0: "", 3: "points", 4: "map", 5: "both"})
    path = pickpoint.path("ppfilename")
    if kind not in ("points", "both") or path is None:
        return np.empty((0, 3))
    return read_places(path, pickpoint.at("ppfilename"))


def _fault_fields(group, lacking):
    chosen = (FAULT[number] for number in group.mask("outputmask", USUAL_MASK, 12))
    return [name for names in chosen for name in names if name not in lacking]


def faults(case, rupture, elementwise, pickpoint, places, law, every, folder):
    kind = rupture.one_of("outputpointtype", 0, {0: "", 3: "points", 4: "map", 5: "both"})
    lacking = ("state",) if slip_weakens(law) else ()
    if not weakening_ends(law):
        lacking += FAULT[11]
    if not heats(rupture, law):
        lacking += FAULT[12]
    if kind in ("map", "both"):
        entry = case.entry("output.fault")
        entry["file"], entry["every"] = "fault.nc", duration(elementwise.number("printtimeinterval_sec", 1.0))
        entry["fields"] = _fault_fields(elementwise, lacking)
        entry["refine"] = (
            int(elementwise.number("refinement", 0))
            if elementwise.number("refinement_strategy", 2) != 0
            else 0
        )
    if len(places):
        entry = case.entry("output.fault_receivers")
        entry["file"], entry["every"] = "fault-receivers.nc", duration(every)
        entry["stations"] = _write_list(case, folder, "fault-receivers.dat", places)
        entry["fields"] = _fault_fields(pickpoint, lacking)
        case.remark("fault receivers have a record every pickdt, not one for so many steps")


def waves(case, output, has_fault, plastic, has_sea):
    """Volume, surface, energies, restarts."""
    volume = output.flag("wavefieldoutput", True) and output.one_of(
        "format", 10, {10: False, 6: True, 5: False}
    )
    if not volume and output.has("wavefieldoutput") and not output.has("format"):
        volume = output.flag("wavefieldoutput")
    interval = output.number("timeinterval", VERY_LONG)
    if volume and 0.0 < interval < VERY_LONG:
        entry = case.entry("output.volume")
        entry["file"], entry["every"] = "volume.nc", duration(interval)
        chosen = output.mask("ioutputmask", "0 0 0 0 0 0 1 1 1", 9)
        entry["fields"] = [WAVES[number - 1] for number in chosen]
        mask = output.mask("iplasticitymask", "0 0 0 0 0 0 1", 7)
        if plastic and 7 in mask:
            entry["fields"].append("plastic_strain")
        if plastic and any(number < 7 for number in mask):
            case.lose(output, "iplasticitymask", "components of plastic strain")
        entry["refine"] = {0: 0, 1: 1, 2: 1, 3: 2}.get(int(output.number("refinement", 0)), 0)
        bounds = output.text("outputregionbounds")
        if bounds:
            numbers = [float(word) for word in bounds.strip("[]").replace(",", " ").split()]
            if len(numbers) == 6 and all(numbers):
                entry["box"] = {axis: numbers[2 * i : 2 * i + 2] for i, axis in enumerate("xyz")}
        for key, what in (
            ("outputgroups", "the wave field of some groups alone"),
            ("integrationmask", "integrals of the wave field"),
        ):
            if output.has(key) and any(word not in "0,[] " for word in str(output.values[key])):
                case.lose(output, key, what)
    if output.flag("surfaceoutput"):
        interval = output.number("surfaceoutputinterval", VERY_LONG)
        if 0.0 < interval < VERY_LONG:
            entry = case.entry("output.surface")
            entry["file"], entry["every"] = "surface.nc", duration(interval)
            entry["refine"] = int(output.number("surfaceoutputrefinement", 0))
            if has_sea:
                entry["fields"] = ["vx", "vy", "vz", "eta"]
            case.lose(output, "surfaceoutput", "displacement of the surface (u1, u2, u3)")
    if output.flag("energyoutput"):
        interval = output.number("energyoutputinterval", VERY_LONG)
        if 0.0 < interval < VERY_LONG:
            case.table("output.energies").update({"file": "energy.nc", "every": duration(interval)})
            if has_fault:
                series = {"file": "rupture.nc", "every": duration(interval)}
                if output.flag("faultenergiesfromacrossfaultvelocities"):
                    series["moment_of_jump"] = True
                case.table("output.rupture").update(series)
    if output.flag("checkpoint", True) and output.number("checkpointinterval", 0.0) > 0.0:
        case.table("output.restart")["every"] = duration(output.number("checkpointinterval"))
