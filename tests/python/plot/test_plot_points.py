"""Time series and spectra at points."""

import netCDF4
import numpy as np
import pytest
from matplotlib.colors import to_rgba
from plot_files import texts, write_points

from groundswell.plot.series import draw_series
from groundswell.plot.source import text_rows
from groundswell.plot.spectrum import CONVENTION, draw_spectrum
from groundswell.plot.stations import PointFile, SpectrumFile

FREQUENCY = 0.04 * 1.1 ** np.arange(25)
TOWARDS = (90.0 - 15.0 * np.arange(24)) % 360.0


@pytest.fixture
def spectra(tmp_path):
    """At the second point in the third record: one bin, 0.04·1.1⁸ Hz, waves that go to 180°, of 4 m."""
    density = np.zeros((4, 2, 25, 24))
    width = (FREQUENCY[9] - FREQUENCY[7]) / 2 * np.radians(15.0)
    density[2, 1, 8, np.flatnonzero(TOWARDS == 180.0)[0]] = 1.0 / width
    return SpectrumFile(write_points(tmp_path / "spectra.nc", (FREQUENCY, TOWARDS, density)))


def test_series_name_fields_units_points(tmp_path):
    file = PointFile(write_points(tmp_path / "series.nc"))
    figure, found = draw_series(file, offset=8)
    said = " ".join(texts(figure)).replace("\n", " ")
    for words in (
        "Test sea",
        "significant wave height, m",
        "open sea (19.00°N 114.00°E)",
        "bay (3.50°S 116.25°E)",
        "time, UTC, 2024-09-05 00:00 to",
        "local time, UTC+8",
    ):
        assert words in said
    first, second, *_ = figure.axes
    assert first.lines[1].get_ydata().tolist() == [2.0, 2.5, 6.0, 1.0]
    assert first.lines[0].get_xdata()[0].hour == 0 and second.get_ylim() == (0, 360)
    best = max((s for s in found["series"] if s["field"] == "hs"), key=lambda s: s["max"])
    assert (best["name"], best["max"], best["max_time"]) == ("bay", 6.0, "2024-09-05T12:00:00Z")


def test_series_of_chosen_fields_and_points(tmp_path):
    file = PointFile(write_points(tmp_path / "series.nc"))
    figure, found = draw_series(file, ["hs"], ["bay"])
    assert (
        len(figure.axes) == 1
        and len(figure.axes[0].lines) == 1
        and [s["station"] for s in found["series"]] == [2]
    )


def test_spectrum_height_period_and_bearing_come_back(spectra):
    _, found = draw_spectrum(spectra, "2", 2)
    assert found["hs"] == pytest.approx(4.0, rel=1e-5)
    assert found["max_at"]["period"] == pytest.approx(1 / FREQUENCY[8]) and found["max_at"]["bearing"] == 0.0


def test_spectrum_is_drawn_where_the_waves_come_from(spectra):
    figure, found = draw_spectrum(spectra, "bay", 2)
    said = texts(figure)
    assert (
        CONVENTION in said
        and "variance density, m² Hz⁻¹ rad⁻¹" in said
        and {"0.05 Hz", "0.1 Hz", "N", "E"} <= set(said)
    )
    assert any(t.startswith("Hs 4.00 m, Tp 11.7 s") for t in said) and any(
        "bay (3.50°S 116.25°E)" in t for t in said
    )
    picture = np.asarray(figure.canvas.buffer_rgba()) / 255
    axes = figure.axes[0]
    radius = np.log(FREQUENCY[8] / (FREQUENCY[0] / np.sqrt(1.1))) + 0.25

    middle, north, east = (
        axes.transData.transform((np.radians(b), r)) for b, r in ((0, 0), (0, radius), (90, radius))
    )
    assert north[1] > middle[1] + 50 and north[0] == pytest.approx(middle[0]) and east[0] > middle[0] + 50

    def colour(bearing):
        x, y = np.round(axes.transData.transform((np.radians(bearing + 3), radius))).astype(int)
        return picture[picture.shape[0] - y, x, :3]

    assert colour(0.0) == pytest.approx(to_rgba("#081d58")[:3], abs=0.05)
    assert colour(180.0) == pytest.approx((1, 1, 1), abs=0.01) and colour(90.0) == pytest.approx(
        (1, 1, 1), abs=0.01
    )
    assert found["limits"][1] >= found["max"] and found["limits"][0] == pytest.approx(
        found["limits"][1] / 1000
    )


