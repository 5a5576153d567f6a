"""`groundswell plot` as a user meets it: files, JSON, help, and refusals with exit code 2 and one message."""

import json
import os
import shlex

import matplotlib.image
import netCDF4
import numpy as np
import pytest
from plot_files import squares, write_map, write_points

from groundswell import mesh_cli, plot_cli
from groundswell.plot import mesh_map, options


@pytest.fixture
def sea(tmp_path):
    return write_map(tmp_path / "map.nc")


def plot(*arguments):
    return plot_cli.main([str(a) for a in arguments])


def refused(capsys, *arguments):
    """The one line of a refusal."""
    assert plot(*arguments) == 2
    said = capsys.readouterr().err.strip()
    assert said.startswith("groundswell: error: ") and "\n" not in said
    return said


def test_map_with_json(sea, tmp_path, capsys):
    assert (
        plot(
            "map",
            sea,
            "--field",
            "hs",
            "--time",
            "2024-09-05T12:00:00+00:00",
            "--output",
            tmp_path / "hs.png",
            "--json",
            tmp_path / "hs.json",
        )
        == 0
    )
    assert "hs.png" in capsys.readouterr().out
    made = json.loads((tmp_path / "hs.json").read_text())
    assert made["schema"] == 1 and made["command"] == "plot map"
    result = made["result"]
    assert (result["field"], result["unit"], result["time"]) == ("hs", "m", "2024-09-05T12:00:00Z")
    assert result["max"] == pytest.approx(8.0) and result["max_at"] == {
        "cell": result["max_at"]["cell"],
        "lon": 118.5,
        "lat": 17.5,
    }
    assert matplotlib.image.imread(tmp_path / "hs.png").std() > 0.1


@pytest.mark.parametrize("command", list(options.EXAMPLES))
def test_help_has_an_example(command, capsys):
    with pytest.raises(SystemExit) as ended:
        plot(command, "--help")
    said = capsys.readouterr().out
    assert ended.value.code == 0 and f"groundswell plot {command} " in said.split("example", 1)[1]


def test_examples_are_accepted():
    for text in options.EXAMPLES.values():
        for line in text.splitlines()[1:]:
            assert options.parser().parse_args(shlex.split(line)[2:])


@pytest.mark.parametrize(
    "region, frame",
    [("-85,-75,10,20", (-85, -75, 10, 20)), ("-80.5,-76,-.5,20", (-80.5, -76, -0.5, 20))],
)
def test_numbers_below_zero(tmp_path, region, frame):
    """West longitudes follow an option like other values, and so do limits."""
    west = write_map(tmp_path / "west.nc", grid=squares(west=-90.0, east=-70.0, south=-5.0, land=()))
    given = ("map", west, "--field", "hs", "--maximum", "--limits", "-5,10", "--utc-offset", "-4.5")
    written = tmp_path / "hs.json"
    assert plot(*given, "--region", region, "--output", tmp_path / "x.png", "--json", written, "--quiet") == 0
    drawn = json.loads(written.read_text())["result"]
    assert drawn["limits"] == [-5.0, 10.0] and drawn["region"] == list(frame)


def test_missing_file(tmp_path, capsys):
    said = refused(
        capsys, "map", tmp_path / "no.nc", "--field", "hs", "--maximum", "--output", tmp_path / "x.png"
    )
    assert "no.nc: expected a NetCDF file that can be read (No such file" in said


def test_a_map_that_is_cut_short(tmp_path, capsys):
    """The netCDF library would give zeros for its last records."""
    cut = write_map(tmp_path / "cut.nc")
    record = (os.path.getsize(cut) - os.path.getsize(write_map(tmp_path / "one.nc", records=1))) // 3
    os.truncate(cut, os.path.getsize(cut) - record)
    said = refused(capsys, "map", cut, "--field", "hs", "--maximum", "--output", tmp_path / "x.png")
    assert (
        "cut.nc: time = 2024-09-05T12:00:00Z and then 1970-01-01T00:00:00Z: expected times that increase"
        in said
    )


