"""Statistics of an ensemble are those of its members, cell by cell and time by time."""

import shutil

import netCDF4
import numpy as np
import pytest
from plot_files import squares, write_map

from groundswell import ensemble_cli, plot_cli
from groundswell.ensemble import mean_and_spread, mean_and_spread_of_bearings, probability
from groundswell.plot.map_file import MapFile

MEMBERS = 5


@pytest.fixture
def members(tmp_path):
    """Maps whose heights are those of the first one times 1, 1.1, …, and whose waves come from 350°, 355°, 0°, 5° and 10°."""

    first = write_map(tmp_path / "member_0.nc")
    paths = [first]
    for k in range(1, MEMBERS):
        paths.append(shutil.copy(first, tmp_path / f"member_{k}.nc"))
    for k, path in enumerate(paths):
        with netCDF4.Dataset(path, "a") as file:
            file["hs"][:] = file["hs"][:] * (1 + 0.1 * k)
            file["dir"][:] = (350.0 + 5.0 * k) % 360.0
    return [str(path) for path in paths]


def test_mean_spread_and_probability_are_those_of_the_members(tmp_path, members):
    path = tmp_path / "all.nc"
    assert ensemble_cli.main([*members, "--above", "hs:4,6.5", "--output", str(path), "--quiet"]) == 0
    values = np.stack([np.stack(list(MapFile(m, calm=0).each("hs", range(4)))) for m in members])
    found = MapFile(path, calm=0)
    read = lambda name: np.stack(list(found.each(name, range(4))))  # noqa: E731
    assert read("hs_mean") == pytest.approx(values.mean(axis=0), rel=1e-6)
    assert read("hs_spread") == pytest.approx(values.std(axis=0, ddof=1), rel=1e-5)
    assert np.array_equal(read("hs_above_4"), (values > 4.0).mean(axis=0).astype(np.float32))
    assert np.array_equal(read("hs_above_6p5"), (values > 6.5).mean(axis=0).astype(np.float32))
    assert set(np.unique(read("hs_above_6p5"))) > {0.0, np.float32(0.4)}
    away = np.abs((read("dir_mean") + 180.0) % 360.0 - 180.0)
    assert away.max() < 1e-3  # north, not the arithmetic mean of 350 and 10
    assert found.fields["dir_mean"].bearing and not found.fields["dir_spread"].bearing


def test_a_map_of_it_can_be_drawn(tmp_path, members):
    path = tmp_path / "all.nc"
    assert ensemble_cli.main([*members, "--above", "hs:6", "--output", str(path), "--quiet"]) == 0
    picture = tmp_path / "risk.png"
    assert (
        plot_cli.main(["map", str(path), "--field", "hs_above_6", "--maximum", "--output", str(picture)]) == 0
    )
    assert picture.stat().st_size > 20_000


def test_what_is_missing_counts_as_calm_and_not_as_a_value():
    values = np.array([[1.0, np.nan, np.nan], [3.0, 5.0, np.nan], [5.0, np.nan, np.nan]])
    mean, spread = mean_and_spread(values)
    assert mean[:2].tolist() == [3.0, 5.0] and spread[0] == 2.0
    assert np.isnan([mean[2], spread[1], spread[2]]).all()
    above = probability(values, 2.0)
    assert above[:2] == pytest.approx([2 / 3, 1 / 3]) and np.isnan(above[2])


def test_the_spread_of_bearings_is_that_of_small_angles_and_knows_no_north():
    """√(2 (1 − r)) is the standard deviation, N below the sum, where angles are small."""
    for middle in (0.0, 123.0):
        angles = middle + np.array([[-4.0], [-2.0], [0.0], [2.0], [4.0]])
        mean, spread = mean_and_spread_of_bearings(angles % 360.0)
        assert (mean[0] - middle + 180.0) % 360.0 - 180.0 == pytest.approx(0.0, abs=1e-9)
        assert spread[0] == pytest.approx(np.std(angles), rel=1e-3)


def test_members_that_do_not_belong_together_are_refused(tmp_path, members, capsys):
    other = write_map(tmp_path / "other.nc", grid=squares(east=121.0))
    later = write_map(tmp_path / "later.nc", records=3)
    for wrong, word in ((other, "mesh_face_lon"), (later, "time = 3 times")):
        assert ensemble_cli.main([members[0], str(wrong), "--output", str(tmp_path / "a.nc")]) == 2
        said = capsys.readouterr().err
        assert word in said and wrong.name in said, said
    assert ensemble_cli.main([members[0], "--output", str(tmp_path / "a.nc")]) == 2
    assert "two or more members" in capsys.readouterr().err
    for above, word in (("hs", "hs:4,6,9"), ("hz:4", "hs"), ("hs:high", "hs:4,6,9")):
        assert ensemble_cli.main([*members, "--above", above, "--output", str(tmp_path / "a.nc")]) == 2
        assert word in capsys.readouterr().err
    assert not (tmp_path / "a.nc").exists()
