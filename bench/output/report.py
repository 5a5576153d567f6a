"""Results of the evaluation: evaluation.json, tables.md, pictures; and the same in the manual's page.

bench/output/run --report [--page]
"""

import json
import shutil

import pictures
from evaluation import (
    IMAGES,
    ROOT,
    machine_of,
    machine_text,
    milliseconds,
    put_into_page,
    seconds_text,
    table,
    write_json,
)
from plan import DIRECT, INTERVAL_SECONDS, NONE, RECORD_BYTES, SLOW_DISK_BYTES_PER_SECOND, measurements, parts
from results import blocked, demands, memory, read, speed, total, writing

PAGE = ROOT / "docs/evaluation/output-evaluation.md"
MEGABYTE = 1e6


def finish(result):
    return result["finish_seconds"]["max"]


def setup(result):
    return result["setup_seconds"]["max"]


def writing_speed(result):
    return result["bytes"] / writing(result)


def server_memory(result):
    found = result["server_peak_memory_bytes"]
    return found["max"] if found else 0.0


def ratio_text(ratios):
    """The median, and the range where there are several."""
    if not ratios:
        return "–"
    ordered = sorted(ratios)
    middle = (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2.0
    text = f"{middle:.2f}"
    return text if len(ordered) == 1 else f"{text} ({ordered[0]:.2f}–{ordered[-1]:.2f})"


def demand_table(found):
    rows = [
        [
            each.what,
            each.wanted,
            each.reached_text,
            "" if each.reached is None else "yes" if each.holds else "**no**",
        ]
        for each in demands(found)
    ]
    return table(["what", "wanted", "reached", "holds"], rows)


def memory_text(found, part, way):
    text = f"{found.median(part, way, memory) / MEGABYTE:.0f}"
    return f"{text} / {found.median(part, way, server_memory) / MEGABYTE:.0f}" if way.servers else text


def run_table(found, part):
    """Computation and output: what it cost the model, and what the writers did meanwhile."""
    head = ["who writes", "ranks", "whole, s", "over no output", "over `direct`", "blocked, s"]
    head += [
        "blocked, `direct` over this",
        "left at the end, s",
        "writing, s",
        "MB/s",
        "set-up, ms",
        "memory, MB",
    ]
    rows = []
    for way in found.ways(part):
        row = [way.title, way.ranks, seconds_text(found.median(part, way, total))]
        row.append("1" if way == NONE else ratio_text(found.ratios(part, way, NONE, total)))
        row.append(ratio_text(found.ratios(part, way, DIRECT, total)) if way not in (NONE, DIRECT) else "")
        if way == NONE:
            row += [""] * 6
        else:
            row.append(seconds_text(found.median(part, way, blocked)))
            fewer = found.ratio(part, DIRECT, way, blocked)
            row.append("–" if fewer is None or way == DIRECT else f"{fewer:.0f}")
            row.append(seconds_text(found.median(part, way, finish)))
            row.append(seconds_text(found.median(part, way, writing)))
            row.append(f"{found.median(part, way, writing_speed) / MEGABYTE:.0f}")
            row.append(milliseconds(found.median(part, way, setup)))
        row.append(memory_text(found, part, way))
        rows.append(row)
    return table(head, rows) if rows else ""


def alone_table(found, part):
    """Output alone: records as fast as they go."""
    head = [
        "who writes",
        "ranks",
        "whole, s",
        "MB/s",
        "over `direct`",
        "blocked, s",
        "writing, s",
        "set-up, ms",
    ]
    head += ["most that waited, MB", "memory, MB"]
    rows = []
    for way in found.ways(part):
        if way == NONE:
            continue
        row = [way.title, way.ranks, seconds_text(found.median(part, way, total))]
        row.append(f"{found.median(part, way, speed) / MEGABYTE:.0f}")
        row.append(ratio_text(found.ratios(part, way, DIRECT, total)) if way != DIRECT else "")
        row.append(seconds_text(found.median(part, way, blocked)))
        row.append(seconds_text(found.median(part, way, writing)))
        row.append(milliseconds(found.median(part, way, setup)))
        row.append(f"{found.median(part, way, lambda r: r['most_buffered_bytes']['max']) / MEGABYTE:.0f}")
        row.append(memory_text(found, part, way))
        rows.append(row)
    return table(head, rows) if rows else ""


def circumstances(found, about, folder, loads, libraries):
    text = machine_text(about) + "\n"
    if libraries:
        text += f"MPI library: {', '.join(libraries)}.\n"
    disk = folder / "disk.json"
    if disk.exists():
        kind = json.loads(disk.read_text())["file_system"]
        text += f"Files on {kind}; the slow disk is the same one held to {SLOW_DISK_BYTES_PER_SECOND / 1e6:.0f} MB/s.\n"
    text += f"Records of {RECORD_BYTES / MEGABYTE:.0f} MB.\n"
    reached = found.median("slow", NONE, lambda r: total(r) / r["intervals"])
    if reached is not None:
        text += f"Computing between two records, wanted {INTERVAL_SECONDS} s: {reached:.3f} s.\n"
    if loads:
        text += f"Load average before a measurement: {min(loads):.1f} to {max(loads):.1f}.\n"
    return text


def tables(found, every_part, first_lines):
    text = first_lines + f"\n### Wanted and reached\n\n{demand_table(found)}"
    for part in every_part:
        part_table = {"idle": lambda *_: ""}.get(part.name, run_table if part.interval else alone_table)
        body = part_table(found, part.name)
        if not body:
            continue
        text += f"\n### {part.title}\n\n{part.intervals + 1} records, {part.rounds} rounds"
        if part.once:
            text += f" ({', '.join(f'{way.title} {way.ranks}' for way in part.once)}: one)"
        text += f".\n\n{body}"
    return text


def reports(folder, every_part):
    """[(Measurement, report)] of what has been measured."""
    paths = [(what, folder / "raw" / f"{what.key}.json") for what in measurements(every_part)]
    return [(what, json.loads(path.read_text())) for what, path in paths if path.exists()]


def write(folder, quick, page):
    every_part = parts(quick)
    found = read(folder, measurements(every_part))
    raw = reports(folder, every_part)
    about = machine_of(folder)
    entries = [
        {"part": what.part, "way": what.way.key, "round": what.round, "report": report}
        for what, report in raw
    ]
    judged = [
        {
            "what": each.what,
            "wanted": each.wanted,
            "reached": each.reached,
            "holds": each.reached is not None and each.holds,
        }
        for each in demands(found)
    ]
    summary = {"measurements": entries, "rearranging": found.rearranging, "demands": judged}
    write_json(
        folder / "evaluation.json",
        {"schema": 1, "command": "bench output", "machine": about, "result": summary},
    )
    loads = [report["load_average_before"] for _, report in raw]
    libraries = list(dict.fromkeys(report["machine"]["mpi"] for _, report in raw))
    text = tables(found, every_part, circumstances(found, about, folder, loads, libraries))
    (folder / "tables.md").write_text(text, encoding="utf-8")
    print(demand_table(found))
    drawn = pictures.draw(found, folder)
    if page:
        shown = ""
        for name in drawn:
            IMAGES.mkdir(exist_ok=True)
            shutil.copy(folder / name, IMAGES / f"output-{name}")
            shown += f"\n![{pictures.MEANING[name]}](../images/output-{name})\n"
        put_into_page(PAGE, "bench/output/run --report --page", text + shown)
