"""Steps played message by message, where the answer can be worked out by hand, and the closed formula beside them."""

import dataclasses

import numpy as np
import pytest

from groundswell.scale.exchange import travelling
from groundswell.scale.machine import Link, Machine
from groundswell.scale.plan import Moment, Plan, moments_of
from groundswell.scale.predict import step_of
from groundswell.scale.replay import CHUNK, Trial, replay

LATENCY, RATE, OVERHEAD = 3e-6, 10e9, 0.5e-6  # between hosts
INSIDE = Link(1e-6, 4e9)
PACK = 1e-10  # s a byte
SIZE = 1e6


def machine(ranks_per_host):
    return Machine(
        where="here",
        name="made up",
        about="",
        hosts=1000,
        cores=ranks_per_host,
        memory=1e12,
        peak=1e12,
        stream=1e11,
        ranks_per_host=ranks_per_host,
        threads=1,
        network=Link(LATENCY, RATE, OVERHEAD),
        inside=INSIDE,
        file_system=None,
    )


def plan(parts, pairs, size=SIZE, work=None, inner=0.0):
    """Messages by (sender, receiver); parts that have as much to do each, and this share of it before they need messages."""
    sender, receiver = np.array(pairs, int).reshape(-1, 2).T
    share = np.full(parts, 1.0 / parts) if work is None else np.asarray(work)
    moment = Moment(share, np.full(parts, inner), receiver, sender, np.full(len(sender), float(size)))
    return Plan(parts, "made up", (moment,), (0,), {})


def formula(plan, machine, work=0.0, early=0.0):
    costs = dataclasses.make_dataclass("Costs", ["work", "early", "pack"])(work, early, PACK)
    return step_of(plan, machine, costs)[0]


SENT = PACK * SIZE + OVERHEAD  # until a message is at its link
CROSSED = LATENCY + SIZE / RATE
ALONE = SENT + CROSSED + OVERHEAD  # a message between two hosts and nothing else


def step(plan, machine, work=0.0, steps=1, early=0.0, **trial):
    return replay(plan, machine, PACK, work, Trial(**trial), steps, early).step_seconds


def test_a_message_takes_latency_and_its_bytes():
    assert step(plan(2, [(0, 1)]), machine(1)) == pytest.approx(ALONE)
    copied = INSIDE.latency + SIZE / INSIDE.bandwidth
    assert step(plan(2, [(0, 1)]), machine(2)) == pytest.approx(copied)


def test_without_messages_the_part_that_has_most_decides():
    uneven = plan(3, [], work=[0.2, 0.5, 0.3])
    assert step(uneven, machine(1), work=1.0, steps=3) == pytest.approx(0.5)
    assert formula(uneven, machine(1), work=1.0) == pytest.approx(0.5)


@pytest.mark.parametrize("count", [1, 2, 5])
def test_ranks_of_a_host_wait_for_their_link(count):
    """Each rank of one host sends to its fellow on the other: the link passes one message after the other."""
    across = plan(2 * count, [(i, i + count) for i in range(count)])
    expected = SENT + LATENCY + count * SIZE / RATE + OVERHEAD
    assert step(across, machine(count)) == pytest.approx(expected)
    assert formula(across, machine(count)) == pytest.approx(expected)


@pytest.mark.parametrize("count", [2, 7])
def test_all_to_one_wait_at_its_link(count):
    to_one = plan(count + 1, [(i, 0) for i in range(1, count + 1)])
    expected = SENT + LATENCY + count * SIZE / RATE + OVERHEAD
    assert step(to_one, machine(1)) == pytest.approx(expected)
    assert formula(to_one, machine(1)) == pytest.approx(expected)


@pytest.mark.parametrize("count", [2, 7])
def test_one_to_all_wait_at_its_link(count):
    """Small messages, so that the second one is packed while the first one leaves."""
    size = 5e4
    from_one = plan(count + 1, [(0, i) for i in range(1, count + 1)], size=size)
    packed = PACK * size + OVERHEAD  # later than the link has passed the one before
    assert packed > size / RATE
    assert step(from_one, machine(1)) == pytest.approx(count * packed + LATENCY + size / RATE + OVERHEAD)
    slow = dataclasses.replace(machine(1), network=Link(LATENCY, RATE / 10, OVERHEAD))
    expected = packed + count * size / (RATE / 10) + LATENCY + OVERHEAD
    assert step(from_one, slow) == pytest.approx(expected)
    assert formula(from_one, slow) == pytest.approx(expected)


