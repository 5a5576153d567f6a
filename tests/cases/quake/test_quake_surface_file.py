"""The wave field on the free surface: where its triangles are, that receivers see the same, and the same bits on any layout."""

import xml.etree.ElementTree

import netCDF4
import numpy as np
import pytest
from launching import assert_same, groundswell, output_mode, refused, run, write_case

FILES = ("surface.nc", "sloping.nc", "fine.nc")


def case_of(**output):
    """Soft rock over hard rock, in several clusters, hit from below; 5 x 4 cubes at the free top."""
    return {
        "model": "quake",
        "time": {"end": "0.2s"},
        "mesh": {"box": {"cubes": [5, 4, 4], "length": [1000, 900, 1100], "jitter": 0.12}},
        "projection": {"longitude": 121.5, "latitude": 24.0},
        "solver": {"order": 3},
        "material": {"rock": [{"layers": [[0, 2000, 1000, 400], [-400, 2700, 6000, 3464]]}]},
        "source": {
            "point": [
                {
                    "place": [-50, 40, -200],
                    "force": [1e9, 5e8, -2e9],
                    "time_function": "ricker",
                    "centre": 0.05,
                    "frequency": 12,
                }
            ]
        },
        "output": output,
    }


def surface_case():
    return case_of(
        surface=[
            {"file": "surface.nc", "every": "7ms"},
            {"file": "sloping.nc", "every": "20ms", "fields": ["szz", "vz"]},
            {"file": "fine.nc", "every": "14ms", "refine": 2},
        ],
        restart={"every": "90ms", "keep": 0},
    )


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    folder = tmp_path_factory.mktemp("surface")
    case = write_case(folder / "case.toml", surface_case())
    run(case, "--set", "output.mode=serial")
    return case, folder / "output"


def places(file, of):
    return np.stack([file[f"mesh_{of}_{axis}"][:].filled() for axis in "xyz"], axis=-1)


def test_triangles_cover_the_surface_once(alone):
    with netCDF4.Dataset(alone[1] / "surface.nc") as file:
        nodes, faces = places(file, "node"), file["mesh_face_nodes"][:].filled()
        # Two triangles on top of each of 5 x 4 cubes.
        assert faces.shape == (40, 3) and len(nodes) == 120
        corner = nodes[faces]
        across = np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
        # Anticlockwise from above, and together as large as the top of the box.
        assert (across[:, 2] > 0).all()
        assert across[:, 2].sum() / 2 == pytest.approx(1000 * 900, rel=1e-12)
        np.testing.assert_allclose(places(file, "face"), corner.mean(axis=1), rtol=0, atol=1e-9)
        assert (nodes[:, 2] == 0).all()
        assert file["mesh"].cf_role == "mesh_topology"
        assert "UGRID-1.0" in file.Conventions
        # A transverse Mercator projection: x and y are metres along the ground about its middle.
        lon, lat = file["mesh_face_lon"][:], file["mesh_face_lat"][:]
        x, y = places(file, "face")[:, :2].T
        np.testing.assert_allclose((lon - 121.5) * 111320 * np.cos(np.radians(24.0)), x, rtol=0.005, atol=1)
        np.testing.assert_allclose((lat - 24.0) * 110747, y, rtol=0.005, atol=1)
        assert len(set(file["mesh_cell"][:])) == 40


def test_parts_of_faces_cover_them(alone):
    with netCDF4.Dataset(alone[1] / "fine.nc") as fine, netCDF4.Dataset(alone[1] / "surface.nc") as whole:
        small, large = (places(file, "node")[file["mesh_face_nodes"][:].filled()] for file in (fine, whole))
        assert len(small) == 16 * len(large)
        across = np.cross(small[:, 1] - small[:, 0], small[:, 2] - small[:, 0])[:, 2] / 2
        whole_area = np.cross(large[:, 1] - large[:, 0], large[:, 2] - large[:, 0])[:, 2] / 2
        np.testing.assert_allclose(across.reshape(-1, 16), whole_area[:, None] / 16 * np.ones(16), rtol=1e-9)
        # Corners that parts have in common, across the edges of faces too, are at one place, bit by bit: those of 5 x 4
        # squares, each cut in 4 x 4.
        assert len(np.unique(small.reshape(-1, 3), axis=0)) == 21 * 17
        # The part in the middle of the one in the middle has the centre of the face.
        np.testing.assert_array_equal(fine["vx"][:, 15::16], whole["vx"][::2])
        np.testing.assert_array_equal(fine["mesh_cell"][:], np.repeat(whole["mesh_cell"][:], 16))


