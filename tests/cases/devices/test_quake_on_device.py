"""Earthquakes on a GPU: the bits of the processor's kernels that round after each product, on the played device."""

import pytest
from launching import assert_same, build_setting, run, write_case
from profiling import ONE_FAULT, ground_mesh
from test_quake_faults import mesh, restarts  # noqa: F401
from test_quake_instruction_sets import attenuating, broken, plastic, rate_and_state
from test_quake_runs import FILES, small_case

# x86-64-v2 has no instruction that multiplies and adds with one rounding; nor has what the played device computes with.
UNFUSED = {"GROUNDSWELL_ISA": "v2"}


def played(seed):
    return UNFUSED | {"GROUNDSWELL_PLAYED_DEVICE": str(seed)}


def on_gpu(table):
    return table | {"run": table.get("run", {}) | {"device": "gpu"}}


@pytest.fixture(autouse=True)
def portable():
    if build_setting("GROUNDSWELL_ARCH", "portable") != "portable":
        pytest.skip("the program was built for one kind of processor")


def faded(_):
    """The small case in four clusters, with a layer, in rock that yields."""
    table = small_case()
    table["absorbing_layer"] = {"thickness": 250.0, "strength": 1.0}
    table["plasticity"] = {
        "cohesion": 1e4,
        "bulk_friction": 0.0,
        "relaxation_time": 0.01,
        "stress": {"zz": 0.0},
    }
    return table, list(FILES)


def faded_in_single_precision(_):
    """The same in rock that attenuates."""
    table, files = faded(_)
    del table["plasticity"]
    table["solver"]["precision"] = "float"
    table["material"]["rock"] = [
        {"layers": [[0, 2000, 1000, 400, 50, 25], [-400, 2700, 6000, 3464, 200, 100]]}
    ]
    table["attenuation"] = {"band": [1.0, 100.0]}
    return table, files


# Rows xx yy zz yz xz xy: transversely isotropic about the vertical, GPa.
SCHIST = [82, 26, 22, 0, 0, 0, 82, 22, 0, 0, 0, 60, 0, 0, 0, 20, 0, 0, 20, 0, 28]


def anisotropic(mesh):  # noqa: F811
    """A fault that breaks above anisotropic rock, which begins right below its elements and is pushed, and a layer around both."""
    table, files = broken(mesh)
    two_layers = mesh.parent / "two_layers.msh"
    if not two_layers.exists():
        request = ONE_FAULT.replace("[[layer]]", "[[layer]]\nbottom = 3.4e3\n[[layer]]")
        ground_mesh(mesh.parent, request, two_layers.stem)
    table["mesh"]["file"] = str(two_layers)
    table["material"]["rock"] = [
        {"group": [1], **table["material"]["rock"][0]},
        {"group": [2], "density": 2800, "stiffness": [1e9 * constant for constant in SCHIST]},
    ]
    table["absorbing_layer"] = {"thickness": 800.0}
    table["source"] = {
        "point": [
            {
                "place": [300, 200, -4500],
                "force": [1e12, 0, -2e12],
                "time_function": "brune",
                "rise_time": 0.02,
            }
        ]
    }
    table["output"]["receivers"][0]["at"] += [[0, 0, -4400], [3700, 100, -5000]]
    return table, files


@pytest.mark.parametrize(
    "make",
    [broken, rate_and_state, attenuating, plastic, faded, faded_in_single_precision, anisotropic],
)
def test_a_case_has_the_bits_of_the_processor(mesh, tmp_path, make):  # noqa: F811
    table, files = make(mesh)
    table["time"]["end"] = "0.1s"
    here = write_case(tmp_path / "here.toml", table)
    there = write_case(tmp_path / "there.toml", on_gpu(table))
    run(here, "--output", tmp_path / "here", env=UNFUSED)
    for seed, ranks, route, graphs in [
        (1, 1, "auto", "false"),
        (2, 2, "staged", "true"),
        (3, 3, "memory", "true"),
    ]:
        choices = [f"halo.gpu={route}", f"run.launch_graphs={graphs}", "run.ranks_of_gpu=8"]
        arguments = [word for choice in choices for word in ("--set", choice)]
        run(there, "--output", tmp_path / f"there{seed}", *arguments, ranks=ranks, env=played(seed))
        assert_same(tmp_path / "here", tmp_path / f"there{seed}", files)


@pytest.mark.parametrize("make", [broken, plastic, anisotropic])
def test_a_run_may_go_on_from_the_processor_to_a_device_and_back(mesh, tmp_path, make):  # noqa: F811
    table, files = make(mesh)
    table["time"]["end"] = "0.12s"
    table["output"]["restart"] = {"every": "0.04s", "keep": 0}
    here = write_case(tmp_path / "here.toml", table)
    there = write_case(tmp_path / "there.toml", on_gpu(table))
    whole, moved = tmp_path / "whole", tmp_path / "moved"
    run(here, "--output", whole, env=UNFUSED)
    first, second, last = restarts(whole)
    run(here, "--output", moved, "--set", "time.end=0.06s", env=UNFUSED)
    run(there, "--output", moved, "--set", "time.end=0.1s", "--restart", moved / first, env=played(3))
    run(here, "--output", moved, "--restart", moved / second, ranks=2, env=UNFUSED)
    assert_same(moved, whole, [*files, first, second, last])
