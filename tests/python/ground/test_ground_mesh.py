"""Meshes of the ground: they fill what was asked for, with elements as long as asked for, on the relief of the file."""

import numpy as np
import pyproj
import pytest
from ground_requests import PROJECTION, box, hill, made, request, write_relief

from groundswell import mesh_cli
from groundswell.errors import Refusal
from groundswell.ground.projection import Projection
from groundswell.ground.relief import Relief, SeaFloor
from groundswell.ground.request import scale_sizes
from groundswell.ground.sizes import SizeGrid, SizeRule
from groundswell.mesh.bathymetry import read_grid

LAYERS = [
    {"name": "sand", "bottom": 700.0, "vp": 1800.0, "vs": 600.0},
    {"name": "clay", "bottom": 1500.0, "vp": 3000.0, "vs": 1500.0},
    {"name": "rock", "vp": 5000.0, "vs": 2800.0},
]
AREA = 6e3 * 5e3


def test_a_box_with_layers_is_filled_by_them(tmp_path):
    mesh = made(tmp_path, **box(layer=LAYERS))
    volume = [layer["volume"] for layer in mesh.result["layers"]]
    assert volume == pytest.approx([700 * AREA, 800 * AREA, 2500 * AREA], rel=1e-9)
    assert [layer["name"] for layer in mesh.result["layers"]] == ["sand", "clay", "rock"]
    area = {face["tag"]: face["area"] for face in mesh.result["faces"]}
    assert area == pytest.approx({1: AREA, 5: AREA + 2 * 4e3 * (6e3 + 5e3)}, rel=1e-9)
    # No element reaches across an interface.
    z = mesh.found.places[mesh.found.cells][:, :, 2]
    for number, (bottom, top) in enumerate(((-700, 0), (-1500, -700), (-4000, -1500))):
        mine = z[mesh.found.layer == number]
        assert mine.min() >= bottom - 1e-6 and mine.max() <= top + 1e-6


def test_elements_are_as_long_as_waves_ask(tmp_path):
    """The mean of the longest edges of a layer is at most vs / (frequency × edges per wavelength), and not much less."""
    mesh = made(tmp_path, **box(layer=LAYERS, size={"frequency": 1.2, "order": 4, "gradation": 0.5}))
    for layer, given in zip(mesh.result["layers"], LAYERS):
        longest = given["vs"] / (1.2 * 1.39)
        assert layer["longest_edges"]["mean"] < 1.05 * longest
    sand = mesh.result["layers"][0]
    assert sand["longest_edges"]["mean"] > 0.85 * 600 / (1.2 * 1.39)
    assert sand["frequency"]["p10"] > 0.8 * 1.2
    assert mesh.result["expected_cells"] == pytest.approx(mesh.result["cells"], rel=0.4)
    finer = made(tmp_path, **box(layer=LAYERS, size={"frequency": 1.2, "order": 3, "gradation": 0.5}))
    assert finer.result["cells"] > 3 * mesh.result["cells"]


def test_sizes_told_to_gmsh_are_nowhere_above_those_asked_for():
    """Places between the points of the grid ask for as much as it says, or more; far from all that is fine it says the coarsest."""
    fault = {"trace": [[-1e3, -500.0], [1e3, 800.0]], "dip": 50.0, "bottom": 2e3, "size": 120.0}
    place = {"at": [[1500.0, 1000.0]], "size": 90.0, "within": 300.0}
    rule = SizeRule(request(**box(layer=LAYERS, fault=[fault], refine=[place], size={"coarsest": 900.0})))
    grid = SizeGrid(rule, most=40_000)
    seeds = np.random.default_rng(5).random((4000, 3))
    at = seeds * (np.array(grid.values.shape) - 1.001)
    told = np.zeros(len(at))
    low = at.astype(int)
    for corner in np.ndindex(2, 2, 2):
        weight = np.where(corner, at - low, 1 - (at - low)).prod(axis=1)
        told += weight * grid.values[tuple((low + corner).T)]
    wanted = rule.at(grid.origin + grid.spacing * at)
    assert (told <= wanted + 1e-6).all()
    assert told.max() == pytest.approx(900.0) and told.min() < 130.0
    assert rule.at(np.array([[1500.0, 1000.0, -250.0]]))[0] == 90.0
    assert rule.at(np.array([[1500.0, 1000.0, -700.0]]))[0] == pytest.approx(90.0 + 0.25 * 400.0)


