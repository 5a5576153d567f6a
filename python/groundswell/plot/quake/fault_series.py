"""`plot slip`: what receivers on a fault saw, field by field, beside a reference."""

import pathlib
import re

import numpy as np
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from groundswell.errors import refuse
from groundswell.plot import source as reading
from groundswell.plot.labels import fit
from groundswell.plot.quake.receivers import ReceiverFile, increasing
from groundswell.plot.source import three_figures, unit_text

MODEL, REFERENCE = "#1f5fa8", "black"
USUAL = (
    "slip_rate_strike",
    "slip_rate_dip",
    "slip_strike",
    "slip_dip",
    "traction_strike",
    "traction_dip",
    "normal_stress",
)
SHORT = {
    "slip_rate": "slip rate",
    "slip_rate_strike": "slip rate along strike",
    "slip_rate_dip": "slip rate down dip",
    "slip": "slip",
    "slip_strike": "slip along strike",
    "slip_dip": "slip down dip",
    "traction_strike": "shear along strike",
    "traction_dip": "shear down dip",
    "normal_stress": "normal stress",
    "state": "state variable",
    "traction_strike_change": "change of shear along strike",
    "traction_dip_change": "change of shear down dip",
    "normal_stress_change": "change of normal stress",
    "normal_velocity": "velocity along the normal",
}
SAME_PLACE = 50.0  # m
MOST = 5  # stations beside each other
# Components of one vector, on scales as wide as each other: what is small beside its partner looks small.
PAIRS = tuple((f"{kind}_strike", f"{kind}_dip") for kind in ("slip_rate", "slip", "traction"))
# What SeisSol calls them in its text files; the slip of the − side past the + side, as here.
SEISSOL = {
    "SRs": "slip_rate_strike",
    "SRd": "slip_rate_dip",
    "Sls": "slip_strike",
    "Sld": "slip_dip",
    "T_s": "traction_strike_change",
    "T_d": "traction_dip_change",
    "P_n": "normal_stress_change",
    "u_n": "normal_velocity",
    "Ts0": "traction_strike",
    "Td0": "traction_dip",
    "Pn0": "normal_stress",
    "Mud": "friction",
    "StV": "state",
    "Vr": "rupture_velocity",
    "ASl": "slip",
    "PSR": "peak_slip_rate",
    "RT": "rupture_time",
    "DS": "weakening_time",
}
# What the community's text files call them: the vertical components are upwards there.
COMMUNITY = {
    "h-slip": ("slip_strike", 1.0),
    "h-slip-rate": ("slip_rate_strike", 1.0),
    "h-shear-stress": ("traction_strike", 1e6),
    "v-slip": ("slip_dip", -1.0),
    "v-slip-rate": ("slip_rate_dip", -1.0),
    "v-shear-stress": ("traction_dip", -1e6),
    "n-stress": ("normal_stress", 1e6),
}


def _rows(path, lines, width):
    rows = [line.split() for line in lines if line.strip() and line.lstrip()[0] in "-+.0123456789"]
    try:
        table = np.array([[float(word) for word in row] for row in rows])
    except ValueError:
        refuse(path, None, None, f"{width} numbers in each row")
    if table.ndim != 2 or table.shape[1] != width:
        refuse(path, None, None, f"{width} numbers in each row")
    return table


class Reference:
    """One receiver on a fault as SeisSol or the community's benchmarks write it in text, or a file of a run."""

    def __init__(self, path):
        self.path, self.label, self.file = path, pathlib.Path(path).name, None
        self.place = None  # x, y, z in m, where it is told
        try:
            head = pathlib.Path(path).open("rb").read(8)
        except OSError as failure:
            refuse(path, None, None, f"a file that can be read ({failure.strerror})")
        if head[:3] == b"CDF" or head[1:4] == b"HDF":
            self.file = FaultReceiverFile(path)
            self.label = self.file.title or self.label
            return
        lines = pathlib.Path(path).read_text(encoding="utf-8", errors="replace").splitlines()
        names = next(
            (
                re.findall(r'"\s*([^"]*?)\s*"', line)
                for line in lines
                if line.lstrip().upper().startswith("VARIABLES")
            ),
            None,
        )
        if names:
            known = {name: (SEISSOL[name], 1.0) for name in names if name in SEISSOL}
            self.label = "SeisSol, " + self.label
        else:
            names = next((line.split() for line in lines if line.split()[:1] == ["t"]), None)
            if names is None:
                refuse(
                    path,
                    None,
                    None,
                    'a line VARIABLES = "Time", … or a line that begins with t, over columns of numbers',
                )
            known = {name: COMMUNITY[name] for name in names if name in COMMUNITY}
        place = [line.split()[-1] for line in lines if re.match(r"\s*#\s*x[123]\s", line)]
        self.place = np.array(place, float) if len(place) == 3 else None
        table = _rows(path, lines, len(names))
        self.time = increasing(path, table[:, 0])
        self.values = {field: factor * table[:, names.index(name)] for name, (field, factor) in known.items()}

    def of(self, name, field, place):
        """(times, values), or None: what is known of another place says nothing of this one."""
        if self.place is not None and np.linalg.norm(self.place - place) > SAME_PLACE:
            return None
        if self.file is None:
            return (self.time, self.values[field]) if field in self.values else None
        station = 0 if len(self.file.names) == 1 else self.file.station(name)
        return (self.file.time, self.file.series(station, field)) if field in self.file.fields else None


