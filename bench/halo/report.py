"""What the evaluation found: evaluation.json, tables.md, pictures; and the same in the manual's page.

bench/halo/run --report [--page]
"""

import json
import os
import pathlib
import platform
import re
import shutil

import pictures
from libraries import BY_NAME, LIBRARIES, ROOT
from plan import WAY_TITLES, WAYS, layout_title, measurements

PAGE = ROOT / "docs/halo-evaluation.md"
IMAGES = ROOT / "docs/images"
BEGIN, END = "<!-- bench/halo/run --report --page writes from here -->", "<!-- to here -->"
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


def processor():
    text = pathlib.Path("/proc/cpuinfo").read_text()
    match = re.search(r"model name\s*: (.*)", text)
    return match.group(1).strip() if match else platform.processor()


def machine():
    memory = re.search(r"MemTotal:\s*(\d+)", pathlib.Path("/proc/meminfo").read_text())
    os_release = pathlib.Path("/etc/os-release").read_text()
    name = re.search(r'PRETTY_NAME="(.*)"', os_release)
    return {
        "processor": processor(),
        "cores": os.cpu_count(),
        "memory_bytes": int(memory.group(1)) * 1024,
        "system": f"{name.group(1) if name else platform.system()}, Linux {platform.release()}",
    }


def table(head, rows):
    """Markdown; the first column is text, the others numbers."""
    lines = [
        "| " + " | ".join(head) + " |",
        "|---" + "|---:" * (len(head) - 1) + "|",
        *("| " + " | ".join(row) + " |" for row in rows),
    ]
    return "\n".join(lines) + "\n"


def milliseconds(seconds):
    value = 1e3 * seconds
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def seconds_text(value):
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}" if value >= 0.095 else f"{value:.3f}"


def transports_of(found):
    """Names in the order in which the program lists them; `auto` says what it took, in a column of its own."""
    names = dict.fromkeys(
        one["name"] for what, report in found if what.kind == "halo" for one in report["result"]["transports"]
    )
    return list(names)


def transport(report, name):
    """What was measured of a transport; None where this library has none such."""
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
    text = f"Machine: {about['processor']}, {about['cores']} cores, {about['memory_bytes'] / 2**30:.0f} GiB, {about['system']}.\n"
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
    # Figures drawn later, elsewhere, still belong to the machine that measured them.
    kept = folder / "machine.json"
    if not kept.exists():
        kept.write_text(json.dumps(machine(), indent=1) + "\n")
    about = json.loads(kept.read_text())
    (folder / "evaluation.json").write_text(json.dumps(summary(found, about), indent=1) + "\n")
    text = tables(found, about)
    (folder / "tables.md").write_text(text)
    drawn = pictures.draw(found, folder)
    if page:
        for name in drawn:
            IMAGES.mkdir(exist_ok=True)
            shutil.copy(folder / name, IMAGES / f"halo-{name}")
        before, _, rest = PAGE.read_text().partition(BEGIN)
        after = rest.partition(END)[2]
        PAGE.write_text(f"{before}{BEGIN}\n\n{text}\n{END}{after}")
