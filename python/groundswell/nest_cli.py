"""`groundswell nest`: where a run is to hand spectra to a run on a mesh inside it, and what both cases say for it."""

import pathlib
import sys

import numpy as np
from scipy.spatial import cKDTree

from groundswell import report
from groundswell.arguments import check_target, command_parser
from groundswell.errors import refuse, run_command
from groundswell.mesh import sphere
from groundswell.mesh.coasts.open_faces import open_points
from groundswell.mesh.mpas_file import read_mesh
from groundswell.toml_file import read_toml_file
from groundswell.whole_files import written_beside

EXAMPLES = """examples:
  groundswell nest harbour/case.toml --parent ocean/case.toml --output ocean/harbour.csv
  groundswell nest shelf.nc --parent ocean.nc --output shelf.csv --every 15min

Both runs then need what the command prints: the outer one an [[output.points]] with these points, the inner one a [[boundary]] with
the file of that. One run may have any number of nests."""


def parser():
    top = command_parser(
        prog="groundswell nest",
        description="Finds the cells of an outer mesh at and around the open faces of an inner one, and writes them as the "
        "table that [[output.points]] of the outer case reads.",
        epilog=EXAMPLES,
    )
    top.add_argument("inner", metavar="INNER", help="case (.toml) or mesh (.nc) of the inner run")
    top.add_argument("--parent", required=True, metavar="OUTER", help="case or mesh of the outer run")
    top.add_argument("--output", required=True, metavar="POINTS.csv", help="table to write")
    top.add_argument("--every", default="30min", metavar="T", help="interval to propose (default 30min)")
    top.add_argument(
        "--leave-out",
        action="store_true",
        help="leave out points that lie in no sea cell of OUTER: the faces there take the nearest others",
    )
    top.add_argument("--overwrite", action="store_true", help="replace a file of this name")
    top.add_argument("--json", metavar="FILE", help="what was found, as JSON")
    top.add_argument("--quiet", action="store_true", help="print nothing")
    return top


def mesh_of(path):
    """(path, arrays, open_beyond or None) of a mesh, or of that which a case names."""
    path, beyond = pathlib.Path(path), None
    if path.suffix == ".toml":
        mesh = read_toml_file(path).get("mesh", {})
        if "file" not in mesh:
            refuse(path, "mesh.file", None, "the mesh of the case")
        beyond, path = mesh.get("open_beyond"), path.parent / mesh["file"]
    arrays, _ = read_mesh(path)
    return path, arrays, beyond


def sea_of(path, arrays):
    """(index, unit vectors, width in m) of the cells that are sea."""
    depth = arrays.get("bottomDepth", np.ones(len(arrays["lonCell"])))
    sea = np.nonzero(depth > 0)[0]
    if not len(sea):
        refuse(path, "bottomDepth", f"{depth.max():g} m at most", "a cell deeper than 0 m")
    return (
        sea,
        sphere.to_xyz(arrays["lonCell"][sea], arrays["latCell"][sea]),
        np.sqrt(arrays["areaCell"][sea]),
    )


AROUND = 10  # cells of the parent around each face that its spectrum is interpolated between


def find_cells(points, middles, parent):
    """(cells of the parent at and around each face, which points beyond lie in none of its sea cells, how far from the nearest, m)."""
    path, arrays, _ = parent
    sea, centres, width = sea_of(path, arrays)
    tree = cKDTree(centres)
    chord, nearest = tree.query(points)
    away = 2 * np.arcsin(np.minimum(chord / 2, 1)) * sphere.EARTH_RADIUS
    _, around = tree.query(middles, k=min(AROUND, len(sea)))
    cells = np.column_stack([nearest, around.reshape(len(points), -1)])
    return sea[cells], away > width[nearest], away


def told_by(options, found):
    name = pathlib.Path(options.output).stem
    return f"""{options.output}: {found["points"]} points of {found["faces"]} open faces{found["note"]}

In the case of the outer run:

[[output.points]]
file = "{name}-spectra.nc"
every = "{options.every}"
at_file = "{options.output}"

In the case of the inner run:

[[boundary]]
spectra = "{name}-spectra.nc"  # where the outer run writes it
"""


def command_line(arguments):
    options = parser().parse_args(arguments)
    check_target("--output", options.output, (".csv",))
    if pathlib.Path(options.output).exists() and not options.overwrite:
        refuse(options.output, None, None, "no file of this name, or --overwrite")
    path, arrays, beyond = mesh_of(options.inner)
    lon, lat, middles = open_points(path, arrays, beyond)
    parent = mesh_of(options.parent)
    cells, astray, away = find_cells(sphere.to_xyz(np.radians(lon), np.radians(lat)), middles, parent)
    if astray.any() and (astray.all() or not options.leave_out):
        worst = np.argmax(np.where(astray, away, -1.0))
        refuse(
            path,
            f"{astray.sum()} of {len(lon)} points beyond open faces",
            f"such as [{lon[worst]:.3f}, {lat[worst]:.3f}]",
            f"points in sea cells of {parent[0]}: the nearest one to this is {away[worst] / 1e3:.1f} km away, so it lies on that "
            "mesh's land or outside" + ("" if astray.all() else "; --leave-out leaves such points out"),
        )
    chosen = np.unique(cells[~astray])
    with written_beside(options.output) as partial, open(partial, "w") as file:
        file.write(f"# cells of {parent[0].name} beyond the open faces of {path.name}\nlon,lat\n")
        outer = parent[1]
        for x, y in np.degrees(np.stack([outer["lonCell"][chosen], outer["latCell"][chosen]], 1)):
            file.write(f"{(x + 180.0) % 360.0 - 180.0:.6f},{y:.6f}\n")
    note = f"; {astray.sum()} in no sea cell of {parent[0]} are left out" if astray.any() else ""
    found = {"points": len(chosen), "faces": len(lon), "left_out": int(astray.sum()), "note": note}
    if not options.quiet:
        print(told_by(options, found), end="")
    if options.json:
        found.pop("note")
        report.write_json(options.json, "nest", {"file": options.output, **found})


def main(arguments=None):
    return run_command(command_line, sys.argv[1:] if arguments is None else arguments)


if __name__ == "__main__":
    sys.exit(main())
