"""Provenance of a file: versions of this package, of Python and of the libraries that results depend on."""

import importlib.metadata
import platform

from groundswell import __version__

LIBRARIES = ("numpy", "netCDF4")


def build():
    """For reports: {"version", "python", "libraries": {name: version}}."""
    libraries = {name.lower(): importlib.metadata.version(name) for name in LIBRARIES}
    return {"version": __version__, "python": platform.python_version(), "libraries": libraries}


def build_text():
    """For the global attribute groundswell_build of files."""
    import netCDF4

    about = build()
    return (
        f"Groundswell {about['version']}; Python {about['python']}, NumPy {about['libraries']['numpy']}, netCDF4-python "
        f"{about['libraries']['netcdf4']} (netCDF {netCDF4.__netcdf4libversion__}, HDF5 {netCDF4.__hdf5libversion__})"
    )
