"""What an exchange takes over a described network: the closed formula. `replay.py` plays the same network message by message.

The network: what a rank of the same host needs is copied by that rank, which takes the latency and bytes / bandwidth inside the
host. A rank packs its messages to other hosts one after the other and posts each. Such a message takes an overhead of the
processor at either end; it passes the sending host's link and then, a latency later, the receiving host's; each
link has one message at a time in either direction, as they come. Nothing limits what is between the links. Small messages, up to
the network's `eager` bytes, leave as they are posted and travel while the ranks compute their inner cells; so does the beginning of
longer ones (`travelling`), whose rest needs both ranks, and leaves when the sender waits. A rank computes its other cells when it has all its messages.

So a rank of its own would take the time r of its processor, and the ranks of a host together no less than its link needs,
whichever direction has more:

    exchange = max over hosts of max(max over its ranks of r, end - min(inner, f end)),  end = first + link + latency + overhead

with the time `first` until there is something to send, and the share f of bytes in small messages, which hide behind `inner`."""

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


def eager_share(moment, off, machine):
    """Of the bytes that leave their host, that in messages which need nobody's help on the way."""
    size = moment.bytes[off]
    return size[moment.leaves_at_once(machine.network.eager)[off]].sum() / max(size.sum(), 1e-300)


def exchange_of_hosts(moment, hosts, machine, pack, early):
    """Seconds that ranks of each host spend on messages and waiting for them, at most: [hosts]. early: seconds of all parts together
    that a step's cells take, as far as inner ones are computed while messages travel."""
    sending, taking, off = processor_seconds(moment, hosts, machine, pack)
    busy = np.zeros(int(hosts[-1]) + 1)
    np.maximum.at(busy, hosts, sending + taking)
    if not off.any():
        return busy
    out, into = link_seconds(moment, hosts, off, machine)
    network = machine.network
    share = eager_share(moment, off, machine)
    # The first small message, or all that a rank has to pack.
    first = share * (pack * moment.bytes[off].mean() + network.overhead) + (1 - share) * sending.max()
    link = np.where(out + into > 0.0, first + np.maximum(out, into) + network.latency + network.overhead, 0.0)
    inner = np.bincount(hosts, moment.work * moment.inner * early) / np.bincount(hosts)
    return np.maximum(busy, link - np.minimum(inner, share * link))
