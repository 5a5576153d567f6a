"""Kinematic sources in NRF, SeisSol's binary form of a rupture, as point sources in its text form (FSRM), which a case reads.

A subfault slips along two directions in its plane and along its normal. Slip along the first is the moment μ A (t ⊗ n + n ⊗ t) of its
rate; the text form turns one tensor by three angles for each point, so that each direction of slip becomes a file."""

import math
import warnings

import numpy as np

from groundswell.errors import refuse
from groundswell.whole_files import write_text

NAMES = ("centres", "subfaults", "sroffsets", "sliprates1", "sliprates2", "sliprates3")


def read(path, at):
    """Subfaults as a table of their members; centres [subfault][3]; rates [direction][subfault], m/s."""
    import netCDF4

    try:
        with warnings.catch_warnings():  # of attributes with texts, units for people
            warnings.simplefilter("ignore", UserWarning)
            file = netCDF4.Dataset(path)
    except OSError as failure:
        refuse(at, "FileName", path, f"a NetCDF file in NRF that can be read ({failure.strerror or failure})")
    with file:
        for name in NAMES:
            if name not in file.variables:
                refuse(path, name, None, f"the variables of NRF: {', '.join(NAMES)}")
        centres, subfaults, offsets, *rates = (np.ma.getdata(file.variables[name][:]) for name in NAMES)
    centres = np.stack([centres[axis] for axis in "xyz"], axis=-1)
    vectors = {
        name: np.stack([subfaults[name][axis] for axis in "xyz"], axis=-1)
        for name in ("tan1", "tan2", "normal")
    }
    table = {
        name: np.asarray(subfaults[name], float) for name in ("tinit", "timestep", "mu", "area")
    } | vectors
    offsets = offsets.astype(np.int64)
    series = [[rates[d][offsets[i, d] : offsets[i + 1, d]] for i in range(len(centres))] for d in range(3)]
    return centres, table, series


def angles_of(axes):
    """Strike, dip and rake, degrees, with which FSRM turns its tensor so that its axes are these columns: slip, across it, normal."""
    dip = math.acos(max(-1.0, min(1.0, axes[2, 2])))
    if abs(math.sin(dip)) < 1e-12:
        turn = math.atan2(-axes[0, 1], axes[0, 0])
        return 0.0, math.degrees(dip), math.degrees(turn)
    strike = math.atan2(axes[0, 2], axes[1, 2])
    rake = math.atan2(-axes[2, 0], -axes[2, 1])
    return tuple(math.degrees(angle) for angle in (strike, dip, rake))


def _require_inside(path, centres, mesh):
    low, high = mesh.extent()
    outside = np.any((centres < low) | (centres > high), axis=1)
    if not outside.any():
        return
    index = int(np.argmax(outside))
    where = ", ".join(f"{value:.6g}" for value in centres[index])
    box = ", ".join(f"{a:.6g} to {b:.6g}" for a, b in zip(low, high))
    refuse(
        path, f"centres({index})", f"({where}) m",
        f"places in the mesh ({box} m), {int(outside.sum())} of {len(outside)} lie outside: "
        "subfaults have to be in the projection and the units of the mesh",
    )  # fmt: skip


def convert(path, at, mesh, modulus_at, folder):
    """Writes files for the directions in which something slips, one for each interval and number of samples; their names."""
    centres, table, series = read(path, at)
    _require_inside(path, centres, mesh)
    groups = {}
    for i in range(len(centres)):
        for direction in range(3):
            rates = series[direction][i]
            if not np.any(rates):
                continue
            if direction == 2:
                refuse(
                    path,
                    f"sliprates3 of subfault {i}",
                    None,
                    "no opening: the text form has no tensor for it in any rock",
                )
            n, t = table["normal"][i], table[f"tan{direction + 1}"][i]
            axes = np.stack([t, np.cross(n, t), n], axis=-1)
            if not np.allclose(axes.T @ axes, np.eye(3), atol=1e-5):
                refuse(
                    path,
                    f"subfaults({i})",
                    None,
                    "tan1, tan2 and normal of length 1, at right angles to each other",
                )
            modulus = (
                table["mu"][i]
                if table["mu"][i] > 0.0
                else modulus_at(centres[i], t, n, f"{path}: subfaults({i}).mu")
            )
            row = (*centres[i], *angles_of(axes), modulus * table["area"][i], table["tinit"][i])
            groups.setdefault((float(table["timestep"][i]), len(rates)), []).append((row, rates))
    if not groups:
        refuse(path, "sliprates1", None, "slip rates that are not all 0")
    names = []
    for number, ((interval, count), members) in enumerate(sorted(groups.items()), 1):
        if count == 1:  # one sample is 0 before and after
            count, members = 2, [(row, np.append(rates, 0.0)) for row, rates in members]
        lines = [
            "Moment tensor of slip along the first axis, with the sign of FSRM",
            "0 0 -1",
            "0 0 0",
            "-1 0 0",
        ]
        lines += ["Number of points", str(len(members)), "x y z strike dip rake area onset"]
        lines += [" ".join(repr(float(value)) for value in row) for row, _ in members]
        lines += ["interval and number of samples", f"{interval!r} {count}", "samples"]
        for _, rates in members:
            lines += [repr(float(rate)) for rate in rates]
        names.append("source.dat" if len(groups) == 1 else f"source-{number}.dat")
        target = folder / names[-1]
        write_text(target, "\n".join(lines) + "\n")
    return names
