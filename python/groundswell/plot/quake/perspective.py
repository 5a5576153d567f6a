"""`plot perspective`: the ground as the eye sees it from the side and above, with faults below it, at a time or as a film."""

import dataclasses

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from PIL import Image

from groundswell.errors import refuse
from groundswell.plot.film import write_film
from groundswell.plot.labels import HALO, fit, renderer_of
from groundswell.plot.quake import colours, fault_map, sheet
from groundswell.plot.quake.surface_animation import EXAMPLES, MOST_SAMPLES, palette
from groundswell.plot.quake.surface_map import is_signed, scale_of, seconds_text

WIDTH, HEIGHT, SIDE, TOP, BOTTOM = 9.2, 5.6, 1.35, 0.95, 0.35  # inches; SIDE: for the bars of colours
PIXELS, PIXELS_OF_FILM = 150, 100  # per inch
AWAY = 2.6  # the eye's distance from the middle, in halves of the diagonal of what is seen
COVER = 0.45  # of the ground where a fault is below it
FINER = 2  # pixels of a layer in one of the picture, each way, so that edges are smooth
STEEP = 0.02  # slope from which on the ground is lit as steep, after exaggeration
AIR = 1.03


@dataclasses.dataclass
class Eye:
    """Where it stands: `bearing` degrees clockwise from north as seen from the middle, `above` degrees over the horizon."""

    bearing: float = 200.0
    above: float = 30.0
    exaggerate: float = 1.0  # heights of the ground


class Camera:
    """Projects places in m, (x, y, z): the nearer the larger."""

    def __init__(self, low, high, eye):
        bearing, above = np.radians(eye.bearing), np.radians(eye.above)
        self.middle, radius = (low + high) / 2, max(np.linalg.norm(high - low) / 2, 1e-9)
        towards = np.array(
            [np.sin(bearing) * np.cos(above), np.cos(bearing) * np.cos(above), np.sin(above)]
        )  # from the middle to the eye
        right = np.array([-np.cos(bearing), np.sin(bearing), 0.0])
        self.axes = np.stack([right, np.cross(towards, right), towards])
        self.away = AWAY * radius

    def project(self, places):
        """([…, 2] on the picture, […] distance from the eye along its look), in m."""
        seen = (places - self.middle) @ self.axes.T
        far = self.away - seen[..., 2]
        return seen[..., :2] * (self.away / far)[..., None], far


def ground_colours(ground, height):
    """([face, 3] of the relief, [face] its light) of triangles [face, 3, 3]: as on maps, by slopes towards the sun, and by the
    height [face] the land and what is below the sea."""
    normal = np.cross(ground[:, 1] - ground[:, 0], ground[:, 2] - ground[:, 0])
    up = np.where(np.abs(normal[:, 2]) > 1e-30, normal[:, 2], np.inf)
    east, north = -normal[:, 0] / up, -normal[:, 1] / up
    steep = max(np.percentile(np.hypot(east, north), 90), STEEP)
    light = np.tanh(-(east * np.sin(colours.SUN) + north * np.cos(colours.SUN)) / steep)
    base = np.where((height < 0)[:, None], colours.SEA, colours.LAND)
    return np.clip(base * (1.0 + 0.16 * light[:, None]), 0.0, 1.0), light


class Layer:
    """Triangles [face, 3, 3] painted from far to near, as an image: one over another leaves no seams."""

    def __init__(self, corners, camera, limits, size):
        flat, far = camera.project(corners)
        self.order = np.argsort(-far.mean(axis=1), kind="stable")
        figure = Figure(figsize=(size[0] * FINER / 100, size[1] * FINER / 100), dpi=100)
        figure.patch.set_alpha(0.0)
        self.canvas = FigureCanvasAgg(figure)
        axes = figure.add_axes((0, 0, 1, 1), xlim=limits[0], ylim=limits[1])
        axes.set_axis_off()
        self.made = PolyCollection(flat[self.order], linewidths=0, antialiaseds=False)
        axes.add_collection(self.made, autolim=False)

    def image(self, shown):
        """[row, column, 4], 0 to 1, of colours [face, 3]."""
        self.made.set_facecolor(shown[self.order])
        self.canvas.draw()
        return np.asarray(self.canvas.buffer_rgba()) / 255.0


