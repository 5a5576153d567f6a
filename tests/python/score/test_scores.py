"""Scores are those of made series whose bias, scatter and slope are known; with gaps, flags, cycles, in the layouts of the archives."""

import datetime
import json

import numpy as np
import observation_files as layouts
import pytest
from plot_files import squares, texts, write_map

from groundswell import score_cli
from groundswell.score import pictures, statistics
from groundswell.score.matching import Pairs
from groundswell.score.quantities import QUANTITIES

START = datetime.datetime(2024, 9, 5, tzinfo=datetime.timezone.utc)
FIRST = START.timestamp()
HILL = (118.5, 17.5)  # where the map's height is 1 + 3, 5, 7, 4 m at 0, 6, 12, 18 h
HOURS = np.arange(0.0, 18.01, 0.5)
HEIGHT = np.interp(HOURS, [0, 6, 12, 18], [4.0, 6.0, 8.0, 5.0])  # linear in time between the records


@pytest.fixture
def run(tmp_path):
    return write_map(tmp_path / "map.nc")


def score(*arguments):
    return score_cli.main([str(a) for a in arguments])


def scored(tmp_path, *arguments):
    assert score(*arguments, "--json", tmp_path / "scores.json", "--quiet") == 0
    return json.loads((tmp_path / "scores.json").read_text())["result"]


def refused(capsys, *arguments):
    assert score(*arguments) == 2
    said = capsys.readouterr().err.strip()
    assert said.startswith("groundswell: error: ") and "\n" not in said
    return said


def series(seed=1):
    """Scatter of mean 0 that has nothing to do with the height, so that bias and scatter add up by squares."""
    noise = np.random.default_rng(seed).normal(size=len(HOURS))
    basis = np.stack([np.ones(len(HOURS)), HEIGHT], axis=1)
    noise -= basis @ np.linalg.lstsq(basis, noise, rcond=None)[0]
    return noise * 0.3 / noise.std()


def test_scores_of_a_series_are_those_it_was_made_with():
    observed = HEIGHT
    modelled = 0.4 + HEIGHT + series()
    found = statistics.scores(observed, modelled)
    mean = observed.mean()
    assert found["bias"] == pytest.approx(0.4)
    assert found["standard_deviation_of_difference"] == pytest.approx(0.3)
    assert found["rmse"] == pytest.approx(0.5)  # √(0.4² + 0.3²)
    assert found["scatter_index"] == pytest.approx(0.3 / mean)
    assert found["scatter_index_rmse"] == pytest.approx(0.5 / mean)
    assert found["correlation"] == pytest.approx(observed.std() / np.hypot(observed.std(), 0.3))
    assert found["slope"] == pytest.approx(1 + 0.4 * mean / np.mean(observed**2))
    squares_ = np.mean((observed + 0.4) ** 2) + 0.09
    assert found["slope_symmetric"] == pytest.approx(np.sqrt(squares_ / np.mean(observed**2)))
    assert found["quantiles"]["observed"][4] == pytest.approx(np.median(observed))


def test_bearings_are_compared_the_shorter_way_round():
    found = statistics.scores([350.0, 10.0, 0.0], [4.0, 24.0, 14.0], bearing=True)
    assert found["bias"] == pytest.approx(14.0) and found["rmse"] == pytest.approx(14.0)
    assert (found["mean_observed"] + 180) % 360 == pytest.approx(180.0) and "slope" not in found


@pytest.mark.parametrize("recent", [False, True])
def test_a_buoy_of_known_bias_and_scatter_with_gaps(run, tmp_path, recent):
    """Half-hourly rows, linear between the map's records; a quarter of the rows has no height."""
    noise = series()
    hs = HEIGHT - 0.4 - noise
    hs[3::4] = np.nan
    kept = np.isfinite(hs)
    path = tmp_path / ("41010.txt" if recent else "41010h2024.txt")
    layouts.standard_text(path, FIRST + 3600 * HOURS, hs, 6 + HEIGHT / 2, np.zeros(len(HOURS)), recent=recent)
    result = scored(tmp_path, run, path, "--at", f"{HILL[0] + 0.2},{HILL[1] - 0.2}")
    found = result["fields"]["hs"]["all"]
    rounding = 0.005  # of the text: two decimals
    assert found["count"] == kept.sum()
    assert found["bias"] == pytest.approx(np.mean(0.4 + noise[kept]), abs=rounding)
    assert found["standard_deviation_of_difference"] == pytest.approx(noise[kept].std(), abs=rounding)
    assert result["fields"]["tp"]["all"]["rmse"] < rounding and "wind" not in result["fields"]
    assert result["observations"][0]["station"] == "41010"
    assert 20 < result["observations"][0]["farthest_used_km"] < 35


