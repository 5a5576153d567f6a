"""A prediction as text."""

from groundswell import report
from groundswell.report import time_text
from groundswell.scale import checks
from groundswell.scale import predict as model

THINGS = {"sea": "cells", "quake": "elements"}


def table(machine, rows, things):
    head = (
        f"ranks hosts {things} a_step waiting messages output efficiency memory_a_host start run core-hours"
    )
    lines = [[word.replace("_", " ") for word in head.split()]]
    for row in rows:
        lines.append(
            [
                row["parts"],
                row["hosts"],
                f"{row['elements_of_a_part']:.0f}",
                f"{1e3 * row['step_seconds']:.3g} ms",
                f"{100 * row['waiting_seconds'] / row['step_seconds']:.1f} %",
                f"{100 * row['communication_share']:.1f} %",
                f"{100 * row['output_seconds'] / row['step_seconds']:.1f} %",
                f"{100 * row['efficiency']:.0f} %",
                report.bytes_text(row["memory_of_host_bytes"]),
                time_text(row["start_seconds"]),
                time_text(row["run_seconds"]),
                f"{row['core_hours']:.3g}" + ("" if model.fits(row, machine) else "  does not fit"),
            ]
        )
    return report.table(lines)


def limited_text(rows):
    """The largest share of a step, by number of ranks where it changes."""
    last = {}
    runs = []
    for row in sorted(rows, key=lambda row: row["parts"]):
        if row["limited_by"] != last.get("limited_by"):
            runs.append((row["limited_by"], row["parts"]))
        last = row
    first = f"limited by {runs[0][0]}"
    return ", ".join([first, *(f"by {what} from {parts} ranks on" for what, parts in runs[1:])])


def cutting_text(rows):
    """Where much of a start goes to cutting; else empty."""
    worst = max(rows, key=lambda row: row["cutting_seconds"] / max(row["start_seconds"], 1e-9))
    if worst["cutting_seconds"] < max(1.0, 0.2 * worst["start_seconds"]):
        return ""
    return (
        f"start on {worst['parts']} ranks: {time_text(worst['cutting_seconds'])} of {time_text(worst['start_seconds'])} for cutting the "
        f"mesh on one core; groundswell partition MESH --parts {worst['parts']} --keep does that once, before the runs"
    )


def changes_table(rows):
    """Effect of each variation, by number of parts."""
    counts = sorted({row["parts"] for row in rows})
    lines = [["a step takes so many times as long without", *counts]]
    for what in dict.fromkeys(row["what"] for row in rows):
        ratio = {row["parts"]: row["ratio"] for row in rows if row["what"] == what}
        lines.append([what, *(f"{ratio[n]:.3f}" if n in ratio else "-" for n in counts)])
    return report.table(lines)


def replay_table(rows):
    lines = [
        ["ranks", "formula", "replay", "differs", "exchange", "busiest link", "messages", "tried", "times"]
    ]
    for row in rows:
        tried = row["tried"]
        lines.append(
            [
                row["parts"],
                f"{1e3 * row['formula_seconds']:.3g} ms",
                f"{1e3 * row['step_seconds']:.3g} ms",
                f"{100 * row['difference']:+.1f} %",
                f"{1e3 * row['exchange_seconds']:.3g} ms",
                f"{100 * row['link_share']:.0f} %",
                row["messages"],
                f"{1e3 * tried['step_seconds']:.3g} ms" if tried else "-",
                f"{tried['ratio']:.3f}" if tried else "-",
            ]
        )
    return report.table(lines)


def compared_text(found):
    share = 100 * found["core_share"]
    busy = (
        f" (its ranks had their cores for {share:.0f} % of the time: compare nothing)" if share < 90 else ""
    )
    return (
        f"the run took {time_text(found['seconds'])}, predicted {time_text(found['predicted_seconds'])}: "
        f"{100 * found['error']:+.0f} %; messages {100 * found['communication_share']:.1f} %, predicted "
        f"{100 * found['predicted_communication_share']:.1f} %; start {time_text(found['start_seconds'])}, predicted "
        f"{time_text(found['predicted_start_seconds'])}{busy}"
    )


def instructions_text(speeds, machine):
    """With which instructions speeds were measured, and whether the machine has others."""
    if speeds.isa is None:
        return ""
    if machine.instructions in (None, speeds.isa):
        return f" with {speeds.isa}"
    return (
        f" with {speeds.isa}, where {machine.name} has {machine.instructions}: compared by their peaks alone"
    )


def speeds_text(speeds, machine):
    faces = f" and {1e-3 / speeds.face:.0f} of faces of faults" if speeds.face else ""
    by_size = ""
    if speeds.curve is not None:
        cells, seconds = speeds.curve.cells, speeds.curve.seconds
        by_size = f", {seconds[-1] / seconds[0]:.2f} times as many with {cells[0]:.0f} to a core as with {cells[-1]:.0f}"
    return (
        f"speeds: {speeds.source}: {1e-3 / speeds.element:.0f} thousand updates of cells{faces} a second and core{by_size}; "
        f"its peak is {speeds.peak / 1e9:.0f} GFLOP/s"
        f"{instructions_text(speeds, machine)}"
    )


def text(result, subject, machine):
    rows, counted = result["predicted"], subject.counted
    if subject.model == "sea":
        kind = f"{counted['directions']} × {counted['frequencies']} bins, {counted['layers']} ring(s)"
    else:
        kind = f"order {counted['order']}, {counted['precision']}"
    lines = [
        f"{counted['cells']} {THINGS[subject.model]}, {kind}, {subject.simulated:g} s in steps of {counted['step_seconds']:g} s, "
        f"on {machine.name}: {machine.ranks_per_host} ranks of {machine.threads} threads a host; "
        f"{limited_text(rows)}",
        speeds_text(subject.speeds, machine),
        table(machine, rows, THINGS[subject.model]),
    ]
    if len(rows) > 1:
        further = ", and perhaps further" if result["scales_further"] else ""
        lines.append(
            f"fastest on {result['fastest']} ranks, cheapest on {result['cheapest']}; more ranks gain at least half of the ideal "
            f"up to {result['scales_to']}{further}"
        )
    lines += filter(None, [cutting_text(rows)])
    if result["changes"]:
        lines += ["", changes_table(result["changes"])]
    if "replayed" in result:
        lines += ["", replay_table(result["replayed"])]
    if "compared" in result:
        lines += ["", compared_text(result["compared"])]
    lines += ["", checks.text(result["errors"])]
    return "\n".join(lines)
