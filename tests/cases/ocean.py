"""Currents and levels of the South China Sea on 6 September 2024, in the layouts that ocean services publish."""

import netCDF4
import numpy as np
from launching import moment

LONGITUDE, LATITUDE = np.arange(105.0, 119.1, 0.5), np.arange(11.0, 23.1, 0.5)
HOURS = np.arange(0.0, 25.0, 3.0)

# [[ice]]: concentrations that grow from west to east, and with time.
RAMP_OF_ICE = {
    "shape": "ramp",
    "amplitude": 0.8,
    "centre": [113.0, 17.0],
    "width": 300.0,
    "period": "12h",
    "high": moment(4),
}


def write_ocean(path, factor=1.0, units="m s-1", hours=HOURS, latitude=LATITUDE, level=1.5):
    """uo, vo over (time, depth, latitude, longitude) and zos, packed, land missing: as CMEMS has them."""
    with netCDF4.Dataset(path, "w") as data:
        axes = {"time": hours, "depth": [0.494, 5.0, 50.0], "latitude": latitude, "longitude": LONGITUDE}
        words = {
            "time": "hours since 2024-09-06",
            "depth": "m",
            "latitude": "degrees_north",
            "longitude": "degrees_east",
        }
        for name, values in axes.items():
            data.createDimension(name, len(values))
            data.createVariable(name, "f8", (name,))[:] = values
            data[name].units = words[name]
        data["depth"].standard_name, data["depth"].positive = "depth", "down"
        time, depth, north, east = np.meshgrid(*axes.values(), indexing="ij")
        tide = np.cos(2.0 * np.pi * time / 12.42) * np.exp(-depth / 30.0)
        fields = {
            "uo": ("eastward_sea_water_velocity", 1.2 * tide * np.cos(0.9 * north)),
            "vo": ("northward_sea_water_velocity", 0.8 * tide * np.sin(0.7 * east)),
            "zos": ("sea_surface_height_above_geoid", (level * tide * np.cos(0.2 * east))[:, 0]),
        }
        for name, (standard_name, values) in fields.items():
            dimensions = [axis for axis in axes if axis != "depth" or name != "zos"]
            variable = data.createVariable(name, "i2", dimensions, fill_value=-32767)
            variable.standard_name, variable.units = standard_name, "m" if name == "zos" else units
            variable.scale_factor = 1e-3 * (1.0 if name == "zos" else factor)
            values = np.ma.masked_where(np.broadcast_to(east[0, 0] < 105.8, values.shape), values)
            variable[:] = values * (1.0 if name == "zos" else factor)
    return path


def write_hycom(path, names, values, hours=HOURS, longitude=LONGITUDE, latitude=LATITUDE):
    """`names`: some of water_u, water_v, surf_el; `values`: (hours, latitude, longitude) for each, land not a number. As HYCOM has
    them: packed in shorts, -30000 for land, hours since 2000, longitudes up to 360, depths down from 0, a time of analysis besides.
    """
    words = {
        "water_u": ("eastward_sea_water_velocity", "Eastward Water Velocity", "m/s"),
        "water_v": ("northward_sea_water_velocity", "Northward Water Velocity", "m/s"),
        "surf_el": ("sea_surface_elevation", "Water Surface Elevation", "m"),
    }
    start = 24 * (np.datetime64("2024-09-06") - np.datetime64("2000-01-01")).astype(int)
    axes = {
        "time": (
            start + np.asarray(hours),
            {"units": "hours since 2000-01-01 00:00:00", "calendar": "gregorian", "axis": "T"},
        ),
        "depth": ([0.0, 2.0], {"units": "m", "positive": "down", "axis": "Z", "standard_name": "depth"}),
        "lat": (latitude, {"units": "degrees_north", "axis": "Y", "standard_name": "latitude"}),
        "lon": (
            longitude,
            {"units": "degrees_east", "axis": "X", "standard_name": "longitude", "modulo": "360 degrees"},
        ),
    }
    with netCDF4.Dataset(path, "w") as data:
        for name, (places, attributes) in axes.items():
            data.createDimension(name, len(places))
            variable = data.createVariable(name, "f8", (name,))
            variable.setncatts(attributes)
            variable[:] = places
        tau = data.createVariable("tau", "f8", ("time",))
        tau.units, tau[:] = "hours since analysis", 0.0
        for name, field in zip(names, values, strict=True):
            has_depth = name != "surf_el"
            dimensions = [axis for axis in axes if axis != "depth" or has_depth]
            variable = data.createVariable(name, "i2", dimensions, fill_value=-30000)
            variable.standard_name, variable.long_name, variable.units = words[name]
            variable.scale_factor, variable.add_offset, variable.missing_value = 0.001, 0.0, np.int16(-30000)
            field = np.ma.masked_where(np.isnan(field), np.nan_to_num(field))
            # Below the surface another current, which is not to be taken.
            variable[:] = np.ma.stack([field, -field], axis=1) if has_depth else field
    return path
