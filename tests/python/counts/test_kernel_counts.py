"""What kernels execute is as docs/evaluation/performance.md says: whoever changes it moves the tables there, openly."""

import pytest
from kernel_counts import EARTHQUAKE, FRAMES, PAGE, SEA, NotCounted, compiler_of_tables, count, frames, tables

MORE, LESS, FEW = 1.03, 0.90, 0.05  # counts: of the table's value; instructions of no account
DEEPER, SHALLOWER = 128, 0.75  # frames: bytes beyond the table's value; of it


@pytest.fixture(scope="module")
def page():
    return PAGE.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def counted(page):
    """Counts of the program's kernels, if the compiler is that of the tables."""
    try:
        compiler, counts = count()
    except NotCounted as reason:
        pytest.skip(f"kernels are not counted: {reason}")
    if not compiler.startswith(compiler_of_tables(page)):
        pytest.skip(
            f"kernels are not counted: compiled by {compiler}, the tables are of {compiler_of_tables(page)}"
        )
    return counts


def test_every_kernel_executes_as_many_instructions_as_its_table_says(page, counted):
    of_page = tables(page)[SEA] | tables(page)[EARTHQUAKE]
    assert of_page.keys() == counted.keys()
    moved = {
        name: (value, counted[name])
        for name, value in of_page.items()
        if not LESS * value - FEW <= counted[name] <= MORE * value + FEW
    }
    assert not moved, f"more, or so much less that the table must say it (kernel_counts.py): {moved}"


def test_no_stack_frame_of_a_kernel_file_is_larger_than_its_table_says(page, counted):
    found = frames()
    of_page = tables(page)[FRAMES]
    assert of_page.keys() == found.keys()
    moved = {
        name: (value, found[name])
        for name, value in of_page.items()
        if not SHALLOWER * value - DEEPER <= found[name] <= value + DEEPER
    }
    assert not moved, f"values are kept on the stack that had registers, or the table is too high: {moved}"