def test_refined_places_have_small_elements(tmp_path):
    mesh = made(tmp_path, **box(refine=[{"at": [[500.0, 500.0]], "size": 150.0, "within": 500.0}]))
    centre = mesh.found.places[mesh.found.cells].mean(axis=1)
    longest = mesh.found.edges().max(axis=1)
    away = np.linalg.norm(centre - [500.0, 500.0, 0.0], axis=1)
    assert longest[away < 400].max() < 3 * 150 and (away < 400).sum() > 100
    assert longest[away > 3000].mean() > 1000


def test_nodes_at_the_surface_lie_on_the_relief(tmp_path):
    write_relief(tmp_path / "relief.nc", hill)
    tables = box(projection=PROJECTION, relief={"file": "relief.nc", "fade_depth": 3e3}, layer=LAYERS)
    mesh = made(tmp_path, **tables)
    places, found = mesh.found.places, mesh.found
    top = places[np.unique(found.free)]
    transform = pyproj.Transformer.from_crs(Projection(**PROJECTION).proj(), "EPSG:4979", always_xy=True)
    longitude, latitude = transform.transform(top[:, 0], top[:, 1])
    # The file's grid is fine, so that between its points the hill is all but straight.
    assert np.abs(top[:, 2] - hill(longitude, latitude)).max() < 0.5
    assert top[:, 2].max() > 400 and top[:, 2].min() < -200
    # Below the depth to which relief reaches, and at the sides below it, nothing moves.
    bottom = places[np.unique(found.absorbing)]
    assert bottom[:, 2].min() == -4e3
    # Layers keep their place in the ground: the first one is 700 m thick, stretched by 1 + height / 3 km.
    volume = mesh.result["layers"][0]["volume"]
    triangle = places[found.free]
    (ax, ay), (bx, by) = ((triangle[:, i, :2] - triangle[:, 0, :2]).T for i in (1, 2))
    flat = 0.5 * np.abs(ax * by - ay * bx)
    lifted = (flat * triangle[:, :, 2].mean(axis=1)).sum()
    assert volume == pytest.approx(700 * AREA + lifted * 700 / 3e3, rel=2e-3)


def slope(longitude, latitude):
    """A sea floor that falls from 500 m to 1500 m depth over the box."""
    return -1000.0 - (longitude - 120.0) / 0.062 * 1000.0 + 0.0 * latitude


SEA = [
    {"name": "sea", "bottom": 1000.0, "vp": 1500.0, "vs": 0.0},
    {"name": "rock", "vp": 5000.0, "vs": 2800.0},
]