def test_another_kind_of_file(tmp_path, capsys):
    points = write_points(tmp_path / "points.nc")
    said = refused(capsys, "map", points, "--field", "hs", "--maximum", "--output", tmp_path / "x.png")
    assert "points.nc: mesh_face_nodes = (missing): expected a map" in said and "station_name" in said
    said = refused(
        capsys, "spectrum", points, "--station", 1, "--time", "2024-09-05", "--output", tmp_path / "x.png"
    )
    assert "points.nc: frequency = (missing): expected spectra at points" in said


def test_missing_field_gives_the_nearest(sea, tmp_path, capsys):
    said = refused(capsys, "map", sea, "--field", "hss", "--maximum", "--output", tmp_path / "x.png")
    assert "map.nc: --field = hss: expected one of hs, tp, dir, u10, v10, wind; did you mean 'hs'?" in said


def test_arrows_need_their_variables(tmp_path, capsys):
    still = write_map(tmp_path / "still.nc", without=("dir", "u10"))
    given = ("map", still, "--field", "hs", "--time", "2024-09-05", "--output", tmp_path / "x.png")
    assert "--waves = dir: expected one of hs, tp, v10" in refused(capsys, *given, "--waves")
    assert "--wind = u10: expected one of hs, tp, v10" in refused(capsys, *given, "--wind")


@pytest.mark.parametrize("time", ["2024-09-04T23:00:00Z", "2024-09-05T18:00:01Z"])
def test_time_outside_gives_the_period(sea, tmp_path, capsys, time):
    said = refused(capsys, "map", sea, "--field", "hs", "--time", time, "--output", tmp_path / "x.png")
    assert f"--time = {time}: expected a time from 2024-09-05T00:00:00Z to 2024-09-05T18:00:00Z" in said


@pytest.mark.parametrize(
    "given, expected",
    [
        (["--time", "yesterday"], "--time = yesterday: expected a time such as"),
        (["--maximum", "--region", "1,2,3"], "--region = 1,2,3: expected west,east,south,north"),
        (["--maximum", "--region", "0,5,0,5"], "--region = 0,5,0,5: expected a region with cells"),
        (["--maximum", "--limits", "9,1"], "--limits = 9,1: expected the lower before the higher"),
        (["--maximum", "--wind"], "--wind: expected --time"),
        (["--maximum", "--track", "none.csv"], "none.csv: expected a track"),
        ([], "one of the arguments --time --maximum is required"),
    ],
)
def test_refused_options(sea, tmp_path, capsys, given, expected):
    assert expected in refused(capsys, "map", sea, "--field", "hs", "--output", tmp_path / "x.png", *given)


def test_maximum_of_a_bearing_is_refused(sea, tmp_path, capsys):
    said = refused(capsys, "map", sea, "--field", "dir", "--maximum", "--output", tmp_path / "x.png")
    assert "a field that has a highest value; this one is a bearing" in said


def test_output_must_be_a_picture_in_a_folder(sea, tmp_path, capsys):
    assert "a name that ends in .png" in refused(
        capsys, "map", sea, "--field", "hs", "--maximum", "--output", tmp_path / "x.jpg"
    )
    assert "an existing folder" in refused(
        capsys, "map", sea, "--field", "hs", "--maximum", "--output", tmp_path / "no" / "x.png"
    )


def test_track_that_goes_back_in_time(sea, tmp_path, capsys):
    track = tmp_path / "back.csv"
    track.write_text("# remark\ntime,lat,lon\n2024-09-05T06:00:00Z,12,120\n2024-09-05T00:00:00Z,12,119\n")
    said = refused(
        capsys, "map", sea, "--field", "hs", "--maximum", "--track", track, "--output", tmp_path / "x.png"
    )
    assert "back.csv:4: time = 2024-09-05T00:00:00Z: expected a time after" in said