class FaultReceiverFile(ReceiverFile):
    kind, needed = "receivers on a fault", ("time", "x", "y", "z", "station_name")

    def __init__(self, path):
        super().__init__(path)
        with reading.opened(path, self.needed, self.kind) as source:
            moving = source.variables["time"].dimensions[0]
            self.fields = {
                name: (getattr(v, "long_name", name), getattr(v, "units", ""))
                for name, v in source.variables.items()
                if len(v.dimensions) == 2 and v.dimensions[0] == moving and v.dtype.kind == "f"
            }
        self.fields.pop("rupture_time", None)
        if not self.fields:
            refuse(path, None, None, "fields by time and station, as [[output.fault_receivers]] writes them")

    def series(self, station, field):
        with reading.opened(self.path, (), "") as source:
            return reading.values(source.variables[field], (slice(None), station))


def shift_between(time, model, reference):
    """s by which the model is late: where the sum of products with the reference is largest."""
    interval = np.median(np.diff(time))
    both = np.fft.irfft(np.fft.rfft(model, 2 * len(time)) * np.conj(np.fft.rfft(reference, 2 * len(time))))
    best = int(np.argmax(both))
    return float((best if best < len(time) else best - 2 * len(time)) * interval)


def compared(time, model, other, size=None):
    """Relative rms of the difference, as it is and after the best shift, to `size` or that of the reference; the shift, s."""
    reference = np.interp(time, *other)
    size = size or np.sqrt(np.mean(reference**2))
    if not size > 0:
        return None
    uniform = np.arange(time[0], time[-1], np.median(np.diff(time)))
    a, b = np.interp(uniform, time, model), np.interp(uniform, time, reference)
    late = shift_between(uniform, a - a[0], b - b[0])
    moved = np.interp(uniform + late, uniform, a)
    return {
        "relative_rms": float(np.sqrt(np.mean((model - reference) ** 2)) / size),
        "late": late,
        "relative_rms_shifted": float(np.sqrt(np.mean((moved - b) ** 2)) / size),
        "peak": float(reference[np.argmax(np.abs(reference))]),
    }


def scale_of(unit, highest):
    if unit == "Pa":
        return (1e-6, "MPa") if highest >= 1e5 else (1.0, "Pa")
    return 1.0, unit


def partners_of(field, fields):
    """The fields that share a scale, this one among them."""
    return next(([one for one in pair if one in fields] for pair in PAIRS if field in pair), [field])


def span_of(series):
    """(middle, half) of a range around all values."""
    low = min(np.nanmin(one) for one in series)
    high = max(np.nanmax(one) for one in series)
    return (low + high) / 2, (high - low) / 2


