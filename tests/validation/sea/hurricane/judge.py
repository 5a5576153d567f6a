"""Hurricanes at rest and on their way

A storm of 40 m/s, strongest 50 km from its middle, gales to 300 km, over deep water, at rest and going west by 5 and
10 m/s (as those of case VII of the SWAMP Group 1985); cells of 25 km, 24 directions × 28 frequencies, 24 hours from
calm.

- The highest Hs of the last six hours is that of the extended fetch of Young & Vinoth (2013, Ocean Eng. 70, 14–24),
  11.7 m at 5 m/s and 12.5 m at 10 m/s, within 20 %: so far their storms scatter. Their curve does not go to storms at
  rest.
- The mean drag coefficient where the wind is above 25 m/s is 2 to 3·10⁻³, as Zhou et al. (2022,
  doi:10.1175/JPO-D-21-0246.1) found below five cyclones. `ecwam` is bounded by the most of that, and has it nearly
  everywhere in such a storm. `wam6` and `wam4` have no bound of the drag, and too much of it; that of `capillary` is the stress that ecWAM
  holds possible for the wind, and its young seas reach it.
- Packages are above the curve for two reasons. `wam6` and `wam4` have half as much drag again as the most that was measured. `wam3` and `zieger` have
  drag within the band, and grow more than the others for the stress that they have: with fetch, at 30 m/s and by u*, they are up to 1.10 and 1.27 of
  the curve of Kahma & Calkoen, while the others come down to 0.73 to 0.89 of it. `ecwam`, with the most drag that was measured, is above it by a sixth
  at 5 m/s and by a quarter at 10 m/s. `ww3` has 2 to 3 % more drag, and 9 % more height for its stress with fetch; here it is 8 to 10 % higher.
- The highest waves are to the right of the way, within 100 km of the middle's line; around a storm at rest they are
  alike on all sides.
"""

import numpy as np
from case import Score
from curves import OTHER_DRAG, PACKAGES, colour, young_vinoth
from storms import highest, mean_drag

RUNS = {
    f"{package}, {storm}": {**settings, "wind.1.vortex": f"{storm}.csv"}
    for package, settings in {**PACKAGES, **OTHER_DRAG}.items()
    for storm in ("still", "slow", "fast")
    if storm == "slow" or package in ("st4, ecwam", "st4, ww3")
}
SPEED = {"slow": 5, "fast": 10}


LAST_SIX_HOURS = slice(-3, None)


def judge(out):
    scores = []
    for name in RUNS:
        package, _, storm = name.rpartition(", ")
        data = out[name].read("waves.nc")
        label = f"{package}, {SPEED.get(storm, 0)} m/s"
        hs, _, _, lat = highest(data, LAST_SIX_HOURS)
        if storm == "still":
            lon, lats = data["mesh_face_lon"], data["mesh_face_lat"]
            ring = [data["hs"][-1][np.hypot((lon - 6 - x) * 0.94, lats - 20 - y) < 0.4].mean()
                    for x, y in ((0.7, 0), (-0.7, 0), (0, 0.66), (0, -0.66))]  # fmt: skip
            scores.append(Score(f"{label}: highest over lowest of four sides", max(ring) / min(ring), 1, 1.1))
            continue
        scores.append(
            Score(
                f"{label}: highest Hs over Young & Vinoth",
                hs / young_vinoth(40, SPEED[storm], 50e3),
                0.8,
                1.2,
            )
        )
        scores.append(Score(f"{label}: mean drag coefficient, 10⁻³", mean_drag(data, slice(2, None)), 2, 3))
        scores.append(Score(f"{label}: highest, km to the right of the way", (lat - 20) * 111.2, 0, 100))
    return scores


def draw(out, figure):
    panels = figure.subplots(1, 3, sharey=True, width_ratios=[1.2, 1.2, 1])
    for axes, storm in zip(panels, ("still", "slow")):
        data = out[f"st4, ecwam, {storm}"].read("waves.nc")
        image = axes.tricontourf(
            data["mesh_face_lon"], data["mesh_face_lat"], data["hs"][-1], levels=range(0, 15), cmap="viridis"
        )
        axes.set(title=f"Hs, m, st4, ecwam, {SPEED.get(storm, 0)} m/s", aspect="equal", xlim=(2, 11))
    figure.colorbar(image, ax=panels[1], shrink=0.7)
    bars = panels[2]
    figure.delaxes(bars)
    bars = figure.add_subplot(1, 3, 3)
    names = [name for name in RUNS if name.endswith("slow")]
    for i, name in enumerate(names):
        package = name.removesuffix(", slow")
        bars.barh(i, highest(out[name].read("waves.nc"), LAST_SIX_HOURS)[0], color=colour(package))
    bars.axvline(young_vinoth(40, 5, 50e3), color="k", ls="--", lw=0.9)
    bars.set(
        yticks=range(len(names)),
        yticklabels=[n.removesuffix(", slow") for n in names],
        title="highest Hs, m, 5 m/s",
    )
