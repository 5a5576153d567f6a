"""`plot fault`: what a fault does, on the fault laid flat, with the front of the rupture and that of a reference."""

import dataclasses

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.tri import TriAnalyzer, Triangulation
from PIL import Image

from groundswell.errors import refuse
from groundswell.plot.film import write_film
from groundswell.plot.labels import fit
from groundswell.plot.quake import colours, sheet
from groundswell.plot.quake.fault_file import GROWING, rupture_times_of
from groundswell.plot.quake.surface_animation import palette
from groundswell.plot.source import three_figures, unit_text

WIDTH, LOWEST, TALLEST = 8.2, 1.2, 5.0  # inches of a fault
REFERENCE = "#1f9ed1"
EXAMPLES = 6  # frames from which the palette is chosen
BEFORE = ("shear", "strength", "closeness")
SIGNED = (
    *("slip_rate_strike", "slip_rate_dip", "slip_strike", "slip_dip", "traction_strike", "traction_dip"),
    *("traction_strike_change", "traction_dip_change", "normal_stress_change", "normal_velocity"),
)


@dataclasses.dataclass
class Choice:
    """`contours`: s between lines of equal rupture time, 0 for none, None for a round number."""

    fault: int = 1
    limits: tuple | None = None
    contours: float | None = None
    reference: str | None = None


def scale_of(name, values, unit, limits):
    if name == "closeness":
        return colours.of_share(limits)
    if name == "rupture_velocity" and limits is None:
        # Where a patch breaks at once the front has any speed; waves, which it can follow, have at most twice the usual one.
        known = values[np.isfinite(values)]
        limits = (0.0, colours.rounded(2 * np.median(known))) if known.any() else None
    return colours.of_range(values, unit, limits, signed=name in SIGNED)


class Page:
    """A fault laid flat, once or several times one below the other, and what does not change from picture to picture."""

    def __init__(self, file, choice, panels=1, shown=None):
        self.file, self.choice, self.flat = file, choice, file.flat(choice.fault)
        km = self.flat.corners / 1000.0
        low, high = km.reshape(-1, 2).min(axis=0), km.reshape(-1, 2).max(axis=0)
        self.whole = True
        if shown is not None and shown.any():
            # A fault of which little has moved is mostly one colour: that part, and a quarter of it around.
            part = km[shown].reshape(-1, 2)
            rim = 0.25 * (part.max(axis=0) - part.min(axis=0))
            near_low, near_high = (
                np.maximum(low, part.min(axis=0) - rim),
                np.minimum(high, part.max(axis=0) + rim),
            )
            if np.prod(near_high - near_low) < 0.5 * np.prod(high - low):
                low, high, self.whole = near_low, near_high, False
        ratio = (high[1] - low[1]) / (high[0] - low[0])
        most = TALLEST if panels == 1 else 2.6
        self.size = (WIDTH, WIDTH * ratio) if WIDTH * ratio <= most else (most / ratio, most)
        # Of a fault that is much longer than deep the depth is stretched, by a round number.
        self.stretch = max(1, round(LOWEST / self.size[1]))
        self.size = (self.size[0], self.size[1] * self.stretch)
        self.extent = (low[0], high[0], high[1], low[1])
        self.km, self.panels = km, panels
        left, right, top, bottom, self.head = 0.8, 1.25, 1.0, 0.65, 0.32
        inner = max(self.size[0], 4.5)
        self.left = left + (inner - self.size[0]) / 2
        self.total = (left + inner + right, top + panels * (self.size[1] + self.head) + bottom)
        self.top = top
        self.figure = Figure(figsize=self.total, dpi=120)

    def axes(self, panel=0):
        wide, high = self.total
        y = high - self.top - (panel + 1) * (self.size[1] + self.head) + self.head / 2
        made = self.figure.add_axes((self.left / wide, y / high, self.size[0] / wide, self.size[1] / high))
        made.set(xlim=self.extent[:2], ylim=self.extent[2:])
        made.tick_params(labelsize=9, length=3, labelbottom=panel == self.panels - 1)
        made.set_ylabel("down dip, km" + (f" (×{self.stretch})" if self.stretch > 1 else ""), size=9)
        if panel == self.panels - 1:
            made.set_xlabel("along strike, km", size=9)
        return made

    def bar(self, axes, scale, text):
        box = axes.get_position()
        bar = self.figure.add_axes((box.x1 + 0.15 / self.total[0], box.y0, 0.2 / self.total[0], box.height))
        made = sheet.colour_bar(self.figure, bar, scale, text)
        label = made.ax.yaxis.label
        if 0.075 * len(label.get_text()) > self.size[1] + 0.8:  # inches, about; the title says it in full
            label.set_text(label.get_text().removeprefix(f"{text}, "))

    def field(self, axes, scale, values):
        made = PolyCollection(self.km, edgecolors="face", linewidths=0.3)
        axes.add_collection(made)
        self.paint(made, scale, values)
        return made

    def paint(self, collection, scale, values):
        scaled = np.ma.masked_invalid(scale.factor * values[self.flat.faces])
        colour = scale.colours(scale.norm(scaled))
        colour[np.ma.getmaskarray(scaled)] = (0.93, 0.93, 0.93, 1.0)
        collection.set_facecolor(colour)
        collection.set_edgecolor(colour)

    def title(self, what, said, note=""):
        left, room = 0.8 / self.total[0], self.total[0] - 1.2
        name = self.file.title or "Rupture of a fault"
        for text, down, style in (
            (name, 0.34, {"weight": "bold", "size": 12.5}),
            (what, 0.60, {"size": 10.5}),
        ):
            fit(self.figure.text(left, 1 - down / self.total[1], text, **style), room)
        when = fit(self.figure.text(left, 1 - 0.84 / self.total[1], said, size=9.5, color="0.15"), room)
        east, north = self.flat.along[:2]
        ends = [
            "north" if abs(north) > abs(east) and up * north > 0
            else "south" if abs(north) > abs(east)
            else "east" if up * east > 0
            else "west"
            for up in (-1, 1)
        ]  # fmt: skip
        faults = f"; fault {self.choice.fault} of {len(self.file.parts)}" if len(self.file.parts) > 1 else ""
        geometry = f"strike {self.flat.strike:.0f}°, dip {self.flat.dip:.0f}°{faults}; {ends[0]} is left, {ends[1]} right"
        fit(
            self.figure.text(
                left, 0.16 / self.total[1], geometry + (f";  {note}" if note else ""), size=8.5, color="0.25"
            ),
            room,
        )
        return when


