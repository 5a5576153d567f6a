"""Receivers at the surface of ground that is not level: moved there where the case says so, and refused where there is none."""

import netCDF4
import numpy as np
import pytest
from launching import assert_same, groundswell, refused, run, write_case

SLOPES = np.array([0.1, -0.05])


def height(x, y):
    return 80 + SLOPES[0] * x + SLOPES[1] * y


@pytest.fixture(scope="module")
def mesh(tmp_path_factory):
    """A box of 1 km whose top is lifted into a slope: of known height everywhere, though its corners are irregular."""
    path = tmp_path_factory.mktemp("mesh") / "slope.h5"
    made = groundswell(
        "mesh", "make", "--box", "4,4,4", "--length", "1e3,1e3,1e3", "--origin=-500,-500,-1e3", "--jitter", 0.15,
        "--output", path,
    )  # fmt: skip
    assert made.code == 0, made.stderr
    with netCDF4.Dataset(path) as file:
        level = file["geometry"][:].filled()
    lifted = level.copy()
    lifted[:, 2] += (1 + level[:, 2] / 1000) * height(level[:, 0], level[:, 1])
    held = path.read_bytes()
    assert held.count(level.tobytes()) == 1
    path.write_bytes(held.replace(level.tobytes(), lifted.tobytes()))
    return path


def case_of(mesh, at, **receivers):
    return {
        "model": "quake",
        "time": {"end": "0.02s"},
        "mesh": {"file": str(mesh)},
        "solver": {"order": 2},
        "material": {"rock": [{"density": 2000, "vp": 1000, "vs": 500}]},
        "initial": {"wave": [{"kind": "P", "wave_vector": [0, 0, 0.01], "velocity": 0.5}]},
        "output": {"receivers": [{"file": "receivers.nc", "every": "10ms", "at": at, **receivers}]},
    }


# Above the ground, below it, at an edge of the mesh, and at a corner, where several triangles meet.
PLACES = [[0.0, 0.0, 500.0], [123.4, -77.7, -300.0], [500.0, 21.0, 0.0], [-500.0, -500.0, 10.0]]


def test_receivers_are_moved_to_the_surface_on_any_ranks(tmp_path, mesh):
    case = write_case(tmp_path / "case.toml", case_of(mesh, PLACES, to_surface=True))
    told = groundswell("run", case)
    assert told.code == 0, told.stderr
    # The first one goes down by 500 m - 80 m.
    assert (
        "receivers.nc: receivers moved to the free surface, P1 the farthest: by -420 m to z = 80 m"
        in told.stderr
    )
    with netCDF4.Dataset(tmp_path / "output/receivers.nc") as file:
        given = np.array(PLACES)
        np.testing.assert_array_equal(file["x"][:], given[:, 0])
        np.testing.assert_array_equal(file["y"][:], given[:, 1])
        np.testing.assert_allclose(file["z"][:], height(given[:, 0], given[:, 1]), rtol=0, atol=1e-9)
        np.testing.assert_array_equal(file["z_given"][:], given[:, 2])
        assert (np.abs(file["vz"][0]) > 0).all()
    for ranks in (2, 3):
        run(case, "--output", tmp_path / str(ranks), ranks=ranks)
        assert_same(tmp_path / str(ranks), tmp_path / "output", ["receivers.nc"])


def test_receivers_stay_where_they_are_unless_asked(tmp_path, mesh):
    inside = [[0.0, 0.0, -10.0]]
    run(write_case(tmp_path / "case.toml", case_of(mesh, inside)))
    with netCDF4.Dataset(tmp_path / "output/receivers.nc") as file:
        assert file["z"][:].tolist() == [-10.0]
        assert "z_given" not in file.variables
    refused(
        groundswell("run", write_case(tmp_path / "above.toml", case_of(mesh, PLACES[:1])), "--check"),
        "P1 [0, 0, 500] (nearest corner",
        "within the mesh",
    )


def test_a_place_without_a_surface_is_refused_with_the_distance(tmp_path, mesh):
    beside = case_of(mesh, [[0, 0, 0], [503, -504, 0]], to_surface=True)
    refused(
        groundswell("run", write_case(tmp_path / "beside.toml", beside), ranks=2),
        "output.receivers[].at = 1 of 2: P2 [503, -504, 0] (nearest corner 5 m beside)",
        "below or above a free surface",
    )
    assert not (tmp_path / "output").exists()
    closed = case_of(mesh, PLACES, to_surface=True)
    closed["mesh"] = {"box": {"cubes": [2, 2, 2], "length": [1000, 1000, 1000], "top": "absorbing"}}
    refused(groundswell("run", write_case(tmp_path / "closed.toml", closed)), "the mesh has no free surface")
