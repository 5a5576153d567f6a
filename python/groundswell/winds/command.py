"""`groundswell import wind`: winds and storm tracks as archives hand them out, in one file that the model reads."""

import pathlib
import tempfile

from groundswell import report
from groundswell.arguments import check_target, command_parser
from groundswell.errors import refuse
from groundswell.winds import tracks
from groundswell.winds.sources import open_sources
from groundswell.winds.writing import write_wind

EXAMPLES = """examples:
  groundswell import wind gfs.t00z.pgrb2.0p25.f*.grib2 --output wind.nc
  groundswell import wind era5-u.nc era5-v.nc era5-newest.zip --output wind.nc
  groundswell import wind ibtracs.WP.list.v04r01.csv --storm "YAGI 2024" --output yagi.csv
  groundswell import wind bwp122024.dat.gz awp122024.dat.gz --technique OFCL --output yagi.csv"""


def parser():
    top = command_parser(
        prog="groundswell import wind",
        description="Winds at 10 m from GRIB, from NetCDF in parts (months, components, expver) and from ZIP archives of these "
        "become one CF NetCDF file; storm tracks (ATCF decks, HURDAT2, IBTrACS, compressed or not) become a table. Both are "
        "what [[wind]] of a case reads.",
        epilog=EXAMPLES,
    )
    top.add_argument("inputs", metavar="IN", nargs="+", help="files of one kind, in any order")
    top.add_argument(
        "--output", required=True, metavar="OUT", help="file to write: .nc for winds, .csv for a track"
    )
    top.add_argument("--member", type=int, metavar="N", help="of an ensemble, by its number in the files")
    top.add_argument("--storm", metavar="NAME", help="of a file of many: number, name, or 'NAME YEAR'")
    top.add_argument("--technique", metavar="WORD", help="forecast to add to a best track, such as OFCL")
    top.add_argument(
        "--cycle", metavar="T", help="beginning of that forecast (default: the newest that fits)"
    )
    top.add_argument("--overwrite", action="store_true", help="replace a file of this name")
    top.add_argument("--json", metavar="FILE", help="what was written, as JSON")
    top.add_argument("--quiet", action="store_true", help="no progress and no line about the file")
    return top


def check_options(options, is_track):
    unused = ("member",) if is_track else ("storm", "technique", "cycle")
    for name in unused:
        if getattr(options, name) is not None:
            kind = "winds, and these are tracks" if is_track else "tracks, and these are winds"
            refuse("command line", f"--{name}", getattr(options, name), kind)
    check_target("--output", options.output, (".csv",) if is_track else (".nc",))
    if pathlib.Path(options.output).exists() and not options.overwrite:
        refuse(options.output, None, None, "no file of this name, or --overwrite")
    same = [
        path
        for path in options.inputs
        if pathlib.Path(path).resolve() == pathlib.Path(options.output).resolve()
    ]
    if same:
        refuse("command line", "--output", options.output, "a file that is not read")


def import_track(options):
    fixes = tracks.read(options.inputs, options.storm or "", options.technique or "", options.cycle)
    tracks.write(options.output, fixes, options.inputs)
    first, last = fixes[0]["time"], fixes[-1]["time"]
    return {"fixes": len(fixes), "first": first, "last": last}, f"{len(fixes)} fixes, {first} … {last}"


def import_fields(options):
    progress = report.Progress(not options.quiet)
    with tempfile.TemporaryDirectory() as folder:
        sources = open_sources(options.inputs, pathlib.Path(folder), options.member, progress.update)
        told = write_wind(options.output, sources, progress.update)
    return (
        told,
        f"{told['times']} times, {told['first']} … {told['last']}, {told['rows']} × {told['columns']} points",
    )


def command_line(arguments):
    options = parser().parse_args(arguments)
    for path in options.inputs:
        if not pathlib.Path(path).is_file():
            refuse(path, None, None, "a file that is there")
    is_track = tracks.is_track(options.inputs[0])
    check_options(options, is_track)
    told, words = (import_track if is_track else import_fields)(options)
    if options.json:
        report.write_json(options.json, "import", {"inputs": options.inputs, "file": options.output, **told})
    if not options.quiet:
        size = pathlib.Path(options.output).stat().st_size
        print(f"{options.output}: {words}, {report.bytes_text(size)}")
