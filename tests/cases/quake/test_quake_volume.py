"""The wave field in the ground: tetrahedra that fill it once, that maps and receivers see the same, any part of it, the same
bits on any layout, and a description that VTK reads."""

import netCDF4
import numpy as np
import pytest
import rendering
from launching import assert_same, groundswell, output_mode, refused, run, write_case
from test_quake_surface_file import case_of
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline as Pipeline
from vtkmodules.vtkIOXdmf2 import vtkXdmfReader

BOX = (1000.0, 900.0, 1100.0)
PART = {"x": [-500.0, 0.0], "z": [-600.0, 1000.0]}
FILES = ("volume.nc", "fine.nc", "part.nc")


def volume_case():
    return case_of(
        volume=[
            {"file": "volume.nc", "every": "20ms", "fields": ["vx", "vz", "szz"]},
            {"file": "fine.nc", "every": "40ms", "refine": 2, "fields": ["vz"]},
            {"file": "part.nc", "every": "40ms", "refine": 1, "box": PART},
        ],
        map=[{"file": "map.nc", "every": "20ms", "fields": ["vx", "vz", "szz"]}],
        restart={"every": "90ms", "keep": 0},
    )


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    folder = tmp_path_factory.mktemp("volume")
    case = write_case(folder / "case.toml", volume_case())
    run(case, "--set", "output.mode=serial")
    return case, folder / "output"


def corners_of(file, cells="mesh_volume_nodes"):
    nodes = np.stack([file[f"mesh_node_{axis}"][:].filled() for axis in "xyz"], axis=-1)
    return nodes[file[cells][:].filled()]


def top_of(corner, values):
    """The faces of tetrahedra that lie at the top, and their cells' values."""
    at_top = corner[:, :, 2] == corner[:, :, 2].max()
    cells = at_top.sum(axis=1) == 3
    return corner[cells][at_top[cells]].reshape(-1, 3, 3), values[cells]


def volumes_of(corner):
    return np.linalg.det(corner[:, 1:] - corner[:, :1]) / 6


@pytest.mark.parametrize("name, parts", [("volume.nc", 1), ("fine.nc", 64)])
def test_tetrahedra_fill_the_ground_once(alone, name, parts):
    with netCDF4.Dataset(alone[1] / name) as file:
        corner = corners_of(file)
        volume = volumes_of(corner)
        assert len(volume) == 5 * 4 * 4 * 5 * parts
        # All the same way round, so that none lies in another; and those of a cell are of one size.
        assert (volume > 0).all()
        assert volume.sum() == pytest.approx(np.prod(BOX), rel=1e-12)
        np.testing.assert_allclose(
            volume.reshape(-1, parts), volume.reshape(-1, parts)[:, :1] * np.ones(parts), rtol=1e-9
        )
        centres = np.stack([file[f"mesh_volume_{axis}"][:].filled() for axis in "xyz"], axis=-1)
        np.testing.assert_allclose(centres, corner.mean(axis=1), rtol=0, atol=1e-9)
        assert len(set(file["mesh_cell"][:])) == len(volume) / parts
        # Corners that neighbours have in common are at one place, bit by bit: a cube has each vertex of its grid once.
        if parts == 1:
            assert len(np.unique(corner.reshape(-1, 3), axis=0)) == 6 * 5 * 5


def test_centres_of_cells_are_those_of_maps(alone):
    with netCDF4.Dataset(alone[1] / "volume.nc") as file, netCDF4.Dataset(alone[1] / "map.nc") as cells:
        row = file["mesh_cell"][:].filled()
        for field in ("vx", "vz", "szz"):
            mine, theirs = file[field][:].filled(), cells[field][:].filled()
            assert np.abs(theirs).max() > 0
            np.testing.assert_allclose(mine, theirs[:, row], rtol=1e-5, atol=1e-6 * np.abs(theirs).max())
        np.testing.assert_allclose(file["longitude"][:], cells["longitude"][:][row], rtol=1e-12)


