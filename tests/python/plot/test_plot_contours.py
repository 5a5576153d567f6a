"""Isolines run where the field has their value, smooth bands with them, neither across land; a map says where it comes from."""

import datetime

import netCDF4
import numpy as np
import pytest
from matplotlib.tri import TriContourSet
from plot_files import squares, texts, write_map

from groundswell import plot_cli
from groundswell.errors import Refusal
from groundswell.plot import contours, maps
from groundswell.plot.map_file import MapFile

NOON = datetime.datetime(
    2024, 9, 5, 12, tzinfo=datetime.timezone.utc
)  # the hill: 1 + 7 exp(−r²/8) m around 118.5°E 17.5°N


@pytest.fixture
def sea(tmp_path):
    return MapFile(write_map(tmp_path / "map.nc", grid=squares(step=0.5, land=((115.25, 14.25),))))


def sets(sheet):
    return [one for one in sheet.axes.collections if isinstance(one, TriContourSet)]


def test_lines_run_where_the_waves_have_that_height(sea):
    sheet, found = maps.draw_map(sea, "hs", NOON)
    assert found["isolines"] == [4.0, 6.0]  # nothing reaches 9 m
    (lines,) = sets(sheet)
    assert list(lines.levels) == [4.0, 6.0]
    for level, parts in zip(lines.levels, lines.allsegs):
        ring = max(parts, key=len)
        reach = np.sqrt(8 * np.log(7 / (level - 1)))
        inside = ring[ring[:, 1] < 19.5]
        assert np.hypot(*(inside - (118.5, 17.5)).T) == pytest.approx(reach, abs=0.06)
    assert any("lines: 4, 6 m" in said for said in texts(sheet.figure))


def test_smooth_bands_end_on_the_same_places(sea):
    sheet, _ = maps.draw_map(sea, "hs", NOON, isolines=(), smooth=True)
    (bands,) = sets(sheet)
    assert list(bands.levels) == list(sheet.cells.norm.boundaries)
    first = maps.draw_map(sea, "hs", NOON, isolines=())[0]
    assert not sets(first)


def test_nothing_is_drawn_across_land(sea):
    mesh = contours.triangles(sea.shape)
    shown = mesh.get_trifinder()
    assert shown(115.25, 14.25) == -1 and shown(117.1, 13.1) >= 0
    assert shown(110.1, 10.1) == -1  # beyond the centres


def test_a_map_says_which_program_made_it_when_and_of_what_wind(tmp_path):
    path = write_map(tmp_path / "map.nc")
    with netCDF4.Dataset(path, "a") as file:
        file.groundswell_build = "Groundswell 0.1.0 (git 83ef646a01c2); GNU 12.2.0"
        file.date_created = "2024-09-05T03:12:30Z"
        file.groundswell_case = '[[wind]]\nuniform = [1.0, 2.0]\n[[wind]]\nvortex = "a.csv"\n'
    said = texts(maps.draw_map(MapFile(path), "hs", NOON)[0].figure)
    assert "Groundswell 0.1.0, issued 2024-09-05 03:12 UTC" in said
    said = texts(maps.draw_map(MapFile(path), "hs", NOON, wind=True)[0].figure)
    assert "Groundswell 0.1.0, issued 2024-09-05 03:12 UTC;  wind: uniform and parametric storm" in said


def test_bearings_have_no_lines_and_values_are_numbers(sea, tmp_path, capsys):
    assert maps.draw_map(sea, "dir", NOON)[1]["isolines"] == []
    with pytest.raises(Refusal, match="a field that is no bearing"):
        maps.draw_map(sea, "dir", NOON, smooth=True)
    picture = ["--time", "2024-09-05T12:00:00Z", "--output", str(tmp_path / "m.png")]
    assert plot_cli.main(["map", str(sea.path), "--field", "hs", "--isolines", "4,x", *picture]) == 2
    assert "--isolines = 4,x: expected values, such as 4,6,9, or none" in capsys.readouterr().err
    assert (
        plot_cli.main(["map", str(sea.path), "--field", "hs", "--isolines", "none", "--smooth", *picture])
        == 0
    )
