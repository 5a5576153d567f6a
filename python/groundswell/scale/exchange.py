"""Time of an exchange over a described network: the closed formula. `replay.py` plays the same network message by message.

The network: what a rank of the same host needs is copied by that rank, which takes the latency and bytes / bandwidth inside the
host. A rank packs its messages to other hosts one after the other and posts each. Such a message takes an overhead of the
processor at either end; it passes the sending host's link and then, a latency later, the receiving host's; each
link has one message at a time in either direction, as they come. Nothing limits what is between the links. Small messages, up to
the network's `eager` bytes, leave as they are posted and travel while the ranks compute their inner cells; so does the beginning of
longer ones (`travelling`), whose rest needs both ranks, and leaves when the sender waits. A rank computes its other cells when it has all its messages.

Ranks go through the moments of a step (plan.py) by themselves, as far as their messages allow. With the time at which each has done
the moment before, a rank goes on with the cells that need messages when the last of these is there:

    itself           done + packing and posting + inner cells, and then copying and taking in
    small messages   for each: sender done + the first one packed + link, a latency and an overhead
    long messages    for each: ranks of the sender's host ready, on average, and small ones gone, + link, a latency and an overhead,
                     and no earlier than its own sender is ready and what the receiver gets in long ones has passed

where a rank is ready when it has packed and has computed its inner cells, and a link takes all messages of that kind which leave the
sender's host, or all that come to the receiver's, whichever takes longer. No queue is played, and no order of messages is known."""

import dataclasses

import numpy as np


def travelling(plan, machine):
    """The plan with long messages to other hosts in two: what leaves at once, and the rest."""
    hosts, eager = machine.hosts_of(plan.parts), machine.network.eager
    moments = []
    for one in plan.moments:
        long = (hosts[one.receiver] != hosts[one.sender]) & (one.bytes > eager)
        pieces = {
            "receiver": np.concatenate([one.receiver, one.receiver[long]]),
            "sender": np.concatenate([one.sender, one.sender[long]]),
            "bytes": np.concatenate([np.where(long, eager, one.bytes), one.bytes[long] - eager]),
        }
        moments.append(dataclasses.replace(one, **pieces, rest=np.arange(len(pieces["bytes"])) >= len(long)))
    return dataclasses.replace(plan, moments=tuple(moments))


def processor_seconds(moment, hosts, machine, pack):
    """Processor time of each rank for the messages of a substep: packing and posting, and copying and taking in."""
    parts, network, inside = len(hosts), machine.network, machine.inside
    off = hosts[moment.receiver] != hosts[moment.sender]
    posting = np.where(off, moment.bytes * pack + network.overhead, 0.0)
    taking = np.where(off, network.overhead, inside.latency + moment.bytes / inside.bandwidth)
    return (
        np.bincount(moment.sender, posting, parts),
        np.bincount(moment.receiver, taking, parts),
        off,
    )


def link_seconds(moment, hosts, off, machine):
    """Time of each host's link: out and in."""
    count = int(hosts[-1]) + 1
    seconds = moment.bytes[off] / machine.network.bandwidth
    return (
        np.bincount(hosts[moment.sender[off]], seconds, count),
        np.bincount(hosts[moment.receiver[off]], seconds, count),
    )


def latest(parts, receiver, when):
    """Arrival of the last message of each part: [parts], -inf where it has none."""
    last = np.full(parts, -np.inf)
    np.maximum.at(last, receiver, when)
    return last


class Messages:
    """Some of a moment's messages between hosts, with the seconds that links take for all of them."""

    def __init__(self, moment, hosts, machine, some):
        self.sender, self.receiver = moment.sender[some], moment.receiver[some]
        self.bytes = moment.bytes[some]
        self.host = hosts[self.sender]
        out, into = link_seconds(moment, hosts, some, machine)
        self.out = out[self.host]  # of each message
        self.link = np.maximum(self.out, into[hosts[self.receiver]])


class Exchange:
    """A moment of a step in closed form. work: s that each part computes at it, [parts]."""

    def __init__(self, moment, hosts, machine, costs):
        network, self.hosts = machine.network, hosts
        self.packing, self.taking, off = processor_seconds(moment, hosts, machine, costs.pack)
        at_once = moment.leaves_at_once(network.eager)
        self.small, self.long = (
            Messages(moment, hosts, machine, off & which) for which in (at_once, ~at_once)
        )
        self.sender, self.receiver, self.inside = moment.sender, moment.receiver, ~off
        self.work = moment.work * costs.work
        self.inner = np.minimum(moment.work * moment.inner * costs.early, self.work)
        self.first = network.overhead
        if len(self.small.bytes):
            self.first += costs.pack * self.small.bytes.mean()
        self.last = network.latency + network.overhead
        of_small = np.zeros(int(hosts[-1]) + 1)
        of_small[self.small.host] = self.small.out
        self.small_gone = (
            self.first + of_small[self.long.host]
        )  # of each long message, from its sender's host
        self.received_long = np.bincount(self.long.receiver, self.long.bytes, len(hosts)) / network.bandwidth

    def after_neighbours(self, done):
        """When each part has done this moment if messages took no time; `done`: the moment before, [parts]."""
        return np.maximum(done, latest(len(done), self.receiver, done[self.sender])) + self.work

    def after(self, done):
        """When each part has done this moment."""
        parts, small, long = len(done), self.small, self.long
        ready = done + self.packing + self.inner
        inside = latest(parts, self.receiver[self.inside], done[self.sender[self.inside]])
        of_host = np.bincount(self.hosts, ready) / np.bincount(self.hosts)
        begun = np.maximum(of_host[long.host], done[long.sender] + self.small_gone)
        waits = [
            inside + self.taking,
            latest(parts, small.receiver, done[small.sender] + self.first + small.link) + self.last,
            latest(parts, long.receiver, begun + long.link) + self.last,
            latest(parts, long.receiver, ready[long.sender]) + self.received_long + self.last,
        ]
        waited = np.maximum.reduce(waits) + self.work - self.inner
        return np.maximum(done + self.packing + self.taking + self.work, waited)