def first_words(text):
    """The name of a field, without what its long name explains after a colon."""
    return text.partition(":")[0]


def lesser(image):
    """A picture of so many pixels less, each their mean."""
    rows, columns = (n // FINER for n in image.shape[:2])
    return image.reshape(rows, FINER, columns, FINER, -1).mean(axis=(1, 3))


class Picture:
    """The scene: `paint` shows a record's values."""

    def __init__(
        self, file, field, scale, eye, fault=None, fault_field=None, fault_scale=None, pixels=PIXELS
    ):
        self.scale, self.fault_scale = scale, fault_scale
        ground = file.mesh.nodes.copy()
        middle = ground[:, 2].mean() if np.ptp(ground[:, 2]) > 0 else 0.0
        ground[:, 2] = middle + eye.exaggerate * (ground[:, 2] - middle)
        ground = ground[file.mesh.corners]
        low, high = ground.min(axis=(0, 1)), ground.max(axis=(0, 1))
        if fault is not None:
            low = np.minimum(low, fault.corner.min(axis=(0, 1)))
        self.camera = Camera(low, high, eye)
        self.figure = Figure(figsize=(WIDTH, HEIGHT), dpi=pixels)
        self.axes = self.figure.add_axes(
            (0.2 / WIDTH, BOTTOM / HEIGHT, 1 - (SIDE + 0.4) / WIDTH, 1 - (TOP + BOTTOM) / HEIGHT)
        )
        self.axes.set_axis_off()
        self.relief, self.light = ground_colours(ground, file.mesh.centres[:, 2])
        self.frame(low, high, fault is not None)
        limits = self.axes.get_xlim(), self.axes.get_ylim()
        size = [round(length) for length in self.axes.get_window_extent().size]
        self.surface = Layer(ground, self.camera, limits, size)
        self.below = Layer(fault.corner, self.camera, limits, size) if fault is not None else None
        blank = np.zeros((size[1], size[0], 4))
        self.image = self.axes.imshow(blank, extent=(*limits[0], *limits[1]), aspect="auto", zorder=2)
        self.bar(0 if fault is None else 1, scale, first_words(field.long_name))
        if fault is not None:
            self.bar(2, fault_scale, first_words(fault_field.long_name))

    def frame(self, low, high, has_depth):
        """The box under the ground, a bar of a round length along its nearest edge, and where north is."""
        corner = np.array([[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]])
        ring = lambda z: np.column_stack([corner, np.full(4, z)])[[0, 1, 2, 3, 0]]  # noqa: E731
        lines = [ring(low[2])]
        if has_depth:
            lines += [np.array([[*at, low[2]], [*at, high[2]]]) for at in corner]
        drawn = [self.camera.project(line)[0] for line in lines]
        for line in drawn:
            self.axes.plot(*line.T, color="0.55", linewidth=0.7, zorder=0.5)
        every = np.concatenate([self.camera.project(ring(z))[0] for z in (low[2], high[2])])
        # As long across as up and down.
        size = self.axes.get_window_extent().size
        half = AIR / 2 * max(np.ptp(every, axis=0) / size) * size
        middle = (every.min(axis=0) + every.max(axis=0)) / 2
        self.axes.set(
            xlim=(middle[0] - half[0], middle[0] + half[0]), ylim=(middle[1] - half[1], middle[1] + half[1])
        )
        place = np.column_stack([corner, np.full(4, low[2])])
        near = np.argsort(self.camera.project(place)[1])
        ends = place[near[0]], place[near[1]] if abs(near[0] - near[1]) in (1, 3) else place[near[2]]
        wide = np.linalg.norm(ends[1] - ends[0])
        length = next(s * 10.0**p for p in range(7, -4, -1) for s in (5, 2, 1) if s * 10.0**p <= 0.35 * wide)
        bar = np.array([ends[0], ends[0] + (ends[1] - ends[0]) / wide * length])
        start, end = self.camera.project(bar)[0]
        self.axes.plot([start[0], end[0]], [start[1], end[1]], color="black", linewidth=2.2, zorder=6)
        said = f"{length / 1000:g} km" if length >= 1000 else f"{length:g} m"
        self.axes.annotate(said, (start + end) / 2, (0, -4), textcoords="offset points", ha="center", va="top",
                           size=9, zorder=6, annotation_clip=False)  # fmt: skip
        top = np.array([(low[0] + high[0]) / 2, high[1], high[2]])
        self.axes.annotate("N", self.camera.project(top)[0], (0, 0), textcoords="offset points", ha="center",
                           va="center", size=10, weight="bold", path_effects=HALO, zorder=6)  # fmt: skip

    def bar(self, which, scale, text):
        """`which`: 0 the only one, 1 the upper, 2 the lower."""
        high = 1 - (TOP + BOTTOM + 0.3) / HEIGHT
        part = {0: (0.0, 0.8), 1: (0.54, 0.46), 2: (0.0, 0.46)}[which]
        box = (
            1 - (SIDE - 0.15) / WIDTH,
            (BOTTOM + 0.1) / HEIGHT + part[0] * high,
            0.17 / WIDTH,
            part[1] * high,
        )
        made = sheet.colour_bar(self.figure, self.figure.add_axes(box), scale, text)
        if which and scale.labels:  # half as high: those that stand close are left out
            last = max(abs(tick) for tick in scale.ticks)
            kept = [
                (t, said) for t, said in zip(scale.ticks, scale.labels) if t == 0 or abs(t) >= 0.12 * last
            ]
            made.set_ticks([t for t, _ in kept], labels=[said for _, said in kept])
        label, room = made.ax.yaxis.label, 1.1 * part[1] * high * HEIGHT
        tall = label.get_window_extent(renderer_of(self.figure)).height / self.figure.dpi
        label.set_size(label.get_size() * min(1.0, room / tall))

    def paint(self, values, of_fault=None):
        colour = self.scale.paint(values)
        shown = colours.over(self.relief, self.light, colour, shaded=not self.scale.signed)
        image = self.surface.image(shown)
        if of_fault is not None:
            painted = self.fault_scale.paint(of_fault)[:, :3]
            painted[~np.isfinite(of_fault)] = 0.82
            below = self.below.image(painted)
            through, bare = below[..., 3:] > 0.5, image[..., 3:] < 0.5
            share = np.where(through, np.where(bare, 0.0, COVER), 1.0)
            image = share * image + (1.0 - share) * below
        self.image.set_data(lesser(image))

    def title(self, name, what, when, note):
        room = WIDTH - 0.5
        for text, down, style in (
            (name, 0.34, {"weight": "bold", "size": 12.5}),
            (what, 0.60, {"size": 10.5}),
            (when, 0.83, {"size": 9.5, "color": "0.15"}),
        ):
            last = fit(self.figure.text(0.25 / WIDTH, 1 - down / HEIGHT, text, **style), room)
        if note:
            self.figure.text(1 - 0.15 / WIDTH, 0.12 / HEIGHT, note, size=8.5, color="0.25", ha="right")
        return last


class Scene:
    """A surface in perspective and, where some are given, faults below it."""

    def __init__(self, file, name, eye, limits=None, fault=None, fault_name=None, fault_limits=None):
        self.file, self.name, self.eye, self.limits = file, name, eye, limits
        self.fault, self.fault_name, self.fault_limits = fault, fault_name, fault_limits
        self.field = file.field(name)
        if fault is not None:
            fault.field(fault_name)

    def beside(self, seconds):
        """The fault's record nearest to a time of the surface."""
        return int(np.argmin(np.abs(self.fault.times - seconds)))

    def fault_values(self, seconds):
        return None if self.fault is None else self.fault.read(self.fault_name, self.beside(seconds))

    def picture(self, samples, fault_samples, pixels):
        fault_field = fault_scale = None
        if self.fault is not None:
            fault_field = self.fault.field(self.fault_name)
            fault_scale = fault_map.scale_of(
                self.fault_name, fault_samples, fault_field.unit, self.fault_limits
            )
        scale = scale_of(self.file, self.name, samples, self.limits)
        return Picture(self.file, self.field, scale, self.eye, self.fault, fault_field, fault_scale, pixels)

    def words(self):
        what = first_words(self.field.long_name)
        if self.fault is not None:
            what += f"; below, {first_words(self.fault.field(self.fault_name).long_name)}"
        note = f"heights × {self.eye.exaggerate:g}" if self.eye.exaggerate != 1.0 else ""
        return what[:1].upper() + what[1:], note

    def summary(self, picture):
        found = {
            "field": self.name, "unit": self.field.unit, "limits": colours.limits_of(picture.scale),
            "from": self.eye.bearing, "above": self.eye.above, "exaggerate": self.eye.exaggerate,
        }  # fmt: skip
        if self.fault is not None:
            found |= {"fault_field": self.fault_name, "fault_limits": colours.limits_of(picture.fault_scale)}
        return found

    def draw(self, seconds):
        """(Figure, summary) at a time, or of the whole run for fields that only grow or have no time."""
        file, name = self.file, self.name
        time = float(file.times[-1]) if seconds is None and len(file.times) else seconds
        if name in file.still:
            values, said = file.read(name), "the whole run"
        elif seconds is None and name not in file.peaks:
            refuse("command line", "--field", name, "--time SECONDS with a field that does not only grow")
        else:
            record = file.record(time)
            time = float(file.times[record])
            values, said = file.read(name, record), seconds_text(time)
        below = self.fault_values(time if time is not None else np.inf)
        picture = self.picture(values, below, PIXELS)
        picture.paint(values, below)
        what, note = self.words()
        picture.title(file.title, what, said, note)
        moved = np.abs(values[np.isfinite(values)])
        return picture.figure, {
            **self.summary(picture),
            "time": time,
            "extreme": float(moved.max(initial=0.0)),
        }

    def film(self, path, every, rate, progress=None):
        """Writes all records; returns the summary."""
        file, name = self.file, self.name
        if name in file.still or not len(file.times):
            refuse("command line", "--field", name, "a field with times for a film, such as vz")
        records = list(range(0, len(file.times), every))
        sparse = max(1, len(records) * len(file.mesh.corners) // MOST_SAMPLES)
        samples = np.concatenate([values[::sparse] for values in file.each(name, records)])
        below = None
        if self.fault is not None:
            those = sorted({self.beside(file.times[record]) for record in records})
            below = np.concatenate([self.fault.read(self.fault_name, record) for record in those])
        picture = self.picture(samples, below, PIXELS_OF_FILM)
        what, note = self.words()
        when = picture.title(file.title, what, f"{file.times[-1]:.2f} s after the start", note)
        canvas = FigureCanvasAgg(picture.figure)

        def frame(record, values):
            picture.paint(values, self.fault_values(file.times[record]))
            when.set_text(f"{file.times[record]:.2f} s after the start")
            canvas.draw()
            return Image.fromarray(np.asarray(canvas.buffer_rgba())[..., :3])

        def pictures():
            for number, (record, values) in enumerate(zip(records, file.each(name, records)), 1):
                yield frame(record, values)
                if progress:
                    progress(f"frame {number} of {len(records)}")

        def examples():
            chosen = [records[k] for k in np.unique(np.linspace(0, len(records) - 1, EXAMPLES).astype(int))]
            return palette([frame(record, file.read(name, record)) for record in chosen])

        count = write_film(path, pictures(), rate, examples)
        return {**self.summary(picture), "frames": count, "first": float(file.times[records[0]]),
                "last": float(file.times[records[-1]]), "signed": is_signed(name)}  # fmt: skip
