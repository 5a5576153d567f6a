"""Currents and levels as the services write them: layouts, components apart, gaps, one over another, and what is refused."""

import netCDF4
import numpy as np
import pytest
from launching import groundswell, moment, refused, run, write_case
from ocean import HOURS, LATITUDE, LONGITUDE, write_hycom, write_ocean

EAST, NORTH = np.meshgrid(LONGITUDE, LATITUDE)


def field(of):
    """of(hour, longitude, latitude) at all times."""
    return np.stack([of(hour, EAST, NORTH) + 0.0 * EAST for hour in HOURS])


def eastward(hour, lon, lat):
    return 0.5 + 0.02 * hour + 0.03 * (lon - 112) - 0.02 * (lat - 17)


def northward(hour, lon, lat):
    return -0.3 + 0.01 * hour - 0.02 * (lon - 112)


def calm_case(mesh, **more):
    return {
        "time": {"start": moment(3), "end": moment(4)},
        "mesh": {"file": mesh},
        "spectrum": {"directions": 8, "frequencies": 5, "first_frequency": 0.08, "ratio": 1.2},
        "initial": {"state": "calm"},
        "physics": {"package": "none"},
        "propagation": {"scheme": "upwind"},
        "output": {"map": [{"file": "map.nc", "every": "1h", "fields": ["ucur", "vcur", "level"]}]},
    } | more


def fields_of(mesh, tmp_path, **more):
    run(write_case(tmp_path / "case.toml", calm_case(mesh, **more)), "--overwrite")
    with netCDF4.Dataset(tmp_path / "output/map.nc") as data:
        names = ("mesh_face_lon", "mesh_face_lat", "ucur", "vcur", "level")
        return [np.asarray(data[name][:], float) for name in names]


def test_components_and_levels_in_files_of_their_own_are_found_by_what_they_are(coast_mesh, tmp_path):
    write_hycom(tmp_path / "u.nc", ["water_u"], [field(eastward)], longitude=LONGITUDE + 360)
    write_hycom(tmp_path / "v.nc", ["water_v"], [field(northward)], longitude=LONGITUDE + 360)
    write_hycom(
        tmp_path / "ssh.nc", ["surf_el"], [field(lambda hour, lon, lat: 0.1 * hour + 0.05 * (lat - 17))]
    )
    lon, lat, u, v, level = fields_of(
        coast_mesh, tmp_path, current=[{"file": "[uv].nc"}], water_level=[{"file": "ssh.nc"}]
    )
    for record, hour in enumerate((3, 4)):
        assert u[record] == pytest.approx(eastward(hour, lon, lat), abs=1e-3)
        assert v[record] == pytest.approx(northward(hour, lon, lat), abs=1e-3)
        assert level[record] == pytest.approx(0.1 * hour + 0.05 * (lat - 17), abs=1e-3)


def test_a_unit_that_a_file_leaves_out_is_stated(coast_mesh, tmp_path):
    write_hycom(tmp_path / "ocean.nc", ["water_u", "water_v"], [10 * field(eastward), 10 * field(northward)])
    with netCDF4.Dataset(tmp_path / "ocean.nc", "a") as data:
        for name in ("water_u", "water_v"):
            data[name].delncattr("units")
    entry = {"file": "ocean.nc", "units": "cm/s"}
    lon, lat, u, v, _ = fields_of(coast_mesh, tmp_path, current=[entry])
    assert u[0] == pytest.approx(0.1 * eastward(3, lon, lat), abs=1e-4)
    assert v[0] == pytest.approx(0.1 * northward(3, lon, lat), abs=1e-4)
    case = write_case(tmp_path / "case.toml", calm_case(coast_mesh, current=[{"file": "ocean.nc"}]))
    refused(groundswell("run", case, "--check"), "ocean.nc", "water_u:units", "current[].units")


def test_gaps_are_land_or_filled_as_the_case_says(coast_mesh, tmp_path):
    """A hole of 5° × 3° where the level is 1 m elsewhere: around it what there is, within it 0 or the nearest value."""
    hole = lambda hour, lon, lat: np.where((np.abs(lon - 114) < 2.6) & (np.abs(lat - 17) < 1.6), np.nan, 1.0)  # noqa: E731
    write_hycom(tmp_path / "ssh.nc", ["surf_el"], [field(hole)])
    for gaps, inside in ((None, 0.0), ("nearest", 1.0), ("zero", 0.0)):
        entry = {"file": "ssh.nc"} | ({"gaps": gaps} if gaps else {})
        lon, lat, _, _, level = fields_of(coast_mesh, tmp_path, water_level=[entry])
        within = (np.abs(lon - 114) < 2.4) & (np.abs(lat - 17) < 1.4)
        beyond = (np.abs(lon - 114) > 3.1) | (np.abs(lat - 17) > 2.1)
        assert within.any() and level[0][within] == pytest.approx(inside, abs=1e-3), gaps
        assert level[0][beyond] == pytest.approx(1.0, abs=1e-3), gaps
        # Half a cell of the grid around the hole is of its neighbours; with zeros it slopes down to them.
        between = level[0][~within & ~beyond]
        assert (between.min() < 0.9) == (gaps == "zero") or gaps is None


