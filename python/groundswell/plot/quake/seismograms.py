"""`plot seismograms`: what receivers recorded, beside a reference and with its misfits; section.py draws them by distance."""

import dataclasses
import math

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator
from scipy.interpolate import CubicSpline
from scipy.signal import butter, sosfiltfilt

from groundswell.errors import refuse
from groundswell.misfit import Misfit, compare, frequencies_of
from groundswell.plot.labels import fit
from groundswell.plot.quake.colours import SMALLER
from groundswell.plot.quake.receivers import AT_IT, SAID, SAME, STRESS, TURNED, VELOCITY
from groundswell.plot.source import three_figures, unit_text

BESIDE, MOST = 4, 12  # stations beside each other, and in one picture
ORDER = 4  # of the Butterworth filter, which runs forwards and backwards
MODEL, REFERENCE, DIFFERENCE = "#1f5fa8", "black", "#c8501e"
KNOWN = (*SAME, *VELOCITY, *TURNED[:2], *STRESS)


@dataclasses.dataclass
class Choice:
    """Request for a drawing: components by name, the epicentre (x, y), the band (low, high) in Hz, the window (begin, end) in s."""

    components: list | None = None
    epicentre: tuple | None = None
    band: tuple | None = None
    window: tuple | None = None


@dataclasses.dataclass
class Trace:
    """One component at one station, and its reference on the same times, where there is one."""

    component: str
    time: np.ndarray
    values: np.ndarray
    reference: np.ndarray | None = None
    misfit: Misfit | None = None
    frequencies: tuple | None = None

    @property
    def highest(self):
        both = (self.values,) if self.reference is None else (self.values, self.reference)
        return max(float(np.max(np.abs(series))) for series in both)

    def summary(self):
        best = int(np.argmax(np.abs(self.values)))
        found = {
            "component": self.component,
            "unit": unit_of(self.component),
            "peak": float(self.values[best]),
            "peak_time": float(self.time[best]),
        }
        if self.reference is not None:
            there = int(np.argmax(np.abs(self.reference)))
            found["reference"] = {
                "peak": float(self.reference[there]),
                "peak_time": float(self.time[there]),
                "relative_rms": _number(self.misfit.relative_rms),
                "envelope_misfit": _number(self.misfit.envelope),
                "phase_misfit": _number(self.misfit.phase),
                "envelope_goodness": _number(self.misfit.envelope_goodness),
                "phase_goodness": _number(self.misfit.phase_goodness),
                "frequencies": list(self.frequencies),
            }
        return found


def _number(value):
    return value if np.isfinite(value) else None


def unit_of(component):
    return "Pa" if component in STRESS else "m s-1"


def words_of(component):
    return SAID.get(component, component)


def draw_seismograms(file, stations, choice, references=(), section=None):
    """(Figure, summary) of these stations (names or numbers; all by default) of a ReceiverFile; a Section draws them by
    distance."""
    chosen = file.chosen(stations)
    if not section and len(chosen) > MOST:
        refuse(
            file.path,
            "--station",
            f"{len(chosen)} stations",
            f"at most {MOST} in one picture; --record-section draws any number",
        )
    shown = stations_and_traces(file, chosen, choice, references)
    draw = section.draw if section else draw_panels
    labels = [reference.label for reference in references]
    figure = draw(file, shown, choice, labels)
    return figure, {
        **(section.summary() if section else {}),
        "epicentre": list(choice.epicentre) if choice.epicentre else None,
        "filter": list(choice.band) if choice.band else None,
        "references": labels,
        "stations": [of_station(station, found, choice) for station, found in shown],
    }


def stations_and_traces(file, chosen, choice, references=()):
    """[(Seismogram, its Traces)] of stations by index."""
    components = components_of(file, choice)
    shown = []
    for number, index in enumerate(chosen):
        station = file.seismogram(index)
        reference = _reference_of(references, number, len(chosen))
        shown.append((station, traces(file.path, station, components, choice, reference)))
    return shown


def components_of(file, choice):
    usual = [name for name in VELOCITY if name in file.components] or file.components
    names = choice.components or (list(TURNED) if choice.epicentre else usual)
    for name in names:
        if name not in KNOWN:
            refuse("command line", "--components", name, f"some of {', '.join(KNOWN)}")
        if name in TURNED[:2] and choice.epicentre is None:
            refuse("command line", "--components", name, "--epicentre X,Y, from which radial points away")
    return [SAME.get(name, name) for name in names]


