"""What the manual says of output files and of cases, held against files that the program writes here."""

import json
import math
import re
import shutil

import netCDF4
import numpy as np
import pages
import pytest
from pages import ROOT, groundswell, text_of

from groundswell import mesh_cli

GRAVITY = 9.80665

CASE = """
title = "every kind of file"
[time]
start = 2000-01-01T00:00:00Z
end = 2000-01-01T02:00:00Z
[mesh]
file = "mesh.nc"
[spectrum]
directions = 24
frequencies = 12
first_frequency = 0.06
ratio = 1.15
[[wind]]
uniform = [9.0, 4.0]
[[output.map]]
file = "yagi.nc"
every = "1h"
fields = [FIELDS]
[[output.points]]
file = "series.nc"
every = "1h"
at = [[114.0, 19.0]]
fields = ["hs"]
[[output.points]]
file = "spectra.nc"
every = "1h"
spectra = ["efth", "ef", "th1m", "sth1m", "stokes", "budgets"]
depths = [0.0, 10.0]
at = [[114.0, 19.0], [120.0, 22.0]]
[[output.grid]]
file = "grid.nc"
every = "2h"
region = [100.0, 130.0, 10.0, 30.0]
step = [5.0, 5.0]
fields = ["hs"]
[output.restart]
every = "2h"
"""


def outputs_table(title):
    return pages.table(pages.section(text_of("docs/reference/outputs.md"), title))


def field_table():
    return {pages.codes(row[0])[0]: row[1:] for row in outputs_table("Fields")}


def run(*words):
    answer = groundswell("run", *words, "--quiet")
    assert answer.returncode == 0, answer.stderr


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Folder with one file of every kind, of 42 cells of deep water; the fields are those of the page's table."""
    folder = tmp_path_factory.mktemp("files")
    assert (
        mesh_cli.main(
            ["make", "--icosahedron", "2", "--depth", "4000", "--output", str(folder / "mesh.nc"), "--quiet"]
        )
        == 0
    )
    (folder / "case.toml").write_text(
        CASE.replace("FIELDS", ", ".join(f'"{name}"' for name in field_table()))
    )
    run(folder / "case.toml")
    return folder / "output"


def restart_of(files):
    return next(files.glob("restart_*.nc"))


# ------------------------------------------------------------------------------------------------------------- files


def test_fields_have_the_names_and_units_of_the_page(files):
    assert "".join(f'"{name}" \\| ' for name in field_table())[:-4] in text_of(
        "docs/reference/case-file.md"
    ), "not all fields"
    with netCDF4.Dataset(files / "yagi.nc") as data:
        for name, (standard_name, long_name, unit) in field_table().items():
            variable = data[name]
            said = pages.codes(standard_name)
            assert getattr(variable, "standard_name", None) == (said[0] if said else None), name
            assert (variable.long_name, variable.units) == (long_name, unit), name


def variables_said(title):
    """{variable: dimensions} of a table of the page."""
    said = {}
    for names, dimensions, _ in outputs_table(title):
        for name in pages.codes(names):
            said[name] = tuple(pages.codes(dimensions))
    return said


STATIONS = {"time", "station", "station_name", "longitude", "latitude", "station_distance", "mesh_cell"}


@pytest.mark.parametrize(
    "title, file",
    [("Maps", "yagi.nc"), ("Series", "series.nc"), ("Spectra", "spectra.nc"), ("Grids", "grid.nc")],
)
def test_variables_are_those_of_the_page(files, title, file):
    said = variables_said(title)
    if title == "Spectra":
        said |= {name: dims for name, dims in variables_said("Series").items() if name in STATIONS}
    with netCDF4.Dataset(files / file) as data:
        found = {
            name: variable.dimensions
            for name, variable in data.variables.items()
            if name not in field_table()
        }
        terms = [name for name in found if name.startswith("budget_")]
        for name in terms:
            said[name] = said["budget_TERM"]
        assert (len(terms) == 6) == (title == "Spectra")
        assert found == {
            name: dimensions
            for name, dimensions in said.items()
            if name != "budget_TERM" and name not in field_table()
        }
        assert data["time"].units.startswith("seconds since 1970-01-01 00:00:00")


def test_restart_is_as_the_page_says(files):
    with netCDF4.Dataset(restart_of(files)) as data:
        said = variables_said("Restart")
        assert {name: v.dimensions for name, v in data.variables.items() if name in said} == said
        assert set(data.variables) - set(said) == {f"{name}_checksum" for name in said}
        listed = pages.inline_code(
            pages.section(text_of("docs/reference/outputs.md"), "Restart").partition("--restart")[0]
        )
        for attribute in set(data.ncattrs()) - {
            "title",
            "time",
            "groundswell_version",
            "groundswell_build",
            "groundswell_case",
        }:
            assert attribute in listed, attribute


def test_spectra_point_the_way_that_the_page_says(files):
    with netCDF4.Dataset(files / "spectra.nc") as data:
        bearing = data["direction"][:]
        assert np.allclose(bearing, 15 * np.arange(24))
        # The wind of 9 east and 4 north blows to a bearing of 66°; so do its waves.
        energy = data["efth"][-1, 0].sum(axis=0)
        to = math.degrees(
            math.atan2(
                (energy * np.sin(np.radians(bearing))).sum(), (energy * np.cos(np.radians(bearing))).sum()
            )
        )
        assert to == pytest.approx(math.degrees(math.atan2(9, 4)), abs=2)
        assert data["wnddir"][-1, 0] == pytest.approx(math.degrees(math.atan2(9, 4)) + 180, abs=1e-3)
    with netCDF4.Dataset(files / "yagi.nc") as data:
        assert np.allclose(data["dir"][-1], math.degrees(math.atan2(9, 4)) + 180, atol=2)


