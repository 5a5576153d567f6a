"""Small files in the layouts of the earthquake model, for the tests of pictures."""

import netCDF4
import numpy as np

STRESS = ("sxx", "syy", "szz", "sxy", "syz", "sxz")


def write_receivers(path, time, places, velocity, names=None, title="Test rock", stress=True):
    """A file of receivers; velocity [station, component, time]. The stress of component number n is (n + 1) kPa all the time."""
    names = names or [f"receiver {n}" for n in range(1, len(places) + 1)]
    with netCDF4.Dataset(path, "w", format="NETCDF3_64BIT_DATA") as out:
        out.setncatts({"title": title, "Conventions": "CF-1.11", "featureType": "timeSeries"})
        out.createDimension("time", None)
        out.createDimension("station", len(places))
        out.createDimension("name_length", 32)
        axis = out.createVariable("time", "f8", ("time",))
        axis.setncatts({"units": "s", "long_name": "time since the start of the run"})
        said = out.createVariable("station_name", "S1", ("station", "name_length"))
        said[:] = netCDF4.stringtochar(np.array(names, dtype="S32"))
        for number, name in enumerate("xyz"):
            place = out.createVariable(name, "f8", ("station",))
            place.units = "m"
            place[:] = [at[number] for at in places]
        for number, name in enumerate(("vx", "vy", "vz")):
            series = out.createVariable(name, "f4", ("time", "station"))
            series.units = "m s-1"
            series[: len(time)] = np.asarray(velocity)[:, number].T
        for number, name in enumerate(STRESS if stress else ()):
            series = out.createVariable(name, "f4", ("time", "station"))
            series.units = "Pa"
            series[:] = np.full((len(time), len(places)), 1e3 * (number + 1))
        axis[:] = time
    return path


def write_energies(path, time, kinetic, elastic, **more):
    with netCDF4.Dataset(path, "w", format="NETCDF3_64BIT_DATA") as out:
        out.title = "Test rock"
        out.createDimension("time", None)
        for name, values in {"time": time, "kinetic": kinetic, "elastic": elastic, **more}.items():
            variable = out.createVariable(name, "f8", ("time",))
            variable.units = "s" if name == "time" else "J"
            variable[:] = values
    return path
