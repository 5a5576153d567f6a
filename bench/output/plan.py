"""Measurements of the evaluation of output in their order: what the demands rest on comes first."""

import dataclasses

RECORD_BYTES = 16_000_000
INTERVAL_SECONDS = 0.5
SLOW_DISK_BYTES_PER_SECOND = 40e6
SLOW_DISK = "40MB/s"


@dataclasses.dataclass(frozen=True)
class Part:
    """`interval`: seconds of computing between two records on two ranks, 0 for none. Each round measures every way once, so
    that a disturbance of the machine meets them all; those of `once` are in the first round only."""

    name: str
    title: str
    slow: bool
    interval: float
    intervals: int
    rounds: int
    ways: tuple
    once: tuple = ()


@dataclasses.dataclass(frozen=True)
class Way:
    """A division into ranks that compute and ranks that write. `taken`: the servers are some of the two ranks that computed before."""

    mode: str
    clients: int = 2
    servers: int = 0
    format: str = "cdf5"

    @property
    def key(self):
        ranks = f"{self.clients}+{self.servers}"
        return "-".join([self.mode, ranks, *[self.format] * (self.format != "cdf5")])

    @property
    def title(self):
        if self.mode == "none":
            return "no output"
        text = self.mode
        if self.servers:
            text = f"servers: {self.servers}"
        if self.format != "cdf5":
            text += f", {self.format}"
        return text

    @property
    def ranks(self):
        text = f"{self.clients}"
        return f"{text} + {self.servers}" if self.servers else text


@dataclasses.dataclass(frozen=True)
class Measurement:
    part: str
    way: Way
    round: int

    @property
    def key(self):
        return f"{self.part}_{self.way.key}_{self.round}"


NONE, DIRECT, SERIAL, THREAD, AUTO = (Way(mode) for mode in ("none", "direct", "serial", "thread", "auto"))
ONE_SERVER, TWO_SERVERS = Way("servers", 2, 1), Way("servers", 2, 2)
TAKEN = Way("servers", 1, 1)
NETCDF4 = Way("direct", format="netcdf4")
RATIOS = tuple(Way("servers", clients, servers) for clients, servers in ((1, 1), (3, 1), (4, 1), (4, 2)))


def parts(quick):
    times = (lambda full, few: few) if quick else (lambda full, few: full)
    return (
        Part(
            "slow",
            "Computation and output, slow disk",
            True,
            INTERVAL_SECONDS,
            times(34, 3),
            times(3, 1),
            (NONE, DIRECT, ONE_SERVER, THREAD),
            (TWO_SERVERS, SERIAL, NETCDF4, TAKEN),
        ),
        Part(
            "fast",
            "Computation and output, fast disk",
            False,
            INTERVAL_SECONDS,
            times(10, 2),
            times(3, 1),
            (NONE, DIRECT, ONE_SERVER, THREAD, TWO_SERVERS, AUTO, SERIAL, NETCDF4),
            (TAKEN,),
        ),
        Part(
            "idle",
            "A server with nothing to do",
            False,
            INTERVAL_SECONDS,
            times(6, 2),
            times(3, 1),
            (ONE_SERVER,),
        ),
        Part(
            "only-fast",
            "Output alone, fast disk",
            False,
            0.0,
            times(20, 3),
            times(3, 1),
            (DIRECT, ONE_SERVER, THREAD, TWO_SERVERS, SERIAL, NETCDF4, *RATIOS),
        ),
        Part(
            "only-slow",
            "Output alone, slow disk",
            True,
            0.0,
            times(8, 2),
            1,
            (NONE, DIRECT, ONE_SERVER, THREAD, TWO_SERVERS, SERIAL, NETCDF4),
        ),
    )


def measurements(all_parts):
    for part in all_parts:
        for number in range(1, part.rounds + 1):
            for way in part.ways + (part.once if number == 1 else ()):
                yield Measurement(part.name, way, number)
