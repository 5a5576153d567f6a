"""Receivers on faults, and energies of a run, in the text forms of SeisSol: `PREFIX-faultreceiver-00001-00000.dat` and
`PREFIX-energy.csv`, columns under its names where the meaning is the same."""

import csv

import numpy as np

from groundswell.errors import refuse
from groundswell.plot import source as reading
from groundswell.plot.quake.fault_series import SEISSOL
from groundswell.whole_files import written_beside

# In its order; P_f and Tmp are changes here.
ORDER = ("SRs", "SRd", "T_s", "T_d", "P_n", "u_n", "Mud", "StV", "Ts0", "Td0", "Pn0", "Sls", "Sld", "Vr", "ASl", "PSR", "RT", "DS")  # fmt: skip
LATER = ("rupture_time", "weakening_time", "rupture_velocity", "state")  # missing until there are such
ENERGIES = {
    "gravitational_energy": "sea_surface",
    "elastic_energy": "elastic",
    "elastic_kinetic_energy": "kinetic",
}
RUPTURE = {"total_frictional_work": ("released_work",), "seismic_moment": ("moment_of_jump", "moment")}


def kind_of(path):
    """ "receivers", "faults" or "energies", by the variables of a file."""
    with reading.opened(path, ("time",), "a file of receivers or energies of an earthquake") as source:
        names = set(source.variables)
    if {"kinetic", "elastic"} <= names:
        return "energies"
    return "faults" if names & set(SEISSOL.values()) and "station_name" in names else "receivers"


def fault_names(stations, prefix):
    return [f"{prefix}-faultreceiver-{number:05d}-00000.dat" for number in range(1, stations + 1)]


def require_numbers(path, time, names, own, values):
    """Refuses a run that broke."""
    broken = ~np.isfinite(values)
    if own in LATER or not broken.any():
        return
    column = int(np.argmax(broken.any(axis=0)))
    when = time[np.argmax(broken[:, column])]
    refuse(path, own, f"not a number at {names[column]} from {when:g} s on", "finite numbers")


def fault_columns(path):
    """[(its name, variable)] that the file has."""
    with reading.opened(path, (), "") as source:
        return [(name, SEISSOL[name]) for name in ORDER if SEISSOL[name] in source.variables]


def write_fault(path, number, place, time, columns):
    """One receiver; columns [(name, series)], 0 where something is not known yet, as its files have it."""
    table = np.column_stack([time, *(np.nan_to_num(np.asarray(values, float)) for _, values in columns)])
    names = " ,".join(f'"{name}"' for name in ("Time", *(name for name, _ in columns)))
    with written_beside(path) as partial, open(partial, "w", encoding="ascii") as out:
        out.write(f'TITLE = "Temporal Signal for fault receiver number {number}"\nVARIABLES = {names}\n')
        for axis, value in enumerate(place, 1):
            out.write(f"# x{axis}\t{value:.16e}\n")
        np.savetxt(out, table, fmt="%.16e", delimiter="\t")


def energies(path, rupture=None):
    """(times, {its name: series}) of a file of energies, and of one of `[output.rupture]` with the same times."""
    with reading.opened(path, ("time", "kinetic", "elastic"), "energies") as source:
        time = reading.values(source.variables["time"])
        found = {
            name: reading.values(source.variables[own])
            for name, own in ENERGIES.items()
            if own in source.variables
        }
    if rupture is None:
        return time, found
    with reading.opened(
        rupture, ("time", "moment", "released_work"), "the series of [output.rupture]"
    ) as source:
        times = reading.values(source.variables["time"])
        at = np.searchsorted(times, time - 1e-9 * max(1.0, abs(time[-1])))
        lost = (at >= len(times)) | (np.abs(times[np.minimum(at, len(times) - 1)] - time) > 1e-6)
        if lost.any():
            refuse(
                rupture, "time", f"no record at {time[np.argmax(lost)]:g} s", f"one at each time of {path}"
            )
        for name, owns in RUPTURE.items():
            own = next(own for own in owns if own in source.variables)
            found[name] = reading.values(source.variables[own])[at]
    return time, found


def write_energies(path, time, found):
    """Row by row, as its files since 2023: time, variable, measurement."""
    with written_beside(path) as partial, open(partial, "w", encoding="ascii", newline="") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["time", "variable", "measurement"])
        for k, seconds in enumerate(time):
            for name, series in found.items():
                writer.writerow([repr(float(seconds)), name, repr(float(series[k]))])
