"""Sea ice as the services write it, and what is no concentration; runs with ice have the same bits however they are run."""

import datetime
import shutil

import netCDF4
import numpy as np
import pytest
from launching import STORM_FILES, assert_same, groundswell, moment, refused, run, storm_case, write_case

HOURS = (0, 12, 24)


def concentration(lon, lat, hour):
    """Ice north of 60°N that retreats; what is east of 120°E is land."""
    return np.where(np.mod(lon, 360) > 180, np.clip((lat - 60 - 0.2 * hour) / 20, 0, 1), np.nan)


def define(file, name, kind, dimensions, values, **attributes):
    variable = file.createVariable(name, kind, dimensions, fill_value=attributes.pop("_FillValue", None))
    variable.set_auto_maskandscale(False)
    variable.setncatts(attributes)
    variable[:] = values


def era5(path):
    lat, lon = np.arange(90.0, -90.1, -1.0), np.arange(0.0, 360.0, 1.0)
    x, y = np.meshgrid(lon, lat)
    with netCDF4.Dataset(path, "w") as file:
        for name, size in (("valid_time", 3), ("latitude", lat.size), ("longitude", lon.size)):
            file.createDimension(name, size)
        since = datetime.datetime.fromisoformat(moment(0).isoformat()[:10])
        start = (since - datetime.datetime(1970, 1, 1)).total_seconds()
        define(
            file,
            "valid_time",
            "i8",
            ("valid_time",),
            [start + 3600 * hour for hour in HOURS],
            standard_name="time",
            units="seconds since 1970-01-01",
            calendar="proleptic_gregorian",
        )
        define(file, "latitude", "f8", ("latitude",), lat, units="degrees_north", standard_name="latitude")
        define(file, "longitude", "f8", ("longitude",), lon, units="degrees_east", standard_name="longitude")
        define(
            file,
            "siconc",
            "f4",
            ("valid_time", "latitude", "longitude"),
            [concentration(x, y, hour) for hour in HOURS],
            _FillValue=np.float32(np.nan),
            units="(0 - 1)",
            standard_name="unknown",
            long_name="Sea ice area fraction",
        )


def polar(path, unit, write):
    """A grid of 100 km on the polar stereographic plane of NSIDC, axes in `unit` metres; write(file, lon, lat)."""
    pyproj = pytest.importorskip("pyproj")
    axis = np.arange(-4.0e6, 4.01e6, 1e5)
    plane = pyproj.Proj(proj="stere", lat_0=90, lat_ts=70, lon_0=-45, a=6378273.0, b=6356889.449)
    x, y = np.meshgrid(axis, axis[::-1])
    lon, lat = plane(x, y, inverse=True)
    with netCDF4.Dataset(path, "w") as file:
        write(file, axis / unit, axis[::-1] / unit, lon, lat)


MAPPING = {
    "grid_mapping_name": "polar_stereographic",
    "straight_vertical_longitude_from_pole": -45.0,
    "latitude_of_projection_origin": 90.0,
    "standard_parallel": 70.0,
    "false_easting": 0.0,
    "false_northing": 0.0,
    "semi_major_axis": 6378273.0,
    "semi_minor_axis": 6356889.449,
}


