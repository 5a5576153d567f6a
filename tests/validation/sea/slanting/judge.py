"""Slanting fetch

Wind of 10 m/s off a straight shore, 45° from its normal, for 18 h; the shore is 280 km long (SWAMP Group 1985, case
III). Short waves run with the wind. The longest come from where the fetch is long, along the shore: models and
measurements (Donelan, Hamilton & Hui 1985, Phil. Trans. R. Soc. A 315, 509–562; Ataktürk & Katsaros 1999) have the
direction of the peak between wind and shore, and the more so the nearer the shore and the lower the frequency.

By the argument of Donelan et al. the peak comes from where wind along the way and fetch together make the lowest frequency, that is from the
side θ off the wind where cos^0.54 θ F^0.23 is largest, F the way to the shore on that side: here, by the growth of Kahma & Calkoen as well as by
theirs, from the southern end of the shore, 36, 27 and 16° off the wind 30, 59 and 103 km from it.

Scores at these places: mean direction at twice the peak's frequency within 8° of the wind; that of the peak within 10° of the argument's, as
far as two directions of the model are apart; that of 0.8 of the peak's frequency farther off the wind; and the height over that of Kahma &
Calkoen along the wind, x/cos 45°, within 30 % for χ up to 10 000. `st4`, both tunings, and `st6`.
"""

import netCDF4
import numpy as np
from case import Score, legend
from curves import PACKAGES, G, colour, height, kahma_calkoen

CHOSEN = ("st4, ecwam", "st4, ww3", "st6, liu")
RUNS = {package: PACKAGES[package] for package in CHOSEN}
KILOMETRES = (30.0, 58.9, 103.4)
WIND = 225.0
# The places are so far north of the shore's southern end.
SHORE = 140.0 + 44.5  # km


def turn_of_donelan(km):
    """Degrees from the wind to where the lowest frequency comes from, `km` off the shore: Donelan, Hamilton & Hui (1985)."""
    turn = np.radians(np.arange(0.0, 90.0, 0.1))
    fetch = np.minimum(km / np.maximum(np.cos(turn + np.pi / 4), 1e-9), SHORE / np.sin(turn + np.pi / 4))
    return np.degrees(turn[(np.cos(turn) ** 0.54 * fetch**0.23).argmax()])


def spectra(output, station):
    """f, E(f) and the turn from the wind towards the shore (degrees; waves from nearer south) at the end."""
    with netCDF4.Dataset(output.folder / "directions.nc") as data:
        f = data["frequency"][:]
        return f, data["ef"][-1, station], WIND - data["th1m"][-1, station]


def judge(out):
    scores = []
    for package in CHOSEN:
        for station, km in enumerate(KILOMETRES):
            f, energy, turn = spectra(out[package], station)
            peak = f[energy.argmax()]
            of = [float(np.interp(x * peak, f, turn)) for x in (0.8, 1.0, 2.0)]
            scores.append(Score(f"{package}, {km:.0f} km: turn at twice fp, degrees", of[2], -8, 8))
            off = of[1] - turn_of_donelan(km)
            scores.append(
                Score(f"{package}, {km:.0f} km: turn at fp off the argument's, degrees", off, -10, 10)
            )
            scores.append(
                Score(
                    f"{package}, {km:.0f} km: turn at 0.8 fp less that at fp, degrees", of[0] - of[1], 0, 30
                )
            )
            hs = 4 * np.sqrt(((energy[1:] + energy[:-1]) * np.diff(f)).sum() / 2)
            chi = G * km * 1e3 * np.sqrt(2) / 100
            if chi <= 10000:
                ratio = hs / height(kahma_calkoen(chi)[0], 10)
                scores.append(Score(f"{package}, {km:.0f} km: Hs over Kahma & Calkoen", ratio, 0.7, 1.3))
    return scores


def draw(out, figure):
    for axes, station in zip(figure.subplots(1, 3, sharey=True), range(3)):
        for package in CHOSEN:
            f, energy, turn = spectra(out[package], station)
            there = energy > 1e-3 * energy.max()
            axes.plot(f[there] / f[energy.argmax()], turn[there], color=colour(package), label=package)
        axes.axhline(0, color="k", lw=0.5)
        axes.plot(1, turn_of_donelan(KILOMETRES[station]), "k+", ms=9, label="Donelan et al.")
        axes.set(xlabel="f/fp", title=f"turn, degrees, {KILOMETRES[station]:.0f} km", xlim=(0.6, 3))
    legend(figure, axes)
