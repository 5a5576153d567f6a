"""Consequences of a mesh for a model: the longest stable step and the memory of the spectra, and tables for people."""

import numpy as np

from groundswell.errors import refuse
from groundswell.mesh import step
from groundswell.plot.source import place_text
from groundswell.report import bytes_text, table

BYTES_PER_VALUE = 4


def parse_spectrum(text, first_frequency=None, ratio=None):
    """{directions, frequencies, first_frequency, ratio} of what was given: "36x35" and two numbers; None is left out."""
    found = {}
    if text is not None:
        parts = text.lower().replace("×", "x").split("x")
        if len(parts) != 2 or not all(p.isdigit() and int(p) > 0 for p in parts):
            refuse("command line", "--spectrum", text, "directions x frequencies, such as 36x35")
        found.update(directions=int(parts[0]), frequencies=int(parts[1]))
    if first_frequency is not None:
        if not first_frequency > 0:
            refuse("command line", "--first-frequency", first_frequency, "a frequency > 0 in Hz")
        found["first_frequency"] = first_frequency
    if ratio is not None:
        if not ratio > 1:
            refuse("command line", "--ratio", ratio, "a ratio > 1")
        found["ratio"] = ratio
    return found


def model_cost(mesh, settings):
    """Sea cells, steps and bytes; a mesh without bottomDepth counts as deep sea everywhere."""
    spectrum = settings.spectrum
    depth = mesh.get("bottomDepth", np.full(len(mesh["areaCell"]), 5000.0))
    if settings.uniform_depth:
        depth = np.full(len(mesh["areaCell"]), float(settings.uniform_depth))
    if not (depth > 0).any():
        return {"sea_cells": 0, "spectrum": spectrum, "longest_step": None, "state_bytes": 0}
    sea = step.sea_cells(mesh, depth)
    bins = spectrum["directions"] * spectrum["frequencies"]
    found = {
        "sea_cells": int(sea.sum()),
        "spectrum": spectrum,
        "scheme": settings.scheme,
        "longest_step": None,
        "state_bytes": int(sea.sum()) * bins * BYTES_PER_VALUE,
    }
    if settings.scheme not in step.LIMIT:
        return found
    felt = np.maximum(depth, settings.minimum_depth)
    upwind, cell, frequency, direction = step.longest_step(mesh, sea, felt, spectrum, settings.closed)
    longest = step.LIMIT[settings.scheme] * upwind
    hertz = spectrum["first_frequency"] * spectrum["ratio"] ** frequency
    return found | {
        "longest_step": longest,
        "run_step": settings.run_step(longest),
        "limiting": {
            "mesh_cell": cell + 1,
            "lon": east(np.degrees(mesh["lonCell"][cell])),
            "lat": float(np.degrees(mesh["latCell"][cell])),
            "depth": float(depth[cell]),
            "frequency_bin": frequency,
            "direction_bin": direction,
            "group_speed": float(step.group_speed(hertz, felt[cell])),
        },
    }


def east(lon):
    """A longitude in [-180, 180)."""
    return float((lon + 180.0) % 360.0 - 180.0)


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
            [f"longest stable step ({result['scheme']})", f"{result['longest_step']:.4g} s"],
            [
                "  set by cell",
                f"{at['mesh_cell']} at {place_text(at['lon'], at['lat'], 3)}, {at['depth']:.0f} m deep",
            ],
            ["step of a run", f"{result['run_step']:.4g} s"],
        ]
    rows.append(["memory of one state", bytes_text(result["state_bytes"])])
    return table(rows)