def osi_saf(path):
    def write(file, xc, yc, lon, lat):
        for name, size in (("time", 3), ("yc", yc.size), ("xc", xc.size)):
            file.createDimension(name, size)
        file.createVariable("Polar_Stereographic_Grid", "i4").setncatts(MAPPING)
        epoch = datetime.datetime(1978, 1, 1)
        start = (datetime.datetime.fromisoformat(moment(0).isoformat()[:10]) - epoch).total_seconds()
        times = [start + 3600 * hour for hour in HOURS]
        define(file, "time", "f8", ("time",), times, units="seconds since 1978-01-01 00:00:00", axis="T")
        for name, axis in (("xc", xc), ("yc", yc)):
            define(
                file,
                name,
                "f8",
                (name,),
                axis,
                axis=name[0].upper(),
                units="km",
                standard_name=f"projection_{name[0]}_coordinate",
            )
        for name, values, units in (("lat", lat, "degrees_north"), ("lon", lon, "degrees_east")):
            define(file, name, "f4", ("yc", "xc"), values, units=units)
        percent = [100 * concentration(lon, lat, hour) for hour in HOURS]
        define(
            file,
            "ice_conc",
            "i4",
            ("time", "yc", "xc"),
            np.where(np.isnan(percent), -32767, np.rint(np.nan_to_num(percent) * 100)),
            _FillValue=-32767,
            scale_factor=0.01,
            add_offset=0.0,
            units="%",
            standard_name="sea_ice_area_fraction",
            coordinates="time lat lon",
            grid_mapping="Polar_Stereographic_Grid",
        )
        define(
            file,
            "status_flag",
            "i2",
            ("time", "yc", "xc"),
            np.zeros((3, *lat.shape)),
            standard_name="status_flag",
        )

    polar(path, 1000.0, write)


def nsidc(path):
    def write(file, x, y, lon, lat):
        for name, size in (("time", 3), ("y", y.size), ("x", x.size)):
            file.createDimension(name, size)
        file.createVariable("crs", "S1").setncatts(MAPPING)
        day = (
            datetime.datetime.fromisoformat(moment(0).isoformat()[:10]) - datetime.datetime(1970, 1, 1)
        ).days
        times = [day + hour / 24 for hour in HOURS]
        define(file, "time", "f8", ("time",), times, units="days since 1970-01-01", standard_name="time")
        for name, axis in (("x", x), ("y", y)):
            define(
                file, name, "f8", (name,), axis, units="meters", standard_name=f"projection_{name}_coordinate"
            )
        share = np.array([concentration(lon, lat, hour) for hour in HOURS])
        # 251 … 254: the hole at the pole, lakes, coasts, land.
        stored = np.where(np.isnan(share), 254, np.rint(100 * np.nan_to_num(share)))
        for name in ("cdr_seaice_conc", "nsidc_bt_seaice_conc"):
            define(
                file,
                name,
                "u1",
                ("time", "y", "x"),
                stored if name[0] == "c" else np.zeros(stored.shape),
                _FillValue=255,
                scale_factor=np.float32(0.01),
                add_offset=np.float32(0),
                units="1",
                valid_range=np.array([0, 100], "u1"),
                standard_name="sea_ice_area_fraction",
                grid_mapping="crs",
            )

    polar(path, 1.0, write)


def calm_case(mesh, ice, **more):
    return {
        "time": {"start": moment(0), "end": moment(1)},
        "mesh": {"file": mesh},
        "spectrum": {"directions": 8, "frequencies": 5, "first_frequency": 0.08, "ratio": 1.2},
        "ice": ice,
        "initial": {"state": "calm"},
        "propagation": {"scheme": "upwind"},
        "output": {"map": [{"file": "map.nc", "every": "1h", "fields": ["siconc", "hs"]}]},
    } | more


@pytest.mark.parametrize("service", [era5, osi_saf, nsidc])
def test_files_of_services_are_taken_as_they_are(service, sphere_mesh, tmp_path):
    service(tmp_path / "ice.nc")
    run(write_case(tmp_path / "case.toml", calm_case(sphere_mesh, [{"file": "ice*.nc"}])))
    with netCDF4.Dataset(tmp_path / "output" / "map.nc") as data:
        lon, lat, found = (np.asarray(data[name][:]) for name in ("mesh_face_lon", "mesh_face_lat", "siconc"))
    sea = np.abs(np.mod(lon, 360) - 270) < 80  # away from land
    for record, hour in enumerate((0, 1)):
        expected = concentration(lon, lat, hour)
        assert found[record][sea] == pytest.approx(expected[sea], abs=0.06)
        assert found[record][sea & (lat < 55)] == pytest.approx(0.0, abs=1e-6)
    assert (found[0][sea] > 0.5).sum() > 5 and found[0].max() <= 1 and found[0].min() >= 0


