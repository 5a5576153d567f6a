"""Cases of the earthquake's tests are those of the tests here as well; a mesh that several of them have."""

import pathlib
import sys

import pytest
from launching import ROOT

QUAKE = pathlib.Path(__file__).resolve().parent.parent / "quake"
sys.path[:0] = [str(QUAKE), str(QUAKE / "slip"), str(QUAKE / "water")]


@pytest.fixture(scope="session")
def shelf(make_mesh):
    """Some 50 cells from Hainan to Luzon, shallow ones among them."""
    spacing = "finest=80,coarsest=300,growth=0.6,gradation=0.3"
    return make_mesh(
        "shelf",
        ROOT / "cases/yagi/etopo5_yagi.nc",
        "--region",
        "106,118,12,22",
        "--iterations",
        "5",
        "--spacing",
        spacing,
    )
