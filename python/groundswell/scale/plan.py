"""Communication plan of a step: the partitions and the matrix that `groundswell volume` writes, as arrays by part.

A step is a sequence of *moments*, at each of which parts exchange and then compute. The sea has one. Where elements step in
clusters, a step leads from one meeting of all clusters to the next, and has a moment for each step of the finest cluster; moments
at which the same clusters begin and end are alike. A part computes half of an element's step as it begins and half as it ends. Cells that nobody
else reads, the inner ones, are computed while messages are under way."""

import dataclasses

import numpy as np

WEIGHT_OF_ELEMENT = 16  # of one that is at no fault (quake/mesh/steps.cpp)
COLUMNS = ("partition", "receiver", "sender", "cluster", "times", "count")


@dataclasses.dataclass(frozen=True)
class Moment:
    """work: share of a whole step's work of all parts, [parts]; inner: share of each part's own work that is of inner cells,
    [parts]; messages: receiver, sender and bytes, one of each a message; rest: whether it is the rest of a longer one, or None."""

    work: np.ndarray
    inner: np.ndarray
    receiver: np.ndarray
    sender: np.ndarray
    bytes: np.ndarray
    rest: np.ndarray | None = None

    def leaves_at_once(self, eager):
        """For each message, whether it travels eagerly, without help of the sender."""
        small = self.bytes <= eager
        return small if self.rest is None else small & ~self.rest


@dataclasses.dataclass(frozen=True)
class Plan:
    """A partition. order: the moments of a step, by their place in `moments`; told: what volume's JSON says of it."""

    parts: int
    method: str
    moments: tuple
    order: tuple
    told: dict

    def times(self):
        """Number of times that each moment comes in a step."""
        return np.bincount(self.order, minlength=len(self.moments))

    def with_bytes(self, factor):
        """The same with messages of `factor` times the size."""
        moments = tuple(dataclasses.replace(one, bytes=one.bytes * factor) for one in self.moments)
        return dataclasses.replace(self, moments=moments)

    def received(self):
        """Messages and bytes that each part receives in a step."""
        messages, size = np.zeros(self.parts), np.zeros(self.parts)
        for times, one in zip(self.times(), self.moments):
            messages += times * np.bincount(one.receiver, minlength=self.parts)
            size += times * np.bincount(one.receiver, one.bytes, self.parts)
        return messages, size


def level(tick, rate, clusters):
    """Number of clusters, from the finest, whose step begins at this tick."""
    found = 1
    while found < clusters and tick % rate**found == 0:
        found += 1
    return found


def inner_share(own, sent):
    """Share of interior cells among those that each part computes, if it sends each of the others once."""
    return np.maximum(0.0, 1.0 - sent / np.maximum(own, 1e-300)) * (own > 0.0)


def moments_of(rows, parts, rate, bytes_each, weight=1):
    """The moments of one partition's rows (receiver, sender, cluster, times, count as columns), and their order in a step. weight: of
    a cell, in the counts of what parts compute themselves."""
    receiver, sender, cluster, times, count = rows.T
    own = receiver == sender
    clusters = int(cluster[own].max()) + 1
    ticks = rate ** (clusters - 1)
    work = np.zeros((clusters, parts))  # of one step of a cluster
    work[cluster[own], receiver[own]] = count[own]
    steps = rate ** np.arange(clusters - 1, -1, -1)
    whole = (work * steps[:, None]).sum()
    moments, order, known = [], [], {}
    for tick in range(ticks):
        kind = (level(tick, rate, clusters), level(tick + 1, rate, clusters))
        if kind not in known:
            halves = np.zeros(clusters)
            halves[: kind[0]] += 0.5
            halves[: kind[1]] += 0.5
            due = ~own & (tick % (ticks // np.minimum(times, ticks)) == 0)
            known[kind] = len(moments)
            sent = np.bincount(sender[due], count[due], parts) * weight
            moments.append(
                Moment(
                    halves @ work / whole,
                    inner_share(work[: kind[0]].sum(axis=0), sent),
                    receiver[due],
                    sender[due],
                    count[due] * float(bytes_each),
                )
            )
        order.append(known[kind])
    return tuple(moments), tuple(order)


def read_matrix(path):
    with open(path, encoding="ascii") as source:
        assert tuple(source.readline().strip().split(",")) == COLUMNS
        return np.loadtxt(source, delimiter=",", dtype=np.int64, ndmin=2)


def plans_of(counted, matrix):
    """A Plan for each partition of volume's result; `matrix` as read_matrix() gives it."""
    steps = counted["steps"]
    if "clusters" in counted:
        rate, each, weight = counted["clusters"]["rate"], counted["bytes_per_face"], WEIGHT_OF_ELEMENT
    else:
        rate, weight = 1, 1
        each = counted["directions"] * counted["frequencies"] * counted["bytes_per_value"]
    bounds = np.searchsorted(matrix[:, 0], np.arange(len(counted["partitions"]) + 1))
    plans = []
    for i, told in enumerate(counted["partitions"]):
        moments, order = moments_of(matrix[bounds[i] : bounds[i + 1], 1:], told["parts"], rate, each, weight)
        plan = Plan(told["parts"], told["method"], moments, order, told)
        expected = told["received_bytes"]["mean"] * told["parts"] / steps
        assert np.isclose(plan.received()[1].sum(), expected, rtol=1e-9), "messages and their sums differ"
        plans.append(plan)
    return plans
