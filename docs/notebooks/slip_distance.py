# %% [markdown]
# # How the slip-weakening distance decides whether a fault breaks
#
# Over the distance $D_c$ friction on a fault falls from its static to its dynamic value (Andrews 1976, Journal of Geophysical Research
# 81). A patch that breaks must be larger than a length that grows with $D_c$ for the rupture to leave it: for a small $D_c$ the whole
# fault goes, for a large one the rupture dies. The same fault, four distances, one run for each.

# %%
import pathlib
import subprocess

import xarray

from groundswell import lab

folder = pathlib.Path("slip-distance")
folder.mkdir(exist_ok=True)

# %% [markdown]
# A fault of 5 km × 3 km in a box of uniform rock. The mesh is coarse, so that all of it takes a minute on one core.

# %%
MESH = """
model = "quake"
region = { x = [-4e3, 4e3], y = [-3e3, 3e3], depth = 6e3 }
size = { coarsest = 2000.0 }
[[layer]]
[[fault]]
trace = [[-2500.0, 0.0], [2500.0, 0.0]]
bottom = 3e3
size = 800.0
"""
CASE = """
model = "quake"
title = "A fault that breaks from a patch in its middle"
[time]
end = "1.5s"
[mesh]
file = "mesh.msh"
[solver]
order = 3
[material]
rock = [{ density = 2700.0, vp = 6000.0, vs = 3464.0 }]
[fault]
law = "linear-slip-weakening"
plus_side = [0.0, -1e5, 0.0]
[[fault.set]]
static_friction = 0.677
dynamic_friction = 0.525
slip_distance = 0.1
stress = { yy = -120e6, xy = 70e6 }
[[fault.set]]
box = { x = [-800.0, 800.0], z = [-2300.0, -700.0] }
stress = { xy = 82e6 }
[[output.fault]]
file = "fault.nc"
every = "0.5s"
fields = ["slip", "rupture_time"]
"""
if lab.world().rank == 0:
    (folder / "mesh.toml").write_text(MESH)
    (folder / "case.toml").write_text(CASE)
    request = [folder / "mesh.toml", "--output", folder / "mesh.msh", "--overwrite"]
    subprocess.run(["groundswell", "mesh", "make", *map(str, request)], check=True)
lab.world().reduce(0)  # the others wait for the files

# %% [markdown]
# `study` runs the case once for each of the settings, in folders 000, 001 …, and keeps what `measure` gives: here the seconds simulated.

# %%
distances = [0.05, 0.1, 0.4, 1.6]
case = lab.Case(folder / "case.toml")
settings = [{"fault.set.0.slip_distance": distance} for distance in distances]
seconds = lab.study(case, settings, lambda simulation: simulation.now().seconds, output=folder / "runs")

# %% [markdown]
# The share of the fault that has broken, and the mean slip.

# %%
if lab.world().rank == 0:
    for number, distance in enumerate(distances):
        fault = xarray.open_dataset(folder / f"runs/{number:03d}/fault.nc")
        last = fault.isel(time=-1)
        broken = (last["rupture_time"].fillna(-1) >= 0).mean().item()
        slip = last["slip"].mean().item()
        print(
            f"D_c = {distance} m: {100 * broken:3.0f} % of the fault broken after {seconds[number]:.1f} s, mean slip {slip:.2f} m"
        )
