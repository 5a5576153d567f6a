"""The moving surface of an earthquake: where its extremes lie, what pixels show, coast, scales, refusals."""

import json

import matplotlib.image
import numpy as np
import pytest
from PIL import Image
from plot_files import texts
from quake_files import write_receivers
from surface_files import ORIGIN, SPEED, TIMES, ring, triangles, write_surface

from groundswell import plot_cli
from groundswell.plot.quake import colours, sheet, surface_map
from groundswell.plot.quake.raster import Raster
from groundswell.plot.quake.surface_file import SurfaceFile


def degrees(nodes):
    return 121.5 + nodes[:, 0] / 1e5, 24.0 + nodes[:, 1] / 1.1e5


@pytest.fixture
def surface(tmp_path):
    return write_surface(tmp_path / "surface.nc")


def plot(*arguments):
    return plot_cli.main([str(a) for a in arguments])


def refused(capsys, *arguments):
    assert plot(*arguments) == 2
    said = capsys.readouterr().err.strip()
    assert said.startswith("groundswell: error: ") and "\n" not in said
    return said


def test_the_front_is_where_the_wave_is(surface, tmp_path):
    """The ring has run 3 km/s times the time; its strongest triangles are half a wave before or behind that."""
    numbers = tmp_path / "vz.json"
    given = ("--field", "vz", "--output", tmp_path / "vz.png", "--json", numbers, "--quiet")
    assert plot("map", surface, "--time", "2.02s", *given) == 0
    found = json.loads(numbers.read_text())["result"]
    at = found["extreme_at"]
    assert found["time"] == 2.0 and found["unit"] == "m s-1"
    assert np.hypot(at["x"] - ORIGIN[0], at["y"] - ORIGIN[1]) == pytest.approx(2.0 * SPEED, abs=1100.0)
    nodes, corners = triangles()
    values = ring(nodes[corners].mean(axis=1), 2.0)
    assert found["extreme"] == pytest.approx(values[np.argmax(np.abs(values))], rel=1e-6)
    assert found["extreme_at"]["face"] == np.argmax(np.abs(values)) + 1
    assert matplotlib.image.imread(tmp_path / "vz.png").std() > 0.05


def test_the_highest_of_all_times_keeps_sign_time_and_place(surface):
    file = SurfaceFile(surface)
    highest, when = file.highest("vz")
    every = np.stack(list(file.each("vz", range(len(TIMES)))))
    assert np.array_equal(np.abs(highest), np.abs(every).max(axis=0))
    assert np.array_equal(highest, np.take_along_axis(every, when[None], axis=0)[0])
    page, found = surface_map.draw_map(file, "vz")
    assert found["extreme_time"] == TIMES[when[np.argmax(np.abs(highest))]]
    speed, _ = file.highest("speed")
    assert np.allclose(speed, np.abs(highest) * np.sqrt(1.25), rtol=1e-5)


def test_pixels_show_the_triangle_that_they_lie_in():
    """In a field that is linear, and so the mean of its neighbours away from the rim, each pixel shows its own place."""
    nodes, corners = triangles(500.0)
    plane = nodes / 1000.0
    raster = Raster(plane, corners, (-10.0, 10.0, -10.0, 10.0), (200, 200))
    assert raster.inside.all()
    x, y = np.moveaxis(raster.centres(), -1, 0)
    linear = lambda p: 3.0 * p[..., 0] - 2.0 * p[..., 1]  # noqa: E731
    wrong = np.abs(raster.nodes(linear(plane)) - linear(np.stack([x, y], -1)))
    assert np.mean(wrong < 1e-6) > 0.999 and wrong.max() < 0.1  # on a side of two triangles either is right
    shown = raster.faces(linear(plane[corners].mean(axis=1)))
    assert (
        np.abs(shown - linear(np.stack([x, y], -1)))[20:-20, 20:-20].max() < 0.9
    )  # half of what a triangle spans
    assert x[0, 0] < x[0, -1] and y[0, 0] > y[-1, 0]  # north is up


