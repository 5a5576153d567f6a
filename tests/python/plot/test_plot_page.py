"""A page for a browser holds the values of the run's files, pixel by pixel and cell by cell, and asks nothing of the network."""

import base64
import json
import re
import shutil
import subprocess
import zlib

import numpy as np
import pytest
from plot_files import write_map, write_points
from test_plot_coast import ISLAND, write_depths

from groundswell import plot_cli
from groundswell.plot.map_file import MapFile
from groundswell.plot.page import raster
from groundswell.plot.page.pack import MISSING, quantised

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def unpacked(text, kind):
    return np.frombuffer(zlib.decompress(base64.b64decode(text)), dtype=np.dtype(kind).newbyteorder("<"))


def values_of(owner):
    numbers = unpacked(owner["data"], np.uint16)
    return np.where(numbers == MISSING, np.nan, owner["low"] + owner["step"] * numbers)


@pytest.fixture
def sea(tmp_path):
    return write_map(tmp_path / "map.nc")


def page(tmp_path, sea, *more):
    """(text, the run in it)."""
    path = tmp_path / "page.html"
    assert plot_cli.main(["page", str(sea), *more, "--quiet", "--output", str(path)]) == 0
    text = path.read_text(encoding="utf-8")
    return text, json.loads(re.search(r"^const RUN = (.*);$", text, re.MULTILINE)[1].replace("<\\/", "</"))


def test_values_come_back_to_a_hundred_thousandth(tmp_path, sea):
    _, run = page(tmp_path, sea, "--calm", "0")
    file = MapFile(sea, calm=0)
    assert [field["name"] for field in run["fields"]] == list(file.fields)
    for field in run["fields"]:
        told = np.stack(list(file.each(field["name"], range(4))))
        assert values_of(field).reshape(told.shape) == pytest.approx(told, abs=1e-5 * max(np.ptp(told), 1e-9))


def test_what_is_missing_stays_missing():
    numbers, low, step = quantised(np.array([1.0, np.nan, 3.0]))
    assert numbers[1] == MISSING and (low, low + step * numbers[2]) == (1.0, 3.0)
    assert quantised(np.full(2, np.nan))[0].tolist() == [MISSING, MISSING]
    assert quantised(np.full(2, 5.0))[:2][1] == 5.0


def test_each_pixel_shows_the_cell_that_it_lies_in(sea):
    shape = MapFile(sea).shape
    cells = raster.cells_of_pixels(shape, (120, 100))  # ten pixels a degree
    assert cells[99, 0] == raster.FIRST  # the south-west corner
    assert cells[100 - 45, 55] == raster.LAND  # the square of land at 115.5°E 14.5°N
    for lon, lat in ((118.5, 17.5), (110.5, 19.5), (121.5, 10.5)):
        cell = cells[int((20 - lat) * 10), int((lon - 110) * 10)] - raster.FIRST
        assert (shape.lon[cell], shape.lat[cell]) == (lon, lat)


def test_with_a_coast_islands_are_land_and_sea_without_cells_is_outside(tmp_path, sea):
    shape = MapFile(sea, coast=write_depths(tmp_path / "z.nc")).shape
    cells = raster.cells_of_pixels(shape, (120, 100))
    at = lambda lon, lat: cells[int((20 - lat) * 10), int((lon - 110) * 10)]  # noqa: E731
    assert at(*ISLAND) == raster.LAND and at(ISLAND[0] + 0.35, ISLAND[1]) >= raster.FIRST
    assert at(115.5, 14.5) == raster.OUTSIDE and at(110.3, 15.5) == raster.LAND


def test_points_keep_their_series_and_spectra(tmp_path, sea):
    frequency, towards = 0.05 * 1.1 ** np.arange(8), np.arange(0.0, 360.0, 45.0)
    density = np.zeros((4, 2, 8, 8))
    density[2, 1, 3, 2] = 5.0  # towards 90°
    series = write_points(tmp_path / "series.nc")
    spectra = write_points(tmp_path / "spectra.nc", (frequency, towards, density))
    _, run = page(tmp_path, sea, "--points", str(series), str(spectra))
    assert [one["name"] for one in run["stations"]] == ["open sea", "bay"] * 2
    (height,) = [one for one in run["stations"][1]["series"] if one["name"] == "hs"]
    assert values_of(height) == pytest.approx([2.0, 2.5, 6.0, 1.0], abs=1e-4)
    rose = run["stations"][3]["spectrum"]
    found = 10.0 ** values_of(rose).reshape(4, 8, 8)
    assert np.unravel_index(found.argmax(), found.shape)[:2] == (2, 3) and found.max() == pytest.approx(5.0)
    assert rose["bearing"][found[2, 3].argmax()] == 270.0  # where they come from


def test_a_page_needs_nothing_but_itself(tmp_path, sea):
    text, _ = page(tmp_path, sea, "--fields", "hs")
    assert not re.search(r"(?:src|href)\s*=|https?://|fetch\(|XMLHttpRequest|@import", text)


def test_fields_and_records_can_be_fewer_and_names_are_checked(tmp_path, sea, capsys):
    _, run = page(tmp_path, sea, "--fields", "hs,dir", "--every", "3")
    assert [field["name"] for field in run["fields"]] == ["hs", "dir"] and len(run["times"]) == 2
    assert plot_cli.main(["page", str(sea), "--fields", "hz", "--output", str(tmp_path / "b.html")]) == 2
    assert "hs" in capsys.readouterr().err and not (tmp_path / "b.html").exists()
    assert plot_cli.main(["page", str(sea), "--output", str(tmp_path / "b.png")]) == 2


@pytest.mark.long
def test_a_browser_shows_the_highest_waves_and_the_values_of_a_cell(tmp_path, sea):
    assert BROWSER, "Chromium is not installed (scripts/packages-all.txt)"
    page(tmp_path, sea)
    file = MapFile(sea)
    cell = int(np.argmin(np.hypot(file.shape.lon - 118.5, file.shape.lat - 17.5)))
    address = f"file://{tmp_path}/page.html#field=hs&time=2&cell={cell}"
    options = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--virtual-time-budget=20000",
        f"--user-data-dir={tmp_path}/user",
    ]
    shown = subprocess.run(
        [BROWSER, *options, "--dump-dom", address], capture_output=True, text=True, timeout=120
    ).stdout
    assert 'data-ready="yes"' in shown
    said = re.sub(r"const RUN = .*", "", shown)
    assert "T+12   2024-09-05 12:00 UTC" in said
    assert "significant wave height: highest 8 m at 17.50°N 118.50°E" in said
    assert re.search(r'id="here">17\.50°N 118\.50°E: [^<]*hs 8 m[^<]*dir 0 degree', said), said[-2000:]
    assert len(re.findall(r'<canvas[^>]*class="chart"', said)) == len(file.fields)
