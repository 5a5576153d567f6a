"""The files open where their users work, with the names, units and conventions that were promised."""

import json

import netCDF4
import numpy as np
import pytest
from launching import groundswell, run, storm_case, write_case

FIELDS = [
    "hs",
    "tm01",
    "tm02",
    "tmm10",
    "tp",
    "dir",
    "dp",
    "spread",
    "u10",
    "v10",
    "depth",
    "ustar",
    "charnock",
]
PERIOD = "sea_surface_wave_mean_period_from_variance_spectral_density_"
PROMISED = {  # standard name and unit
    "hs": ("sea_surface_wave_significant_height", "m"),
    "tm01": (PERIOD + "first_frequency_moment", "s"),
    "tm02": (PERIOD + "second_frequency_moment", "s"),
    "tmm10": (PERIOD + "inverse_frequency_moment", "s"),
    "tp": ("sea_surface_wave_period_at_variance_spectral_density_maximum", "s"),
    "dir": ("sea_surface_wave_from_direction", "degree"),
    "dp": ("sea_surface_wave_from_direction_at_variance_spectral_density_maximum", "degree"),
    "spread": ("sea_surface_wave_directional_spread", "degree"),
    "u10": ("eastward_wind", "m s-1"),
    "v10": ("northward_wind", "m s-1"),
    "depth": ("sea_floor_depth_below_geoid", "m"),
    "charnock": ("charnock_coefficient_for_surface_roughness_length_for_momentum_in_air", "1"),
}


def known_depth(lon, lat):
    """A smooth depth (m) of longitude and latitude in degrees."""
    return 2000.0 + 700.0 * np.sin(np.radians(7.0 * lon)) * np.cos(np.radians(5.0 * lat))


@pytest.fixture(scope="module")
def output(tmp_path_factory, coast_mesh, wind_file):
    """The files of a storm on a mesh whose depth is the known function."""
    folder = tmp_path_factory.mktemp("files")
    mesh = folder / "mesh.nc"
    mesh.write_bytes(coast_mesh.read_bytes())
    with netCDF4.Dataset(mesh, "a") as data:
        data["bottomDepth"][:] = known_depth(np.degrees(data["lonCell"][:]), np.degrees(data["latCell"][:]))
    table = storm_case(mesh, wind_file, hours=2)
    table["spectrum"]["frequencies"] = 30  # to 1 Hz: what lies beyond counts little
    table["output"]["map"] = [{"file": "map.nc", "every": "1h", "fields": FIELDS}]
    run(write_case(folder / "case.toml", table), "--output", folder, ranks=2)
    return folder


def test_names_and_units(output):
    with netCDF4.Dataset(output / "map.nc") as data:
        assert data.data_model == "NETCDF3_64BIT_DATA"
        assert (
            set(data.dimensions) == {"time", "nFace", "nNode", "nMaxFaceNodes"}
            and data.dimensions["time"].isunlimited()
        )
        for name, (standard_name, unit) in PROMISED.items():
            variable = data[name]
            assert (variable.standard_name, variable.units) == (standard_name, unit)
            assert variable.dimensions == ("time", "nFace") and variable.dtype == np.float32
            assert (variable.mesh, variable.location) == ("mesh", "face")
            assert "direction" not in variable.long_name  # a layer with that word is hidden by QGIS
        assert {
            "mesh",
            "mesh_node_lon",
            "mesh_node_lat",
            "mesh_face_lon",
            "mesh_face_lat",
            "mesh_face_nodes",
            "mesh_cell",
        } <= set(data.variables)
        assert data.Conventions == "CF-1.11 UGRID-1.0 ACDD-1.3"
        assert data.groundswell_case.startswith((output / "case.toml").read_text())
        for name in (
            "title",
            "summary",
            "source",
            "history",
            "date_created",
            "time_coverage_start",
            "geospatial_lon_min",
        ):
            assert data.getncattr(name) != ""


