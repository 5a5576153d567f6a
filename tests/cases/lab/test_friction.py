"""Friction given by a function in Python: the bits of the law whose formula it is, and what is said of one that fails."""

import re

import pytest
from launching import IS_OPEN_MPI, ROOT, assert_same, lab_program, run, write_case
from profiling import ONE_FAULT, breaking_fault, ground_mesh

pytestmark = pytest.mark.skipif(not IS_OPEN_MPI, reason="the laboratory is for Open MPI")
FILES = ("fault.nc", "receivers.nc", "energy.nc")


@pytest.fixture(scope="module")
def mesh(tmp_path_factory):
    return ground_mesh(tmp_path_factory.mktemp("fault"), ONE_FAULT)


def fault(mesh, law):
    """A fault that breaks from a square in its middle."""
    return {
        "model": "quake",
        "time": {"end": "0.4s"},
        "mesh": {"file": str(mesh)},
        "solver": {"order": 3},
        "material": {"rock": [{"density": 2700, "vp": 6000, "vs": 3464}]},
        "fault": breaking_fault({"x": [-800, 800], "z": [-2300, -700]}) | {"law": law},
        "output": {
            "fault": [{"file": "fault.nc", "every": "0.1s", "fields": ["slip", "friction", "rupture_time"]}],
            "receivers": [{"file": "receivers.nc", "every": "10ms", "at": [[0, 1000, 0]]}],
            "energies": {"file": "energy.nc", "every": "50ms"},
        },
    }


# Linear slip weakening (Andrews 1976) of a slip that the function sums up itself, in the place of another law; on the way a checkpoint.
LINEAR = """
case, output = sys.argv[1:]
def law(seconds, points, below):
    points.state[:] = np.maximum(points.state + points.slip_rate * points.length, 0)
    assert np.array_equal(points.state, points.slip) and np.abs(points.y).max() < 1e-6
    fall = points.static_friction - points.dynamic_friction
    return points.static_friction - fall * np.minimum(points.state / points.slip_distance, 1)
with lab.Simulation(case, output, friction=law) as simulation:
    simulation.run(0.15)
    file = simulation.write_restart()
with lab.Simulation(case, output, restart=file, friction=law) as simulation:
    simulation.run()
"""


@pytest.fixture(scope="module")
def built_in(mesh, tmp_path_factory):
    """Output of the law of the program, which is not that of the law in whose place the function stands."""
    folder = tmp_path_factory.mktemp("laws")
    for law in ("linear", "exponential"):
        table = fault(mesh, f"{law}-slip-weakening")
        run(write_case(folder / f"{law}.toml", table), "--output", folder / law)
    with pytest.raises(AssertionError):
        assert_same(folder / "exponential", folder / "linear", ["fault.nc"])
    return folder


def test_a_law_with_a_state_has_the_bits_of_the_law_whose_formula_it_is(built_in, tmp_path):
    lab_program(tmp_path, LINEAR, built_in / "exponential.toml", tmp_path / "python", ranks=2)
    assert_same(tmp_path / "python", built_in / "linear", FILES)


@pytest.mark.long
def test_the_law_that_the_manual_shows_is_that_of_the_program_on_threads_too(mesh, built_in, tmp_path):
    page = (ROOT / "docs/how-to/laboratory.md").read_text()
    (law,) = re.findall(r"```python\n(def linear.*?)```", page, re.S)
    write_case(tmp_path / "case.toml", fault(mesh, "exponential-slip-weakening") | {"run": {"threads": 2}})
    lab_program(tmp_path, law, cwd=tmp_path)
    assert_same(tmp_path / "output", built_in / "linear", FILES)


NUMBA = """
import numba
@numba.njit
def linear(friction, slip, static, dynamic, distance):
    for p in range(friction.size):
        friction[p] = static[p] - (static[p] - dynamic[p]) * min(slip[p] / distance[p], 1.0)
def law(seconds, points, below):
    linear(below, points.slip, points.static_friction, points.dynamic_friction, points.slip_distance)
    return below
with lab.Simulation(*sys.argv[1:], friction=law) as simulation:
    simulation.run()
"""


@pytest.mark.long
def test_a_law_in_numba_has_the_same_bits(built_in, tmp_path):
    pytest.importorskip("numba")
    lab_program(tmp_path, NUMBA, built_in / "exponential.toml", tmp_path / "numba", ranks=2)
    assert_same(tmp_path / "numba", built_in / "linear", FILES)


TROUBLE = """
case, output, what = sys.argv[1:]
def law(seconds, points, below):
    if lab.world().rank == 1 and seconds > 0.1:
        if what == "raises":
            raise ValueError("the rock is gone")
        if what == "shape":
            return below[:, None]
        below[-1] = np.nan if what == "nan" else -0.1
    return below
with lab.Simulation(case, output, friction=law) as simulation:
    simulation.run()
"""
WORDS = {
    "raises": "ValueError: the rock is gone",
    "shape": "expected (",
    "nan": "ValueError: nan at",
    "below zero": "expected a number not below 0",
}


@pytest.mark.parametrize(
    "what", ["raises", *(pytest.param(what, marks=pytest.mark.long) for what in list(WORDS)[1:])]
)
def test_a_law_that_fails_on_one_rank_is_named_and_ends_all(mesh, tmp_path, what):
    case = write_case(tmp_path / "case.toml", fault(mesh, "linear-slip-weakening"))
    (told,) = lab_program(tmp_path, TROUBLE, case, tmp_path / "output", what, ranks=2, code=3).errors
    assert "friction law (rank 1 of 2)" in told and WORDS[what] in told


REFUSED = """
case = lab.Case(sys.argv[1], {"fault.law": "linear-slip-weakening-bimaterial"})
try:
    lab.Simulation(case, sys.argv[2], friction=max)
except lab.Refused as problem:
    assert "linear-slip-weakening-bimaterial: expected one whose friction a function may give: linear-slip" in str(problem)
else:
    sys.exit("not refused")
"""


def test_a_law_whose_friction_is_its_own_is_refused(mesh, tmp_path):
    case = write_case(tmp_path / "case.toml", fault(mesh, "linear-slip-weakening"))
    lab_program(tmp_path, REFUSED, case, tmp_path / "output")
