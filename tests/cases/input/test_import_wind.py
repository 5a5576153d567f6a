"""What `groundswell import wind` makes of GRIB, of NetCDF in parts and of tracks is what the model reads."""

import gzip
import json
import subprocess
import zipfile

import netCDF4
import numpy as np
import pyproj  # before ecCodes, whose own PROJ it would take for its own
import pytest
from launching import PROGRAM, environment, groundswell, refused

eccodes = pytest.importorskip("eccodes")

HOURS = (0, 3, 6)
PLACE = (121.3, 20.7)


def imported(output, *arguments):
    outcome = groundswell("import", "wind", *arguments, "--output", output)
    assert outcome.code == 0, outcome.stderr
    return output


def winds_at(path, places, hours=HOURS, keys=""):
    """(times, places, 2): by the model's reader."""
    times = ",".join(f"2024-09-03T{hour:02d}:00:00Z" for hour in hours)
    line = f"{path}\t{times}\t{';'.join(f'{float(a)!r},{float(b)!r}' for a, b in places)}\t{keys}\n"
    probe = subprocess.run(
        [PROGRAM.parent / "wind_probe"], input=line, capture_output=True, text=True, env=environment()
    )
    said, *words = probe.stdout.rstrip("\n").split("\t")
    assert said == "ok", probe.stdout + probe.stderr
    return np.array([[float(x) for x in word.split(",")] for word in words]).reshape(
        len(hours), len(places), 2
    )


def linear(x, y, hour, component):
    """A linear field of degrees from (120, 20) and hours."""
    return (2.0, -3.0)[component] + 0.5 * x - (0.25, 0.75)[component] * y + 0.1 * hour


def write_grib(
    path, settings, x, y, hours=HOURS, sample="GRIB2", date=20240903, add=0.0, component_of=("10u", "10v")
):
    """Messages of both components whose values are linear in the axes; `x` and `y` as the scanning goes."""
    with open(path, "wb") as out:
        for hour in hours:
            for component, name in enumerate(component_of):
                message = eccodes.codes_grib_new_from_samples(sample)
                for key, value in settings.items():
                    eccodes.codes_set(message, key, value)
                eccodes.codes_set(message, "dataDate", date)
                eccodes.codes_set(message, "dataTime", 0)
                eccodes.codes_set(message, "forecastTime", hour)
                eccodes.codes_set(message, "shortName", name)
                eccodes.codes_set(message, "bitsPerValue", 24)
                values = linear(x[None, :], y[:, None], hour, component) + add
                eccodes.codes_set_values(message, values.ravel())
                eccodes.codes_write(message, out)
                eccodes.codes_release(message)
    return path


REGULAR = {
    "Ni": 9,
    "Nj": 7,
    "latitudeOfFirstGridPointInDegrees": 23.0,
    "latitudeOfLastGridPointInDegrees": 20.0,
    "longitudeOfFirstGridPointInDegrees": 120.0,
    "longitudeOfLastGridPointInDegrees": 124.0,
    "iDirectionIncrementInDegrees": 0.5,
    "jDirectionIncrementInDegrees": 0.5,
}
X, Y = np.arange(0, 4.1, 0.5), np.arange(3, -0.1, -0.5)


def test_grib_of_a_plain_grid(tmp_path):
    path = imported(tmp_path / "wind.nc", write_grib(tmp_path / "a.grib2", REGULAR, X, Y))
    found = winds_at(path, [PLACE, (123.9, 22.1)], hours=(0, 2, 6))
    for t, hour in enumerate((0, 2, 6)):
        for i, (x, y) in enumerate(((1.3, 0.7), (3.9, 2.1))):
            for component in (0, 1):
                assert found[t, i, component] == pytest.approx(linear(x, y, hour, component), abs=2e-6)
    with netCDF4.Dataset(path) as data:
        assert (
            data.groundswell_build.startswith("Groundswell ") and "netCDF4-python" in data.groundswell_build
        )


def test_of_two_forecasts_for_one_time_the_newer_one_holds(tmp_path):
    old = write_grib(tmp_path / "old.grib2", REGULAR, X, Y, hours=(24, 27, 30), date=20240902, add=50.0)
    new = write_grib(tmp_path / "new.grib2", REGULAR, X, Y, hours=(0, 3))
    found = winds_at(imported(tmp_path / "wind.nc", new, old), [PLACE])
    assert found[0, 0, 0] == pytest.approx(linear(1.3, 0.7, 0, 0), abs=1e-5)
    assert found[2, 0, 0] == pytest.approx(linear(1.3, 0.7, 30, 0) + 50.0, abs=1e-5)


