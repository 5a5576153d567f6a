"""Maps on grids, read back by the programs they are for: xarray, cfgrib, the reader of winds, Rasterio, Shapely."""

import csv
import json
import pathlib
import re
import subprocess
import sys

import netCDF4
import numpy as np
import pages
import pytest
from plot_files import squares, write_map

from groundswell import export_cli
from groundswell.grids.grib import TABLES
from groundswell.grids.parameters import PARAMETERS
from groundswell.winds import grib as wind_reader

RECORDS = 4
REGION = ("--region", "112,120,12,20")
FIRST = "2024-09-05T00:00:00"
ROUNDED = 8 / 65535  # half a step of a packed height, and more


@pytest.fixture
def run(tmp_path):
    return write_map(tmp_path / "map.nc", records=RECORDS)


def export(*arguments):
    return export_cli.main(["grid", *(str(a) for a in arguments), "--quiet"])


def refused(capsys, *arguments):
    assert export(*arguments) == 2
    said = capsys.readouterr().err.strip()
    assert said.startswith("groundswell: error: ") and "\n" not in said
    return said


def expected(record=2):
    """[8 rows, 8 columns] of the map's height on boxes that are its cells, NaN on land."""
    lon, lat = np.meshgrid(112.5 + np.arange(8), 12.5 + np.arange(8))
    height = 1 + [3, 5, 7, 4][record] * np.exp(-((lon - 118.5) ** 2 + (lat - 17.5) ** 2) / 8)
    return np.where((lon == 115.5) & (lat == 14.5), np.nan, height)


# Edges of cells are great circles, those of boxes are not: a sliver of another cell, or of land, lies in each.
OPTIONS = (*REGION, "--step", "1", "--least-sea", "0.01")
SLIVER = 2e-3


def test_netcdf_opens_in_xarray(run, tmp_path):
    import xarray

    assert export(run, tmp_path / "g.nc", *OPTIONS, "--json", tmp_path / "j.json") == 0
    with xarray.open_dataset(tmp_path / "g.nc") as sea:
        assert sea["hs"].dims == ("time", "latitude", "longitude")
        assert sea["hs"].values[2] == pytest.approx(expected(), rel=SLIVER, nan_ok=True)
        assert sea["time"].values[1] == np.datetime64("2024-09-05T06:00:00")
        assert sea["forecast_reference_time"].values == np.datetime64(FIRST)
        assert list(sea["latitude"].values[:2]) == [12.5, 13.5]
        assert sea["hs"].attrs["cell_methods"] == "area: root_mean_square where sea"
        assert np.nanmax(np.abs((sea["dir"].values + 180) % 360 - 180)) < 1e-3
    told = json.loads((tmp_path / "j.json").read_text())["result"]
    assert (told["columns"], told["rows"], told["sea_boxes"], told["records"]) == (8, 8, 63, RECORDS)


def test_netcdf_follows_cf(run, tmp_path):
    """The checker in a process of its own: its libraries and those of rasters do not end well in one."""
    code = """
import os, sys
from compliance_checker.runner import CheckSuite, ComplianceChecker
CheckSuite.load_all_available_checkers()
passed, errors = ComplianceChecker.run_checker(sys.argv[1], ["cf:1.11"], 0, "strict", output_filename=sys.argv[2])
print("follows CF" if passed and not errors else "does not", flush=True)
os._exit(0)
"""
    for name, more in (
        ("g.nc", OPTIONS),
        ("r.nc", ("--pole", "-64,73", "--region", "-4,4,-4,4", "--step", "1")),
    ):
        assert export(run, tmp_path / name, *more) == 0
        report = tmp_path / "report.txt"
        checked = subprocess.run(
            [sys.executable, "-c", code, tmp_path / name, report], capture_output=True, text=True
        )
        assert checked.stdout.endswith("follows CF\n"), (report.read_text(), checked)


def test_zarr_holds_what_netcdf_holds(run, tmp_path):
    import xarray

    for name in ("g.nc", "g.zarr"):
        assert export(run, tmp_path / name, *OPTIONS) == 0
    assert json.loads((tmp_path / "g.zarr/zarr.json").read_text())["zarr_format"] == 3
    cloud = xarray.open_zarr(tmp_path / "g.zarr", consolidated=False)
    with xarray.open_dataset(tmp_path / "g.nc") as file:
        assert set(cloud.variables) == set(file.variables)
        for name in file.variables:
            assert np.array_equal(
                cloud[name].values, file[name].values, equal_nan=file[name].dtype.kind == "f"
            ), name
            assert cloud[name].dims == file[name].dims and cloud[name].attrs == file[name].attrs, name


