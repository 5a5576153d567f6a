"""Wind files as they are met in archives: read as they mean it, or refused in a sentence that says what to do."""

import subprocess

import netCDF4
import numpy as np
import pytest
from launching import PROGRAM, environment, groundswell, refused, run, storm_case, write_case, write_wind

LON, LAT = np.arange(110.0, 114.1, 0.5), np.arange(15.0, 19.1, 0.5)
PLACES = ((112.0, 17.0), (111.25, 16.5))


def wind(hours, component):
    """(time, lat, lon), linear in all of them."""
    t, y, x = np.meshgrid(np.asarray(hours, float), LAT - 15, LON - 110, indexing="ij")
    return ((2.0, -3.0)[component] + 0.5 * x - (0.25, 0.75)[component] * y + 0.1 * t).astype("f4")


def at(lon, lat, hour, component):
    return (2.0, -3.0)[component] + 0.5 * (lon - 110) - (0.25, 0.75)[component] * (lat - 15) + 0.1 * hour


class File:
    """A wind file in the making: dimensions and coordinates first, then both components."""

    def __init__(self, path, hours=(0, 3, 6), group=None, time="time"):
        self.path, self.hours = path, hours
        self.data = netCDF4.Dataset(path, "w")
        self.place = self.data.createGroup(group) if group else self.data
        for name, values, unit in (("latitude", LAT, "degrees_north"), ("longitude", LON, "degrees_east")):
            self.axis(name, values, units=unit)
        if time:
            self.axis(time, hours, units="hours since 2024-01-01")

    def axis(self, name, values, **attributes):
        self.data.createDimension(name, len(values))
        return self.variable(name, (name,), values, **attributes)

    def variable(self, name, dimensions, values, dtype="f8", where=None, **attributes):
        variable = (where or self.data).createVariable(name, dtype, dimensions)
        variable.setncatts(attributes)
        variable[...] = values
        return variable

    def winds(
        self,
        dimensions=("time", "latitude", "longitude"),
        change=lambda values, component: values,
        **attributes,
    ):
        names = attributes.pop("names", ("u10", "v10"))
        for component, name in enumerate(names):
            values = change(wind(self.hours, component), component)
            self.variable(name, dimensions, values, "f4", self.place, **{"units": "m s-1", **attributes})
        self.data.close()
        return self


def ask(file, keys="", hours=(0, 2, 6)):
    """A refusal's words, or the winds (time, place, component)."""
    times = ",".join(f"2024-01-01T{hour:02d}:00:00Z" for hour in hours)
    path = file.path if isinstance(file, File) else file
    line = f"{path}\t{times}\t{';'.join(f'{x},{y}' for x, y in PLACES)}\t{keys}\n"
    probe = subprocess.run(
        [PROGRAM.parent / "wind_probe"], input=line, capture_output=True, text=True, env=environment()
    )
    said, *words = probe.stdout.rstrip("\n").split("\t")
    if said == "refused":
        return words[0]
    assert said == "ok", probe.stdout + probe.stderr
    return np.array([[float(x) for x in word.split(",")] for word in words]).reshape(
        len(hours), len(PLACES), 2
    )


def check_read(file, keys="", hours=(0, 2, 6)):
    found = ask(file, keys, hours)
    assert not isinstance(found, str), found
    wanted = [[[at(*place, hour, c) for c in (0, 1)] for place in PLACES] for hour in hours]
    assert found == pytest.approx(np.array(wanted), abs=3e-6)


def check_refused(file, *words, keys="", hours=(0, 2, 6)):
    found = ask(file, keys, hours)
    assert isinstance(found, str), found
    for word in words:
        assert word in found, (word, found)


# ------------------------------------------------------------------------------------------------------- axes


def test_axes_of_length_one_may_stand_anywhere(tmp_path):
    file = File(tmp_path / "a.nc")
    for name in ("a", "b", "c"):
        file.data.createDimension(name, 1)
    turned = lambda values, _: values[None, :, :, None, :, None]  # noqa: E731
    check_read(file.winds(("a", "time", "latitude", "b", "longitude", "c"), turned))


