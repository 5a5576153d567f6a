"""Measurements held against their demands: ratios inside a round, medians over rounds."""

import dataclasses
import json
import statistics

from plan import AUTO, DIRECT, NONE, ONE_SERVER, SERIAL, THREAD, TWO_SERVERS


def total(result):
    """Seconds from before the file is made until all is on the disk and the file is closed, of the slowest rank."""
    return result["total_seconds"]["max"]


def blocked(result):
    """Seconds that calls of the output kept the model, but for the one at the end that waits for what is left."""
    return result["blocked_seconds"]["max"]


def memory(result):
    return result["peak_memory_bytes"]["max"]


def speed(result):
    """Bytes that reached the disk in a second, set-up and the end of the file included."""
    return result["bytes"] / total(result)


def writing(result):
    return result["writing_seconds"]["max"]


class Found:
    """The results by part, way and round."""

    def __init__(self):
        self.results = {}
        self.rearranging = None  # the report of bench/output.cpp

    def add(self, what, result):
        self.results.setdefault((what.part, what.way), {})[what.round] = result

    def rounds(self, part, way):
        return self.results.get((part, way), {})

    def ways(self, part):
        return [way for found_part, way in self.results if found_part == part]

    def values(self, part, way, figure):
        return [figure(result) for _, result in sorted(self.rounds(part, way).items())]

    def median(self, part, way, figure):
        values = self.values(part, way, figure)
        return statistics.median(values) if values else None

    def ratios(self, part, way, base, figure):
        """figure(way) / figure(base), one for each round that has both."""
        mine, theirs = self.rounds(part, way), self.rounds(part, base)
        return [
            figure(mine[n]) / figure(theirs[n]) for n in sorted(mine) if n in theirs and figure(theirs[n])
        ]

    def ratio(self, part, way, base, figure):
        """The median of them; None where there are none."""
        ratios = self.ratios(part, way, base, figure)
        return statistics.median(ratios) if ratios else None


def read(folder, measurements):
    found = Found()
    for what in measurements:
        path = folder / "raw" / f"{what.key}.json"
        if path.exists():
            found.add(what, json.loads(path.read_text())["result"])
    path = folder / "raw" / "rearranging.json"
    if path.exists():
        found.rearranging = json.loads(path.read_text())["result"]
    return found


@dataclasses.dataclass(frozen=True)
class Demand:
    """A demand on the output and the value reached. `reached` is None where nothing was measured."""

    what: str
    wanted: str
    reached: float | None
    bound: float
    at_most: bool = True
    form: str = "{:.3f}"

    @property
    def holds(self):
        return self.reached <= self.bound if self.at_most else self.reached >= self.bound

    @property
    def reached_text(self):
        return "not measured" if self.reached is None else self.form.format(self.reached)


def at_most(what, bound, reached, form="{:.3f}"):
    return Demand(what, "≤ " + form.format(bound), reached, bound, True, form)


def at_least(what, bound, reached, form="{:.0f} ×"):
    return Demand(what, "≥ " + form.format(bound), reached, bound, False, form)


def idle_share(result):
    """Processor time of a server that waits, of one core."""
    return result["server_processor_seconds"]["max"] / result["server_seconds"]["max"]


def memory_above_bound(found, way):
    """Additional memory of a computing rank with output, over the bound of its buffer and one record of its own.
    One that writes too, with a thread, is compared with one that writes without."""
    base = found.median("only-slow", DIRECT if way == THREAD else NONE, memory)
    needed = found.median("only-slow", way, memory)
    if base is None or needed is None:
        return None
    allowed = found.median(
        "only-slow", way, lambda r: r["buffer_bytes"]["max"] + r["record_bytes"] / way.clients
    )
    return (needed - base) / allowed


def rearranged_share(found, dataset):
    """Speed of all ranks writing together over that of plain writing, cells along a curve."""
    if found.rearranging is None:
        return None
    for each in found.rearranging["datasets"]:
        for method in each["methods"]:
            if (each["name"], method["method"], method["order"]) == (dataset, "direct", "curve"):
                return 1.0 / method["ratio_to_plain"]
    return None


def demands(found):
    every = [
        at_most(
            "slow disk: whole time over no output, one server added",
            1.10,
            found.ratio("slow", ONE_SERVER, NONE, total),
        ),
        at_most(
            "slow disk: whole time over no output, `thread`", 1.15, found.ratio("slow", THREAD, NONE, total)
        ),
    ]
    for way in (ONE_SERVER, THREAD):
        every.append(
            at_least(
                f"slow disk: time blocked, `direct` over {way.title}",
                20.0,
                found.ratio("slow", DIRECT, way, blocked),
            )
        )
    for way in (ONE_SERVER, TWO_SERVERS, THREAD, AUTO, SERIAL):
        every.append(
            at_most(
                f"fast disk: whole time over `direct`, {way.title}",
                1.05,
                found.ratio("fast", way, DIRECT, total),
            )
        )
    every.append(
        at_most(
            "processor time of an idle server, of one core",
            0.02,
            found.median("idle", ONE_SERVER, idle_share),
            "{:.2%}",
        )
    )
    for dataset, title in (("map", "maps"), ("restart", "restarts")):
        every.append(
            at_least(
                f"rearranged writing of {title} (`direct`) over plain writing",
                1.0 / 3.0,
                rearranged_share(found, dataset),
                "{:.2f}",
            )
        )
    for way in (ONE_SERVER, TWO_SERVERS, THREAD):
        base = "`direct`" if way == THREAD else "no output"
        every.append(
            at_most(
                f"memory of a rank above {base}, over its bound and one record, {way.title}",
                1.0,
                memory_above_bound(found, way),
                "{:.2f}",
            )
        )
    return every