def test_triangles_with_nodes_of_their_own_look_the_same(surface, tmp_path):
    split = SurfaceFile(surface)
    whole = SurfaceFile(write_surface(tmp_path / "whole.nc", split=False))
    assert len(split.mesh.nodes) == 3 * len(split.mesh.corners) > len(whole.mesh.nodes)
    values = whole.read("vz", 4)
    pictures = []
    for file in (whole, split):
        ground, _ = sheet.ground_of(file.mesh, dpi=40)
        assert ground.has_coast
        pictures.append(ground.raster.faces(values))
    assert np.allclose(*pictures, rtol=1e-4, atol=1e-9, equal_nan=True)


def test_the_coast_is_where_the_ground_meets_the_sea(surface, tmp_path):
    ground, _ = sheet.ground_of(SurfaceFile(surface).mesh)
    page = sheet.Sheet(ground, (6.0, 6.0))
    lines = sheet.add_coast(page.axes, ground).get_paths()[0].vertices
    assert np.abs(lines[:, 0]).max() < 0.05 and np.ptp(lines[:, 1]) > 19.5  # x = 0, from north to south, km
    # Sea is bluer than land.
    west, east = ground.relief[:, :100].mean(axis=(0, 1)), ground.relief[:, -100:].mean(axis=(0, 1))
    assert west[2] > west[0] and east[0] > east[2]
    dry = SurfaceFile(write_surface(tmp_path / "dry.nc", z=lambda nodes: 10.0 + 0 * nodes[:, 0]))
    ground, _ = sheet.ground_of(dry.mesh)
    assert not ground.has_coast and not ground.light.any()


def test_slopes_to_the_north_west_are_bright():
    """Light comes from there: a hill has its bright side towards it."""
    x, y = np.meshgrid(np.linspace(-1, 1, 81), np.linspace(1, -1, 81))
    hill = 1000.0 * np.exp(-4 * (x**2 + y**2))
    _, light = colours.relief(hill, 50.0)
    assert light[30, 30] > 0.3 and light[50, 50] < -0.3 and abs(light[30, 50]) < 0.05


def test_still_ground_shows_relief_and_moving_ground_covers_it(surface):
    file = SurfaceFile(surface)
    ground, _ = sheet.ground_of(file.mesh, dpi=40)
    scale = surface_map.scale_of(file, "vz", np.array([0.01, -0.02]))
    still = sheet.painted(ground, scale, np.zeros(len(file.mesh.corners)))[..., :3]
    assert np.allclose(still, ground.relief)
    up, down = (
        sheet.painted(ground, scale, np.full(len(file.mesh.corners), value))[..., :3].mean(axis=(0, 1))
        for value in (0.02, -0.02)
    )
    assert up[0] > 2 * up[2] and down[2] > 2 * down[0]  # red up, blue down


def test_scales():
    assert surface_map.scale_of  # of velocity: both sides the same
    scale = colours.of_motion(np.array([0.004, -0.011]))
    assert (scale.norm.vmin, scale.norm.vmax, scale.unit) == (
        -1.5,
        1.5,
        "cm s-1",
    ) and scale.extend == "neither"
    assert colours.of_motion(np.array([0.5, -0.9]), (-0.1, 0.1)).extend == "both"
    scale = colours.of_motion(np.array([2.5, 0.1]), signed=False)
    assert (scale.norm.vmin, scale.norm.vmax, scale.unit) == (0.0, 3.0, "m s-1")
    assert colours.of_motion(np.array([0.05, 0.02]), unit="m").unit == "cm"
    assert colours.of_motion(np.array([4e5, -1e5]), unit="Pa").unit == "Pa"
    values = np.array([0.0, 1e-5, 0.003, 0.02, 0.38])
    scale = colours.of_peaks(values, "m s-1")
    assert scale.unit == "cm s-1" and scale.ticks[-1] == 50 and scale.extend == "min"
    assert all(np.isclose(np.log10(t) % 1, [0, 0.30103, 0.69897], atol=1e-5).any() for t in scale.ticks)
    scale = colours.of_peaks(np.array([0.2, 9.80665]), "m s-2")
    assert scale.unit == "% g" and scale.ticks[-1] == 100.0 and scale.ticks[0] == 2.0
    red, green, blue = colours.of_intensity().colours(colours.of_intensity().norm([6.2]))[0][:3]
    assert (red, green, blue) == (1.0, 1.0, 0.0)  # VI is yellow, as on the maps of the survey


