"""`groundswell mesh make|info` as a user meets it: files, tables, JSON, pictures, and refusals with exit code 2."""

import json

import matplotlib.image
import netCDF4
import numpy as np
import pytest

from groundswell import mesh_cli
from groundswell.mesh import info, mpas, quality, sphere, step
from groundswell.mesh.delaunay import triangulate
from groundswell.mesh.icosahedron import icosahedral_mesh
from groundswell.mesh.mpas_file import read_mesh
from groundswell.mesh.settings import Settings


def make(*arguments):
    return mesh_cli.main(["make", *map(str, arguments)])


FLAT = ("--depth", 100, "--region", "170,-175,-10,5", "--spacing", "100", "--iterations", 8)


@pytest.fixture
def flat(tmp_path):
    path = tmp_path / "flat.nc"
    assert make(*FLAT, "--output", path, "--quiet") == 0
    return path


def test_file_is_an_mpas_mesh(flat):
    with netCDF4.Dataset(flat) as mesh:
        assert (mesh.on_a_sphere, mesh.sphere_radius, mesh.mesh_spec, mesh.Conventions) == (
            "YES",
            6371229.0,
            "1.0",
            "MPAS",
        )
        assert mesh.groundswell_build.startswith("Groundswell ") and "NumPy" in mesh.groundswell_build
        sizes = {name: len(d) for name, d in mesh.dimensions.items()}
        assert (
            sizes["TWO"] == 2 and sizes["vertexDegree"] == 3 and sizes["maxEdges2"] == 2 * sizes["maxEdges"]
        )
        for kind, place in (("Cell", "nCells"), ("Edge", "nEdges"), ("Vertex", "nVertices")):
            for name in (f"lat{kind}", f"lon{kind}", f"x{kind}", f"y{kind}", f"z{kind}", f"indexTo{kind}ID"):
                assert mesh[name].dimensions == (place,)
        for name in (
            "cellsOnCell",
            "edgesOnCell",
            "verticesOnCell",
            "nEdgesOnCell",
            "cellsOnEdge",
            "verticesOnEdge",
            "cellsOnVertex",
            "edgesOnVertex",
            "edgesOnEdge",
            "nEdgesOnEdge",
            "weightsOnEdge",
            "dcEdge",
            "dvEdge",
            "angleEdge",
            "areaCell",
            "areaTriangle",
            "kiteAreasOnVertex",
            "meshDensity",
            "bottomDepth",
        ):
            assert name in mesh.variables
            assert mesh[name].dtype == (
                "i4" if "On" in name and not name.startswith(("kite", "weights")) else "f8"
            )
        assert mesh["meshDensity"][:].max() <= 1.0 and (mesh["bottomDepth"][:] == 100.0).all()
        assert np.allclose(
            np.hypot(np.hypot(mesh["xCell"][:], mesh["yCell"][:]), mesh["zCell"][:]), 6371229.0
        )


def test_uxarray_opens_it(flat):
    uxarray = pytest.importorskip("uxarray")
    grid = uxarray.open_grid(str(flat))
    with netCDF4.Dataset(flat) as mesh:
        assert grid.n_face == len(mesh.dimensions["nCells"]) and grid.n_node == len(
            mesh.dimensions["nVertices"]
        )


def test_region_in_the_west(tmp_path):
    """Numbers below zero follow an option like any other."""
    mesh = tmp_path / "bahamas.nc"
    make(
        "--depth",
        100,
        "--region",
        "-85,-75,-5,5",
        "--spacing",
        "200",
        "--iterations",
        2,
        "--output",
        mesh,
        "--quiet",
    )
    arrays, _ = read_mesh(mesh)
    lon, lat = ((np.degrees(arrays[name]) + 180) % 360 - 180 for name in ("lonCell", "latCell"))
    assert -86 < lon.min() < -83 and -77 < lon.max() < -74 and lat.min() < -3 and lat.max() > 3


def test_same_bytes_from_the_same_request(flat, tmp_path):
    again = tmp_path / "again.nc"
    make(*FLAT, "--output", again, "--quiet")
    assert again.read_bytes() == flat.read_bytes()