def test_calm_is_drawn_and_said(spectra):
    figure, found = draw_spectrum(spectra, "1", 0)
    assert found["hs"] == 0.0 and found["max_at"] is None and any("no waves" in t for t in texts(figure))


def test_peak_period_lies_between_frequencies(tmp_path):
    """Energy 1 - (ln f - ln f0)² near f0 between two frequencies of the grid: the parabola finds f0."""
    summit = 0.04 * 1.1**10.3
    density = np.maximum(0.0, 1.0 - (np.log(FREQUENCY / summit)) ** 2)[None, None, :, None] * np.ones(
        (4, 2, 1, 24)
    )
    file = SpectrumFile(write_points(tmp_path / "spectra.nc", (FREQUENCY, TOWARDS, density)))
    assert file.spectrum(0, 0).peak[0] == pytest.approx(1 / summit, rel=1e-5)


def test_names_of_rings_stay_off_the_energy(spectra):
    figure, _ = draw_spectrum(spectra, "bay", 2)  # waves from the north
    apart = abs((figure.axes[0].get_rlabel_position() + 180.0) % 360.0 - 180.0)
    assert apart > 30.0


def test_the_axis_is_utc_with_local_time_above_it(tmp_path):
    file = PointFile(write_points(tmp_path / "series.nc"))
    figure, _ = draw_series(file, ["hs"], offset=-4.5)
    texts(figure)
    utc, local = figure.axes[0], figure.axes[0].child_axes[0]
    assert local.get_xlabel() == "local time, UTC−4:30" and not PointFile(file.path).leaves_out("hs")
    assert local.get_xlim() == pytest.approx(np.array(utc.get_xlim()) - 4.5 / 24)


def test_lines_of_peaks_break_where_they_leap_or_there_are_no_waves(tmp_path):
    path = write_points(tmp_path / "series.nc")
    with netCDF4.Dataset(path, "a") as out:
        out.createVariable("tp", "f4", ("time", "station"))[:] = [[5, 4], [12, 4.2], [11, 9], [10, 8]]
        out["hs"][:, 1] = [0.2, 0.2, 0.05, 0.05]
    figure, found = draw_series(PointFile(path), ["tp"])
    leaps, calm = (line.get_ydata() for line in figure.axes[0].lines)
    assert np.array_equal(leaps, [5, np.nan, 12, 11, 10], equal_nan=True)
    assert np.array_equal(calm, np.float32([4, 4.2, np.nan, np.nan]), equal_nan=True)
    assert found["series"][1]["max"] == pytest.approx(4.2)
    assert any("no periods and bearings where waves are below 0.1 m" in t for t in texts(figure))
    everything, _ = draw_series(PointFile(path, calm=0.0), ["tp"])
    assert np.nanmax(everything.axes[0].lines[1].get_ydata()) == 9


def test_names_may_have_any_letters(tmp_path):
    names = ["Kahramanmaraş", "İskenderun", "Kilis"]
    with netCDF4.Dataset(tmp_path / "names.nc", "w") as file:
        file.createDimension("station", len(names))
        file.createDimension("string40", 40)
        variable = file.createVariable("station_name", "S1", ("station", "string40"))
        rows = [list(name.encode().ljust(40, b"\0")) for name in names]
        variable[:] = np.array(rows, np.uint8).view("S1")
    with netCDF4.Dataset(tmp_path / "names.nc") as file:
        assert text_rows(file["station_name"]) == names
