"""The exchanges of a step played message by message over a described network (`exchange.py` says what it is made of), as the check
of the closed formula, and to try what no run has tried.

A discrete-event simulation: events are taken in the order of their time. A rank goes through the moments of a step (`plan.py`) by
itself, as far as its messages allow; nothing else holds ranks together."""

import dataclasses
import heapq

import numpy as np

CHUNK = 2**20  # bytes of output that pass a link at a time, between messages
POSTED, AT_LINK, ARRIVED = range(3)


@dataclasses.dataclass(frozen=True)
class Trial:
    """Variations to try. aggregate: one message for each pair of hosts, which leaves when the last of its ranks has packed and is
    shared out when it has arrived as a whole; slow_ranks: {rank: how many times as long its processor takes}; slow_links:
    {host: …its link}; output: bytes that each host writes over its link from the beginning of the first step on."""

    aggregate: bool = False
    slow_ranks: dict = dataclasses.field(default_factory=dict)
    slow_links: dict = dataclasses.field(default_factory=dict)
    output: float = 0.0


@dataclasses.dataclass(frozen=True)
class Outcome:
    """step_seconds: of a step, over all that were played; exchange_seconds: of it, in which a rank on average packed, copied or
    waited; link_share: of the time, in which the busiest link was busy; messages: that passed links, of a step."""

    step_seconds: float
    exchange_seconds: float
    link_share: float
    messages: int
    finished: np.ndarray  # [parts] s, of the last step


class Moments:
    """Costs of a moment's messages, as lists: a loop reads plain numbers fastest."""

    def __init__(self, moment, hosts, machine, pack, trial, work, early):
        parts, network, inside = len(hosts), machine.network, machine.inside
        off = hosts[moment.receiver] != hosts[moment.sender]
        slow = np.ones(parts)
        for rank, factor in trial.slow_ranks.items():
            slow[rank] = factor
        # Of a rank: those that leave its host first, in any order. A link takes messages as they are posted, where a network card
        # would take pieces of all of them in turn: in the order of receivers all ranks would flood some hosts first.
        anyhow = np.random.default_rng(1).permutation(len(off))
        order = np.lexsort((anyhow, ~off, moment.sender))
        self.receiver = moment.receiver[order].tolist()
        sender = moment.sender[order]
        off, size = off[order], moment.bytes[order]
        self.off = off.tolist()
        posted = 0.0 if trial.aggregate else network.overhead
        self.posting = (slow[sender] * np.where(off, size * pack + posted, 0.0)).tolist()
        copying = inside.latency + size / inside.bandwidth
        taking = np.where(off & ~trial.aggregate, network.overhead, copying)
        self.taking = (slow[moment.receiver[order]] * taking).tolist()
        self.first = np.searchsorted(sender, np.arange(parts + 1)).tolist()
        self.expected = np.bincount(moment.receiver, minlength=parts).tolist()
        inner = slow * moment.work * moment.inner * early
        self.inner = inner.tolist()
        self.work = (slow * moment.work * work - inner).tolist()
        self.alone = (
            size * (0.0 if trial.aggregate else 1.0 / network.bandwidth)
        ).tolist()  # a rank's own way to its link, which it shares with others
        self.eager = moment.leaves_at_once(network.eager)[order].tolist()
        # What passes links: bundles of one message, or of all between two hosts.
        host_of, to_host = hosts[sender], hosts[moment.receiver[order]]
        pair = host_of * (int(hosts[-1]) + 1) + to_host if trial.aggregate else np.arange(len(size))
        known, bundle = np.unique(pair[off], return_inverse=True)
        self.bundle = np.full(len(size), -1)
        self.bundle[off] = bundle
        self.size = np.bincount(bundle, size[off], len(known)).tolist()
        self.waits_for = np.bincount(bundle, minlength=len(known)).tolist()
        members = np.flatnonzero(off)[np.argsort(bundle, kind="stable")]
        ends = np.cumsum(self.waits_for)
        self.members = [list(map(int, members[end - n : end])) for end, n in zip(ends, self.waits_for)]
        self.out = host_of[[one[0] for one in self.members]].tolist() if self.members else []
        self.into = to_host[[one[0] for one in self.members]].tolist() if self.members else []
        self.bundle = self.bundle.tolist()
        self.bundled = network.overhead if trial.aggregate else 0.0


