"""`plot seismograms --record-section`: traces by their distance from the epicentre, and when waves should arrive."""

import dataclasses

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patheffects import withStroke
from scipy.optimize import isotonic_regression

from groundswell.errors import refuse
from groundswell.plot.quake.seismograms import MODEL, REFERENCE, add_legend, add_title, words_of

ARRIVALS = ("#c8501e", "#2a8f5a", "#7b3294", "#666666")
HALO = [withStroke(linewidth=2.2, foreground="white")]


def parse_arrivals(text):
    """[(name, m/s)] of `P:6000,S:3464`."""
    found = []
    for part in text.split(",") if text else ():
        name, _, speed = part.partition(":")
        try:
            found.append((name.strip(), float(speed)))
        except ValueError:
            found.append((name, 0.0))
        if not (found[-1][0] and 0 < found[-1][1] < 1e5):
            refuse("command line", "--arrivals", text, "names and speeds in m/s, such as P:6000,S:3464")
    if len(found) > len(ARRIVALS):
        refuse("command line", "--arrivals", text, f"at most {len(ARRIVALS)} waves")
    return found


@dataclasses.dataclass
class Section:
    """Arrivals [(name, m/s)] of waves that run straight from a source at `depth` m below the receivers at time `origin`, s."""

    arrivals: list = dataclasses.field(default_factory=list)
    depth: float = 0.0
    origin: float = 0.0

    def summary(self):
        known = {"arrivals": dict(self.arrivals), "depth": self.depth, "origin_time": self.origin}
        return known if self.arrivals else {}

    def times(self, distance, speed):
        """s, at distances in m."""
        return self.origin + np.hypot(distance, self.depth) / speed

    def draw(self, file, shown, choice, labels):
        return draw_section(self, file, shown, choice, labels)

    def add_arrivals(self, axes, low, high):
        """Lines over a panel whose axes are s and km; a name at the upper end of each."""
        far = np.linspace(max(0.0, low), high, 200)
        begin, end = axes.get_xlim()
        for (name, speed), colour in zip(self.arrivals, ARRIVALS):
            time = self.times(1000.0 * far, speed)
            axes.plot(time, far, color=colour, linewidth=1.1, linestyle=(0, (5, 2)), zorder=3)
            inside = np.flatnonzero((time >= begin) & (time <= end))
            if len(inside):
                at = inside[-1]
                axes.annotate(name, (time[at], far[at]), (3, -3), textcoords="offset points", size=9, weight="bold",
                              color=colour, va="top", path_effects=HALO, zorder=4)  # fmt: skip
        axes.set_xlim(begin, end)


def draw_section(section, file, shown, choice, labels):
    """One panel for each component: traces at their distance from the epicentre, each drawn as high as the others."""
    if choice.epicentre is None:
        refuse("command line", "--record-section", None, "--epicentre X,Y, from which distances are measured")
    shown = sorted(shown, key=lambda pair: pair[0].distance(choice.epicentre))
    far = np.array([station.distance(choice.epicentre) for station, _ in shown]) / 1000.0
    columns = len(shown[0][1])
    width, height, head, foot = max(7.0, 1.3 + 4.2 * columns), 8.0, 0.95, 0.85 if labels else 0.6
    figure = Figure(figsize=(width, height), dpi=120)
    left, right = 0.75 / width, 1 - 1.2 / width
    panels = figure.subplots(1, columns, sharey=True, squeeze=False)[0]
    figure.subplots_adjust(left=left, right=right, top=1 - head / height, bottom=foot / height, wspace=0.06)
    add_title(figure, file, choice, left, right)
    apart = np.diff(far)[np.diff(far) > 0]
    room = 0.65 * (np.median(apart) if len(apart) else 1.0)
    for column, axes in enumerate(panels):
        for (_, found), distance in zip(shown, far):
            trace = found[column]
            scale = room / (trace.highest or 1.0)
            axes.plot(trace.time, distance + scale * trace.values, color=MODEL, linewidth=1.0)
            if trace.reference is not None:
                axes.plot(
                    trace.time,
                    distance + scale * trace.reference,
                    color=REFERENCE,
                    linewidth=0.8,
                    linestyle=(0, (4, 2.5)),
                )
        axes.set_title(words_of(shown[0][1][column].component), size=10)
        axes.set_xlabel("time, s", size=9)
        axes.set_ylim(far[0] - 1.3 * room, far[-1] + 1.3 * room)
        axes.tick_params(labelsize=9)
        axes.grid(color="0.88", linewidth=0.6)
        axes.margins(x=0.0)
        section.add_arrivals(axes, far[0] - 1.3 * room, far[-1] + 1.3 * room)
    panels[0].set_ylabel("distance from the epicentre, km", size=9)
    line = 0.16 * (far[-1] - far[0] + 2.6 * room) / (height - head - foot)
    for (station, _), distance, place in zip(shown, far, _apart(far, line)):
        panels[-1].annotate(
            station.name, (1.0, distance), (1.03, place), xycoords=("axes fraction", "data"), size=8, va="center",
            annotation_clip=False, arrowprops={"arrowstyle": "-", "linewidth": 0.5, "color": "0.4", "shrinkA": 1, "shrinkB": 0},
        )  # fmt: skip
    add_legend(figure, panels[0].get_lines()[:2] if labels else (), labels, left)
    return figure


def _apart(places, least):
    """Ascending places moved as little as leaves them that far apart."""
    steps = least * np.arange(len(places))
    return isotonic_regression(places - steps).x + steps
