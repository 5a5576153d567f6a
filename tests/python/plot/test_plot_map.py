"""Maps and panels: the right values in the right place under a true title, scale and arrows."""

import datetime
import itertools

import matplotlib.image
import netCDF4
import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.quiver import Barbs, Quiver, QuiverKey
from matplotlib.text import Text
from plot_files import squares, texts, write_map

from groundswell.plot import arrows, maps
from groundswell.plot.chart import LAND
from groundswell.plot.labels import crosses
from groundswell.plot.map_file import MapFile
from groundswell.plot.places import Places
from groundswell.plot.scale import CALM, colour_map, make_scale
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
    assert "Significant wave height" in said and "T+12   Thu 2024-09-05 12:00 UTC (20:00 UTC+8)" in said
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
    assert any("T+0 to T+18   2024-09-05 00:00 UTC to 2024-09-05 18:00 UTC" in t for t in texts(sheet.figure))


def test_picture_is_not_blank_land_is_grey_and_the_storm_is_brightest(sea, tmp_path):
    sheet, _ = maps.draw_map(sea, "hs", NOON)
    sheet.save(tmp_path / "hs.png")
    picture = matplotlib.image.imread(tmp_path / "hs.png")[..., :3]
    height, width = picture.shape[:2]
    at = lambda lon, lat: np.round(sheet.axes.transData.transform((lon, lat))).astype(int)  # noqa: E731
    x, y = at(115.45, 14.45)
    assert picture[height - y, x] == pytest.approx([0.8, 0.8, 0.8], abs=0.01)
    x, y = at(118.45, 17.45)
    storm = picture[height - y, x]
    x, y = at(111.45, 11.45)
    assert picture[height - y, x].sum() < 1.4 < storm.sum()
    assert picture.std() > 0.1 and width > 800


def test_waves_from_the_north_go_south():
    assert np.allclose(
        arrows.towards(np.array([0.0, 90.0, 225.0])), [[0, -1, np.sqrt(0.5)], [-1, 0, np.sqrt(0.5)]]
    )


def test_arrows_point_where_waves_and_wind_go_and_stay_at_sea(sea):
    sheet, _ = maps.draw_map(sea, "hs", NOON, waves=True, wind=True)
    (waves,) = (q for q in sheet.axes.collections if isinstance(q, Quiver))
    (wind,) = (q for q in sheet.axes.collections if isinstance(q, Barbs))
    assert np.allclose(waves.U, 0) and (waves.V < 0).all()
    assert np.allclose(wind.u * arrows.KNOT, 12) and np.allclose(wind.v * arrows.KNOT, -16)
    half = 0.5 * arrows.LONGEST * 12.0 / 20.0 - 0.07  # a cell counts as a circle of its area
    for x, y in ((waves.X, waves.Y), (wind.x, wind.y)):
        on_land = (x > 115 - half) & (x < 116 + half) & (y > 14) & (y < 15)
        assert len(x) > 150 and not on_land.any()


def test_arrows_of_waves_are_longer_where_waves_are_higher(sea):
    sheet, _ = maps.draw_map(sea, "hs", NOON, waves=True)
    (waves,) = (q for q in sheet.axes.collections if isinstance(q, Quiver))
    length = np.hypot(waves.U, waves.V)
    nearest = np.argmin(np.hypot(waves.X - 118.5, waves.Y - 17.5))
    assert length[nearest] == pytest.approx(1.0, abs=0.05) and length.min() < 0.45
    assert [key.text.get_text() for key in sheet.axes.findobj(QuiverKey)] == ["waves of 5 m"]


def test_arrows_stand_up_to_high_latitudes():
    """Where a cell spans many degrees of longitude."""
    shape = make_shape(*squares(west=-180.0, east=180.0, south=-85.0, north=85.0, step=5.0, land=()))
    grid = arrows.ArrowGrid(shape, 23)
    rows = np.unique(grid.lat, return_counts=True)
    assert rows[0].max() > 60 and (rows[1] == 23).all()


def test_coast_and_rim():
    shape = make_shape(*squares())
    assert len(shape.coast) == 4 and len(shape.rim) == 2 * (12 + 10)
    assert shape.coast.reshape(-1, 2).min(axis=0) == pytest.approx((115, 14))
    assert shape.aspect == pytest.approx(1 / np.cos(np.radians(15)))


def test_what_lies_outside_a_region_is_not_drawn():
    """A vector picture of a part would else hold the whole mesh."""
    everything, part = make_shape(*squares()), make_shape(*squares(), region=(114.5, 116.5, 13.5, 15.5))
    assert len(part.polygons) == len(part.cell) == 9 - 1, "three by three, one of them land"
    west, east, south, north = part.extent
    lon, lat = part.polygons[..., 0], part.polygons[..., 1]
    assert ((lon.max(axis=1) >= west) & (lon.min(axis=1) <= east)).all()
    assert ((lat.max(axis=1) >= south) & (lat.min(axis=1) <= north)).all()
    assert len(part.lon) == len(everything.lon) and len(part.coast) == 4 and len(part.rim) == 0


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
    figure, found = maps.draw_panels(sea, "hs", times, isolines=())
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
        "T+0   2024-09-05 00:00 UTC" in said
        and "T+12   2024-09-05 12:00 UTC" in said
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
    assert make_scale(0.3, 13.1, name="wind").ticks == list(range(15))
    assert make_scale(0.3, 23.0, name="wind").ticks == list(range(0, 25, 2))
    assert make_scale(6.2, 9.9, name="tp").limits[0] >= 6.0
    compass = make_scale(10, 350, bearing=True)
    assert compass.limits == (0.0, 360.0)
    bands = np.append(np.arange(16), 0)
    apart = [unlike(*pair) for pair in zip(compass.colours(bands), compass.colours(bands[1:]))]
    assert max(apart) < 2.0 * min(apart)  # the step over north is one like the others


