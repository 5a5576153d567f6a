#!/usr/bin/env python3
"""The output layer against plain write and fsync: bench/output.py [FOLDER] → output.json, output.png.

Two ranks write on the file system of FOLDER, see output.cpp.
"""

import tempfile

from common import (
    COLOURS,
    launch,
    machine_text,
    new_figure,
    output_folder,
    program,
    read_json,
    save,
    write_json,
)

ROUNDS = 5
COLOUR_OF = {"plain": COLOURS[4], "direct": COLOURS[0], "serial": COLOURS[1], "scattered": COLOURS[3]}
ORDERS = {
    "blocks": "one block a rank",
    "curve": "cells along a space-filling curve",
    "random": "cells in random order",
}


def draw(report, path):
    datasets = report["result"]["datasets"]
    figure, panels = new_figure(2, 12.5, 4.8)
    for axes, dataset in zip(panels, datasets):
        at, ticks = 0.0, []
        for order, meaning in ORDERS.items():
            methods = [m for m in dataset["methods"] if m["order"] == order]
            if not methods:
                continue
            axes.text(0.01, at - 0.75, meaning, transform=axes.get_yaxis_transform(), style="italic")
            for method in methods:
                seconds = method["seconds"]
                axes.barh(at, seconds["median"], 0.75, color=COLOUR_OF[method["method"]])
                axes.plot([seconds["min"], seconds["max"]], [at, at], color="black", linewidth=1)
                axes.text(
                    1.1 * seconds["max"],
                    at,
                    f"{method['megabytes_per_second']:.0f} MB/s, {method['ratio_to_plain']:.1f} × plain",
                    va="center",
                    fontsize=9,
                )
                ticks.append((at, method["method"]))
                at += 1.0
            at += 1.0
        axes.set_yticks([t for t, _ in ticks], [name for _, name in ticks])
        axes.set_ylim(at - 1.0, -1.4)
        axes.set_xscale("log")
        longest = max(m["seconds"]["max"] for m in dataset["methods"])
        shortest = min(m["seconds"]["min"] for m in dataset["methods"])
        axes.set_xlim(0.3 * shortest, longest * (longest / shortest) ** 0.7)
        axes.set_xlabel("seconds until all is on the device (bar: median, line: range)")
        what = (
            f"{dataset['records']} records of {dataset['fields']} fields"
            if dataset["records"]
            else f"one variable of {dataset['row_width']} bins"
        )
        axes.set_title(
            f"{dataset['name'].capitalize()}: {what}, {dataset['rows']} cells, {1e-6 * dataset['bytes']:.0f} MB",
            loc="left",
        )
    figure.suptitle(
        f"Writing with {report['machine']['ranks']} ranks ({machine_text(report['machine'])})", fontsize=11
    )
    save(figure, path)


def main():
    folder = output_folder()
    with tempfile.TemporaryDirectory(dir=folder) as scratch:
        launch(2, program("bench_output"), ROUNDS, scratch, folder / "output.json")
    report = read_json(folder / "output.json")
    write_json(folder / "output.json", report)
    draw(report, folder / "output.png")


if __name__ == "__main__":
    main()
