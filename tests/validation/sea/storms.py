"""What is judged of the sea of a storm, from `u10`, `v10`, `ustar` and `hs` of a map; slices are of its records."""

import numpy as np


def wind_speed(data):
    return np.hypot(data["u10"], data["v10"])


def highest(data, when):
    """Hs (m) of the highest cell, its record, and its longitude and latitude (degrees)."""
    hs = data["hs"][when]
    record, cell = np.unravel_index(hs.argmax(), hs.shape)
    first = when.indices(len(data["hs"]))[0]
    return hs[record, cell], first + record, data["mesh_face_lon"][cell], data["mesh_face_lat"][cell]


def mean_drag(data, when):
    """Drag coefficient, 10⁻³, where the wind is above 25 m/s."""
    wind = wind_speed(data)[when]
    return 1e3 * np.mean((data["ustar"][when][wind > 25] / wind[wind > 25]) ** 2)
