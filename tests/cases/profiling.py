"""Small runs of both models, and what they tell of themselves."""

import json

import pytest
from launching import groundswell, output_mode, swell_case, write_case

BOX = {
    "model": "quake",
    "title": "a small box",
    "time": {"end": "0.25s"},
    "mesh": {"box": {"cubes": [5, 4, 4], "length": [1000, 900, 1100], "jitter": 0.12}},
    "solver": {"order": 3, "cluster_rate": 2},
    "material": {"rock": [{"layers": [[0, 2000, 1000, 400], [-400, 2700, 6000, 3464]]}]},
    "source": {
        "point": [
            {
                "place": [10, -20, -610],
                "force": [1e9, 0, 0],
                "time_function": "ricker",
                "centre": 0.05,
                "frequency": 12,
            }
        ]
    },
    "output": {"energies": {"file": "energy.nc", "every": "10ms"}},
}

# A request for the ground around a fault of 5 km × 3 km.
ONE_FAULT = """
model = "quake"
region = { x = [-4e3, 4e3], y = [-3e3, 3e3], depth = 6e3 }
size = { coarsest = 2000.0 }
[[layer]]
[[fault]]
trace = [[-2500.0, 0.0], [2500.0, 0.0]]
bottom = 3e3
size = 800.0
"""


def ground_mesh(folder, request, name="ground"):
    """The mesh that `groundswell mesh make` makes of a request, in a folder. The test is skipped where Gmsh is not there."""
    pytest.importorskip("gmsh", exc_type=ImportError)
    (folder / f"{name}.toml").write_text(request)
    made = groundswell("mesh", "make", folder / f"{name}.toml", "--output", folder / f"{name}.msh")
    assert made.code == 0, made.stderr
    return folder / f"{name}.msh"


def breaking_fault(patch):
    """A section `fault` whose stress, above the strength in the box `patch` alone, breaks it from there."""
    return {
        "law": "linear-slip-weakening",
        "plus_side": [0, -1e5, 0],
        "set": [
            {
                "static_friction": 0.677,
                "dynamic_friction": 0.525,
                "slip_distance": 0.1,
                "stress": {"yy": -120e6, "xy": 70e6},
            },
            {"box": patch, "stress": {"xy": 82e6}},
        ],
    }


def sea(folder, mesh, hours=6, **output):
    table = swell_case(mesh, hours=hours)
    table["physics"] = {"package": "st4"}
    table["output"] |= {"mode": output_mode("direct"), **output}
    return write_case(folder / "case.toml", table)


def result_of(folder):
    return json.loads((folder / "run.json").read_text())["result"]


def run_case(case, *arguments, ranks=2, env=None):
    """The summary and the report of a run that must succeed."""
    folder = case.parent / "out"
    outcome = groundswell("run", case, "--output", folder, "--overwrite", *arguments, ranks=ranks, env=env)
    assert outcome.code == 0, outcome.stderr
    return outcome, result_of(folder)
