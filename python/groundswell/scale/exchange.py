"""What an exchange takes over a described network: the closed formula. `replay.py` plays the same network message by message.

The network: what a rank of the same host needs is copied by that rank, which takes the latency and bytes / bandwidth inside the
host. A rank packs its messages to other hosts one after the other and posts each. Such a message takes an overhead of the
processor at either end; it passes the sending host's link and then, a latency later, the receiving host's; each
link has one message at a time in either direction, as they come. Nothing limits what is between the links. An exchange ends for a
rank when it has all its messages; only then it computes.

So a rank of its own would take the time r of its processor, and the ranks of a host together no less than its link needs,
whichever direction has more:

    exchange = max over hosts of max(max over its ranks of r, first + link + latency + overhead)

with the time `first` until there is something to send."""

import numpy as np


def processor_seconds(moment, hosts, machine, pack):
    """Of each rank for the messages of a moment: packing and posting, and copying and taking in."""
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
    """Of each host's link: out and in."""
    count = int(hosts[-1]) + 1
    seconds = moment.bytes[off] / machine.network.bandwidth
    return (
        np.bincount(hosts[moment.sender[off]], seconds, count),
        np.bincount(hosts[moment.receiver[off]], seconds, count),
    )


def exchange_of_hosts(moment, hosts, machine, pack):
    """Seconds until all ranks of each host have what they need: [hosts]."""
    sending, taking, off = processor_seconds(moment, hosts, machine, pack)
    busy = np.zeros(int(hosts[-1]) + 1)
    np.maximum.at(busy, hosts, sending + taking)
    if not off.any():
        return busy
    out, into = link_seconds(moment, hosts, off, machine)
    network = machine.network
    first = pack * moment.bytes[off].mean() + network.overhead
    link = np.where(out + into > 0.0, first + np.maximum(out, into) + network.latency + network.overhead, 0.0)
    return np.maximum(busy, link)