def test_the_valid_time_of_a_forecast_stands_along_its_steps(tmp_path):
    """cfgrib's layout: a scalar time, when the forecast began, and valid_time(step)."""
    file = File(tmp_path / "a.nc", time=None)
    file.axis("step", np.array(file.hours), units="hours", standard_name="forecast_period")
    file.variable("time", (), 0.0, units="hours since 2023-12-31", standard_name="forecast_reference_time")
    file.variable(
        "valid_time", ("step",), np.array(file.hours), units="hours since 2024-01-01", standard_name="time"
    )
    check_read(file.winds(("step", "latitude", "longitude"), coordinates="time step valid_time"))


def test_a_forecast_without_valid_times_is_refused(tmp_path):
    file = File(tmp_path / "a.nc", time=None)
    file.axis("step", np.array(file.hours), units="hours", standard_name="forecast_period")
    file.variable("time", (), 0.0, units="hours since 2024-01-01", standard_name="forecast_reference_time")
    check_refused(file.winds(("step", "latitude", "longitude")), "valid_time")


def test_one_time_alone_may_be_a_scalar(tmp_path):
    for hour in (0, 3, 6):
        file = File(tmp_path / f"{hour}.nc", hours=(hour,), time=None)
        file.variable("time", (), hour, units="hours since 2024-01-01", standard_name="time")
        file.winds(("latitude", "longitude"), lambda values, _: values[0])
    check_read(",".join(str(tmp_path / f"{hour}.nc") for hour in (0, 3, 6)))


def test_a_wind_in_a_group_finds_its_axes_around_it(tmp_path):
    check_read(File(tmp_path / "a.nc", group="analysis").winds())


def test_a_member_of_an_ensemble_is_chosen_by_its_number(tmp_path):
    file = File(tmp_path / "a.nc")
    file.axis("number", [3, 5], dtype="i4", standard_name="realization")
    file.winds(("number", "time", "latitude", "longitude"), lambda values, _: np.stack([values + 50, values]))
    check_read(file, "member=5")
    check_refused(file, "number = 2 members", "wind[].member, one of 3, 5")
    check_refused(file, "4", "one of 3, 5", keys="member=4")
    check_refused(File(tmp_path / "b.nc").winds(), "wind[].member", keys="member=5")


def test_preliminary_and_final_values_make_one_wind(tmp_path):
    file = File(tmp_path / "a.nc")
    file.axis("expver", [1, 5], dtype="i4")

    def split(values, _):
        parts = np.full((3, 2, *values.shape[1:]), np.nan)
        parts[:2, 0], parts[2:, 1] = values[:2], values[2:]
        return parts

    check_read(file.winds(("time", "expver", "latitude", "longitude"), split))


# ------------------------------------------------------------------------------------------------------ level


@pytest.mark.parametrize("scalar", [False, True])
def test_a_wind_at_another_level_is_taken_on_purpose_alone(tmp_path, scalar):
    for name, value, units, sound in (
        ("height", 10.0, "m", True),
        ("height", 100.0, "m", False),
        ("pressure_level", 850.0, "hPa", False),
        ("lev", 1.0, "1", False),
    ):
        file = File(tmp_path / f"{name}{value:g}.nc")
        if scalar:
            file.variable(name, (), value, units=units)
            file.winds(coordinates=name)
        else:
            file.axis(name, [value], units=units)
            file.winds(("time", name, "latitude", "longitude"), lambda values, _: values[:, None])
        if sound:
            check_read(file)
        else:
            check_refused(file, f"{name} of u10 = {value:g} {units}", "at 10 m", f"wind[].level = {value:g}")
            check_read(file, f"level={value}")
            check_refused(file, "500 among them", keys="level=500")


def test_of_several_heights_that_at_ten_metres_is_taken(tmp_path):
    file = File(tmp_path / "a.nc")
    file.axis("height", [2.0, 10.0, 100.0], units="m")
    file.winds(
        ("time", "height", "latitude", "longitude"),
        lambda values, _: np.stack([values - 1, values, values + 5], axis=1),
    )
    check_read(file)