def test_info_says_and_draws(flat, tmp_path, capsys):
    assert (
        mesh_cli.main(
            [
                "info",
                str(flat),
                "--json",
                str(tmp_path / "i.json"),
                "--png",
                str(tmp_path / "i.png"),
                "--spectrum",
                "24x25",
                "--first-frequency",
                "0.05",
            ]
        )
        == 0
    )
    text = capsys.readouterr().out
    assert "longest stable step" in text and "spacing, km" in text
    envelope = json.loads((tmp_path / "i.json").read_text())
    assert envelope["schema"] == 1 and envelope["command"] == "mesh info"
    assert set(envelope["machine"]) == {"mpi", "hosts", "ranks", "threads", "cpu"}
    assert set(envelope["build"]) == {"version", "python", "libraries"}
    result = envelope["result"]
    assert result["state_bytes"] == result["cells"] * 24 * 25 * 4 and result["sea_cells"] == result["cells"]
    assert set(result["spacing"]) == {"min", "mean", "max"}
    picture = matplotlib.image.imread(tmp_path / "i.png")
    assert picture.shape[1] > 1000 and picture[..., :3].std() > 0.1


def test_cells_on_both_sides_of_the_date_line_are_drawn_in_one_piece(flat):
    from groundswell.plot.mesh_map import mesh_shape

    polygons = mesh_shape(flat)[0].polygons
    assert np.ptp(polygons[..., 0]) < 17 and np.ptp(polygons[..., 0], axis=1).max() < 3


def test_group_speed_in_deep_and_shallow_water():
    """cg = g/(4πf) where deep, √(gd) where shallow; between them dσ/dk by differences."""
    assert step.group_speed(0.1, 5000.0) == pytest.approx(step.GRAVITY / (4 * np.pi * 0.1), rel=1e-9)
    assert step.group_speed(0.001, 10.0) == pytest.approx(np.sqrt(step.GRAVITY * 10), rel=1e-3)
    k, d, dk = 0.05, 20.0, 1e-6
    sigma = [np.sqrt(step.GRAVITY * q * np.tanh(q * d)) for q in (k - dk, k, k + dk)]
    assert step.group_speed(sigma[1] / (2 * np.pi), d) == pytest.approx(
        (sigma[2] - sigma[0]) / (2 * dk), rel=1e-7
    )


def test_longest_step_of_regular_hexagons():
    """A hexagon with spacing h lets waves through a width between √3 and 2 times its side a = h/√3; area (√3/2) h²: the
    longest step is (3/4) h / cg (widest: across the corners), reached by the 36 directions within 1 − cos 5°; half of that
    with the second-order scheme."""
    h = 1000.0
    i, j = np.meshgrid(np.arange(12), np.arange(12))
    x, y = (i + 0.5 * (j % 2)) * h, j * h * np.sqrt(0.75)
    points = sphere.to_xyz(x.ravel() / sphere.EARTH_RADIUS, y.ravel() / sphere.EARTH_RADIUS)
    mesh = mpas.build(
        points, triangulate(points, points[78]), ((i > 1) & (i < 10) & (j > 1) & (j < 10)).ravel()
    )
    mesh["bottomDepth"] = np.full(len(mesh["areaCell"]), 4000.0)
    settings = Settings(spectrum=info.parse_spectrum("36x35", 0.05, 1.1))
    upwind = 0.75 * h / step.group_speed(0.05, 4000.0)
    assert info.model_cost(mesh, settings)["longest_step"] == pytest.approx(upwind / 2, rel=0.005)
    settings.scheme = "upwind"
    assert info.model_cost(mesh, settings)["longest_step"] == pytest.approx(upwind, rel=0.005)


def test_quality_of_the_icosahedron():
    points, triangulation = icosahedral_mesh(8)
    result = quality.measure(
        mpas.build(points, triangulation, np.ones(len(points), bool)), sphere.EARTH_RADIUS
    )
    assert result["sides"] == {"5": 12, "6": 630} and result["share_of_sphere"] == pytest.approx(
        1.0, rel=1e-12
    )
    assert (
        result["boundary_edges"] == 0
        and result["obtuse_triangles"] == 0
        and result["centroid_offset"]["max"] < 0.05
    )


def test_icosahedron_with_land(tmp_path):
    with netCDF4.Dataset(tmp_path / "z.nc", "w") as out:
        for name, values, unit in (
            ("lon", np.arange(0.0, 360.0, 3.0), "degrees_east"),
            ("lat", np.arange(-88.5, 90, 3.0), "degrees_north"),
        ):
            out.createDimension(name, len(values))
            out.createVariable(name, "f8", (name,)).units = unit
            out[name][:] = values
        out.createVariable("z", "f4", ("lat", "lon"))[:] = np.where(
            np.arange(120)[None, :] < 30, 100.0, -4000.0
        ) * np.ones((60, 1))
    assert make("--icosahedron", 12, tmp_path / "z.nc", "--output", tmp_path / "m.nc", "--quiet") == 0
    mesh, _ = read_mesh(tmp_path / "m.nc")
    assert (
        len(mesh["areaCell"]) == pytest.approx(0.75 * 1442, rel=0.03)
        and np.median(mesh["bottomDepth"]) == 4000.0
    )