def test_a_sea_reaches_from_its_level_surface_to_the_floor(tmp_path):
    write_relief(tmp_path / "relief.nc", slope)
    tables = box(projection=PROJECTION, relief={"file": "relief.nc", "fade_depth": 3e3}, layer=SEA)
    tables["region"]["sea"] = True
    mesh = made(tmp_path, **tables)
    places, found = mesh.found.places, mesh.found
    top = places[np.unique(found.free)]
    assert (np.abs(top[:, 2]) < 1e-9).all()
    faces = {face["tag"]: face for face in mesh.result["faces"]}
    assert (
        faces[2]["name"] == "sea surface"
        and faces[2]["area"] == pytest.approx(AREA, rel=1e-9)
        and 1 not in faces
    )
    floor = places[np.intersect1d(found.cells[found.layer == 0], found.cells[found.layer == 1])]
    assert floor[:, 2].max() > -600 and floor[:, 2].min() < -1400
    longitude, latitude = Projection(**PROJECTION).degrees(floor[:, 0], floor[:, 1])
    assert np.abs(floor[:, 2] - slope(longitude, latitude)).max() < 1.0
    # What lies deeper than the fade depth has not moved.
    assert places[:, 2].min() == -4e3


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"layer": LAYERS}, "region.sea"),
        ({"relief": {"file": "relief.nc", "fade_depth": 900.0}}, "relief.fade_depth"),
        ({"relief": {"file": "hill.nc", "fade_depth": 3e3}}, "a coast"),
    ],
)
def test_what_is_no_sea_is_refused(tmp_path, changes, expected):
    write_relief(tmp_path / "relief.nc", slope)
    write_relief(tmp_path / "hill.nc", hill)
    tables = box(projection=PROJECTION, relief={"file": "relief.nc", "fade_depth": 3e3}, layer=SEA)
    tables["region"]["sea"] = True
    with pytest.raises(Refusal, match=expected):
        request(tmp_path, **(tables | changes))


def test_warping_back_gives_the_flat_place(tmp_path):
    write_relief(tmp_path / "relief.nc", hill)
    region = (119.9, 120.1, 29.9, 30.1)
    relief = Relief(read_grid(tmp_path / "relief.nc", region), Projection(**PROJECTION), 2500.0, smooth=False)
    x, y, z = np.random.default_rng(1).uniform(-3e3, 0, (3, 200))
    assert relief.unwarp(x, y, relief.warp(x, y, z)) == pytest.approx(z, abs=1e-6)
    write_relief(tmp_path / "floor.nc", slope)
    grid = read_grid(tmp_path / "floor.nc", region)
    sea = SeaFloor(grid, Projection(**PROJECTION), 2500.0, smooth=False, sea=1000.0)
    assert sea.unwarp(x, y, sea.warp(x, y, z)) == pytest.approx(z, abs=1e-6)
    # It stretches by as much as two places beside each other are moved apart.
    up = 1e-3
    apart = (sea.warp(x, y, z + up) - sea.warp(x, y, z)) / up
    assert sea.stretch(x, y, z) == pytest.approx(apart, abs=1e-5)


def test_smooth_relief_has_the_values_of_the_file_no_corners_and_no_new_hills(tmp_path):
    rough = np.random.default_rng(3).uniform(-900, 300, (9, 9))
    path = write_relief(tmp_path / "relief.nc", lambda x, y: rough, (119.96, 120.04), (29.96, 30.04), 9)
    grid, projection = read_grid(path, (119.965, 120.035, 29.965, 30.035)), Projection(**PROJECTION)
    straight, smooth = (Relief(grid, projection, 2500.0, smooth=choice) for choice in (False, True))
    lon, lat = np.meshgrid(grid.lon, grid.lat)
    at = projection.metres(lon, lat)
    assert smooth.height(*at) == pytest.approx(grid.elevation, abs=0.1)
    assert straight.height(*at) == pytest.approx(grid.elevation, abs=0.1)
    # Within each cell of the file.
    lon, lat = np.meshgrid(np.linspace(119.965, 120.035, 281), np.linspace(29.965, 30.035, 281))
    found = smooth.height(*projection.metres(lon, lat))
    column, row = ((axis - grid_axis[0]) / 0.01 for axis, grid_axis in ((lon, grid.lon), (lat, grid.lat)))
    i, j = (np.clip(place.astype(int), 0, 7) for place in (column, row))
    around = np.stack([grid.elevation[j + b, i + a] for a in (0, 1) for b in (0, 1)])
    assert (found >= around.min(axis=0) - 1).all() and (found <= around.max(axis=0) + 1).all()
    # Corners: how much the slope changes from one piece of a line to the next.
    lines = [one.height(*projection.metres(lon, lat)) for one in (straight, smooth)]
    corner = [np.abs(np.diff(line, 2, axis=1)).max() for line in lines]
    assert corner[1] < 0.4 * corner[0]


