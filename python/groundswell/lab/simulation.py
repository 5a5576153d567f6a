"""A case that Python steps, looks at and changes: the same bits as `groundswell run` where nothing is changed.

with lab.Simulation("case.toml", sources=[damping]) as simulation:
    simulation.run("6h")
    print(simulation.fields()["hs"].max())
"""

import ctypes
import os
import pathlib
import re
import typing

import numpy as np

from groundswell.lab.hooks import Hooks
from groundswell.lab.runtime import DTYPES, Refused, call, communicator

UNITS = {"s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0}


class _Variable(ctypes.Structure):
    _fields_ = [
        (name, ctypes.c_char_p)
        for name in ("name", "units", "long_name", "standard_name", "dimensions", "distributed")
    ]
    _fields_ += [("type", ctypes.c_int), ("writable", ctypes.c_int), ("values", ctypes.c_void_p)]
    _fields_ += [("stride", ctypes.c_int64)]

    def array(self):
        """The values where they are."""
        dtype, shape = np.dtype(DTYPES[self.type]), tuple(self.lengths().values())
        if not self.values or not np.prod(shape):
            return np.empty(shape, dtype)
        within = int(np.prod(shape[1:]))
        count = (shape[0] - 1) * self.stride + within if shape else 1
        flat = np.frombuffer((ctypes.c_char * (count * dtype.itemsize)).from_address(self.values), dtype)
        strides = [dtype.itemsize * int(np.prod(shape[axis + 1 :])) for axis in range(len(shape))]
        strides[:1] = [dtype.itemsize * self.stride] if shape else []
        return np.lib.stride_tricks.as_strided(flat, shape, strides, writeable=bool(self.writable))

    def lengths(self):
        """{name of a dimension: its length here}."""
        words = self.dimensions.decode().split()
        return dict(zip(words[::2], map(int, words[1::2])))

    def attributes(self):
        found = {key: getattr(self, key) for key in ("units", "long_name", "standard_name")}
        return {key: text.decode() for key, text in found.items() if text}


class Moment(typing.NamedTuple):
    """Where a simulation stands: times in seconds behind the start of the case, cells of this rank and of all."""

    step: int
    last_step: int
    steps_per_cycle: int
    seconds: float
    end: float
    step_seconds: float
    owned_cells: int
    cells: int
    over: bool  # there is no further step


class _Moment(ctypes.Structure):
    _fields_ = [
        (name, ctypes.c_double if kind is float else ctypes.c_int64 if kind is int else ctypes.c_int)
        for name, kind in Moment.__annotations__.items()
    ]


class Case:
    """A case file and what is changed of it: Case("case.toml", {"spectrum.directions": 24}). Values are written as TOML has them, and lists
    of numbers are lists."""

    def __init__(self, file, settings=None):
        self.file, self.settings = pathlib.Path(file), dict(settings or {})

    def changed(self, settings):
        """Another case, in which these keys are others too."""
        return Case(self.file, {**self.settings, **settings})

    def lines(self):
        """One for each setting, as --set takes it."""
        return "\n".join(
            f"{key}={str(value).lower() if isinstance(value, bool) else value}"
            for key, value in self.settings.items()
        )


def seconds_of(time):
    """Seconds of a number, or of a duration as case files have it."""
    if isinstance(time, (int, float)):
        return float(time)
    parts = re.fullmatch(r"([0-9.]+) *(s|min|h|d)", time)
    if not parts:
        raise Refused(f"{time}: expected seconds, or a duration such as 90s, 6min, 2h or 1d")
    return float(parts[1]) * UNITS[parts[2]]


class Simulation:
    """A run of a case. Collective, as are run, step, fields and what writes.

    `output` takes the place of the case's folder; `restart` is a file to go on from. `sources` and `forcing` are functions of yours:

    - a source is `rate(seconds, action, cells)`. It is called with at most `block` cells of a rank at a time, `action[cell, frequency,
      direction]` in m² s² rad⁻², and gives the rate at which that changes, per second. `cells` has an array of each of
      `surroundings()` for these cells (`cells.depth`), and the axes `cells.frequency` and `cells.direction`. It acts before each cycle of
      the model, as a step of its own (Godunov's splitting, of first order in the length of a cycle), and leaves no action below 0.
    - `forcing={"wind": function}`: `function(seconds, longitude, latitude, below)` is given places in degrees and what the case itself
      says there, `below[component, cell]`, or `below[cell]` of a kind without direction, and gives what takes its place.
    - a friction law is `friction(seconds, points, below)`. It is called with points of some faces of a fault at the end of each sub-step,
      and gives their coefficient of friction, which is felt in the next one; `below` is that of the case's law. `points` has `length` (of
      the sub-step, s) and arrays `x y z`, `slip` and `slip_rate` (those that weaken the fault), `normal` (Pa, tension positive), a
      `state` to be changed in place (0 at the start, part of restarts), and the numbers of [[fault.set]] by their keys.

    All must follow from their arguments alone, or the bits depend on how many ranks there are.
    """

    def __init__(
        self,
        case,
        output=None,
        restart=None,
        overwrite=False,
        sources=(),
        forcing=None,
        friction=None,
        block=64,
        ranks=None,
    ):
        self.case = case if isinstance(case, Case) else Case(case)
        self.ranks = communicator(ranks)
        self._hooks = Hooks(self, sources, forcing or {}, friction, block)
        self._value = ctypes.c_void_p()
        self._call(
            "gs_simulation_create",
            self.ranks.comm,
            os.fsencode(self.case.file),
            self.case.lines().encode(),
            os.fsencode(output or ""),
            os.fsencode(restart or ""),
            int(overwrite),
            ctypes.byref(self._hooks.table),
            ctypes.byref(self._value),
        )
        if sources and "action" not in self.state():
            self.close()
            problem = Refused(
                f"{self.case.file}: sources: expected a case of the sea, whose action they change"
            )
            problem.is_of_all, problem.speaks = True, self.ranks.rank == 0
            raise problem

    def _call(self, name, *arguments):
        """A collective call: what fails in it on one rank fails on all."""
        try:
            call(name, *arguments)
        except Exception as problem:
            problem.is_of_all = True
            raise

    def now(self):
        """The Moment where it stands."""
        moment = _Moment()
        call("gs_simulation_now", self._value, ctypes.byref(moment))
        return Moment(*(getattr(moment, name) for name in Moment._fields))

    def step(self, steps=1):
        """So many steps of the model, or those that are left."""
        self._call("gs_simulation_advance", self._value, ctypes.c_int64(steps))

    def run(self, until=None):
        """Up to a time behind the start, seconds or "6h", or to the end. Stops at the first end of a cycle that is not before it."""
        now = self.now()
        end = now.end if until is None else min(seconds_of(until), now.end)
        cycles = int(np.ceil(end / (now.steps_per_cycle * now.step_seconds) - 1e-9))
        last = cycles * now.steps_per_cycle
        while now.step < last and not now.over:  # Ctrl-C is heard after each cycle
            self.step(min(now.steps_per_cycle - now.step % now.steps_per_cycle, last - now.step))
            now = self.now()

    def _variables(self, name, *arguments, ask=call):
        count = ctypes.c_int()
        ask(name, self._value, *arguments, ctypes.byref(count))
        for number in range(count.value):
            variable = _Variable()
            call("gs_simulation_variable", self._value, number, ctypes.byref(variable))
            yield variable

    def state(self):
        """Arrays of the model itself, without a copy, by name, of this rank's cells. What is written to them is the state. Good until the
        next step; asked for anew after `fields`, which keeps what it found until then."""
        return {one.name.decode(): one.array() for one in self._variables("gs_simulation_state")}

    def surroundings(self):
        """Arrays of what stands beside the state, without a copy but for places, in degrees: axes, depth, and the forcing that acts now, by CF
        standard names."""
        found = {one.name.decode(): one.array() for one in self._variables("gs_simulation_surroundings")}
        degrees = {key: np.degrees(found[key]) for key in ("longitude", "latitude") if key in found}
        return {**found, **degrees}

    def _dataset(self, variables):
        import xarray

        arrays = {
            one.name.decode(): (tuple(one.lengths()), one.array(), one.attributes()) for one in variables
        }
        return xarray.Dataset(arrays, attrs={"seconds": self.now().seconds})

    def dataset(self):
        """State and surroundings as an xarray Dataset of the same arrays, with units, names and coordinates. Good until the next step."""
        found = self._dataset(self._variables("gs_simulation_state"))
        found = found.merge(self._dataset(self._variables("gs_simulation_surroundings")))
        if "longitude" not in found:
            return found
        for name, unit in (("longitude", "degrees_east"), ("latitude", "degrees_north")):
            found[name] = (found[name].dims, np.degrees(found[name].values), {"units": unit})
        return found.set_coords(["longitude", "latitude", "mesh_cell"])

    def fields(self, file=0):
        """The record that an output file of the case would get now, as an xarray Dataset of copies: this rank's cells or stations. Maps are
        numbered first, then points, then grids, each in the order of the case. At the end of a cycle."""
        record = self._variables("gs_simulation_record", ctypes.c_int(file), ask=self._call)
        found = self._dataset(record).copy(deep=True)
        places = self.dataset().coords
        if "nFace" in found.dims and "longitude" in places:
            found = found.assign_coords(
                {name: places[name].copy() for name in ("longitude", "latitude", "mesh_cell")}
            )
        return found

    def write_restart(self):
        """Writes a restart file of this moment and says where it will be, once `close` or later steps have it on the disk. At the end of
        a cycle."""
        file = ctypes.c_char_p()
        self._call("gs_simulation_write_restart", self._value, ctypes.byref(file))
        return pathlib.Path(os.fsdecode(file.value))

    def close(self):
        """Waits until all files are on the disk."""
        call("gs_simulation_finish", ctypes.byref(self._value))

    def __enter__(self):
        return self

    def __exit__(self, kind, problem, _):
        if kind is None or self.ranks.size == 1 or getattr(problem, "is_of_all", False):
            self.close()


def study(case, settings, measure, output="study"):
    """One run of the case for each of `settings`, a list of {key: value}, each in a folder of `output`; gives what `measure(simulation)`
    gives at the end of each. Collective."""
    results = []
    for number, changed in enumerate(settings):
        folder = pathlib.Path(output, f"{number:03d}")
        with Simulation(case.changed(changed), output=folder, overwrite=True) as simulation:
            simulation.run()
            results.append(measure(simulation))
    return results
