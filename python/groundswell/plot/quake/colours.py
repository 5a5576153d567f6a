"""Colours of the moving ground: velocities about zero, peaks by factors, intensities by class; and relief beneath them."""

import dataclasses

import matplotlib
import numpy as np
from matplotlib.colors import BoundaryNorm, Colormap, FuncNorm, ListedColormap, Normalize

from groundswell.plot.quake import intensity

G = 9.80665  # m/s²
# How peaks are told: unit → (factor, unit).
PEAKS = {"m s-1": (100.0, "cm s-1"), "m s-2": (100.0 / G, "% g"), "m": (100.0, "cm")}
# (from this on, factor, what stands before the unit) in which lengths, velocities and accelerations are told.
SMALLER = ((1.0, 1.0, ""), (1e-3, 100.0, "c"), (0.0, 1e6, "µ"))
STEPS = (1.0, 2.0, 5.0)
ENDS = (1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)
MOST_BANDS = 11
ROBUST = 99.5  # the percentage of all values that a scale of velocity shows; the rest is told by its arrows
SUN = np.radians(315.0)  # the bearing that light comes from
SEA, LAND = np.array([0.76, 0.82, 0.88]), np.array([0.90, 0.885, 0.855])


@dataclasses.dataclass
class Scale:
    """Meaning of a colour. Values are multiplied by `factor` to `unit`. Where `signed`, what
    moves little lets the relief below be seen."""

    colours: Colormap
    norm: Normalize
    factor: float = 1.0
    unit: str = ""
    ticks: list | None = None
    labels: list | None = None
    extend: str = "neither"
    signed: bool = False

    def paint(self, values):
        """[row, column, 4] red, green, blue, cover of values in SI; what moves little covers little."""
        scaled = self.factor * values
        colour = np.array(self.colours(self.norm(np.ma.masked_invalid(scaled))))
        if self.signed:
            largest = max(abs(self.norm.vmin), abs(self.norm.vmax))
            colour[..., 3] = np.clip(1.5 * np.sqrt(np.abs(scaled) / largest) - 0.06, 0.0, 0.94)
        colour[~np.isfinite(values), 3] = 0.0
        return colour


def rounded(value):
    """The next round number at or above."""
    power = 10.0 ** np.floor(np.log10(value))
    return next(step * power for step in ENDS if step * power >= value * (1 - 1e-9))


def root(values):
    """Signed square roots: waves far from the source are seen beside those above it."""
    return np.sign(values) * np.sqrt(np.abs(values))


def square(values):
    return np.sign(values) * np.square(values)


def root_ticks(highest):
    """Round numbers from the highest down, about evenly apart in their roots."""
    found, power = [highest], 10.0 ** np.floor(np.log10(highest))
    every = [step * power / decade for decade in (1.0, 10.0, 100.0) for step in reversed(STEPS)]
    for tick in every:
        if 0.04 * highest < tick <= found[-1] / 2:
            found.append(tick)
    return found


def of_motion(samples, limits=None, signed=True, unit="m s-1"):
    """By roots, about zero and the same to both sides; samples are values of the faces and times that are drawn."""
    size = np.abs(samples[np.isfinite(samples)])
    highest = float(size.max(initial=0.0))
    if limits:
        low, high = limits
    else:
        moving = size[size > 0.01 * highest]
        high = rounded(np.percentile(moving, ROBUST)) if len(moving) else 1.0
        low = -high if signed else 0.0
    largest = max(abs(low), abs(high))
    factor, before = (
        next(((f, b) for least, f, b in SMALLER if largest >= least)) if unit in PEAKS else (1.0, "")
    )
    unit = before + unit
    beyond = highest > largest * (1 + 1e-9)
    norm = FuncNorm((root, square), factor * low, factor * high)
    steps = root_ticks(factor * largest)
    inside = [
        t
        for t in (*(-t for t in steps), 0.0, *reversed(steps))
        if factor * low * (1 + 1e-9) <= t <= factor * high * (1 + 1e-9)
    ]
    if signed and low < 0 < high:
        colours, extend = matplotlib.colormaps["RdBu_r"], "both" if beyond else "neither"
    else:
        colours, extend = matplotlib.colormaps["magma_r"], "max" if beyond else "neither"
    labels = [f"{tick:.3g}".replace("-", "−") for tick in inside]
    return Scale(colours, norm, factor, unit, inside, labels, extend, signed=True)


