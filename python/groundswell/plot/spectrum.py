"""`plot spectrum`: the directional spectrum of a point, on a compass rose."""

import matplotlib
import numpy as np
from matplotlib.colors import BoundaryNorm
from matplotlib.figure import Figure

from groundswell.plot.labels import HALO, fit
from groundswell.plot.source import clock, iso, lead, place_text
from groundswell.plot.source import degrees as angle_text

LEVELS = np.array([0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0])
RINGS = (0.05, 0.1, 0.2, 0.4)  # Hz
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
        (f"Hs {spectrum.height:.2f} m, {peak}", 0.871, {"size": 10}),
    ):
        fit(figure.text(0.06, height, text, **style), 0.88 * figure.get_figwidth())
    figure.text(0.06, 0.02, CONVENTION, size=9, color="0.25")
    return figure, {
        "field": "efth",
        "unit": "m2 s rad-1",
        "time": iso(time),
        "station": file.numbers[index],
        "name": file.names[index],
        "lon": float(file.lon[index]),
        "lat": float(file.lat[index]),
        "hs": spectrum.height,
        "min": float(spectrum.density.min()),
        "max": float(spectrum.density.max()),
        "max_at": {"period": period, "bearing": bearing} if np.isfinite(period) else None,
        "limits": [float(levels[0]), float(levels[-1])],
    }