def test_faces_are_the_mesh_file_s_cells(output):
    """In the mesh file's order, numbered from 1, with its places; corners anticlockwise."""
    with netCDF4.Dataset(output / "map.nc") as data, netCDF4.Dataset(output / "mesh.nc") as mesh:
        cell = data["mesh_cell"][:]
        assert (np.diff(cell) > 0).all() and cell.min() >= 1
        assert np.allclose(data["mesh_face_lon"][:], np.degrees(mesh["lonCell"][:])[cell - 1], atol=1e-9)
        assert np.allclose(data["mesh_face_lat"][:], np.degrees(mesh["latCell"][:])[cell - 1], atol=1e-9)
        lon, lat = data["mesh_node_lon"][:], data["mesh_node_lat"][:]
        for corners in data["mesh_face_nodes"][:]:
            x, y = lon[corners.compressed()], lat[corners.compressed()]
            assert np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y) > 0.0


def test_xarray_gives_back_a_known_function(output):
    xarray = pytest.importorskip("xarray")
    with xarray.open_dataset(output / "map.nc") as data:
        assert data.time.dtype.kind == "M" and str(data.time.values[0]).startswith("2024-09-06T03:00")
        expected = known_depth(data.mesh_face_lon.values, data.mesh_face_lat.values)
        assert np.abs(data.depth.values / expected - 1.0).max() < 1e-6
        assert float(data.hs.isel(time=-1).max()) > 2.0


def test_uxarray_finds_grid_and_fields(output):
    uxarray = pytest.importorskip("uxarray")
    data = uxarray.open_dataset(str(output / "map.nc"), str(output / "map.nc"))
    assert data.uxgrid.n_face == data["hs"].shape[-1]
    with netCDF4.Dataset(output / "map.nc") as plain:
        assert np.allclose(np.asarray(data.uxgrid.node_lon), plain["mesh_node_lon"][:], atol=1e-9)
        assert np.array_equal(np.asarray(data["depth"]), plain["depth"][:])


def test_vtk_gives_back_a_known_function(output):
    """The reader that ParaView uses: every field on the cells, values at the right polygons."""
    pytest.importorskip("vtk")
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkFiltersCore import vtkCellCenters
    from vtkmodules.vtkIONetCDF import vtkNetCDFUGRIDReader

    reader = vtkNetCDFUGRIDReader()
    reader.SetFileName(str(output / "map.nc"))
    reader.Update()
    grid = reader.GetOutput()
    with netCDF4.Dataset(output / "map.nc") as data:
        faces, nodes = len(data.dimensions["nFace"]), len(data.dimensions["nNode"])
        lon, lat = data["mesh_face_lon"][:], data["mesh_face_lat"][:]
        hs = data["hs"][0].filled(np.nan)
    assert (grid.GetNumberOfCells(), grid.GetNumberOfPoints()) == (faces, nodes)
    cells = grid.GetCellData()
    assert set(FIELDS) <= {cells.GetArrayName(i) for i in range(cells.GetNumberOfArrays())}
    assert np.abs(vtk_to_numpy(cells.GetArray("depth")) / known_depth(lon, lat) - 1.0).max() < 1e-6
    assert np.array_equal(vtk_to_numpy(cells.GetArray("hs")), hs)
    centres = vtkCellCenters()
    centres.SetInputData(grid)
    centres.Update()
    places = vtk_to_numpy(centres.GetOutput().GetPoints().GetData())
    assert np.abs(places[:, 0] - lon).max() < 1.5 and np.abs(places[:, 1] - lat).max() < 1.5


def test_wavespectra_reads_the_spectra(output):
    """Heights that it finds are the model's own."""
    xarray = pytest.importorskip("xarray")
    pytest.importorskip("wavespectra")
    with (
        xarray.open_dataset(output / "spectra.nc", engine="ww3") as spectra,
        netCDF4.Dataset(output / "series.nc") as series,
    ):
        heights = spectra.spec.hs().values
        assert heights.shape == (3, 3)
        assert np.abs(heights[:, :2] / series["hs"][::2] - 1.0).max() < 0.02
        turned = (spectra.spec.dp().values[:, :2] - series["dp"][::2] + 180.0) % 360.0 - 180.0
        assert np.abs(turned).max() <= 360.0 / 20  # one direction of the spectrum


