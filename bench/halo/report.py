"""Results of the evaluation: evaluation.json, tables.md, pictures; and the same in the manual's page.

bench/halo/run --report [--page]
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
from libraries import BY_NAME, LIBRARIES
from plan import WAY_TITLES, WAYS, layout_title, measurements

PAGE = ROOT / "docs/evaluation/halo-evaluation.md"
LAYOUTS = ((1, 2), (2, 1), (1, 4), (2, 2), (3, 1), (4, 1), (4, 2))
KIND_TITLES = {"steps": "propagation alone", "model": "propagation and source terms"}


def read(folder):
    """[(Measurement, report)] of what has been measured, in the order of the plan."""
    found = []
    for what in measurements([library.name for library in LIBRARIES]):
        path = folder / "raw" / f"{what.key}.json"
        if path.exists():
            found.append((what, json.loads(path.read_text())))
    return found


def transports_of(found):
    """Names in the order in which the program lists them; `auto` says what it took, in a column of its own."""
    names = dict.fromkeys(
        one["name"] for what, report in found if what.kind == "halo" for one in report["result"]["transports"]
    )
    return list(names)


def transport(report, name):
    """Measurements of a transport; None where this library does not have it."""
    for one in report["result"]["transports"]:
        if one["name"] == name and one["available"]:
            return one
    return None


def exchange_table(found, hosts, per_host, way):
    """Rows: transports. Columns: libraries. Mean over ranks of each rank's median, and the largest of them."""
    here = {
        what.mpi: r
        for what, r in found
        if (what.kind, what.hosts, what.per_host, what.way) == ("halo", hosts, per_host, way)
    }
    if not here:
        return ""
    rows = []
    for name in transports_of(found):
        row = [f"`{name}`"]
        for report in here.values():
            one = transport(report, name)
            cell = "–"
            if one:
                cell = f"{milliseconds(one['whole']['mean'])} ({milliseconds(one['whole']['max'])})"
                if name == "auto":
                    cell = f"{one['used']}: {cell}"
                if not one["verified"]:
                    cell += " **wrong values**"
            row.append(cell)
        rows.append(row)
    copies = ["one `memcpy` of the bytes"]
    copies += [milliseconds(report["result"]["memcpy_seconds"]["median"]) for report in here.values()]
    rows.append(copies)
    return table(["ms", *(BY_NAME[name].title for name in here)], rows)


def order_table(found, hosts, per_host):
    """Rows: library and way."""
    rows = []
    for what, report in found:
        if (what.kind, what.hosts, what.per_host) != ("halo", hosts, per_host):
            continue
        result = report["result"]
        row = [
            BY_NAME[what.mpi].title,
            WAY_TITLES[what.way],
            f"{100 * result['off_host_share']:.0f} %",
            str(result["moved_ranks"]),
        ]
        for name in ("point-to-point", "neighbor", "shared"):
            one = transport(report, name)
            row.append(
                f"{milliseconds(one['whole']['mean'])} ({milliseconds(one['whole']['max'])})" if one else "–"
            )
        rows.append(row)
    if not rows:
        return ""
    return table(
        ["library", "order", "off-host bytes", "ranks moved", "`point-to-point`", "`neighbor`", "`shared`"],
        rows,
    )


def run_table(found, kind):
    """Communication, computation and whole of runs."""
    rows = []
    for what, report in found:
        if what.kind != kind:
            continue
        result = report["result"]
        talk, work, whole = (
            result["communication_seconds"],
            result["computation_seconds"],
            result["wall_seconds"],
        )
        layout = what.layout if what.way == "two-level" else f"{what.layout}, {WAY_TITLES[what.way]}"
        rows.append(
            [
                BY_NAME[what.mpi].title,
                layout,
                f"`{what.transport}`",
                f"{seconds_text(talk['mean'])} ({seconds_text(talk['max'])})",
                f"{seconds_text(work['mean'])} ({seconds_text(work['max'])})",
                seconds_text(whole),
                f"{100 * talk['mean'] / whole:.1f} %",
            ]
        )
    if not rows:
        return ""
    rows.sort(key=lambda row: row[1])
    head = [
        "library",
        "ranks",
        "transport",
        "communication, s",
        "computation, s",
        "whole, s",
        "share of communication",
    ]
    return table(head, rows)


def tables(found, about):
    some = next((r for what, r in found if what.kind == "halo"), None)
    run = next((r for what, r in found if what.kind == "steps"), None)
    text = machine_text(about) + "\n"
    names = dict.fromkeys(r["machine"]["mpi"] for _, r in found)
    text += f"MPI libraries: {', '.join(names)}.\n"
    if some:
        cells = f"{some['result']['cells']:,}".replace(",", " ")
        text += f"Mesh: {cells} cells; {some['result']['bytes_per_cell']} bytes a cell; "
        text += f"{some['result']['layers']} rings of halo, {some['result']['repeats']} exchanges of each transport.\n"
    if run:
        text += f"Runs: {run['result']['steps']} steps of {run['result']['step_seconds']:.0f} s, first-order upwind, one ring.\n"
    loads = [r["load_average_before"] for _, r in found]
    text += f"Load average before a measurement: {min(loads):.1f} to {max(loads):.1f}.\n" if loads else ""
    text += "\nNumbers are means over ranks, and in parentheses the largest over ranks.\n"

    text += "\n### One exchange\n"
    for hosts, per_host in LAYOUTS:
        part = exchange_table(found, hosts, per_host, "two-level")
        if part:
            text += f"\n{layout_title(hosts, per_host).capitalize()}, milliseconds:\n\n{part}"
    for hosts, per_host in LAYOUTS:
        if hosts > 1 and per_host > 1:
            part = order_table(found, hosts, per_host)
            if part:
                text += f"\n### Orders of ranks: {layout_title(hosts, per_host)}\n\nMilliseconds an exchange:\n\n{part}"
    for kind, title in KIND_TITLES.items():
        part = run_table(found, kind)
        if part:
            text += (
                f"\n### Sixty steps: {title}\n\n{part}"
                if run_steps(found, kind) == 60
                else f"\n### Steps: {title}\n\n{part}"
            )
    return text


def run_steps(found, kind):
    return next(report["result"]["steps"] for what, report in found if what.kind == kind)


def summary(found, about):
    """Everything in one file, for other programs."""
    entries = []
    for what, report in found:
        entry = {
            "kind": what.kind,
            "library": what.mpi,
            "hosts": what.hosts,
            "ranks_per_host": what.per_host,
        }
        entry |= {"way": what.way, "host_of_rank": list(what.order), "transport": what.transport or None}
        partition, mapping, reorder, _ = WAYS[what.way]
        entry |= {"partition": partition, "mapping": mapping, "reorder": reorder}
        entries.append({**entry, "report": report})
    return {"schema": 1, "command": "bench halo", "machine": about, "result": {"measurements": entries}}


def write(folder, page):
    found = read(folder)
    about = machine_of(folder)
    write_json(folder / "evaluation.json", summary(found, about))
    text = tables(found, about)
    (folder / "tables.md").write_text(text)
    drawn = pictures.draw(found, folder)
    if page:
        for name in drawn:
            IMAGES.mkdir(exist_ok=True)
            shutil.copy(folder / name, IMAGES / f"halo-{name}")
        put_into_page(PAGE, "bench/halo/run --report --page", text)
