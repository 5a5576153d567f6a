#!/usr/bin/env python3
"""Every transport against one memcpy of the same bytes: bench/halo.py [FOLDER] → halo.json, halo.png.

Two ranks on one host, a patch of 40 000 hexagons. Also with the directions alone that first-order upwind needs, which takes one
ring of halo: halo-needed.json, .png.
"""

import subprocess
import sys

from common import launch, output_folder, program, read_json, write_json

MEASUREMENTS = {"halo": [], "halo-needed": ["--selection"]}


def main():
    folder = output_folder()
    for name, options in MEASUREMENTS.items():
        report = folder / f"{name}.json"
        patch = ["--hexagons", "200x200", "--repeats", 2000]
        launch(2, program("groundswell"), "halo", *patch, *options, "--quiet", "--json", report)
        write_json(report, read_json(report))
        picture = ["halo", report, "--output", folder / f"{name}.png", "--quiet"]
        subprocess.run([sys.executable, "-m", "groundswell.plot_cli", *map(str, picture)], check=True)


if __name__ == "__main__":
    main()