TOML = '[bathymetry]\nkind = "uniform"\ndepth = 50.0\n[region]\nwest = 0\neast = 5\nsouth = 0\nnorth = 5\n[spacing]\nfinest_km = 80.0\n'


def test_configuration_file_and_options_over_it(tmp_path):
    (tmp_path / "mesh.toml").write_text(TOML + '[mesh]\noutput = "out/m.nc"\niterations = 3\n')
    assert make("--config", tmp_path / "mesh.toml", "--quiet") == 0
    coarse = len(read_mesh(tmp_path / "out" / "m.nc")[0]["areaCell"])
    assert (
        make(
            "--config", tmp_path / "mesh.toml", "--spacing", "finest=40,coarsest=50", "--quiet", "--overwrite"
        )
        == 0
    )
    assert len(read_mesh(tmp_path / "out" / "m.nc")[0]["areaCell"]) > 2 * coarse


COMMAND_LINE = {
    "no bathymetry": (["--region", "0,5,0,5", "--spacing", "50"], "bathymetry.file = (missing)"),
    "spacing of zero": (
        ["--depth", "50", "--region", "0,5,0,5", "--spacing", "0"],
        "spacing.finest_km = 0.0: expected a spacing > 0",
    ),
    "negative spacing": (
        ["--depth", "50", "--region", "0,5,0,5", "--spacing", "finest=-3"],
        "expected a spacing > 0 in km",
    ),
    "no spacing": (["--depth", "50", "--region", "0,5,0,5"], "spacing.finest_km = (missing)"),
    "coarsest below finest": (
        ["--depth", "50", "--region", "0,5,0,5", "--spacing", "finest=50,coarsest=20"],
        "coarsest_km = 20.0",
    ),
    "unknown word of the rule": (["--depth", "50", "--spacing", "fineest=5"], "did you mean 'finest'?"),
    "spacing not a number": (
        ["--depth", "50", "--spacing", "fine"],
        "--spacing finest = fine: expected a number",
    ),
    "region of three": (
        ["--depth", "50", "--region", "0,5,0", "--spacing", "50"],
        "--region = 0,5,0: expected west,east,south,north",
    ),
    "south above north": (["--depth", "50", "--region", "0,5,5,0", "--spacing", "50"], "south < north"),
    "latitude of 100": (
        ["--depth", "50", "--region", "0,5,0,100", "--spacing", "50"],
        "region.north = 100.0: expected degrees north",
    ),
    "depth upside down": (
        ["--depth", "-50", "--region", "0,5,0,5", "--spacing", "50"],
        "bathymetry.depth = -50.0: expected a depth > 0",
    ),
    "region with icosahedron": (
        ["--depth", "50", "--region", "0,5,0,5", "--icosahedron", "4"],
        "expected no region",
    ),
    "too many cells": (["--depth", "50", "--spacing", "0.5"], "at most 20,000,000 cells"),
    "depth and file": (["z.nc", "--depth", "50"], "either a bathymetry file or a depth"),
    "file that is not there": (
        ["none.nc", "--region", "0,5,0,5", "--spacing", "50"],
        "none.nc: expected a file that can be read (No such file or directory)",
    ),
    "unknown option": (["--spaceing", "5"], "unrecognized arguments: --spaceing"),
}


@pytest.mark.parametrize("what", COMMAND_LINE)
def test_refusals_of_the_command_line(what, tmp_path, capsys, monkeypatch):
    arguments, message = COMMAND_LINE[what]
    monkeypatch.chdir(tmp_path)
    assert make(*arguments, "--output", tmp_path / "m.nc", "--quiet") == 2
    error = capsys.readouterr().err
    assert error.startswith("groundswell: error: ") and error.count("\n") == 1 and message in error
    assert not list(tmp_path.iterdir())


