"""`groundswell plot map|panels|animation|series|spectrum|mesh|seismograms|spectra|misfits|energies|fault|rupture|slip|halo|volume|proxy|timeline`."""

import argparse
import pathlib
import sys

from groundswell import __version__, report
from groundswell.arguments import Parser, not_negative, positive
from groundswell.errors import Refusal, refuse, run_command
from groundswell.plot.quake import command as quake
from groundswell.report import KINDS
from groundswell.whole_files import save_figure

EXAMPLES = {
    "map": """examples:
  groundswell plot map yagi.nc --field hs --time 2024-09-05T12:00:00Z --track yagi.csv --places places.csv --utc-offset 8 --output hs.png
  groundswell plot map yagi.nc --field hs --maximum --region 105,120,15,23 --limits 0,14 --output hs-max.pdf
  groundswell plot map surface.nc --field pgv --epicentre 0,0 --places receivers.nc --output pgv.png
  groundswell plot map surface.nc --field vz --time 8 --output vz.png""",
    "panels": """examples:
  groundswell plot panels yagi.nc --field hs --daily --utc-offset 8 --output hs-daily.png
  groundswell plot panels yagi.nc --field tp --times 2024-09-05T00:00:00Z 2024-09-06T00:00:00Z --output tp.png
  groundswell plot panels surface.nc --field vz --times 2 4 6 8 10 12 --epicentre 121.6E,24.0N --output vz.png""",
    "animation": """examples:
  groundswell plot animation yagi.nc --field hs --track yagi.csv --wind --every 3 --output hs.gif
  groundswell plot animation surface.nc --field vz --epicentre 0,0 --rate 10 --output surface.gif""",
    "series": """example:
  groundswell plot series series.nc --fields hs,tp,wind --stations "open sea" 2 --output series.png""",
    "spectrum": """example:
  groundswell plot spectrum spectra.nc --station "open sea" --time 2024-09-05T12:00:00Z --output spectrum.png""",
    "mesh": """examples:
  groundswell plot mesh nwp.nc --spacing --output spacing.png
  groundswell plot mesh nwp.nc --parts parts.nc --output parts.png""",
    **quake.EXAMPLES,
    "halo": """examples:
  groundswell plot halo halo.json --output halo.png
  groundswell plot halo openmpi.json mpich.json --output libraries.png""",
    "volume": """examples:
  groundswell plot volume volume.json --output volume.png
  groundswell plot volume volume.json --matrix matrix.csv --output volume.png
  groundswell plot volume 28-a-host.json 56-a-host.json --output volumes.png""",
    "proxy": """example:
  groundswell plot proxy proxy.json --output proxy.png""",
    "timeline": """examples:
  groundswell plot timeline trace.json --output trace.png
  groundswell plot timeline trace.json --from 12.5 --to 12.6 --output two-steps.png""",
}