@pytest.mark.parametrize("name, every", [("surface.nc", 7), ("fine.nc", 14)])
def test_receivers_at_the_same_places_see_the_same(alone, tmp_path, name, every):
    with netCDF4.Dataset(alone[1] / name) as file:
        at = places(file, "face")
        surface = {name: file[name][:].filled() for name in ("vx", "vy", "vz")}
        times = file["time"][:].filled()
    np.testing.assert_allclose(times, every * 1e-3 * np.arange(200 // every + 1), rtol=0, atol=1e-12)
    receivers = {"file": "receivers.nc", "every": f"{every}ms", "at": at.tolist()}
    run(write_case(tmp_path / "case.toml", case_of(receivers=[receivers])))
    with netCDF4.Dataset(tmp_path / "output/receivers.nc") as file:
        for name, values in surface.items():
            seen = file[name][:].filled()
            largest = np.abs(seen).max()
            assert largest > 0
            np.testing.assert_allclose(values, seen, rtol=1e-6, atol=1e-9 * largest)


@pytest.mark.parametrize(
    "ranks, threads, mode", [(1, 2, "thread"), (2, 1, "direct"), (3, 1, "thread"), (4, 1, "servers")]
)
def test_bits_do_not_depend_on_how_it_is_run(alone, tmp_path, ranks, threads, mode):
    case, reference = alone
    options = ["--set", f"output.mode={output_mode(mode)}", "--set", f"run.threads={threads}"]
    run(case, "--output", tmp_path, *options, ranks=ranks)
    assert_same(tmp_path, reference, FILES)
    verified = groundswell("verify", *(tmp_path / name for name in FILES))
    assert verified.code == 0, verified.stderr


def test_a_run_that_is_continued_has_the_same_bits(alone, tmp_path):
    case, reference = alone
    restart = sorted(path.name for path in reference.glob("restart_*.nc"))[0]
    run(case, "--output", tmp_path, "--set", "time.end=0.15s", ranks=2)
    run(case, "--output", tmp_path, "--restart", tmp_path / restart, ranks=3)
    assert_same(tmp_path, reference, FILES)


def test_a_mesh_without_a_free_surface_is_refused(tmp_path):
    table = surface_case()
    table["mesh"]["box"]["top"] = "absorbing"
    case = write_case(tmp_path / "case.toml", table)
    refused(
        groundswell("run", case, "--check", ranks=2),
        "output.surface[].file = surface.nc",
        "a mesh with a free surface",
    )


def referred_to(item, folder):
    """What a DataItem of XDMF refers to, read from the HDF5 file by its own dimensions."""
    if item.get("ItemType") == "HyperSlab":
        which, of = item
        (start, first), (stride, _), (count, length) = np.array(which.text.split(), int).reshape(3, 2)
        assert (stride, count, first) == (1, 1, 0)
        return referred_to(of, folder)[start, :length]
    name, path = item.text.split(":/")
    assert (folder / name).read_bytes()[:8] == b"\x89HDF\r\n\x1a\n"
    with netCDF4.Dataset(folder / name) as file:
        values = file[path][:].filled()
    assert values.shape == tuple(int(length) for length in item.get("Dimensions").split())
    assert values.dtype.kind == item.get("NumberType")[0].lower()
    assert values.itemsize == int(item.get("Precision"))
    return values


def xdmf_grids(path):
    return xml.etree.ElementTree.parse(path).getroot().find("Domain/Grid").findall("Grid")


def test_xdmf_leads_to_mesh_and_fields(alone, tmp_path):
    case, reference = alone
    assert not list(reference.glob("*.xdmf"))  # nothing to lead into: not HDF5
    hdf = ("--set", "output.format=netcdf4")
    run(case, "--output", tmp_path, *hdf, ranks=2)
    grids = xdmf_grids(tmp_path / "surface.xdmf")
    with netCDF4.Dataset(reference / "surface.nc") as file:
        np.testing.assert_allclose([float(grid.find("Time").get("Value")) for grid in grids], file["time"][:])
        for record, grid in ((0, grids[0]), (17, grids[17])):
            corners = referred_to(grid.find("Topology/DataItem"), tmp_path)
            np.testing.assert_array_equal(corners, file["mesh_face_nodes"][:])
            axes = [referred_to(item, tmp_path) for item in grid.findall("Geometry/DataItem")]
            np.testing.assert_array_equal(np.stack(axes, axis=-1), places(file, "node"))
            fields = grid.findall("Attribute")
            assert [field.get("Name") for field in fields] == ["vx", "vy", "vz"]
            for field in fields:
                assert field.get("Center") == "Cell"
                values = referred_to(field.find("DataItem"), tmp_path)
                np.testing.assert_array_equal(values, file[field.get("Name")][record])
    # A run that is stopped half way, and one that goes on from it.
    part, restart = tmp_path / "part", sorted(reference.glob("restart_*.nc"))[0].name
    run(case, "--output", part, *hdf, "--set", "time.end=0.15s")
    assert len(xdmf_grids(part / "surface.xdmf")) == 22
    run(case, "--output", part, *hdf, "--restart", part / restart)
    assert len(xdmf_grids(part / "surface.xdmf")) == 29
    # It is an output file as others are.
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken/fine.xdmf").write_text("mine")
    refused(
        groundswell("run", case, "--output", tmp_path / "taken", *hdf, "--check"), "fine.xdmf", "overwrite"
    )
    named = groundswell("run", case, "--set", "output.surface.0.file=surface.xdmf", "--check")
    refused(named, "surface.xdmf", "does not use itself")
