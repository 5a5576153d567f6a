"""JSON reports of the program that are drawn: read, checked, and told apart where several stand beside each other."""

import json
import pathlib

from groundswell.errors import refuse


class Report:
    """One report: `machine` and `result` as the program wrote them, and a label that tells it from the others."""

    def __init__(self, path, machine, result):
        self.path, self.machine, self.result = path, machine, result
        self.label = pathlib.Path(path).stem


def read_report(path, command, needed):
    """The Report in a file that `groundswell COMMAND --json` wrote; `needed` are keys of its result."""
    expected = f"a report of groundswell {command} --json"
    try:
        text = pathlib.Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        refuse(path, None, None, f"{expected} that can be read ({getattr(error, 'strerror', None) or error})")
    try:
        report = json.loads(text)
    except json.JSONDecodeError as error:
        refuse(f"{path}:{error.lineno}", None, None, f"{expected}; this is not JSON ({error.msg})")
    if not isinstance(report, dict) or not isinstance(report.get("result"), dict):
        refuse(path, "result", "(missing)", expected)
    if report.get("command") != command:
        refuse(path, "command", report.get("command"), expected)
    for key in needed:
        if key not in report["result"]:
            refuse(path, f"result.{key}", "(missing)", expected)
    return Report(path, report.get("machine") or {}, report["result"])


def read_reports(paths, command, needed, traits):
    """Several, each labelled by those of the traits {name: function(report) → text} in which they differ."""
    reports = [read_report(path, command, needed) for path in paths]
    said = [[trait(report) for trait in traits] for report in reports]
    if len(reports) > 1:
        differ = [len({row[t] for row in said}) > 1 for t in range(len(traits))]
        labels = [", ".join(text for text, tells in zip(row, differ) if tells) for row in said]
        if len(set(labels)) < len(labels):
            labels = [report.label for report in reports]
        for report, label in zip(reports, labels):
            report.label = label
    return reports


def counted(number, thing):
    """`1 rank`, `40 000 cells`."""
    return f"{number:,}".replace(",", "\u202f") + f" {thing}{'' if number == 1 else 's'}"


def halo_of(result):
    """Unit of a halo: rings of cells, or sides of faces at an order of the scheme."""
    if "order" in result:
        return f"order {result['order']}, {result['precision']}"
    return f"{counted(result['layers'], 'ring')} of halo" if "layers" in result else ""


def three(value):
    """A positive number in about three figures, without an exponent."""
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"
