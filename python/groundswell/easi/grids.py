"""Grids that models of easi look values up in: those of ASAGI, and stress files of the SCEC/USGS community."""

import numpy as np

from groundswell.easi.points import fail
from groundswell.errors import refuse

SCEC = ("cohesion", "d_c", "forced_rupture_time", "mu_d", "mu_s", "s_dip", "s_normal", "s_strike")
SCEC_COLUMNS = (12, 11, 13, 10, 9, 6, 4, 5)  # of a line, in the order of the names


class Grid:
    """Values on even axes, [point of axis 1][of axis 2]…[column]."""

    def __init__(self, low, high, values):
        self.low, self.high, self.values = np.asarray(low, float), np.asarray(high, float), values
        self.count = np.array(values.shape[:-1])
        self.step = (self.high - self.low) / np.maximum(self.count - 1, 1)

    def inside(self, x):
        return np.all((x >= self.low) & (x <= self.high), axis=1)

    def nearest(self, x):
        index = np.floor(self._scaled(x) + 0.5).astype(int)
        return self.values[tuple(np.clip(index, 0, self.count - 1).T)]

    def linear(self, x):
        scaled = self._scaled(x)
        base = np.minimum(np.floor(scaled).astype(int), np.maximum(self.count - 2, 0))
        weight = scaled - base
        total = 0.0
        for corner in range(1 << len(self.count)):
            upper = np.array([corner >> d & 1 for d in range(len(self.count))])
            share = np.prod(np.where(upper, weight, 1.0 - weight), axis=1)
            at = np.minimum(base + upper, self.count - 1)
            total = total + np.where(share == 0.0, 0.0, share)[:, None] * np.where(
                (share == 0.0)[:, None], 0.0, self.values[tuple(at.T)]
            )
        return total

    def _scaled(self, x):
        return np.where(
            self.step > 0.0,
            (np.clip(x, self.low, self.high) - self.low) / np.where(self.step > 0.0, self.step, 1.0),
            0.0,
        )


def read_asagi(component, path, variable):
    """A grid by the names of its file: the first dimension of easi goes along the last of NetCDF, whatever they are called. Values are
    single, as ASAGI hands them out."""
    import netCDF4

    try:
        file = netCDF4.Dataset(path)
    except OSError as failure:
        refuse(component.at, "file", path, f"a NetCDF file that can be read ({failure.strerror or failure})")
    with file:
        if variable not in file.variables:
            fail(component, f"{path}: var = {variable}", f"one of its variables: {', '.join(file.variables)}")
        field = file.variables[variable]
        axes = []
        for name in field.dimensions:
            if name not in file.variables:
                fail(component, f"{path}: {name}", "a coordinate variable for each dimension")
            axes.append(np.ma.getdata(file.variables[name][:]).astype(float))
        data = np.ma.getdata(field[:])
    members = data.dtype.names
    columns = [data[name] for name in members] if members else [data]
    values = np.stack([np.asarray(one, np.float32).astype(float) for one in columns], axis=-1)
    for d, axis in enumerate(axes):
        if len(axis) > 1 and axis[-1] < axis[0]:
            values, axes[d] = np.flip(values, axis=d), axis[::-1]
        steps = np.diff(axes[d])
        if len(steps) and not np.allclose(steps, steps.mean(), rtol=1e-3):
            fail(
                component,
                f"{path}: {field.dimensions[d]}",
                "evenly spaced values, which are all that ASAGI knows",
            )
    values = values.transpose(*reversed(range(len(axes))), len(axes))
    return Grid([axis[0] for axis in reversed(axes)], [axis[-1] for axis in reversed(axes)], values), members


def read_scec(component, path):
    """A stress file as the description of TPV16 and TPV17 has it (R. A. Harris et al., SCEC/USGS, 2011, part 6)."""
    try:
        with open(path, encoding="utf-8") as source:
            words = [line.split() for line in source if line.strip() and not line.startswith("#")]
    except (OSError, UnicodeDecodeError) as failure:
        refuse(component.at, "file", path, f"a file that can be read ({failure})")
    try:
        along, down = int(words[1][0]), int(words[1][1])
        high = [float(words[1][2]), float(words[1][3])]
        values = np.full((along + 1, down + 1, len(SCEC)), np.nan)
        for row in words[3:]:
            values[int(row[0]), int(row[1])] = [float(row[column]) for column in SCEC_COLUMNS]
    except (IndexError, ValueError) as failure:
        fail(component, path, f"a stress file of the SCEC/USGS community ({failure})")
    if np.isnan(values).any():
        fail(component, path, f"{(along + 1) * (down + 1)} nodes")
    return Grid([0.0, 0.0], high, values)
