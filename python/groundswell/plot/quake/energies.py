"""`plot energies`: kinetic and elastic energy, and that of a sea's surface, against time."""

import numpy as np
from matplotlib.figure import Figure

from groundswell.plot import source as reading
from groundswell.plot.labels import fit
from groundswell.plot.quake.receivers import increasing

PARTS = {"kinetic": "#1f5fa8", "elastic": "#c8501e"}
OF_SEA = {"sea_surface": "#2a9d8f"}  # where the file has it


def draw_energies(path):
    """(Figure, summary) of a file of energies."""
    with reading.opened(path, ("time", *PARTS), "energies") as source:
        title = getattr(source, "title", "")
        time = increasing(path, reading.values(source.variables["time"]))
        colours = PARTS | {name: colour for name, colour in OF_SEA.items() if name in source.variables}
        energy = {name: reading.values(source.variables[name]) for name in colours}
    energy["total"] = sum(energy.values())
    figure = Figure(figsize=(9.5, 4.6), dpi=120)
    axes = figure.add_axes((0.085, 0.12, 0.895, 0.70))
    power = int(np.floor(np.log10(np.max(energy["total"])))) if np.max(energy["total"]) > 0 else 0
    for name, values in energy.items():
        axes.plot(
            time,
            values / 10.0**power,
            color=colours.get(name, "black"),
            linewidth=1.6,
            label=name.replace("_", " "),
        )
    axes.set_xlabel("time, s", size=9)
    axes.set_ylabel(f"energy, 10{str(power).translate(reading.RAISED)} J" if power else "energy, J", size=9)
    axes.set_ylim(bottom=0)
    axes.tick_params(labelsize=9)
    axes.margins(x=0.0)
    axes.grid(color="0.88", linewidth=0.6)
    axes.legend(frameon=False, fontsize=9, ncols=len(energy), loc="lower right", bbox_to_anchor=(1.01, 0.995))
    figure.text(0.085, 1 - 0.32 / 4.6, title or "Energies", weight="bold", size=12.5)
    last = energy["total"][-1]
    fit(
        figure.text(0.085, 1 - 0.60 / 4.6, f"Energy in the mesh;  {last:.4g} J at {time[-1]:g} s", size=10.5),
        6.0,
    )
    return figure, {
        "energies": {
            name: {
                "unit": "J",
                "max": float(np.max(v)),
                "max_time": float(time[np.argmax(v)]),
                "last": float(v[-1]),
            }
            for name, v in energy.items()
        },
        "last_time": float(time[-1]),
    }
