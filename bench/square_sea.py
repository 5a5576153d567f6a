"""A square sea of 10 078 cells, for what is measured on one thread: `SQUARE` at rest, or a storm that moves over it."""

import pathlib
import time

from common import launch, program

SQUARE = """
[time]
start = 2000-01-01T00:00:00Z
end = 2000-01-02T00:00:00Z
source_step = "5min"
[mesh]
file = "mesh.nc"
[spectrum]
directions = 36
frequencies = 35
first_frequency = 0.04177
ratio = 1.1
[[wind]]
uniform = [10.0, 0.0]
[initial]
state = "wind-sea"
fetch = 10000.0
[physics]
package = "none"
[propagation]
scheme = "none"
[[output.map]]
file = "map.nc"
every = "1d"
fields = ["hs"]
"""


def make_square(folder):
    """Writes mesh.nc."""
    request = ["--region=-4,4,-4,4", "--depth", "4000", "--spacing", "9.5", "--output", f"{folder}/mesh.nc"]
    launch(1, program("groundswell"), "mesh", "make", *request)


def write_storm(folder, hours):
    """Writes storm.toml, the same sea with propagation and all source terms for so many hours."""
    storm = pathlib.Path(folder, "storm.toml")
    moving = SQUARE.replace('scheme = "none"', 'scheme = "second-order"').replace('"none"', '"st4"')
    storm.write_text(moving.replace("2000-01-02T00", f"2000-01-01T{hours:02d}").replace('"1d"', '"1h"'))
    return storm


def seconds_of(*command):
    begin = time.perf_counter()
    launch(1, *command)
    return time.perf_counter() - begin
