"""The picture of a mesh of tetrahedra: a map of the clusters at its surface, how many cells step how, and the quality."""

import pathlib

import matplotlib

matplotlib.use("Agg")
import netCDF4
import numpy as np
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.figure import Figure
from matplotlib.ticker import EngFormatter

from groundswell.plot.labels import fit
from groundswell.plot.measured.reports import counted
from groundswell.whole_files import save_figure

LEFT, RIGHT, TOP, BOTTOM, MAP, GAP, SIDE, BETWEEN = 0.85, 0.3, 0.95, 0.6, 6.2, 0.95, 4.2, 0.68  # inches
OUTLINED = 20000  # faces whose edges are drawn
FAULTS = (3, 65)  # numbers of boundaries: the first, and all from the second on


def colours(clusters):
    """One for each cluster: short steps bright, long ones dark."""
    return matplotlib.colormaps["viridis_r"](np.linspace(0.0, 0.85, max(2, clusters)))


def is_fault(boundary):
    return (boundary == FAULTS[0]) | (boundary >= FAULTS[1])


def top_faces(place, boundary):
    """Faces that lie on the upper side of the mesh: as steep as a slope at most, and above its middle."""
    normal = np.cross(place[:, 1] - place[:, 0], place[:, 2] - place[:, 0])
    flat = np.abs(normal[:, 2]) > 0.3 * np.linalg.norm(normal, axis=1)
    above = place[:, :, 2].mean(axis=1) > place[:, :, 2].mean()
    return flat & above & ~is_fault(boundary)


def draw_map(axes, surface, shades):
    place, boundary = surface["place"][:].filled(), surface["boundary"][:].filled()
    shown = top_faces(place, boundary)
    edges = {"edgecolors": "white", "linewidths": 0.25} if shown.sum() <= OUTLINED else {"edgecolors": "face"}
    cells = PolyCollection(
        place[shown, :, :2] / 1000, facecolors=shades[surface["cluster"][:].filled()[shown]], **edges
    )
    cells.set_rasterized(shown.sum() > OUTLINED)
    axes.add_collection(cells)
    fault = place[is_fault(boundary)]
    if len(fault):
        # Of what lies below the surface the outline is enough: the sides that one face alone has.
        sides = np.concatenate([fault[:, [0, 1]], fault[:, [1, 2]], fault[:, [0, 2]]])
        keys = np.sort(sides.reshape(len(sides), 2, 3).view([("", float)] * 3).reshape(len(sides), 2), axis=1)
        _, first, times = np.unique(keys, axis=0, return_index=True, return_counts=True)
        axes.add_collection(
            LineCollection(sides[first[times == 1]][:, :, :2] / 1000, colors="red", linewidths=1.2)
        )
        axes.plot([], [], color="red", linewidth=1.2, label="edge of a fault")
        axes.legend(loc="upper right", fontsize=8.5)
    axes.set_aspect("equal")
    axes.autoscale_view()
    axes.margins(0.01)
    axes.set_xlabel("x, km")
    axes.set_ylabel("y, km")
    axes.set_title("clusters at the upper side", size=10)


def draw_clusters(axes, clusters, shades):
    numbers = np.arange(len(clusters["cells"]))
    axes.bar(numbers, clusters["cells"], color=shades[: len(numbers)], edgecolor="black", linewidth=0.4)
    before = clusters["before"]
    axes.scatter(
        np.arange(len(before)),
        before,
        marker="_",
        s=260,
        color="black",
        label="before the rule for neighbours",
    )
    step = [clusters["step"] * clusters["rate"] ** int(n) for n in numbers]
    unit = EngFormatter(unit="s", places=1)
    axes.set_xticks(numbers, [unit(s) for s in step], size=8, rotation=25 if len(numbers) > 5 else 0)
    axes.set_ylim(0, 1.22 * max(*before, *clusters["cells"]))
    axes.legend(fontsize=8, loc="upper right", frameon=False)
    axes.set_xlabel("step of a cluster", size=9)
    axes.set_ylabel("cells", size=9)