def _reference_of(references, number, stations):
    if not references:
        return None
    if len(references) == 1 and (references[0].file is not None or stations == 1):
        return references[0]
    if len(references) != stations:
        refuse(
            "command line",
            "--reference",
            f"{len(references)} files",
            f"one for each of the {stations} stations, or one file of receivers",
        )
    return references[number]


def traces(path, station, components, choice, reference=None):
    """The Trace of each component: cut to the window and filtered, and so the reference, by cubic splines on the same times."""
    other = reference.of(station) if reference else None
    if other is not None and other.place is None:
        other.place = station.place
    found = []
    for name in components:
        values = station.component(name, choice.epicentre)
        if values is None:
            here = ", ".join(station.values)
            refuse(path, "--components", name, f"one of {here}, or vx, vy and a station off the epicentre")
        if not np.isfinite(values).all():
            when = station.time[np.argmin(np.isfinite(values))]
            refuse(
                path, words_of(name), f"not a number at {station.name} from {when:g} s on", "finite numbers"
            )
        begin, end = choice.window or (station.time[0], station.time[-1])
        wanted = other.component(name, choice.epicentre) if other else None
        if other and wanted is None:
            refuse(
                reference.path,
                "--reference",
                words_of(name),
                f"this component; it has {', '.join(other.values)}",
            )
        if other:
            begin, end = max(begin, other.time[0]), min(end, other.time[-1])
        inside = (station.time >= begin - 1e-9) & (station.time <= end + 1e-9)
        if np.count_nonzero(inside) < 8:
            refuse(path, "--window", f"{begin:g},{end:g} s", "a time that file and reference have in common")
        time = station.time[inside]
        trace = Trace(name, time, filtered(station.time, values, choice.band)[inside])
        if other:
            trace.reference = CubicSpline(other.time, filtered(other.time, wanted, choice.band))(time)
            interval = (time[-1] - time[0]) / (len(time) - 1)
            axis = frequencies_of(trace.reference, interval, choice.band)
            trace.misfit = compare(trace.values, trace.reference, interval, axis)
            trace.frequencies = (float(axis[0]), float(axis[-1]))
        found.append(trace)
    return found


def filtered(time, values, band):
    """Without shift of phase; a band from 0 keeps all that is slow."""
    if band is None:
        return values
    rate = (len(time) - 1) / (time[-1] - time[0])
    if not band[1] < rate / 2:
        refuse(
            "command line",
            "--filter",
            f"{band[0]:g},{band[1]:g}",
            f"frequencies below {rate / 2:g} Hz, half of the samples a second",
        )
    kind, edges = ("bandpass", band) if band[0] > 0 else ("lowpass", band[1])
    return sosfiltfilt(butter(ORDER, edges, kind, fs=rate, output="sos"), values)


def draw_panels(file, shown, choice, labels):
    """Components one below the other, stations beside each other, and more stations below those; one scale for all of one
    unit at a station."""
    rows, groups = len(shown[0][1]), math.ceil(len(shown) / BESIDE)
    columns = math.ceil(len(shown) / groups)
    width, each = max(9.5, 0.8 + 4.6 * columns), 1.75 * rows if groups == 1 else 1.3 * rows
    head, foot, gap = 1.12 if columns > 1 else 0.88, 0.95 if labels else 0.6, 0.75
    height = head + groups * each + (groups - 1) * gap + foot
    figure = Figure(figsize=(width, height), dpi=120)
    left, right = 0.85 / width, 1 - 0.2 / width
    add_title(figure, file, choice, left, right, shown if columns == 1 else ())
    told = told_in(shown)
    for group in range(groups):
        stations = shown[group * columns : (group + 1) * columns]
        top = height - head - group * (each + gap)
        at = {"top": top / height, "bottom": (top - each) / height, "hspace": 0.1, "wspace": 0.17}
        grid = figure.add_gridspec(rows, columns, left=left, right=right, **at)
        panels = grid.subplots(sharex="col", squeeze=False)
        for unused in panels[:, len(stations) :].flat:
            unused.remove()
        for (station, found), column in zip(stations, panels.T):
            for trace, axes in zip(found, column):
                same = [t.highest for t in found if unit_of(t.component) == unit_of(trace.component)]
                _panel(axes, trace, max(same) or 1.0, told[unit_of(trace.component)][0])
            if columns > 1:
                fit(
                    column[0].set_title(place_of(station, choice), size=9),
                    column[0].get_position().width * width,
                )
            column[-1].set_xlabel("time, s", size=9)
        for trace, axes in zip(stations[0][1], panels[:, 0]):
            axes.set_ylabel(
                f"{words_of(trace.component)}, {unit_text(told[unit_of(trace.component)][1])}", size=9
            )
    add_legend(figure, figure.axes[0].get_lines(), labels, left)
    return figure


