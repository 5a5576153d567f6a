"""Four-wave interactions of deep water without approximation: what the discrete interaction approximation is measured by.

The collision integral of Hasselmann (1962) as Webb (1978, Deep-Sea Res. 25, 279-298), Tracy & Resio (1982) and van Vledder (2006,
doi:10.1016/j.coastaleng.2005.10.011; manual of WAVEWATCH III 7.14, equations 2.34 to 2.41) turn it: for
every pair k1, k3 the resonant k2 lie on a closed curve, along which the rest is integrated,

    dn1/dt = 4π ∫dk3 ∮ds G² [n3 n4 (n1 + n2) - n1 n2 (n3 + n4)]/|cg2 - cg4|,    n = g F(k)/ω, G(k, k, k, k) = k³.

With k = |k2|, P = k1 - k3 and q = (ω1 - ω3)/√g > 0 the curve is |k2 + P| = (√k + q)², so that the angle between k2 and P follows
from k in closed form. Each quadruplet gives to four places what it takes from others, a quarter for each of its four waves, linearly
between the frequencies and directions of the grid: action and energy are conserved as they come, momentum to second order.
"""

import numpy as np

GRAVITY = 9.81


def coupling(k1, k2, k3, k4):
    """G of four resonant waves, 4π² T of Zakharov (1999, Eur. J. Mech. B/Fluids 18, 327-344); complex wave numbers, g = 1."""
    size = [abs(k) for k in (k1, k2, k3, k4)]
    w = [np.sqrt(s) for s in size]

    def dot(a, b):
        return (a * np.conj(b)).real

    def half(k1, k2, k3, k4, s1, s2, s3, s4, w1, w2, w3, w4):
        d12, d34, d13, d24, d14, d23 = (
            dot(k1, k2),
            dot(k3, k4),
            dot(k1, k3),
            dot(k2, k4),
            dot(k1, k4),
            dot(k2, k3),
        )

        def resonance(frequency, both, numerator):
            below = abs(both) - frequency**2
            return (
                4
                * frequency**2
                * np.divide(numerator, below, out=np.zeros_like(below), where=abs(below) > 1e-12)
            )

        return (
            -12 * s1 * s2 * s3 * s4
            - 2 * (w1 + w2) ** 2 * (w3 * w4 * (d12 - s1 * s2) + w1 * w2 * (d34 - s3 * s4))
            - 2 * (w1 - w3) ** 2 * (w2 * w4 * (d13 + s1 * s3) + w1 * w3 * (d24 + s2 * s4))
            - 2 * (w1 - w4) ** 2 * (w2 * w3 * (d14 + s1 * s4) + w1 * w4 * (d23 + s2 * s3))
            + (d12 + s1 * s2) * (d34 + s3 * s4)
            + (s1 * s3 - d13) * (s2 * s4 - d24)
            + (s1 * s4 - d14) * (s2 * s3 - d23)
            + resonance(w1 + w2, k1 + k2, (d12 - s1 * s2) * (s3 * s4 - d34))
            + resonance(w1 - w3, k1 - k3, (d13 + s1 * s3) * (d24 + s2 * s4))
            + resonance(w1 - w4, k1 - k4, (d14 + s1 * s4) * (d23 + s2 * s3))
        )

    one = half(k1, k2, k3, k4, *size, *w)
    other = half(k2, k1, k3, k4, size[1], size[0], size[2], size[3], w[1], w[0], w[2], w[3])
    return -(one + other) / 16 / (size[0] * size[1] * size[2] * size[3]) ** 0.25


def curve(k1, k3, points, highest):
    """k2 of half a curve (the other half is its mirror image in k1 - k3) up to |k2| = highest, and weights ds/|cg2 - cg4|, for g = 1."""
    p, q = k1 - k3, np.sqrt(abs(k1)) - np.sqrt(abs(k3))
    size = abs(p)
    # Ends of the range of k, where k2 lies along P or against it.
    first = (0.5 * (np.sqrt(2 * size - q**2) - q)) ** 2
    last = ((size - q**2) / (2 * q)) ** 2 if q > 1e-9 else np.inf
    t = (np.arange(points) + 0.5) / points
    if last <= highest:  # inverse roots at both ends go away with x = cos
        low, high = np.log(first), np.log(last)
        x = 0.5 * (low + high) - 0.5 * (high - low) * np.cos(np.pi * t)
        dx = 0.5 * (high - low) * np.pi * np.sin(np.pi * t) / points
    else:
        low, high = np.log(first), np.log(highest)
        if high <= low:
            return np.empty(0, complex), np.empty(0)
        x, dx = low + (high - low) * t**2, 2 * (high - low) * t / points
    k = np.exp(x)
    k4 = (np.sqrt(k) + q) ** 2
    cosine = np.clip((k4**2 - k**2 - size**2) / (2 * k * size), -1, 1)
    sine = np.sqrt(1 - cosine**2)
    good = sine > 1e-9
    k, k4, cosine, sine, dx = k[good], k4[good], cosine[good], sine[good], dx[good]
    # ∫ δ dk2 = ∫ k dk dφ δ(√k4 - √k - q), d√k4/dφ = k P sin φ/(2 k4^1.5)
    return p / size * k * (cosine + 1j * sine), dx * k * 2 * k4**1.5 / (size * sine)


