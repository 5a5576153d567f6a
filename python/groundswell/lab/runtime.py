"""The C library of Groundswell in this process: where it is, what its functions return, and the ranks.

Functions of the library are called by their C names (`src/groundswell/c`): `call("gs_halo_finish", halo)`. What does not return GS_DONE
raises Refused, Failed or Defect with the library's message. An exception that nobody catches ends all ranks, and names its own.
"""

import atexit
import contextlib
import ctypes
import os
import pathlib
import sys
import traceback

import numpy as np

from groundswell import launch
from groundswell.errors import Refusal
from groundswell.mpi_families import FAMILIES, OPEN_MPI, family_of_file, libraries_here

NAMES = ("libgroundswell_lab.so", "libgroundswell.so")  # with the models, and the runtime alone


class Failed(Exception):
    """A failure during the run (disk, memory, MPI); what was complete before stays valid."""


class Defect(Exception):
    """A function called wrongly, or a fault of the library."""


class Refused(Refusal):
    """Input that cannot be used: nothing was done."""


ERRORS = {2: Refused, 3: Failed, 4: Defect}
DTYPES = {1: "i4", 2: "i8", 3: "f4", 4: "f8"}
TYPES = {name: number for number, name in DTYPES.items()}


def type_number(array):
    """The library's number of the array's type."""
    kind = array.dtype.str.lstrip("<=|")
    if kind not in TYPES:
        raise Refused(f"array of {array.dtype}: expected one of int32, int64, float32, float64")
    return TYPES[kind]


def _candidates(folder):
    """Places of the library in a wheel, a source tree, or an installation; GROUNDSWELL_LIBRARY names another one."""
    here = pathlib.Path(__file__).resolve().parents[1]
    yield from filter(None, [os.environ.get("GROUNDSWELL_LIBRARY")])
    places = (
        here / "program" / folder / "lib",
        here.parents[1] / "build/release/lib",
        here.parents[3] / "lib",
    )
    for place in places:
        for name in NAMES:
            yield from sorted(map(str, place.glob(f"**/{name}*")))


def _library_of(family):
    """The library of Groundswell for this family of MPI."""
    path = next((one for one in _candidates(family.folder) if os.path.exists(one)), None)
    if path is None:
        raise Refused(f"{NAMES[0]}: expected it beside the Python package, or in GROUNDSWELL_LIBRARY")
    return path


def _families():
    """Those that there is a library for: both in a wheel, else the one with which it was built."""
    if launch.PROGRAM.exists() and "GROUNDSWELL_LIBRARY" not in os.environ:
        return FAMILIES
    return (family_of_file(_library_of(OPEN_MPI)) or OPEN_MPI,)


def _choose(families):
    """The MPI library: the one that mpi4py, as a rule, has brought into this process, else the launcher's."""
    here = libraries_here()
    for one in here:
        if one.family not in families:
            name, of = (
                os.path.basename(one.path),
                one.family.name if one.family else "the standard's interface",
            )
            raise Refused(
                f"{name} in this process, an MPI of another family ({of}): expected {families[0].get_it}"
            )
    if len({one.family.name for one in here}) > 1:
        names = " and ".join(os.path.basename(one.path) for one in here)
        raise Refused(f"{names} in this process: expected an MPI of one family")
    return launch.choose_library(os.environ, families, here[0] if here else None)


