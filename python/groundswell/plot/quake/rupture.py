"""`plot rupture`: moment rate, moment and energies of all faults against time."""

import numpy as np
from matplotlib.figure import Figure

from groundswell.plot import source as reading
from groundswell.plot.labels import fit
from groundswell.plot.quake.receivers import increasing

NEEDED = (
    "time",
    "moment",
    "moment_rate",
    "area",
    "friction_work",
    "fracture_work",
    "released_work",
    "radiated_energy",
)
ENERGIES = {
    "fracture_work": ("fracture", "#c8501e"),
    "released_work": ("strain and waves", "#1f5fa8"),
    "radiated_energy": ("of these, waves", "#1f9ed1"),
}
WIDE, HIGH = 9.5, 6.4


def power_of(values):
    highest = np.nanmax(np.abs(values))
    return int(np.floor(np.log10(highest))) if highest > 0 else 0


def with_power(unit, power):
    return f"10{str(power).translate(reading.RAISED)} {unit}" if power else unit


def draw_rupture(path):
    """(Figure, summary) of a file of `[output.rupture]`."""
    with reading.opened(path, NEEDED, "a rupture by time") as source:
        title = getattr(source, "title", "")
        time = increasing(path, reading.values(source.variables["time"]))
        series = {name: reading.values(source.variables[name]) for name in NEEDED[1:]}
    figure = Figure(figsize=(WIDE, HIGH), dpi=120)
    upper = figure.add_axes((0.085, 0.53, 0.82, 0.33))
    lower = figure.add_axes((0.085, 0.09, 0.82, 0.33))
    rate, moment = series["moment_rate"], series["moment"]
    power = power_of(rate)
    upper.fill_between(time, rate / 10.0**power, color="#1f5fa8", alpha=0.25, linewidth=0)
    upper.plot(time, rate / 10.0**power, color="#1f5fa8", linewidth=1.4)
    upper.set_ylabel(f"moment rate, {with_power('N m s⁻¹', power)}", size=9, color="#1f5fa8")
    beside = upper.twinx()
    power = power_of(moment)
    beside.plot(time, moment / 10.0**power, color="0.1", linewidth=1.2)
    beside.set_ylabel(f"moment, {with_power('N m', power)}", size=9)
    power = power_of(np.concatenate([series[name] for name in ENERGIES]))
    for name, (said, colour) in ENERGIES.items():
        lower.plot(time, series[name] / 10.0**power, color=colour, linewidth=1.4, label=said)
    lower.set_ylabel(f"energy, {with_power('J', power)}", size=9)
    lower.set_xlabel("time, s", size=9)
    lower.legend(frameon=False, fontsize=8.5, loc="upper left")
    for axes in (upper, beside, lower):
        axes.tick_params(labelsize=9)
        axes.margins(x=0.0)
        if axes is not lower or min(np.nanmin(series[n]) for n in ENERGIES) >= 0:
            axes.set_ylim(bottom=0)
    for axes in (upper, lower):
        axes.grid(color="0.88", linewidth=0.6)
    best = int(np.argmax(rate))
    last = float(moment[-1])
    magnitude = (np.log10(last) - 9.05) / 1.5 if last > 0 else None
    figure.text(0.085, 1 - 0.32 / HIGH, title or "Rupture", weight="bold", size=12.5)
    said = "nothing has slipped"
    if magnitude is not None:
        said = f"magnitude {magnitude:.2f}, {series['area'][-1] / 1e6:.4g} km² ruptured;  moment rate highest at {time[best]:g} s;  {series['friction_work'][-1]:.3g} J against friction"
    fit(figure.text(0.085, 1 - 0.60 / HIGH, said, size=10.5), WIDE - 1.2)
    return figure, {
        "magnitude": magnitude,
        "moment": last,
        "area": float(series["area"][-1]),
        "highest_moment_rate": {"value": float(rate[best]), "unit": "N m s-1", "time": float(time[best])},
        **{name: float(series[name][-1]) for name in ("friction_work", *ENERGIES)},
        "last_time": float(time[-1]),
    }
