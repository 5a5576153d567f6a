"""Cost of a run on a machine: its mesh cut into that many parts and counted, speeds measured, links told.

A step of the sea is a propagation step with its share of the source terms; where elements step in clusters, it leads from one
meeting of all clusters to the next. It takes

    exchange and work (exchange.py) of the part that is last + agreement + rest + output

Seconds of a core are those measured, with the instruction set of the machine where this one has it, by the number of cells that a
core has, longer by the ratio of the cores' peaks, and no shorter than the host's memory allows, unless all its cells fit the
cache."""

import math

import numpy as np

from groundswell.scale.exchange import Exchange, travelling
from groundswell.scale.speeds import BASE_MEMORY, updates_of


def element_seconds(speeds, machine, cores_busy, share, cells_of_host):
    """Time of an element on one core with `share` cells on a host of the machine with so many of its cores at work: (seconds, what limits it)."""
    arithmetic = speeds.element_at(share) * speeds.peak / machine.core_peak
    memory = speeds.traffic * cores_busy / machine.stream
    if speeds.memory * cells_of_host <= machine.cache:
        memory = 0.0
    return max((arithmetic, "arithmetic"), (memory, "memory"))


def packing(speeds, machine):
    """Seconds a byte: as measured, by the ratio of what a rank may read and write; or reading and writing once, no faster than a rank
    copies."""
    stream = machine.stream / machine.ranks_per_host
    if speeds.pack > 0.0:
        return speeds.pack * speeds.stream / stream
    return max(2.0 / stream, 1.0 / machine.inside.bandwidth)


def clusters_of(counted):
    return counted.get("clusters") or {"rate": 1, "cells": [counted["cells"]], "fault_faces": [0]}


class Costs:
    """Costs of a plan on a machine: `work` is what a step takes of all parts together, s of ranks."""

    def __init__(self, counted, plan, speeds, machine):
        clusters = clusters_of(counted)
        self.ranks_per_host = min(machine.ranks_per_host, plan.parts)
        self.hosts = math.ceil(plan.parts / machine.ranks_per_host)
        self.cores = plan.parts * machine.threads
        share = counted["cells"] / self.cores
        self.second, self.limit = element_seconds(
            *(speeds, machine, self.ranks_per_host * machine.threads, share, counted["cells"] / self.hosts)
        )
        self.ratio = speeds.peak / machine.core_peak
        elements = updates_of(clusters, clusters["cells"])
        faces = updates_of(clusters, clusters["fault_faces"])
        self.seconds = elements * self.second + faces * speeds.face * self.ratio  # of cores
        self.work = self.seconds / machine.threads
        self.early = self.work * speeds.early  # of the work, what can go on while messages travel
        self.pack = packing(speeds, machine)


def step_of(plan, machine, costs):
    """(seconds, of them waiting for parts that have more to do, of them exchange)."""
    hosts = machine.hosts_of(plan.parts)
    moments = [Exchange(one, hosts, machine, costs) for one in plan.moments]
    # When each part has done the moments so far, without and with the time of messages.
    computed = done = np.zeros(plan.parts)
    for moment in (moments[i] for i in plan.order):
        computed, done = moment.after_neighbours(computed), moment.after(done)
    return done.max(), computed.max() - costs.work / plan.parts, done.max() - computed.max()


def output_seconds(speeds, machine, step, hidden_behind=0.0):
    """Wall-clock time of a step's output, of which a writer hides as much as the step takes."""
    rate = speeds.output / machine.file_system if machine.file_system else speeds.writing
    return max(0.0, rate * step - hidden_behind)


def cutting_seconds(plan, speeds, machine):
    """Time METIS takes on one rank while the others wait; partitioned beforehand (`groundswell partition --keep`) it is not part of a start."""
    return 0.0 if plan.method == "curve" else plan.told["seconds"] * speeds.peak / machine.core_peak


