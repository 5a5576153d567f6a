"""A run on a device holds the bits of one on processors: played devices of several seeds, ranks that share one, restarts from one to the other."""

import pytest
from launching import STORM_FILES, assert_same, groundswell, refused, run, storm_case, write_case

RESTART = "restart_20240906T050000.nc"


def on_device(seed):
    return ("--set", "run.device=gpu", "--set", "run.ranks_of_gpu=8"), {
        "GROUNDSWELL_PLAYED_DEVICE": str(seed)
    }


@pytest.fixture(scope="module", params=["upwind", "second-order"])
def storm(request, tmp_path_factory, tiny_mesh):
    """A case of all source terms by default and the folder of its run on the processor."""
    folder = tmp_path_factory.mktemp("device")
    table = storm_case(tiny_mesh, None, hours=2)
    table["wind"] = [{"uniform": [18.0, 5.0]}]
    table["propagation"]["scheme"] = request.param
    table["output"]["restart"] = {"every": "1h"}
    case = write_case(folder / "case.toml", table)
    run(case, "--output", folder / "one")
    return case, folder / "one"


@pytest.mark.parametrize(
    ("seed", "ranks", "route"), [(1, 1, "auto"), (2, 3, "memory"), (3, 2, "mpi"), (4, 3, "staged")]
)
def test_the_bits_are_those_of_the_processor(storm, tmp_path, seed, ranks, route):
    case, reference = storm
    arguments, env = on_device(seed)
    graphs = "true" if seed % 2 else "false"
    choices = ("--set", f"halo.gpu={route}", "--set", f"run.launch_graphs={graphs}")
    run(case, "--output", tmp_path, *choices, *arguments, ranks=ranks, env=env)
    assert_same(tmp_path, reference, [*STORM_FILES, RESTART])


def test_a_run_goes_on_where_it_did_not_begin(storm, tmp_path):
    case, reference = storm
    arguments, env = on_device(3)
    run(case, "--output", tmp_path, "--set", "time.end=2024-09-06T04:00:00Z", *arguments, env=env)
    run(case, "--output", tmp_path, "--restart", tmp_path / "restart_20240906T040000.nc")
    assert_same(tmp_path, reference, [RESTART])


def test_without_a_gpu_nothing_else_computes(storm, tmp_path):
    case, _ = storm
    outcome = groundswell("run", case, "--output", tmp_path, "--set", "run.device=gpu")
    if outcome.code == 0:
        pytest.skip("this machine has a GPU, and the program was built for it")
    refused(outcome, "GPU")