def mapped_settings(kind):
    """Settings of a grid, the steps of its axes from the first point (in its units), and a projection of PROJ."""
    first = {"latitudeOfFirstGridPointInDegrees": 20.0, "longitudeOfFirstGridPointInDegrees": 120.0}
    size = {"Nx": 9, "Ny": 7, "DxInMetres": 50000, "DyInMetres": 50000, "jScansPositively": 1, **first}
    flags = {"resolutionAndComponentFlags": 8, "shapeOfTheEarth": 6}
    if kind == "lambert":
        settings = {
            "gridType": kind,
            **size,
            "LoVInDegrees": 125,
            "LaDInDegrees": 25,
            "Latin1InDegrees": 25,
            "Latin2InDegrees": 30,
        }
        text = "+proj=lcc +lat_1=25 +lat_2=30 +lat_0=25 +lon_0=125 +R=6371229"
    else:
        settings = {"gridType": kind, **size, "orientationOfTheGridInDegrees": 110, "LaDInDegrees": 60}
        text = "+proj=stere +lat_0=90 +lat_ts=60 +lon_0=110 +R=6371229"
    crs = pyproj.CRS.from_proj4(text)
    return {**settings, **flags}, pyproj.Transformer.from_crs(crs.geodetic_crs, crs, always_xy=True), crs


@pytest.mark.parametrize("kind", ["lambert", "polar_stereographic"])
def test_grib_of_a_projected_grid(tmp_path, kind):
    """Components along the grid come back towards true east and north; both by PROJ's own factors."""
    settings, change, crs = mapped_settings(kind)
    x, y = np.arange(9.0), np.arange(7.0)
    path = imported(tmp_path / "wind.nc", write_grib(tmp_path / "a.grib2", settings, x, y))
    corner = np.array(change.transform(120.0, 20.0))
    inside = corner + [[3.3e5, 1.7e5], [0.4e5, 2.9e5]]
    places = [change.transform(*point, direction="INVERSE") for point in inside]
    found = winds_at(path, places)
    for i, (point, place) in enumerate(zip(inside, places)):
        steps = (point - corner) / 50000
        along = np.array([linear(*steps, 3, component) for component in (0, 1)])
        turn = np.radians(pyproj.Proj(crs).get_factors(*place).meridian_convergence)
        # Grid north lies `turn` clockwise of true north.
        true = [along @ [np.cos(turn), np.sin(turn)], along @ [-np.sin(turn), np.cos(turn)]]
        assert found[1, i] == pytest.approx(true, abs=5e-6)


def test_grib_of_a_rotated_grid(tmp_path):
    """The pole's own columns: along the meridian of the rotated pole the rotated axes are the true ones."""
    settings = {
        "latitudeOfSouthernPoleInDegrees": -40,
        "longitudeOfSouthernPoleInDegrees": 120,
        "Ni": 9,
        "Nj": 7,
        "latitudeOfFirstGridPointInDegrees": 3.0,
        "latitudeOfLastGridPointInDegrees": 0.0,
        "longitudeOfFirstGridPointInDegrees": 358.0,
        "longitudeOfLastGridPointInDegrees": 2.0,
        "iDirectionIncrementInDegrees": 0.5,
        "jDirectionIncrementInDegrees": 0.5,
        "uvRelativeToGrid": 1,
    }
    grib = write_grib(tmp_path / "a.grib2", settings, X, Y, sample="rotated_ll_sfc_grib2")
    found = winds_at(imported(tmp_path / "wind.nc", grib), [(120.0, 51.3)])
    assert found[0, 0] == pytest.approx([linear(2.0, 1.3, 0, c) for c in (0, 1)], abs=5e-6)


def write_part(path, hours, names=("u10", "v10"), add=0.0, expver=None):
    with netCDF4.Dataset(path, "w") as data:
        sizes = {"valid_time": len(hours), **({"expver": 2} if expver else {}), "latitude": 7, "longitude": 9}
        for name, length in sizes.items():
            data.createDimension(name, length)
        for name, unit, values in (
            ("latitude", "degrees_north", 20 + Y),
            ("longitude", "degrees_east", 120 + X),
        ):
            variable = data.createVariable(name, "f8", (name,))
            variable.units = unit
            variable[:] = values
        time = data.createVariable("valid_time", "i8", ("valid_time",))
        time.units, time.standard_name = "hours since 2024-09-03", "time"
        time[:] = hours
        for component, name in enumerate(("u10", "v10")):
            if name not in names:
                continue
            variable = data.createVariable(name, "f4", tuple(sizes), fill_value=np.nan)
            variable.units = "m s**-1"
            for i, hour in enumerate(hours):
                values = linear(X[None, :], Y[:, None], hour, component) + add
                if expver:
                    variable[i, 0 if hour < expver else 1] = values
                else:
                    variable[i] = values
    return path


def check_linear(path):
    found = winds_at(path, [PLACE], hours=(0, 2, 6))
    for t, hour in enumerate((0, 2, 6)):
        assert found[t, 0] == pytest.approx([linear(1.3, 0.7, hour, c) for c in (0, 1)], abs=3e-6)


