"""Published curves of growth: ε = g²m0/U⁴, ν = U fp/g, χ = gF/U², δ = gd/U²; heights Hs = 4√m0 in m, periods in s."""

import numpy as np

G = 9.80665

PACKAGES = {
    "st4, ecwam": {"physics.package": "st4", "physics.tuning": "ecwam"},
    "st4, ww3": {"physics.package": "st4", "physics.tuning": "ww3"},
    "wam3, wamdi": {"physics.package": "wam3", "physics.tuning": "wamdi"},
    "wam4, bidlot": {"physics.package": "wam4", "physics.tuning": "bidlot"},
    "wam4, cycle4": {"physics.package": "wam4", "physics.tuning": "cycle4"},
    "st6, liu": {"physics.package": "st6", "physics.tuning": "liu"},
    "st6, zieger": {"physics.package": "st6", "physics.tuning": "zieger"},
}
# As ecwam, with any drag, and with the roughness of gravity-capillary waves.
OTHER_DRAG = {
    "st4, wam6": {"physics.package": "st4", "physics.tuning": "wam6"},
    "st4, capillary": {"physics.package": "st4", "physics.tuning": "capillary"},
}


def colour(package):
    return f"C{[*PACKAGES, *OTHER_DRAG].index(package)}"


def height(epsilon, wind):
    return 4 * np.sqrt(epsilon) * wind**2 / G


def period(nu, wind):
    return wind / (G * nu)


def dispersion(depth, period):
    """Wave number by Newton's method, phase and group speed."""
    omega = 2 * np.pi / period
    k = omega / np.sqrt(G * depth)
    for _ in range(50):
        t = np.tanh(k * depth)
        k -= (G * k * t - omega**2) / (G * t + G * k * depth * (1 - t**2))
    return k, omega / k, 0.5 * omega / k * (1 + 2 * k * depth / np.sinh(2 * k * depth))


def kahma_calkoen(chi):
    """ε and ν of Kahma & Calkoen (1992, J. Phys. Oceanogr. 22, 1389–1405), composite data."""
    return 5.2e-7 * chi**0.9, 2.1804 * chi**-0.27


def kahma_calkoen_by_drag(chi):
    """g²m0/u*⁴ and u* fp/g of the same composite scaled by the friction velocity, χ = gF/u*²: ω u*/g = 3.08 χ^−0.27.

    The two forms agree where u* = U/25.6, a drag coefficient of 1.53·10⁻³: from either coefficient, 25.56 and 25.67."""
    return 6.5e-4 * chi**0.9, 3.08 / (2 * np.pi) * chi**-0.27


# Pierson & Moskowitz (1964, J. Geophys. Res. 69, 5181–5190): the fully developed sea.
PIERSON_MOSKOWITZ = 3.64e-3, 0.13


def young_verhagen(delta, chi=np.inf):
    """ε and ν of Young & Verhagen (1996, Coastal Eng. 29, 47–78), over water of one depth."""
    a1, a2 = 0.493 * delta**0.75, 0.331 * delta**1.01
    b1, b2 = 3.13e-3 * chi**0.57, 5.215e-4 * chi**0.73
    energy = 3.64e-3 * (np.tanh(a1) * np.tanh(b1 / np.tanh(a1))) ** 1.74
    return energy, 0.133 * (np.tanh(a2) * np.tanh(b2 / np.tanh(a2))) ** -0.37


def toba(peak_period, friction_velocity):
    """Height of a growing sea by Toba (1972, J. Oceanogr. Soc. Japan 28, 109–120), whose significant period is 0.95 of the peak's."""
    return 0.062 * (G * 0.95 * peak_period / friction_velocity) ** 1.5 * friction_velocity**2 / G


def young_vinoth(strongest, forward, radius):
    """Highest Hs of a hurricane by its extended fetch: Young & Vinoth (2013, Ocean Eng. 70, 14–24), with the growth of JONSWAP. m/s, m."""
    polynomial = (-2.175e-3 * strongest**2 + 1.506e-2 * strongest * forward - 1.223e-1 * forward**2
                  + 8.760e-2 * strongest + 1.516 * forward + 1.756)  # fmt: skip
    fetch = polynomial * (22.5e3 * np.log10(radius) - 70.8e3)
    return 0.0016 * np.sqrt(G * fetch / strongest**2) * strongest**2 / G
