"""Functions that Numba compiles do what the same in NumPy does."""

import pytest
from launching import IS_OPEN_MPI, assert_same, lab_program, run, swell_case, write_case

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not IS_OPEN_MPI, reason="the laboratory is for Open MPI"),
]

COMPILED = """
import numba
case, output = sys.argv[1:]
@numba.njit
def kernel(action, frequency):
    rate = np.empty(action.shape)
    for c in range(rate.shape[0]):
        for i in range(rate.shape[1]):
            for j in range(rate.shape[2]):
                rate[c, i, j] = -1e-4 * frequency[i] * action[c, i, j]
    return rate
in_numba = lambda seconds, action, cells: kernel(action, cells.frequency)
in_numpy = lambda seconds, action, cells: -1e-4 * cells.frequency[:, None] * action
for name, source in (("numba", in_numba), ("numpy", in_numpy)):
    with lab.Simulation(case, output + name, sources=[source]) as simulation:
        simulation.run()
"""


def test_a_source_in_numba_has_the_bits_of_the_same_in_numpy(sphere_mesh, tmp_path):
    pytest.importorskip("numba")
    case = write_case(tmp_path / "case.toml", swell_case(sphere_mesh))
    lab_program(tmp_path, COMPILED, case, f"{tmp_path}/in-", ranks=2)
    assert_same(tmp_path / "in-numba", tmp_path / "in-numpy", ["swell.nc"])
    run(case, "--output", tmp_path / "without")
    with pytest.raises(AssertionError):
        assert_same(tmp_path / "in-numba", tmp_path / "without", ["swell.nc"])
