"""The evaluation's measurements in their order: what matters most comes first."""

import dataclasses
import random

from libraries import LIBRARIES, blocks, turns

# partition, mapping, reorder, whether ranks are spread over the hosts in random order
WAYS = {
    "metis": ("plain", "none", False, False),
    "two-level": ("two-level", "auto", False, False),
    "random": ("plain", "none", False, True),
    "reorder": ("plain", "none", True, True),
    "remapped": ("plain", "auto", False, True),
}
WAY_TITLES = {
    "metis": "METIS order",
    "two-level": "two-level partition",
    "random": "random order",
    "reorder": "random order, the library asked for new ranks",
    "remapped": "random order, remapped",
}
SEED = 1


@dataclasses.dataclass(frozen=True)
class Measurement:
    """`kind`: "halo", all transports in one go; "steps", a run of propagation alone by one transport; "model", a run with
    the source terms too."""

    kind: str
    mpi: str
    hosts: int
    per_host: int
    way: str
    transport: str = ""

    @property
    def key(self):
        parts = [self.kind, self.mpi, f"{self.hosts}x{self.per_host}", self.way, self.transport]
        return "_".join(part for part in parts if part)

    @property
    def layout(self):
        return layout_title(self.hosts, self.per_host)

    @property
    def order(self):
        """The host of each rank, from 1."""
        if not WAYS[self.way][3]:
            return blocks(self.hosts, self.per_host)
        return scattered(self.hosts, self.per_host)


def layout_title(hosts, per_host):
    ranks = f"{per_host} rank" + "s" * (per_host > 1)
    return f"one host, {ranks}" if hosts == 1 else f"{hosts} hosts × {ranks}"


def scattered(hosts, per_host):
    """Ranks in random order over the hosts. With two on each of two hosts every order but the sorted one comes to the same
    as dealing them out in turn, which all launchers can do."""
    if (hosts, per_host) == (2, 2):
        return turns(hosts, per_host)
    order = list(blocks(hosts, per_host))
    random.Random(SEED).shuffle(order)
    return tuple(order)


def measurements(names):
    """Those of these libraries. Ranks that do not yield while they wait are kept to four."""
    chosen = [library for library in LIBRARIES if library.name in names]
    halo = lambda library, hosts, per_host, way: Measurement("halo", library.name, hosts, per_host, way)  # noqa: E731

    for library in chosen:
        yield halo(library, 1, 2, "two-level")
        yield halo(library, 2, 1, "two-level")
    for library in chosen:
        for way in WAYS:
            yield halo(library, 2, 2, way)
    for library in chosen:
        for hosts in (1, 2):
            for transport in ("point-to-point", "neighbor", "shared"):
                yield Measurement("steps", library.name, hosts, 2 // hosts, "two-level", transport)
    for library in chosen:
        yield halo(library, 1, 4, "two-level")
        yield halo(library, 3, 1, "two-level")
        yield halo(library, 4, 1, "two-level")
        if library.yields:
            for way in WAYS:
                yield halo(library, 4, 2, way)
    for library in chosen:
        for way in ("metis", "random", "remapped"):
            for transport in ("point-to-point", "neighbor"):
                yield Measurement("steps", library.name, 2, 2, way, transport)
    for library in chosen[:1]:
        for hosts in (1, 2):
            for transport in ("point-to-point", "neighbor", "shared"):
                yield Measurement("model", library.name, hosts, 2 // hosts, "two-level", transport)
