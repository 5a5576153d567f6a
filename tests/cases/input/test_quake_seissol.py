"""SeisSol's own cases of the community's problems: imported from their parameter files, they are the cases that were made by hand."""

import json
import math

import netCDF4
import numpy as np
import pytest
from launching import ROOT, groundswell, run

CASES = ROOT / "cases/quake"
MESHES = {"tpv13": "tpv12_13_example.puml.h5", "tpv33": "tpv33_half_sym"}
HARD = {"density": 2760.0, "mu": 32038120320.0, "lambda": 32043759360.0}  # of the files, not of the problem
SOFT = {"density": 2670.0, "mu": 32038120320.0, "lambda": 32043759360.0}


def as_table(rock):
    return "material.rock=[{" + ", ".join(f"{key}={value}" for key, value in rock.items()) + "}]"


def two_sides(folder):
    """Rock of TPV6 with the density of its files: hard where y < 0, soft where y > 0."""
    soft = (2225.0, 3750.0, 2165.0)
    hard = (
        HARD["density"],
        *(math.sqrt(m / HARD["density"]) for m in (HARD["lambda"] + 2 * HARD["mu"], HARD["mu"])),
    )
    with netCDF4.Dataset(folder / "rock.nc", "w") as file:
        for axis, values in (("x", [-1e5, 1e5]), ("y", [-1e5, -0.01, 0.01, 1e5]), ("z", [-1e5, 0.0])):
            file.createDimension(axis, len(values))
            variable = file.createVariable(axis, "f8", (axis,))
            variable.units, variable[:] = "m", values
        for name, unit, of_hard, of_soft in zip(
            ("density", "vp", "vs"), ("kg m-3", "m s-1", "m s-1"), hard, soft
        ):
            variable = file.createVariable(name, "f8", ("y", "x", "z"))
            variable.units = unit
            variable[:] = np.array([of_hard, of_hard, of_soft, of_soft])[:, None, None] * np.ones((1, 2, 2))
    return f"material.rock.0.grid={folder / 'rock.nc'}"


# What makes a case made by hand the same as the files ask for, besides what all do.
MADE = {
    "tpv5": lambda folder: [as_table(HARD), "fault.negative_slip=weakens"],
    "tpv6": lambda folder: [two_sides(folder), "fault.negative_slip=weakens"],
    "tpv13": lambda folder: [
        as_table({"density": 2700.0, "mu": 2.9403e10, "lambda": 2.941e10}),
        "fault.negative_slip=weakens",
        "plasticity.rock_at=centres",
        "fault.forced_rupture_duration=0.5",
    ],
    "tpv33": lambda folder: ["fault.negative_slip=weakens"],
    "tpv101": lambda folder: [as_table(SOFT)],
}


def largest_difference(one, other):
    """{file: largest relative L2 difference of a variable}, of what both have, which is more than coordinates."""
    found = {}
    for name in ("receivers.nc", "fault-receivers.nc", "energy.nc", "rupture.nc"):
        with netCDF4.Dataset(one / name) as a, netCDF4.Dataset(other / name) as b:
            shared = [
                v for v in a.variables if v in b.variables and "time" in a[v].dimensions and v != "time"
            ]
            assert len(shared) >= 2
            for variable in shared:
                x, y = (
                    np.ma.filled(np.ma.masked_invalid(file[variable][:]).astype(float), -1.0)
                    for file in (a, b)
                )
                assert x.shape == y.shape
                off = np.linalg.norm(x - y) / np.linalg.norm(y) if np.any(x != y) else 0.0
                found[name] = max(found.get(name, 0.0), off)
    return found


def both(name, data, folder, order, end):
    """Folders of both runs."""
    mesh = data / "quake/mesh" / MESHES.get(name, "tpv5-20k.h5")
    made = folder / "imported"
    outcome = groundswell(
        *("import", "seissol", data / f"quake/{name}/parameters.par", "--mesh", mesh, "--order", order),
        *("--output", made, "--quiet", "--json", folder / "import.json"),
    )  # fmt: skip
    lost = json.loads((folder / "import.json").read_text())["result"]["lost"]
    assert outcome.code == (1 if lost else 0), outcome.stderr
    assert all(": outputmask: " in line or ": surfaceoutput: " in line for line in lost), lost
    shared = [f"time.end={end}s", "output.energies.every=0.1s", "output.rupture.every=0.1s"]
    by_hand = [
        *(f"mesh.file={mesh}", f"solver.order={order}", "solver.step_rule=own", "solver.scale=1"),
        *("fault.points=conical", "fault.pressure=full", "output.rupture.moment_of_jump=true", *MADE[name](folder)),
    ]  # fmt: skip
    for case, output, sets, ranks in (
        (made / "case.toml", folder / "a", shared, 2),
        (CASES / name / "case.toml", folder / "b", [*shared, *by_hand], 0),
    ):
        words = [word for one in sets for word in ("--set", one)]
        run(case, "--output", output, *words, ranks=ranks, seconds=3000)
    return folder / "a", folder / "b"


def check(name, data, folder, order, end):
    off = largest_difference(*both(name, data, folder, order, end))
    if name == "tpv5":  # all of whose values are the same numbers
        assert set(off.values()) == {0.0}
    assert max(off.values()) <= 1e-6, off


@pytest.mark.parametrize("name", ["tpv13", "tpv33"])
def test_imported_cases_are_those_made_by_hand(test_data, tmp_path, name):
    """Values of the fault by point, of rock or of its strength by element."""
    check(name, test_data, tmp_path, 2, 0.2)


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "order", "end"),
    [("tpv5", 3, 1.0), ("tpv6", 3, 0.6), ("tpv13", 3, 0.6), ("tpv33", 3, 4.0), ("tpv101", 3, 1.0)],
)
def test_all_imported_cases_are_those_made_by_hand(test_data, tmp_path, name, order, end):
    check(name, test_data, tmp_path, order, end)


def test_values_by_point_hold_for_their_order_alone(test_data, tmp_path):
    """A run at another order, or with other points, has no value where it asks for one, and says so."""
    made = tmp_path / "made"
    mesh = test_data / "quake/mesh/tpv5-20k.h5"
    parameters = test_data / "quake/tpv5/parameters.par"
    outcome = groundswell(
        "import", "seissol", parameters, "--mesh", mesh, "--order", 2, "--output", made, "--quiet"
    )
    assert outcome.code == 0, outcome.stderr
    for setting in ("solver.order=3", "fault.points=symmetric"):
        outcome = groundswell(
            "run", made / "case.toml", "--check", "--output", tmp_path / "out", "--set", setting
        )
        assert outcome.code == 2 and "fault.nc: x, y, z = no point at (" in outcome.stderr, outcome.stderr


def test_a_parameter_file_is_told_how_to_become_a_case(tmp_path):
    (tmp_path / "parameters.par").write_text("! mine\n&equations\nMaterialFileName = 'rock.yaml'\n/\n")
    outcome = groundswell("run", tmp_path / "parameters.par")
    assert outcome.code == 2 and "groundswell import seissol" in outcome.stderr and len(outcome.errors) == 1
