"""`groundswell export grid`: fields of a map on a regular or rotated grid, or at points, in the formats of others."""

import importlib
import pathlib

import numpy as np

from groundswell import report
from groundswell.arguments import check_target, command_parser, parse_pair
from groundswell.errors import refuse
from groundswell.grids import overlap
from groundswell.grids.remapping import Remapping
from groundswell.grids.source import Source
from groundswell.grids.target import make_grid
from groundswell.plot.source import iso, parse_time
from groundswell.whole_files import written_beside

MODULES = (
    "netcdf",
    "zarr_store",
    "grib",
    "geotiff",
    "geojson",
)  # of grids, each with a Writer and the endings it writes
EXAMPLES = """examples:
  groundswell export grid yagi.nc yagi-grid.nc --step 0.25
  groundswell export grid yagi.nc yagi.grib2 --region 105,120,15,23 --step 0.1 --fields hs,tp,dir --weights weights.npz
  groundswell export grid yagi.nc rotated.zarr --pole -70,50 --region -10,10,-8,8 --step 0.2
  groundswell export grid yagi.nc hs.tif --step 0.1 --fields hs --times 2024-09-05T12:00:00Z
  groundswell export grid yagi.nc warning.geojson --step 0.1 --fields hs --levels 4,6,9
  groundswell export grid yagi.nc ports.csv --points ports-of-call.csv"""


def parser():
    top = command_parser(
        prog="groundswell export grid",
        description="Fields of a map on a grid of longitude and latitude, by conservative remapping: the energy of the waves in each box "
        "is that of the parts of cells in it. The ending of OUT decides the format: .nc (CF), .zarr (version 3), .grib2, .tif (GeoTIFF), "
        ".geojson (areas above --levels); with --points .nc or .csv.",
        epilog=EXAMPLES,
    )
    top.add_argument("file", metavar="MAP.nc", help="what `groundswell run` wrote as a map")
    top.add_argument("output", metavar="OUT", help="file to write")
    top.add_argument(
        "--step", metavar="DEGREES", help="size of a box: 0.25, or 0.25,0.2 eastward and northward"
    )
    top.add_argument(
        "--region",
        metavar="W,E,S,N",
        help="edges of the grid, degrees: -85,-65,20,32 (default: around the mesh)",
    )
    top.add_argument(
        "--pole", metavar="LON,LAT", help="north pole of a rotated grid, whose degrees --region then counts"
    )
    top.add_argument("--points", metavar="FILE", help="in place of a grid: CSV with name, lon, lat")
    top.add_argument("--fields", metavar="A,B,…", help="variables (default: all of the map)")
    top.add_argument(
        "--times", nargs="+", metavar="T", help="the records nearest to these times (default: all)"
    )
    top.add_argument("--levels", metavar="A,B,…", help="of the contours in GeoJSON")
    top.add_argument(
        "--least-sea",
        type=float,
        default=0.0,
        metavar="PART",
        help="boxes with less sea, 0 to 1, are land (default 0: any sea is shown)",
    )
    top.add_argument(
        "--weights",
        metavar="FILE.npz",
        help="read the weights from this file, or store them in it for the next time",
    )
    top.add_argument(
        "--centre",
        type=int,
        default=255,
        metavar="N",
        help="number of the originating centre in GRIB (default 255: none)",
    )
    top.add_argument("--overwrite", action="store_true", help="replace a file of this name")
    top.add_argument("--json", metavar="FILE", help="what was written, as JSON")
    top.add_argument("--quiet", action="store_true", help="no progress and no line about the file")
    return top


def parse_step(text):
    if text is None:
        refuse("command line", "--step", None, "the size of a box in degrees, such as 0.25")
    words = text.split(",")
    return parse_pair(
        "--step",
        text if len(words) > 1 else f"{text},{text}",
        "one or two sizes above 0 in degrees",
        lambda a, b: 0 < a <= 90 and 0 < b <= 90,
    )


def parse_levels(text):
    if text is None:
        return None
    try:
        levels = [float(word) for word in text.split(",")]
    except ValueError:
        levels = [np.nan]
    if not np.isfinite(levels).all():
        refuse("command line", "--levels", text, "numbers, such as 4,6,9")
    return sorted(set(levels))


def around(source, step):
    """west, east, south, north of the mesh, on multiples of the steps."""
    from groundswell.plot.shape import turn, west_of_map

    west = west_of_map(source.lon)
    lon = turn(source.lon, west)
    # Nodes lie on the same side as the centres they belong to, unless the mesh goes round.
    nodes = turn(source.node_lon, west)
    if lon.max() - lon.min() > 330.0 or nodes.max() - nodes.min() > 350.0:
        span = (-180.0, 180.0)
    else:
        span = np.floor(nodes.min() / step[0]) * step[0], np.ceil(nodes.max() / step[0]) * step[0]
    low = max(-90.0, np.floor(source.node_lat.min() / step[1]) * step[1])
    high = min(90.0, np.ceil(source.node_lat.max() / step[1]) * step[1])
    return *span, low, high


