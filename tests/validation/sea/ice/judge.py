"""Decay under sea ice

Swell of 11 s, 3° wide, runs into ice that covers all, cells of 3 km, frequencies 5 % apart. Meylan, Bennetts & Kohout
(2014, Geophys. Res. Lett. 41, 5046–5051): energy decays along its way as exp(−(a f² + b f⁴) x), a = 2.12·10⁻³, b =
4.59·10⁻² m⁻¹ Hz⁻²ʼ⁻⁴, so that long waves are left. The sum of that over the spectrum, on from 5 km behind the wave
maker.

Scores at 20, 50 and 80 km: Hs within 3 %, mean period m₋₁/m0 within 2 %. Half of the ice (`half`) takes half of the
decay.
"""

import numpy as np
from case import worst
from rays import energy_of_bins

RUNS = {"whole": {}, "half": {"ice.0.uniform": 0.5}}
COVER = {"whole": 1.0, "half": 0.5}
WAYS = (20.0, 50.0, 80.0)
START = -50.0  # km, behind the wave maker


def theory(way, cover):
    f, shares = energy_of_bins(0.05, 1.05, 36, 11.0, 3.3)
    left = shares * np.exp(-cover * (2.12e-3 * f**2 + 4.59e-2 * f**4) * way * 1e3)
    return np.sqrt(left.sum()), (left / f).sum() / left.sum()


def profile(output):
    data = output.read("ice.nc")
    x, y = (data[f"mesh_face_{axis}"] * 111.195 for axis in ("lon", "lat"))
    middle = abs(y) < 12
    order = np.argsort(x[middle])
    return (v[middle][order] for v in (x, data["hs"][-1], data["tmm10"][-1]))


def at(output, way):
    x, hs, period = profile(output)
    near = abs(x - START - way) < 6
    # Means of logarithms and lines, brought to the place itself.
    return (np.exp(np.polyval(np.polyfit(x[near] - START - way, np.log(hs[near]), 1), 0)),
            np.polyval(np.polyfit(x[near] - START - way, period[near], 1), 0))  # fmt: skip


def judge(out):
    scores = []
    for name in RUNS:
        first = at(out[name], 5.0)
        heights, periods = [], []
        for way in WAYS:
            h, t = at(out[name], way)
            th, tt = theory(way, COVER[name])
            h0, t0 = theory(5.0, COVER[name])
            heights.append(h / first[0] / (th / h0))
            periods.append(t / first[1] / (tt / t0))
        scores.append(worst(f"{name}: Hs over theory", heights, 0.97, 1.03))
        scores.append(worst(f"{name}: m₋₁/m0 over theory", periods, 0.98, 1.02))
    return scores


def draw(out, figure):
    heights, periods = figure.subplots(1, 2)
    line = np.linspace(0, 110)
    for i, name in enumerate(RUNS):
        x, hs, period = profile(out[name])
        first = at(out[name], 5.0)
        curve = np.array([theory(way, COVER[name]) for way in line])
        base = theory(5.0, COVER[name])
        heights.plot(x - START, hs / first[0], ".", ms=2, color=f"C{i}", label=name)
        heights.plot(line, curve[:, 0] / base[0], color=f"C{i}")
        periods.plot(x - START, period / first[1], ".", ms=2, color=f"C{i}")
        periods.plot(line, curve[:, 1] / base[1], color=f"C{i}")
    heights.set(xlabel="km under the ice", title="Hs over that after 5 km: theory —, model ·", xlim=(0, 110))
    periods.set(
        xlabel="km under the ice", title="m₋₁/m0 over that after 5 km", xlim=(0, 110), ylim=(0.95, None)
    )
    heights.legend()
