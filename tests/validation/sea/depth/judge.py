"""Growth limited by depth

Twelve hours of wind of 10 and 15 m/s over 2, 4, 6 and 8 m of water without a shore, Γ = 0.067 of a wind sea (Bouws &
Komen 1983). Young & Verhagen (1996), long fetch: g²m0/U⁴ = 3.64·10⁻³ tanh^1.74(0.493 δ^0.75), U fp/g = 0.133
tanh^−0.37(0.331 δ^1.01), δ = gd/U². Models and their data scatter by some 30 %: heights within −20 … +30 %,
frequencies within −15 … +25 %. Score: the depth and wind farthest from the middle of the band.
"""

from case import legend, worst
from curves import PACKAGES, G, colour, height, period, young_verhagen

DEPTHS, WINDS = (2, 4, 6, 8), (10, 15)
RUNS = {
    f"{package}, {depth}, {wind}": {**settings, "mesh.uniform_depth": depth, "wind.0.uniform": [wind, 0]}
    for package, settings in PACKAGES.items()
    for depth in DEPTHS
    for wind in WINDS
}


def ratios(out, package, depth, wind):
    data = out[f"{package}, {depth}, {wind}"].read("series.nc")
    epsilon, nu = young_verhagen(G * depth / wind**2)
    return data["hs"][-1, 0] / height(epsilon, wind), period(nu, wind) / data["tp"][-1, 0]


def judge(out):
    scores = []
    for package in PACKAGES:
        all_of = [ratios(out, package, depth, wind) for depth in DEPTHS for wind in WINDS]
        scores.append(worst(f"{package}: Hs over Young & Verhagen", [h for h, _ in all_of], 0.8, 1.3))
        scores.append(worst(f"{package}: fp over Young & Verhagen", [f for _, f in all_of], 0.85, 1.25))
    return scores


def draw(out, figure):
    for axes, wind in zip(figure.subplots(1, 2), WINDS):
        for package in PACKAGES:
            hs = [out[f"{package}, {depth}, {wind}"].read("series.nc")["hs"][-1, 0] for depth in DEPTHS]
            axes.plot(DEPTHS, hs, "o-", ms=3, color=colour(package), label=package)
        curve = [height(young_verhagen(G * depth / wind**2)[0], wind) for depth in DEPTHS]
        axes.plot(DEPTHS, curve, "k--", lw=0.9, label="Young & Verhagen")
        axes.set(xlabel="depth, m", title=f"Hs, m, wind of {wind} m/s")
    legend(figure, axes)