class Player:
    """The state of all ranks and links."""

    def __init__(self, plan, machine, pack, work, trial, steps, early):
        self.hosts = machine.hosts_of(plan.parts)
        kinds = [Moments(one, self.hosts, machine, pack, trial, work, early) for one in plan.moments]
        self.sequence = [kinds[i] for i in plan.order] * steps
        self.latency = machine.network.latency
        count = int(self.hosts[-1]) + 1
        slower = [trial.slow_links.get(host, 1.0) for host in range(count)]
        self.second = [factor / machine.network.bandwidth for factor in slower]  # of a byte
        self.out_free, self.in_free, self.busy = [0.0] * count, [0.0] * count, [0.0] * count
        self.at = [-1] * plan.parts  # the moment at which a rank is
        self.free = [0.0] * plan.parts  # when its processor is
        self.missing = [0] * plan.parts
        self.begun = [0.0] * plan.parts
        self.exchanging = 0.0
        self.early = {}  # (rank, moment): messages that came before it was there
        self.left = {}  # (moment, bundle): ranks that have not packed yet
        self.events, self.number = [], 0
        self.output = [trial.output] * count if trial.output > 0.0 else []
        self.passed = 0

    def push(self, time, kind, moment, what):
        heapq.heappush(self.events, (time, self.number, kind, moment, what))
        self.number += 1

    def begin(self, rank, index):
        """The rank packs and posts all its messages of this moment; a rank that has none to wait for goes on."""
        while index < len(self.sequence):
            moment, now = self.sequence[index], self.free[rank]
            self.at[rank], self.begun[rank] = index, now
            later = []
            for message in range(moment.first[rank], moment.first[rank + 1]):
                now += moment.posting[message]
                if moment.off[message] and not moment.eager[message]:
                    later.append(message)
                else:
                    self.push(now, POSTED if moment.off[message] else ARRIVED, index, message)
            now += moment.inner[rank]
            self.begun[rank] += moment.inner[rank]
            self.free[rank] = now
            for message in later:
                self.push(now, POSTED, index, message)
                now += moment.alone[message]
            self.missing[rank] = moment.expected[rank]
            for message in self.early.pop((rank, index), ()):
                self.take(rank, moment, message, 0.0)
            if self.missing[rank] > 0:
                return
            index = self.compute(rank, moment, index)
        self.at[rank] = index

    def take(self, rank, moment, message, time):
        self.free[rank] = max(self.free[rank], time) + moment.taking[message]
        self.missing[rank] -= 1

    def compute(self, rank, moment, index):
        self.exchanging += self.free[rank] - self.begun[rank]
        self.free[rank] += moment.work[rank]
        return index + 1

    def arrived(self, time, index, message):
        moment = self.sequence[index]
        rank = moment.receiver[message]
        if self.at[rank] != index:
            self.early.setdefault((rank, index), []).append(message)
            return
        self.take(rank, moment, message, time)
        if self.missing[rank] == 0:
            self.begin(rank, self.compute(rank, moment, index))

    def posted(self, time, index, message):
        """A message is ready, and with it perhaps the last of its bundle."""
        moment = self.sequence[index]
        bundle = moment.bundle[message]
        left = self.left.pop((index, bundle), moment.waits_for[bundle]) - 1
        if left > 0:
            self.left[index, bundle] = left
            return
        host = moment.out[bundle]
        start = self.send(host, time + moment.bundled, moment.size[bundle])
        self.passed += 1
        self.push(start + self.latency, AT_LINK, index, bundle)

    def send(self, host, time, size):
        start = max(time, self.out_free[host])
        self.out_free[host] = start + size * self.second[host]
        self.busy[host] += size * self.second[host]
        return start

    def at_link(self, time, index, bundle):
        moment = self.sequence[index]
        host = moment.into[bundle]
        end = max(time, self.in_free[host]) + moment.size[bundle] * self.second[host]
        # It cannot be in before its end has left the other link.
        end = max(end, time + moment.size[bundle] * self.second[moment.out[bundle]])
        self.in_free[host] = end
        for message in moment.members[bundle]:
            self.push(end + moment.bundled, ARRIVED, index, message)

    def write(self, time, host):
        """The next piece of output asks for its turn when the one before has left."""
        size = min(CHUNK, self.output[host])
        self.output[host] -= size
        self.send(host, time, size)
        if self.output[host] > 0.0:
            self.push(self.out_free[host], None, 0, host)

    def play(self):
        for host in range(len(self.output)):
            self.write(0.0, host)
        for rank in range(len(self.at)):
            self.begin(rank, 0)
        while self.events:
            time, _, kind, index, what = heapq.heappop(self.events)
            if kind == ARRIVED:
                self.arrived(time, index, what)
            elif kind == POSTED:
                self.posted(time, index, what)
            elif kind == AT_LINK:
                self.at_link(time, index, what)
            else:
                self.write(time, what)
        assert all(at == len(self.sequence) for at in self.at), "a message never came"


def replay(plan, machine, pack, work, trial=None, steps=1, early=0.0):
    """Plays `steps` steps, of `work` seconds for all parts together in each, `early` of which inner cells may take while messages
    travel; pack: s a byte."""
    trial = trial or Trial()
    player = Player(plan, machine, pack, work, trial, steps, early)
    player.play()
    finished = np.array(player.free)
    whole = finished.max()
    return Outcome(
        step_seconds=whole / steps,
        exchange_seconds=player.exchanging / plan.parts / steps,
        link_share=max(player.busy) / whole if whole > 0.0 else 0.0,
        messages=player.passed // steps,
        finished=finished,
    )