# A run on several hosts tries seven transports three times each and the best three twelve times more, for at most so many seconds
# (halo/choose/contest.cpp); on one host that is in what was measured.
TRIED, LONGEST_TRIALS = 7 * 3 + 3 * 12, 0.1


def trial_seconds(exchange, hosts):
    return min(LONGEST_TRIALS, TRIED * exchange) if hosts > 1 else 0.0


def start_seconds(counted, plan, speeds, machine):
    """Reading and preparing, without cutting and without trials."""
    ratio = speeds.peak / machine.core_peak
    reading = counted.get("file_bytes", 0) / machine.file_system if machine.file_system else 0.0
    share = counted["cells"] / plan.parts
    hosts = math.ceil(plan.parts / machine.ranks_per_host)
    if hosts > 1:  # what a rank has read belongs to any host
        reading += machine.ranks_per_host * share * speeds.dealt * (1 - 1 / hosts) / machine.network.bandwidth
    return ratio * (speeds.setup_fixed + speeds.setup * share) + reading


def predict(counted, plan, speeds, machine, simulated):
    """One row: `counted` is the result of `groundswell volume` with `step_seconds`, the length of a step; `simulated` the run's."""
    costs = Costs(counted, plan, speeds, machine)
    count, step = plan.parts, counted["step_seconds"]
    seconds, waiting, talking = step_of(travelling(plan, machine), machine, costs)
    evenly = costs.work / count
    # All parts agree that all is well: a reduction and back.
    network = machine.network if costs.hosts > 1 else machine.inside
    agreeing = 2 * math.ceil(math.log2(count)) * network.latency if count > 1 else 0.0
    rest = speeds.rest * costs.ratio * step / costs.cores
    writing = output_seconds(speeds, machine, step)
    seconds += agreeing + rest + writing
    cutting = cutting_seconds(plan, speeds, machine)
    setup = start_seconds(counted, plan, speeds, machine) + cutting + trial_seconds(talking, costs.hosts)
    run = setup + simulated / step * seconds
    messages, received = plan.received()
    halo = np.zeros(1) if "layers" not in counted else received / bytes_of_cell(counted)
    cells = counted["cells"] / count * (1 + plan.told["imbalance"]) + halo.max()
    memory = BASE_MEMORY + speeds.memory * cells
    shares = {
        costs.limit: evenly,
        "waiting": waiting + agreeing,
        "messages": talking,
        "rest": rest,
        "output": writing,
    }
    return {
        "parts": count,
        "hosts": costs.hosts,
        "threads": machine.threads,
        "method": plan.method,
        "elements_of_a_part": counted["cells"] / count,
        "step_seconds": seconds,
        "computing_seconds": evenly,
        "waiting_seconds": waiting + agreeing,
        "communication_seconds": talking,
        "rest_seconds": rest,
        "output_seconds": writing,
        "communication_share": talking / seconds,
        "messages": float(messages.max()),
        "received_bytes": float(received.max()),
        "efficiency": (evenly + rest) / seconds,
        "memory_bytes": memory,
        "memory_of_host_bytes": costs.ranks_per_host * memory,
        "start_seconds": setup,
        "cutting_seconds": cutting,
        "run_seconds": run,
        "core_hours": run * costs.hosts * machine.cores / 3600,
        "limited_by": max(shares, key=shares.get),
    }


def bytes_of_cell(counted):
    return counted["directions"] * counted["frequencies"] * counted["bytes_per_value"]


def fits(row, machine):
    return row["memory_of_host_bytes"] <= 0.9 * machine.memory and row["hosts"] <= machine.hosts


def stops_scaling(rows):
    """The largest number of parts that still gains: from the one before, more than half of what is ideal; and whether a larger one
    was asked for that does not."""
    rows = sorted(rows, key=lambda row: row["parts"])
    for before, row in zip(rows, rows[1:]):
        gain = before["step_seconds"] / row["step_seconds"]
        if gain - 1 < 0.5 * (row["parts"] / before["parts"] - 1):
            return before["parts"], True
    return rows[-1]["parts"], False
