"""Models in NumPy on the halo exchange and the output: the same bits on any number of ranks, and one rank's error ends all."""

import subprocess

import pytest
from launching import ERROR, IS_OPEN_MPI, ROOT, groundswell, python

pytestmark = pytest.mark.skipif(not IS_OPEN_MPI, reason="the laboratory is for Open MPI")
MODEL = ROOT / "docs/notebooks/shallow_water.py"
ADAPTED = ROOT / "docs/examples/mpas_waves.py"


def test_a_third_model_in_sixty_lines_is_exact_and_has_the_same_bits_on_three_ranks(tmp_path):
    assert len([line for line in MODEL.read_text().splitlines() if line.strip()]) <= 60
    for ranks in (1, 3):
        outcome = python(MODEL, tmp_path / f"{ranks}.nc", ranks=ranks)
        assert outcome.code == 0, outcome.stderr
    compared = groundswell("compare", tmp_path / "1.nc", tmp_path / "3.nc")
    assert compared.code == 0 and "h         identical" in compared.stdout


@pytest.mark.long
def test_a_model_on_an_mpas_mesh_keeps_its_bits_when_groundswell_takes_over_its_exchange(
    sphere_mesh, tmp_path
):
    for ranks in (1, 3):
        outcome = python(ADAPTED, sphere_mesh, tmp_path / f"{ranks}.nc", ranks=ranks)
        assert outcome.code == 0 and "the same bits with either exchange: True" in outcome.stdout, (
            outcome.stderr
        )
        assert "µs by mpi4py" in outcome.stdout
    compared = groundswell("compare", tmp_path / "1.nc", tmp_path / "3.nc")
    assert compared.code == 0 and "h         identical" in compared.stdout


TROUBLE = """
import sys
import numpy as np
from groundswell import lab

ranks = lab.world()
halo = lab.Halo([ranks.rank], [(ranks.rank + 1) % ranks.size], transport="posted")
values = halo.zeros()
if ranks.rank == 1:
    if sys.argv[1] == "raises":
        raise ValueError("the sea is full")
    values = np.zeros(5)
halo.exchange(values)
ranks.reduce(0.0)
"""


@pytest.mark.parametrize(
    "what, words", [("raises", "the sea is full"), ("shape", "array of shape (5,): expected 2 rows")]
)
def test_the_error_of_one_rank_ends_all_of_them_with_its_name(tmp_path, what, words):
    (tmp_path / "trouble.py").write_text(TROUBLE)
    outcome = python(tmp_path / "trouble.py", what, ranks=3)
    assert outcome.code in (2, 3)
    (told,) = [line for line in outcome.stderr.splitlines() if line.startswith(ERROR)]
    assert told.startswith(f"{ERROR}rank 1 of 3: ") and words in told


MIXED = """
import ctypes, sys
ctypes.CDLL(sys.argv[1])
from groundswell import lab
lab.world()
"""


def test_an_mpi_library_of_another_family_in_the_process_is_refused(tmp_path):
    library = tmp_path / "libmpi.so.12"
    subprocess.run(["cc", "-shared", "-x", "c", "/dev/null", "-o", library], check=True)
    (tmp_path / "mixed.py").write_text(MIXED)
    outcome = python(tmp_path / "mixed.py", library)
    assert outcome.code == 1
    assert (
        "libmpi.so.12 in this process, an MPI of another family (MPICH): expected Open MPI's"
        in outcome.stderr
    )
