"""`groundswell mesh make`, `mesh info`, `mesh import` and `mesh improve`."""

import argparse
import pathlib
import sys

from groundswell import report
from groundswell.arguments import command_parser
from groundswell.errors import refuse, run_command
from groundswell.ground import improve
from groundswell.mesh import import_command, info, quality, tetrahedra
from groundswell.mesh.coasts import obstruction
from groundswell.mesh.make import make_obstructed
from groundswell.mesh.mpas_file import digest, read_mesh, write_mesh
from groundswell.mesh.request import make_request, parse_region, parse_spacing, read_toml
from groundswell.mesh.settings import Settings, read_settings
from groundswell.mesh.sphere import EARTH_RADIUS
from groundswell.mesh.step import LIMIT
from groundswell.report import KINDS
from groundswell.whole_files import written_beside

MAKE_EXAMPLES = """examples:
  groundswell mesh make etopo5.cdf --output nwp.nc --region 105,127,8,26 --spacing finest=10,coarsest=60,growth=0.08
  groundswell mesh make etopo5.cdf --output bahamas.nc --region -85,-65,20,32 --spacing 25
  groundswell mesh make --config cases/yagi/mesh.toml
  groundswell mesh make --icosahedron 64 etopo5.cdf --output global.nc
  groundswell mesh make gebco.nc --output caribbean.nc --polygon caribbean.geojson --spacing 30 --obstruction
  groundswell mesh make --depth 4000 --region 0,10,0,10 --spacing 50 --output flat.nc
  groundswell mesh make cases/quake/local-event/mesh.toml --output ground.msh
  groundswell mesh make cases/quake/turkiye/mesh.toml --size-factor 0.26 --output full.msh
  groundswell mesh make --box 20,20,10 --length 20e3,20e3,10e3 --origin=0,0,-10e3 --output box.h5"""
INFO_EXAMPLES = """examples:
  groundswell mesh info nwp.nc --json nwp.json --png nwp.png --spectrum 36x35 --first-frequency 0.04177 --ratio 1.1
  groundswell mesh info --case cases/yagi/case.toml
  groundswell mesh info tetrahedra.h5 --order 5 --vp 6000 --png tetrahedra.png"""


