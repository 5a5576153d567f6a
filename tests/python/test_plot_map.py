"""Maps and panels: the right values in the right place under a true title, scale and arrows."""

import datetime

import matplotlib.image
import numpy as np
import pytest
from matplotlib.quiver import Quiver
from plot_files import squares, texts, write_map

from groundswell.plot import arrows, maps
from groundswell.plot.map_file import MapFile
from groundswell.plot.scale import make_scale
from groundswell.plot.shape import boundary_edges, make_shape
from groundswell.plot.source import parse_time
from groundswell.plot.track import read_track

NOON = parse_time("2024-09-05T12:00:00Z")


@pytest.fixture
def sea(tmp_path):
    return MapFile(write_map(tmp_path / "map.nc"))


@pytest.fixture
def track(tmp_path):
    path = tmp_path / "track.csv"
    path.write_text(
        "# a storm\ntime,lat,lon,vmax_kt\n2024-09-05T00:00:00Z,12,120,50\n2024-09-06T00:00:00Z,16,112,60\n"
    )
    return read_track(path)


def shown(collection):
    """Cell values of a drawn collection by the middle of their polygons."""
    middles = [(path.vertices.min(axis=0) + path.vertices.max(axis=0)) / 2 for path in collection.get_paths()]
    return np.array(middles), np.asarray(collection.get_array())


def test_title_unit_limits_and_time(sea):
    sheet, found = maps.draw_map(sea, "hs", NOON, offset=8)
    said = texts(sheet.figure)
    assert "Test sea" in said
    assert "Significant wave height, 2024-09-05 12:00 UTC (20:00 UTC+8)" in said
    assert "significant wave height, m" in said
    assert found["limits"] == [0.0, 8.0] and sheet.cells.norm.boundaries[[0, -1]].tolist() == [0.0, 8.0]
    assert (
        found["time"] == "2024-09-05T12:00:00Z" and found["max"] == pytest.approx(8.0) and found["min"] >= 1.0
    )


def test_limits_are_kept_and_what_lies_beyond_is_marked(sea):
    sheet, found = maps.draw_map(sea, "hs", NOON, limits=(2.0, 5.0))
    assert found["limits"] == [2.0, 5.0] and sheet.cells.norm.extend == "both"


def test_highest_value_is_drawn_where_it_is(sea):
    sheet, found = maps.draw_map(sea, "hs", NOON)
    assert (found["max_at"]["lon"], found["max_at"]["lat"]) == (118.5, 17.5)
    middles, values = shown(sheet.cells)
    assert middles[np.argmax(values)] == pytest.approx((118.5, 17.5))
    assert len(values) == 12 * 10 - 1


def test_maximum_is_over_all_records_and_says_when(sea):
    sheet, found = maps.draw_map(sea, "hs")
    assert found["max"] == pytest.approx(8.0) and found["max_time"] == "2024-09-05T12:00:00Z"
    assert any("highest of 2024-09-05 00:00 UTC to 2024-09-05 18:00 UTC" in t for t in texts(sheet.figure))


def test_picture_is_not_blank_and_land_is_grey(sea, tmp_path):
    sheet, _ = maps.draw_map(sea, "hs", NOON)
    sheet.save(tmp_path / "hs.png")
    picture = matplotlib.image.imread(tmp_path / "hs.png")[..., :3]
    height, width = picture.shape[:2]
    at = lambda lon, lat: np.round(sheet.axes.transData.transform((lon, lat))).astype(int)  # noqa: E731
    x, y = at(115.45, 14.45)
    assert picture[height - y, x] == pytest.approx([0.8, 0.8, 0.8], abs=0.01)
    x, y = at(118.45, 17.45)
    dark = picture[height - y, x]
    x, y = at(111.45, 11.45)
    assert dark.sum() < 1.0 < picture[height - y, x].sum()
    assert picture.std() > 0.1 and width > 800


def test_waves_from_the_north_go_south():
    assert np.allclose(
        arrows.towards(np.array([0.0, 90.0, 225.0])), [[0, -1, np.sqrt(0.5)], [-1, 0, np.sqrt(0.5)]]
    )


def test_arrows_point_where_waves_and_wind_go_and_stay_at_sea(sea):
    sheet, _ = maps.draw_map(sea, "hs", NOON, waves=True, wind=True)
    waves, wind = (q for q in sheet.axes.collections if isinstance(q, Quiver))
    assert np.allclose(waves.U, 0) and np.allclose(waves.V, -1)
    assert np.allclose(wind.U, 12) and np.allclose(wind.V, -16)
    on_land = (waves.X > 115.2) & (waves.X < 115.8) & (waves.Y > 14.2) & (waves.Y < 14.8)
    assert len(waves.X) > 300 and not on_land.any()


def test_coast_and_rim():
    shape = make_shape(*squares())
    assert len(shape.coast) == 4 and len(shape.rim) == 2 * (12 + 10)
    assert shape.coast.reshape(-1, 2).min(axis=0) == pytest.approx((115, 14))
    assert shape.aspect == pytest.approx(1 / np.cos(np.radians(15)))


