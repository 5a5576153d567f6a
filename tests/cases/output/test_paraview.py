"""ParaView opens the maps. Its reader of NetCDF files with CF conventions is VTK's, and what it draws comes from the
same library: a map is read by it, every value and corner compared with the file's, and drawn off-screen; then the
picture is looked at, cell by cell. (VTK's other reader, for UGRID, makes a triangle of every cell with more than four
corners.)

Pixels are compared with the file, not with a stored picture: the colour at the middle of each cell, the edges of the
sea, the share of it that is drawn.
"""

import netCDF4
import numpy as np
import pytest
from launching import run, storm_case, swell_case, write_case
from rendering import COLOURS, draw, ramp
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline
from vtkmodules.vtkIONetCDF import vtkNetCDFCFReader

FIELDS = ["hs", "tm01", "tp", "dir", "spread", "ustar"]

FORMATS = {"cdf5": {}, "netcdf4": {"format": "netcdf4", "compression": 4}}


@pytest.fixture(scope="module", params=FORMATS)
def storm(request, tmp_path_factory, coast_mesh, wind_file):
    """A map of a sea with a coast, islands and a storm: four hours, six fields; in each format."""
    folder = tmp_path_factory.mktemp("paraview")
    case = storm_case(coast_mesh, wind_file)
    case["output"].update(FORMATS[request.param])
    run(write_case(folder / "case.toml", case), "--output", folder, ranks=2)
    return folder / "hourly.nc"


def reader_of(path, globe=False):
    """As ParaView's "NetCDF Reader" sets it up; with "Spherical Coordinates" for a globe."""
    reader = vtkNetCDFCFReader()
    reader.SetFileName(str(path))
    reader.SetDimensions("(nFace)")
    reader.SetSphericalCoordinates(globe)
    reader.SetReplaceFillValueWithNan(True)
    reader.UpdateInformation()
    return reader


def corners_of(data):
    """For each face, its corners' longitudes and latitudes."""
    lon, lat = data["mesh_node_lon"][:], data["mesh_node_lat"][:]
    return [(lon[face.compressed()], lat[face.compressed()]) for face in data["mesh_face_nodes"][:]]


def area(x, y):
    return 0.5 * abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))


def width(x, y):
    """Width of the widest disc around a polygon's middle that lies within it, for a convex one: twice the least distance."""
    middle_x, middle_y = x.mean(), y.mean()
    along_x, along_y = np.roll(x, -1) - x, np.roll(y, -1) - y
    across = along_x * (middle_y - y) - along_y * (middle_x - x)
    return 2.0 * (across / np.hypot(along_x, along_y)).min()


def test_cells_and_values_of_every_time_are_the_file_s(storm):
    reader = reader_of(storm)
    times = reader.GetOutputInformation(0).Get(vtkStreamingDemandDrivenPipeline.TIME_STEPS())
    with netCDF4.Dataset(storm) as data:
        assert np.array_equal(times, data["time"][:]) and len(times) == 4
        for record, time in enumerate(times):
            reader.UpdateTimeStep(time)
            grid = reader.GetOutput()
            for field in FIELDS:
                values = np.ma.filled(data[field][record], np.nan)
                found = vtk_to_numpy(grid.GetCellData().GetArray(field))
                assert np.array_equal(found, values, equal_nan=True), (field, record)
        assert grid.GetNumberOfPoints() == len(data.dimensions["nNode"])  # cells are joined at their corners
        places = vtk_to_numpy(grid.GetPoints().GetData())
        for number, (x, y) in enumerate(corners_of(data)):
            cell = grid.GetCell(number)
            own = places[[cell.GetPointId(i) for i in range(cell.GetNumberOfPoints())]]
            assert np.allclose(own[: len(x), 0], x) and np.allclose(own[: len(y), 1], y), number
            assert (own[len(x) :] == own[len(x) - 1]).all(), number  # the last one fills up


