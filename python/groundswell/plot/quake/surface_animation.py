"""`plot animation` of an earthquake's surface: relief, coast and frame drawn once, the moving ground over them, as a GIF or an MP4."""

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from PIL import Image

from groundswell.errors import refuse
from groundswell.plot.film import write_film
from groundswell.plot.quake import colours, sheet
from groundswell.plot.quake.surface_map import (
    add_marks,
    extreme,
    notes_of,
    place_of,
    scale_of,
    sheet_options,
)

DPI, WIDTH, TALLEST = 100, 5.6, 6.4  # inches of the map
MOST_SAMPLES = 2_000_000  # values from which the scale is chosen
EXACT = ((255, 255, 255), (0, 0, 0), (255, 217, 47))
EXAMPLES = 6  # frames from which the palette is chosen


class Frames:
    """Draws one record after another; `draw` returns an image of red, green, blue."""

    def __init__(self, file, name, scale, options):
        self.file, self.scale = file, scale
        field = file.field(name)
        self.ground, size = sheet.ground_of(file.mesh, options["region"], WIDTH, TALLEST, DPI)
        self.page = sheet.Sheet(self.ground, size, DPI)
        self.canvas = FigureCanvasAgg(self.page.figure)
        self.page.colour(scale, np.zeros(len(file.mesh.corners)), field.long_name)
        add_marks(self.page.axes, self.page.layer, file, options)
        longest = max((self.said(record) for record in range(len(file.times))), key=len)
        what = field.long_name[:1].upper() + field.long_name[1:]
        notes = (notes_of(self.ground, options["epicentre"]),)
        self.when = self.page.title(file.title, what, longest, notes)
        axes = self.page.axes
        over = [a for a in (*axes.collections, *axes.texts, *axes.lines, *axes.spines.values())]
        self.moving = [self.page.image, *sorted(over, key=lambda artist: artist.get_zorder()), self.when]
        for artist in self.moving:
            artist.set_animated(True)
        self.canvas.draw()
        self.background = self.canvas.copy_from_bbox(self.page.figure.bbox)

    def said(self, record):
        return f"{self.file.times[record]:.2f} s after the start"

    def draw(self, record, values):
        self.canvas.restore_region(self.background)
        self.page.image.set_data(sheet.painted(self.ground, self.scale, values))
        self.when.set_text(self.said(record))
        for artist in self.moving:
            artist.draw(self.canvas.get_renderer())
        return Image.fromarray(np.asarray(self.canvas.buffer_rgba())[..., :3])


def palette(images):
    """One palette for all frames: paper, ink and star as they are; rare colours of the examples, as those of a small strong wave, count almost as much as the
    many of the relief. One place of 256 stays free for what does not change from frame to frame."""
    seen = np.concatenate([np.asarray(image).reshape(-1, 3) for image in images]) | 3
    colours, count = np.unique(seen, axis=0, return_counts=True)
    many = np.repeat(colours, np.ceil(count**0.45).astype(int), axis=0)
    others = Image.fromarray(many[None, :, :].astype(np.uint8)).quantize(
        255 - len(EXACT), method=Image.Quantize.MEDIANCUT, kmeans=1
    )
    # Those nearly alike would be taken for the exact ones here and there: they make room.
    others, exact = np.array(others.getpalette()).reshape(-1, 3)[: 255 - len(EXACT)], np.array(EXACT)
    others = others[np.abs(others[:, None, :] - exact[None, :, :]).max(axis=-1).min(axis=1) > 8]
    found = Image.new("P", (1, 1))
    found.putpalette([*exact.ravel().tolist(), *others.ravel().tolist()])
    return found


def animate(file, name, path, every=1, rate=8.0, options=None, progress=None):
    """Write the GIF or MP4; returns (Frames, summary)."""
    options = options or sheet_options()
    field = file.field(name)
    if name in file.still:
        refuse(
            "command line", "--field", name, "a field with times, such as vz; this one is of the whole run"
        )
    if not len(file.times):
        refuse(file.path, "time", "(no record)", "at least one record")
    records = list(range(0, len(file.times), every))
    sparse = max(1, len(records) * len(file.mesh.corners) // MOST_SAMPLES)
    samples = np.concatenate([values[::sparse] for values in file.each(name, records)])
    frames = Frames(file, name, scale_of(file, name, samples, options["limits"]), options)
    chosen = [records[k] for k in np.unique(np.linspace(0, len(records) - 1, EXAMPLES).astype(int))]
    best = {"extreme": None}

    def pictures():
        for number, (record, values) in enumerate(zip(records, file.each(name, records)), 1):
            yield frames.draw(record, values)
            value, face = extreme(file, frames.ground, values)
            if face is not None and (best["extreme"] is None or abs(value) > abs(best["extreme"])):
                at = {"face": face + 1, **place_of(file.mesh, face)}
                best.update(extreme=value, extreme_at=at, extreme_time=float(file.times[record]))
            if progress:
                progress(f"frame {number} of {len(records)}")

    def examples():
        return palette([frames.draw(record, file.read(name, record)) for record in chosen])

    count = write_film(path, pictures(), rate, examples)
    return frames, {
        "field": name,
        "unit": field.unit,
        "limits": colours.limits_of(frames.scale),
        "frames": count,
        "first": float(file.times[records[0]]),
        "last": float(file.times[records[-1]]),
        **best,
    }
