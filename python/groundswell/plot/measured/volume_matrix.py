"""Bytes from part to part, as `plot halo` draws those from rank to rank: from the file that `groundswell volume --matrix` writes."""

import types

import numpy as np

from groundswell.errors import refuse
from groundswell.plot.measured.halo import draw_matrix, unit_of_bytes

COLUMNS = "partition,receiver,sender,cluster,times,count"
MOST_PARTS = 1024  # a finer pattern cannot be seen
SQUARE, APART, BAR = 2.55, 0.75, 0.95  # inches
HEIGHT = SQUARE + 0.75


def read(path, report):
    """{number of a partition: bytes [sender, receiver] in the report's steps}, of those with few enough parts."""
    expected = "what groundswell volume wrote with --matrix, together with this report"
    try:
        with open(path, encoding="ascii") as source:
            if source.readline().strip() != COLUMNS:
                refuse(path, None, None, expected)
            rows = np.loadtxt(source, delimiter=",", dtype=np.int64, ndmin=2)
    except OSError as error:
        refuse(path, None, None, f"{expected} ({error.strerror})")
    except (ValueError, UnicodeDecodeError):
        refuse(path, None, None, expected)
    found = {}
    for number, told in enumerate(report.result["partitions"]):
        _, receiver, sender, _, times, count = rows[rows[:, 0] == number].T
        sent = count * times * (receiver != sender)
        things, wanted = sent.sum(), told["received_bytes"]["mean"] * told["parts"]
        parts = told["parts"]
        inside = len(receiver) > 0 and max(receiver.max(), sender.max()) < parts
        each = bytes_of_thing(report.result)
        if not inside or not np.isclose(things * each, wanted, rtol=1e-6):
            refuse(
                path,
                f"partition {number}",
                f"{things * each:.6g} bytes",
                f"{wanted:.6g} bytes, as in {report.path}: {expected}",
            )
        if parts <= MOST_PARTS:
            matrix = np.zeros((parts, parts))
            np.add.at(matrix, (sender, receiver), sent * each)
            found[number] = matrix
    return found


def bytes_of_thing(result):
    """Bytes of a cell, or a side of a face, in all steps of the report."""
    if "bytes_per_face" in result:
        return result["bytes_per_face"] * result["steps"]
    return result["directions"] * result["frequencies"] * result["bytes_per_value"] * result["steps"]


def width_of(squares):
    return len(squares) * (SQUARE + APART) + BAR


def squares_of(report, path, methods):
    """For each method the partition into the most parts that can be drawn: [(method, parts, matrix)]."""
    matrices, found = read(path, report), []
    for method in methods:
        numbers = [n for n in matrices if report.result["partitions"][n]["method"] == method]
        if numbers:
            best = max(numbers, key=lambda n: report.result["partitions"][n]["parts"])
            found.append((method, report.result["partitions"][best]["parts"], matrices[best]))
    return found


def draw_row(figure, total, place, report, squares):
    """Squares side by side, all with one scale; total, place: inches, from the upper left corner."""
    left, top = place
    highest = max([1.0] + [matrix.max() for _, _, matrix in squares])
    factor, unit = unit_of_bytes(highest)
    for column, (method, parts, matrix) in enumerate(squares):
        x = left + column * (SQUARE + APART)
        axes = figure.add_axes(
            (x / total[0], 1 - (top + SQUARE) / total[1], SQUARE / total[0], SQUARE / total[1])
        )
        host = (np.arange(parts) // report.result["per_host"]).tolist()
        image = draw_matrix(
            axes,
            types.SimpleNamespace(result={"matrix_bytes": matrix, "host_of_rank": host}),
            factor,
            highest,
        )
        axes.set_title(f"{method}, {parts} parts", size=9, loc="left")
        axes.set(xlabel="receiving part", ylabel="sending part" if column == 0 else "")
        axes.xaxis.label.set_size(9)
    bar = figure.colorbar(image, cax=axes.inset_axes((1.05, 0.0, 0.06, 1.0)))
    bar.ax.tick_params(labelsize=8.5)
    steps = report.result["steps"]
    bar.set_label(f"{unit} in {steps} step{'s' if steps != 1 else ''}; red: between hosts", size=8.5)