def parser():
    top = command_parser(
        prog="groundswell mesh",
        description="Voronoi meshes of the sea, in the MPAS mesh format; meshes of tetrahedra for earthquakes.",
    )
    commands = top.add_subparsers(dest="command", required=True, metavar="make|info|import|improve")
    make = commands.add_parser(
        "make",
        help="bathymetry to mesh",
        epilog=MAKE_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Make a mesh of the sea from bathymetry in NetCDF (any latitude/longitude grid) or of one depth; or of the "
        "ground, for earthquakes, from a request in TOML.",
    )
    make.add_argument(
        "bathymetry",
        nargs="?",
        metavar="BATHYMETRY.nc|MESH.toml",
        help="NetCDF file of elevation (positive up) or depth (positive down); or a request, as with --config",
    )
    make.add_argument(
        "--config",
        metavar="MESH.toml",
        help='read the request from a file; options override it. With model = "quake" it asks for tetrahedra of the ground',
    )
    make.add_argument(
        "--output", metavar="MESH.nc", help="mesh file to write (default: mesh.nc, next to the configuration)"
    )
    make.add_argument(
        "--region", metavar="W,E,S,N", help="degrees, west and south negative; without it the globe"
    )
    make.add_argument(
        "--polygon",
        metavar="FILE",
        help="the part of the region inside polygons: GeoJSON, or lines of longitude,latitude",
    )
    make.add_argument(
        "--obstruction",
        action="store_true",
        help="write beside the mesh what islands and reefs smaller than a cell let through, "
        "NAME.obstruction.nc, for [mesh] obstruction of a case",
    )
    make.add_argument(
        "--spacing",
        metavar="KM|RULE",
        help="one spacing in km, or finest=,coarsest=,growth=,band=,long_wave=,gradation=",
    )
    make.add_argument("--variable", help="name of the elevation variable")
    make.add_argument(
        "--depth", type=float, metavar="METRES", help="one depth everywhere instead of a bathymetry file"
    )
    make.add_argument(
        "--icosahedron", type=int, metavar="K", help="global quasi-uniform mesh of 10 K² + 2 cells"
    )
    make.add_argument("--iterations", type=int, help="iterations of Lloyd's method (default 40)")
    make.add_argument("--seed", type=int, help="seed of the random first generators (default 1)")
    make.add_argument("--overwrite", action="store_true", help="replace an existing mesh file")
    make.add_argument(
        "--size-factor",
        type=float,
        metavar="F",
        help="of the ground: all sizes of the request times this, its frequency divided by it (default 1)",
    )
    box = make.add_argument_group("a box of tetrahedra in place of a sea (PUML form, HDF5)")
    box.add_argument("--box", metavar="NX,NY,NZ", help="cubes along each axis, each cut into five tetrahedra")
    box.add_argument("--length", metavar="LX,LY,LZ", help="lengths of the box, m")
    box.add_argument("--origin", metavar="X,Y,Z", help="its lowest corner, m (default 0,0,0)")
    box.add_argument("--periodic", metavar="AXES", help="periodic axes, such as x,y")
    box.add_argument("--jitter", type=float, help="how far vertices are moved, 0 to 0.2 of a cube's edge")
    look = commands.add_parser(
        "info",
        help="quality, stable step, memory",
        epilog=INFO_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="The quality of a mesh, and what it costs a model.",
    )
    look.add_argument("mesh", nargs="?", help="MPAS mesh file (default: that of the case)")
    look.add_argument(
        "--case",
        metavar="CASE.toml",
        help="take spectrum, scheme, depths and intervals of this case: the steps are then those of its run",
    )
    look.add_argument("--png", metavar="FILE", help=f"draw spacing and quality, as {', '.join(KINDS)}")
    look.add_argument("--spectrum", metavar="DxF", help="directions x frequencies (default 36x35)")
    look.add_argument(
        "--first-frequency", type=float, metavar="HZ", help="lowest frequency (default 0.04177)"
    )
    look.add_argument("--ratio", type=float, help="ratio of neighbouring frequencies (default 1.1)")
    look.add_argument(
        "--scheme", choices=list(LIMIT), help="of propagation, which limits the step (default second-order)"
    )
    solid = look.add_argument_group("meshes of tetrahedra (PUML or Gmsh), as in groundswell clusters")
    solid.add_argument("--order", type=int, help="order of the scheme (default 4)")
    solid.add_argument(
        "--step-rule",
        choices=["stable", "own"],
        help="longest step: what is stable at this order (default), or that of other programs",
    )
    solid.add_argument(
        "--courant", type=float, help="fraction of the longest step (default 0.9, with own 0.5)"
    )
    solid.add_argument(
        "--vp", type=float, metavar="M/S", help="speed of P waves without a case (default 6000)"
    )
    solid.add_argument(
        "--vs", type=float, metavar="M/S", help="speed of S waves without a case (default 3464)"
    )
    solid.add_argument("--density", type=float, metavar="KG/M3", help="density without a case (default 2700)")
    solid.add_argument("--rate", type=int, help="ratio of the steps of neighbouring clusters (default 2)")
    solid.add_argument(
        "--scale", help="step of the first cluster over the shortest step: auto, or a number (default 1)"
    )
    taken = commands.add_parser(
        "import",
        help="a triangle mesh of another model",
        epilog=import_command.EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Voronoi cells about the nodes of a triangle mesh. The nodes on its outline have no cell of their own.",
    )
    import_command.add_options(taken)
    better = commands.add_parser(
        "improve",
        help="flat tetrahedra mended",
        epilog=improve.EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        description="Moves corners of flat tetrahedra, which cost a run many short steps. Faces, tags and groups stay as they are.",
    )
    improve.add_options(better)
    for command in (make, look, taken, better):
        command.add_argument("--json", metavar="FILE", help="the same as JSON")
        command.add_argument("--quiet", action="store_true", help="no progress and no table")
    return top