def round_step(longest):
    """A round number of s of which about eight fit into the longest time."""
    power = 10.0 ** np.floor(np.log10(longest / 8))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= longest / 8 * (1 - 1e-9))


def lines_of(axes, places, times, levels, **style):
    """Lines of equal time through values at places, km, that lie as they come."""
    if len(times) < 3:
        return None
    mesh = Triangulation(*places.T)
    # Long thin triangles bridge what has not ruptured.
    mesh.set_mask(TriAnalyzer(mesh).get_flat_tri_mask(0.02))
    inside = [level for level in levels if times.min() < level < times.max()]
    return axes.tricontour(mesh, times, levels=inside, **style) if inside else None


def add_front(page, axes, record, label=True):
    """Lines of the rupture time until a record, and of the reference; returns the distance between lines, s."""
    file, choice = page.file, page.choice
    if choice.contours == 0.0 or "rupture_time" not in file.fields:
        if choice.reference:
            refuse(
                file.path,
                "--reference",
                choice.reference,
                "fault output with the field rupture_time, and --contours above 0",
            )
        return None
    times = file.read("rupture_time", record)[page.flat.faces]
    known = np.isfinite(times)
    other = rupture_times_of(choice.reference, file, page.flat) if choice.reference else None
    longest = max([times[known].max(initial=0.0)] + ([other[1].max(initial=0.0)] if other else []))
    if not longest > 0.0:
        return None
    step = choice.contours or round_step(longest)
    levels = step * np.arange(1, int(longest / step) + 1)
    if not len(levels):
        return step
    drawn = lines_of(
        axes, page.flat.centres[known] / 1000.0, times[known], levels, colors="0.1", linewidths=0.8
    )
    if drawn is not None and label:
        for text in axes.clabel(drawn, fmt="%g s", fontsize=7.5):
            text.set_path_effects(sheet.OUTLINE)
    if other:
        lines_of(
            axes, other[0] / 1000.0, other[1], levels, colors=REFERENCE, linewidths=1.1, linestyles="dashed"
        )
        handles = [Line2D([], [], color="0.1", lw=0.8), Line2D([], [], color=REFERENCE, lw=1.1, ls="--")]
        axes.legend(handles, ["this run", "reference"], loc="lower right", fontsize=8, framealpha=0.85)
    return step


def difference_to(page, record):
    """rms and mean of this run's rupture times less the reference's, s, at the triangles where both have one, without those that
    broke within the first tenth of the time: where rupture is started, not where it runs."""
    from scipy.interpolate import LinearNDInterpolator

    places, times = rupture_times_of(page.choice.reference, page.file, page.flat)
    at = LinearNDInterpolator(places, times)(page.flat.centres)
    own = page.file.read("rupture_time", record)[page.flat.faces]
    late = (own - at)[np.minimum(own, at) > 0.1 * times.max()]
    if not len(late):
        return None
    return {"rms": float(np.sqrt(np.mean(late**2))), "mean": float(late.mean()), "triangles": len(late)}


