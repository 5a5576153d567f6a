"""The sea of one dimension off a shore, by which the manual and the book of the sea explain fetches on grids."""

import pathlib

import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]


@pytest.fixture
def shore(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "tests/validation/sea"))
    import shore

    return shore


@pytest.mark.parametrize("scheme", ["second_order", "third_order"])
def test_heights_come_nearer_to_the_exact_ones_with_smaller_cells(shore, scheme):
    """At 50 km of fetch; too high, and of first order at least, as the first cells' means grow too early."""
    off = [
        np.interp(50.0, *shore.over_exact(size, getattr(shore, scheme), 0.5)) - 1
        for size in (25.0, 12.5, 6.25)
    ]
    assert off[0] > 1.5 * off[1] > 0 and off[1] > 1.5 * off[2] > 0
    assert off[2] < 0.02


def test_the_exact_sea_grows_as_its_sources_have_it_at_first(shore):
    """E = a x / cg, before growth tells: over the first 6.5 m of the fine integration."""
    _, height = shore.exact()
    assert height[1] == pytest.approx(shore.height(6.5 * shore.START / shore.SPEED), rel=0.02)


def test_the_manual_has_its_figures(shore, capsys):
    shore.main()
    made = [line.split()[-4:] for line in capsys.readouterr().out.splitlines()]
    page = (ROOT / "docs/explanation/physics-packages.md").read_text(encoding="utf-8")
    rows = page.split("`tests/validation/sea/shore.py`")[1].split("\n\n")[1].splitlines()[2:]
    assert [[cell.strip() for cell in row.split("|")[2:-1]] for row in rows] == made
