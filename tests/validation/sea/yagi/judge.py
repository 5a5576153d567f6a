"""Typhoon Yagi with each package

The typhoon of 5 September 2024 on its way to Hainan, from the track and the bathymetry of `cases/yagi`, with cells of 16 km, 24
directions × 28 frequencies. Nobody measured its waves in what is at hand: what is judged is what is known of storms. From 5 September 12 h to
the end the track has 125 to 145 knots, radii of maximum wind of 12 to 15 nautical miles and a way of 8 to 11 knots; on the mean 63.8 m/s over 10
minutes, 24 km and 4.8 m/s.

- The strongest wind is 0.93 of the track's, within 5 %.
- The highest Hs of these twelve hours is that of the extended fetch of Young & Vinoth (2013), 14.9 m, within 20 %, as in the case of
  hurricanes; it lies to the right of the way, within 100 km.
- The mean drag coefficient where the wind is above 25 m/s is 2 to 3·10⁻³ (Zhou et al. 2022).

The packages that miss are among those that miss in the case of hurricanes, for the same reasons. The drag of `wam3` is a line in the wind alone (Wu
1982), which leaves the band at 34 m/s: within it there, and beyond it in the stronger winds here. The map on the left takes records three hours
apart: so come the beads along the way.
"""

from case import Score
from curves import OTHER_DRAG, PACKAGES, colour, young_vinoth
from storms import highest, mean_drag, wind_speed

RUNS = {**PACKAGES, **OTHER_DRAG}
KNOT = 1852 / 3600
TWELVE_HOURS = slice(-5, None)
# Mean of the track's fixes of 5 September 12 h and 18 h and of 6 September 0 h, the winds over 10 minutes; the last of them.
STORM = (0.93 * 400 / 3 * KNOT, 28 / 3 * KNOT, 13 * 1852)
STRONGEST = 0.93 * 130 * KNOT
LATITUDES = (19.3, 19.2, 19.2)


def judge(out):
    scores = []
    for package in RUNS:
        data = out[package].read("waves.nc")
        hs, record, _, latitude = highest(data, TWELVE_HOURS)
        scores.append(
            Score(f"{package}: highest Hs over Young & Vinoth", hs / young_vinoth(*STORM), 0.8, 1.2)
        )
        scores.append(Score(f"{package}: mean drag coefficient, 10⁻³", mean_drag(data, TWELVE_HOURS), 2, 3))
        north = latitude - sum(LATITUDES) / 3
        scores.append(Score(f"{package}: highest, km to the right of the way", 111.2 * north, 0, 100))
    wind = wind_speed(out["st4, ecwam"].read("waves.nc"))[-1].max()
    return [Score("strongest wind at the end over the track's", wind / STRONGEST, 0.95, 1.05), *scores]


def draw(out, figure):
    sea, bars = figure.subplots(1, 2, width_ratios=[1.5, 1])
    data = out["st4, ecwam"].read("waves.nc")
    image = sea.tricontourf(
        data["mesh_face_lon"],
        data["mesh_face_lat"],
        data["hs"].max(axis=0),
        levels=range(0, 17),
        cmap="viridis",
    )
    sea.set(title="highest Hs of 24 hours, m, st4, ecwam", aspect="equal")
    figure.colorbar(image, ax=sea, shrink=0.8)
    for i, package in enumerate(RUNS):
        bars.barh(i, highest(out[package].read("waves.nc"), TWELVE_HOURS)[0], color=colour(package))
    bars.axvline(young_vinoth(*STORM), color="k", ls="--", lw=0.9)
    bars.set(yticks=range(len(RUNS)), yticklabels=list(RUNS), title="highest Hs, m, last 12 h")
