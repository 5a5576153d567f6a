"""`groundswell mesh import`: a triangle mesh of another model as a mesh of this one."""

import numpy as np

from groundswell import report
from groundswell.arguments import check_target
from groundswell.errors import refuse
from groundswell.mesh import info, quality
from groundswell.mesh.bathymetry import read_bathymetry
from groundswell.mesh.dual import voronoi_of
from groundswell.mesh.mpas_file import write_mesh
from groundswell.mesh.sphere import EARTH_RADIUS
from groundswell.mesh.triangles import read_triangles
from groundswell.whole_files import written_beside

EXAMPLES = """examples:
  groundswell mesh import fort.14 --output mesh.nc
  groundswell mesh import shelf.2dm --positive down --output mesh.nc
  groundswell mesh import hgrid.gr3 --bathymetry etopo.nc --output mesh.nc"""


def add_options(command):
    command.add_argument(
        "triangles", metavar="MESH", help="fort.14, gr3, 2dm, Gmsh (text) or UGRID, also as .gz"
    )
    command.add_argument("--output", required=True, metavar="MESH.nc", help="mesh file to write")
    command.add_argument(
        "--positive",
        choices=["up", "down"],
        help="direction of the nodes' third number, where the form does not say it",
    )
    command.add_argument(
        "--bathymetry", metavar="FILE.nc", help="take depths from here, in place of the nodes' own"
    )
    command.add_argument("--variable", help="name of its elevation variable")
    command.add_argument("--depth", type=float, metavar="METRES", help="one depth everywhere")
    command.add_argument(
        "--smallest-sea",
        type=int,
        default=20,
        metavar="N",
        help="waters of fewer cells are left out (default 20)",
    )
    command.add_argument("--overwrite", action="store_true", help="replace an existing mesh file")


def depths(options, mesh):
    """Depths of the nodes, m, positive down."""
    if options.bathymetry and options.depth is not None:
        refuse("command line", "--depth", options.depth, "either a bathymetry file or a depth")
    if options.depth is not None:
        return np.full(len(mesh.lon), options.depth)
    if options.bathymetry:
        from groundswell.mesh.bathymetry import Reading

        region = (mesh.lon.min(), mesh.lon.max(), mesh.lat.min(), mesh.lat.max())
        field = read_bathymetry(options.bathymetry, region, 1.0, reading=Reading(options.variable))
        return -field.interpolate(mesh.lon, mesh.lat)
    if mesh.z is None or not np.any(mesh.z):
        refuse(
            options.triangles, "depth", "none", "depths at the nodes, --bathymetry FILE.nc or --depth METRES"
        )
    down = mesh.down if options.positive is None else options.positive == "down"
    if down is None and mesh.z.min() < 0 < mesh.z.max():
        refuse(
            options.triangles,
            "third number of the nodes",
            f"{mesh.z.min():g} … {mesh.z.max():g}",
            "--positive up or down",
        )
    if down is None:
        down = mesh.z.max() > 0  # of one sign all are below the water
    return mesh.z if down else -mesh.z


def run(options):
    check_target("--output", options.output, (".nc",))
    from pathlib import Path

    output = Path(options.output)
    if output.exists() and not options.overwrite:
        refuse(output, None, None, "a file that does not exist yet, or --overwrite")
    progress = report.Progress(not options.quiet)
    progress.update(f"reading {options.triangles}")
    mesh = read_triangles(options.triangles)
    arrays, told = voronoi_of(
        options.triangles, mesh, depths(options, mesh), options.smallest_sea, progress.update
    )
    with written_beside(output) as partial:
        write_mesh(partial, arrays, EARTH_RADIUS, {"imported": Path(options.triangles).name})
    progress.done(f"{output}: {told['cells']} cells")
    result = quality.measure(arrays, EARTH_RADIUS)
    if not options.quiet:
        print(
            f"{told['nodes']} nodes, {told['outline_nodes']} of them on the outline, which have no cell; "
            f"{100 * told['edges_kept']:.1f} % of the edges between cells are those of the triangles, the others those of "
            f"Delaunay; {told['cut_nodes']} nodes left out that would have touched others across land"
        )
        print(info.quality_table(result))
    if options.json:
        report.write_json(options.json, "mesh import", {"file": str(output), **told, **result})
