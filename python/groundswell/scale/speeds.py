"""Speeds of a model's kernels and of its other work on this machine, as a prediction needs them."""

import dataclasses

import numpy as np

BASE_MEMORY = 60 * 2**20  # bytes of a process that has no cell: libraries, MPI
# Phases of a run's report by model: computing on cells; everything else that every step costs.
COMPUTING = {"sea": ("propagation", "source"), "quake": ("local", "neighbour", "plasticity")}
OTHER = ("sampling", "forcing", "other")


@dataclasses.dataclass(frozen=True)
class Curve:
    """Seconds of a core for one update of a cell by the number of cells that the core has: less where they stay in its cache."""

    cells: np.ndarray  # ascending
    seconds: np.ndarray

    def at(self, cells):
        return float(np.interp(np.log(cells), np.log(self.cells), self.seconds))


@dataclasses.dataclass(frozen=True)
class Speeds:
    """element, face: s of a core for an update of a cell and of a fault's face, where a core has `share` cells; curve: by the number of
    cells, or None; rest: s of all cores for the rest (forcing, receivers, checks) of a simulated second, writing: s of the clock,
    output: bytes; setup and setup_fixed: s to start, of a cell and whatever the mesh, without cutting it; dealt: bytes of a cell that go to its rank
    from the one that has read them; memory: bytes that a
    cell takes; traffic: bytes that one update moves; pack: s a byte; early: share of an update that is made while messages travel; peak (FLOP/s, double) and stream (bytes/s) of one core; isa: the
    instruction set that all this was measured with, None where a report does not tell."""

    element: float
    face: float
    rest: float
    setup: float
    memory: float
    traffic: float
    peak: float
    stream: float
    output: float
    source: str
    writing: float = 0.0
    setup_fixed: float = 0.0
    dealt: float = 1000.0
    pack: float = 0.0
    share: float = 1.0
    early: float = 1.0
    curve: Curve | None = None
    isa: str | None = None

    def element_at(self, share):
        """Seconds of an element on a core that has so many cells."""
        return self.element * (self.curve.at(share) / self.curve.at(self.share) if self.curve else 1.0)


@dataclasses.dataclass(frozen=True)
class Limits:
    """Limits of one core: peak (double, FLOP/s), stream (bytes/s); bytes that an update moves, and the kernels' speed by size; isa: the
    instruction set of the kernels."""

    peak: float
    stream: float
    traffic: float
    curve: Curve | None
    early: float = 1.0
    isa: str | None = None


def updates_of(clusters, counts):
    """Updates of all cells or faces of these counts by cluster, from one synchronisation to the next."""
    last = len(counts) - 1
    return sum(count * clusters["rate"] ** (last - c) for c, count in enumerate(counts))


def work_of(result):
    """Updates of cells and of faces of faults that a run has made, and its cells."""
    if "element_updates" not in result:
        return result["cells"] * result["steps"], 0, result["cells"]
    clusters, rate = result["clusters"], {"rate": result["local_time_stepping"]["rate"]}
    meetings = result["element_updates"] / updates_of(rate, [c["elements"] for c in clusters])
    faces = meetings * updates_of(rate, [c["fault_faces"] for c in clusters])
    return result["element_updates"], faces, result["elements"]


def cutting_in(run, cutting):
    """Nobody waited where parts were cut beforehand, or along the curve."""
    if run["result"].get("partition") in ("file", "curve"):
        return 0.0
    return cutting.get(run["machine"]["ranks"], 0.0)


def start_of(runs, cutting):
    """(fixed, of a cell): the seconds to start, from runs on several numbers of ranks, less `cutting`, the seconds that rank 0 cuts by
    number of ranks. Of one run all is of its cells."""
    share = np.array([work_of(run["result"])[2] / run["machine"]["ranks"] for run in runs])
    seconds = np.array(
        [max(0.0, run["result"]["phases"]["setup"]["mean"] - cutting_in(run, cutting)) for run in runs]
    )
    if len(set(share)) == 1:
        return 0.0, float(seconds.mean() / share[0])
    cell, fixed = np.polyfit(share, seconds, 1)
    if cell < 0.0:
        return float(seconds.mean()), 0.0
    return (float(fixed), float(cell)) if fixed > 0.0 else (0.0, float((seconds / share).mean()))


def packing_of(run):
    """Seconds a byte, or 0 where the ranks read each other's memory and pack nothing."""
    result, ranks = run["result"], run["machine"]["ranks"]
    exchange = result.get("exchange", {})
    sent = exchange.get("bytes", 0) * exchange.get("count", 0) / ranks
    return result["phases"]["exchange_pack"]["mean"] / sent if sent > 0 else 0.0


def dealt_of(run, cells):
    ranks = run["machine"]["ranks"]
    sent = run["result"].get("reading", {}).get("mesh", {}).get("bytes_sent", {}).get("mean", 0.0)
    # What a rank keeps is not sent, but would be among more ranks.
    return {"dealt": sent * ranks / cells / (1 - 1 / ranks)} if ranks > 1 and sent > 0 else {}


def speeds_of(runs, limits, source, cutting=None, output=None):
    """From reports of runs, each {"machine", "result"}: the last one tells all but how the start depends on ranks. output: bytes of a
    simulated second of the case, or None where the runs wrote as often as the case does."""
    result, machine = runs[-1]["result"], runs[-1]["machine"]
    cores = machine["ranks"] * machine["threads"]
    phases = {name: value["mean"] for name, value in result["phases"].items()}
    updates, faces, cells = work_of(result)
    model = "quake" if "element_updates" in result else "sea"
    # What other programs took of the cores is none of the model's.
    had = result.get("cores", {}).get("core_share", {}).get("mean", 1.0)
    busy = had * sum(phases.get(name, 0.0) for name in COMPUTING[model])
    rest = sum(phases.get(name, 0.0) for name in OTHER)
    fixed, cell = start_of(runs, cutting or {})
    simulated, written = result["simulated_seconds"], result["output"]["bytes"]
    # A short run writes its first records at once: what counts is how often the case asks for them.
    often = 1.0 if output is None else output * simulated / written if written else 0.0
    return Speeds(
        element=busy * cores / updates,
        face=had * phases.get("rupture", 0.0) * cores / faces if faces else 0.0,
        rest=rest * cores / simulated,
        setup=cell,
        setup_fixed=fixed,
        **dealt_of(runs[-1], cells),
        memory=max(0.0, result["peak_memory_bytes"]["mean"] - BASE_MEMORY) * machine["ranks"] / cells,
        traffic=limits.traffic,
        peak=limits.peak,
        stream=limits.stream,
        output=often * written / simulated,
        writing=often * phases.get("output", 0.0) / simulated,
        pack=packing_of(runs[-1]),
        share=cells / cores,
        curve=limits.curve,
        early=limits.early,
        isa=limits.isa,
        source=source,
    )


def speeds_of_kernels(limits, memory, source):
    """Where there is no case to run: the kernels alone."""
    return Speeds(
        element=float(limits.curve.seconds[-1]),
        face=0.0,
        rest=0.0,
        setup=0.0,
        memory=memory,
        traffic=limits.traffic,
        peak=limits.peak,
        stream=limits.stream,
        output=0.0,
        share=float(limits.curve.cells[-1]),
        early=limits.early,
        curve=limits.curve,
        isa=limits.isa,
        source=source,
    )
