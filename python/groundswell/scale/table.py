"""Measured scaling for people."""

from groundswell import report
from groundswell.plot.measured.reports import counted
from groundswell.report import length_text, time_text


def percent(value):
    return "" if value is None else f"{100 * value:.1f} %"


def table(result):
    priced = "price_per_core_hour" in result
    head = [
        "ranks × threads",
        "seconds",
        "min … max",
        "cv",
        "start-up",
        "speed-up",
        "efficiency",
        "with start-up",
    ]
    head += ["whole run", "core-hours"] + (["cost"] if priced else [])
    if result["weak"]:
        head.insert(1, "cells")
    lines = [head]
    for row in result["counts"]:
        seconds = row["seconds"]
        line = [
            f"{row['ranks']} × {row['threads']}",
            f"{seconds['mean']:.3g}",
            f"{seconds['min']:.3g} … {seconds['max']:.3g}",
            percent(row["cv"]),
            f"{row['start_up_seconds']['mean']:.3g}",
            f"{row['speedup']:.2f}",
            percent(row["efficiency"]),
            percent(row["efficiency_with_start_up"]),
            time_text(row["whole"]["seconds"]),
            f"{row['whole']['core_hours']:.3g}",
        ]
        if priced:
            line.append(f"{row['whole']['cost']:.4g}")
        if result["weak"]:
            line.insert(1, f"{row.get('cells', '')}")
        lines.append(line)
    return report.table(lines)


def print_scaling(result):
    kind = "weak scaling, a mesh for each count" if result["weak"] else "strong scaling"
    print(
        f"{kind}: {length_text(result['simulated_seconds'])} of the {length_text(result['whole_simulated_seconds'])} that "
        f"{result['case']} simulates, {counted(result['repeats'], 'run')} of each, interleaved"
    )
    print(table(result))
    fastest, cheapest = result["fastest"], result["cheapest"]
    if not result["weak"]:
        print(
            f"the whole run is fastest on {fastest['ranks']} × {fastest['threads']} and cheapest on "
            f"{cheapest['ranks']} × {cheapest['threads']}"
        )
    for row in result["counts"]:
        for outlier in row["outliers"]:
            print(
                f"{row['ranks']} × {row['threads']}, run {outlier['run'] + 1}: {outlier['ratio']:.2f} times the median: "
                + "; ".join(outlier["why"])
            )
    if result["interrupted"]:
        print("stopped before all runs were made")
    print_problems(result)


def print_problems(result):
    """Faults of the machine that `doctor` found before the first run."""
    for problem in result.get("problems", ()):
        text = f"{problem['code']}: {problem['message']}"
        print("doctor says: " + (text if len(text) <= 140 else f"{text[:140]}…"))