def test_in_a_ring_nobody_waits_for_a_link():
    ring = plan(6, [(i, (i + 1) % 6) for i in range(6)])
    assert step(ring, machine(1), work=6e-3, steps=4) == pytest.approx(ALONE + 1e-3)
    assert formula(ring, machine(1), work=6e-3) == pytest.approx(ALONE + 1e-3)


def test_links_carry_both_directions_at_once():
    both = plan(2, [(0, 1), (1, 0)])
    assert step(both, machine(1)) == pytest.approx(ALONE)


@pytest.mark.parametrize("seconds", [1e-6, 2e-5, 1e-3])
def test_small_messages_travel_while_inner_cells_are_computed(seconds):
    """And long ones wait for the ranks: half of the work is before they are needed."""
    for size, hides in ((1e4, True), (1e6, False)):
        pair = plan(2, [(0, 1), (1, 0)], size=size, inner=0.5)
        sent = PACK * size + OVERHEAD
        travelled = LATENCY + size / RATE
        waiting = max(0.0, travelled - seconds / 2) if hides else travelled
        expected = sent + OVERHEAD + seconds + waiting
        assert step(pair, machine(1), work=2 * seconds, early=2 * seconds) == pytest.approx(expected)
        told = formula(pair, machine(1), work=2 * seconds, early=2 * seconds)
        # The formula hides posting and taking in as well.
        assert expected - sent - OVERHEAD <= told <= expected * (1 + 1e-9)


def test_the_beginning_of_a_long_message_leaves_at_once():
    eager = machine(1).network.eager
    pair = plan(2, [(0, 1)], size=3 * eager, inner=1.0)
    apart = travelling(pair, machine(1))
    (moment,) = apart.moments
    assert moment.bytes.tolist() == [eager, 2 * eager]
    assert moment.leaves_at_once(eager).tolist() == [True, False]
    # The beginning is there before the 1 ms of computing is over; the rest leaves then.
    expected = 3 * eager * PACK + 2 * OVERHEAD + 1e-3 + LATENCY + 2 * eager / RATE + OVERHEAD
    assert step(apart, machine(1), work=2e-3, early=2e-3) == pytest.approx(expected)
    assert formula(apart, machine(1), work=2e-3, early=2e-3) == pytest.approx(expected, rel=0.05)
    assert [len(one.bytes) for one in travelling(pair, machine(2)).moments] == [1]  # on one host


def test_a_delay_travels_along_a_chain():
    """0 → 1 → 2 → 3, nothing back. Rank 0 is slow in every step, so each message of it comes later than the one before, and rank 1
    waits for each: the last one comes when rank 0 has taken one step less. Rank 2 never waits for rank 0 itself."""
    work, factor, steps = 1e-3, 5.0, 4
    chain = plan(4, [(0, 1), (1, 2), (2, 3)])
    outcome = replay(chain, machine(1), PACK, 4 * work, Trial(slow_ranks={0: factor}), steps)
    slow = factor * (SENT + work)  # a step of rank 0, which receives nothing
    assert outcome.finished[0] == pytest.approx(steps * slow)
    sent = (steps - 1) * slow + factor * SENT
    assert outcome.finished[1] == pytest.approx(sent + CROSSED + OVERHEAD + work)
    # Rank 1 sends its last message once it has done the step before, for which it waited one step of rank 0 less.
    before = sent - slow + CROSSED + OVERHEAD + work
    assert outcome.finished[2] == pytest.approx(before + ALONE + work)


def test_a_slow_link_is_slow_both_ways():
    there, back = plan(2, [(0, 1)]), plan(2, [(1, 0)])
    expected = SENT + LATENCY + 3 * SIZE / RATE + OVERHEAD
    for one in (there, back):
        assert step(one, machine(1), slow_links={0: 3.0}) == pytest.approx(expected)


def test_one_message_for_each_pair_of_hosts():
    """Two hosts of four ranks, each of which sends to all four there: 16 messages to a host become one, for which all have packed, and
    which each rank copies its own four parts out of."""
    count = 4
    pairs = [(i, j) for i in range(count) for j in range(count, 2 * count)]
    apart, together = (
        replay(plan(2 * count, pairs), machine(count), PACK, 0.0, Trial(aggregate=on), 1)
        for on in (False, True)
    )
    assert (apart.messages, together.messages) == (16, 1)
    link = LATENCY + 16 * SIZE / RATE
    taking = count * (INSIDE.latency + SIZE / INSIDE.bandwidth)
    assert together.step_seconds == pytest.approx(count * PACK * SIZE + 2 * OVERHEAD + link + taking)
    assert apart.step_seconds == pytest.approx(count * SENT + link + OVERHEAD)


