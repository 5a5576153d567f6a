"""The ground in perspective: what is near, what hides what, a fault seen through the ground, films, refusals."""

import json

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from PIL import Image
from surface_files import triangles, write_surface
from test_plot_fault import directions, rectangle, write_fault

from groundswell import plot_cli
from groundswell.plot.quake.fault_file import FaultFile
from groundswell.plot.quake.perspective import COVER, Camera, Eye, Scene
from groundswell.plot.quake.surface_file import SurfaceFile


def plot(*words):
    return plot_cli.main([str(word) for word in ("perspective", *words, "--quiet")])


def test_from_the_south_east_is_right_and_north_is_far():
    low, high = np.array([-1e4, -1e4, -1e3]), np.array([1e4, 1e4, 1e3])
    camera = Camera(low, high, Eye(bearing=180.0, above=30.0))
    places = np.array(
        [[0, 0, 0], [5e3, 0, 0], [0, 5e3, 0], [0, 0, 1e3], [5e3, 5e3, 0], [5e3, -5e3, 0]], float
    )
    flat, far = camera.project(places)
    middle, east, north, up, north_east, south_east = flat
    np.testing.assert_allclose(middle, 0.0, atol=1e-9)
    assert east[0] > 0 and east[1] == pytest.approx(0.0, abs=1e-9) and far[1] == pytest.approx(far[0])
    assert north[1] > 0 and far[2] > far[0] and up[1] > 0 and up[0] == pytest.approx(0.0, abs=1e-9)
    assert south_east[0] > east[0] > north_east[0]  # the nearer the larger
    west, _ = Camera(low, high, Eye(bearing=270.0)).project(places[2])
    assert west[0] < 0  # from the west north is to the left


def pixels_at(picture, places):
    """[place, 3] of what the picture shows at places (x, y, z) in m."""
    canvas = FigureCanvasAgg(picture.figure)
    canvas.draw()
    image = np.asarray(canvas.buffer_rgba())[..., :3].astype(int)
    x, y = (
        np.rint(picture.axes.transData.transform(picture.camera.project(np.array(places, float))[0]))
        .astype(int)
        .T
    )
    return image[image.shape[0] - 1 - y, x]


def painted(scene, seconds=0.0):
    """The picture of a time, painted."""
    values, below = scene.file.read(scene.name, scene.file.record(seconds)), scene.fault_values(seconds)
    picture = scene.picture(values, below, 100)
    picture.paint(values, below)
    return picture


def moving_at(mesh, place, within=1500.0):
    nodes, corners = mesh
    near = np.hypot(*(nodes[corners].mean(axis=1) - place).T) < within
    return {"vz": np.where(near, 1.0, 0.0)[None, :]}


def test_what_moves_is_seen_where_it_is_and_not_behind_a_ridge(tmp_path):
    mesh = triangles(500.0)
    place = np.array([0.0, 6000.0])
    flat = write_surface(tmp_path / "flat.nc", [0.0], mesh, lambda n: 0 * n[:, 0], moving_at(mesh, place))
    ridge = write_surface(
        tmp_path / "ridge.nc",
        [0.0],
        mesh,
        lambda n: 3000 * np.exp(-((n[:, 1] / 1500) ** 2)),
        moving_at(mesh, place),
    )
    reds = []
    for file, height in ((flat, 0.0), (ridge, 0.0)):
        picture = painted(Scene(SurfaceFile(file), "vz", Eye(180.0, 12.0)))
        there, elsewhere = pixels_at(picture, [(*place, height), (-7000, -7000, height)])
        reds.append((there[0] - there[2], elsewhere[0] - elsewhere[2]))
    assert reds[0][0] > 60 and reds[1][0] < 40 and max(reds[0][1], reds[1][1]) < 40


def test_the_sea_is_what_lies_below_it_however_high_heights_are_drawn(tmp_path):
    file = SurfaceFile(write_surface(tmp_path / "surface.nc", [0.0], z=lambda n: 0.05 * n[:, 0] + 400.0))
    picture = painted(Scene(file, "vx", Eye(180.0, 60.0, exaggerate=10.0)))
    bluer = picture.relief[:, 2] - picture.relief[:, 0]
    np.testing.assert_array_equal(bluer > 0, file.mesh.centres[:, 2] < 0)
    assert 0.05 < np.mean(bluer > 0) < 0.2


def test_a_fault_is_seen_through_the_ground(tmp_path):
    mesh = triangles(1000.0)
    still = {"vz": np.zeros((1, len(mesh[1])))}
    surface = write_surface(tmp_path / "surface.nc", [0.0], mesh, lambda n: 0 * n[:, 0] + 10.0, still)
    along, down = directions(90, 90)
    part = (rectangle((-4e3, 0, -500.0), along, down, (8e3, 4e3), (8, 4)), along, down)
    fault = write_fault(tmp_path / "fault.nc", [part], slip=lambda c: np.full((1, len(c)), 2.0))
    alone = painted(Scene(SurfaceFile(surface), "vz", Eye(180.0, 40.0)))
    scene = Scene(SurfaceFile(surface), "vz", Eye(180.0, 40.0), fault=FaultFile(fault), fault_name="slip")
    both = painted(scene)
    middle = both.camera.middle
    assert middle[2] < alone.camera.middle[2]  # room for the depth of the fault
    through, beside = pixels_at(both, [(0, 0, -2000.0), (0, -8000.0, 10.0)])
    ground = pixels_at(alone, [(0, -8000.0, 10.0)])[0]
    np.testing.assert_allclose(beside, ground, atol=3)
    slip = 255 * np.array(both.fault_scale.paint(np.array([2.0]))[0, :3])
    np.testing.assert_allclose(through, COVER * ground + (1 - COVER) * slip, atol=6)


def test_pictures_and_films_and_what_is_told(tmp_path):
    surface = write_surface(tmp_path / "surface.nc", times=np.arange(0.0, 3.1, 1.0))
    out, told = tmp_path / "pgv.png", tmp_path / "told.json"
    assert plot(surface, "--field", "pgv", "--exaggerate", 4, "--output", out, "--json", told) == 0
    found = json.loads(told.read_text())["result"]
    assert found["time"] == 3.0 and found["exaggerate"] == 4.0 and 0 < found["extreme"] < 0.3
    with Image.open(out) as image:
        assert image.size[0] > 1000
    for name in ("vz.gif", "vz.mp4"):
        assert plot(surface, "--field", "vz", "--every", 2, "--output", tmp_path / name, "--json", told) == 0
        assert json.loads(told.read_text())["result"]["frames"] == 2
    with Image.open(tmp_path / "vz.gif") as film:
        assert film.n_frames == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--field", "vz"], "--time SECONDS"),
        (["--field", "vz", "--time", 9], "a time from 0 s to 5 s"),
        (["--field", "vz", "--time", 1, "--above", -5], "degrees over the horizon"),
        (["--field", "vz", "--time", 1, "--exaggerate", 0], "a number above 0"),
        (["--field", "vz", "--time", 1, "--fault-field", "slip"], "--fault and --fault-field"),
        (["--field", "vzz", "--time", 1], "did you mean 'vz'"),
    ],
)
def test_what_cannot_be_drawn_is_refused(tmp_path, capsys, words, said):
    surface = write_surface(tmp_path / "surface.nc")
    assert plot(surface, *words, "--output", tmp_path / "x.png") == 2
    assert said in capsys.readouterr().err and not (tmp_path / "x.png").exists()