def test_a_region_stands_over_the_ocean_around_it(coast_mesh, tmp_path):
    """Inside its own current, outside the other one, in its rim between them; where it has land the other one holds as well."""
    lon, lat = np.arange(108.0, 116.01, 0.5), np.arange(13.0, 20.01, 0.5)
    x, y = np.meshgrid(lon, lat)
    own = np.where((x > 113.9) & (y > 17.9), np.nan, 1.0)
    own = np.stack([own for _ in HOURS])
    write_hycom(tmp_path / "region.nc", ["water_u", "water_v"], [own, 0.5 * own], longitude=lon, latitude=lat)
    entries = [{"uniform": [-0.2, 0.1]}, {"file": "region.nc", "blend": "over", "fade": 3}]
    lon, lat, u, v, _ = fields_of(coast_mesh, tmp_path, current=entries)
    steps = np.minimum.reduce([lon - 108, 116 - lon, lat - 13, 20 - lat]) / 0.5  # of the grid, to its rim
    land = (lon > 114.0) & (lat > 18.0) & (steps >= 0)
    beside_land = (lon > 113.4) & (lat > 17.4) & ~land
    inside = ~land & ~beside_land
    weight = np.clip(steps / 3.0, 0.0, 1.0)
    assert (inside & (steps > 3)).sum() > 5 and (inside & (steps < 0)).sum() > 5 and land.sum() > 1
    assert (inside & (steps > 0.2) & (steps < 2.8)).sum() > 5
    assert u[0][inside] == pytest.approx((-0.2 + 1.2 * weight)[inside], abs=2e-3)
    assert v[0][inside] == pytest.approx((0.1 + 0.4 * weight)[inside], abs=2e-3)
    assert u[0][land] == pytest.approx(-0.2, abs=2e-3) and v[0][land] == pytest.approx(0.1, abs=2e-3)

    def refusal(current, *words):
        case = write_case(tmp_path / "bad.toml", calm_case(coast_mesh, current=current))
        refused(groundswell("run", case, "--check", ranks=2), *words)

    refusal(entries[1:], "current[0].file", "region.nc", "another [[current]] above it")
    refusal([entries[0], {"uniform": [0.1, 0.0], "blend": "over"}], "current[].blend", "over")
    write_hycom(
        tmp_path / "far.nc",
        ["water_u", "water_v"],
        [own, own],
        longitude=np.arange(-60.0, -51.9, 0.5),
        latitude=np.arange(13.0, 20.01, 0.5),
    )
    refusal([entries[0], {"file": "far.nc", "blend": "over"}], "far.nc", "a sea cell in it")


BAD_LEVELS = {
    "in cm without saying so": ({"level": 150.0}, ["zos at", "not above 20 m", "cm"]),
    "that ends before the run": ({"hours": HOURS[:2]}, ["zos", "cover the run"]),
    "of another region": ({"latitude": LATITUDE - 30.0}, ["zos", "covers the sea cells"]),
}


@pytest.mark.parametrize("name", BAD_LEVELS)
def test_a_level(coast_mesh, tmp_path, name):
    changes, words = BAD_LEVELS[name]
    write_ocean(tmp_path / "ocean.nc", **changes)
    case = write_case(
        tmp_path / "case.toml",
        calm_case(coast_mesh, water_level=[{"file": "ocean.nc"}])
        | {"time": {"start": moment(3), "end": moment(6)}},
    )
    refused(groundswell("run", case, "--check"), "ocean.nc", *words)


@pytest.mark.parametrize("kind", ["water_level", "ice", "ice_thickness", "wind"])
def test_two_of_a_kind_without_a_blend_are_refused(coast_mesh, tmp_path, kind):
    one = {"uniform": [5.0, 1.0] if kind == "wind" else 0.5}
    case = write_case(tmp_path / "case.toml", calm_case(coast_mesh, **{kind: [one, one]}))
    refused(groundswell("run", case, "--check"), f"{kind}[", 'blend = "add"')
