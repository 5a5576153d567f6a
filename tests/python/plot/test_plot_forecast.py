"""What a forecaster looks for: bands that are narrow where most of the sea is, the middle of a storm that can be read, the highest
of all times beside the days, the wind beside a spectrum."""

import netCDF4
import numpy as np
import pytest
from matplotlib.quiver import Barbs, Quiver
from plot_files import texts, write_map, write_points

from groundswell.plot import arrows, contours, maps
from groundswell.plot.map_file import MapFile
from groundswell.plot.scale import make_scale
from groundswell.plot.source import parse_time
from groundswell.plot.spectrum import WIND_SEA, draw_spectrum, slowest_swell
from groundswell.plot.stations import SpectrumFile, Wind
from groundswell.plot.track import Track


@pytest.fixture
def sea(tmp_path):
    return MapFile(write_map(tmp_path / "map.nc"))


def test_a_storm_leaves_the_rest_of_the_sea_its_colours():
    """With 14 m in the middle, 0.5, 1, 1.5 and 2 m are still told apart; thresholds of warnings are edges of bands."""
    scale = make_scale(0.0, 14.3, name="hs")
    assert len({scale.norm(height) for height in (0.3, 0.8, 1.3, 1.8, 2.3)}) == 5
    assert set(contours.THRESHOLDS["hs"]) <= set(scale.ticks)
    assert scale.ticks[0] == 0.0 and scale.ticks[-2] < 14.3 <= scale.ticks[-1]
    assert make_scale(0.0, 12.0, (0.0, 12.0), name="hs").ticks == make_scale(0.0, 12.0, name="hs").ticks


def test_the_middle_of_a_storm_is_free_for_its_mark(sea):
    noon = parse_time("2024-09-05T12:00:00Z")
    track = Track(sea.times, np.full(4, 118.3), np.full(4, 17.3))
    grid = arrows.ArrowGrid(sea.shape, round(0.75 * 26))
    for waves, wind in ((True, True), (True, False), (False, True)):
        sheet, _ = maps.draw_map(sea, "hs", noon, track=track, waves=waves, wind=wind)
        far = {Quiver: [], Barbs: []}
        for one in sheet.axes.collections:
            if isinstance(one, (Quiver, Barbs)):
                x, y = (one.x, one.y) if isinstance(one, Barbs) else (one.X, one.Y)
                far[type(one)] = np.hypot(x - 118.3, (y - 17.3) * sea.shape.aspect) / grid.step
        assert all(min(found, default=9) > 0.5 for found in far.values())
        if waves and wind:  # where both turn, the barbs tell more
            assert far[Quiver].min() > 1.5 > far[Barbs].min()


def test_a_place_that_stays_free_has_the_highest_of_all_times(sea):
    times = sea.times[:2] + [sea.times[3]] * 3
    figure, found = maps.draw_panels(sea, "hs", times, isolines=())
    assert len(found["panels"]) == 5 and found["maximum"]["max"] == pytest.approx(8.0)
    assert found["limits"][1] >= 8.0 and "the highest of all times" in texts(figure)
    assert "maximum" not in maps.draw_panels(sea, "hs", sea.times[:3])[1]
    assert "maximum" not in maps.draw_panels(sea, "dir", times)[1]


@pytest.fixture
def windy(tmp_path):
    frequency, towards = 0.04 * 1.1 ** np.arange(25), np.arange(0.0, 360.0, 15.0)
    path = write_points(tmp_path / "spectra.nc", (frequency, towards, np.ones((4, 2, 25, 24))))
    with netCDF4.Dataset(path, "a") as file:
        for name, value in (("wnd", 12.0), ("wnddir", 225.0)):
            file.createVariable(name, "f4", ("time", "station"))[:] = value
    return SpectrumFile(path)


def test_the_line_of_wind_sea_is_where_the_wind_is_as_fast_as_the_waves():
    """c = g/(2πf) is WIND_SEA times the component of the wind along the waves; against the wind nothing is wind sea."""
    wind = Wind(12.0, 225.0)
    for away in (0.0, 30.0, -60.0):
        frequency = slowest_swell(wind, 225.0 + away)
        speed = 9.80665 / (2 * np.pi * frequency)
        assert speed == pytest.approx(WIND_SEA * 12.0 * np.cos(np.radians(away)))
    assert np.isinf(slowest_swell(wind, 45.0))


def test_a_spectrum_shows_the_wind_where_it_comes_from(windy):
    figure, found = draw_spectrum(windy, "1", 0)
    assert found["wind"] == {"speed": 12.0, "bearing": 225.0}
    said = texts(figure)
    assert any("wind 12.0 m/s from 225°" in one for one in said) and any(
        "Red: the wind" in one for one in said
    )
    (line,) = [one for one in figure.axes[0].lines if len(one.get_xdata()) > 20]
    angles = np.degrees(line.get_xdata())
    nearest = np.argmin(line.get_ydata())
    assert angles[nearest] == pytest.approx(225.0, abs=0.6) and np.ptp(angles) < 180.0