CONFIGURATION = {
    "mistyped key": (
        TOML.replace("finest_km", "finest_kn"),
        "spacing.finest_kn = 80.0: expected a known key; did you mean 'finest_km'?",
    ),
    "mistyped section": (TOML.replace("[region]", "[regoin]"), "did you mean 'region'?"),
    "unknown kind": (
        TOML.replace("uniform", "cone"),
        "bathymetry.kind = cone: expected one of file, uniform, beach",
    ),
    "word for a number": (TOML.replace("80.0", '"fine"'), "spacing.finest_km = fine"),
    "not TOML": ("[region\n", "expected TOML"),
    "zero in a text": (
        TOML.replace('"uniform"', '"uni\\u0000form"'),
        "bathymetry.kind = uni\\x00form: expected a text without zero",
    ),
    "fraction of an iteration": (
        TOML + "[mesh]\niterations = 2.5\n",
        "mesh.iterations = 2.5: expected a whole number of at least 1",
    ),
    "nothing but a lake": (TOML + "[mesh]\nsmallest_sea = 100000\n", "mesh.smallest_sea = 100000"),
    "region left open": (TOML.replace("east = 5\n", ""), "region.east = (missing): expected degrees east"),
}


@pytest.mark.parametrize("what", CONFIGURATION)
def test_refusals_of_the_configuration(what, tmp_path, capsys):
    text, message = CONFIGURATION[what]
    path = tmp_path / "mesh.toml"
    path.write_text(text)
    assert make("--config", path, "--quiet") == 2
    error = capsys.readouterr().err
    assert error.startswith(f"groundswell: error: {path}: ") and message in error and error.count("\n") == 1


def test_bytes_that_are_no_text_are_no_configuration(tmp_path, capsys):
    path = tmp_path / "mesh.toml"
    path.write_bytes(bytes(range(256)))
    assert make("--config", path, "--quiet") == 2
    assert capsys.readouterr().err.startswith(f"groundswell: error: {path}: expected TOML (")


def test_existing_output_is_kept(flat, capsys):
    before = flat.read_bytes()
    assert make("--depth", 50, "--region", "0,5,0,5", "--spacing", "90", "--output", flat, "--quiet") == 2
    assert "--overwrite" in capsys.readouterr().err and flat.read_bytes() == before


def test_info_refuses_what_is_no_mesh(tmp_path, capsys):
    with netCDF4.Dataset(tmp_path / "x.nc", "w") as out:
        out.createDimension("n", 2)
    assert mesh_cli.main(["info", str(tmp_path / "x.nc")]) == 2
    assert "lonCell = (missing): expected an MPAS mesh" in capsys.readouterr().err
    assert mesh_cli.main(["info", "x.nc", "--spectrum", "36"]) == 2
    assert "--spectrum = 36: expected directions x frequencies" in capsys.readouterr().err
    assert mesh_cli.main(["info", "x.nc", "--ratio", "1.0"]) == 2
    assert "--ratio = 1.0: expected a ratio > 1" in capsys.readouterr().err


@pytest.mark.parametrize("region", ["-85,-75,-5,5", "170,-175,-10,5"])
def test_picture_of_a_mesh_is_whole(tmp_path, monkeypatch, region):
    """All cells lie inside the frame, every word on the sheet, and longitudes are written as on other maps."""
    from matplotlib.figure import Figure

    mesh, drawn = tmp_path / "m.nc", []
    make("--depth", 100, "--region", region, "--spacing", 200, "--iterations", 2, "--output", mesh, "--quiet")
    save = Figure.savefig
    monkeypatch.setattr(Figure, "savefig", lambda figure, path: (drawn.append(figure), save(figure, path)))
    assert mesh_cli.main(["info", str(mesh), "--png", str(tmp_path / "m.svg"), "--quiet"]) == 0
    (figure,) = drawn
    figure.canvas.draw()
    written, (wide, high) = figure.get_tightbbox(), figure.get_size_inches()
    assert 0 <= written.x0 and written.x1 <= wide and 0 <= written.y0 and written.y1 <= high
    axes = figure.axes[0]
    corners = np.concatenate([path.vertices for path in axes.collections[0].get_paths()])
    (west, east), (south, north) = axes.get_xlim(), axes.get_ylim()
    assert west <= corners[:, 0].min() and corners[:, 0].max() <= east
    assert south <= corners[:, 1].min() and corners[:, 1].max() <= north
    labels = [label.get_text() for label in axes.get_xticklabels()]
    assert all(label[-1] in "EW°" and "-" not in label for label in labels)
    assert mesh_cli.main(["info", str(mesh), "--png", str(tmp_path / "m.jpg"), "--quiet"]) == 2
