"""What an earthquake run will cost on a machine: its mesh cut into that many parts and counted, speeds measured, links told.

From one meeting of all clusters to the next a part takes

    (elements · s_e + faces · s_f) (1 + imbalance) / threads + messages · latency + bytes / bandwidth + rest

with the updates of its elements and of its faults' faces, the most messages and bytes that a part receives, and of latency and
bandwidth those between hosts for the share of what crosses hosts, whose link all ranks of a host share. Nothing is taken to be
hidden behind the computation. s_e and s_f are seconds of a core in a run that was measured, longer by the ratio of the cores'
peaks, and no shorter than memory allows."""

import dataclasses
import math

PHASES = ("local", "neighbour")
BASE_MEMORY = 60 * 2**20  # bytes of a process that has no element: libraries, MPI


@dataclasses.dataclass(frozen=True)
class Speeds:
    """What was measured: seconds of a core for an update of an element and of a face, and for the rest (receivers, output,
    checks) for a simulated second; bytes that an element takes and that one update moves; the peak of a core in FLOP/s."""

    element: float
    face: float
    rest: float
    setup: float
    elements: int
    memory: float
    traffic: float
    peak: float
    output: float
    ranks: int
    source: str


def updates_of(clusters, counts):
    """Of all things of these counts by cluster, from one meeting to the next."""
    last = len(counts) - 1
    return sum(count * clusters["rate"] ** (last - c) for c, count in enumerate(counts))


def speeds_of(run, peak, traffic, source):
    """From a run's report: `result` of its JSON, with `machine`."""
    result, machine = run["result"], run["machine"]
    cores = machine["ranks"] * machine["threads"]
    phases = {name: value["mean"] for name, value in result["phases"].items()}
    clusters = result["clusters"]
    rate = result["local_time_stepping"]["rate"]
    meetings = result["element_updates"] / updates_of({"rate": rate}, [c["elements"] for c in clusters])
    faces = meetings * updates_of({"rate": rate}, [c["fault_faces"] for c in clusters])
    busy = sum(phases.get(name, 0.0) for name in PHASES)
    rest = sum(phases.get(name, 0.0) for name in ("sampling", "output", "other", "agreement"))
    elements = result["elements"]
    return Speeds(
        element=busy * cores / result["element_updates"],
        face=phases.get("rupture", 0.0) * cores / faces if faces else 0.0,
        rest=rest * cores / result["simulated_seconds"],
        setup=phases.get("setup", 0.0) * machine["ranks"],
        elements=elements,
        memory=(result["peak_memory_bytes"]["mean"] - BASE_MEMORY) * machine["ranks"] / elements,
        traffic=traffic,
        peak=peak,
        output=result["output"]["bytes"] / result["simulated_seconds"],
        ranks=machine["ranks"],
        source=source,
    )


def element_seconds(speeds, machine, cores_busy):
    """Of one core on a host of the machine with so many of its cores at work: (seconds, what limits it)."""
    arithmetic = speeds.element * speeds.peak / machine.core_peak
    memory = speeds.traffic * cores_busy / machine.stream
    return max((arithmetic, "arithmetic"), (memory, "memory"))


def predict(counted, parts, speeds, machine, simulated):
    """One row: `counted` is the result of `groundswell volume`, `parts` one of its partitions, `simulated` the run's length."""
    clusters, count = counted["clusters"], parts["parts"]
    ranks_per_host = min(machine.ranks_per_host, count)
    hosts = math.ceil(count / machine.ranks_per_host)
    second, limit = element_seconds(speeds, machine, ranks_per_host * machine.threads)
    face = speeds.face * speeds.peak / machine.core_peak
    cores = count * machine.threads
    elements = updates_of(clusters, clusters["cells"])
    faces = updates_of(clusters, clusters["fault_faces"])
    evenly = (elements * second + faces * face) / cores
    waiting = evenly * parts["imbalance_in_step"]
    step = counted["step_seconds"]
    rest = speeds.rest * speeds.peak / machine.core_peak * step / cores

    off = parts["off_host_share"] if hosts > 1 else 0.0
    network, inside = machine.network, machine.inside
    latency = off * network.latency + (1 - off) * inside.latency
    slow = off * ranks_per_host / network.bandwidth + (1 - off) / inside.bandwidth
    messages, received = parts["messages"]["max"], parts["received_bytes"]["max"]
    talking = messages * latency + received * slow
    seconds = evenly + waiting + talking + rest
    meetings = simulated / step
    setup = speeds.setup * counted["cells"] / speeds.elements / count
    run = setup + meetings * seconds
    alone = (elements * second + faces * face) / machine.threads + rest * count
    return {
        "parts": count,
        "hosts": hosts,
        "threads": machine.threads,
        "elements_of_a_part": counted["cells"] / count,
        "step_seconds": seconds,
        "computing_seconds": evenly,
        "waiting_seconds": waiting,
        "communication_seconds": talking,
        "rest_seconds": rest,
        "communication_share": talking / seconds,
        "efficiency": alone / (count * seconds),
        "memory_bytes": BASE_MEMORY + speeds.memory * counted["cells"] / count,
        "memory_of_host_bytes": ranks_per_host * BASE_MEMORY + speeds.memory * counted["cells"] / hosts,
        "run_seconds": run,
        "core_hours": run * hosts * machine.cores / 3600,
        "limited_by": limit,
    }


def fits(row, machine):
    return row["memory_of_host_bytes"] <= 0.9 * machine.memory and row["hosts"] <= machine.hosts