def test_unknown_station_names_the_known(tmp_path, capsys):
    points = write_points(tmp_path / "points.nc")
    said = refused(capsys, "series", points, "--stations", "sea", "--output", tmp_path / "x.png")
    assert "--station = sea: expected a number or a name of 1 (open sea), 2 (bay)" in said


def test_mesh_by_depth_spacing_and_parts(tmp_path, capsys):
    mesh = tmp_path / "flat.nc"
    assert (
        mesh_cli.main(
            [
                "make",
                "--depth",
                "100",
                "--region",
                "0,8,0,8",
                "--spacing",
                "80",
                "--iterations",
                "4",
                "--output",
                str(mesh),
                "--quiet",
            ]
        )
        == 0
    )
    with netCDF4.Dataset(mesh) as made:
        lon = np.degrees(made["lonCell"][:])
    with netCDF4.Dataset(tmp_path / "parts.nc", "w") as out:
        out.createDimension("nCells", len(lon))
        out.createVariable("part", "i4", ("nCells",))[:] = np.where(lon < 1, -1, np.where(lon < 4, 0, 1))
    assert plot("mesh", mesh, "--output", tmp_path / "depth.png", "--quiet") == 0
    assert (
        plot(
            "mesh",
            mesh,
            "--spacing",
            "--output",
            tmp_path / "spacing.png",
            "--json",
            tmp_path / "s.json",
            "--quiet",
        )
        == 0
    )
    assert 50 < json.loads((tmp_path / "s.json").read_text())["result"]["min"] < 100
    sheet, found = mesh_map.draw_mesh(mesh, "parts", tmp_path / "parts.nc")
    assert found["part_cells"] == [int(((lon >= 1) & (lon < 4)).sum()), int((lon >= 4).sum())]
    drawn = sheet.cells.get_array()
    assert drawn.mask.sum() == (lon < 1).sum() and set(drawn.compressed()) == {0.0, 1.0}
    with netCDF4.Dataset(tmp_path / "short.nc", "w") as out:
        out.createDimension("nCells", 3)
        out.createVariable("part", "i4", ("nCells",))[:] = 0
    said = refused(capsys, "mesh", mesh, "--parts", tmp_path / "short.nc", "--output", tmp_path / "x.png")
    assert (
        f"short.nc: part = of shape (3,): expected one number for each of the mesh's {len(lon)} cells" in said
    )


@pytest.mark.parametrize(("kind", "begins"), [("svg", b"<?xml"), ("pdf", b"%PDF")])
def test_vector_formats(sea, tmp_path, kind, begins):
    """Letters and lines at any size, for print."""
    picture = tmp_path / f"hs.{kind}"
    assert plot("map", sea, "--field", "hs", "--maximum", "--output", picture, "--quiet") == 0
    written = picture.read_bytes()
    assert written.startswith(begins) and b"<image" not in written and b"/Subtype /Image" not in written


def test_places_of_a_table_and_of_points(sea, tmp_path, capsys):
    table = tmp_path / "places.csv"
    table.write_text("# cities\nlat, name, lon, people\n12.0,Port,113.0,7\n60.0,Far away,10.0,1\n")
    given = ("map", sea, "--field", "hs", "--maximum", "--json", tmp_path / "x.json")
    for places, names in ((table, ["Port"]), (write_points(tmp_path / "points.nc"), ["open sea"])):
        assert plot(*given, "--places", places, "--output", tmp_path / "x.png", "--quiet") == 0
        assert json.loads((tmp_path / "x.json").read_text())["result"]["places"] == names
    for text, expected in (
        ("name,lat\n", "places.csv: lon = (missing): expected a table with columns name, lat, lon"),
        ("name,lat,lon\nPort,95,1\n", "places.csv:2: lat = 95: expected degrees"),
        ("name,lat,lon\nPort\n", "places.csv:2: lon = (missing): expected degrees"),
        ("", "places.csv: name = (missing)"),
    ):
        table.write_text(text)
        assert expected in refused(capsys, *given, "--places", table, "--output", tmp_path / "x.png")
