"""Options of `groundswell plot`: its subcommands, each with an example."""

import argparse

from groundswell.arguments import command_parser, not_negative, positive
from groundswell.plot.quake import command as quake
from groundswell.report import KINDS

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
  groundswell plot animation surface.nc --field vz --epicentre 0,0 --rate 10 --output surface.mp4""",
    "page": """example:
  groundswell plot page yagi.nc --points series.nc spectra.nc --coast etopo5_yagi.nc --track yagi.csv --output yagi.html""",
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
    top = command_parser(prog="groundswell plot", description="Pictures of what the model wrote.")
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
            help="file to write: "
            + {"animation": "a GIF or MP4", "page": "HTML"}.get(name, ", ".join(KINDS)),
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
    moving = command("animation", "MAP.nc", "a field from record to record, as a GIF or an MP4")
    field_of_map(moving)
    moving.add_argument(
        "--every", type=positive, default=1, metavar="N", help="take every Nth record (default 1)"
    )
    moving.add_argument(
        "--rate", type=float, default=8.0, metavar="PER_SECOND", help="frames per second (default 8)"
    )
    local(moving)
    whole = command(
        "page", "MAP.nc", "a page for a browser, in one file: maps by time and field, values at a click"
    )
    whole.add_argument("--fields", metavar="A,B,…", help="variables of the map (default: all)")
    whole.add_argument("--points", nargs="+", metavar="FILE", help="files of series and of spectra at points")
    whole.add_argument("--region", metavar="W,E,S,N", help="part of the mesh to show, degrees: -85,-65,20,32")
    whole.add_argument(
        "--every", type=positive, default=1, metavar="N", help="take every Nth record (default 1)"
    )
    whole.add_argument("--coast", metavar="DEPTHS.nc", help="the coast by the zero line of this file")
    whole.add_argument("--track", metavar="FILE", help="a storm's track: CSV, or an ATCF b-deck (.dat)")
    whole.add_argument("--places", metavar="FILE", help="names on the map: CSV with name, lat, lon")
    calm(whole)
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