def test_a_receiver_in_a_part_sees_what_the_part_has(alone, tmp_path):
    with netCDF4.Dataset(alone[1] / "fine.nc") as file:
        vz, time = file["vz"][:].filled(), file["time"][:].filled()
        chosen = np.linspace(0, vz.shape[1] - 1, 40).astype(int)
        places = np.stack([file[f"mesh_volume_{axis}"][:].filled()[chosen] for axis in "xyz"], axis=-1)
    receivers = [{"file": "receivers.nc", "every": "40ms", "at": places.tolist()}]
    run(write_case(tmp_path / "case.toml", case_of(receivers=receivers)))
    with netCDF4.Dataset(tmp_path / "output" / "receivers.nc") as file:
        np.testing.assert_array_equal(file["time"][:], time)
        np.testing.assert_allclose(file["vz"][:], vz[:, chosen], rtol=1e-5, atol=1e-6 * np.abs(vz).max())


def test_a_box_takes_the_cells_with_their_centre_in_it(alone):
    with netCDF4.Dataset(alone[1] / "part.nc") as part, netCDF4.Dataset(alone[1] / "volume.nc") as whole:
        x, z = (whole[f"mesh_volume_{axis}"][:].filled() for axis in "xz")
        inside = (x >= -500) & (x <= 0) & (z >= -600)
        assert 0 < inside.sum() < len(x)
        np.testing.assert_array_equal(
            part["mesh_cell"][:].filled()[::8], whole["mesh_cell"][:].filled()[inside]
        )
        assert set(part.variables) >= {"vx", "vy", "vz"}


def test_vtk_reads_volume_and_surface(tmp_path):
    """As ParaView does: cells, times and values, and a picture of them seen from above."""
    case = case_of(
        volume=[{"file": "volume.nc", "every": "50ms"}],
        surface=[{"file": "surface.nc", "every": "50ms"}],
        format="netcdf4",
    )
    run(write_case(tmp_path / "case.toml", case))
    for name, dimension, corners in (("volume", "nVolume", 4), ("surface", "nFace", 3)):
        reader = vtkXdmfReader()
        reader.SetFileName(str(tmp_path / "output" / f"{name}.xdmf"))
        reader.UpdateInformation()
        times = reader.GetOutputInformation(0).Get(Pipeline.TIME_STEPS())
        with netCDF4.Dataset(tmp_path / "output" / f"{name}.nc") as file:
            np.testing.assert_allclose(times, file["time"][:])
            reader.UpdateTimeStep(times[-1])
            grid = reader.GetOutputDataObject(0)
            while not hasattr(grid, "GetCellData"):
                grid = grid.GetBlock(0)
            assert grid.GetNumberOfCells() == file.dimensions[dimension].size
            assert grid.GetCell(7).GetNumberOfPoints() == corners
            seen = vtk_to_numpy(grid.GetCellData().GetArray("vz"))
            np.testing.assert_array_equal(seen, file["vz"][-1].filled())
            assert np.abs(seen).max() > 0
            if name == "surface":
                triangles, above = corners_of(file, "mesh_face_nodes"), seen
            else:
                triangles, above = top_of(corners_of(file), seen)
        high = np.abs(above).max()
        bounds = (-500, 500, -450, 450)
        pixels = rendering.draw(reader, "vz", -high, high, bounds, (500, 450), tmp_path / f"{name}.png")
        assert (pixels != 255).any(axis=2).all()
        assert np.ptp(pixels[:, :, 0]) > 80
        for (x, y, _), value in zip(triangles.mean(axis=1), above, strict=True):
            colour = min(int((value / high + 1) / 2 * rendering.COLOURS), rendering.COLOURS - 1)
            found = pixels[int((y + 450) / 2), int((x + 500) / 2)]
            assert np.abs(found - 255 * rendering.ramp()[colour]).max() <= 3, (name, x, y)


