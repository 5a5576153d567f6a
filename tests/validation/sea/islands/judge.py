"""Islands smaller than a cell

Swell of 10 s and 3° of spread passes a row of islands, 10 km wide, 11 km apart and 4 km thick, in cells of 20 km,
which are sea. Of the energy passes what gaps there are, 0.526 of the width: Hs behind is √0.526 of that before
(Tolman 2003, Ocean Modelling 5, 219–231), whatever faces of cells the row crosses. `groundswell mesh make
--obstruction` finds the shares from `islands.nc`, a grid of 0.01°.

Scores: mean Hs 30 to 80 km behind over that before, by the square root of the open share, within 5 %, in both
schemes.
"""

from case import Score

OPEN = 10 / 19
RUNS = {
    "second order": {"mesh.obstruction": "{mesh}.obstruction.nc"},
    "first order": {"mesh.obstruction": "{mesh}.obstruction.nc", "propagation.scheme": "upwind"},
}


def cells(output):
    data = output.read("swell.nc")
    x, y = (data[f"mesh_face_{axis}"] * 111.195 for axis in ("lon", "lat"))
    middle = abs(y) < 60
    return x[middle], data["hs"][-1][middle]


def behind(output):
    x, hs = cells(output)
    return hs[(x > 30) & (x < 80)].mean() / hs[(x > -70) & (x < -30)].mean()


def judge(out):
    return [
        Score(f"{name}: Hs behind over theory", behind(out[name]) / OPEN**0.5, 0.95, 1.05) for name in RUNS
    ]


def draw(out, figure):
    axes = figure.subplots(1, 1)
    for name in RUNS:
        axes.plot(*cells(out[name]), ".", ms=4, label=name)
    axes.axhline(OPEN**0.5, color="k", ls="--", lw=0.9, label="theory")
    axes.axvline(0, color="k", lw=0.5)
    axes.set(xlabel="km behind the row", title="Hs along the way", ylim=(0, 1.1))
    axes.legend()