def test_small_messages_gain_by_going_together():
    pairs = [(i, j) for i in range(32) for j in range(32, 64)]
    small = plan(64, pairs, size=8.0)
    assert step(small, machine(32), aggregate=True) > step(small, machine(32))  # copied one by one: 1 us each
    quick = dataclasses.replace(machine(32), inside=Link(50e-9, 4e9))
    assert step(small, quick, aggregate=True) < step(small, quick)


def test_output_takes_its_turn_between_messages():
    """A piece of output is on the link when the message comes, which passes after it; then the next piece."""
    one = plan(2, [(0, 1)])
    expected = CHUNK / RATE + LATENCY + SIZE / RATE + OVERHEAD
    assert step(one, machine(1), output=20.0 * CHUNK) == pytest.approx(expected)
    assert step(one, machine(1), output=0.0) == pytest.approx(ALONE)


def test_clusters_exchange_when_they_step():
    """Two parts, two clusters at rate 2: the finer one passes a message in each of its steps, the coarser one in every other."""
    rows = np.array(
        [
            [0, 0, 0, 2, 10],
            [1, 1, 0, 2, 10],
            [0, 0, 1, 1, 40],
            [1, 1, 1, 1, 40],
            [1, 0, 0, 2, 5],
            [1, 0, 1, 1, 7],
        ]
    )
    moments, order = moments_of(rows, 2, 2, 8)
    both = Plan(2, "made up", moments, order, {})
    assert order == (0, 1) and [len(one.bytes) for one in moments] == [2, 1]
    assert both.received()[0].tolist() == [0, 3] and both.received()[1].tolist() == [0, (2 * 5 + 7) * 8]
    # Each half of the coarser cluster's work, and all of the finer one's, at both: 20 + 20 + 40 of 120 … evenly.
    assert [one.work.sum() for one in moments] == pytest.approx([0.5, 0.5])
    # The second message left half a second before the last work began: only the first ones are waited for.
    waited = LATENCY + 2 * OVERHEAD
    assert formula(both, machine(1), work=1.0) == pytest.approx(0.5 + waited, abs=3 * OVERHEAD)
    assert step(both, machine(1), work=1.0) == pytest.approx(0.5 + waited, abs=3 * OVERHEAD)


def test_a_rank_waits_for_the_inner_cells_of_its_senders():
    """The rest of a long message leaves when its sender waits, which has inner cells where the receiver has none."""
    eager = machine(1).network.eager
    shares = np.array([0.9, 0.0])
    moment = Moment(np.full(2, 0.5), shares, np.array([1]), np.array([0]), np.array([3.0 * eager]))
    pair = travelling(Plan(2, "made up", (moment,), (0,), {}), machine(1))
    expected = 0.9e-3 + 2 * eager / RATE + 1e-3
    assert step(pair, machine(1), work=2e-3, early=2e-3) == pytest.approx(expected, rel=0.03)
    assert formula(pair, machine(1), work=2e-3, early=2e-3) == pytest.approx(expected, rel=0.03)


def lattice(rows, columns, hosts, jitter, seed):
    """A torus of parts with eight neighbours each, as halos have them, in blocks of rows on hosts, with messages of varied size."""
    rng = np.random.default_rng(seed)
    index = np.arange(rows * columns).reshape(rows, columns)
    sender, receiver, size = [], [], []
    for i in range(rows):
        for j in range(columns):
            for di, dj in ((0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (-1, -1)):
                sender.append(index[i, j])
                receiver.append(index[(i + di) % rows, (j + dj) % columns])
                size.append(2e5 * (1 + jitter * rng.random()))
    share = 1 + 0.02 * rng.random(rows * columns)
    moment = Moment(
        share / share.sum(), np.full(len(share), 0.7), np.array(receiver), np.array(sender), np.array(size)
    )
    return Plan(rows * columns, "lattice", (moment,), (0,), {}), rows * columns // hosts


@pytest.mark.parametrize("work", [3e-4, 1e-3, 1e-2])
@pytest.mark.parametrize(("rows", "columns", "hosts"), [(8, 8, 1), (8, 8, 4), (16, 8, 8), (16, 32, 16)])
def test_formula_and_replay_agree(rows, columns, hosts, work):
    parts, ranks_per_host = lattice(rows, columns, hosts, 0.5, seed=rows)
    seconds = work * rows * columns
    for limit in (0.0, 1e9):  # nothing travels by itself, all does
        here = machine(ranks_per_host)
        here = dataclasses.replace(here, network=dataclasses.replace(here.network, eager=limit))
        for early in (0.0, seconds):
            found = step(parts, here, work=seconds, early=early)
            assert found == pytest.approx(formula(parts, here, work=seconds, early=early), rel=0.1)
