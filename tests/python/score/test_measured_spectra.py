"""Heights, periods and bearings of measured spectra: made ones whose integrals are known, and those of a buoy off Florida."""

import gzip
import os
import pathlib

import netCDF4
import numpy as np
import observation_files as layouts
import pytest

from groundswell.score.observations import read_observations

DATA = pathlib.Path(os.environ.get("GROUNDSWELL_TEST_DATA", "/nowhere")) / "spectra"
needs_data = pytest.mark.skipif(not DATA.is_dir(), reason="GROUNDSWELL_TEST_DATA has no spectra")
FREQUENCY = np.round(np.arange(0.03, 0.401, 0.01), 4)
TIME = 1725494400.0 + 3600 * np.arange(3)


def made(height, peak=0.1):
    """A triangle over three frequencies: m0 = height of the triangle × 0.01 Hz, so Hs is known exactly."""
    density = np.zeros(len(FREQUENCY))
    density[np.argmin(abs(FREQUENCY - peak))] = (height / 4) ** 2 / 0.01
    return density


def test_a_made_spectrum_has_its_height_period_and_bearing(tmp_path):
    density = np.stack([made(2.0), made(4.0), np.zeros(len(FREQUENCY))])
    bearing, first = np.full(density.shape, 350.0), np.full(density.shape, 0.92)
    paths = layouts.spectral_text(tmp_path, "41010", TIME, FREQUENCY, density, bearing, first)
    (one,) = read_observations([*map(str, paths)], (-78.5, 28.9), {}, None)
    assert one.values["hs"] == pytest.approx([2.0, 4.0, 0.0], abs=0.002) and list(one.time) == list(TIME)
    for name in ("tp", "tm01", "tm02", "tmm10"):
        assert one.values[name][:2] == pytest.approx(10.0)
    assert one.values["dir"][:2] == pytest.approx(350.0) and one.values["dp"][:2] == pytest.approx(350.0)
    assert one.values["spread"][:2] == pytest.approx(np.degrees(np.sqrt(2 * 0.08)))
    assert np.isnan([one.values[name][2] for name in ("tp", "dir", "spread")]).all()


def test_spectra_of_the_last_days(tmp_path):
    path = layouts.recent_spectral_text(
        tmp_path / "41010.data_spec", TIME, FREQUENCY, np.stack([made(3.0)] * 3)
    )
    (one,) = read_observations([str(path)], (-78.5, 28.9), {}, None)
    assert one.values["hs"] == pytest.approx(3.0, abs=0.002) and one.name == "41010"


@needs_data
def test_heights_of_measured_text_are_those_that_another_reader_finds():
    from wavespectra import read_ndbc_ascii

    path = DATA / "41010w2019part.txt.gz"
    (one,) = read_observations(
        [str(DATA / f"41010{letter}2019part.txt.gz") for letter in "wdj"], (-78.485, 28.878), {}, None
    )
    table = [line.split() for line in gzip.decompress(path.read_bytes()).decode().splitlines()]
    frequency = np.array([float(word) for word in table[0][5:]])
    density = np.array([[float(word) for word in row[5:]] for row in table[1:]])
    assert one.values["hs"] == pytest.approx(4 * np.sqrt(np.trapezoid(density, frequency, axis=1)), rel=1e-12)
    others = read_ndbc_ascii(str(path)).spec.hs(tail=False).values.ravel()
    assert len(others) == len(one.time) == 99
    assert one.values["hs"] == pytest.approx(others, rel=0.02)
    assert 0.3 < one.values["hs"].min() and one.values["hs"].max() < 5
    assert np.isfinite(one.values["dir"]).all()


@needs_data
def test_heights_of_measured_netcdf(tmp_path):
    (one,) = read_observations([str(DATA / "42098w9999.nc")], None, {}, None)
    with netCDF4.Dataset(DATA / "42098w9999.nc") as file:
        density = np.ma.filled(file["spectral_wave_density"][:, :, 0, 0], np.nan)
        frequency = np.asarray(file["frequency"][:])
        place = float(file["longitude"][0]), float(file["latitude"][0])
    assert one.values["hs"] == pytest.approx(
        4 * np.sqrt(np.trapezoid(density, frequency, axis=1)), rel=1e-5, nan_ok=True
    )
    assert (one.lon[0], one.lat[0]) == place and not one.along_track