def test_a_periodic_file_of_relief_serves_a_region_across_its_seam(tmp_path):
    path = write_relief(tmp_path / "globe.nc", lambda x, y: 3 * x + y, (0, 355), (-80, 80), 72)
    grid = read_grid(path, (-7.0, 8.0, 1.0, 2.0))
    assert grid.lon[0] <= -7 and grid.lon[-1] >= 8 and (np.diff(grid.lon) == 5).all()
    x, y = np.meshgrid(np.mod(grid.lon, 360), grid.lat)
    assert grid.elevation == pytest.approx(3 * x + y)


def test_the_projection_is_that_of_the_program():
    """Its own test has these: the length of a quarter meridian (C. F. F. Karney 2011), and no scale at the origin."""
    assert Projection(0.0, 0.0).metres(0.0, 90.0)[1] == pytest.approx(10001965.7293, abs=5e-5)
    there = Projection(120.5, 30.25)
    assert there.proj() == "+proj=tmerc +lat_0=30.25 +lon_0=120.5 +k=1 +x_0=0 +y_0=0 +ellps=WGS84 +units=m"
    assert there.bend(0.0, 1e5) < 1e-9 and there.bend(285e3, 0.0) == pytest.approx(1e-3, rel=0.01)
    assert there.degrees(*there.metres(121.0, 29.0)) == pytest.approx((121.0, 29.0), abs=1e-12)


def test_the_same_request_gives_the_same_file(tmp_path):
    write_relief(tmp_path / "relief.nc", hill)
    text = """
        model = "quake"
        projection = { longitude = 120.0, latitude = 30.0 }
        region = { west = 119.97, east = 120.03, south = 29.98, north = 30.02, depth = 3e3 }
        relief = { file = "relief.nc" }
        size = { coarsest = 700.0 }
        [[fault]]
        trace_degrees = [[119.99, 30.0], [120.01, 30.005]]
        dip = 70.0
        bottom = 1e3
    """
    config = tmp_path / "ground.toml"
    config.write_text(text)
    for name in ("a.msh", "b.msh"):
        assert mesh_cli.main(["make", str(config), "--output", str(tmp_path / name), "--quiet"]) == 0
    first, second = ((tmp_path / name).read_bytes() for name in ("a.msh", "b.msh"))
    assert first == second
    assert b"$Projection\n" + Projection(**PROJECTION).proj().encode() + b"\n$EndProjection\n" in first[:300]


def test_all_sizes_times_a_factor_make_so_many_fewer_elements():
    def tables():
        return box(
            size={"frequency": 2.0, "coarsest": 900.0},
            layer=[{"bottom": 2e3, "vs": 2000.0, "size": 700.0}, {"vs": 3000.0}],
            fault=[{"trace": [[-1e3, 0.0], [1e3, 0.0]], "bottom": 1e3, "size": 200.0}],
            refine=[{"at": [[0.0, 1e3]], "size": 300.0}],
        )

    whole, halved = tables(), tables()
    scale_sizes(halved, 0.5)
    whole, halved = request(**whole), request(**halved)
    assert halved.refinements[0].within == whole.refinements[0].within == 600.0
    places = np.random.default_rng(1).uniform([-3e3, -2e3, -4e3], [3e3, 3e3, 0.0], (500, 3))
    # Gradation stays as it is, so sizes away from what is fine shrink less.
    ratio = SizeRule(halved).at(places) / SizeRule(whole).at(places)
    assert (ratio >= 0.5 - 1e-12).all() and (ratio <= 1.0).all() and np.isclose(ratio, 0.5).mean() > 0.3
    fine = np.array([[0.0, 0.0, -500.0], [0.0, 1e3, 0.0]])
    np.testing.assert_allclose(SizeRule(halved).at(fine), 0.5 * SizeRule(whole).at(fine))