def test_peaks_and_intensity_maps(tmp_path):
    file = write_surface(tmp_path / "surface.nc", degrees=degrees)
    receivers = write_receivers(
        tmp_path / "receivers.nc", TIMES, [(-8000.0, 8000.0, 0.0)], np.zeros((1, 3, len(TIMES))), ["harbour"]
    )
    for field, word in (("pgv", "cm s⁻¹"), ("pga", "% g"), ("pgd", "cm"), ("intensity", "MMI")):
        numbers, picture = tmp_path / f"{field}.json", tmp_path / f"{field}.png"
        given = ("map", file, "--field", field, "--epicentre", "121.52E,23.9727N", "--places", receivers)
        assert plot(*given, "--output", picture, "--json", numbers, "--quiet") == 0
        found = json.loads(numbers.read_text())["result"]
        at = found["extreme_at"]
        assert np.hypot(at["x"] - ORIGIN[0], at["y"] - ORIGIN[1]) < 700.0  # all are strongest over the source
        assert abs(at["lon"] - 121.52) < 0.007 and abs(at["lat"] - 23.9727) < 0.007
        assert found["places"] == ["harbour"]
        page, _ = surface_map.draw_map(SurfaceFile(file), field)
        said = " ".join(texts(page.figure))
        assert f"{word} at 23.9" in said and "121.5" in said and "121.4°E" in said


def test_peaks_are_those_of_the_last_record_or_of_the_time_asked_for(tmp_path):
    nodes, corners = triangles()
    growing = np.linspace(0.0, 1.0, len(TIMES))[:, None] * np.linspace(0.1, 0.2, len(corners))
    file = write_surface(tmp_path / "s.nc", moving={"pgv": growing})
    for field, time, highest in (
        ("pgv", (), 0.2),
        ("pgv", ("--time", 2.5), 0.1),
        ("intensity", (), 2.89 + 3.16 * np.log10(20.0)),
    ):
        given = (
            "--field",
            field,
            *time,
            "--output",
            tmp_path / "x.png",
            "--json",
            tmp_path / "x.json",
            "--quiet",
        )
        assert plot("map", file, *given) == 0
        found = json.loads((tmp_path / "x.json").read_text())["result"]
        assert found["extreme"] == pytest.approx(highest) and found["time"] == (2.5 if time else TIMES[-1])


def test_fields_without_time_are_of_the_whole_run(tmp_path, capsys):
    still = np.linspace(0.01, 0.2, len(triangles()[1]))
    file = write_surface(tmp_path / "s.nc", still={"pga": still}, moving={"vz": 0 * still[None]})
    given = ("--field", "pga", "--output", tmp_path / "x.png", "--json", tmp_path / "x.json", "--quiet")
    assert plot("map", file, *given) == 0
    found = json.loads((tmp_path / "x.json").read_text())["result"]
    assert found["extreme"] == pytest.approx(0.2) and found["unit"] == "m s-2"
    said = refused(capsys, "map", file, "--field", "pga", "--time", 2, "--output", tmp_path / "x.png")
    assert "--time = 2: expected no time: pga is of the whole run" in said
    said = refused(capsys, "animation", file, "--field", "pga", "--output", tmp_path / "x.gif")
    assert "expected a field with times" in said


def test_epicentres_in_metres_and_degrees_are_one_place(tmp_path):
    file = SurfaceFile(write_surface(tmp_path / "surface.nc", degrees=degrees))
    assert file.mesh.on_map((2000.0, -3000.0)) == pytest.approx((121.52, 24.0 - 3 / 110), abs=1e-6)
    from groundswell.plot.quake.surface_command import parse_epicentre

    for text in ("121.52E,23.5N", "23.5N, 121.52 E", "121.52°E,23.5°N"):
        assert parse_epicentre(text, file) == pytest.approx((121.52, 23.5))
    assert parse_epicentre("238.48W,10S", file) == pytest.approx((121.52, -10.0))


def test_panels_share_a_scale(surface, tmp_path):
    given = (
        "--field",
        "vz",
        "--times",
        1,
        2,
        "3s",
        4,
        "--output",
        tmp_path / "p.png",
        "--json",
        tmp_path / "p.json",
    )
    assert plot("panels", surface, *given, "--quiet") == 0
    found = json.loads((tmp_path / "p.json").read_text())["result"]
    assert [panel["time"] for panel in found["panels"]] == [1.0, 2.0, 3.0, 4.0]
    assert found["limits"][0] == -found["limits"][1] < 0
    figure, _ = surface_map.draw_panels(SurfaceFile(surface), "vz", [1.0, 2.0])
    assert {"1 s", "2 s", "Upward velocity", "Test rock"} <= set(texts(figure))