def test_grib_opens_in_cfgrib(run, tmp_path):
    import cfgrib

    assert export(run, tmp_path / "g.grib2", *OPTIONS, "--fields", "hs,tp,dir", "--centre", "74") == 0
    sea = cfgrib.open_dataset(tmp_path / "g.grib2", indexpath="")
    assert {"swh", "pp1d", "mwd"} <= set(sea.variables)
    assert sea["swh"].values[2, ::-1] == pytest.approx(expected(), abs=ROUNDED, rel=SLIVER, nan_ok=True)
    assert sea["latitude"].values[0] == pytest.approx(19.5) and sea["longitude"].values[0] == pytest.approx(
        112.5
    )
    assert sea["time"].values == np.datetime64(FIRST)
    assert list(sea["step"].values / np.timedelta64(1, "h")) == [0, 6, 12, 18]
    assert sea["swh"].attrs["GRIB_units"] == "m" and sea.attrs["GRIB_centre"] == "egrr"


@pytest.mark.parametrize("pole", [None, "-64,73"])
def test_wind_of_grib_is_what_import_wind_reads(run, tmp_path, pole):
    """On a rotated grid too the components are eastward and northward."""
    where = ("--pole", pole, "--region", "-4,4,-4,4", "--step", "1") if pole else OPTIONS
    assert export(run, tmp_path / "g.grib2", *where, "--fields", "u10,v10") == 0
    fields = wind_reader.fields(tmp_path / "g.grib2", None)
    assert len(fields) == 2 * RECORDS and not fields[0].grid.along_grid
    values = fields[0].read()
    assert values[np.isfinite(values)] == pytest.approx(12.0)
    mapping = fields[0].grid.mapping
    assert (mapping is None) == (pole is None)
    if pole:
        assert mapping["grid_north_pole_latitude"] == pytest.approx(73.0)
        assert mapping["grid_north_pole_longitude"] == pytest.approx(-64.0)


def test_numbers_are_those_of_the_page_and_of_the_tables_of_wmo():
    """ecCodes, which holds WMO's tables, names each number as the page does."""
    import eccodes

    rows = pages.table(pages.section(pages.text_of("docs/how-to/grids-and-formats.md"), "GRIB"))
    said = {}
    for fields, numbers, name, _ in rows:
        found = re.findall(r"(\d+), (\d+), (\d+)", numbers)
        said |= {field: (*map(int, three), name) for field, three in zip(pages.codes(fields), found)}
    assert {field: three for field, (*three, _) in said.items()} == {
        field: list(known[:3]) for field, known in PARAMETERS.items()
    }
    for field, (discipline, category, number, name) in said.items():
        message = eccodes.codes_grib_new_from_samples(
            "regular_ll_sfc_grib2"
        )  # one keeps the table it has read
        keys = {"tablesVersion": TABLES, "discipline": discipline, "parameterCategory": category}
        for key, value in (keys | {"parameterNumber": number}).items():
            eccodes.codes_set(message, key, value)
        told = eccodes.codes_get(message, "parameterName").lower()
        words = {"u10": "u-component of wind", "v10": "v-component of wind"}
        words |= {"ucur": "u-component of current", "vcur": "v-component of current"}
        into_ocean = "component of surface momentum flux into ocean"
        for way in "uv":
            words |= {
                f"{way}stokes": f"{way}-component surface Stokes drift",
                f"{way}tauoc": f"{way}-{into_ocean}",
            }
        kinds = {"hs": "significant wave height", "tm01": "mean wave period", "dir": "mean wave direction"}
        for kind, quantity in kinds.items():
            for n, rank in enumerate(("first", "second", "third"), 1):
                words[f"{kind}_part{n}"] = f"{quantity} of {rank} swell partition"
        assert told == words.get(field, name).lower(), field
        eccodes.codes_release(message)


def test_a_geotiff_has_north_above_and_a_band_a_time(run, tmp_path):
    import rasterio

    assert export(run, tmp_path / "g.tif", *OPTIONS, "--fields", "hs") == 0
    with rasterio.open(tmp_path / "g.tif") as picture:
        assert picture.count == RECORDS and picture.crs.to_epsg() == 4326
        assert picture.descriptions[2] == "2024-09-05T12:00:00Z"
        assert picture.read(3)[::-1] == pytest.approx(expected(), rel=SLIVER, nan_ok=True)
        assert picture.read(3)[picture.index(118.5, 17.5)] == pytest.approx(8.0, rel=SLIVER)


def test_areas_above_a_threshold(run, tmp_path):
    """Waves of 4 m and more reach √(8 ln(7/3)) = 2.60° from the hill, those of 6 m √(8 ln(7/5)) = 1.64°."""
    import shapely

    where = ("--region", "112,122,12,20", "--step", "0.25", "--fields", "hs")
    assert export(run, tmp_path / "g.geojson", *where, "--levels", "4,6,9") == 0
    made = json.loads((tmp_path / "g.geojson").read_text())["features"]
    found = {
        (f["properties"]["at_least"], f["properties"]["time"]): shapely.geometry.shape(f["geometry"])
        for f in made
    }
    assert not [key for key in found if key[0] == 9.0]
    for level, reach in ((4.0, 2.60), (6.0, 1.64)):
        area = found[level, "2024-09-05T12:00:00Z"]
        assert area.is_valid and area.contains(shapely.Point(118.5, 17.5))
        # Cells of 1° make steps of the circle.
        assert np.sqrt(area.area / np.pi) == pytest.approx(reach, abs=0.25)
        assert all(part.exterior.is_ccw for part in area.geoms)
    assert (4.0, f"{FIRST}Z") not in found or found[4.0, f"{FIRST}Z"].area < 2