def test_names_of_winds_at_another_height_are_not_taken(tmp_path):
    file = File(tmp_path / "a.nc").winds(names=("u100", "v100"), standard_name="eastward_wind")
    check_refused(file, "eastward_wind")


# ------------------------------------------------------------------------------------------------------- grid


def test_a_grid_that_is_not_of_longitudes_says_where_it_lies(tmp_path):
    """Rotated axes without their mapping, and longitudes and latitudes of every point without axes."""
    for name, standard in (("rotated", "grid_"), ("points", None)):
        with netCDF4.Dataset(tmp_path / f"{name}.nc", "w") as data:
            sizes = {"time": 3, "y": len(LAT), "x": len(LON)}
            for dimension, length in sizes.items():
                data.createDimension(dimension, length)
            time = data.createVariable("time", "f8", ("time",))
            time.units = "hours since 2024-01-01"
            time[:] = [0, 3, 6]
            for axis, values, word in (("y", LAT, "latitude"), ("x", LON, "longitude")):
                if standard:
                    variable = data.createVariable(axis, "f8", (axis,))
                    variable.units, variable.standard_name = "degrees", standard + word
                    variable[:] = values
                else:
                    variable = data.createVariable(word, "f8", ("y", "x"))
                    variable.units = "degrees_north" if axis == "y" else "degrees_east"
                    variable[:] = np.meshgrid(LON, LAT)[axis == "y"]
            for component, wind_name in enumerate(("u10", "v10")):
                variable = data.createVariable(wind_name, "f4", tuple(sizes))
                variable.units = "m s-1"
                variable[:] = wind((0, 3, 6), component)
    check_refused(tmp_path / "rotated.nc", "(y, x)", "grid_mapping")
    check_refused(tmp_path / "points.nc", "two-dimensional", "cdo remapbil")


def test_a_mapping_that_is_not_known_is_refused_by_name(tmp_path):
    file = File(tmp_path / "a.nc")
    file.variable("crs", (), 0, "i4", grid_mapping_name="geostationary")
    check_refused(
        file.winds(grid_mapping="crs"), "crs:grid_mapping_name = geostationary", "lambert_conformal_conic"
    )


def test_places_of_points_that_contradict_the_axes_are_refused(tmp_path):
    file = File(tmp_path / "a.nc")
    shifted = np.meshgrid(LON + 1.0, LAT)
    for name, values, unit in (("lon2", shifted[0], "degrees_east"), ("lat2", shifted[1], "degrees_north")):
        file.variable(name, ("latitude", "longitude"), values, units=unit)
    check_refused(file.winds(), "lon2, lat2 of u10", "111.000°E, 15.000°N at 110.000°E, 15.000°N")


# ------------------------------------------------------------------------------------------------------ values


def test_marks_of_missing_values_are_no_winds(tmp_path):
    def mark(values, _):
        values[1, 4, 4] = -99.9
        return values

    check_refused(
        File(tmp_path / "a.nc").winds(change=mark), "112.000°E, 17.000°N", "-99.9", "not above 98 m/s"
    )


@pytest.mark.parametrize("stored", ["i2", "u2", "i4", "u4", "i8", "f4"])
def test_what_was_never_written_is_no_wind(tmp_path, stored):
    """It holds the number that the library leaves in variables of the type, which no attribute names."""
    file = File(tmp_path / "a.nc")
    for component, name in enumerate(("u10", "v10")):
        variable = file.data.createVariable(name, stored, ("time", "latitude", "longitude"))
        variable.setncatts({"units": "m s-1", "scale_factor": 1e-3, "add_offset": -30.0})
        variable.set_auto_maskandscale(False)
        values = np.round((wind(file.hours, component) + 30.0) / 1e-3).astype(stored)
        values[1, 4, 4] = netCDF4.default_fillvals[stored]
        variable[:] = values
    file.data.close()
    check_refused(file, "112.000°E, 17.000°N = missing")


