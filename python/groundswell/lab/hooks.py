"""Functions in Python that a simulation calls. What they raise must not reach C: it is told on all ranks, at the end of the cycle."""

import collections
import ctypes
import functools

import numpy as np

from groundswell.lab.runtime import library, type_number

POINTER = ctypes.POINTER(ctypes.c_double)
PROBLEM = (ctypes.c_void_p, ctypes.c_int64)
BEFORE_CYCLE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_double, ctypes.c_double, *PROBLEM)
FORCING = ctypes.CFUNCTYPE(
    ctypes.c_int,
    ctypes.c_void_p,
    ctypes.c_char_p,
    ctypes.c_double,
    ctypes.c_int64,
    POINTER,
    POINTER,
    ctypes.c_int,
    ctypes.POINTER(POINTER),
    *PROBLEM,
)


class _Points(ctypes.Structure):
    _fields_ = [("count", ctypes.c_int64), ("seconds", ctypes.c_double), ("length", ctypes.c_double)]
    _fields_ += [
        (name, ctypes.c_void_p) for name in ("x", "y", "z", "slip", "slip_rate", "normal", "parameters")
    ]
    _fields_ += [
        ("parameter_names", ctypes.c_char_p),
        ("state", ctypes.c_void_p),
        ("friction", ctypes.c_void_p),
    ]


FRICTION = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(_Points), *PROBLEM)


class _Table(ctypes.Structure):
    _fields_ = [
        ("context", ctypes.c_void_p),
        ("before_cycle", BEFORE_CYCLE),
        ("forcing", FORCING),
        ("forced", ctypes.c_char_p),
        ("friction", FRICTION),
    ]


def _name(function):
    return getattr(function, "__name__", type(function).__name__)


def _values(address, count, writeable=False):
    """So many numbers where they are."""
    found = np.frombuffer((ctypes.c_double * count).from_address(address))
    found.flags.writeable = writeable
    return found


def _not_a_number(longitude, latitude):
    return ValueError(f"NaN or infinity at {longitude:.4f} E {latitude:.4f} N: expected numbers")


class Hooks:
    """The functions of one simulation; `table` is what C is given of them."""

    def __init__(self, simulation, sources, forcing, friction, block):
        self._simulation, self._sources, self._forcing, self._block = simulation, sources, forcing, block
        self._cells, self._friction, self._points = None, friction, None
        self.table = _Table(
            None,
            BEFORE_CYCLE(self._before_cycle) if sources else BEFORE_CYCLE(0),
            FORCING(self._force),
            " ".join(forcing).encode(),
            FRICTION(self._rub) if friction else FRICTION(0),
        )

    def _guard(self, what, problem, capacity, body):
        try:
            body()
            return 0
        except BaseException as error:  # KeyboardInterrupt among them
            ranks = self._simulation.ranks
            where = f"{what} (rank {ranks.rank} of {ranks.size})"
            text = f"{where}: {type(error).__name__}: {error}".encode()[: capacity - 1]
            ctypes.memmove(problem, text + b"\0", len(text) + 1)
            return 1

    def _before_cycle(self, _, seconds, cycle, problem, capacity):
        for source in self._sources:
            apply = functools.partial(self._apply, source, seconds, cycle)
            if self._guard(f"source {_name(source)}", problem, capacity, apply):
                return 1
        return 0

    def _blocks(self, count):
        """(first cell, surroundings of the cells and the axes) of each block."""
        if self._cells is None:  # they stay where they are
            found = self._simulation.surroundings()
            cells = collections.namedtuple("Cells", found)
            axes = ("frequency", "direction")
            self._cells = []
            for begin in range(0, count, self._block):
                here = slice(begin, begin + self._block)
                parts = (part if name in axes else part[here] for name, part in found.items())
                self._cells.append((begin, cells(*parts)))
        return self._cells

    def _apply(self, source, seconds, cycle):
        action = self._simulation.state()["action"]
        add = library().own.gs_action_add
        add.restype = ctypes.c_int64
        for begin, cells in self._blocks(len(action)):
            here = action[begin : begin + self._block]
            rate = np.asarray(source(seconds, here, cells))
            if rate.shape != here.shape:
                raise ValueError(f"shape {rate.shape}: expected {here.shape}, that of the action")
            rate = np.ascontiguousarray(rate, here.dtype)
            lengths = (len(here), here[0].size, here.strides[0] // here.itemsize)
            bad = add(
                type_number(here),
                *map(ctypes.c_int64, lengths),
                ctypes.c_double(cycle),
                ctypes.c_void_p(rate.ctypes.data),
                ctypes.c_void_p(here.ctypes.data),
            )
            if bad >= 0:
                raise _not_a_number(cells.longitude[bad], cells.latitude[bad])

    def _force(self, _, kind, seconds, cells, longitude, latitude, components, values, problem, capacity):
        name = kind.decode()
        function = self._forcing[name]

        def body():
            rows = [np.ctypeslib.as_array(values[number], (cells,)) for number in range(components)]
            below = np.array(rows) if components > 1 else rows[0].copy()
            places = [np.degrees(np.ctypeslib.as_array(one, (cells,))) for one in (longitude, latitude)]
            given = np.asarray(function(seconds, *places, below))
            if given.shape != below.shape:
                raise ValueError(f"shape {given.shape}: expected {below.shape}, that of what is below")
            bad = np.flatnonzero(~np.isfinite(np.atleast_2d(given)).all(axis=0))
            if bad.size:
                raise _not_a_number(*(place[bad[0]] for place in places))
            for row, new in zip(rows, np.atleast_2d(given)):
                row[:] = new

        return self._guard(f"forcing {name} by {_name(function)}", problem, capacity, body) if cells else 0

    def _rub(self, _, points, problem, capacity):
        def body():
            at = points.contents
            names = at.parameter_names.decode().split()
            if self._points is None:
                fields = ("length", "x", "y", "z", "slip", "slip_rate", "normal", "state", *names)
                self._points = collections.namedtuple("Points", fields)
            given = (
                _values(getattr(at, name), at.count)
                for name in ("x", "y", "z", "slip", "slip_rate", "normal")
            )
            parameters = _values(at.parameters, len(names) * at.count).reshape(len(names), at.count)
            here = self._points(at.length, *given, _values(at.state, at.count, writeable=True), *parameters)
            friction = _values(at.friction, at.count, writeable=True)
            new = np.asarray(self._friction(at.seconds, here, friction.copy()))
            if new.shape != friction.shape:
                raise ValueError(f"shape {new.shape}: expected {friction.shape}, that of the points")
            bad = np.flatnonzero(~((new >= 0) & (new < np.inf)))
            if bad.size:
                value, *place = (array[bad[0]] for array in (new, here.x, here.y, here.z))
                where = ", ".join(f"{one:.6g}" for one in place)
                raise ValueError(f"{value} at {where} m: expected a number not below 0")
            friction[:] = new

        return self._guard(f"friction {_name(self._friction)}", problem, capacity, body)