def test_points_take_the_cell_that_holds_them(run, tmp_path, capsys):
    table = tmp_path / "ports.csv"
    table.write_text("name,lon,lat\nhill,118.9,17.1\nwest,112.5,12.5\n")
    assert export(run, tmp_path / "p.csv", "--points", table, "--fields", "hs") == 0
    rows = list(csv.DictReader((tmp_path / "p.csv").read_text().splitlines()))
    assert len(rows) == 2 * RECORDS and rows[4]["name"] == "hill" and float(rows[4]["hs"]) == 8.0
    assert export(run, tmp_path / "p.nc", "--points", table) == 0
    with netCDF4.Dataset(tmp_path / "p.nc") as file:
        assert np.asarray(file["hs"][:, 0]) == pytest.approx([4.0, 6.0, 8.0, 5.0])
    table.write_text("name,lon,lat\nParis,2.3,48.9\n")
    assert "Paris (48.90°N 2.30°E)" in refused(capsys, run, tmp_path / "q.nc", "--points", table)


def test_weights_are_found_once(run, tmp_path, capsys):
    kept = ("--weights", tmp_path / "w.npz")
    assert export(run, tmp_path / "a.nc", *OPTIONS, *kept) == 0
    stamp = (tmp_path / "w.npz").stat().st_mtime_ns
    assert export(run, tmp_path / "b.nc", *OPTIONS, *kept) == 0
    assert (tmp_path / "w.npz").stat().st_mtime_ns == stamp
    with netCDF4.Dataset(tmp_path / "a.nc") as one, netCDF4.Dataset(tmp_path / "b.nc") as two:
        assert np.ma.allequal(one["hs"][:], two["hs"][:])
    said = refused(capsys, run, tmp_path / "c.nc", *REGION, "--step", "2", *kept)
    assert "w.npz: weights = of another mesh or grid" in said


def test_the_grid_around_a_mesh_across_the_date_line(tmp_path):
    run = write_map(
        tmp_path / "map.nc",
        grid=squares(west=175.0, east=185.0, south=0.0, north=5.0, land=()),
        peak=(179.5, 2.5),
    )
    assert export(run, tmp_path / "g.nc", "--step", "1") == 0
    with netCDF4.Dataset(tmp_path / "g.nc") as file:
        assert list(file["longitude"][:]) == [175.5 + k for k in range(10)] or list(file["longitude"][:]) == [
            k - 184.5 for k in range(10)
        ]
        assert np.ma.count(file["hs"][0]) == 50 and file["hs"][2].max() == pytest.approx(8.0, rel=SLIVER)


def test_what_cannot_be_is_refused(run, tmp_path, capsys, monkeypatch):
    out = tmp_path / "g.grib2"
    with netCDF4.Dataset(run, "a") as file:
        file.createVariable("qp", "f4", ("time", "nFace"))[:] = 0.01
    said = refused(capsys, run, out, *OPTIONS)
    assert "map.nc: --fields = qp: expected fields that GRIB 2 has a number for: hs" in said
    assert not list(tmp_path.glob("*.part")) and not out.exists()
    assert "a grid that meets the mesh" in refused(capsys, run, out, "--region", "0,5,0,5", "--step", "1")
    assert "a whole number of boxes in 8°" in refused(capsys, run, out, *REGION, "--step", "0.3")
    assert "did you mean 'hs'" in refused(capsys, run, out, *OPTIONS, "--fields", "hss")
    assert "one field for a GeoTIFF" in refused(capsys, run, tmp_path / "g.tif", *OPTIONS)
    assert "--levels" in refused(capsys, run, tmp_path / "g.geojson", *OPTIONS, "--fields", "hs")
    assert "a name that ends in .nc, .zarr" in refused(capsys, run, tmp_path / "g.png", *OPTIONS)
    assert "the edges of a rotated grid" in refused(capsys, run, out, "--step", "1", "--pole", "0,40")
    out.write_text("mine")
    assert "or --overwrite" in refused(capsys, run, out, *OPTIONS, "--fields", "hs")
    assert out.read_text() == "mine"
    for package, name in (
        ("shapely", "g.nc"),
        ("zarr", "g.zarr"),
        ("rasterio", "g.tif"),
        ("eccodes", "h.grib2"),
    ):
        with monkeypatch.context() as without:
            without.setitem(__import__("sys").modules, package, None)
            said = refused(capsys, run, tmp_path / name, *OPTIONS, "--fields", "hs")
        assert f"pip install {package}" in said.replace("'", "").replace(">=3", ""), said
    assert not [path for path in pathlib.Path(tmp_path).iterdir() if ".part" in path.name]