@pytest.mark.parametrize("ranks, threads, mode", [(1, 2, "thread"), (2, 1, "direct"), (4, 1, "servers")])
def test_bits_do_not_depend_on_how_it_is_run(alone, tmp_path, ranks, threads, mode):
    case, reference = alone
    options = ["--set", f"output.mode={output_mode(mode)}", "--set", f"run.threads={threads}"]
    run(case, "--output", tmp_path, *options, ranks=ranks)
    assert_same(tmp_path, reference, FILES)


def test_a_run_that_is_continued_writes_the_same(alone, tmp_path):
    case, reference = alone
    first, _ = sorted(path.name for path in reference.glob("restart_*.nc"))
    run(case, "--output", tmp_path, "--set", "time.end=0.12s", ranks=2)
    run(case, "--output", tmp_path, "--restart", tmp_path / first, ranks=3)
    assert_same(tmp_path, reference, FILES)


@pytest.mark.parametrize(
    "setting, expected",
    [
        ("output.volume.2.box.x=[900.0,1000.0]", "a box with the centre of at least one cell in it"),
        ("output.volume.2.box.x=[3.0,-3.0]", "two numbers, the lower one first"),
        ("output.volume.0.fields=['pgv']", "pgv"),
        ("output.volume.0.refine=9", "refine"),
    ],
)
def test_what_makes_no_sense_is_refused(alone, tmp_path, setting, expected):
    told = groundswell("run", alone[0], "--output", tmp_path, "--set", setting)
    refused(told, expected)


WAVE = 2 * np.pi / 1000  # m⁻¹, once through the box
PLACES = {"receivers": "x", "map": "corners", "volume": "mesh_volume_x", "surface": "mesh_face_x"}


@pytest.mark.parametrize("kinds, periodic", [(("receivers", "map", "volume"), "xyz"), (("surface",), "xy")])
@pytest.mark.parametrize(
    "kind, named, silent",
    [
        ("P", "divergence", ["curl_x", "curl_y", "curl_z"]),
        ("S", "curl_z", ["divergence", "curl_x", "curl_y"]),
    ],
)
def test_divergence_and_curl_are_those_of_plane_waves(tmp_path, kind, named, silent, kinds, periodic):
    """∂vx/∂x of a P wave and ∂vy/∂x of an S wave along x. At a surface no plane wave stays one: that has it at the start."""
    stream = {"every": "10ms", "fields": [named, *silent]}
    more = {"receivers": {"at": [[x, 30, -350] for x in range(-450, 451, 90)]}, "volume": {"refine": 1}}
    table = {
        "model": "quake",
        "time": {"end": "30ms"},
        "mesh": {"box": {"cubes": [6, 4, 4], "length": [1000, 700, 700], "periodic": list(periodic)}},
        "solver": {"order": 6},
        "material": {"rock": [{"density": 2700, "vp": 5000, "vs": 3000}]},
        "initial": {
            "wave": [
                {"kind": kind, "wave_vector": [WAVE, 0, 0], "polarisation": [0, 1, 0], "velocity": 0.2},
            ]
        },
        "output": {name: [{"file": f"{name}.nc", **stream, **more.get(name, {})}] for name in kinds},
    }
    run(write_case(tmp_path / "case.toml", table))
    largest, speed = 0.2 * WAVE, 5000 if kind == "P" else 3000
    for name in kinds:
        with netCDF4.Dataset(tmp_path / "output" / f"{name}.nc") as file:
            x = file[PLACES[name]][:].filled()
            x = x[:, :, 0].mean(axis=1) if x.ndim == 3 else x
            for i, time in enumerate(file["time"][: 1 if name == "surface" else None]):
                exact = -largest * np.sin(WAVE * (x - speed * time))
                np.testing.assert_allclose(file[named][i], exact, atol=1e-3 * largest)
                for other in silent:
                    np.testing.assert_allclose(file[other][i], 0, atol=1e-3 * largest)
