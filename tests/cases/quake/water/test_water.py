"""Water over rock, and the sea's surface: what a case says of it, what files have of it, and what is refused."""

import netCDF4
import numpy as np
import pytest
from launching import assert_same, groundswell, refused, run, write_case

ROCK = {"density": 2600, "vp": 4000, "vs": 2300}
SEA = {"layers": [[0, 1000, 1500, 0], [-1000, 2600, 4000, 2300]]}


def case(**changes):
    """Two layers of cubes of 1 km, water above rock; a force drives the sea floor up and down."""
    return {
        "model": "quake",
        "time": {"end": "1.2s"},
        "mesh": {"box": {"cubes": [4, 4, 3], "length": [4e3, 4e3, 3e3], "top": "sea"}},
        "solver": {"order": 3},
        "material": {"rock": [SEA]},
        "source": {
            "point": [{"place": [0, 0, -1500], "force": [0, 0, 1e13], "centre": 0.4, "width": 0.1}]
        },
        "output": {
            "surface": [{"file": "surface.nc", "every": "0.2s", "fields": ["eta", "vz", "szz"]}],
            "receivers": [{"file": "receivers.nc", "every": "0.1s", "at": [[10, 20, -990], [10, 20, -1010]]}],
            "energies": {"file": "energy.nc", "every": "0.2s"},
        },
        **changes,
    }  # fmt: skip


FILES = ["surface.nc", "receivers.nc", "energy.nc"]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sea")
    path = write_case(folder / "case.toml", case())
    run(path, "--output", folder / "one")
    return path, folder


def test_the_surface_rises_as_the_water_below_it(made):
    with netCDF4.Dataset(made[1] / "one/surface.nc") as file:
        eta, vz, szz = (file[name][:] for name in ("eta", "vz", "szz"))
        assert file["eta"].units == "m"
    assert (eta[0] == 0).all() and not np.ma.is_masked(eta)
    largest = np.abs(eta).max()
    assert largest > 1e-4
    # dη/dt = vz, summed by Simpson's rule over pairs of intervals that are coarse for these waves.
    risen = 0.2 / 3 * (vz[0:-2:2] + 4 * vz[1:-1:2] + vz[2::2]).cumsum(axis=0)
    assert np.abs(risen - eta[2::2]).max() < 0.5 * largest
    assert np.abs(szz).max() < 1e6


def test_bits_do_not_depend_on_ranks_threads_and_restarts(made):
    path, folder = made
    run(path, "--output", folder / "two", "--set", "run.threads=2", ranks=2)
    assert_same(folder / "two", folder / "one", FILES)
    run(path, "--output", folder / "again", "--set", "time.end=0.5s", "--set", "output.restart.every=0.5s")
    restart = next((folder / "again").glob("restart_*.nc"))
    run(path, "--output", folder / "again", "--restart", restart, ranks=2)
    assert_same(folder / "again", folder / "one", FILES)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"material": {"rock": [ROCK]}}, ["sea surface (tag 2)", "above rock", "water below it"]),
        ({"mesh": {"box": {"cubes": [4, 4, 2], "length": [4e3, 4e3, 3e3], "top": "sea"}}},
         ["water above rock within an element", "faces all along the sea floor"]),
        ({"mesh": {"box": {"cubes": [4, 4, 3], "length": [4e3, 4e3, 3e3], "top": "sea", "lateral": "sea"}}},
         ["sea surface (tag 2)", "z from", "one height"]),
        ({"source": {"point": [{"place": [0, 0, -500], "moment": {"xx": 1e14}, "centre": 0.4, "width": 0.1}]}},
         ["source", "-500 m", "a place in rock: water bears no shear"]),
    ],
)  # fmt: skip
def test_what_no_sea_is_is_refused(tmp_path, changes, expected):
    path = write_case(tmp_path / "case.toml", case(**changes))
    refused(groundswell("run", path, "--check", ranks=2), *expected)


def test_an_explosion_in_water_is_heard(tmp_path):
    source = {"place": [0, 0, -500], "moment": {"xx": 1e14, "yy": 1e14, "zz": 1e14}, "centre": 0.4, "width": 0.1}  # fmt: skip
    run(write_case(tmp_path / "case.toml", case(source={"point": [source]})))
    with netCDF4.Dataset(tmp_path / "output/receivers.nc") as file:
        assert np.abs(file["vz"][:, 0]).max() > 1e-4


def test_kernels_of_water_over_rock_agree_with_their_plain_form(tmp_path):
    outcome = groundswell("proxy", "--case", write_case(tmp_path / "case.toml", case()), "--repeats", "5")
    assert outcome.code == 0, outcome.stderr
    assert "held against its plain form" in outcome.stdout
