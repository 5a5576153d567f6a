"""`plot spectrum`: the directional spectrum of a point, on a compass rose."""

import matplotlib
import numpy as np
from matplotlib.colors import BoundaryNorm
from matplotlib.figure import Figure

from groundswell.plot import chart
from groundswell.plot.source import clock, iso, place_text
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


def draw_spectrum(file, station, record, offset=0.0):
    """(Figure, summary) of one point's spectrum (number or name) in one record."""
    index = file.station(station)
    spectrum, time = file.spectrum(index, record), file.times[record]
    figure = Figure(figsize=(7.6, 7.4), dpi=120)
    axes = figure.add_axes((0.06, 0.08, 0.70, 0.74), projection="polar")
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
    axes.set_rlabel_position(67.5)
    for label in axes.get_yticklabels():
        label.set(size=8.5, path_effects=chart.HALO, ha="center", va="center")
    axes.set_xticks(np.radians(np.arange(0, 360, 45)), ["N", "NE", "E", "SE", "S", "SW", "W", "NW"])
    axes.grid(color="0.4", linewidth=0.5, alpha=0.5)
    bar = figure.colorbar(
        mesh, cax=figure.add_axes((0.84, 0.16, 0.028, 0.58)), ticks=levels, extend="min", extendfrac=0.04
    )
    bar.ax.set_yticklabels([f"{v:.3g}" for v in levels])
    bar.set_label("variance density, m² Hz⁻¹ rad⁻¹", size=10)
    period, bearing = spectrum.peak
    where = place_text(file.lon[index], file.lat[index])
    figure.text(0.06, 0.955, file.title, weight="bold", size=12.5)
    figure.text(0.06, 0.92, f"Wave spectrum, {file.names[index]} ({where}), {clock(time, offset)}", size=10)
    peak = (
        f"Tp {period:.1f} s, peak from {angle_text(bearing, '', '')}" if np.isfinite(period) else "no waves"
    )
    figure.text(0.06, 0.887, f"Hs {spectrum.height:.2f} m, {peak}", size=10)
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