def parser():
    top = Parser(prog="groundswell plot", description="Pictures of what the model wrote.")
    top.add_argument("--version", action="version", version=__version__)
    commands = top.add_subparsers(dest="command", required=True, metavar="|".join(EXAMPLES))

    def command(name, file, text, several=False):
        made = commands.add_parser(
            name,
            help=text,
            epilog=EXAMPLES[name],
            description=text[:1].upper() + text[1:] + ".",
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        made.add_argument("file", metavar=file, nargs="+" if several else None)
        made.add_argument(
            "--output",
            required=True,
            metavar="FILE",
            help="picture to write: " + ("a GIF" if name == "animation" else ", ".join(KINDS)),
        )
        made.add_argument("--json", metavar="FILE", help="what was drawn, as JSON")
        made.add_argument("--quiet", action="store_true", help="no progress and no line about the picture")
        return made

    def field_of_map(made):
        made.add_argument(
            "--field",
            required=True,
            help="variable of the file; also `wind` for the speed of u10 and v10, or of an earthquake's surface `speed`, "
            "`horizontal`, and `intensity` by peak velocity (Worden et al. 2012)",
        )
        made.add_argument(
            "--region",
            metavar="W,E,S,N",
            help="part of the mesh to draw, degrees: -85,-65,20,32 (of an earthquake's surface without degrees, km)",
        )
        made.add_argument("--limits", metavar="LOW,HIGH", help="of the colour scale")
        made.add_argument("--track", metavar="FILE", help="a storm's track: CSV, or an ATCF b-deck (.dat)")
        made.add_argument(
            "--waves",
            action="store_true",
            help="arrows in the direction of the waves, longer for higher waves (dir, hs)",
        )
        made.add_argument("--wind", action="store_true", help="barbs of wind in knots (u10, v10)")
        made.add_argument(
            "--places", metavar="FILE", help="names on the map: CSV with name, lat, lon, or points in NetCDF"
        )
        made.add_argument(
            "--coast",
            metavar="DEPTHS.nc",
            help="the coast by the zero line of this file, such as the one that the mesh was made from, in place of "
            "the outline of the cells",
        )
        made.add_argument(
            "--epicentre",
            metavar="X,Y",
            help="a star on an earthquake's surface: 1200,-300 in m, or 121.6E,24.0N",
        )
        calm(made)

    def calm(made):
        made.add_argument(
            "--calm",
            type=not_negative,
            default=0.1,
            metavar="M",
            help="periods and bearings are left out where hs is below this (default 0.1)",
        )

    def local(made):
        made.add_argument(
            "--utc-offset", type=float, default=0.0, metavar="HOURS", help="also give local time"
        )

    def between_cells(made):
        made.add_argument(
            "--isolines",
            metavar="A,B,…",
            help="lines at these values (default for hs: 4,6,9; none: no lines)",
        )
        made.add_argument(
            "--smooth", action="store_true", help="colours run smoothly from centre to centre of the cells"
        )

    one = command(
        "map", "MAP.nc", "a field at a time, or its highest values; of the sea or of an earthquake's surface"
    )
    field_of_map(one)
    between_cells(one)
    when = one.add_mutually_exclusive_group()
    when.add_argument(
        "--time",
        metavar="T",
        help="the record nearest to this time, such as 2024-09-05T12:00:00Z, or in seconds of an earthquake",
    )
    when.add_argument("--maximum", action="store_true", help="the highest value of all records, cell by cell")
    local(one)
    many = command("panels", "MAP.nc", "a field at several times, under one colour scale")
    field_of_map(many)
    between_cells(many)
    when = many.add_mutually_exclusive_group(required=True)
    when.add_argument("--times", nargs="+", metavar="T", help="the records nearest to these times")
    when.add_argument("--daily", action="store_true", help="one panel a day")
    many.add_argument(
        "--hour", type=float, metavar="H", help="local hour of the daily panels (default: that of 00 UTC)"
    )
    local(many)
    moving = command("animation", "MAP.nc", "a field from record to record, as a GIF")
    field_of_map(moving)
    moving.add_argument(
        "--every", type=positive, default=1, metavar="N", help="take every Nth record (default 1)"
    )
    moving.add_argument(
        "--rate", type=float, default=8.0, metavar="PER_SECOND", help="frames per second (default 8)"
    )
    local(moving)
    lines = command("series", "SERIES.nc", "time series at points")
    lines.add_argument(
        "--fields", metavar="A,B,…", help="variables (default: the usual ones of those in the file)"
    )
    lines.add_argument("--stations", nargs="+", metavar="N|NAME", help="points (default: all)")
    calm(lines)
    local(lines)
    rose = command("spectrum", "SPECTRA.nc", "the directional spectrum of a point")
    rose.add_argument("--station", required=True, metavar="N|NAME", help="number or name of the point")
    rose.add_argument("--time", required=True, metavar="T", help="the record nearest to this time")
    local(rose)
    cells = command("mesh", "MESH.nc", "a mesh file, by depth, spacing or partition")
    cells.add_argument("--region", metavar="W,E,S,N", help="part of the mesh to draw, degrees: -85,-65,20,32")
    cells.add_argument("--limits", metavar="LOW,HIGH", help="of the colour scale")
    colour = cells.add_mutually_exclusive_group()
    colour.add_argument("--depth", action="store_true", help="colours by depth (default)")
    colour.add_argument("--spacing", action="store_true", help="colours by the spacing of cells")
    colour.add_argument(
        "--parts",
        metavar="PARTS",
        help="colours by part: a file of `groundswell partition`, or a graph.info.part.N of METIS",
    )
    quake.add_commands(command)
    command(
        "halo", "HALO.json", "what `groundswell halo` measured; several reports one below the other", True
    )
    volume = command(
        "volume", "VOLUME.json", "what `groundswell volume` found; several reports one below the other", True
    )
    volume.add_argument(
        "--matrix",
        metavar="FILE.csv",
        help="what `groundswell volume --matrix` wrote with the report: also draws what each part sends each other",
    )
    command("proxy", "PROXY.json", "kernels that `groundswell proxy` timed, under the limits of the machine")
    trace = command(
        "timeline", "TRACE.json", "what each thread of each rank did, from `groundswell run --timeline`"
    )
    trace.add_argument(
        "--from", dest="begin", type=not_negative, metavar="S", help="from so many seconds after the start"
    )
    trace.add_argument("--to", dest="end", type=not_negative, metavar="S", help="until so many")
    return top


def parse_region(text):
    """(west, east, south, north); east may lie beyond the date line."""
    try:
        west, east, south, north = (float(part) for part in text.split(","))
    except ValueError:
        refuse("command line", "--region", text, "west,east,south,north in degrees, such as 105,127,8,26")
    if west == east or not -90 <= south < north <= 90 or max(abs(west), abs(east)) > 360:
        refuse("command line", "--region", text, "west unlike east, and south below north within ±90")
    return west, east, south, north


def map_options(options):
    """(file, options common to the drawings of maps)."""
    from groundswell.plot.contours import parse_isolines
    from groundswell.plot.map_file import MapFile
    from groundswell.plot.places import read_places
    from groundswell.plot.scale import parse_limits
    from groundswell.plot.track import read_track

    region = parse_region(options.region) if options.region else None
    file = MapFile(options.file, region, options.calm, options.coast)
    west, east = file.shape.extent[:2]
    between = {}
    if options.command != "animation":
        between = {"isolines": parse_isolines(options.isolines), "smooth": options.smooth}
    return file, between | {
        "limits": parse_limits(options.limits) if options.limits else None,
        "track": read_track(options.track, (west + east) / 2 - 180.0) if options.track else None,
        "waves": options.waves,
        "wind": options.wind,
        "offset": options.utc_offset,
        "places": read_places(options.places) if options.places else None,
    }


def draw_map(options):
    if quake.is_surface(options.file):
        return quake.on_surface("draw_map", options)
    quake.refuse_of_earthquakes(options)
    from groundswell.plot import maps
    from groundswell.plot.source import parse_time

    if not (options.time or options.maximum):
        raise Refusal("command line: one of the arguments --time --maximum is required")
    if options.maximum and (options.waves or options.wind):
        refuse(
            "command line",
            "--waves" if options.waves else "--wind",
            None,
            "--time with arrows; a maximum has many times",
        )
    time = parse_time(options.time) if options.time else None
    file, common = map_options(options)
    sheet, result = maps.draw_map(file, options.field, time, **common)
    sheet.save(options.output)
    return result


def draw_panels(options):
    if quake.is_surface(options.file):
        return quake.on_surface("draw_panels", options)
    quake.refuse_of_earthquakes(options)
    from groundswell.plot import maps
    from groundswell.plot.source import parse_time

    times = [parse_time(text, "--times") for text in options.times or ()]
    file, common = map_options(options)
    times = times or maps.daily_times(file, options.utc_offset, options.hour)
    figure, result = maps.draw_panels(file, options.field, times, **common)
    save_figure(figure, options.output)
    return result


def draw_animation(options):
    if quake.is_surface(options.file):
        return quake.on_surface("draw_animation", options)
    quake.refuse_of_earthquakes(options)
    from groundswell.plot import animation

    if not 0 < options.rate <= 50:
        refuse("command line", "--rate", options.rate, "frames per second, above 0 and at most 50")
    file, common = map_options(options)
    progress = report.Progress(not options.quiet)
    _, result = animation.animate(
        file, options.field, options.output, options.every, options.rate, progress=progress.update, **common
    )
    return result


def draw_series(options):
    from groundswell.plot.series import draw_series
    from groundswell.plot.stations import PointFile

    fields = [name.strip() for name in options.fields.split(",")] if options.fields else None
    figure, result = draw_series(
        PointFile(options.file, options.calm), fields, options.stations, options.utc_offset
    )
    save_figure(figure, options.output)
    return result


def draw_spectrum(options):
    from groundswell.plot.source import parse_time, record_at
    from groundswell.plot.spectrum import draw_spectrum
    from groundswell.plot.stations import SpectrumFile

    time = parse_time(options.time)
    file = SpectrumFile(options.file)
    record = record_at(file.times, time, file.path)
    figure, result = draw_spectrum(file, options.station, record, options.utc_offset)
    save_figure(figure, options.output)
    return result


def draw_mesh(options):
    from groundswell.plot import mesh_map
    from groundswell.plot.scale import parse_limits

    what = "parts" if options.parts else "spacing" if options.spacing else "depth"
    region = parse_region(options.region) if options.region else None
    limits = parse_limits(options.limits) if options.limits else None
    sheet, result = mesh_map.draw_mesh(options.file, what, options.parts, region, limits)
    sheet.save(options.output)
    return result


def draw_halo(options):
    from groundswell.plot.halo import draw_halo

    figure, result = draw_halo(options.file)
    save_figure(figure, options.output)
    return result


def draw_volume(options):
    from groundswell.plot.volume import draw_volume

    figure, result = draw_volume(options.file, options.matrix)
    save_figure(figure, options.output)
    return result


def draw_proxy(options):
    from groundswell.plot.proxy import draw_proxy

    figure, result = draw_proxy(options.file)
    save_figure(figure, options.output)
    return result


def draw_timeline(options):
    from groundswell.plot.timeline import draw_timeline

    span = None
    if options.begin is not None or options.end is not None:
        span = options.begin or 0.0, options.end if options.end is not None else float("inf")
    figure, result = draw_timeline(options.file, span)
    save_figure(figure, options.output)
    return result


DRAW = {
    "map": draw_map,
    "panels": draw_panels,
    "animation": draw_animation,
    "series": draw_series,
    "spectrum": draw_spectrum,
    "mesh": draw_mesh,
    **quake.DRAW,
    "halo": draw_halo,
    "volume": draw_volume,
    "proxy": draw_proxy,
    "timeline": draw_timeline,
}


def command_line(arguments):
    options = parser().parse_args(arguments)
    picture = pathlib.Path(options.output)
    kinds = {"animation": (".gif",), "fault": (*KINDS, ".gif")}.get(options.command, KINDS)
    if picture.suffix.lower() not in kinds:
        refuse("command line", "--output", options.output, f"a name that ends in {' or '.join(kinds)}")
    if not picture.parent.is_dir():
        refuse(options.output, None, None, f"an existing folder {picture.parent}")
    result = {"file": options.file, "output": options.output, **DRAW[options.command](options)}
    if options.json:
        report.write_json(options.json, f"plot {options.command}", result)
    if not options.quiet:
        print(f"{options.output}: {report.bytes_text(picture.stat().st_size)}")


def main(arguments=None):
    return run_command(command_line, sys.argv[1:] if arguments is None else arguments)


if __name__ == "__main__":
    sys.exit(main())
