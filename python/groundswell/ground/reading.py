"""Typed values of the tables of a request, with refusals that name file, key and value."""

from groundswell.errors import refuse, refuse_unknown
from groundswell.mesh.request import LARGEST, Table


def is_number(value):
    return not isinstance(value, bool) and isinstance(value, int | float) and abs(value) <= LARGEST


def check_keys(where, name, table, known):
    """Refuse what is no table, and keys that nobody reads."""
    if not isinstance(table, dict):
        refuse(where, name, table, "a table")
    for key, value in table.items():
        if key not in known:
            refuse_unknown(where, f"{name}.{key}", known, value)


class Values(Table):
    """One table of a request."""

    def __init__(self, where, name, values, known):
        check_keys(where, name, values, known)
        super().__init__(where, name, values)

    def refuse(self, key, expected, value=None):
        shown = self.values.get(key, "(missing)") if value is None else value
        refuse(self.where, f"{self.name}.{key}", shown, expected)

    def positive(self, key, default=None, expected="a number > 0"):
        return self.number(key, default, expected, lambda value: value > 0)

    def optional(self, key, expected, good=lambda value: value > 0):
        """A number, or None where the key is not given."""
        return self.number(key, None, expected, good) if key in self.values else None

    def text(self, key, default=None):
        value = self.values.get(key, default)
        if not isinstance(value, str) or not value:
            self.refuse(key, "a text")
        return value

    def choice(self, key, default, choices):
        value = self.values.get(key, default)
        if value not in choices:
            self.refuse(key, f"one of {', '.join(choices)}")
        return value

    def pair(self, key, expected):
        """Two numbers, the first below the second."""
        value = self.values.get(key)
        if not (isinstance(value, list) and len(value) == 2 and all(map(is_number, value))):
            self.refuse(key, expected)
        if not value[0] < value[1]:
            self.refuse(key, expected)
        return float(value[0]), float(value[1])

    def rows(self, key, sizes, least, expected):
        """A list of at least `least` lists of as many numbers as one of `sizes`."""
        rows = self.values.get(key)
        good = isinstance(rows, list) and len(rows) >= least
        for row in rows if good else []:
            good = good and isinstance(row, list) and len(row) in sizes and all(map(is_number, row))
        if not good:
            self.refuse(key, expected)
        return [[float(value) for value in row] for row in rows]

    def places(self, key, sizes, least, projection):
        """Rows of `key` in metres, or of `key`_degrees in longitude and latitude; in metres."""
        metres, degrees = key in self.values, f"{key}_degrees" in self.values
        if metres == degrees:
            self.refuse(key, f"either {key} (m) or {key}_degrees", "given twice" if metres else None)
        if metres:
            return self.rows(key, sizes, least, f"{least} or more lists of numbers: x, y{_z(sizes)} in m")
        key = f"{key}_degrees"
        rows = self.rows(key, sizes, least, f"{least} or more lists: longitude, latitude{_z(sizes)}")
        if projection is None:
            self.refuse(key, "a section [projection], which turns degrees into metres", "given")
        for longitude, latitude, *_ in rows:
            if not (-360 <= longitude <= 360 and -90 <= latitude <= 90):
                self.refuse(key, "longitudes of −360…360° and latitudes of −90…90°", [longitude, latitude])
        return [[*projection.metres(row[0], row[1]), *row[2:]] for row in rows]


def _z(sizes):
    return {(2,): "", (3,): ", z", (2, 3): " and, if not at the surface, z"}[tuple(sizes)]