def test_components_and_months_in_files_of_their_own(tmp_path):
    files = [
        write_part(tmp_path / "v.nc", HOURS, names=("v10",)),
        write_part(tmp_path / "u-late.nc", (6,), names=("u10",)),
        write_part(tmp_path / "u-early.nc", (0, 3), names=("u10",)),
    ]
    check_linear(imported(tmp_path / "wind.nc", *files))


def test_preliminary_and_final_values_are_one_wind_to_both_readers(tmp_path):
    mixed = write_part(tmp_path / "mixed.nc", HOURS, expver=4)
    check_linear(mixed)  # the model itself
    check_linear(imported(tmp_path / "wind.nc", mixed))


def test_an_archive_of_the_climate_data_store(tmp_path):
    with zipfile.ZipFile(tmp_path / "download.nc", "w") as archive:
        archive.write(write_part(tmp_path / "u.nc", HOURS, names=("u10",)), "data/u.nc")
        archive.write(write_part(tmp_path / "v.nc", HOURS, names=("v10",)), "../v.nc")
    check_linear(imported(tmp_path / "wind.nc", tmp_path / "download.nc"))


def test_what_is_missing_is_named(tmp_path):
    u = write_part(tmp_path / "u.nc", HOURS, names=("u10",))
    v = write_part(tmp_path / "v.nc", HOURS[:2], names=("v10",))
    ask = lambda *words: groundswell("import", "wind", *words, "--output", tmp_path / "wind.nc")  # noqa: E731
    refused(ask(u, v), "u.nc", "2024-09-03T06:00:00", "northward_wind")
    (tmp_path / "text.nc").write_text("no wind")
    refused(ask(tmp_path / "text.nc"), "text.nc", "GRIB, NetCDF")
    refused(ask(u, "--storm", "YAGI"), "--storm", "winds")
    refused(ask(tmp_path / "none.nc"), "none.nc", "is there")
    refused(groundswell("import", "winds"), "did you mean 'wind'")
    assert not (tmp_path / "wind.nc").exists() and not (tmp_path / "wind.nc.part").exists()


DECK = "WP, 12, {}, {}, {}, {:3d}, {}N, 1200E, {:3d},  960, TY,  34, NEQ,  120,  110,    0,  110, 1006,  200,  25,\n"


def test_a_best_track_and_its_forecast_become_a_table(tmp_path):
    best = "".join(DECK.format(f"20240903{h:02d}", "  ", "BEST", 0, 150 + h, 60) for h in (0, 6))
    ahead = "".join(DECK.format("2024090306", "03", "OFCL", h, 156 + h, 70 + h) for h in (0, 12, 24))
    (tmp_path / "b.dat").write_text(best)
    (tmp_path / "a.dat.gz").write_bytes(gzip.compress(ahead.encode()))
    outcome = groundswell(
        "import", "wind", tmp_path / "b.dat", tmp_path / "a.dat.gz", "--technique", "OFCL",
        "--output", tmp_path / "t.csv", "--json", tmp_path / "told.json",
    )  # fmt: skip
    assert outcome.code == 0, outcome.stderr
    rows = [line.split(",") for line in (tmp_path / "t.csv").read_text().splitlines()[1:]]
    assert rows[0][:8] == ["time", "lat", "lon", "vmax_kt", "pmin_hpa", "poci_hpa", "rmw_nm", "r34_ne_nm"]
    assert [row[0] for row in rows[1:]] == [
        "2024-09-03T00:00:00Z", "2024-09-03T06:00:00Z", "2024-09-03T18:00:00Z", "2024-09-04T06:00:00Z"
    ]  # fmt: skip
    assert rows[0][-1] == "stage" and rows[3][-1] == "TY"
    assert rows[3][1:11] == ["16.8", "120", "82", "960", "1006", "25", "120", "110", "0", "110"]
    assert json.loads((tmp_path / "told.json").read_text())["result"]["fixes"] == 4


def test_one_storm_of_an_archive(tmp_path):
    text = "AL092011,              IRENE,      2,\n"
    fix = "201108{}, {}, {}, TS, 15.0N,  59.0W,  45, 1006,  105,    0,    0,   45,    0,    0,    0,    0, -999, -999, -999, -999,\n"
    text += fix.format("21", "0000", " ") + fix.format("21", "0600", "L")
    text += (
        "AL102011,                TEN,      2,\n"
        + fix.format("25", "0000", " ")
        + fix.format("25", "0600", " ")
    )
    (tmp_path / "hurdat2.txt").write_text(text)
    imported(tmp_path / "irene.csv", tmp_path / "hurdat2.txt", "--storm", "Irene 2011")
    assert "2011-08-21T06:00:00Z,15,-59,45,1006" in (tmp_path / "irene.csv").read_text()
    refused(
        groundswell("import", "wind", tmp_path / "hurdat2.txt", "--output", tmp_path / "x.csv"),
        "IRENE 2011 (AL092011)",
    )
