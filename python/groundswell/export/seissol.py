"""Receivers in the text form of SeisSol: one file each, `PREFIX-receiver-00001-00000.dat`, numbers as its own."""

import numpy as np

from groundswell.plot.quake.receivers import STRESS, VELOCITY
from groundswell.whole_files import written_beside

# Its names since 2023, in its order; those of 2022 are xx … xz and u, v, w.
COLUMNS = {**{name: "s_" + name[1:] for name in STRESS}, **dict(zip(VELOCITY, ("v1", "v2", "v3")))}


def file_names(stations, prefix):
    """[name] of the files of so many stations."""
    return [f"{prefix}-receiver-{number:05d}-00000.dat" for number in range(1, stations + 1)]


def write(path, number, station, time):
    """One receiver: x1, x2, x3 are east, north, up in m; s, Pa and m/s."""
    there = [name for name in COLUMNS if name in station.series]
    table = np.column_stack([time, *(np.asarray(station.series[name], float) for name in there)])
    names = ",".join(f'"{name}"' for name in ("Time", *(COLUMNS[name] for name in there)))
    with written_beside(path) as partial, open(partial, "w", encoding="ascii") as out:
        out.write(f'TITLE = "Temporal Signal for receiver number {number:05d}"\nVARIABLES = {names}\n')
        for axis, value in enumerate(station.place, 1):
            out.write(f"# x{axis}       {value:.12e}\n")
        np.savetxt(out, table, fmt="  %.15e", delimiter="")