def test_the_animation_moves(surface, tmp_path):
    gif = tmp_path / "surface.gif"
    given = ("--field", "vz", "--every", 2, "--epicentre", "2000,-3000", "--json", tmp_path / "g.json")
    assert plot("animation", surface, *given, "--output", gif, "--quiet") == 0
    found = json.loads((tmp_path / "g.json").read_text())["result"]
    assert found["frames"] == 6 and (found["first"], found["last"]) == (0.0, 5.0)
    with Image.open(gif) as film:
        assert film.n_frames == 6
        frames = []
        for number in range(6):
            film.seek(number)
            frames.append(np.asarray(film.convert("RGB")).astype(int))
    # Strong colours lie the farther from the star the later.
    reach = []
    ys, xs = np.mgrid[: frames[0].shape[0], : frames[0].shape[1]]
    for image in frames[1:4]:
        changed = np.abs(image - frames[0]).sum(axis=-1) > 60
        changed[:140] = False  # the titles
        reach.append(
            np.percentile(np.hypot(xs[changed] - xs[changed].mean(), ys[changed] - ys[changed].mean()), 90)
        )
    assert reach[0] < reach[1] < reach[2]


def test_regions_are_cut_out(surface, tmp_path):
    given = (
        "map",
        surface,
        "--field",
        "vz",
        "--time",
        2,
        "--region",
        "-10,-4,-10,10",
        "--output",
        tmp_path / "r.png",
    )
    assert plot(*given, "--json", tmp_path / "r.json", "--quiet") == 0
    found = json.loads((tmp_path / "r.json").read_text())["result"]
    assert found["region"] == [-10.0, -4.0, -10.0, 10.0] and found["extreme_at"]["x"] < -3999.0


def test_refusals(surface, tmp_path, capsys):
    out = ("--output", tmp_path / "x.png")
    receivers = write_receivers(tmp_path / "r.nc", TIMES, [(0, 0, 0)], np.zeros((1, 3, len(TIMES))))
    said = refused(capsys, "map", receivers, "--field", "vz", "--maximum", *out)
    assert "r.nc: mesh_face_nodes = (missing): expected a map" in said
    said = refused(capsys, "map", surface, "--field", "vy2", "--maximum", *out)
    assert "--field = vy2: expected one of vx, vy, vz" in said and "did you mean 'vy'" in said
    assert "--time = 7 s: expected a time from 0 s to 5 s" in refused(
        capsys, "map", surface, "--field", "vz", "--time", 7, *out
    )
    said = refused(capsys, "map", surface, "--field", "vz", "--time", "2024-09-05T12:00:00Z", *out)
    assert "expected seconds since the start of the run" in said
    assert "expected --time SECONDS or --maximum" in refused(capsys, "map", surface, "--field", "vz", *out)
    said = refused(capsys, "map", surface, "--field", "vz", "--time", 2, "--waves", *out)
    assert "--waves: expected a map of the sea" in said
    said = refused(capsys, "map", surface, "--field", "pgv", "--epicentre", "121E,24N", *out)
    assert "--epicentre = 121E,24N: expected x,y in m: the file has no longitudes" in said
    for text in ("1", "121E,122E", "a,b"):
        broken = write_surface(tmp_path / "d.nc", degrees=degrees)
        assert f"--epicentre = {text}: expected" in refused(
            capsys, "map", broken, "--field", "pgv", "--epicentre", text, *out
        )
    assert "--region = 30,40,0,1: expected a part of the surface" in refused(
        capsys, "map", surface, "--field", "pgv", "--region", "30,40,0,1", *out
    )


def test_files_without_records_or_with_other_faces(tmp_path, capsys):
    out = ("--output", tmp_path / "x.gif")
    empty = write_surface(tmp_path / "empty.nc", times=np.empty(0))
    assert "time = (no record): expected at least one record" in refused(
        capsys, "animation", empty, "--field", "vz", *out
    )
    back = write_surface(tmp_path / "back.nc", times=np.array([0.0, 1.0, 0.5]))
    said = refused(capsys, "animation", back, "--field", "vz", *out)
    assert "time = 1 and then 0.5: expected times that increase" in said