def test_what_is_no_concentration_is_refused(sphere_mesh, tmp_path):
    osi_saf(tmp_path / "ice.nc")
    with netCDF4.Dataset(tmp_path / "ice.nc", "a") as file:
        file["ice_conc"].units = "1"
    case = write_case(tmp_path / "case.toml", calm_case(sphere_mesh, [{"file": "ice.nc"}]))
    refused(groundswell("run", case, "--check"), "ice.nc", "ice_conc", "not above 1", "%")
    case = write_case(tmp_path / "none.toml", calm_case(sphere_mesh, [{"file": "none*.nc"}]))
    refused(groundswell("run", case, "--check"), "ice[].file", "none*.nc", "pattern")
    for physics, ice, words in (
        ({"ice": "boundary-layer"}, {}, ("ice_viscosity",)),
        ({"ice": "boundary-layer", "ice_viscosity": 0.1}, {}, ("[[ice_thickness]]",)),
        ({"ice_open": 0.8}, {}, ("ice_closed", "0.8")),
    ):
        case = write_case(
            tmp_path / "bad.toml", calm_case(sphere_mesh, [{"uniform": 0.5}], physics=physics, **ice)
        )
        refused(groundswell("run", case, "--check"), *words)


# In `make test` one law here; the others are in test_all_forcings.py.
@pytest.fixture(
    scope="module",
    params=[
        "power-law",
        *(pytest.param(law, marks=pytest.mark.long) for law in ("blocking", "boundary-layer")),
    ],
)
def icy_storm(request, tmp_path_factory, coast_mesh, wind_file):
    """A storm over ice that grows from the middle of the sea to its east and comes and goes as a tide."""
    folder = tmp_path_factory.mktemp("ice")
    table = storm_case(coast_mesh, wind_file)
    table["ice"] = [
        {
            "shape": "ramp",
            "amplitude": 0.9,
            "centre": [112.0, 17.0],
            "width": 300.0,
            "period": "12h",
            "high": moment(4),
        }
    ]
    table["ice_thickness"] = [{"uniform": 1.5}]
    table["physics"] = {"ice": request.param, "ice_viscosity": 0.1}
    table["output"]["restart"] = {"every": "1h", "keep": 0}
    case = write_case(folder / "case.toml", table)
    run(case, "--output", folder / "one")
    return case, folder / "one", table


def test_the_bits_are_the_same_with_ice(icy_storm, tmp_path):
    case, reference, _ = icy_storm
    files = [*STORM_FILES, "restart_20240906T060000.nc"]
    run(
        case,
        "--output",
        tmp_path / "three",
        "--set",
        "run.threads=2",
        "--set",
        "mesh.partition=scattered",
        ranks=3,
    )
    assert_same(tmp_path / "three", reference, files)
    shutil.copytree(reference, tmp_path / "again")
    run(case, "--output", tmp_path / "again", "--restart", reference / "restart_20240906T050000.nc", ranks=2)
    assert_same(tmp_path / "again", reference, files)
    for ranks in (1, 3):
        run(case, "--output", tmp_path / f"{ranks}", "--set", "propagation.cluster_rate=2", ranks=ranks)
    assert_same(tmp_path / "3", tmp_path / "1", STORM_FILES)


def test_waves_are_lower_under_ice(icy_storm, tmp_path):
    _, reference, table = icy_storm
    open_sea = {key: value for key, value in table.items() if not key.startswith("ice")}
    run(write_case(tmp_path / "case.toml", open_sea), "--output", tmp_path)
    heights = []
    for folder in (reference, tmp_path):
        with netCDF4.Dataset(folder / "hourly.nc") as data:
            lon, hs = data["mesh_face_lon"][:], data["hs"][-1]
            heights.append(hs[lon > 115].mean())
    assert heights[0] < 0.8 * heights[1]
