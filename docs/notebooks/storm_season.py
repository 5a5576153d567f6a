# %% [markdown]
# # A storm season
#
# What does a coast meet in a season of storms? Five storms cross the South China Sea, each a vortex that this notebook computes in
# NumPy and hands to the model as its wind. One run for each storm; then the highest waves of the season in every cell.
#
# The sea floor is that of `cases/yagi`; cells are coarse and spectra small, so that all of it takes a minute on one core;
# files come into the folder `storm-season`.

# %%
import pathlib
import subprocess

import numpy as np
import xarray

from groundswell import lab
from groundswell.demo_cli import folder_of_cases

folder = pathlib.Path("storm-season")
folder.mkdir(exist_ok=True)
bathymetry = folder_of_cases() / "yagi/etopo5_yagi.nc"

# %% [markdown]
# The case has a light breeze, over which each storm is laid.

# %%
CASE = """
title = "A storm of the season"
[time]
start = 2000-09-01T00:00:00Z
end = 2000-09-03T00:00:00Z
[mesh]
file = "mesh.nc"
[spectrum]
directions = 24
frequencies = 24
first_frequency = 0.05
ratio = 1.12
[[wind]]
uniform = [-3.0, 2.0]
[[output.map]]
file = "hourly.nc"
every = "1h"
fields = ["hs", "tp", "u10", "v10"]
"""
if lab.world().rank == 0:
    (folder / "case.toml").write_text(CASE)
    request = [bathymetry, "--region", "106,122,10,23", "--spacing", "60", "--output", folder / "mesh.nc"]
    subprocess.run(["groundswell", "mesh", "make", *map(str, request), "--overwrite", "--quiet"], check=True)
lab.world().reduce(0)  # the others wait for the files

# %% [markdown]
# A storm moves at a steady rate, straight on a map of degrees. Its wind is $v = v_m \sqrt{s\,e^{1 - s}}$, $s = (R/r)^B$ (Holland 1980,
# Monthly Weather Review 108, equation 5, far from where the Earth's rotation counts), 20° inwards of the circle.


# %%
class Storm:
    def __init__(self, begin, end, speed, radius=45e3, shape=1.6):
        self.begin, self.end = np.array(begin), np.array(end)
        self.speed, self.radius, self.shape = speed, radius, shape

    def __call__(self, seconds, longitude, latitude, below):
        centre = self.begin + (self.end - self.begin) * seconds / 172800
        x = np.radians(longitude - centre[0]) * 6371e3 * np.cos(np.radians(centre[1]))
        y = np.radians(latitude - centre[1]) * 6371e3
        s = (self.radius / np.maximum(np.hypot(x, y), 1.0)) ** self.shape
        speed = self.speed * np.sqrt(s * np.exp(1 - s))
        towards = np.arctan2(y, x) + np.radians(90 + 20)
        share = np.clip(speed / 10, 0, 1)  # of the storm; the rest is the breeze
        return (1 - share) * below + share * speed * np.array([np.cos(towards), np.sin(towards)])


season = [
    Storm((120, 15), (108, 20), 32),
    Storm((119, 13), (109, 14), 25),
    Storm((118, 18), (112, 22), 40),
    Storm((121, 19), (111, 19), 50, radius=35e3),
    Storm((115, 12), (110, 17), 22, radius=80e3),
]

# %% [markdown]
# The runs. Ranks share each of them (`mpirun -n 4 python storm_season.py`).

# %%
case = lab.Case(folder / "case.toml")
for number, storm in enumerate(season):
    with lab.Simulation(case, folder / f"storm-{number}", forcing={"wind": storm}, overwrite=True) as run:
        run.run()

# %% [markdown]
# The season: of each storm the highest waves in each cell, and of those the highest, and the storm that raised them.

# %%
if lab.world().rank == 0:
    storms = [xarray.open_dataset(folder / f"storm-{number}/hourly.nc") for number in range(len(season))]
    highest = xarray.concat([storm["hs"].max("time") for storm in storms], "storm")
    worst = highest.max("storm")
    for number, storm in enumerate(storms):
        wind = np.hypot(storm["u10"], storm["v10"]).max().item()
        share = (highest.argmax("storm") == number).mean().item()
        print(
            f"storm {number}: wind up to {wind:.0f} m/s, waves up to {highest[number].max().item():.1f} m, "
            f"the season's highest in {100 * share:.0f} % of the cells"
        )
    print(f"in half of the sea the season's highest waves are above {worst.median().item():.1f} m")