def test_wind_is_brought_to_ten_metres_only_where_its_height_is_known(run, tmp_path):
    path = layouts.standard_text(
        tmp_path / "41010.txt", FIRST + 3600 * HOURS, HEIGHT, HEIGHT, HEIGHT, wind=20.0 * 0.5**0.11
    )
    result = scored(tmp_path, run, path, "--at", "118.5,17.5", "--anemometer", "5")
    assert result["fields"]["wind"]["all"]["bias"] == pytest.approx(0.0, abs=0.05)


def test_groups_of_lead_time_over_cycles(tmp_path):
    """Two cycles in folders; the later starts 12 h later and is 1 m too high, so only its own lead times are."""
    for name, hour in (("00", 0), ("12", 12)):
        (tmp_path / "cycles" / name).mkdir(parents=True)
        write_map(tmp_path / "cycles" / name / "map.nc", start=datetime.datetime(2024, 9, 5, hour))
    hours = np.arange(12.5, 18.0, 0.5)
    first = np.interp(hours, [12, 18], [8.0, 5.0])
    second = np.interp(hours - 12, [0, 6], [4.0, 6.0])
    path = layouts.standard_text(tmp_path / "41010.txt", FIRST + 3600 * hours, first, first, first)
    groups = scored(tmp_path, tmp_path / "cycles", path, "--at", "118.5,17.5", "--lead", "12h")["fields"][
        "hs"
    ]["lead"]
    assert [(g["from_hours"], g["to_hours"], g["count"]) for g in groups] == [(0, 12, 11), (12, 24, 11)]
    assert groups[0]["bias"] == pytest.approx(np.mean(second - first), abs=0.005)
    assert groups[1]["bias"] == pytest.approx(0.0, abs=0.005)


def test_flags_leave_out_what_is_bad(run, tmp_path, capsys):
    flags = np.ones(len(HOURS), int)
    hs = HEIGHT - 0.25
    flags[:5], hs[:5] = 4, 30.0
    buoy = layouts.copernicus_buoy(tmp_path / "buoy.nc", FIRST + 3600 * HOURS, *HILL, hs, flags)
    result = scored(tmp_path, run, buoy)
    assert result["fields"]["hs"]["all"]["count"] == len(HOURS) - 5
    assert result["fields"]["hs"]["all"]["bias"] == pytest.approx(0.25, abs=0.001)
    assert "5 of hs flagged as bad" in capsys.readouterr().err
    good = layouts.ndbc_netcdf(tmp_path / "41010.nc", FIRST + 3600 * HOURS, *HILL, HEIGHT)
    both = scored(tmp_path, run, buoy, good)["fields"]["hs"]
    assert [s["station"] for s in both["stations"]] == ["6100197", "41010"]
    assert both["stations"][1]["bias"] == pytest.approx(0.0, abs=1e-5)


@pytest.mark.parametrize("layout", ["cci", "copernicus"])
def test_an_altimeter_is_averaged_in_each_cell_it_crosses(run, tmp_path, layout):
    """One pass north along 118.5°E at 12 h, 12 samples a cell; the model is 0.3 m higher than the mean of each cell."""
    lat = 10.0 + (np.arange(120) + 0.5) / 12
    time = FIRST + 12 * 3600.0 + np.arange(120)
    row = np.floor(lat) + 0.5
    ripple = np.tile([0.2, -0.2], 60)
    # One second of the last interval moves the map's height by less than 0.2 mm.
    hs = 1 + 7 * np.exp(-((row - 17.5) ** 2) / 8) - 0.3 + ripple
    lon = np.full(120, 118.5)
    if layout == "cci":
        quality = np.full(120, 3)
        quality[:2], hs[:2] = 1, 9.0
        path = layouts.cci_track(tmp_path / "track.nc", time, lon, lat, hs, quality)
    else:
        path = layouts.copernicus_track(tmp_path / "track.nc", time, lon, lat, hs)
    found = scored(tmp_path, run, path)["fields"]["hs"]["all"]
    assert found["count"] == 10 and found["bias"] == pytest.approx(0.3, abs=0.02)
    assert found["standard_deviation_of_difference"] < 0.02
    every = scored(tmp_path, run, path, "--each")["fields"]["hs"]["all"]
    assert every["count"] == (118 if layout == "cci" else 120)
    assert every["standard_deviation_of_difference"] == pytest.approx(0.2, abs=0.02)


