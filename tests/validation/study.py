"""What the studies of this folder share: commands, and whether rows of sizes and orders come nearer to a solution."""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def call(*command):
    """What a command prints; ends where it fails."""
    done = subprocess.run([str(word) for word in command], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        program = pathlib.Path(sys.argv[0]).name
        sys.exit(f"{program}: error: {' '.join(map(str, command))}: exit code {done.returncode}")
    return done.stdout


def mesh_of(case, folder, size):
    """A case's mesh with faces of the fault of another size, m, made once in a folder."""
    mesh = folder / f"faces-{size}.msh"
    if not mesh.exists():
        request = folder / f"faces-{size}.toml"
        text = (case / "mesh.toml").read_text()
        text, changed = re.subn(r"^size = .*$", f"size = {float(size)}", text, flags=re.M)
        if changed != 1:
            sys.exit(f"study.py: error: {case / 'mesh.toml'}: expected one line 'size = …', not {changed}")
        request.write_text(text)
        call(ROOT / "groundswell", "mesh", "make", request, "--output", mesh, "--quiet")
    return mesh


def finest_of(rows):
    return min(rows, key=lambda row: (row["size"], -row["order"]))


def far(rows, error_of, scores_of):
    """In words: finer elements of the same order, or a higher order of the same elements, whose error is no smaller, and the
    scores (what, number, limit to either side) of the finest row that are beyond their limits."""
    found = []
    for row in rows:
        for other in rows:
            finer = other["order"] == row["order"] and other["size"] < row["size"]
            higher = other["size"] == row["size"] and other["order"] > row["order"]
            if (finer or higher) and error_of(other) >= error_of(row):
                found.append(
                    f"{other['size']} m, order {other['order']}: comes no nearer than {row['size']} m, order {row['order']}"
                )
    finest = finest_of(rows)
    for what, value, limit in scores_of(finest):
        if not abs(value) <= limit:
            found.append(
                f"{finest['size']} m, order {finest['order']}: {what}: {100 * value:.2f} %, expected at most "
                f"{100 * limit:g} % to either side"
            )
    return found
