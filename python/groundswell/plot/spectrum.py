"""`plot spectrum`: the directional spectrum of a point, on a compass rose."""

import dataclasses

import matplotlib
import numpy as np
from matplotlib.colors import BoundaryNorm
from matplotlib.figure import Figure

from groundswell.plot.labels import HALO, fit
from groundswell.plot.source import clock, iso, lead, place_text
from groundswell.plot.source import degrees as angle_text

LEVELS = np.array([0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0])
RINGS = (0.05, 0.1, 0.2, 0.4)  # Hz
WIND_SEA = 1.7  # the wind feeds waves slower than this times its component along them: WAVEWATCH III's WSMULT, after Hanson and
# Phillips 2001, J. Atmos. Oceanic Technol. 18, 277
GRAVITY = 9.80665  # m s⁻²
LINE = " Red: the wind; outside the line it feeds waves."
CONVENTION = "The angle is the bearing that waves come from, clockwise from north."


def make_levels(highest):
    """Bands of variance density, three decades below a round number that no value exceeds."""
    if not highest > 0:
        return LEVELS
    decade = 10.0 ** np.floor(np.log10(highest))
    return next(LEVELS * decade * top for top in (1, 2, 5, 10) if decade * top >= highest)


def quietest(spectrum):
    """The bearing half-way between two spokes of the rose around which there is least energy, and of several the one farthest
    from it: there the rings have their names."""
    between = np.arange(22.5, 360.0, 45.0)
    apart = np.abs((spectrum.bearing[None, :] - between[:, None] + 180.0) % 360.0 - 180.0)
    near = (apart <= 20.0) + 1e-3 * (1 + np.cos(np.radians(apart)))
    return float(between[np.argmin(near @ spectrum.density.sum(axis=0))])


def slowest_swell(wind, bearing):
    """Frequency (Hz) above which waves from `bearing` (degrees) are wind sea in deep water: where they are no faster than
    WIND_SEA times the wind's component along them, c = g/(2π f); infinite against the wind."""
    along = WIND_SEA * wind.speed * np.cos(np.radians(bearing - wind.bearing))
    with np.errstate(divide="ignore"):
        return np.where(along > 0, GRAVITY / (2 * np.pi * np.maximum(along, 1e-12)), np.inf)


def add_wind(axes, wind, first, outermost):
    """An arrow at the rim from where the wind blows, and the line beyond which it feeds the waves; returns whether that is seen."""
    bearing = wind.bearing + np.linspace(-89.0, 89.0, 179)
    radius = np.log(slowest_swell(wind, bearing) / first) + 0.25
    shown = (radius > 0) & (radius < outermost)
    axes.plot(np.radians(bearing[shown]), radius[shown], color="crimson", linewidth=1.2, zorder=4)
    towards = np.radians(wind.bearing)
    axes.annotate(
        "",
        xy=(towards, 0.80 * outermost),
        xytext=(towards, 0.99 * outermost),
        arrowprops={"arrowstyle": "-|>", "color": "crimson", "linewidth": 2.0, "mutation_scale": 18},
        zorder=5,
    )
    return bool(shown.any())


def wind_text(wind):
    return "" if wind is None else f"; wind {wind.speed:.1f} m/s from {wind.bearing:.0f}°"


def draw_spectrum(file, station, record, offset=0.0):
    """(Figure, summary) of one point's spectrum (number or name) in one record."""
    index = file.station(station)
    spectrum, time = file.spectrum(index, record), file.times[record]
    figure = Figure(figsize=(7.6, 7.4), dpi=120)
    axes = figure.add_axes((0.06, 0.07, 0.70, 0.74), projection="polar")
    axes.set_theta_zero_location("N")
    axes.set_theta_direction(-1)
    # Rings as the logarithm of the frequency: as evenly spaced as the model's own, with a hole below the first.
    edges = np.sqrt(spectrum.frequency[1:] * spectrum.frequency[:-1])
    first, last = spectrum.frequency[0] ** 2 / edges[0], spectrum.frequency[-1] ** 2 / edges[-1]
    radius = np.log(np.concatenate([[first], edges, [last]]) / first) + 0.25
    step = 360.0 / len(spectrum.bearing)
    turned = np.radians(np.append(spectrum.bearing, spectrum.bearing[0] + 360.0) - step / 2)
    levels = make_levels(spectrum.density.max())
    colours = matplotlib.colormaps["YlGnBu"].with_extremes(under="white")
    mesh = axes.pcolormesh(
        turned, radius, spectrum.density, cmap=colours, norm=BoundaryNorm(levels, colours.N)
    )
    axes.set_ylim(0, radius[-1])
    rings = [f for f in RINGS if first < f < last]
    axes.set_yticks([np.log(f / first) + 0.25 for f in rings], [f"{f:g} Hz" for f in rings])
    axes.set_rlabel_position(quietest(spectrum))
    for label in axes.get_yticklabels():
        label.set(size=8.5, path_effects=HALO, ha="center", va="center")
    axes.set_xticks(np.radians(np.arange(0, 360, 45)), ["N", "NE", "E", "SE", "S", "SW", "W", "NW"])
    axes.grid(color="0.4", linewidth=0.5, alpha=0.5)
    wind = file.wind(index, record)
    line = wind is not None and wind.speed > 0 and add_wind(axes, wind, first, radius[-1])
    bar = figure.colorbar(
        mesh, cax=figure.add_axes((0.84, 0.16, 0.028, 0.58)), ticks=levels, extend="min", extendfrac=0.04
    )
    bar.ax.set_yticklabels([f"{v:.3g}" for v in levels])
    bar.set_label("variance density, m² Hz⁻¹ rad⁻¹", size=10)
    period, bearing = spectrum.peak
    where = place_text(file.lon[index], file.lat[index])
    said = f"Wave spectrum, {file.names[index]} ({where})"
    when = f"{lead(time, file.start)}   {time:%a} {clock(time, offset)}"
    peak = (
        f"Tp {period:.1f} s, peak from {angle_text(bearing, '', '')}" if np.isfinite(period) else "no waves"
    )
    for text, height, style in (
        (file.title, 0.96, {"weight": "bold", "size": 12.5}),
        (said, 0.929, {"size": 10}),
        (when, 0.90, {"size": 9.5, "color": "0.15"}),
        (f"Hs {spectrum.height:.2f} m, {peak}{wind_text(wind)}", 0.871, {"size": 10}),
    ):
        fit(figure.text(0.06, height, text, **style), 0.88 * figure.get_figwidth())
    said = CONVENTION + (LINE if line else "")
    fit(figure.text(0.06, 0.02, said, size=9, color="0.25"), 0.9 * figure.get_figwidth())
    return figure, {
        "field": "efth",
        "unit": "m2 s rad-1",
        "time": iso(time),
        "station": file.numbers[index],
        "name": file.names[index],
        "lon": float(file.lon[index]),
        "lat": float(file.lat[index]),
        "hs": spectrum.height,
        "wind": dataclasses.asdict(wind) if wind else None,
        "min": float(spectrum.density.min()),
        "max": float(spectrum.density.max()),
        "max_at": {"period": period, "bearing": bearing} if np.isfinite(period) else None,
        "limits": [float(levels[0]), float(levels[-1])],
    }