def draw_slip(path, stations=None, fields=None, references=(), window=None):
    """(Figure, summary): a column for each station, a row for each field."""
    file = FaultReceiverFile(path)
    chosen = file.chosen(stations)
    if len(chosen) > MOST:
        refuse(
            path,
            "--station",
            f"{len(chosen)} receivers",
            f"at most {MOST} of {len(file.names)}, by name or number",
        )
    fields = (
        [reading.known_or_refused(path, "--fields", name, list(file.fields)) for name in fields]
        if fields
        else ([name for name in USUAL if name in file.fields] or list(file.fields))
    )
    references = [Reference(one) for one in references]
    inside = (
        np.ones(len(file.time), bool)
        if window is None
        else (file.time >= window[0]) & (file.time <= window[1])
    )
    if inside.sum() < 2:
        refuse(
            path,
            "--window",
            f"{window[0]:g},{window[1]:g}",
            f"times from {file.time[0]:g} to {file.time[-1]:g} s",
        )
    time = file.time[inside]
    panel = 2.75 if len(chosen) > 1 else 5.6  # inches
    total, high = 1.1 + (panel + 0.35) * len(chosen) + 0.3, 1.4 + 1.45 * len(fields) + 0.55
    figure = Figure(figsize=(total, high), dpi=110)
    found = []
    for column, station in enumerate(chosen):
        told = {"name": file.names[station], "place": [float(v) for v in file.places[station]], "fields": []}
        models = {field: file.series(station, field)[inside] for field in fields}
        beside = {
            field: [(r.label, r.of(file.names[station], field, file.places[station])) for r in references]
            for field in fields
        }
        every = {field: [models[field], *(o[1] for _, o in beside[field] if o)] for field in fields}
        for row, field in enumerate(fields):
            said, unit = file.fields[field]
            model, others, partners = models[field], beside[field], partners_of(field, fields)
            highest = max(np.nanmax(np.abs(series)) for one in partners for series in every[one])
            factor, unit_said = scale_of(unit, highest)
            axes = figure.add_axes(
                (
                    (1.1 + (panel + 0.35) * column) / total,
                    1 - (1.4 + 1.45 * (row + 1) - 0.25) / high,
                    panel / total,
                    1.15 / high,
                )
            )
            drawn = {"field": field, "unit": unit, "peak": float(model[np.nanargmax(np.abs(model))])}
            for label, other in others:
                if other is None:
                    continue
                axes.plot(
                    other[0], factor * other[1], color=REFERENCE, linewidth=2.0, alpha=0.45, label=label
                )
                sizes = [
                    np.sqrt(np.mean(np.interp(time, *o) ** 2))
                    for one in partners
                    for _, o in beside[one]
                    if o
                ]
                drawn["reference"] = compared(time, model, other, max(sizes))
            axes.plot(time, factor * model, color=MODEL, linewidth=1.1, label="this run")
            axes.set_xlim(time[0], time[-1])
            half = 1.08 * factor * max(span_of(every[one])[1] for one in partners)
            if half > 0:
                middle = factor * span_of(every[field])[0]
                axes.set_ylim(middle - half, middle + half)
            axes.yaxis.set_major_locator(MaxNLocator(4))
            axes.tick_params(labelsize=8, labelbottom=row == len(fields) - 1)
            axes.grid(color="0.9", linewidth=0.5)
            if column == 0:
                axes.set_ylabel(
                    f"{SHORT.get(field, field)}" + (f"\n{unit_text(unit_said)}" if unit != "1" else ""),
                    size=8,
                )
            if row == len(fields) - 1:
                axes.set_xlabel("time, s", size=8.5)
            if row == 0:
                x, y, z = file.places[station] / 1000.0
                fit(
                    axes.set_title(
                        f"{file.names[station]}: {x:.4g}, {y:.4g}, {z:.4g} km", size=9, loc="left"
                    ),
                    panel,
                )
            note = f"{three_figures(factor * drawn['peak'])}"
            if drawn.get("reference"):
                note += f";  {100 * drawn['reference']['relative_rms_shifted']:.2g} % rms, {drawn['reference']['late']:+.3g} s"
            axes.text(
                1.0, 1.02, note, size=7.5, color="0.25", ha="right", va="bottom", transform=axes.transAxes
            )
            told["fields"].append(drawn)
        found.append(told)
    figure.text(0.35 / total, 1 - 0.34 / high, file.title or "Slip of faults", weight="bold", size=12)
    if references:
        handles = [Line2D([], [], color=MODEL, lw=1.1), Line2D([], [], color=REFERENCE, lw=2.0, alpha=0.45)]
        labels = ["this run", references[0].label if len(references) == 1 else "references"]
        figure.legend(
            handles,
            labels,
            frameon=False,
            fontsize=8,
            ncols=2,
            loc="upper left",
            bbox_to_anchor=(0.3 / total, 1 - 0.66 / high),
        )
    under = "above each panel its highest value"
    if references:
        under += ", the difference from the reference after the best shift (to the larger component), and that shift"
    fit(figure.text(0.35 / total, 1 - 0.60 / high, under, size=9, color="0.25"), total - 0.6)
    return figure, {"stations": found}