def of_peaks(values, unit, limits=None):
    """Bands at 1, 2, 5, 10 …: shaking differs by factors."""
    factor, unit = PEAKS.get(unit, (1.0, unit))
    known = factor * values[np.isfinite(values) & (values > 0)]
    if limits:
        low, high = factor * limits[0], factor * limits[1]
        low = low if low > 0 else high / 1000
    elif len(known):
        high = rounded(known.max())
        low = max(np.percentile(known, 1), high * 1e-3)
    else:
        low, high = 0.1, 1.0
    powers = range(int(np.floor(np.log10(low))) - 1, int(np.ceil(np.log10(high))) + 1)
    every = np.array([step * 10.0**power for power in powers for step in STEPS])
    above = every[every >= high * (1 - 1e-9)]
    last = int(np.flatnonzero(every == above[0])[0])
    first = max(int(np.searchsorted(every, low * (1 + 1e-9))) - 1, last - MOST_BANDS, 0)
    levels = every[first : last + 1]
    below = len(known) and known.min() < levels[0] * (1 - 1e-9)
    over = len(known) and known.max() > levels[-1] * (1 + 1e-9)
    extend = {(0, 0): "neither", (1, 0): "min", (0, 1): "max", (1, 1): "both"}[int(below), int(over)]
    chosen = matplotlib.colormaps["magma_r"](np.linspace(0.02, 0.88, 256))
    colours = ListedColormap(chosen)
    norm = BoundaryNorm(levels, colours.N, extend=extend)
    return Scale(colours, norm, factor, unit, list(levels), [f"{level:g}" for level in levels], extend)


def of_range(samples, unit, limits=None, signed=False):
    """Even steps from 0 to the highest, or about 0; values from high up are told from 0 only where 0 is near."""
    known = samples[np.isfinite(samples)]
    highest = float(np.abs(known).max(initial=0.0)) or 1.0
    signed = signed and known.size > 0 and known.min() < -0.02 * highest
    if limits:
        low, high = limits
    else:
        high = (
            rounded(np.percentile(np.abs(known), ROBUST) if known.size else 1.0)
            if known.size and known.any()
            else 1.0
        )
        low = -high if signed else 0.0
        if not signed and known.size and known.min() > 0.5 * known.max():
            low, high = float(known.min()), float(known.max())
        if not signed and known.size and known.max() < 0:
            low, high = float(known.min()), float(known.max())
        middle, least = 0.5 * (low + high), 0.02 * max(abs(low), abs(high), 1e-30)
        if high - low < 2 * least:  # what hardly differs is not told apart
            low, high = middle - least, middle + least
    factor, before = LARGER.get(unit, lambda size: (1.0, ""))(max(abs(low), abs(high)))
    norm = Normalize(factor * low, factor * high)
    name = "RdBu_r" if signed else "magma_r"
    below, above = (
        known.min(initial=low) < low - 1e-9 * highest,
        known.max(initial=high) > high + 1e-9 * highest,
    )
    extend = {(0, 0): "neither", (1, 0): "min", (0, 1): "max", (1, 1): "both"}[int(below), int(above)]
    return Scale(matplotlib.colormaps[name], norm, factor, before + unit, extend=extend)


def of_share(limits=None):
    """Colours of a share of 1: red where it is passed."""
    low, high = limits or (0.0, 1.2)
    chosen = matplotlib.colormaps["Spectral_r"]
    return Scale(chosen, Normalize(low, high), 1.0, "1", extend="both")


# In which units stress is told, by its size.
LARGER = {
    "Pa": lambda size: next(
        ((f, b) for least, f, b in ((1e5, 1e-6, "M"), (1e2, 1e-3, "k"), (0.0, 1.0, "")) if size >= least)
    )
}


def limits_of(scale):
    """Limits of the colours, in SI."""
    edges = getattr(scale.norm, "boundaries", (scale.norm.vmin, scale.norm.vmax))
    return [float(edges[0] / scale.factor), float(edges[-1] / scale.factor)]


def of_intensity():
    """Classes I to X, as on the maps of the U.S. Geological Survey."""
    edges = np.arange(len(intensity.COLOURS) + 1) + 0.5
    colours = ListedColormap(intensity.COLOURS)
    ticks = list(np.arange(1, len(intensity.COLOURS) + 1))
    labels = [*intensity.ROMAN[:-1], "X+"]
    return Scale(colours, BoundaryNorm(edges, colours.N), 1.0, "MMI", ticks, labels)


def relief(height, metres):
    """([row, column, 3] relief, [row, column] its light, −1 to 1): lit from north-west, blue-grey below the sea, warm grey above;
    a pixel is `metres` wide. Light is told by the slope towards the sun, as a share of the steepest tenth of the slopes."""
    known = np.where(np.isfinite(height), height, np.nanmean(height))
    south, east = np.gradient(known, metres)
    towards = east * -np.sin(SUN) + south * np.cos(SUN)
    steep = np.percentile(np.hypot(east, south), 90)
    light = np.tanh(towards / steep) if steep > 1e-6 else np.zeros(height.shape)
    ground = np.where((known < 0)[..., None], SEA, LAND)
    return np.clip(ground * (1.0 + 0.16 * light[..., None]), 0.0, 1.0), light


def over(ground, light, colour, shaded):
    """Colours over the relief; `shaded` ones keep a little of its light, where they cover it wholly."""
    cover = colour[..., 3:]
    lit = 1.0 + 0.07 * light[..., None] * shaded
    return np.clip(ground * (1 - cover) + np.clip(colour[..., :3] * lit, 0, 1) * cover, 0.0, 1.0)