def test_spectra_in_the_layout_of_wavewatch(output):
    with netCDF4.Dataset(output / "spectra.nc") as data:
        assert data["efth"].dimensions == ("time", "station", "frequency", "direction")
        assert data["efth"].units == "m2 s rad-1"
        assert np.allclose(data["frequency"][1:] / data["frequency"][:-1], 1.1)
        direction = data["direction"][:]  # as the CF conventions want it, strictly increasing
        assert len(direction) == 20 and np.allclose(np.diff(direction), 18.0) and 0.0 <= direction[0] < 18.0
        assert {"longitude", "latitude", "station_name", "station_distance", "dpt", "wnd", "wnddir"} <= set(
            data.variables
        )
        assert (data["station_distance"][:] < 120e3).all()


@pytest.mark.parametrize("name", ["map.nc", "series.nc", "spectra.nc"])
def test_bounds_in_the_header_are_those_of_the_cells_in_the_file(output, name):
    places = {"lon": "mesh_face_lon", "lat": "mesh_face_lat"}
    if name != "map.nc":
        places = {"lon": "longitude", "lat": "latitude"}
    with netCDF4.Dataset(output / name) as data:
        for axis, variable in places.items():
            bounds = [data.getncattr(f"geospatial_{axis}_{end}") for end in ("min", "max")]
            assert bounds == pytest.approx([data[variable][:].min(), data[variable][:].max()], abs=1e-9)


def test_ugrid_checks(output):
    """No statement at all, neither errors nor advice."""
    check = pytest.importorskip("ugrid_checks.check")
    found = check.check_dataset(output / "map.nc", print_summary=False)
    assert found.logger.report_statement_logrecords() == []


# What compliance-checker 5 reports although the files are right.
FALSE_ALARMS = [
    "cf_role",  # knows the roles of discrete samplings, not those of UGRID
    "Conventions global attribute does not contain",  # does not know CF-1.11 yet
]


@pytest.mark.parametrize("name", ["map.nc", "series.nc", "spectra.nc"])
def test_compliance_checker(output, tmp_path, name):
    runner = pytest.importorskip("compliance_checker.runner")
    suite = pytest.importorskip("compliance_checker.suite")
    suite.CheckSuite.load_all_available_checkers()
    report = tmp_path / "report.json"
    newest = max(key for key in suite.CheckSuite.checkers if key.startswith("cf:1."))
    runner.ComplianceChecker.run_checker(
        str(output / name), [newest], 0, "normal", output_filename=str(report), output_format="json"
    )
    found = json.loads(report.read_text())[newest]
    problems = [
        message
        for level in ("high_priorities", "medium_priorities")
        for check in found[level]
        for message in check["msgs"]
    ]
    assert [text for text in problems if not any(alarm in text for alarm in FALSE_ALARMS)] == []


def test_a_box_has_its_name_when_it_is_whole(tmp_path):
    """One that fails, or is killed, leaves what had the name, and a .part beside it that the next one replaces."""
    box = ("box", "--cubes", "4,4,4", "--length", "1,1,1", "--output", tmp_path / "box.h5", "--overwrite")
    assert groundswell(*box).code == 0
    whole = (tmp_path / "box.h5").read_bytes()
    failed = groundswell(*box, env={"GROUNDSWELL_TEST_FAIL": "write:EIO:2"})
    assert failed.code == 3, failed.stderr
    assert (tmp_path / "box.h5").read_bytes() == whole
    assert groundswell(*box, ranks=2).code == 0
    assert (tmp_path / "box.h5").read_bytes() == whole
    assert [path.name for path in tmp_path.iterdir()] == ["box.h5"]
