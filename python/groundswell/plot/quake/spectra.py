"""`plot spectra`: Fourier spectra of what receivers recorded, and response spectra."""

import numpy as np
from matplotlib.figure import Figure
from scipy.signal.windows import tukey

from groundswell.errors import refuse
from groundswell.plot.labels import fit
from groundswell.plot.quake.axes import round_ticks
from groundswell.plot.quake.colours import G
from groundswell.plot.quake.receivers import STRESS
from groundswell.plot.quake.seismograms import BESIDE, add_title, place_of, stations_and_traces, words_of
from groundswell.response import acceleration_of, pseudo_accelerations

COLOURS = ("#1f5fa8", "#d07c16", "#2a8f5a", "#7b3294", "#c8501e", "#666666")
PERIODS = 100  # in equal ratios
SHORTEST = 10.0  # sampling intervals
TAPER = 0.1  # of the window, half at each end
DECADES = 4.0  # that a spectrum shows below its highest


def fourier_amplitude(values, interval):
    """(frequencies, Hz; |∫ values e^(−2πi f t) dt|), the ends of the series drawn to 0 over 5 % of it each."""
    samples = len(values)
    spectrum = np.abs(np.fft.rfft(values * tukey(samples, TAPER))) * interval
    return np.fft.rfftfreq(samples, interval)[1:], spectrum[1:]


def draw_spectra(file, stations, choice, references=(), damping=0.05, periods=None):
    """(Figure, summary): Fourier amplitude of velocity at the left, pseudo-acceleration at the right, a row for each station."""
    chosen = file.chosen(stations)
    if len(chosen) > BESIDE:
        refuse(file.path, "--station", f"{len(chosen)} stations", f"at most {BESIDE} below each other")
    shown = stations_and_traces(file, chosen, choice, references)
    for trace in shown[0][1]:
        if trace.component in STRESS:
            refuse("command line", "--components", trace.component, "velocities, of which spectra are drawn")
    time = shown[0][1][0].time
    interval = (time[-1] - time[0]) / (len(time) - 1)
    least, most = SHORTEST * interval, (time[-1] - time[0]) / 2
    if periods and not 2 * interval < periods[0] < periods[1]:
        said = f"{periods[0]:g},{periods[1]:g}"
        refuse("command line", "--periods", said, f"periods above {2 * interval:g} s, two samples")
    axis = np.geomspace(*(periods or (least, most)), PERIODS)
    rows = len(shown)
    width, head, foot, each, gap = 10.5, 0.95, 0.95 if references else 0.62, 3.0, 0.42
    height = head + foot + rows * each + (rows - 1) * gap
    figure = Figure(figsize=(width, height), dpi=120)
    left, right, middle = 0.85, 0.85, 1.05
    inner = (width - left - right - middle) / 2
    labels = [reference.label for reference in references]
    found = []
    for row, (station, series) in enumerate(shown):
        bottom = foot + (rows - 1 - row) * (each + gap)
        panels = [
            figure.add_axes((x / width, bottom / height, inner / width, each / height))
            for x in (left, left + inner + middle)
        ]
        found.append(_row(panels, station, series, axis, damping, last=row == rows - 1))
        if rows > 1:
            panels[0].set_title(place_of(station, choice), size=9, loc="left")
    lines, names = figure.axes[0].get_legend_handles_labels()
    axes = figure.axes[0]
    axes.legend(lines, names, fontsize=8.5, frameon=False, loc="lower left")
    add_title(figure, file, choice, left / width, 1 - right / width, shown if rows == 1 else ())
    if labels:
        said = "dashed: " + " and ".join(dict.fromkeys(labels))
        fit(figure.text(left / width, 0.12 / height, said, size=9), width - left - right)
    return figure, {
        "damping": damping,
        "references": labels,
        "filter": list(choice.band) if choice.band else None,
        "stations": found,
    }


def _row(panels, station, series, periods, damping, last):
    found, highest = [], 0.0
    _dress(panels[0], "frequency, Hz" if last else "", "Fourier amplitude of velocity, m")
    _dress(
        panels[1],
        "period of the oscillator, s" if last else "",
        f"pseudo-acceleration, {100 * damping:g} %, m s⁻²",
    )
    for trace, colour in zip(series, COLOURS):
        said = {"component": trace.component}
        for values, style in ((trace.values, "-"), (trace.reference, (0, (4, 2.5)))):
            if values is None:
                continue
            interval = (trace.time[-1] - trace.time[0]) / (len(trace.time) - 1)
            frequencies, amplitude = fourier_amplitude(values, interval)
            response = pseudo_accelerations(acceleration_of(trace.time, values), interval, periods, damping)
            thin = {"color": colour, "linestyle": style, "linewidth": 1.5 if style == "-" else 1.1}
            label = words_of(trace.component) if style == "-" else None
            is_silent = not amplitude.any()  # the axes have no place for it; the legend has
            panels[0].plot(
                [] if is_silent else frequencies, [] if is_silent else amplitude, label=label, **thin
            )
            panels[1].plot([] if is_silent else periods, [] if is_silent else response, **thin)
            highest = max(highest, float(amplitude.max()))
            told = {
                "peak_frequency": float(frequencies[np.argmax(amplitude)]),
                "peak_amplitude": float(amplitude.max()),
                "peak_pseudo_acceleration": float(response.max()),
                "peak_period": float(periods[np.argmax(response)]),
                "periods": [float(p) for p in periods],
                "pseudo_accelerations": [float(a) for a in response],
            }
            said = said | told if style == "-" else said | {"reference": told}
        found.append(said)
    if highest > 0:
        panels[0].set_ylim(highest * 10**-DECADES, 2.0 * highest)
    panels[0].set_xlim(frequencies[0], frequencies[-1])
    panels[1].set_xlim(periods[0], periods[-1])
    round_ticks(panels[1].yaxis)
    in_g = panels[1].secondary_yaxis("right", functions=(lambda a: 100 * a / G, lambda a: a * G / 100))
    in_g.set_ylabel("% g", size=9)
    in_g.tick_params(labelsize=9)
    round_ticks(in_g.yaxis)
    return {"name": station.name, "place": [float(x) for x in station.place], "components": found}


def _dress(axes, below, beside):
    axes.set(xscale="log", yscale="log")
    axes.set_xlabel(below, size=9)
    axes.set_ylabel(beside, size=9)
    axes.tick_params(labelsize=9)
    round_ticks(axes.xaxis)
    axes.grid(color="0.88", linewidth=0.6, which="major")
    axes.grid(color="0.94", linewidth=0.4, which="minor")
