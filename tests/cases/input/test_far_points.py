"""Points that lie in no sea cell, and cells that a mesh marks as land: nobody takes them for what they are not unawares."""

import shutil

import netCDF4
import pytest
from launching import groundswell, refused, storm_case, write_case


def check(folder, mesh, wind, at, **more):
    table = storm_case(mesh, wind, hours=1)
    table["output"] = {"points": [{"file": "p.nc", "every": "1h", "at": at, "fields": ["hs"], **more}]}
    return groundswell("run", write_case(folder / "case.toml", table), "--check", ranks=more.pop("ranks", 0))


def warnings(outcome):
    assert outcome.code == 0, outcome.stderr
    return [line for line in outcome.stderr.splitlines() if "warning" in line and "spectrum" not in line]


@pytest.mark.parametrize("place", [[18.0, 56.0], [-112.0, 18.0]], ids=["exchanged", "sign"])
def test_a_point_of_another_sea_is_refused(coast_mesh, wind_file, tmp_path, place):
    message = refused(
        check(tmp_path, coast_mesh, wind_file, [[112.0, 18.0], place], names=["sound", "wrong"]),
        "output.points[].at",
        f"[{place[0]:g}, {place[1]:g}] (wrong)",
        "[longitude, latitude]",
        "km away",
    )
    assert "sound" not in message


def test_a_point_on_land_is_named_and_a_key_takes_it(coast_mesh, wind_file, tmp_path):
    """The middle of Hainan lies about 70 km from the nearest sea cells, which are about 12 km wide there."""
    hainan, sea = [109.8, 19.2], [112.0, 18.0]
    refused(check(tmp_path, coast_mesh, wind_file, [sea, hainan]), "[109.8, 19.2] (P2)", "reach = ")
    found = warnings(check(tmp_path, coast_mesh, wind_file, [sea, hainan], reach=20.0))
    assert len(found) == 1 and "point P2 at [109.8, 19.2] is in no sea cell" in found[0]
    assert not warnings(check(tmp_path, coast_mesh, wind_file, [sea]))


def test_cells_marked_as_land_are_counted(coast_mesh, wind_file, tmp_path):
    mesh = tmp_path / "marked.nc"
    shutil.copy(coast_mesh, mesh)
    with netCDF4.Dataset(mesh, "a") as data:
        for name, land in (("cullCell", 1), ("maxLevelCell", 0)):
            mark = data.createVariable(name, "i4", ("nCells",))
            mark[:] = 1 - land
            mark[10:17] = land
    found = warnings(check(tmp_path, mesh, wind_file, [[112.0, 18.0]]))
    assert (
        len(found) == 1 and "7 cells that it marks as land (cullCell, maxLevelCell) count as sea" in found[0]
    )