def add_legend(figure, lines, labels, left):
    """Nothing where there is no reference: then there is but one kind of line."""
    if not labels:
        return
    names = ["this run", " and ".join(dict.fromkeys(labels)), "difference"]
    legend = figure.legend(
        lines[:3],
        names[: len(lines)],
        loc="lower left",
        ncols=3,
        frameon=False,
        fontsize=9,
        borderaxespad=0.3,
        bbox_to_anchor=(left - 0.01, 0.0),
    )
    fit(legend.get_texts()[1], 0.55 * figure.get_size_inches()[0])


def told_in(shown):
    """{unit: (factor, unit)} in which numbers of traces stand along their axes: small velocities in cm or µm a second."""
    highest = max(
        (t.highest for _, found in shown for t in found if unit_of(t.component) != "Pa"), default=1.0
    )
    factor, before = (
        next((f, b) for least, f, b in SMALLER if highest >= least) if highest < 0.1 else (1.0, "")
    )
    return {"m s-1": (factor, before + "m s-1"), "Pa": (1.0, "Pa")}


def _panel(axes, trace, highest, factor):
    axes.plot(trace.time, trace.values, color=MODEL, linewidth=1.6)
    if trace.reference is not None:
        axes.plot(trace.time, trace.reference, color=REFERENCE, linewidth=1.1, linestyle=(0, (4, 2.5)))
        axes.plot(trace.time, trace.values - trace.reference, color=DIFFERENCE, linewidth=0.8)
        said = in_words(trace.misfit)
        box = {"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1.5}
        axes.text(0.988, 0.94, said, size=8.5, ha="right", va="top", transform=axes.transAxes, bbox=box)
    axes.set_ylim(-1.15 * highest, (1.45 if trace.misfit else 1.15) * highest)  # with room for the numbers
    axes.yaxis.set_major_locator(MaxNLocator(6, prune="both", steps=[1, 2, 5, 10]))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{factor * value:.6g}".replace("-", "−")))
    axes.tick_params(labelsize=9)
    axes.grid(color="0.88", linewidth=0.6)
    axes.margins(x=0.0)


def in_words(misfit):
    if not misfit.relative_rms < 10:
        return "silent in the reference"
    shares = {"rms": misfit.relative_rms, "envelope": misfit.envelope, "phase": misfit.phase}
    return "   ".join(f"{name} {percent(share)}" for name, share in shares.items())


def percent(share):
    """`12 %`, `2.3 %`, `0.04 %`."""
    digits = 0 if share >= 0.1 else 1 if share >= 0.01 else 2
    return f"{100 * share:.{digits}f} %"


def add_title(figure, file, choice, left, right, shown=()):
    width, height = figure.get_size_inches()
    figure.text(left, 1 - 0.32 / height, file.title or "Seismograms", weight="bold", size=12.5)
    said = [place_of(station, choice) for station, _ in shown] or ["Seismograms"]
    if choice.band:
        low, high = choice.band
        said.append(f"{low:g} to {high:g} Hz" if low > 0 else f"below {high:g} Hz")
    if not shown and choice.epicentre:
        said.append(
            "epicentre ({:.4g}, {:.4g}) km".format(*(x / 1000.0 for x in choice.epicentre)).replace("-", "−")
        )
    fit(figure.text(left, 1 - 0.60 / height, ";  ".join(said), size=10.5), width * (right - left))


def place_of(station, choice):
    x, y, z = (f"{round(value / 1000.0, 3) + 0.0:g}" for value in station.place)
    said = f"{station.name} ({x}, {y}, {z}) km".replace("-", "−")
    if choice.epicentre:
        far = station.distance(choice.epicentre)
        said += (
            ", at the epicentre" if far < AT_IT else f", {three_figures(far / 1000.0)} km from the epicentre"
        )
    return said


def of_station(station, found, choice):
    summary = {"name": station.name, "place": [float(value) for value in station.place]}
    if choice.epicentre:
        summary["distance"] = station.distance(choice.epicentre)
    return summary | {
        "window": [float(found[0].time[0]), float(found[0].time[-1])],
        "components": [trace.summary() for trace in found],
    }
