"""Files that all ranks write together, record by record, while the model goes on."""

import ctypes

import numpy as np

from groundswell.lab.runtime import Handle, Ranks, Refused, call, communicator, library, type_number


def _text(value):
    return None if value is None else str(value).encode()


class Servers:
    """Some of the ranks set apart to write ("1", "10%"; "0": none). On the others `compute` has the ranks that compute; on a server it is
    None, once all has been written. Collective."""

    def __init__(self, wanted="0", ranks=None):
        self.value, comm = ctypes.c_void_p(), library().family.handle()
        call(
            "gs_servers_split",
            communicator(ranks).comm,
            _text(wanted),
            ctypes.byref(self.value),
            ctypes.byref(comm),
        )
        none = library().handle("nobody").value
        self.compute = None if comm.value == none else Ranks(library(), comm)

    def release(self):
        """After the output has finished. Collective over the ranks that compute."""
        if self.value:
            call("gs_servers_release", ctypes.byref(self.value))


class Output:
    """The output of a run. Options are those of gs_output_create: mode="thread", compression=1 … Use it in `with`: at its end everything
    is on the disk."""

    def __init__(self, ranks=None, servers=None, **options):
        self.ranks = communicator(ranks)
        text = ", ".join(f"{key} = {value}" for key, value in options.items())
        self.value = ctypes.c_void_p()
        held = servers.value if servers else None
        call("gs_output_create", self.ranks.comm, _text(text or None), held, ctypes.byref(self.value))

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind is None or self.ranks.size == 1:
            call("gs_output_finish", ctypes.byref(self.value))


class File:
    """A netCDF file of fields on cells. `fields`: {name: {"units": …, "long_name": …}}, each with a value for every cell and time; `fixed`:
    {name: (array of this rank's cells, attributes)}. `owned`: ids of this rank's cells, from 0 to below `cells`."""

    def __init__(self, output, path, owned, cells, fields, fixed=None, units="seconds", dtype=float):
        owned = np.ascontiguousarray(owned, dtype=np.int64)
        self.dtype, self._count, self._names = np.dtype(dtype), owned.size, set(fields)
        fixed = fixed or {}
        self._rows = Handle(
            "gs_rows_destroy",
            "gs_rows_create",
            output.ranks.comm,
            ctypes.c_int64(cells),
            ctypes.c_int64(owned.size),
            owned.ctypes.data_as(ctypes.c_void_p),
        )
        schema = Handle("gs_schema_destroy", "gs_schema_create")
        call("gs_schema_dimension", schema.value, b"time", ctypes.c_int64(-1))
        call("gs_schema_dimension", schema.value, b"cell", ctypes.c_int64(cells))
        number = type_number(np.empty(0, self.dtype))
        self._variable(schema, "time", 4, ["time"], {"units": units})
        for name, attributes in fields.items():
            self._variable(schema, name, number, ["time", "cell"], attributes)
        for name, (values, attributes) in fixed.items():
            self._variable(schema, name, type_number(np.asarray(values)), ["cell"], attributes)
        self.value = ctypes.c_void_p()
        call("gs_file_create", output.value, _text(path), schema.value, 1, ctypes.byref(self.value))
        schema.close()
        for name, (values, _) in fixed.items():
            self._hand("gs_file_write", name, np.ascontiguousarray(values))

    @staticmethod
    def _variable(schema, name, number, dimensions, attributes):
        names = (ctypes.c_char_p * len(dimensions))(*map(str.encode, dimensions))
        call("gs_schema_variable", schema.value, _text(name), number, len(dimensions), names)
        for key, value in attributes.items():
            call("gs_schema_text", schema.value, _text(name), _text(key), _text(value))

    def _hand(self, function, name, array):
        if array.shape != (self._count,):
            raise Refused(
                f"{name} of shape {array.shape}: expected ({self._count},), the cells that this rank owns"
            )
        pointer = array.ctypes.data_as(ctypes.c_void_p)
        count = ctypes.c_int64(array.size)
        call(function, self.value, _text(name), type_number(array), count, pointer, self._rows.value)

    def record(self, time, **values):
        """Hands over one record: this rank's cells of every field. Collective."""
        if set(values) != self._names:
            raise Refused(f"record of {sorted(values)}: expected {sorted(self._names)}")
        held = {name: np.ascontiguousarray(array, dtype=self.dtype) for name, array in values.items()}
        for name, array in held.items():
            self._hand("gs_file_put", name, array)
        call("gs_file_end_record", self.value, ctypes.c_double(time))

    def close(self):
        call("gs_file_close", ctypes.byref(self.value))
        self._rows.close()