def extreme(page, name, values):
    """Statistics of a drawn field, in SI."""
    own = values[page.flat.faces]
    found = {"field": name, "unit": page.file.field(name).unit, "highest": None}
    if np.isfinite(own).any():
        best = int(np.nanargmax(np.abs(own)))
        along, down = page.flat.centres[best]
        found |= {
            "highest": float(own[best]),
            "highest_at": {"along_strike": float(along), "down_dip": float(down)},
            "lowest": float(np.nanmin(own)),
        }
    return found


def geometry(page):
    return {
        "fault": page.choice.fault,
        "faults": len(page.file.parts),
        "strike": page.flat.strike,
        "dip": page.flat.dip,
        "area": page.flat.area,
    }


def capital(text):
    return text[:1].upper() + text[1:]


def note_of(step, scale, found):
    said = []
    if found["highest"] is not None:
        unit = unit_text(scale.unit)
        said.append(f"highest {three_figures(found['highest'] * scale.factor)}{' ' + unit if unit else ''}")
    if step:
        said.append(f"lines: the front every {step:g} s")
    return "; ".join(said)


def draw_fields(file, names, records, choice):
    """(Figure, summary): one field at several times, or several fields at one, one below the other."""
    several = len(names) > 1
    panels = max(len(names), len(records))
    all_values = [[file.read(name, record) for record in records] for name in names]
    moved = None
    if all(name in GROWING for name in names):
        own = file.flat(choice.fault).faces
        largest = np.max([np.nan_to_num(np.abs(v[own])) for one in all_values for v in one], axis=0)
        moved = largest > 0.02 * largest.max()
    page = Page(file, choice, panels, moved)
    found, step = [], None
    for panel in range(panels):
        name, record = names[panel if several else 0], records[0 if several else panel]
        values = all_values[panel if several else 0][0 if several else panel]
        field = file.field(name)
        samples = np.concatenate([v[page.flat.faces] for v in all_values[panel if several else 0]])
        scale = scale_of(name, samples, field.unit, choice.limits)
        axes = page.axes(panel)
        page.field(axes, scale, values)
        step = add_front(page, axes, record)
        page.bar(axes, scale, field.long_name if panels == 1 else name.replace("_", " "))
        drawn = extreme(page, name, values)
        if panels > 1:
            said = capital(field.long_name) if several else f"{file.times[record]:.6g} s"
            fit(axes.set_title(said, size=9.5, loc="left", pad=3), page.size[0])
        found.append({**drawn, "time": float(file.times[record]), "limits": colours.limits_of(scale)})
    summary = {**geometry(page), "panels": found}
    said = f"{file.times[records[0]]:.6g} s after the start" if panels == 1 or several else ""
    if choice.reference:
        difference = difference_to(page, records[-1])
        summary["rupture_time_difference"] = difference
        if difference:
            said += f";  rupture time {difference['rms']:.3g} s rms from the reference, {difference['mean']:+.3g} s on average"
    what = "What acts on the fault before it breaks" if several else capital(file.field(names[0]).long_name)
    note = note_of(step, scale, found[-1]) if panels == 1 else ""
    if not page.whole:
        note += ("; " if note else "") + "only the part that has moved is shown"
    page.title(what, said, note)
    return page.figure, summary


def animate(file, name, path, every, rate, choice, progress=None):
    """Write a GIF or an MP4 of all records; returns the summary."""
    field, records = file.field(name), list(range(0, len(file.times), every))
    page = Page(file, choice)
    samples = np.concatenate([file.read(name, record)[page.flat.faces] for record in records])
    scale = scale_of(name, samples, field.unit, choice.limits)
    axes = page.axes()
    image = page.field(axes, scale, np.zeros(len(file.corner)))
    page.bar(axes, scale, field.long_name)
    when = page.title(capital(field.long_name), f"{file.times[-1]:.2f} s after the start")
    canvas = FigureCanvasAgg(page.figure)

    def frame(record):
        page.paint(image, scale, file.read(name, record))
        when.set_text(f"{file.times[record]:.2f} s after the start")
        canvas.draw()
        return Image.fromarray(np.asarray(canvas.buffer_rgba())[..., :3])

    def pictures():
        for number, record in enumerate(records, 1):
            yield frame(record)
            if progress:
                progress(f"frame {number} of {len(records)}")

    chosen = [records[k] for k in np.unique(np.linspace(0, len(records) - 1, EXAMPLES).astype(int))]
    count = write_film(path, pictures(), rate, lambda: palette([frame(record) for record in chosen]))
    return {**geometry(page), "field": name, "unit": field.unit, "frames": count,
            "first": float(file.times[records[0]]), "last": float(file.times[records[-1]]),
            "limits": colours.limits_of(scale)}  # fmt: skip


def records_of(file, names, times):
    """Those nearest to the times asked for; without any the last one for what only grows."""
    if times:
        return [file.record(seconds, "--times" if len(times) > 1 else "--time") for seconds in times]
    if names[0] in GROWING:
        return [len(file.times) - 1]
    refuse("command line", "--field", names[0], "--time SECONDS with a field that does not only grow")
