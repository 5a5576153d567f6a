"""Runs `groundswell mesh make` for a request for a mesh of the ground."""

import pathlib

from groundswell import report
from groundswell.errors import refuse
from groundswell.ground.make import make_mesh
from groundswell.ground.request import make_request, read_toml, scale_sizes
from groundswell.ground.survey import table

SEA_ONLY = ("region", "spacing", "variable", "depth", "icosahedron", "iterations", "seed")


def make(options):
    """Make the mesh that the file options.config asks for."""
    for name in SEA_ONLY:
        value = getattr(options, name)
        if value is not None:
            refuse(
                "command line",
                f"--{name}",
                value,
                f"no such option with {options.config}, a mesh of the ground",
            )
    path = pathlib.Path(options.config)
    tables = read_toml(path)
    if options.output:
        tables.setdefault("mesh", {})["output"] = str(pathlib.Path.cwd() / options.output)
    if options.size_factor is not None:
        if not 0.01 <= options.size_factor <= 100:
            refuse("command line", "--size-factor", options.size_factor, "a number of 0.01 to 100")
        scale_sizes(tables, options.size_factor)
    request = make_request(options.config, tables, path.parent)
    output = request.output
    if output.suffix != ".msh":
        refuse(output, None, None, "a name that ends in .msh, which is Gmsh's format")
    if output.exists() and not options.overwrite:
        refuse(output, None, None, "a file that does not exist yet, or --overwrite")
    if not output.parent.parent.is_dir():
        refuse(output, None, None, f"an existing folder {output.parent.parent}")
    output.parent.mkdir(exist_ok=True)
    progress = report.Progress(not options.quiet)
    result = {"file": str(output), **make_mesh(request, output, progress.update)}
    progress.done(f"{output}: {result['cells']} cells")
    if not options.quiet:
        print(table(result, request))
    if options.json:
        report.write_json(options.json, "mesh make", result)