def grid_of(options, source):
    from groundswell.plot_cli import parse_region

    step = parse_step(options.step)
    pole = parse_pair(
        "--pole", options.pole, "LON,LAT in degrees", lambda a, b: abs(a) <= 360 and abs(b) <= 90
    )
    if pole and not options.region:
        refuse("command line", "--region", None, "the edges of a rotated grid, in its own degrees")
    region = parse_region(options.region) if options.region else around(source, step)
    return make_grid(region, step, pole)


def weights_of(options, source, grid, progress):
    file = options.weights
    if file and pathlib.Path(file).exists():
        return overlap.load(file, source, grid)
    found = overlap.find_weights(source, grid, progress)
    if not len(found.box):
        place = f"{source.lon.min():.2f} to {source.lon.max():.2f}°E, {source.lat.min():.2f} to {source.lat.max():.2f}°N"
        region = f"{grid.west:g},{grid.x_edges[-1]:g},{grid.south:g},{grid.y_edges[-1]:g}"
        refuse("command line", "--region", region, f"a grid that meets the mesh of {source.path}: {place}")
    if file:
        overlap.save(file, found)
    return found


def check(options):
    """The module of the format; what cannot be is refused before anything is read."""
    output = pathlib.Path(options.output)
    kind = output.suffix.lower()
    check_target("OUT", options.output) if kind != ".zarr" or not output.is_dir() else None
    if output.exists() and not options.overwrite:
        refuse(output, None, None, "no file of this name, or --overwrite")
    if output.exists() and output.samefile(options.file):
        refuse("command line", "OUT", output, "a file that is not read")
    if output.is_dir() and not (output / "zarr.json").exists() and any(output.iterdir()):
        refuse(output, None, None, "a Zarr store or no folder of this name")
    check_target("--json", options.json)
    if not 0 <= options.least_sea <= 1:
        refuse("command line", "--least-sea", options.least_sea, "a part from 0 to 1")
    if not 0 <= options.centre <= 65535:
        refuse("command line", "--centre", options.centre, "a number of WMO's common code table C-11")
    options.levels = parse_levels(options.levels)
    if options.points:
        for name in ("step", "region", "pole", "weights", "levels"):
            if getattr(options, name):
                refuse("command line", f"--{name}", None, "a grid: with --points it means nothing")
        from groundswell.grids.points import WRITERS

        if kind not in WRITERS:
            refuse(
                "command line",
                "OUT",
                options.output,
                f"a name that ends in {' or '.join(WRITERS)} for points",
            )
        return WRITERS[kind]
    writers = [importlib.import_module(f"groundswell.grids.{name}").Writer for name in MODULES]
    for writer in writers:
        if kind in writer.kinds:
            if options.levels and kind != ".geojson":
                refuse("command line", "--levels", None, "contours: a name that ends in .geojson")
            return writer
    refuse(
        "command line",
        "OUT",
        options.output,
        f"a name that ends in {', '.join(k for w in writers for k in w.kinds)}",
    )


def write(path, make, source, apply, progress):
    with written_beside(path) as partial:
        writer = make(partial)
        names = [field.name for field in source.fields]
        for k, (time, values) in enumerate(zip(source.times, source.each())):
            found = apply(values)
            writer.write(k, time, {name: found[name] for name in names})
            progress(f"record {k + 1} of {len(source.times)}")
        writer.end()


def command_line(arguments):
    options = parser().parse_args(arguments)
    kind = check(options)
    path = pathlib.Path(options.output)
    times = [parse_time(text, "--times") for text in options.times or ()]
    source = Source(options.file, options.fields.split(",") if options.fields else None, times)
    progress = report.Progress(not options.quiet)
    told = {"file": options.file, "output": options.output, "fields": [f.name for f in source.fields]}
    told |= {"records": len(source.times), "first": iso(source.times[0]), "last": iso(source.times[-1])}
    if options.points:
        from groundswell.grids.points import Points
        from groundswell.plot.places import read_places

        points = Points(read_places(options.points), source, options.points)
        write(path, lambda part: kind(part, points, source), source, points.fields, progress.update)
        words, told = f"{len(points.names)} points", told | {"points": len(points.names)}
    else:
        grid = grid_of(options, source)
        weights = weights_of(options, source, grid, progress.update)
        mapped = Remapping(weights, grid, len(source.lon), options.least_sea)
        write(
            path,
            lambda part: kind(part, grid, source, mapped.sea_fraction, options),
            source,
            lambda values: mapped.fields(values, source.bearings),
            progress.update,
        )
        inside = float(weights.area.sum() / overlap.sphere_areas(source).sum())
        sea = int(mapped.kept.sum())
        words = f"{grid.columns} × {grid.rows} boxes, {sea} with sea"
        told |= {
            "columns": grid.columns,
            "rows": grid.rows,
            "sea_boxes": sea,
            "weights": len(weights.box),
            "mesh_inside": inside,
        }
    if options.json:
        report.write_json(options.json, "export grid", told)
    if not options.quiet:
        size = sum(f.stat().st_size for f in (path.rglob("*") if path.is_dir() else [path]) if f.is_file())
        print(f"{path}: {words}, {len(source.times)} times, {report.bytes_text(size)}")