# A valid range in the unit of the values, as the wider type says (NetCDF Users Guide).
def test_a_valid_range_of_a_wider_type_bounds_the_values(tmp_path):
    file = File(tmp_path / "a.nc")
    for component, name in enumerate(("u10", "v10")):
        variable = file.data.createVariable(name, "i2", ("time", "latitude", "longitude"))
        variable.setncatts({"units": "m s-1", "scale_factor": 0.001, "valid_range": np.array([-10.0, 10.0])})
        variable.set_auto_maskandscale(False)
        variable[:] = np.round(wind(file.hours, component) / 0.001)
    file.data.close()
    found = ask(file)
    assert not isinstance(found, str), found
    wanted = [[[at(*place, hour, c) for c in (0, 1)] for place in PLACES] for hour in (0, 2, 6)]
    assert found == pytest.approx(np.array(wanted), abs=6e-4)


# ------------------------------------------------------------------------------------------------------- time


def test_a_step_may_grow_and_a_key_bridges_more(tmp_path):
    hours = (0, 1, 2, 3, 6, 9)
    file = File(tmp_path / "a.nc", hours=hours).winds()
    check_read(file, hours=(0, 2, 8))
    gap = File(tmp_path / "b.nc", hours=(0, 1, 2, 3, 6, 7, 8)).winds()
    check_refused(gap, "nothing from 2024-01-01T03:00:00Z", 'wind[].longest_step = "3h"', hours=(0, 2, 8))
    check_read(gap, "longest_step=10800", hours=(0, 2, 8))


def test_dates_before_year_one_and_matlabs_days(coast_mesh, tmp_path):
    """datenum of 6 September 2024 is 739501."""
    path = write_wind(tmp_path / "wind.nc")
    with netCDF4.Dataset(path, "a") as data:
        data["time"][:] = 739501.0 + np.array([0, 6, 12, 18]) / 24.0
        data["time"].delncattr("units")
    plain = write_wind(tmp_path / "plain.nc")
    table = storm_case(coast_mesh, path, hours=1)
    table["output"] = {"map": [{"file": "wind.nc", "every": "30min", "fields": ["u10", "v10"]}]}
    table["wind"] = [{"file": path, "time_units": "days since 0000-01-01"}]
    outcome = groundswell("run", write_case(tmp_path / "case.toml", table), "--check")
    refused(outcome, "time_units", "year 1", "datenum")
    with netCDF4.Dataset(path, "a") as data:
        data["time"].units = "days since 0000-01-01"
    table["wind"] = [{"file": path}]
    refused(
        groundswell("run", write_case(tmp_path / "case.toml", table), "--check"),
        "wind.nc",
        "year 1",
        "datenum",
    )
    with netCDF4.Dataset(path, "a") as data:
        data["time"].delncattr("units")
    for name, entry in (("datenum", {"file": path, "time_units": "datenum"}), ("plain", {"file": plain})):
        table["wind"] = [entry]
        run(write_case(tmp_path / f"{name}.toml", table), "--output", tmp_path / name)
    outcome = groundswell("compare", tmp_path / "datenum/wind.nc", tmp_path / "plain/wind.nc")
    assert outcome.code == 0, outcome.stdout


# ------------------------------------------------------------------------------------------------ other formats


@pytest.mark.parametrize(
    "begin, words",
    [
        (b"PK\x03\x04", ["ZIP", "unzip"]),
        (b"GRIB\x00\x00\x00\x02", ["GRIB", "groundswell import wind", "cdo -f nc4 copy"]),
        (b"\x0e\x03\x13\x01", ["HDF4", "h4toh5"]),
        (b"\x1f\x8b\x08", ["compressed", "gunzip"]),
        (b"<!DOCTYPE html>", ["text", "server"]),
        (b"version https://git-lfs.github.com/spec/v1\n", ["git lfs pull"]),
    ],
)
def test_files_of_other_formats_say_what_they_are(tmp_path, begin, words):
    (tmp_path / "wind.nc").write_bytes(begin + bytes(400))
    check_refused(tmp_path / "wind.nc", "wind.nc: expected a NetCDF file; this is", *words)


def test_a_mesh_that_is_not_there_is_not_called_unreadable(tmp_path, wind_file):
    case = write_case(tmp_path / "case.toml", storm_case(tmp_path / "none.nc", wind_file))
    message = refused(groundswell("run", case, "--check"), "none.nc", "No such file")
    assert "can be read" not in message
