"""SeisSol's parameter files: Fortran namelists whose keys have lines, and of which it is known who asked for what."""

import pathlib
import re

from groundswell.errors import nearest, refuse


class Group:
    """A namelist. Every key that is asked for counts as known; `left()` tells of the others."""

    def __init__(self, file, name, values):
        self.file, self.name, self.values, self.asked = file, name, values, set()

    def at(self, key):
        return f"{self.file.path}:{self.file.line(self.name, key)}"

    def has(self, key):
        self.asked.add(key)
        return self.values.get(key) is not None

    def number(self, key, usual=None):
        value = self._value(key, usual)
        if isinstance(value, str):
            try:
                value = float(re.sub("[dD]", "e", value))
            except ValueError:
                pass
        if isinstance(value, (str, list)):
            refuse(self.at(key), key, value, "a number")
        return value if value is None else float(value)

    def flag(self, key, usual=False):
        value = self._value(key, usual)
        if isinstance(value, str):
            if value.lower() not in ("true", "false", "yes", "no", "on", "off", "0", "1"):
                refuse(self.at(key), key, value, "0 or 1")
            return value.lower() in ("true", "yes", "on", "1")
        return bool(value)

    def text(self, key, usual=None):
        value = self._value(key, usual)
        return value if value is None else str(value).strip()

    def mask(self, key, usual, count):
        """Numbers of groups that are on, from 1."""
        value = self._value(key, usual)
        words = value.split() if isinstance(value, str) else value if isinstance(value, list) else [value]
        try:
            flags = [bool(int(word)) for word in words]
        except (TypeError, ValueError):
            refuse(self.at(key), key, value, "numbers 0 and 1")
        return [number for number, flag in enumerate(flags[:count], 1) if flag]

    def path(self, key):
        """A file that lies beside the parameter file, or where its path says."""
        name = self.text(key)
        return None if not name else self.file.path.parent / name

    def one_of(self, key, usual, known):
        """The meaning of a number."""
        value = self.number(key, usual)
        if value not in known:
            refuse(self.at(key), key, f"{value:g}", " or ".join(f"{one:g}" for one in known))
        return known[value]

    def left(self):
        return [key for key in self.values if key not in self.asked]

    def _value(self, key, usual):
        self.asked.add(key)
        value = self.values.get(key)
        return usual if value is None else value


class ParameterFile:
    """All namelists of a file, those that it has not being empty."""

    def __init__(self, path):
        try:
            import f90nml
        except ImportError:
            refuse(path, None, None, "the Python package f90nml (pip install f90nml)")
        self.path = pathlib.Path(path)
        try:
            self.text = self.path.read_text(encoding="utf-8", errors="replace")
        except OSError as failure:
            refuse(path, None, None, f"a file that can be read ({failure.strerror})")
        if not re.search(r"^\s*&\w", self.text, re.MULTILINE):
            refuse(path, None, None, "namelists of SeisSol: &equations … /")
        try:
            read = f90nml.reads(self.text)
        except Exception as failure:  # the parser has errors of several classes
            refuse(path, None, None, f"Fortran namelists ({failure or type(failure).__name__})")
        self.groups = {}
        for name, values in read.items():
            if isinstance(values, list):
                refuse(f"{path}:{self.line(name)}", f"&{name}", None, "each namelist once")
            self.groups[name.lower()] = Group(
                self, name, {key.lower(): value for key, value in values.items()}
            )

    def group(self, name):
        if name not in self.groups:
            self.groups[name] = Group(self, name, {})
        return self.groups[name]

    def line(self, group, key=None):
        """Where a namelist begins, or a key stands in it."""
        begin = re.search(rf"^\s*&{re.escape(group)}\b", self.text, re.IGNORECASE | re.MULTILINE)
        place = begin.end() if begin else 0
        if key is not None:
            found = re.compile(rf"^\s*{re.escape(key)}\s*=", re.IGNORECASE | re.MULTILINE).search(
                self.text, place
            )
            place = found.end() if found else place
        return self.text.count("\n", 0, place) + 1

    def refuse_groups(self, known):
        for name, group in self.groups.items():
            if name not in known and group.values:
                guess = nearest(name, known)
                expected = f"did you mean '&{guess}'?" if guess else f"one of &{', &'.join(known)}"
                refuse(f"{self.path}:{self.line(name)}", f"&{name}", None, expected)