def test_across_the_date_line(tmp_path):
    grid = squares(west=175.0, east=185.0, south=0.0, north=5.0, land=())
    run = write_map(tmp_path / "map.nc", grid=grid, peak=(179.5, 2.5))
    buoy = layouts.ndbc_netcdf(tmp_path / "b.nc", FIRST + 3600 * HOURS, 179.5 - 360.0, 2.5, HEIGHT)
    assert scored(tmp_path, run, buoy)["fields"]["hs"]["all"]["rmse"] < 1e-5


def test_what_does_not_fit_is_refused(run, tmp_path, capsys):
    def buoy(name, hours=HOURS, place=HILL, hs=HEIGHT, flags=1):
        return layouts.copernicus_buoy(
            tmp_path / name, FIRST + 3600 * hours, *place, hs, np.full(len(hours), flags)
        )

    said = refused(capsys, run, buoy("far.nc", place=(150.0, 30.0)))
    assert "far.nc: place = 30.00°N 150.00°E, 3" in said and "map.nc" in said
    said = refused(capsys, run, buoy("later.nc", hours=HOURS + 240))
    assert (
        "period = 2024-09-15T00:00:00Z to" in said and "2024-09-05T00:00:00Z to 2024-09-05T18:00:00Z" in said
    )
    assert "quality = 37 values flagged" in refused(capsys, run, buoy("bad.nc", flags=4))
    text = layouts.standard_text(tmp_path / "41010.txt", FIRST + 3600 * HOURS, HEIGHT, HEIGHT, HEIGHT)
    assert "--at LON,LAT" in refused(capsys, run, text)
    assert "--fields = hss: expected one of hs, tp" in refused(capsys, run, text, "--fields", "hss")
    (tmp_path / "notes.txt").write_text("nothing to see\n")
    assert "line 1 = nothing to see" in refused(capsys, run, tmp_path / "notes.txt")
    assert "expected a map or a series" in refused(capsys, buoy("c.nc"), buoy("d.nc"))
    assert score(run, buoy("half.nc", hours=HOURS + 9.0)) == 0
    assert "half.nc: left out: 18 of 37 outside the period" in capsys.readouterr().err


def test_pictures_show_the_pairs_and_their_scores(run, tmp_path):
    noise = series()
    path = layouts.standard_text(
        tmp_path / "41010.txt", FIRST + 3600 * HOURS, HEIGHT - 0.4 - noise, 6 + HEIGHT / 2, HEIGHT
    )
    result = scored(tmp_path, run, path, "--at", "118.5,17.5", "--pictures", tmp_path / "pictures")
    names = {"hs-scatter.png", "hs-quantiles.png", "tp-scatter.png", "tp-quantiles.png", "taylor.png"}
    assert {p.name for p in (tmp_path / "pictures").iterdir()} == names
    found = result["fields"]["hs"]["all"]
    n = len(HOURS)
    pairs = Pairs(HEIGHT - 0.4 - noise, HEIGHT, *(np.zeros(n),) * 4, np.full(n, "41010", dtype=object))
    figure = pictures.scatter(pairs, QUANTITIES["hs"], found, "Test sea")
    assert np.array_equal(figure.axes[0].lines[1].get_ydata(), HEIGHT)
    assert any(f"{found['scatter_index']:.3f}" in said for said in texts(figure))
    figure = pictures.taylor([("hs", found)], "Test sea")
    mark = figure.axes[0].lines[-1]
    assert np.cos(mark.get_xdata()[0]) == pytest.approx(found["correlation"])
