"""A layer in which waves fade beside the absorbing boundary: less comes back at a slant, the same bits however it is run, and what is refused."""

import copy
import importlib.util
import sys

import netCDF4
import numpy as np
import pytest
from launching import ROOT, assert_same, groundswell, refused, run, write_case
from profiling import ONE_FAULT, ground_mesh
from test_quake_faults import small_fault
from test_quake_runs import FILES, restarts, small_case

LAYER = {"thickness": 250.0}


@pytest.fixture(scope="module")
def reflection():
    """The study of that name, of plane waves in a column."""
    folder = ROOT / "tests/validation"
    sys.path.insert(0, str(folder))
    spec = importlib.util.spec_from_file_location("reflection", folder / "reflection.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.path.remove(str(folder))
    return module


@pytest.fixture
def comes_back(reflection, tmp_path):
    """How much of a packet does, of kind, angle and thickness in lengths of an S wave; with the packet."""

    def of(kind, degrees, layer):
        case, packet = reflection.case_of(
            tmp_path / f"{kind}-{degrees}-{layer}", kind, degrees, layer, per_length=2.5
        )
        run(case, ranks=2)
        return reflection.reflected(case.parent / "output"), packet

    return of


# In `make test` not the one that goes on for longest.
@pytest.mark.parametrize(
    ("degrees", "one", "two"), [(60, 0.4, 0.4), pytest.param(75, 0.65, 0.35, marks=pytest.mark.long)]
)
def test_less_comes_back_at_grazing_incidence(comes_back, degrees, one, two):
    """From layers of one and of two wavelengths, by the boundary alone."""
    alone, packet = comes_back("SH", degrees, 0.0)
    assert alone == pytest.approx(packet.by_the_boundary_alone(), rel=0.03)
    thin, thick = comes_back("SH", degrees, 1.0)[0], comes_back("SH", degrees, 2.0)[0]
    assert thin < one * alone and thick < two * alone


@pytest.mark.parametrize(("kind", "most"), [("P", 0.25), ("SV", 0.15)])
def test_less_comes_back_of_other_waves(comes_back, kind, most):
    alone, behind = comes_back(kind, 60, 0.0)[0], comes_back(kind, 60, 1.0)[0]
    assert behind < 0.8 * alone and behind < most


def test_a_wave_that_comes_in_straight_meets_nothing(comes_back):
    """At a right angle neither the boundary nor the layer in front of it gives anything back."""
    for layer in (0.0, 1.0):
        assert comes_back("P", 0, layer)[0] < 0.01


def faded():
    table = small_case()
    table["absorbing_layer"] = LAYER
    return table


def attenuating(table):
    table["material"]["rock"] = [{"density": 2700, "vp": 6000, "vs": 3464, "qp": 60, "qs": 30}]
    table["attenuation"] = {"band": [1.0, 100.0]}
    return table


@pytest.fixture(scope="module", params=["elastic", "attenuating", "float"])
def alone(request, tmp_path_factory):
    """The small case with a layer on one rank: its case file, and its output."""
    table = attenuating(faded()) if request.param == "attenuating" else faded()
    table["solver"]["precision"] = "float" if request.param == "float" else "double"
    folder = tmp_path_factory.mktemp(request.param)
    case = write_case(folder / "case.toml", table)
    run(case)
    return case, folder / "output"


@pytest.mark.parametrize(("ranks", "threads"), [(1, 2), (2, 1), (3, 1)])
def test_bits_do_not_depend_on_how_it_is_run(alone, tmp_path, ranks, threads):
    case, reference = alone
    run(case, "--output", tmp_path, "--set", f"run.threads={threads}", ranks=ranks)
    assert_same(tmp_path, reference, [*FILES, *restarts(reference)])


def test_a_restart_goes_on_with_the_same_bits(alone, tmp_path):
    case, reference = alone
    first, last = restarts(reference)
    run(case, "--output", tmp_path, "--set", "time.end=0.2s", ranks=2)
    run(case, "--output", tmp_path, "--restart", tmp_path / first, ranks=3)
    assert_same(tmp_path, reference, [*FILES, last])


@pytest.mark.parametrize("order", [2, 4, 7])
def test_a_layer_takes_energy_and_gives_none(tmp_path, order):
    """Of one wave in a box of whatever order: with a layer less is left at all times, and it never grows."""
    table = {
        "model": "quake",
        "time": {"end": "0.25s"},
        "mesh": {"box": {"cubes": [5, 4, 4], "length": [1000, 900, 1100], "jitter": 0.12}},
        "solver": {"order": order},
        "material": {"rock": [{"density": 2700, "vp": 6000, "vs": 3464}]},
        "initial": {
            "wave": [
                {
                    "kind": "S",
                    "direction": [1.0, 0.3, -0.2],
                    "polarisation": [0, 1, 0],
                    "centre": [-200, 0, -500],
                    "width": 120.0,
                }
            ]
        },
        "output": {"energies": {"file": "energy.nc", "every": "10ms"}},
    }
    left = []
    for name, layer in (("without", None), ("with", LAYER)):
        own = copy.deepcopy(table) | ({"absorbing_layer": layer} if layer else {})
        (tmp_path / name).mkdir()
        run(write_case(tmp_path / name / "case.toml", own))
        with netCDF4.Dataset(tmp_path / name / "output/energy.nc") as file:
            left.append(file["kinetic"][:] + file["elastic"][:])
        assert (np.diff(left[-1]) <= 1e-12 * left[-1][0]).all()
    assert (left[1][1:] < left[0][1:]).all() and left[1][-1] < 0.7 * left[0][-1]


def test_a_case_without_the_section_has_no_layer_and_one_of_no_strength_changes_no_bit(tmp_path):
    for name, layer in (("without", {}), ("with", {"absorbing_layer": LAYER | {"strength": 0.0}})):
        (tmp_path / name).mkdir()
        run(write_case(tmp_path / name / "case.toml", small_case() | layer))
    assert_same(tmp_path / "with/output", tmp_path / "without/output", FILES)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda c: c["absorbing_layer"].pop("thickness"), ["absorbing_layer.thickness"]),
        (lambda c: c["absorbing_layer"].update(thickness=-1.0), ["absorbing_layer.thickness = -1"]),
        (lambda c: c["absorbing_layer"].update(thickness=1e5), ["thickness = 100000", "thinner than half"]),
        (
            lambda c: c["mesh"]["box"].update(lateral="free", bottom="free"),
            ["absorbing_layer.thickness = 250", "a mesh with an absorbing boundary"],
        ),
    ],
)
def test_what_has_no_layer_is_refused(tmp_path, change, words):
    table = faded()
    table["absorbing_layer"] = dict(LAYER, strength=1.0)
    change(table)
    refused(groundswell("run", write_case(tmp_path / "case.toml", table), "--check"), *words)


def test_a_fault_that_reaches_into_the_layer_is_refused(tmp_path):
    table = small_fault(ground_mesh(tmp_path, ONE_FAULT))
    table["absorbing_layer"] = {"thickness": 2e3}
    outcome = groundswell("run", write_case(tmp_path / "case.toml", table), "--check")
    refused(outcome, "absorbing_layer.thickness = 2000, about", "no fault reaches into")
