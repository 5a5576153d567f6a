"""Forecast cycles: each starts from the restart file that an earlier run left for its start."""

import netCDF4
import numpy as np
import pytest
from launching import (
    groundswell,
    moment,
    refused,
    run,
    storm_case,
    write_case,
)

RESTART = "restart_20240906T060000.nc"


@pytest.fixture(scope="module")
def first_cycle(tmp_path_factory, coast_mesh, wind_file):
    """Six hours from 03:00, with a restart at 06:00."""
    folder = tmp_path_factory.mktemp("cycles")
    table = storm_case(coast_mesh, wind_file, hours=6)
    table["output"]["restart"] = {"every": "3h"}
    run(write_case(folder / "first.toml", table), "--output", folder / "first", ranks=2)
    return folder / "first"


def second_cycle(folder, mesh, wind, restart, start_hour=6):
    table = storm_case(mesh, wind, hours=3)
    table["time"]["start"] = moment(start_hour)
    table["time"]["end"] = moment(start_hour + 3)
    table["initial"] = {"state": "restart", "file": restart}
    table["output"]["restart"] = {"every": "3h"}
    return write_case(folder / "second.toml", table)


@pytest.mark.parametrize("ranks", [1, 3])
def test_a_cycle_goes_on_where_the_one_before_stood(tmp_path, first_cycle, coast_mesh, wind_file, ranks):
    """Where both take the same steps under the same wind, the second gives the very numbers of the first."""
    case = second_cycle(tmp_path, coast_mesh, wind_file, first_cycle / RESTART)
    run(case, "--output", tmp_path / "second", ranks=ranks)
    for name, fields in (("hourly.nc", ["hs", "tm01", "tp", "ustar"]), ("spectra.nc", ["efth"])):
        with (
            netCDF4.Dataset(tmp_path / "second" / name) as data,
            netCDF4.Dataset(first_cycle / name) as whole,
        ):
            times = [list(whole["time"][:]).index(time) for time in data["time"][:]]
            assert len(times) == 4
            for field in fields:
                assert np.array_equal(data[field][:], whole[field][:][times]), field
                assert float(np.ptp(data[field][:])) > 0.0


def test_a_sea_of_another_time_or_mesh_is_refused(tmp_path, first_cycle, coast_mesh, sphere_mesh, wind_file):
    case = second_cycle(tmp_path, coast_mesh, wind_file, first_cycle / RESTART, start_hour=7)
    refused(
        groundswell("run", case), RESTART, "time = 2024-09-06T06:00:00Z", "time.start = 2024-09-06T07:00:00Z"
    )
    case = second_cycle(tmp_path, sphere_mesh, wind_file, first_cycle / RESTART)
    refused(groundswell("run", case, ranks=2), RESTART, "nFace", "642 sea cells")
    case = second_cycle(tmp_path, coast_mesh, wind_file, tmp_path / "none.nc")
    refused(groundswell("run", case), "none.nc")
