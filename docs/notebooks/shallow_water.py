"""Waves in a square sea whose edges meet: the linear shallow-water equations in NumPy, on Groundswell's halo exchange and output.

    mpirun -n 4 python shallow_water.py waves.nc

h_t = -H (u_x + v_y), u_t = -g h_x, v_t = -g h_y on a C grid, in turns forward in time (Mesinger and Arakawa 1976, GARP Publications
Series 17, chapter IV). A standing wave h = cos(kx) cos(my) cos(ωt) stays one, with
sin(ω Δt / 2) = √(gH) Δt/Δx √(sin²(k Δx / 2) + sin²(m Δx / 2)): the program holds itself to that.
"""

import sys

import numpy as np

from groundswell import lab

N, STEPS, RECORD_EVERY = 120, 200, 50
G, H, DX = 9.81, 40.0, 500.0  # m s⁻², m, m
DT = 0.5 * DX / np.sqrt(G * H)

# %% The rows of the grid that are this rank's, and the two beside them that it needs.
ranks = lab.world()
begin, end = ranks.share(N)
owned = np.arange(begin * N, end * N)
row = np.arange(N)
halo = lab.Halo(owned, np.concatenate([(begin - 1) % N * N + row, end % N * N + row]))
h, u, v = (halo.zeros() for _ in range(3))


def rows(field):
    """Of a field: the owned rows, the one south of each, and the one north of each."""
    mine, south, north = np.split(field.reshape(-1, N), [end - begin, end - begin + 1])
    return mine, np.vstack([south, mine[:-1]]), np.vstack([mine[1:], north])


def slopes():
    """Of h, at the western and southern faces of the owned cells."""
    mine, south, _ = rows(h)
    return (mine - np.roll(mine, 1, axis=1)) / DX, (mine - south) / DX


# %% A standing wave. The currents stand half a step before it.
k, m = 2 * np.pi * 3 / (N * DX), 2 * np.pi * 2 / (N * DX)
shape = np.cos(k * DX * row) * np.cos(m * DX * np.arange(begin, end))[:, None]
rows(h)[0][:] = shape
halo.exchange(h)
for current, slope in zip((u, v), slopes()):
    rows(current)[0][:] = 0.5 * G * DT * slope
omega = 2 / DT * np.arcsin(np.sqrt(G * H) * DT / DX * np.hypot(np.sin(k * DX / 2), np.sin(m * DX / 2)))

# %% The run: each rank hands its cells over, and goes on while they are written.
with lab.Output() as output:
    file = lab.File(output, sys.argv[1], owned, N * N, {"h": {"units": "m", "long_name": "water level"}})
    for step in range(STEPS + 1):
        if step % RECORD_EVERY == 0:
            file.record(step * DT, h=h[: owned.size])
        halo.exchange(h)
        for current, slope in zip((u, v), slopes()):
            rows(current)[0][:] -= G * DT * slope
        halo.exchange(u, v)
        east = np.roll(rows(u)[0], -1, axis=1)
        rows(h)[0][:] -= H * DT / DX * (east - rows(u)[0] + rows(v)[2] - rows(v)[0])
    file.close()

# %% What it is worth.
error = ranks.reduce(np.abs(rows(h)[0] - np.cos(omega * (STEPS + 1) * DT) * shape).max())
if ranks.rank == 0:
    print(f"after {STEPS + 1} steps the largest error is {error:.1e} m, by {halo.costs()[0]['transport']}")
halo.close()
sys.exit(error > 1e-11)
