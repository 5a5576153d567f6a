"""`plot animation`: the records of a field one after another in a GIF or an MP4.

What stays (land, frame, colour bar) is drawn once; a frame redraws cells, coast, arrows, storm and time over it. All frames
of a GIF share one palette that holds the colours of the scale.
"""

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from PIL import Image

from groundswell.plot import arrows, chart, maps
from groundswell.plot.film import write_film
from groundswell.plot.places import add_places
from groundswell.plot.scale import CALM, make_scale
from groundswell.plot.source import iso

WIDTH, DPI = 8.0, 100
ADAPTIVE = 160  # colours of the palette chosen from a frame, for edges of letters and lines


class Frames:
    """Draws one record after another; `draw` returns an image of red, green, blue."""

    def __init__(
        self, file, field, scale, track=None, waves=False, wind=False, offset=0.0, highest=None, places=None
    ):
        self.file, self.track, self.offset = file, track, offset
        self.highest = highest
        self.sheet = chart.Chart(file.shape, WIDTH, DPI)
        axes = self.sheet.axes
        self.canvas = FigureCanvasAgg(self.sheet.figure)
        self.sheet.colour(np.zeros(len(file.shape.lon)), scale, chart.label(field))
        self.sheet.cells.set(linewidths=0, antialiaseds=False)
        _, _, self.when = self.sheet.title(
            file.title,
            chart.capital(field.long_name),
            # The longest that it will be, so that all frames have one size of type.
            max((maps.when_text(file, time, offset) for time in file.times), key=len),
            maps.notes(file, field, waves, wind, None, ""),
        )
        nothing = np.zeros(len(file.shape.lon))
        self.of_waves, self.of_wind = maps.arrow_grids(file.shape, waves, wind, 24)
        self.waves = self.wind = key = None
        if waves:
            self.waves = arrows.add_waves(axes, self.of_waves, *arrows.wave_arrows(self.of_waves, nothing))
            key = arrows.add_wave_key(axes, self.waves, highest) if highest else None
        if wind:
            self.wind = arrows.add_wind(axes, self.of_wind, nothing, nothing)
        self.most = maps.add_most(axes, field, {"max": None}) if not field.bearing else None
        self.field = field
        self.way = self.here = None
        if track:
            axes.plot(track.lon, track.lat, color="black", linewidth=0.6, linestyle=(0, (2, 2)), zorder=4)
            (self.way,) = axes.plot([], [], color="black", linewidth=1.3, marker="o", markersize=3, zorder=5)
            (self.here,) = axes.plot(
                [],
                [],
                marker="o",
                markersize=9,
                markerfacecolor="crimson",
                markeredgecolor="white",
                markeredgewidth=1.4,
                zorder=6,
            )
            self.sheet.labels.keep_free(track.lon, track.lat)
        if places:
            add_places(axes, self.sheet.labels, places)
        moving = [
            *axes.collections,
            *axes.texts,
            *axes.lines,
            *axes.get_xgridlines(),
            *axes.get_ygridlines(),
            *axes.spines.values(),
            key,
            self.when,
        ]
        self.moving = sorted(
            (artist for artist in moving if artist is not None), key=lambda artist: artist.get_zorder()
        )
        for artist in self.moving:
            artist.set_animated(True)
        self.canvas.draw()
        self.background = self.canvas.copy_from_bbox(self.sheet.figure.bbox)

    def draw(self, record, values):
        time = self.file.times[record]
        self.canvas.restore_region(self.background)
        self.sheet.cells.set_array(chart.of_polygons(self.file.shape, values))
        self.when.set_text(maps.when_text(self.file, time, self.offset))
        if self.most is not None:
            self.most.set_text(maps.most_text(self.field, maps.summary(self.file, self.field, values)))
        if self.waves is not None:
            self.waves.set_UVC(*maps.wave_arrows(self.file, self.of_waves, record, self.highest))
        if self.wind is not None:
            blown = (self.file.read(part, record)[self.of_wind.cell] for part in ("u10", "v10"))
            self.wind.set_UVC(*(speed / arrows.KNOT for speed in blown))
        if self.track:
            place = self.track.at(time)
            self.way.set_data(*self.track.until(time))
            self.here.set_data(*([[p] for p in place] if place else ([], [])))
        for artist in self.moving:
            artist.draw(self.canvas.get_renderer())
        return Image.fromarray(np.asarray(self.canvas.buffer_rgba())[..., :3])


def palette(scale, image):
    """A palette image: every colour of the scale, of land, calm and storm exactly, the others from an example."""
    low, high = scale.limits
    bands = (np.asarray(scale.norm.boundaries[:-1]) + np.asarray(scale.norm.boundaries[1:])) / 2
    shown = scale.colours(scale.norm(np.concatenate([bands, [low - 1, high + 1]])))[:, :3]
    plain = np.array([to_rgb(colour) for colour in (chart.LAND, CALM, "black", "crimson")])
    exact = np.rint(255 * np.concatenate([shown, plain])).astype(int).ravel().tolist()
    others = image.quantize(ADAPTIVE, method=Image.Quantize.MEDIANCUT).getpalette()[: 3 * ADAPTIVE]
    # Those nearly alike would be taken for the exact ones here and there: they make room.
    others, known = np.array(others).reshape(-1, 3), np.array(exact).reshape(-1, 3)
    others = others[np.abs(others[:, None, :] - known[None, :, :]).max(axis=-1).min(axis=1) > 8]
    found = Image.new("P", (1, 1))
    found.putpalette((exact + others.ravel().tolist())[: 3 * 256])
    return found


def animate(
    file,
    name,
    path,
    every=1,
    rate=8.0,
    limits=None,
    track=None,
    waves=False,
    wind=False,
    offset=0.0,
    places=None,
    progress=None,
):
    """Write the GIF or MP4; returns (Frames, summary)."""
    field = file.field(name)
    records = list(range(0, len(file.times), every))
    low = high = np.nan
    seen = file.shape.seen()
    for values in file.each(name, records):
        if np.isfinite(values[seen]).any():
            low, high = np.fmin(low, np.nanmin(values[seen])), np.fmax(high, np.nanmax(values[seen]))
    highest = maps.highest_waves(file, records) if waves else None
    for part in ("u10", "v10") if wind else ():
        file.field(part, "--wind")
    scale = make_scale(low, high, limits, field.bearing, name)
    frames = Frames(file, field, scale, track, waves, wind, offset, highest, places)
    drawn = []

    def pictures():
        for number, (record, values) in enumerate(zip(records, file.each(name, records)), 1):
            yield frames.draw(record, values)
            drawn.append({"time": iso(file.times[record]), **maps.summary(file, field, values)})
            if progress:
                progress(f"frame {number} of {len(records)}")

    def colours():
        middle = records[len(records) // 2]
        return palette(scale, frames.draw(middle, file.read(name, middle)))

    count = write_film(path, pictures(), rate, colours)
    highest = max(drawn, key=lambda d: -np.inf if d["max"] is None else d["max"])
    return frames, {
        "field": name,
        "unit": field.unit,
        "limits": list(scale.limits),
        "frames": count,
        "first": drawn[0]["time"],
        "last": drawn[-1]["time"],
        "min": None if np.isnan(low) else float(low),
        "max": highest["max"],
        "max_at": highest.get("max_at"),
        "max_time": highest["time"],
    }
