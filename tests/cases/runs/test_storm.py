"""A storm over an ocean of even depth: what a wave model must make of a hurricane."""

import math

import netCDF4
import numpy as np
import pytest
from launching import groundswell, run, write_case

LATITUDE = 20.0
HOURS = 24
SPEED = 5.0  # m/s, towards the west
KNOT = 1852 / 3600


def write_track(path):
    """A storm of 50 m/s, strongest at 40 km, with 34 knots at 300 km on all sides."""
    degrees_an_hour = SPEED * 3600 / (6371229 * math.cos(math.radians(LATITUDE))) * 180 / math.pi
    rows = ["time,lat,lon,vmax_kt,pmin_hpa,poci_hpa,rmw_nm,r34_ne_nm,r34_se_nm,r34_sw_nm,r34_nw_nm"]
    for hour in range(0, HOURS + 1, 6):
        radii = ",".join(["162"] * 4)
        rows.append(
            f"2000-09-{1 + hour // 24:02d}T{hour % 24:02d}:00:00Z,{LATITUDE},{8 - degrees_an_hour * hour:.4f},"
            f"{50 / KNOT:.2f},940,1008,21.6,{radii}"
        )
    path.write_text("\n".join(rows) + "\n")


@pytest.mark.long
def test_a_storm_of_fifty_metres_a_second_raises_what_parametric_models_say(tmp_path):
    """Young (1988, doi:10.1061/(ASCE)0733-950X(1988)114:5(603)) and its successors give 13 to 15 m; a day is not
    quite enough to reach it, so from 12.3 m. No roughness limit: the height comes from the bounded wave stress."""
    mesh = tmp_path / "mesh.nc"
    made = groundswell(
        "mesh",
        "make",
        "--region=-2,14,15,25",
        "--depth",
        "4000",
        "--spacing",
        "16",
        "--output",
        mesh,
        "--quiet",
        seconds=600,
    )
    assert made.code == 0, made.stderr
    write_track(tmp_path / "storm.csv")
    case = {
        "time": {"start": "START", "end": "END"},
        "mesh": {"file": mesh},
        "spectrum": {"directions": 24, "frequencies": 30},
        "wind": [
            {"uniform": [0.0, 0.0]},
            {"vortex": tmp_path / "storm.csv", "wind_factor": 1.0, "radii_factor": 1.0},
        ],
        "initial": {"state": "calm"},
        "output": {"map": [{"file": "waves.nc", "every": "1h", "fields": ["hs", "u10", "v10", "ustar"]}]},
    }
    path = write_case(tmp_path / "case.toml", case)
    text = (
        path.read_text().replace('"START"', "2000-09-01T00:00:00Z").replace('"END"', "2000-09-02T00:00:00Z")
    )
    path.write_text(text)
    run(path, "--output", tmp_path / "out", ranks=2, seconds=1800)
    with netCDF4.Dataset(tmp_path / "out/waves.nc") as waves:
        heights = waves["hs"][:]
        wind = np.hypot(waves["u10"][:], waves["v10"][:])
        drag = (waves["ustar"][:] / np.maximum(wind, 1.0)) ** 2
    assert 45.0 < wind.max() < 51.0
    assert 12.3 < heights.max() < 16.0
    assert drag[wind > 30.0].max() < 3.5e-3
