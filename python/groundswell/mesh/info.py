"""What a mesh means for a model: the longest stable step and the memory of the spectra, and tables for people."""

import numpy as np

from groundswell.errors import refuse
from groundswell.report import bytes_text, table

GRAVITY = 9.80665  # m s⁻²
MINIMUM_DEPTH = 2.0  # m, the model's own default
BYTES_PER_VALUE = 4


def parse_spectrum(text, first_frequency, ratio):
    """{directions, frequencies, first_frequency, ratio} from "36x35" and the two options."""
    parts = text.lower().replace("×", "x").split("x")
    if len(parts) != 2 or not all(p.isdigit() and int(p) > 0 for p in parts):
        refuse("command line", "--spectrum", text, "directions x frequencies, as 36x35")
    if not first_frequency > 0:
        refuse("command line", "--first-frequency", first_frequency, "a frequency > 0 in Hz")
    if not ratio > 1:
        refuse("command line", "--ratio", ratio, "a ratio > 1")
    return {
        "directions": int(parts[0]),
        "frequencies": int(parts[1]),
        "first_frequency": first_frequency,
        "ratio": ratio,
    }


def group_speed(frequency, depth):
    """cg = ½ (σ/k) (1 + 2kd / sinh 2kd) with σ² = gk tanh kd, solved by Newton's method from Eckart's approximation."""
    sigma = 2 * np.pi * frequency
    deep = sigma**2 * np.asarray(depth, float) / GRAVITY
    kd = deep / np.sqrt(np.tanh(deep))
    for _ in range(8):
        t = np.tanh(kd)
        kd = kd - (kd * t - deep) / (t + kd * (1 - t**2))
    twice = np.minimum(2 * kd, 300.0)
    return 0.5 * sigma * depth / kd * (1 + twice / np.sinh(twice))


def outflow_rate(mesh, speed, directions=36):
    """Largest over directions of Σ max(n·d, 0) dv speed / area per cell, 1/s: first-order upwind is stable and positive for
    steps up to its inverse."""
    worst = np.zeros(len(mesh["areaCell"]))
    pair = mesh["cellsOnEdge"]
    for direction in 2 * np.pi * np.arange(directions) / directions:
        width = np.cos(mesh["angleEdge"] - direction) * mesh["dvEdge"]
        out = np.zeros(len(worst))
        for side, sign in ((0, 1.0), (1, -1.0)):
            there = pair[:, side] > 0
            out += np.bincount(pair[there, side] - 1, np.maximum(sign * width[there], 0.0), len(worst))
        worst = np.maximum(worst, out)
    return worst * speed / mesh["areaCell"]


def model_cost(mesh, spectrum):
    """Sea cells, longest step and bytes; a mesh without bottomDepth counts as deep sea everywhere."""
    depth = mesh.get("bottomDepth", np.full(len(mesh["areaCell"]), 5000.0))
    sea = depth > 0
    if not sea.any():
        return {"sea_cells": 0, "spectrum": spectrum, "longest_step": None, "state_bytes": 0}
    speed = group_speed(spectrum["first_frequency"], np.maximum(depth, MINIMUM_DEPTH))
    rate = np.where(sea, outflow_rate(mesh, speed), 0.0)
    cell = int(np.argmax(rate))
    bins = spectrum["directions"] * spectrum["frequencies"]
    return {
        "sea_cells": int(sea.sum()),
        "spectrum": spectrum,
        "longest_step": float(1 / rate[cell]),
        "limiting": {
            "mesh_cell": cell + 1,
            "lon": float(np.degrees(mesh["lonCell"][cell])),
            "lat": float(np.degrees(mesh["latCell"][cell])),
            "depth": float(depth[cell]),
            "group_speed": float(speed[cell]),
        },
        "state_bytes": int(sea.sum()) * bins * BYTES_PER_VALUE,
    }


def quality_table(result):
    def row(name, stat, scale=1.0, digits=1):
        return [name] + [f"{stat[key] * scale:.{digits}f}" for key in ("min", "mean", "max")]

    rows = [
        ["", "min", "mean", "max"],
        row("spacing, km", result["spacing"], 1e-3, 2),
        row("distance between cells, km", result["cell_distance"], 1e-3, 2),
        row("edge length, km", result["edge_length"], 1e-3, 2),
        row("generator off centroid, % of spacing", result["centroid_offset"], 100, 2),
    ]
    for name, key in (
        ("smallest angle of a triangle, °", "smallest_angle"),
        ("largest angle, °", "largest_angle"),
    ):
        if key in result:
            rows.append(row(name, result[key]))
    if "depth" in result:
        rows.append(row("depth, m", result["depth"]))
    sides = ", ".join(f"{count} with {n}" for n, count in result["sides"].items())
    head = [
        ["cells", result["cells"]],
        ["edges", f"{result['edges']} ({result['boundary_edges']} at the boundary)"],
        ["vertices", result["vertices"]],
        ["sides of a cell", sides],
        ["area, million km²", f"{result['area'] / 1e12:.4g} ({result['share_of_sphere']:.2%} of the sphere)"],
    ]
    return table(head) + "\n" + table(rows)


def cost_table(result):
    spectrum = result["spectrum"]
    rows = [
        ["sea cells", result["sea_cells"]],
        [
            "spectrum",
            f"{spectrum['directions']} directions x {spectrum['frequencies']} frequencies from "
            f"{spectrum['first_frequency']:g} Hz, ratio {spectrum['ratio']:g}",
        ],
    ]
    if result["longest_step"]:
        at = result["limiting"]
        rows += [
            ["longest stable step (upwind)", f"{result['longest_step']:.1f} s"],
            [
                "  set by cell",
                f"{at['mesh_cell']} at {at['lon']:.3f}°E {at['lat']:.3f}°N, {at['depth']:.0f} m deep",
            ],
            ["memory of one state", bytes_text(result["state_bytes"])],
        ]
    return table(rows)