def test_boundary_edges_belong_to_one_cell():
    # two squares side by side share the edge 1-2
    nodes, cells = boundary_edges(np.array([[0, 1, 2, 3, -1], [1, 4, 5, 2, -1]]))
    assert {frozenset(e) for e in nodes.tolist()} == {
        frozenset(e) for e in ((0, 1), (2, 3), (0, 3), (1, 4), (4, 5), (2, 5))
    }
    assert sorted(cells.tolist()) == [0, 0, 0, 1, 1, 1]


def test_a_region_over_the_date_line_is_one_map():
    shape = make_shape(*squares(west=172.0, east=186.0))
    assert shape.extent[1] - shape.extent[0] == pytest.approx(14.0) and len(shape.cell) == len(shape.lon)
    assert np.ptp(shape.polygons[..., 0], axis=1).max() == pytest.approx(1.0)


@pytest.mark.parametrize("west", [-176.0, -184.0])
def test_a_cell_over_the_edge_of_a_world_map_is_on_both_sides(west):
    shape = make_shape(*squares(west=west, east=west + 360.0, south=-70.0, north=70.0, step=10.0, land=()))
    assert shape.extent[:2] == (-180.0, 180.0)
    twice = np.flatnonzero(np.bincount(shape.cell) == 2)
    assert len(twice) == 14 and np.allclose(np.abs(shape.lon[twice]), 179.0)
    assert np.ptp(shape.polygons[..., 0], axis=1).max() == pytest.approx(10.0)


def test_a_cell_over_the_pole_covers_the_top_of_the_map():
    around = np.arange(-180.0, 180.0, 60.0)
    corners = np.arange(6)[None, :]
    shape = make_shape(
        around, np.full(6, 85.0), corners, np.array([0.0]), np.array([90.0]), (-180.0, 180.0, 60.0, 90.0)
    )
    low, high = shape.polygons[0].min(axis=0), shape.polygons[0].max(axis=0)
    assert low.tolist() == [-180.0, 85.0] and high.tolist() == [180.0, 90.0]


def test_region_frames_map_and_extremes(tmp_path):
    sea = MapFile(write_map(tmp_path / "map.nc"), (110.0, 114.0, 10.0, 14.0))
    sheet, found = maps.draw_map(sea, "hs", NOON)
    assert sheet.axes.get_xlim() == (110.0, 114.0) and sheet.axes.get_ylim() == (10.0, 14.0)
    assert found["max"] < 2.0 and (found["max_at"]["lon"], found["max_at"]["lat"]) == (113.5, 13.5)


def test_storm_is_between_its_fixes(sea, track):
    assert track.at(NOON) == pytest.approx((116.0, 14.0))
    assert track.at(NOON + datetime.timedelta(days=2)) is None
    sheet, _ = maps.draw_map(sea, "hs", NOON, track=track)
    assert any(line.get_xydata().tolist() == [[116.0, 14.0]] for line in sheet.axes.lines)
    lon, lat = track.until(NOON)
    assert lon.tolist() == [120.0, 116.0] and lat.tolist() == [12.0, 14.0]


def test_wind_speed_is_a_field(sea):
    sheet, found = maps.draw_map(sea, "wind", NOON)
    assert "wind speed at 10 m, m s⁻¹" in texts(sheet.figure)
    assert found["max"] == pytest.approx(20.0) and found["unit"] == "m s-1"


def test_panels_share_one_scale(sea):
    times = [parse_time(f"2024-09-05T{hour:02d}:00Z") for hour in (0, 12)]
    figure, found = maps.draw_panels(sea, "hs", times)
    assert [panel["max"] for panel in found["panels"]] == pytest.approx([4.0, 8.0])
    norms = {
        id(c.norm)
        for axes in figure.axes
        for c in axes.collections
        if c.get_array() is not None and len(axes.collections) > 1
    }
    assert len(norms) == 1 and found["limits"] == [0.0, 8.0]
    said = texts(figure)
    assert (
        "2024-09-05 00:00 UTC" in said
        and "2024-09-05 12:00 UTC" in said
        and "significant wave height, m" in said
    )
    assert maps.draw_panels(sea, "tp", times)[1]["limits"] == [6.5, 10.0]


def test_daily_panels_are_at_one_local_hour(tmp_path):
    sea = MapFile(write_map(tmp_path / "map.nc", records=13, start=datetime.datetime(2024, 9, 2, 18)))
    assert [t.isoformat() for t in maps.daily_times(sea, 8)] == [
        f"2024-09-0{d}T00:00:00+00:00" for d in (3, 4, 5)
    ]
    assert [t.isoformat() for t in maps.daily_times(sea, 8, 2)] == [
        f"2024-09-0{d}T18:00:00+00:00" for d in (2, 3, 4, 5)
    ]


def test_scales_have_round_bands_and_bearings_close_the_circle():
    assert make_scale(0.3, 13.1, name="hs").ticks == list(range(15))
    assert make_scale(0.3, 23.0, name="hs").ticks == list(range(0, 25, 2))
    assert make_scale(6.2, 9.9, name="tp").limits[0] >= 6.0
    compass = make_scale(10, 350, bearing=True)
    assert compass.limits == (0.0, 360.0)
    assert np.allclose(compass.colours(compass.norm(1.0)), compass.colours(compass.norm(359.0)), atol=0.03)