class Grid:
    """Frequencies (Hz) in a geometric series and directions (rad) all around."""

    def __init__(self, first, ratio, frequencies, directions):
        self.ratio, self.directions = ratio, directions
        self.frequency = first * ratio ** np.arange(frequencies)
        self.direction = 2 * np.pi * np.arange(directions) / directions
        self.sigma = 2 * np.pi * self.frequency
        self.wave_number = self.sigma**2 / GRAVITY
        self.width = self.frequency * np.log(ratio)

    def place(self, k):
        """Of wave numbers, relative to one at the origin of the grid: rows below, share of the next row that is linear in frequency, columns
        and share of the next one."""
        ratio = np.sqrt(abs(k))
        row = np.floor(np.log(ratio) / np.log(self.ratio) + 1e-12).astype(int)
        low = self.ratio ** row.astype(float)
        column = np.angle(k) * self.directions / (2 * np.pi)
        whole = np.floor(column).astype(int)
        return row, (ratio - low) / (low * (self.ratio - 1)), whole, column - whole


def shifted(values, row, column):
    """values[i + row, j + column]; 0 beyond the rows."""
    values = np.roll(values, -column, axis=1)
    result = np.zeros_like(values)
    rows = len(values)
    if abs(row) < rows:
        result[max(0, -row) : rows - max(0, row)] = values[max(0, row) : rows + min(0, row)]
    return result


def transfer(grid, energy, points=12):
    """S (m² s rad⁻¹ s⁻¹) of E(f, θ) (m² s rad⁻¹), [f, θ]."""
    k = grid.wave_number[:, None]
    # F(k) dk dθ k = E df dθ, df/dk = cg/2π, cg = g/2σ
    to_action = GRAVITY / grid.sigma[:, None] * GRAVITY / (4 * np.pi * grid.sigma[:, None] * k)
    level = energy * to_action * k**4  # even in the tail
    inverse = k**-4.0
    cell = k * grid.direction[1] * (2 * k * np.log(grid.ratio))  # k dθ dk
    highest = grid.wave_number[-1] / grid.wave_number
    gained = np.zeros_like(energy)
    rows = len(energy)

    def around(place, which):
        row, part, column, side = (value[which] for value in place)
        return [
            (row + up, column + on, (part if up else 1 - part) * (side if on else 1 - side))
            for up in (0, 1)
            for on in (0, 1)
        ]

    for down in range(rows):
        ratio3 = grid.ratio ** (-2.0 * down)
        # Every row has its own highest wave; the curve is that of the lowest row.
        for turn in range(grid.directions):
            if down == 0 and turn == 0:
                continue
            k1, k3 = 1 + 0j, ratio3 * np.exp(1j * grid.direction[turn])
            k2, weight = curve(k1, k3, points, highest[down])
            if len(k2) == 0:
                continue
            k2 = np.concatenate([k2, (k1 - k3) / np.conj(k1 - k3) * np.conj(k2)])
            weight = np.concatenate([weight, weight])
            k4 = k1 + k2 - k3
            strength = 4 * np.pi * weight * coupling(k1 + 0 * k2, k2, k3 + 0 * k2, k4) ** 2
            place2, place4 = grid.place(k2), grid.place(k4)
            n1, n3 = level * inverse, shifted(level * inverse, -down, turn)
            size3 = shifted(cell, -down, 0)
            # T ∝ k³, √k in the frequencies: G² ds/|Δcg| dk3 ∝ k^6 k^1.5/√g · dk3
            scale = cell * size3 * k**7.5 / np.sqrt(GRAVITY)
            for which in np.flatnonzero(strength > 0):
                about2, about4 = around(place2, which), around(place4, which)
                n2 = sum(w * shifted(level, row, column) for row, column, w in about2) * (
                    inverse / abs(k2[which]) ** 4
                )
                n4 = sum(w * shifted(level, row, column) for row, column, w in about4) * (
                    inverse / abs(k4[which]) ** 4
                )
                moved = 0.25 * strength[which] * scale * (n3 * n4 * (n1 + n2) - n1 * n2 * (n3 + n4))
                moved *= 1 if down == 0 else 2  # k1 and k3 stand for each other
                gained += moved - shifted(moved, down, -turn)
                for about, sign in ((about2, 1), (about4, -1)):
                    for row, column, w in about:
                        gained += sign * w * shifted(moved, -row, -column)
    return gained / cell / to_action
