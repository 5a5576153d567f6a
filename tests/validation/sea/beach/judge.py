"""Shoaling and refraction over a plane beach

Swell of 10 s and 2° of spread over a beach that rises from 20 m to nothing in 4 km, 0, 20, 40 and 60° off its normal;
cells of 125 m, each time another unstructured mesh (`seed`), which turns the cells against the beach; 120 directions.
Linear theory: ω² = gk tanh kd, sin α/c constant, H/H0 = √(cg0/cg) √(cos α0/cos α).

Scores at depths of 15, 10, 6, 4 and 2.5 m, mean of the cells there that the ends of the wave maker do not shade:
height within 3 %, direction within 1.5°, half of what two directions are apart.
"""

import numpy as np
from case import worst
from curves import dispersion

ANGLES = (0, 20, 40, 60)
MESHES = {f"{angle}": {"mesh": {"seed": 1 + angle}} for angle in ANGLES}
RUNS = {
    f"{angle}": {"mesh": f"{angle}", "wave_maker.0.direction": 270 - angle, "initial.state": "calm"}
    for angle in ANGLES
}
DEPTHS = (15.0, 10.0, 6.0, 4.0, 2.5)


def theory(depth, angle):
    _, c, cg = dispersion(depth, 10.0)
    _, c0, cg0 = dispersion(20.0, 10.0)
    alpha0 = np.radians(angle)
    alpha = np.arcsin(np.sin(alpha0) * c / c0)
    return np.sqrt(cg0 / cg * np.cos(alpha0) / np.cos(alpha)), np.degrees(alpha)


def model(output, depth, angle):
    data = output.read("beach.nc")
    x, y = (data[f"mesh_face_{axis}"] * 111.195 for axis in ("lon", "lat"))
    at_sea = data["depth"][-1]
    # Shade of the southern end reaches (x + 2.5) tan α to the north.
    clear = (y > -6.5 + (x + 2.5) * np.tan(np.radians(angle))) & (y < 6.0)
    maker = data["hs"][-1][(x < -2.3) & (abs(y) < 5)].mean()
    there = clear & (abs(at_sea / depth - 1) < 0.1)
    # To the depth itself, within the ring of cells around it.
    right_h, right_a = theory(at_sea[there], angle)
    h, a = theory(depth, angle)
    off = (270 - data["dir"][-1][there]) - right_a
    return h * np.mean(data["hs"][-1][there] / maker / right_h), a + off.mean()


def judge(out):
    scores = []
    for angle in ANGLES:
        pairs = [(model(out[f"{angle}"], d, angle), theory(d, angle)) for d in DEPTHS]
        scores.append(worst(f"{angle}°: H/H0 over theory", [m[0] / t[0] for m, t in pairs], 0.97, 1.03))
        scores.append(worst(f"{angle}°: direction off, degrees", [m[1] - t[1] for m, t in pairs], -1.5, 1.5))
    return scores


def draw(out, figure):
    heights, directions = figure.subplots(1, 2)
    line = np.linspace(1, 20)
    for i, angle in enumerate(ANGLES):
        found = np.array([model(out[f"{angle}"], d, angle) for d in DEPTHS])
        for axes, column in ((heights, 0), (directions, 1)):
            axes.plot(
                line, theory(line, angle)[column] * np.ones_like(line), color=f"C{i}", label=f"{angle}°"
            )
            axes.plot(DEPTHS, found[:, column], "o", ms=4, color=f"C{i}")
    heights.set(xlabel="depth, m", title="H/H0: theory —, model ○")
    directions.set(xlabel="depth, m", title="angle from the normal, degrees")
    heights.legend()
