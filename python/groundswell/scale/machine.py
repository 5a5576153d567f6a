"""Machines as runs see them: hosts, cores, memory and links, read from a TOML file or by name from those that are shipped."""

import dataclasses
import pathlib
import re

import numpy as np

from groundswell.errors import nearest, refuse
from groundswell.ground.reading import Values, check_keys
from groundswell.toml_file import read_toml_file

SHIPPED = pathlib.Path(__file__).with_name("machines")
SECTIONS = {
    "host": ("cores", "memory", "peak", "stream", "cache", "instructions"),
    "job": ("ranks_per_host", "threads"),
    "network": ("latency", "bandwidth", "overhead", "eager"),
    "inside": ("latency", "bandwidth"),
    "file_system": ("bandwidth",),
}
INSTRUCTIONS = (
    "v2",
    "v3",
    "v4",
)  # levels of x86-64, as the program's kernels have them: SSE4.2, AVX2, AVX-512
TOP = ("name", "about", "hosts", *SECTIONS)
UNITS = {
    "time": {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3},
    "bytes": {"KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40, "MB": 1e6, "GB": 1e9, "TB": 1e12},
    "rate": {"MB/s": 1e6, "GB/s": 1e9, "TB/s": 1e12, "Mb/s": 0.125e6, "Gb/s": 0.125e9},
    "speed": {"GFLOP/s": 1e9, "TFLOP/s": 1e12},
}


@dataclasses.dataclass(frozen=True)
class Link:
    """latency in s, bandwidth in bytes/s, overhead: s of a processor for a message, at either end; eager: bytes of a message up to
    which it travels without the help of the ranks."""

    latency: float
    bandwidth: float
    overhead: float = 0.0
    eager: float = 65536.0


@dataclasses.dataclass(frozen=True)
class Machine:
    """peak (double, FLOP/s) and stream (bytes/s) of all cores of a host together; memory and cache (the last levels of all
    processors of a host, 0 where it is not told) in bytes; file_system in bytes/s or None; instructions: of INSTRUCTIONS, or None
    where it is not told."""

    where: str
    name: str
    about: str
    hosts: int
    cores: int
    memory: float
    peak: float
    stream: float
    ranks_per_host: int
    threads: int
    network: Link
    inside: Link
    file_system: float | None
    cache: float = 0.0
    instructions: str | None = None

    @property
    def core_peak(self):
        return self.peak / self.cores

    def hosts_of(self, parts):
        """The host of each part: they fill hosts in their order."""
        return np.arange(parts) // self.ranks_per_host


def shipped():
    return sorted(path.stem for path in SHIPPED.glob("*.toml"))


def find(name):
    """The file of a machine: a path, or the name of one that is shipped."""
    if name.endswith(".toml") or "/" in name:
        return pathlib.Path(name)
    if name in shipped():
        return SHIPPED / f"{name}.toml"
    guess = nearest(name, shipped())
    hint = f"; did you mean '{guess}'?" if guess else ""
    refuse("command line", "--predict", name, f"a TOML file, or one of {', '.join(shipped())}{hint}")


class Section:
    """A table of the file, with numbers that have units."""

    def __init__(self, where, tables, name):
        if name not in tables:
            refuse(where, name, "(missing)", f"a table [{name}]")
        self.where, self.name = where, name
        self.values = Values(where, name, tables[name], SECTIONS[name])

    def refuse(self, key, expected):
        self.values.refuse(key, expected)

    def count(self, key, most):
        value = self.values.values.get(key)
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
            self.refuse(key, f"a whole number, 1 to {most}")
        return value

    def word(self, key, words):
        value = self.values.values.get(key)
        if value not in words:
            self.refuse(key, "one of " + ", ".join(words))
        return value

    def quantity(self, key, kind, example, least, most, doubt):
        """A number with its unit in SI. Beyond [least, most] it is asked back: so it says something else than was meant."""
        value = self.values.values.get(key)
        found = re.fullmatch(r"\s*([0-9.eE+-]+)\s*(\S+)\s*", value) if isinstance(value, str) else None
        units = UNITS[kind]
        try:
            number = float(found[1]) if found else None
        except ValueError:
            number = None
        if number is None or found[2] not in units:
            self.refuse(key, f'a number and a unit ({", ".join(units)}), such as "{example}"')
        number *= units[found[2]]
        if not least <= number <= most:
            self.refuse(key, doubt)
        return number


def read(name):
    path = find(name)
    tables = read_toml_file(path)
    check_keys(path, "machine", tables, TOP)
    host, job = Section(path, tables, "host"), Section(path, tables, "job")
    cores = host.count("cores", 1024)
    ranks, threads = job.count("ranks_per_host", 1024), job.count("threads", 1024)
    if ranks * threads > cores:
        job.refuse(
            "ranks_per_host",
            f"at most host.cores = {cores} with {threads} threads each, not {ranks * threads}",
        )
    hosts = tables.get("hosts")
    if isinstance(hosts, bool) or not isinstance(hosts, int) or hosts < 1:
        refuse(
            path, "hosts", hosts if "hosts" in tables else "(missing)", "a whole number of hosts, 1 or more"
        )

    def link(name):
        section = Section(path, tables, name)
        latency = section.quantity(
            "latency", "time", "2 us", 20e-9, 1e-3, "20 ns to 1 ms for a small message"
        )
        rate = section.quantity(
            "bandwidth", "rate", "25 GB/s", 50e6, 5e12, "50 MB/s to 5 TB/s; GB/s are bytes, Gb/s are bits"
        )
        overhead = latency / 4 if name == "network" else 0.0
        if "overhead" in tables[name]:
            overhead = section.quantity(
                "overhead", "time", "0.4 us", 0.0, latency, "no more than the latency"
            )
        eager = Link.eager
        if "eager" in tables[name]:
            eager = section.quantity("eager", "bytes", "64 KiB", 0.0, 2**30, "at most 1 GiB for a message")
        return Link(latency, rate, overhead, eager)

    inside = link("inside")
    # Nothing leaves the only host.
    network = link("network") if hosts > 1 or "network" in tables else inside
    cache = 0.0
    if "cache" in tables["host"]:
        cache = host.quantity("cache", "bytes", "512 MiB", 2**20, 2**40, "1 MiB to 1 TiB on a host")

    disk = None
    if "file_system" in tables:
        disk = Section(path, tables, "file_system").quantity(
            "bandwidth", "rate", "10 GB/s", 1e6, 1e13, "1 MB/s to 10 TB/s"
        )
    return Machine(
        where=str(path),
        name=str(tables.get("name", path.stem)),
        about=str(tables.get("about", "")),
        hosts=hosts,
        cores=cores,
        memory=host.quantity("memory", "bytes", "256 GiB", 2**28, 2**50, "256 MiB to 1024 TiB on a host"),
        peak=host.quantity(
            "peak",
            "speed",
            "4.6 TFLOP/s",
            0.5e9 * cores,
            500e9 * cores,
            f"0.5 to 500 GFLOP/s in double precision for each of {cores} cores, all of them together",
        ),
        stream=host.quantity(
            "stream", "rate", "350 GB/s", 1e9, 2e13, "1 GB/s to 20 TB/s of all cores of a host together"
        ),
        ranks_per_host=ranks,
        threads=threads,
        network=network,
        inside=inside,
        file_system=disk,
        cache=cache,
        instructions=host.word("instructions", INSTRUCTIONS) if "instructions" in tables["host"] else None,
    )