class Library:
    """libgroundswell and the MPI library that it is linked with, which is started where it is not running yet."""

    def __init__(self):
        found = _choose(_families())
        path = _library_of(found.family)
        if launch.PROGRAM.exists():
            os.environ.setdefault("PROJ_DATA", str(launch.PROGRAM / "share/proj"))
        self.has_mpi = found != launch.ONE_RANK
        self.family = found.family
        for one in launch.libraries_to_load(found):
            self.mpi = ctypes.CDLL(one, mode=ctypes.RTLD_GLOBAL)
        self.own = ctypes.CDLL(path)
        self.own.gs_error_message.restype = ctypes.c_char_p
        self.own.gs_halo_transport.restype = ctypes.c_char_p
        running = ctypes.c_int()
        self.mpi.MPI_Initialized(ctypes.byref(running))
        if not running.value:
            multiple, given = 3, ctypes.c_int()
            self.mpi.MPI_Init_thread(None, None, multiple, ctypes.byref(given))
            atexit.register(self.mpi.MPI_Finalize)
        self.world = Ranks(self, self.handle("world"))
        if self.world.size > 1:
            sys.excepthook = self._end_all

    def handle(self, name):
        """A handle of mpi.h, by its name in Family.handles."""
        return self.family.handle_of(self.mpi, name)

    def _end_all(self, kind, problem, trace):
        sys.stdout.flush()
        if not getattr(problem, "speaks", True):
            self.mpi.MPI_Barrier(self.world.comm)  # until the one that speaks ends all
        text = "".join(traceback.format_exception(kind, problem, trace)).rstrip()
        own = "" if getattr(problem, "is_of_all", False) else f"rank {self.world.rank} of {self.world.size}: "
        print(f"{text}\ngroundswell: error: {own}{problem or kind.__name__}", file=sys.stderr, flush=True)
        code = next((number for number, one in ERRORS.items() if issubclass(kind, one)), 3)
        self.mpi.MPI_Abort(self.world.comm, code)


class Ranks:
    """A communicator: `comm` for the library, this rank's number and how many there are."""

    def __init__(self, library, comm):
        self.comm, self._library = comm, library
        rank, size = ctypes.c_int(), ctypes.c_int()
        library.mpi.MPI_Comm_rank(comm, ctypes.byref(rank))
        library.mpi.MPI_Comm_size(comm, ctypes.byref(size))
        self.rank, self.size = rank.value, size.value

    def share(self, count):
        """The part of `count` things that is this rank's, in blocks: (first, behind the last)."""
        return count * self.rank // self.size, count * (self.rank + 1) // self.size

    def reduce(self, value, operation="max"):
        """The largest, smallest or sum of one number of each rank. Collective."""
        mine, of_all = np.array([value], dtype=float), np.empty(1)
        self._library.mpi.MPI_Allreduce(
            mine.ctypes,
            of_all.ctypes,
            1,
            self._library.handle("double"),
            self._library.handle(operation),
            self.comm,
        )
        return float(of_all[0])

    @contextlib.contextmanager
    def together(self):
        """Raises at the end of the block on all ranks what was raised in it on some: those tell what it was, and the others which rank
        was the first of them. Collective."""
        problem = None
        try:
            yield
        except Exception as mine:
            problem = mine
        first = int(self.reduce(self.size if problem is None else self.rank, "min"))
        if problem is not None:
            raise problem
        if first < self.size:
            raise Failed(f"rank {first} of {self.size} met an error")


_library = []


def library():
    """The library of this process; loads it at the first call. Collective then."""
    if not _library:
        _library.append(Library())
    return _library[0]


def world():
    """All ranks of this run: one where no launcher began it."""
    return library().world


def call(name, *arguments):
    """Calls a function of the library; raises what it does not return GS_DONE for."""
    try:
        function = getattr(library().own, name)
    except AttributeError:
        raise Refused(f"{name}: expected a library with the models, {NAMES[0]}") from None
    status = function(*arguments)
    if status:
        problem = ERRORS.get(status, Defect)(library().own.gs_error_message().decode(errors="replace"))
        problem.speaks = bool(library().own.gs_error_speaks())  # of an error that all ranks know, one alone
        raise problem


class Handle:
    """Owner of what a ..._create function made, until close()."""

    def __init__(self, destroy, name, *arguments):
        self.value, self._destroy = ctypes.c_void_p(), destroy
        call(name, *arguments, ctypes.byref(self.value))

    def close(self):
        if self.value:
            call(self._destroy, ctypes.byref(self.value))


def communicator(ranks):
    """The ranks of an mpi4py communicator, of Ranks, or of all (None)."""
    if ranks is None or isinstance(ranks, Ranks):
        return ranks or world()
    from mpi4py import MPI

    handle = library().family.handle
    if MPI._sizeof(MPI.Comm) != ctypes.sizeof(handle):
        raise Refused(
            f"mpi4py with {MPI.Get_library_version().split(',')[0]}: expected {library().family.get_it}"
        )
    return Ranks(library(), handle(MPI._handleof(ranks)))
