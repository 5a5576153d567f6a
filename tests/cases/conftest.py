"""Meshes and winds that many tests share, made once."""

import os
import pathlib
import tempfile

import played_runs
import pytest
from launching import PROGRAM, ROOT, groundswell, write_case, write_wind

# What `doctor` stores for runs is not the user's, and is gone with the tests.
CACHE = tempfile.TemporaryDirectory(prefix="groundswell-")
os.environ["GROUNDSWELL_LIMITS"] = CACHE.name + "/limits.json"

BATHYMETRY = ROOT / "cases/yagi/etopo5_yagi.nc"


def pytest_collection_modifyitems(items):
    if not PROGRAM.exists():
        raise pytest.UsageError(f"{PROGRAM} is not there: run `make build` first")


def pytest_terminal_summary(terminalreporter):
    if played_runs.REPORT:
        terminalreporter.section("runs repeated on the played device")
        for line in played_runs.summary():
            terminalreporter.write_line(line)


@pytest.fixture(scope="session")
def inputs(tmp_path_factory):
    return tmp_path_factory.mktemp("inputs")


@pytest.fixture(scope="session")
def make_mesh(inputs):
    """make_mesh(name, arguments of `groundswell mesh make`…) → path."""

    def make(name, *arguments):
        path = inputs / f"{name}.nc"
        outcome = groundswell("mesh", "make", *arguments, "--output", path, "--quiet")
        assert outcome.code == 0, outcome.stderr
        return path

    return make


@pytest.fixture(scope="session")
def coast_mesh(make_mesh):
    """542 cells from Hainan to Luzon, 12 to 230 km apart, with islands and shelves."""
    return make_mesh(
        "coast",
        BATHYMETRY,
        "--region",
        "106,118,12,22",
        "--spacing",
        "finest=12,coarsest=200,growth=0.6,gradation=0.3",
        "--iterations",
        "20",
    )


@pytest.fixture(scope="session")
def sphere_mesh(make_mesh):
    """642 cells all over the sphere, about 960 km apart, both poles among them."""
    return make_mesh("sphere", "--depth", "4000", "--icosahedron", "8")


@pytest.fixture(scope="session")
def tiny_mesh(make_mesh, inputs):
    """The 12 pentagons of the dodecahedron."""
    request = write_case(
        inputs / "tiny.toml",
        {"bathymetry": {"kind": "uniform", "depth": 3000.0}, "mesh": {"icosahedron": 1, "smallest_sea": 1}},
    )
    return make_mesh("tiny", "--config", request)


@pytest.fixture(scope="session")
def wind_file(inputs):
    """Six-hourly wind over the South China Sea, 6 September 2024."""
    return write_wind(inputs / "wind.nc")


@pytest.fixture(scope="session")
def test_data():
    folder = os.environ.get("GROUNDSWELL_TEST_DATA")
    if not folder:
        pytest.skip("GROUNDSWELL_TEST_DATA is not set: no data from outside the tree")
    return pathlib.Path(folder)


@pytest.fixture(scope="session")
def genuine_mesh(test_data):
    """The MPAS team's own mesh of 162 cells, on a sphere of radius 1."""
    path = test_data / "mesh/mpas_QU_1920km_151026.nc"
    if not path.exists():
        pytest.skip(f"{path} is not there")
    return path