def test_picture_of_a_map_shows_the_sea_of_the_file(storm, tmp_path):
    with netCDF4.Dataset(storm) as data:
        hs, time = data["hs"][-1].filled(np.nan), data["time"][-1]
        polygons = corners_of(data)
        west, east = data["mesh_node_lon"][:].min(), data["mesh_node_lon"][:].max()
        south, north = data["mesh_node_lat"][:].min(), data["mesh_node_lat"][:].max()
    assert np.nanmax(hs) - np.nanmin(hs) > 1.0  # a picture worth looking at
    reader = reader_of(storm)
    reader.UpdateTimeStep(time)
    low, high = float(np.nanmin(hs)), float(np.nanmax(hs))
    # A quarter of a degree of frame, 80 pixels a degree.
    scale, x0, y0 = 80, west - 0.25, south - 0.25
    size = (int(np.ceil((east - west + 0.5) * scale)), int(np.ceil((north - south + 0.5) * scale)))
    bounds = (x0, x0 + size[0] / scale, y0, y0 + size[1] / scale)
    pixels = draw(reader, "hs", low, high, bounds, size, tmp_path / "hs.png")
    assert (tmp_path / "hs.png").stat().st_size > 5000
    sea = (pixels != 255).any(axis=2)

    # The edges of the sea, to a pixel; and how much of the picture is sea, for there is land in it.
    rows, columns = np.nonzero(sea.any(axis=1))[0], np.nonzero(sea.any(axis=0))[0]
    assert x0 + columns[0] / scale == pytest.approx(west, abs=2 / scale)
    assert x0 + (columns[-1] + 1) / scale == pytest.approx(east, abs=2 / scale)
    assert y0 + rows[0] / scale == pytest.approx(south, abs=2 / scale)
    assert y0 + (rows[-1] + 1) / scale == pytest.approx(north, abs=2 / scale)
    drawn = sea.sum() / scale**2
    assert drawn == pytest.approx(sum(area(x, y) for x, y in polygons), rel=0.01)
    assert drawn < 0.95 * (east - west) * (north - south)

    # The colour in the middle of each cell that is more than three pixels wide.
    looked_at = 0
    for value, (x, y) in zip(hs, polygons, strict=True):
        if width(x, y) * scale < 3.0:
            continue
        found = pixels[int((y.mean() - y0) * scale), int((x.mean() - x0) * scale)]
        wanted = 255.0 * ramp()[min(int((value - low) / (high - low) * COLOURS), COLOURS - 1)]
        assert np.abs(found - wanted).max() <= 3.0, (value, found, wanted)
        looked_at += 1
    assert looked_at > 0.95 * len(hs)


@pytest.fixture(scope="module")
def world(tmp_path_factory, sphere_mesh):
    """A swell in mid-ocean on a map of the whole globe."""
    folder = tmp_path_factory.mktemp("world")
    case = swell_case(sphere_mesh, hours=3, centre=(0.0, 0.0), radius=2500.0)
    run(write_case(folder / "case.toml", case), "--output", folder, ranks=2)
    return folder / "swell.nc"


def test_map_of_the_globe_becomes_a_globe(world, tmp_path):
    size = (400, 400)
    reader = reader_of(world, globe=True)
    reader.Update()
    radius = np.linalg.norm(vtk_to_numpy(reader.GetOutput().GetPoints().GetData()), axis=1)
    assert np.allclose(radius, radius[0])
    edge = 1.25 * radius[0]
    pixels = draw(reader, "hs", 0.0, 3.0, (-edge, edge, -edge, edge), size, tmp_path / "globe.png")
    y, x = np.mgrid[0 : size[1], 0 : size[0]]
    distance = np.hypot(x + 0.5 - 200, y + 0.5 - 200) / 160
    sea = (pixels != 255).any(axis=2)
    assert sea[distance < 0.95].all() and not sea[distance > 1.01].any()
    # Seen from above the north pole: calm there, and the swell at the rim towards 0° east.
    red = pixels[:, :, 0]
    assert red[200, 200] < 30 and red[200, 348] > red[200, 200] + 60 and red[200, 52] < 30


def test_no_cell_is_drawn_around_the_world(world, tmp_path):
    """Cells across the date line have their corners on one side of the map. Round the poles the map is torn."""
    size = (760, 240)
    pixels = draw(reader_of(world), "hs", 0.0, 3.0, (-190.0, 190.0, -60.0, 60.0), size, tmp_path / "flat.png")
    with netCDF4.Dataset(world) as data:
        lon, lat = data["mesh_face_lon_bounds"][:], data["mesh_face_lat_bounds"][:]
        hs = data["hs"][0]
    flat = np.abs(lat).max(axis=1) < 60.0
    assert (np.ptp(lon, axis=1)[flat] < 40.0).all() and (lon[flat].max() > 180.0 or lon[flat].min() < -180.0)
    for value, x, y in zip(hs[flat], lon[flat].mean(axis=1), lat[flat].mean(axis=1), strict=True):
        found = pixels[int((y + 60.0) * 2), int((x + 190.0) * 2)]
        wanted = 255.0 * ramp()[min(int(value / 3.0 * COLOURS), COLOURS - 1)]
        assert np.abs(found - wanted).max() <= 3.0, (value, x, y)