def gather(options):
    """(name of the source, tables, folder) of the request: the configuration with the options laid over it."""
    tables, where, folder = {}, "command line", pathlib.Path()
    if options.config:
        tables, where, folder = read_toml(options.config), options.config, pathlib.Path(options.config).parent
    here = pathlib.Path.cwd()
    bathymetry, mesh = tables.setdefault("bathymetry", {}), tables.setdefault("mesh", {})
    if options.bathymetry:
        if options.depth is not None:
            refuse("command line", "--depth", options.depth, "either a bathymetry file or a depth")
        bathymetry.update(kind="file", file=str(here / options.bathymetry))
    if options.depth is not None:
        bathymetry.update(kind="uniform", depth=options.depth)
    if options.variable:
        bathymetry["variable"] = options.variable
    if options.region:
        tables["region"] = {
            **{k: v for k, v in tables.get("region", {}).items() if k == "polygon"},
            **parse_region(options.region),
        }
    if options.polygon:
        tables.setdefault("region", {})["polygon"] = str(here / options.polygon)
    if options.obstruction:
        mesh["obstruction"] = True
    if options.spacing:
        tables["spacing"] = parse_spacing(options.spacing)
    for name in ("icosahedron", "iterations", "seed"):
        if getattr(options, name) is not None:
            mesh[name] = getattr(options, name)
    if options.output:
        mesh["output"] = str(here / options.output)
    return where, tables, folder


def make(options):
    if options.bathymetry and options.bathymetry.endswith(".toml") and not options.config:
        options.config, options.bathymetry = options.bathymetry, None
    if options.box is not None:
        return tetrahedra.make_box(options)
    if options.config and tetrahedra.is_earthquake(options.config):
        from groundswell.ground import command

        return command.make(options)
    if options.size_factor is not None:
        refuse(
            "command line",
            "--size-factor",
            options.size_factor,
            "a mesh of the ground: --spacing says it of the sea's",
        )
    request = make_request(*gather(options))
    if request.output.exists() and not options.overwrite:
        refuse(request.output, None, None, "a file that does not exist yet, or --overwrite")
    if not request.output.parent.parent.is_dir():
        refuse(request.output, None, None, f"an existing folder {request.output.parent.parent}")
    request.output.parent.mkdir(exist_ok=True)
    progress = report.Progress(not options.quiet)
    arrays, attributes, blocked = make_obstructed(request, progress.update)
    progress.update(f"writing {request.output}")
    with written_beside(request.output) as partial:
        write_mesh(partial, arrays, EARTH_RADIUS, attributes)
    if blocked:
        write_obstruction(request.output, blocked, arrays, attributes)
    progress.done(f"{request.output}: {len(arrays['areaCell'])} cells")
    result = quality.measure(arrays, EARTH_RADIUS)
    if blocked:
        result["obstructed_faces"] = len(blocked.edge)
    if not options.quiet:
        print(info.quality_table(result))
        if blocked:
            print(f"{obstruction_name(request.output)}: {len(blocked.edge)} obstructed faces")
    if options.json:
        report.write_json(
            options.json, "mesh make", {"file": str(request.output), "seed": request.seed, **result}
        )


def obstruction_name(output):
    return output.with_name(f"{output.stem}.obstruction.nc")


def write_obstruction(output, blocked, arrays, attributes):
    with written_beside(obstruction_name(output)) as partial:
        obstruction.write(partial, blocked, len(arrays["areaCell"]), digest(arrays), attributes)


def look(options):
    if options.png and pathlib.Path(options.png).suffix.lower() not in KINDS:
        refuse("command line", "--png", options.png, f"a name that ends in {' or '.join(KINDS)}")
    if tetrahedra.are_meant(options.mesh, options.case):
        return tetrahedra.look(options)
    settings = read_settings(options.case) if options.case else Settings()
    settings.spectrum.update(info.parse_spectrum(options.spectrum, options.first_frequency, options.ratio))
    settings.scheme = options.scheme or settings.scheme
    options.mesh = options.mesh or settings.mesh
    if not options.mesh:
        refuse("command line", "mesh info", None, "a mesh file, or --case")
    arrays, attributes = read_mesh(options.mesh)
    radius = float(attributes.get("sphere_radius", EARTH_RADIUS))
    result = {
        "file": str(options.mesh),
        **quality.measure(arrays, radius),
        **info.model_cost(arrays, settings),
    }
    if not options.quiet:
        print(info.quality_table(result))
        print(info.cost_table(result))
    if options.json:
        report.write_json(options.json, "mesh info", result)
    if options.png:
        from groundswell.mesh import picture

        picture.draw(arrays, result, pathlib.Path(options.mesh).name, options.png)


def command_line(arguments):
    options = parser().parse_args(arguments)
    run = {"make": make, "info": look, "import": import_command.run, "improve": improve.run}
    return run[options.command](options)


def main(arguments=None):
    return run_command(command_line, sys.argv[1:] if arguments is None else arguments)


if __name__ == "__main__":
    sys.exit(main())