def draw_steps(axes, histogram, clusters, shades):
    edges = np.array(histogram["edges"])
    first = np.floor(np.log(edges[:-1] * (1 + 1e-9) / clusters["step"]) / np.log(max(2, clusters["rate"])))
    shade = shades[np.clip(first, 0, len(clusters["cells"]) - 1).astype(int)]
    axes.bar(edges[:-1], histogram["cells"], width=np.diff(edges), align="edge", color=shade)
    axes.set_xscale("log")
    steps = clusters["step"] * float(max(2, clusters["rate"])) ** np.arange(len(clusters["cells"]) + 1)
    axes.set_xticks(steps, [EngFormatter(unit="s", places=1)(step) for step in steps])
    axes.minorticks_off()
    if len(steps) > 6:
        axes.tick_params(axis="x", rotation=25)
    axes.set_xlabel("longest step that a cell may take", size=9)
    axes.set_ylabel("cells", size=9)


def draw_quality(axes, quality):
    edges = np.array(quality["histogram"]["edges"])
    cells = np.array(quality["histogram"]["cells"])
    grouped = cells.reshape(-1, 4).sum(axis=1)
    axes.bar(edges[:-1:4], grouped, width=edges[4], align="edge", color="tab:blue")
    worst = quality["worst"]["value"]
    axes.axvline(worst, color="tab:red", linewidth=1)
    axes.text(worst, 0.96, f" worst {worst:.2g}", color="tab:red", size=8.5, va="top",
              transform=axes.get_xaxis_transform())  # fmt: skip
    axes.set_xlim(0, 1)
    axes.set_xlabel("3 × inscribed / circumscribed radius (1: regular)", size=9)
    axes.set_ylabel("cells", size=9)


def draw(result, surface, path):
    low, high = np.array(result["extent"]["low"]), np.array(result["extent"]["high"])
    wide, deep = high[:2] - low[:2]
    width, height = (MAP, MAP * deep / wide) if deep <= wide else (MAP * wide / deep, MAP)
    width, height = max(width, 2.5), max(height, 2.5)
    tall = max(height, 6.2)
    total = (LEFT + width + GAP + SIDE + RIGHT, BOTTOM + tall + TOP)
    figure = Figure(figsize=total, dpi=110)

    def panel(x, y, wide, high):
        return figure.add_axes((x / total[0], y / total[1], wide / total[0], high / total[1]))

    clusters = result["clusters"]
    shades = colours(len(clusters["cells"]))
    with netCDF4.Dataset(surface) as file:
        draw_map(panel(LEFT, BOTTOM + (tall - height) / 2, width, height), file, shades)
    each = (tall - 2 * BETWEEN) / 3
    left = LEFT + width + GAP
    draw_clusters(panel(left, BOTTOM + 2 * (each + BETWEEN), SIDE, each), clusters, shades)
    draw_steps(
        panel(left, BOTTOM + each + BETWEEN, SIDE, each), result["steps"]["histogram"], clusters, shades
    )
    draw_quality(panel(left, BOTTOM, SIDE, each), result["quality"])
    for axes in figure.axes[1:]:
        axes.tick_params(labelsize=8.5)
        axes.yaxis.set_major_formatter(EngFormatter(sep=""))
    gain = result["gain"]
    said = (
        f"{counted(result['cells'], 'cell')}, shortest step {result['steps']['shortest']['value']:.3g} s at order "
        f"{result['order']}; clusters save a factor of {gain['clusters']:.2f} of {gain['own_steps']:.2f}"
    )
    name = pathlib.Path(result["mesh"]).name
    for text, down, style in ((name, 0.36, {"weight": "bold", "size": 12.5}), (said, 0.63, {"size": 10.5})):
        fit(figure.text(LEFT / total[0], 1 - down / total[1], text, **style), total[0] - LEFT - RIGHT)
    save_figure(figure, path)
