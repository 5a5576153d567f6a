"""The halo exchange for NumPy arrays whose first axis is local cells: those that a rank owns, then those that it needs of others."""

import contextlib
import ctypes

import numpy as np

from groundswell.lab.runtime import Handle, Refused, call, communicator, library


class _Field(ctypes.Structure):
    _fields_ = [("values", ctypes.c_void_p), ("bytes", ctypes.c_size_t), ("stride", ctypes.c_size_t)]


class _Cost(ctypes.Structure):
    _fields_ = [(name, ctypes.c_double) for name in ("pack", "wait", "unpack")]
    _fields_ += [(name, ctypes.c_int64) for name in ("exchanges", "messages", "bytes")]


def _pointer(array):
    return array.ctypes.data_as(ctypes.c_void_p)


class Halo:
    """Exchange of cells: who sends which to whom. `owned` and `needed`: ids from 0 on, each owned by one rank. Collective, as is every exchange."""

    def __init__(self, owned, needed, transport="auto", ranks=None):
        self.ranks = communicator(ranks)
        self.owned = np.ascontiguousarray(owned, dtype=np.int64)
        self.needed = np.ascontiguousarray(needed, dtype=np.int64)
        # Messages of a rank to itself are all that there is without an MPI library.
        self.transport = transport if transport != "auto" or library().has_mpi else "posted"
        self._exchanges, self._memories = {}, []
        self._plan = Handle(
            "gs_halo_plan_destroy",
            "gs_halo_plan_create",
            self.ranks.comm,
            ctypes.c_int64(self.owned.size),
            _pointer(self.owned),
            ctypes.c_int64(self.needed.size),
            _pointer(self.needed),
        )

    @property
    def cells(self):
        """Owned and needed ones."""
        return self.owned.size + self.needed.size

    def zeros(self, shape=(), dtype=float):
        """An array of `shape` for each cell, where neighbours on the same host can read it: the transport "shared" saves a copy with it.
        It lives as long as this object."""
        dtype = np.dtype(dtype)
        shape = (self.cells, *np.atleast_1d(np.array(shape, dtype=int)))
        bytes_each = dtype.itemsize * int(np.prod(shape[1:]))
        values = ctypes.c_void_p()
        memory = ctypes.c_void_p()
        call(
            "gs_halo_memory_create",
            self._plan.value,
            ctypes.c_size_t(bytes_each),
            ctypes.byref(memory),
            ctypes.byref(values),
        )
        self._memories.append(memory)
        if self.cells == 0:
            return np.zeros(shape, dtype)
        buffer = (ctypes.c_char * (bytes_each * self.cells)).from_address(values.value)
        return np.frombuffer(buffer, dtype).reshape(shape)

    def _fields(self, arrays):
        fields = (_Field * len(arrays))()
        for field, array in zip(fields, arrays):
            if array.ndim == 0 or array.shape[0] != self.cells:
                raise Refused(
                    f"array of shape {array.shape}: expected {self.cells} rows, {self.owned.size} owned cells and {self.needed.size} needed"
                )
            if not array.flags.c_contiguous:
                raise Refused("array with gaps: expected one that is contiguous (numpy.ascontiguousarray)")
            field.values = array.ctypes.data
            field.bytes = array.dtype.itemsize * int(np.prod(array.shape[1:]))
        return fields

    def _exchange(self, fields):
        key = tuple(field.bytes for field in fields)
        if key not in self._exchanges:
            self._exchanges[key] = Handle(
                "gs_halo_destroy",
                "gs_halo_create",
                self._plan.value,
                self.transport.encode(),
                len(fields),
                fields,
            )
        return self._exchanges[key].value

    @contextlib.contextmanager
    def exchanging(self, *arrays):
        """While messages are under way: what is computed in this block may read owned cells alone, and write no array given."""
        fields = self._fields(arrays)
        exchange = self._exchange(fields)
        call("gs_halo_start", exchange, len(fields), fields)
        yield
        call("gs_halo_finish", exchange)

    def exchange(self, *arrays):
        """Brings the needed cells of all arrays, in one message for each neighbour."""
        with self.exchanging(*arrays):
            pass

    def costs(self):
        """Account of each exchange so far: its transport, and this rank's seconds, messages and bytes."""
        found = []
        for exchange in self._exchanges.values():
            cost = _Cost()
            call("gs_halo_cost_get", exchange.value, ctypes.byref(cost))
            named = {name: getattr(cost, name) for name, _ in _Cost._fields_}
            name = library().own.gs_halo_transport(exchange.value)
            found.append({"transport": name.decode(), **named})
        return found

    def close(self):
        """Collective; arrays of zeros() are gone then."""
        for exchange in self._exchanges.values():
            exchange.close()
        for memory in self._memories:
            call("gs_halo_memory_destroy", ctypes.byref(memory))
        self._plan.close()
        self._exchanges, self._memories = {}, []

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind is None:
            self.close()
