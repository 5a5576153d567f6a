"""Means, maxima and minima of an interval are those of its moments, however a run is made and where it was interrupted."""

import shutil

import netCDF4
import numpy as np
import pytest
from launching import assert_same, groundswell, refused, run, storm_case, write_case

FIELDS = ["hs", "tp", "u10", "hmax"]
STATISTICS = {"mean": np.mean, "maximum": np.max, "minimum": np.min}
FILES = ["moments.nc", *(f"{name}.nc" for name in STATISTICS), "bearings.nc"]
BETWEEN = "restart_20240906T034000.nc"  # in the middle of an interval


@pytest.fixture(scope="module")
def whole(tmp_path_factory, coast_mesh, wind_file):
    folder = tmp_path_factory.mktemp("statistics")
    table = storm_case(coast_mesh, wind_file, hours=2)
    table["time"]["source_step"] = "5min"
    table["output"] = {
        "map": [
            {"file": "moments.nc", "every": "5min", "fields": [*FIELDS, "dir"]},
            *(
                {"file": f"{name}.nc", "every": "30min", "fields": FIELDS, "statistic": name}
                for name in STATISTICS
            ),
            {"file": "bearings.nc", "every": "1h", "fields": ["dir"], "statistic": "mean"},
        ],
        "restart": {"every": "40min", "keep": 0},
    }
    case = write_case(folder / "case.toml", table)
    run(case, "--output", folder / "whole", ranks=2)
    return case, folder / "whole"


def moments(whole, field):
    """[records, cells] of each source step, the first of the start."""
    with netCDF4.Dataset(whole[1] / "moments.nc") as file:
        return file["time"][:], np.ma.filled(file[field][:].astype(float), np.nan)


@pytest.mark.parametrize("name", STATISTICS)
def test_a_record_is_of_the_moments_since_the_one_before(whole, name):
    with netCDF4.Dataset(whole[1] / f"{name}.nc") as file:
        for field in FIELDS:
            time, values = moments(whole, field)
            assert file[field].cell_methods == f"time: {name}"
            found = np.ma.filled(file[field][:].astype(float), np.nan)
            assert len(found) == 5
            assert found[0] == pytest.approx(values[0], nan_ok=True)
            for record in range(1, 5):
                part = values[6 * (record - 1) + 1 : 6 * record + 1]
                assert found[record] == pytest.approx(STATISTICS[name](part, axis=0), rel=1e-6, nan_ok=True)
        assert file["time"].bounds == "time_bounds"
        bounds = file["time_bounds"][:]
        assert list(bounds[:, 1]) == list(file["time"][:])
        assert list(bounds[0]) == [time[0]] * 2 and np.all(np.diff(bounds[1:]) == 1800.0)


def test_bearings_are_averaged_around_the_circle(whole):
    _, values = moments(whole, "dir")
    with netCDF4.Dataset(whole[1] / "bearings.nc") as file:
        found = np.ma.filled(file["dir"][2].astype(float), np.nan)
    way = np.nanmean(np.exp(1j * np.radians(values[13:25])), axis=0)
    away = np.angle(np.exp(1j * np.radians(found)) / way, deg=True)
    known = np.isfinite(found)
    assert known.sum() > 500 and np.abs(away[known]).max() < 1e-3


@pytest.mark.parametrize("ranks", [1, 3])
def test_a_restart_within_an_interval_goes_on_with_it(whole, tmp_path, ranks):
    case, reference = whole
    copy = tmp_path / "copy"
    shutil.copytree(reference, copy)
    run(case, "--output", copy, "--restart", copy / BETWEEN, ranks=ranks)
    assert_same(copy, reference, FILES)


def test_a_restart_without_what_was_gathered_is_refused_within_an_interval_alone(whole, tmp_path):
    case, reference = whole
    copy = tmp_path / "copy"
    shutil.copytree(reference, copy)
    other = ("--output", copy, "--set", "output.map.1.statistic=minimum", "--set", "output.map.1.every=20min")
    said = refused(
        groundswell("run", case, *other, "--restart", copy / BETWEEN, "--set", "output.map.1.every=1h")
    )
    assert "output.map[].statistic = minimum: expected a restart file with the minimum of hs so far" in said
    run(case, *other, "--check", "--restart", copy / BETWEEN)


@pytest.mark.parametrize(("field", "statistic"), [("dir", "maximum"), ("uforce", "mean")])
def test_what_has_no_such_statistic_is_refused(whole, tmp_path, field, statistic):
    settings = (f'output.map.1.fields=["{field}"]', f"output.map.1.statistic={statistic}")
    said = refused(
        groundswell(
            "run", whole[0], "--check", "--output", tmp_path, *(w for s in settings for w in ("--set", s))
        )
    )
    assert f"output.map[].fields = {field}: expected a field with a {statistic} for mean.nc" in said