def test_report_has_the_keys_of_the_page(files):
    report = json.loads((files / "run.json").read_text())
    text = pages.section(text_of("docs/reference/outputs.md"), "run.json")
    frame = json.loads(next(body for language, body in pages.blocks(text) if language == "json"))
    assert report.keys() == frame.keys() and report["machine"].keys() == frame["machine"].keys()
    assert report["build"].keys() == frame["build"].keys()
    assert report["build"]["libraries"].keys() == frame["build"]["libraries"].keys()
    said = {name: row[1] for row in pages.table(text) for name in pages.codes(row[0])}
    result = report["result"]
    of_clusters = {"clusters", "local_time_stepping"}  # only where cells step at rates of their own
    assert of_clusters < said.keys() and result.keys() == said.keys() - of_clusters
    assert list(result["phases"]) == sorted(pages.codes(said["phases"]))
    assert result["output"].keys() == set(pages.codes(said["output"]))
    assert result["limiting"].keys() == set(pages.codes(said["limiting"])) - {"mesh_cell"}
    assert result["samples"][0].keys() == set(pages.codes(said["samples"]))
    assert result["peak_memory_bytes"].keys() == {"min", "mean", "max"}


@pytest.mark.parametrize(
    "code",
    [body for language, body in pages.blocks(text_of("docs/reference/outputs.md")) if language == "python"],
    ids=lambda code: re.findall(r"import (\w+)", code)[-1],
)
def test_python_of_the_page_runs(files, monkeypatch, capsys, code):
    monkeypatch.chdir(files)
    exec(code, {})
    assert capsys.readouterr().out


# ------------------------------------------------------------------------------------------------------------- cases


@pytest.fixture
def case_copy(tmp_path):
    """Copies a case of the tree and makes its mesh; returns the folder that holds cases/NAME."""

    def copy(name):
        folder = tmp_path / "cases" / name
        shutil.copytree(ROOT / "cases" / name, folder, ignore=shutil.ignore_patterns("output"))
        assert mesh_cli.main(["make", "--config", str(folder / "mesh.toml"), "--quiet"]) == 0
        return tmp_path

    return copy


def readme_table(case, title="What one should see"):
    return pages.table(pages.section(text_of(f"cases/{case}/README.md"), title))


def test_growth_is_as_its_page_says(case_copy):
    place = case_copy("growth")
    run(place / "cases/growth/case.toml")
    with netCDF4.Dataset(place / "cases/growth/output/series.nc") as data:
        for hours, height, period in readme_table("growth"):
            assert data["hs"][int(hours), 0] == pytest.approx(float(height), rel=0.03)
            assert data["tp"][int(hours), 0] == pytest.approx(float(period), rel=0.03)
        assert np.allclose(data["dir"][3:], 270, atol=0.5)


def test_basin_keeps_its_action_as_its_page_says(case_copy, monkeypatch, capsys):
    place = case_copy("basin")
    run(place / "cases/basin/case.toml")
    code = next(
        body for language, body in pages.blocks(text_of("cases/basin/README.md")) if language == "python"
    )
    monkeypatch.chdir(place)
    exec(code, {})
    sums = np.array(re.findall(r"[\d.]+e[+-]\d+", capsys.readouterr().out), float)
    assert len(sums) == 17
    assert np.allclose(sums, sums[0], rtol=3e-7)


def test_great_circle_of_the_page_is_one():
    """cos φ sin α is constant; the way is cg t, cg = gT/4π."""
    start, heading, period, radius = math.radians(45), math.radians(10), 16.5, 6371229.0
    for day, longitude, latitude in readme_table("great-circle"):
        angle = GRAVITY * period / (4 * math.pi) * 86400 * int(day) / radius
        north = math.cos(angle) * math.sin(start) + math.sin(angle) * math.cos(heading) * math.cos(start)
        along = math.cos(angle) * math.cos(start) - math.sin(angle) * math.cos(heading) * math.sin(start)
        east = math.sin(angle) * math.sin(heading)
        assert float(longitude.split("°")[0]) == pytest.approx(
            math.degrees(math.atan2(east, along)), abs=0.06
        )
        assert float(latitude.split("°")[0]) == pytest.approx(math.degrees(math.asin(north)), abs=0.06)


def wave(period, depth):
    """Wave number and group speed of linear waves."""
    sigma = 2 * math.pi / period
    low, high = sigma**2 / GRAVITY, 10.0
    for _ in range(200):
        k = 0.5 * (low + high)
        low, high = (k, high) if GRAVITY * k * math.tanh(k * depth) < sigma**2 else (low, k)
    return k, sigma / (2 * k) * (1 + 2 * k * depth / math.sinh(2 * k * depth))


def test_beach_of_the_page_obeys_snell():
    k0, speed0 = wave(10.0, 20.0)
    angle0 = math.radians(30)
    for depth, ratio, bearing in readme_table("beach"):
        k, speed = wave(10.0, float(depth))
        angle = math.asin(math.sin(angle0) * k0 / k)
        assert float(ratio) == pytest.approx(
            math.sqrt(speed0 / speed * math.cos(angle0) / math.cos(angle)), abs=0.006
        )
        assert float(bearing.strip("°")) == pytest.approx(270 - math.degrees(angle), abs=0.06)
