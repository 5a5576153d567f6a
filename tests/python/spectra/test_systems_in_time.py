"""`groundswell export systems`: swells that pass each other in height keep their place and number."""

import netCDF4
import numpy as np
import pytest

from groundswell.errors import Refusal
from groundswell.export.systems import command_line

NAMES = [[f"{part}_part{n}" for part in ("hs", "tm01", "dir")] for n in (1, 2, 3)]


def write_series(path, seas):
    """`seas`: for each record the swells of the one point, as (hs, tm01, dir) in any order."""
    with netCDF4.Dataset(path, "w") as data:
        data.createDimension("time", None)
        data.createDimension("station", 1)
        for name in ["time", *(name for row in NAMES for name in row)]:
            made = data.createVariable(
                name, "f4", ("time",) if name == "time" else ("time", "station"), fill_value=9e36
            )
            made.long_name = f"{name}, a swell"
        data["time"][:] = np.arange(len(seas))
        for t, sea in enumerate(seas):
            for row, swell in zip(NAMES, sorted(sea, reverse=True)):
                for name, value in zip(row, swell):
                    data[name][t, 0] = value
            for row in NAMES[len(sea) :]:
                data[row[0]][t, 0] = 0.0
    return path


def ordered(path):
    command_line([str(path), str(path.with_suffix(".out.nc")), "--overwrite", "--quiet"])
    with netCDF4.Dataset(path.with_suffix(".out.nc")) as data:
        values = np.array([[np.ma.filled(data[name][:, 0], np.nan) for name in row] for row in NAMES])
        number = np.array([np.ma.filled(data[f"system_part{n}"][:, 0], 0) for n in (1, 2, 3)])
    return values, number


def rising(t):
    return 1.0 + 0.2 * t, 8.0 + 0.1 * t, (350.0 + 2.0 * t) % 360.0


def falling(t):
    return 3.0 - 0.2 * t, 14.0 - 0.2 * t, 200.0


def test_swells_that_pass_each_other_in_height_keep_their_place(tmp_path):
    """One rises and turns through north, one falls; a third is there for three records and takes no place of theirs."""
    third = {t: (0.5, 6.0, 90.0) for t in (3, 4, 5)}
    seas = [[rising(t), falling(t), *([third[t]] if t in third else [])] for t in range(11)]
    values, number = ordered(write_series(tmp_path / "series.nc", seas))
    for place, swell in ((0, falling), (1, rising)):
        assert values[place].T == pytest.approx(np.array([swell(t) for t in range(11)]), rel=1e-6)
        assert (number[place] == place + 1).all()
    assert list(number[2]) == [3 if t in third else 0 for t in range(11)]
    assert (values[2][0][number[2] == 0] == 0).all() and np.isnan(values[2][1][number[2] == 0]).all()
    # What comes later changes nothing of it.
    begun, first = ordered(write_series(tmp_path / "begun.nc", seas[:6]))
    np.testing.assert_array_equal(begun, values[:, :, :6])
    np.testing.assert_array_equal(first, number[:, :6])


def test_a_swell_that_is_missing_once_comes_back_and_another_one_is_new(tmp_path):
    other = (2.0, 14.0, 20.0)  # from the other side
    seas = [[falling(0)], [], [falling(2)], [], [], [falling(5)], [other]]
    _, number = ordered(write_series(tmp_path / "series.nc", seas))
    assert number.max(axis=0).tolist() == [1, 0, 1, 0, 0, 2, 3]


def test_a_file_without_swells_is_refused(tmp_path):
    with netCDF4.Dataset(tmp_path / "map.nc", "w") as data:
        data.createDimension("time", None)
    with pytest.raises(Refusal, match="hs_part1"):
        command_line([str(tmp_path / "map.nc"), str(tmp_path / "out.nc")])
    write_series(tmp_path / "series.nc", [[falling(0)]])
    (tmp_path / "there.nc").touch()
    with pytest.raises(Refusal, match="--overwrite"):
        command_line([str(tmp_path / "series.nc"), str(tmp_path / "there.nc")])
