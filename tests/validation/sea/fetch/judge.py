"""Growth with fetch

Wind off a straight shore over deep water: 10 m/s for 18 h over 140 km with cells of 5 km; 20 and 30 m/s over the same
length in gF/U², on meshes 4 and 9 times as coarse, for 2 and 3 times as long. Second order, 36 directions × 35
frequencies.

Kahma & Calkoen (1992), composite: g²m0/U⁴ = 5.2·10⁻⁷ χ^0.9, U fp/g = 2.1804 χ^−0.27, χ = gF/U². Heights within 30 %,
frequencies within 15 % for χ from 2000 to 10 000: WAVEWATCH III with ST4 is −22 … +18 % and −13 … +7 % there. Score:
the place along the middle that is farthest away.

All packages grow with the friction velocity: above 15 m/s, where the drag of young seas is twice that of old ones, they leave a curve that
was scaled by U10, in proportion to their drag. Few of its data are from such winds.
"""

import numpy as np
from case import legend, worst
from curves import PACKAGES, G, colour, height, kahma_calkoen, period

WINDS = (10, 20, 30)
# Lengths go with the square of the wind, times with the wind.
MESHES = {
    f"{wind}": {
        "region": {"size_km": [1.4 * wind**2, 2.0 * wind**2]},
        "spacing": {"finest_km": 0.05 * wind**2},
    }
    for wind in WINDS
}
RUNS = {
    f"{package}, {wind}": {
        **settings,
        "mesh": f"{wind}",
        "wind.0.uniform": [wind, 0],
        "time.end": {10: "2000-01-01T18:00:00Z", 20: "2000-01-02T12:00:00Z", 30: "2000-01-03T06:00:00Z"}[
            wind
        ],
    }
    for package, settings in PACKAGES.items()
    for wind in WINDS
}
CHI = np.arange(2000.0, 10001.0, 1000.0)


def middle(output, wind):
    """χ of cells along the middle, in order, and their heights and periods at the end."""
    data, length = output.read("waves.nc"), 1.4 * wind**2 * 1e3
    x, y = (np.radians(data[f"mesh_face_{axis}"]) * 6371229.0 for axis in ("lon", "lat"))
    along = abs(y) < 0.1 * length
    bins = np.round((x[along] + 0.5 * length) * G / wind**2 / 500).astype(int)
    values = {k: data[k][-1][along] for k in ("hs", "tp")}
    chi = np.unique(bins)
    mean = {k: np.array([v[bins == b].mean() for b in chi]) for k, v in values.items()}
    place = np.array([(x[along][bins == b] + 0.5 * length).mean() for b in chi]) * G / wind**2
    return place, mean["hs"], mean["tp"]


def judge(out):
    scores = []
    epsilon, nu = kahma_calkoen(CHI)
    for package in PACKAGES:
        for wind in WINDS:
            chi, hs, tp = middle(out[f"{package}, {wind}"], wind)
            heights = np.interp(CHI, chi, hs) / height(epsilon, wind)
            frequencies = period(nu, wind) / np.interp(CHI, chi, tp)
            scores.append(worst(f"{package}, {wind} m/s: Hs over Kahma & Calkoen", heights, 0.7, 1.3))
            scores.append(worst(f"{package}, {wind} m/s: fp over Kahma & Calkoen", frequencies, 0.85, 1.15))
    return scores


def draw(out, figure):
    axes = figure.subplots(1, 3, sharey=True)
    for panel, wind in zip(axes, WINDS):
        for package in PACKAGES:
            chi, hs, _ = middle(out[f"{package}, {wind}"], wind)
            panel.loglog(chi, (G * hs / 4 / wind**2) ** 2, color=colour(package), label=package)
        chi = np.geomspace(500, 13000)
        panel.loglog(chi, kahma_calkoen(chi)[0], "k--", lw=0.9, label="Kahma & Calkoen")
        panel.axvspan(2000, 10000, color="k", alpha=0.06)
        panel.set(xlabel="gF/U²", title=f"g²m0/U⁴, wind of {wind} m/s", xlim=(500, 14000), ylim=(1e-4, 5e-3))
    legend(figure, axes[0])