def lab(colour):
    """CIELAB of red, green, blue in 0…1 (IEC 61966-2-1, CIE 15)."""
    rgb = np.array(to_rgb(colour) if isinstance(colour, str) else colour[:3], float)
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]) @ linear
    f = np.cbrt(xyz / (0.9505, 1.0, 1.089))
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def unlike(one, other):
    return np.linalg.norm(lab(one) - lab(other))


def test_no_bearing_looks_like_land_or_calm():
    compass = make_scale(10, 350, bearing=True)
    for colour in compass.colours(np.arange(16)):
        assert min(unlike(colour, LAND), unlike(colour, CALM)) > 30


@pytest.mark.parametrize("name", ["hs", "wind", "tp"])
def test_more_is_brighter(name):
    """So the calm sea does not draw the eye, and a print in grey can be read."""
    light = [lab(colour)[0] for colour in colour_map(name)(np.linspace(0, 1, 15))]
    assert np.diff(light).min() > 2 and light[0] < 40 and light[-1] > 80


def boxes(figure):
    """Bounding boxes in pixels of everything that is written on a figure, by the words."""
    FigureCanvasAgg(figure).draw()
    renderer = figure.canvas.get_renderer()
    keys = [key.text for key in figure.findobj(QuiverKey)]
    shown = [t for t in [*figure.findobj(Text), *keys] if t.get_text() and t.get_visible()]
    return [(t.get_text(), t.get_window_extent(renderer)) for t in shown]


@pytest.mark.parametrize("time", [None, NOON])
def test_words_hide_nothing(tmp_path, track, time):
    """Title and notes keep to the map's width, beside the colour bar; names and dates keep off each other and off the track."""
    path = write_map(tmp_path / "map.nc", title="A title that goes on " * 5)
    places = Places(
        ["Port", "Haven", "Far away"], np.array([116.2, 116.4, 50.0]), np.array([14.1, 14.2, 10.0])
    )
    sheet, found = maps.draw_map(
        MapFile(path),
        "hs",
        time,
        track=track,
        waves=time is not None,
        wind=time is not None,
        offset=8,
        places=places,
    )
    said = boxes(sheet.figure)
    frame = sheet.axes.get_window_extent()
    over = [box for text, box in said if box.y0 > frame.y1 and text not in ("8",)]
    assert len(over) == 3 and max(box.x1 for box in over) <= frame.x1 + 1
    for (one, a), (two, b) in itertools.combinations(said, 2):
        assert one == two or not a.overlaps(b), (one, two)
    assert found["places"] == ["Port", "Haven"]
    way = sheet.axes.transData.transform(np.stack([track.lon, track.lat], axis=-1))
    on_map = {text: box for text, box in said}
    for text in ("Port", "Haven", "5 Sep", "6 Sep"):
        if text in on_map:
            assert not crosses(on_map[text], way[0], way[1]), text


def test_the_highest_cell_stays_to_be_seen(sea, tmp_path):
    sheet, _ = maps.draw_map(sea, "hs")
    sheet.save(tmp_path / "hs.png")
    picture = matplotlib.image.imread(tmp_path / "hs.png")[..., :3]
    x, y = np.round(sheet.axes.transData.transform((118.5, 17.5))).astype(int)
    cell = picture[picture.shape[0] - y - 3 : picture.shape[0] - y + 3, x - 3 : x + 3]
    assert np.allclose(cell, sheet.cells.cmap(sheet.cells.norm(7.999))[:3], atol=0.02)
    rings = [line for line in sheet.axes.lines if line.get_marker() == "o"]
    assert rings and all(line.get_markerfacecolor() == "none" for line in rings)


def test_periods_and_bearings_where_there_are_no_waves_are_left_out(tmp_path):
    path = write_map(tmp_path / "map.nc")
    with netCDF4.Dataset(path, "a") as out:
        out["hs"][:, 0], out["tp"][:, 0] = 0.05, 19.0
    sheet, found = maps.draw_map(MapFile(path), "tp", NOON)
    assert found["max"] < 11 and "white: waves below 0.1 m" in texts(sheet.figure)
    assert maps.draw_map(MapFile(path, calm=0.0), "tp", NOON)[1]["max"] == 19.0
    assert maps.draw_map(MapFile(path), "hs", NOON)[1]["min"] == pytest.approx(0.05)


def test_hours_count_from_the_start_of_the_case(tmp_path):
    path = write_map(tmp_path / "map.nc")
    with netCDF4.Dataset(path, "a") as out:
        out.time_coverage_start = "2024-09-03T22:30:00Z"
    sheet, found = maps.draw_map(MapFile(path), "hs", NOON)
    assert found["lead_hours"] == 37.5 and any(t.startswith("T+37:30 ") for t in texts(sheet.figure))
