"""Colour scales: bands between round numbers, in a map of colours that suits the quantity."""

import dataclasses

import matplotlib
import numpy as np
from matplotlib.colors import BoundaryNorm, Colormap, LinearSegmentedColormap, ListedColormap
from matplotlib.ticker import MaxNLocator

from groundswell.errors import refuse

BANDS = 14
HEIGHTS = ("hs", "hs_sea", "hs_swell", "hs_mean")
FROM_ZERO = (*HEIGHTS, "wind")  # quantities whose nothing is calm
DEPTHS = np.array([0, 10, 20, 50, 100, 200, 500, 1000, 2000, 3000, 4000, 5000, 6000, 8000, 12000])  # m
SEAS = np.array(
    [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20, 25, 30]
)  # m: narrow below 4, where most of the sea is, and with the heights at which warnings begin among them
LOW_SEA = 4.0  # m: bands of one width are narrow enough up to here
ENDS = {
    (False, False): "neither",
    (True, False): "min",
    (False, True): "max",
    (True, True): "both",
}  # of the bar, by what lies beyond
CALM = "white"  # where a field has no value: a colour that is in no scale of the sea, and not that of land
SRGB = ((3.2406, -1.5372, -0.4986), (-0.9689, 1.8758, 0.0415), (0.0557, -0.2040, 1.0570))
COMPASS = {0: "N", 45: "NE", 90: "E", 135: "SE", 180: "S", 225: "SW", 270: "W", 315: "NW", 360: "N"}


@dataclasses.dataclass
class Scale:
    """Meaning of a colour; `extend` as of a colour bar: the ends that stand for anything beyond."""

    colours: Colormap
    norm: BoundaryNorm
    ticks: list
    extend: str
    labels: list | None = None

    @property
    def limits(self):
        return float(self.norm.boundaries[0]), float(self.norm.boundaries[-1])


def parse_limits(text):
    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        refuse("command line", "--limits", text, "two numbers, such as 0,12")
    if not low < high:
        refuse("command line", "--limits", text, "the lower before the higher")
    return low, high


def make_scale(low, high, limits=None, bearing=False, name=""):
    """A scale for values from low to high: round bands, from zero where that is near; `limits` are kept as they are given."""
    if bearing:
        levels = np.arange(0.0, 361.0, 22.5)
        bands = len(levels) - 1
        return Scale(
            ListedColormap(compass_colours((np.arange(bands) + 0.5) * 360 / bands)).with_extremes(bad=CALM),
            BoundaryNorm(levels, bands),
            list(COMPASS),
            "neither",
            list(COMPASS.values()),
        )
    if not np.isfinite([low, high]).all():
        low, high = 0.0, 1.0
    extend = "neither"
    if limits:
        below, above = low < limits[0], high > limits[1]
        extend = ENDS[below, above]
        inside = [v for v in _bands(name, *limits) if limits[0] < v < limits[1]]
        levels = np.array([limits[0], *inside, limits[1]])
    else:
        if name == "depth":
            return depth_scale(low, high)
        low = 0.0 if 0.0 <= low < (1.0 if name in FROM_ZERO else 0.1) * high else low
        levels = _bands(name, low, high if high > low else low + 1.0)
    colours = colour_map(name)
    return Scale(colours, BoundaryNorm(levels, colours.N, extend=extend), list(levels), extend)


def depth_scale(low, high):
    """Bands that widen with depth: what the waves feel is the shallow sea."""
    first = max(0, int(np.searchsorted(DEPTHS, low, side="right")) - 1)
    last = min(len(DEPTHS) - 1, max(first + 1, int(np.searchsorted(DEPTHS, high))))
    levels = DEPTHS[first : last + 1]
    colours = matplotlib.colormaps["YlGnBu"].with_extremes(bad=CALM)
    extend = ENDS[low < levels[0], high > levels[-1]]
    return Scale(colours, BoundaryNorm(levels, colours.N, extend=extend), list(levels), extend)


def _bands(name, low, high):
    if name in HEIGHTS and low < 1.0 and LOW_SEA < high <= SEAS[-1]:
        return SEAS[: int(np.searchsorted(SEAS, high)) + 1]
    return MaxNLocator(nbins=BANDS, steps=[1, 2, 2.5, 5, 10]).tick_values(low, high)


def colour_map(name):
    """Perceptually even (their lightness rises all the way) and safe for the colour-blind: the more, the brighter, so that
    what shines is the storm and not the calm. They begin above black: a coast stays readable."""
    begin, end, base = (0.2, 1.0, "viridis") if name in FROM_ZERO else (0.12, 0.95, "plasma")
    if name == "spacing":
        begin, end, base = 0.0, 0.95, "viridis_r"  # fine cells are what matters
    chosen = matplotlib.colormaps[base](np.linspace(begin, end, 64))
    return LinearSegmentedColormap.from_list(f"groundswell_{base}", chosen, 256).with_extremes(bad=CALM)


def compass_colours(bearing):
    """[.., 3] red, green, blue of bearings: once around the hues of CIELAB at one lightness and chroma, north blue, east green,
    south ochre, west rose. None is grey, as land is, and neighbours are equally unlike everywhere."""
    hue = np.radians(265.0 - np.asarray(bearing, float))
    y = np.full(hue.shape, (66.0 + 16.0) / 116.0)
    lab = np.stack([y + 44.0 * np.cos(hue) / 500.0, y, y - 44.0 * np.sin(hue) / 200.0], axis=-1)
    xyz = np.where(lab > 6 / 29, lab**3, 3 * (6 / 29) ** 2 * (lab - 4 / 29)) * (0.9505, 1.0, 1.089)
    # CIE XYZ to sRGB, IEC 61966-2-1.
    linear = np.clip(xyz @ np.array(SRGB).T, 0.0, 1.0)
    return np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
