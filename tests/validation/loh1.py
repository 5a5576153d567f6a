#!/usr/bin/env python3
"""LOH.1 in full: the receiver at (6, 8, 0) km against the solution by plane waves that the case computes, by size of the
elements and by order, over the 9 s of the case.

    build/venv/bin/python tests/validation/loh1.py [SIZE:ORDER ...] → build/validation/loh1: table.json, misfit.png, runs

Ends with exit code 1 where the finest run is further from a solution than LIMIT in one of its components, or where a higher
order, or finer elements of the same order, come no nearer to the case's own. With GROUNDSWELL_TEST_DATA the published solution
by frequency and wavenumber (Coseis) stands beside it, from 0.2 Hz on: below, its radial component has a wave of its own.
"""

import json
import os
import pathlib
import sys

import summary
from study import ROOT, call, far, finest_of

CASE = ROOT / "cases/quake/loh1"
FOLDER = ROOT / "build/validation/loh1"
RUNS = ["600:3", "600:4", "600:5", "400:5", "288:4", "288:5"]  # metres in the layer : order
LIMIT = 0.05
COMPONENTS = ("radial", "transverse", "vz")
PUBLISHED = pathlib.Path(os.environ.get("GROUNDSWELL_TEST_DATA", "/none")) / "quake/loh1/reference"


def made(path, script, *options):
    """What a script of the case makes, once."""
    if not path.exists():
        call(sys.executable, CASE / script, *options, "--output", path)
    return path


def misfits(receivers, reference, picture, *options):
    """{component: relative rms and misfits of envelope and phase}."""
    numbers = picture.with_suffix(".json")
    call(
        *(ROOT / "groundswell", "plot", "seismograms", receivers, "--station", "10 km", "--epicentre", "0,0"),
        *("--reference", reference, "--output", picture, "--json", numbers, "--quiet", *options),
    )
    (station,) = json.loads(numbers.read_text())["result"]["stations"]
    return {each["component"]: each["reference"] for each in station["components"]}


def simulate(size, order, references):
    """One run as users start it, on two ranks; a row of the table."""
    mesh = made(FOLDER / f"loh1-{size}.msh", "make_mesh.py", "--size", size)
    output = FOLDER / f"{size}m-order{order}"
    call(
        *(
            "mpirun",
            "-n",
            2,
            ROOT / "groundswell",
            "run",
            CASE / "case.toml",
            "--overwrite",
            "--output",
            output,
        ),
        *("--set", f'mesh.file="{mesh}"', "--set", f"solver.order={order}"),
    )
    told = json.loads((output / "run.json").read_text())["result"]
    row = {"size": size, "order": order, "run": told}
    for name, (reference, options) in references.items():
        row[name] = misfits(output / "receivers.nc", reference, output / f"misfit-{name}.png", *options)
    return row


def line(row):
    told = row["run"]
    text = f"{row['size']:>5} m {told['cells']:>7} elements  order {row['order']}  {told['wall_seconds']:>6.0f} s"
    for name in ("exact", "published"):
        if name in row:
            text += f"   {name}: " + "  ".join(
                f"{100 * row[name][c]['relative_rms']:5.1f} %" for c in COMPONENTS
            )
    envelope = max(row["exact"][c]["envelope_misfit"] for c in COMPONENTS)
    phase = max(row["exact"][c]["phase_misfit"] for c in COMPONENTS)
    return text + f"   envelope {100 * envelope:.1f} %, phase {100 * phase:.1f} %"


def worst_of(row):
    return max(row["exact"][c]["relative_rms"] for c in COMPONENTS)


def scores_of(row):
    """All numbers that are judged: (what, number, limit)."""
    return [
        (f"{name} solution, {component}", row[name][component]["relative_rms"], LIMIT)
        for name in ("exact", "published")
        if name in row
        for component in COMPONENTS
    ]


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    references = {"exact": (made(FOLDER / "exact.csv", "make_reference.py"), ())}
    if PUBLISHED.is_dir():
        published = made(FOLDER / "published.csv", "make_reference.py", "--published", PUBLISHED)
        references["published"] = (published, ("--filter", "0.2,6"))
    rows = []
    print(
        "LOH.1 at (6, 8, 0) km, 0 to 9 s: relative rms of radial, transverse, vertical velocity; worst misfits"
    )
    for size, order in (each.split(":") for each in sys.argv[1:] or RUNS):
        rows.append(simulate(int(size), int(order), references))
        print(line(rows[-1]), flush=True)
        (FOLDER / "table.json").write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    found = far(rows, worst_of, scores_of)
    scores = scores_of(finest_of(rows))
    summary.record("quake", [summary.case("loh1", scores, "frequency and wavenumber", not found)])
    for words in found:
        print(f"loh1.py: {words}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
