"""Growth with fetch beside WAVEWATCH III

Wind of 10 and 20 m/s off an endless straight shore, `st4` with `ww3`, beside WAVEWATCH III with the same spacing at the same hour: cells of 6.25 km
up to 100 km and of 12.5 km up to 400 km after 36 h (20 m/s: 24 h), of 25 km from 400 to 1000 km after 72 h; 36 directions × 35 frequencies
from 0.0418 Hz in both.

The heights of WAVEWATCH III come from its own routines, run outside of the program at a line of points off the shore: ST4 (`w3src4md.F90` of
NOAA-EMC/WW3 at commit 003d4c54bf24, with the defaults of `w3gridmd.F90`), W3SNL1, W3SLN1, the integration of W3SRCE with steps down to 15 s, and
along x the ULTIMATE QUICKEST of PR3 with its averaging against the sprinkler; global steps of 1200 s, propagation in steps of 300 s. At one
point, with these steps, they give the heights of the whole program within 0.5 % at 10 m/s and 3.2 % at 20 m/s (growth with duration). They are
read off between points by lines through the logarithms.

Fetch is counted alike, from where waves can begin: the edge of the first cell here, half a spacing off the land's point there, as nothing enters
the half that belongs to land. Scores: Hs over WAVEWATCH III's at 25, 50, 100, 200, 400, 700 and 1000 km, as far as the run goes, within 5 %.

- By the fetch from the land's point, at which heights of a grid of points are usually given, the ratio is 1.05 at 25 km with a spacing of 12.5 km, 1.01
  with one of 6.25 km, and 1.00 to 1.04 from 100 km on: hollow marks in the figure.
- Off an endless shore heights go on rising for days, as waves that run nearly along it come from ever farther away. With points 12.5 km apart
  WAVEWATCH III has 2.04 m at 400 km in 10 m/s after 36 h, 2.13 m after 120 h and 2.14 m after 240 h; at 1000 km 2.42, 2.46 and 2.49 m after 72,
  120 and 240 h. A mesh has ends, from which nothing comes: it is steady earlier, and lower. So the two are compared at one hour, on meshes wide
  enough for that hour. A width of 1600 km instead of 1000 raises heights with cells of 12.5 km by up to 0.6 % after 36 h, but by 1.4 % after 48
  h; one of 2400 km instead of 1600 those with cells of 25 km by 1 to 2 % after 72 h. With 1600 km they stay as they are from two days on, and
  after five days are 0.96 of WAVEWATCH III's at 1000 km. In 20 m/s heights up to 400 km are steady after 24 h, within 2 % at 25 km and 1 %
  beyond.
- Other steps or no averaging change WAVEWATCH III's heights as much as the two models are apart. Global steps of 300 s, at whose beginnings
  W3SRCE takes the stress of the waves for nothing, make them 3 % lower at 25 and 50 km in 10 m/s; in 20 m/s 12, 8, 6, 4 and 2 % lower at 25 to
  400 km. Without averaging those of 12.5 km are 1 to 5 % lower up to 200 km after 120 h.
"""

import numpy as np
from case import worst

MESHES = {
    "6.25 km": {"region": {"size_km": [140.0, 1000.0]}, "spacing": {"finest_km": 6.25}},
    "12.5 km": {},
    "25 km": {"region": {"size_km": [1080.0, 2400.0]}, "spacing": {"finest_km": 25.0}},
}
RUNS = {
    "10 m/s, 6.25 km": {"mesh": "6.25 km"},
    "10 m/s, 25 km": {"mesh": "25 km", "time.end": "2000-01-04T00:00:00Z"},
    "10 m/s, 12.5 km": {"mesh": "12.5 km"},
    "20 m/s, 12.5 km": {"mesh": "12.5 km", "wind.0.uniform": [20.0, 0.0], "time.end": "2000-01-02T00:00:00Z"},
}
LENGTH = {"6.25 km": 140.0, "12.5 km": 460.0, "25 km": 1080.0}
# WAVEWATCH III's heights, m, with the spacing and at the hour of each run, by fetch, km: from half a spacing off the land's point, and from that point.
HEIGHTS = {
    "10 m/s, 6.25 km": {25: (1.031, 1.002), 50: (1.204, 1.183), 100: (1.461, 1.448)},
    "10 m/s, 12.5 km": {
        25: (1.083, 1.005),
        50: (1.291, 1.248),
        100: (1.504, 1.484),
        200: (1.767, 1.753),
        400: (2.035, 2.029),
    },
    "10 m/s, 25 km": {400: (2.105, 2.094), 700: (2.299, 2.293), 1000: (2.418, 2.414)},
    "20 m/s, 12.5 km": {
        25: (3.672, 3.412),
        50: (4.276, 4.175),
        100: (4.899, 4.813),
        200: (5.961, 5.915),
        400: (7.233, 7.204),
    },
}


def cells(name, output):
    """Fetches, km, and heights at the end along the middle."""
    data, length = output.read("waves.nc"), LENGTH[RUNS[name]["mesh"]]
    x, y = (data[f"mesh_face_{axis}"] * 111.195 for axis in ("lon", "lat"))
    middle = abs(y) < 60
    order = np.argsort(x[middle])
    return x[middle][order] + 0.5 * length, data["hs"][-1][middle][order]


def at(name, output, fetch):
    """By a parabola through the logarithms of cells near it."""
    x, hs = cells(name, output)
    near = abs(np.log(x / fetch)) < 0.45
    return np.exp(np.polyval(np.polyfit(np.log(x[near] / fetch), np.log(hs[near]), 2), 0))


def ratios(name, output):
    """Fetches, heights over WAVEWATCH III's by the fetch in which waves can be, and by that from the land's point."""
    table = HEIGHTS[name]
    ours = np.array([at(name, output, fetch) for fetch in table])
    return list(table), *(ours / np.array(values) for values in zip(*table.values()))


def judge(out):
    scores = []
    for name in RUNS:
        fetches, alike, _ = ratios(name, out[name])
        scores.append(
            worst(
                f"{name}: Hs over WAVEWATCH III's, {fetches[0]} to {fetches[-1]} km", list(alike), 0.95, 1.05
            )
        )
    return scores


def draw(out, figure):
    left, right = figure.subplots(1, 2)
    for i, name in enumerate(RUNS):
        x, hs = cells(name, out[name])
        colour = f"C{i}"
        left.loglog(x, hs, ".", ms=2, color=colour)
        left.loglog(
            list(HEIGHTS[name]), [h for h, _ in HEIGHTS[name].values()], "o", ms=5, mfc="none", color=colour
        )
        fetches, alike, land = ratios(name, out[name])
        right.semilogx(fetches, alike, "o-", ms=4, color=colour, label=name)
        right.semilogx(fetches, land, "o:", ms=4, mfc="none", lw=0.8, color=colour)
    left.set(xlabel="fetch, km", title="Hs, m: cells, and rings of WAVEWATCH III", xlim=(8, 1200))
    right.axhspan(0.95, 1.05, color="k", alpha=0.06)
    right.set(xlabel="fetch, km", title="Hs over WAVEWATCH III's", xlim=(20, 1200), ylim=(0.9, 1.12))
    for axes in (left, right):
        axes.set_xticks([25, 50, 100, 200, 400, 1000], ["25", "50", "100", "200", "400", "1000"])
        axes.minorticks_off()
    left.set_yticks([0.5, 1, 2, 4, 8], ["0.5", "1", "2", "4", "8"])
    right.plot([], [], "ko:", ms=4, mfc="none", lw=0.8, label="fetch from the land's point")
    right.legend(loc="lower right")
