"""Stress of a region by how near a plane in it is to slip, as easi's components of these names have it: T. Ulrich, A.-A. Gabriel,
J.-P. Ampuero and W. Xu (2019, doi:10.1038/s41467-019-09125-w, methods, "Initial stresses"), after H. Aochi and R. Madariaga (2003,
doi:10.1785/0120020115, equations A3 to A5).

Principal stresses are s1 = m + d, s2 = m − d + 2 d ν and s3 = m − d, positive for pressure, with the shape ratio ν. On the plane
that is nearest to slip, at the angle Φ = π/4 − ½ atan μ_s to the axis of s1, shear and pressure are d sin 2Φ and m − d cos 2Φ, and
the ratio R says how much of the drop that friction allows shear is above its final level: with M = μ_d + R (μ_s − μ_d) and the
cohesion c, d sin 2Φ = M (m − d cos 2Φ) + R c.
"""

import numpy as np

COMPONENTS = ("b_xx", "b_yy", "b_zz", "b_xy", "b_yz", "b_xz")


def _plane(strike, dip, rake):
    """Direction of slip of the upper side, and the normal that points up: x east, y north, z up (Aki & Richards 2002, 4.88)."""
    phi, delta, angle = (np.radians(value) for value in (strike, dip, rake))
    east, north = np.sin(phi), np.cos(phi)
    across = np.stack([north * np.sin(delta), -east * np.sin(delta), np.cos(delta)])
    down = np.stack([north * np.cos(delta), -east * np.cos(delta), -np.sin(delta)])
    along = np.stack([east, north, np.zeros_like(east)])
    return np.cos(angle) * along - np.sin(angle) * down, across


def _difference(i, pressure, weight):
    """d, where m is `pressure` − `weight` d."""
    angle = np.pi / 4.0 - 0.5 * np.arctan(i["mu_s"])
    steep = i["mu_d"] + i["R"] * (i["mu_s"] - i["mu_d"])
    return (steep * pressure + i["R"] * i["cohesion"]) / (
        np.sin(2.0 * angle) + steep * (weight + np.cos(2.0 * angle))
    )


def _tensor(i, pressure, weight, axes):
    d = _difference(i, pressure, weight)
    m = pressure - weight * d
    principal = (m + d, m - d + 2.0 * d * i["s2ratio"], m - d)
    pairs = ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (0, 2))
    return {
        name: -sum(s * axis[a] * axis[b] for s, axis in zip(principal, axes))
        for name, (a, b) in zip(COMPONENTS, pairs)
    }


def _axes(i, rake):
    slip, across = _plane(i["strike"], i["dip"], rake)
    angle = np.pi / 4.0 - 0.5 * np.arctan(i["mu_s"])
    first = np.cos(angle) * slip - np.sin(angle) * across
    third = np.sin(angle) * slip + np.cos(angle) * across
    return first, np.cross(across, slip, axis=0), third


def optimal_stress(i):
    """By the mean of the principal stresses."""
    return _tensor(
        i, np.abs(i["effectiveConfiningStress"]), (2.0 * i["s2ratio"] - 1.0) / 3.0, _axes(i, i["rake"])
    )


def optimal_stress_szz(i):
    """By the vertical stress, of which m and d have the shares 1 and Σ n_z² (1, 2ν − 1, −1) of the axes n."""
    axes = _axes(i, i["rake"])
    weight = axes[0][2] ** 2 + (2.0 * i["s2ratio"] - 1.0) * axes[1][2] ** 2 - axes[2][2] ** 2
    return _tensor({**i, "cohesion": np.abs(i["cohesion"])}, np.abs(i["s_zz"]), weight, axes)


def andersonian_stress(i):
    """One principal axis is vertical: that of s1, s2 or s3. All is scaled to the vertical stress."""
    pressure, which = np.abs(i["sig_zz"]), np.rint(i["S_v"])
    ratios = {**i, "R": 1.0 / (1.0 + i["S"])}
    weight = (2.0 * i["s2ratio"] - 1.0) / 3.0
    d = _difference(ratios, pressure, weight)
    m = pressure - weight * d
    s = (m + d, m - d + 2.0 * d * i["s2ratio"], m - d)
    most = np.where(which == 1, s[1], s[0])
    least = np.where(which == 3, s[1], s[2])
    vertical = np.choose(np.clip(which, 1, 3).astype(int) - 1, s)
    east, north = np.sin(np.radians(i["SH_max"])), np.cos(np.radians(i["SH_max"]))
    scale = pressure / vertical
    return {
        "b_xx": -(north**2 * least + east**2 * most) * scale,
        "b_yy": -(east**2 * least + north**2 * most) * scale,
        "b_zz": -pressure,
        "b_xy": -north * east * (most - least) * scale,
        "b_yz": 0.0 * pressure,
        "b_xz": 0.0 * pressure,
    }


def stress_str_dip_slip_am(i):
    """The older form: with DipSlipFaulting of thrusts, over its vertical stress; else of strike slip, to the left."""
    thrust = optimal_stress_szz({**i, "rake": 90.0 + 0.0 * i["strike"]})
    lateral = optimal_stress({**i, "rake": 180.0 + 0.0 * i["strike"], "effectiveConfiningStress": i["s_zz"]})
    dips = np.abs(i["DipSlipFaulting"]) > np.finfo(float).eps
    return {name: np.where(dips, thrust[name] / thrust["b_zz"], lateral[name]) for name in COMPONENTS}


PLAIN = ("mu_d", "mu_s", "cohesion", "s2ratio")
# name → what it needs, and the function.
SPECIAL = {
    "OptimalStress": ((*PLAIN, "strike", "dip", "rake", "R", "effectiveConfiningStress"), optimal_stress),
    "OptimalStress_Szz": ((*PLAIN, "strike", "dip", "rake", "R", "s_zz"), optimal_stress_szz),
    "AndersonianStress": ((*PLAIN, "SH_max", "S_v", "S", "sig_zz"), andersonian_stress),
    "STRESS_STR_DIP_SLIP_AM": (
        (*PLAIN, "strike", "dip", "DipSlipFaulting", "R", "s_zz"),
        stress_str_dip_slip_am,
    ),
}
OTHER_NAMES = {"R0": "R"}
