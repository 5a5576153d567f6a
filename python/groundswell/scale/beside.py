"""`groundswell scale --beside A.json B.json`: what two or more machines measured of one case, side by side."""

import json

from groundswell import report
from groundswell.arguments import check_target
from groundswell.errors import refuse

NEEDED = ("counts", "case", "model", "weak", "whole_simulated_seconds")
TRAITS = (
    lambda one: str(one.machine.get("cpu", "")),
    lambda one: str(one.machine.get("mpi", "")),
    lambda one: str(one.result.get("binding", "")),
)
SAME = ("model", "weak", "whole_simulated_seconds")  # of the case, or speeds say nothing of machines


def read(paths):
    from groundswell.plot.measured.reports import read_reports

    if len(paths) < 2:
        refuse("command line", "--beside", " ".join(paths), "reports of two machines or more")
    reports = read_reports(paths, "scale", NEEDED, TRAITS)
    for one in reports[1:]:
        for key in SAME:
            if one.result[key] != reports[0].result[key]:
                refuse(
                    one.path,
                    f"result.{key}",
                    one.result[key],
                    f"{reports[0].result[key]}, as in {reports[0].path}",
                )
        if cells_of(one) != cells_of(reports[0]):
            refuse(
                one.path,
                "result.counts[].cells",
                cells_of(one),
                f"{cells_of(reports[0])}, as in {reports[0].path}",
            )
    return reports


def cells_of(one):
    """Cells for each number of ranks, where they differ; else for all."""
    rows = one.result["counts"]
    found = sorted({row.get("cells") for row in rows if row.get("cells")})
    return found if not one.result["weak"] else None


def rows_of(reports):
    """For each ranks × threads that any report has: lists with a value for each report, None where it has no such count."""
    by_count = [{(row["ranks"], row["threads"]): row for row in one.result["counts"]} for one in reports]
    found = []
    for ranks, threads in sorted(set().union(*by_count), key=lambda pair: (pair[0] * pair[1], pair)):
        rows = [rows.get((ranks, threads)) for rows in by_count]
        speeds = [row and row["updates_per_second"] for row in rows]
        found.append(
            {
                "ranks": ranks,
                "threads": threads,
                "updates_per_second": speeds,
                "over_first": [speed / speeds[0] if speed and speeds[0] else None for speed in speeds],
                "efficiency": [row and row["efficiency"] for row in rows],
                "whole_seconds": [row and row["whole"]["seconds"] for row in rows],
                "core_hours": [row and row["whole"]["core_hours"] for row in rows],
            }
        )
    return found


def result_of(reports):
    machines = [{"report": str(one.path), "label": one.label, **one.machine} for one in reports]
    same = {key: reports[0].result[key] for key in ("case", *SAME)}
    return {**same, "machines": machines, "counts": rows_of(reports)}


def letters(count):
    return [chr(ord("A") + number) for number in range(count)]


def text_of(result):
    names = letters(len(result["machines"]))
    unit = "element" if result["model"] == "quake" else "bin"
    lines = [f"{name}: {one['label']} ({one['report']})" for name, one in zip(names, result["machines"])]
    head = ["ranks × threads", *(f"{name}, million {unit}s/s" for name in names)]
    head += [f"{name} over A" for name in names[1:]]
    head += [f"{name}, efficiency" for name in names] + [f"{name}, core-hours" for name in names]
    table = [head]

    def shown(values, form):
        return ["-" if value is None else form(value) for value in values]

    for row in result["counts"]:
        line = [f"{row['ranks']} × {row['threads']}"]
        line += shown(row["updates_per_second"], lambda value: f"{1e-6 * value:.4g}")
        line += shown(row["over_first"][1:], lambda value: f"{value:.3f}")
        line += shown(row["efficiency"], lambda value: f"{100 * value:.1f} %")
        line += shown(row["core_hours"], lambda value: f"{value:.3g}")
        table.append(line)
    return "\n".join([*lines, report.table(table)])


def beside(options):
    """The exit code."""
    check_target("--json", options.json)
    check_target("--png", options.png, report.KINDS)
    result = result_of(read(options.beside))
    if options.png:
        from groundswell.plot.measured.scaling import draw_beside

        draw_beside(result, options.png)
    if options.json == "-":
        print(json.dumps(report.envelope("scale beside", result), indent=1))
        return 0
    if options.json:
        report.write_json(options.json, "scale beside", result)
    print(text_of(result))
    return 0
