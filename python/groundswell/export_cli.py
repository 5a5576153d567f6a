"""`groundswell export`: receivers in the forms of other programs; with the word grid, fields of the sea on grids."""

import csv
import importlib
import pathlib
import re
import sys

from groundswell import report
from groundswell.arguments import command_parser
from groundswell.errors import refuse, run_command
from groundswell.plot.source import parse_time
from groundswell.whole_files import written_beside

FORMS = ("sac", "mseed", "seissol")
EXAMPLES = """examples:
  groundswell export receivers.nc --to sac sac/
  groundswell export receivers.nc --to mseed mseed/ --network XX --start 2024-04-02T23:58:11Z --shorten
  groundswell export receivers.nc --to seissol text/ --prefix loh1 --station "10 km" 3
  groundswell export fault-receivers.nc --to seissol text/ --prefix tpv5
  groundswell export energy.nc --rupture rupture.nc --to seissol text/ --prefix tpv5
  groundswell export grid --help
  groundswell export systems --help"""
KINDS = {  # words in place of a file
    "grid": ("groundswell.grids.command", "fields of the sea on grids"),
    "systems": ("groundswell.export.systems", "swells of a series in an order that lasts"),
}
LIST = "stations.csv"
HELD = {"faults": "receivers on faults", "energies": "energies"}


def parser():
    top = command_parser(
        prog="groundswell export",
        description="Receivers of an earthquake as SAC or miniSEED files, or in SeisSol's text form, in which receivers on faults and energies are written too. A list of the stations, "
        f"{LIST}, is written beside them, and for miniSEED with known longitudes and latitudes StationXML. "
        "`groundswell export grid` writes fields of the sea on a grid, as NetCDF, GRIB, Zarr, GeoTIFF or GeoJSON, "
        "`groundswell export systems` swells of a series in an order that lasts.",
        epilog=EXAMPLES,
    )
    top.add_argument(
        "file",
        metavar="RECEIVERS.nc",
        help="what `groundswell run` wrote at receivers; with --to seissol also at receivers on faults, and energies",
    )
    top.add_argument("--to", required=True, choices=FORMS, help="form of the files")
    top.add_argument("folder", metavar="FOLDER", help="to write into; made if it is not there")
    top.add_argument("--station", nargs="+", metavar="N|NAME", help="receivers (default: all)")
    top.add_argument(
        "--start", metavar="T", help="date of the start of the run (default 1970-01-01T00:00:00Z)"
    )
    top.add_argument(
        "--network",
        metavar="CODE",
        help="one or two letters or digits (default XX: of no registered network)",
    )
    top.add_argument(
        "--shorten", action="store_true", help="cut names of stations that are too long for the form"
    )
    top.add_argument(
        "--prefix", metavar="WORD", help="of the names of SeisSol's files (default: that of the file)"
    )
    top.add_argument(
        "--rupture",
        metavar="RUPTURE.nc",
        help="with a file of energies: moment and work of faults beside them",
    )
    top.add_argument("--overwrite", action="store_true", help="replace files of these names")
    top.add_argument("--json", metavar="FILE", help="what was written, as JSON")
    top.add_argument("--quiet", action="store_true", help="no progress and no line about the files")
    return top


def check_options(options):
    for name in ("start", "network", "shorten") if options.to == "seissol" else ("prefix",):
        if getattr(options, name):
            refuse("command line", f"--{name}", None, f"another form: it means nothing for {options.to}")
    options.network = options.network or "XX"
    if not re.fullmatch(r"[A-Z0-9]{1,2}", options.network):
        refuse("command line", "--network", options.network, "one or two capital letters or digits")
    options.prefix = options.prefix or pathlib.Path(options.file).stem
    if not re.fullmatch(r"[\w.+-]+", options.prefix):
        refuse("command line", "--prefix", options.prefix, "letters, digits, dots and dashes")


def prepared(folder, names, overwrite):
    """[path]; nothing is written where a file is in the way."""
    folder = pathlib.Path(folder)
    if folder.exists() and not folder.is_dir():
        refuse(folder, None, None, "a folder")
    paths = [folder / name for name in names]
    there = [path for path in paths if path.exists()]
    if there and not overwrite:
        others = f" and {len(there) - 1} others" if len(there) > 1 else ""
        refuse(there[0], None, None, f"no file of this name{others}, or --overwrite")
    folder.mkdir(parents=True, exist_ok=True)
    return paths


def export_seissol(source, options, progress):
    from groundswell.export import seissol

    names = [*seissol.file_names(len(source.chosen), options.prefix), LIST]
    stations = source.stations()
    paths = prepared(options.folder, names, options.overwrite)
    rows = []
    for number, (station, path) in enumerate(zip(stations, paths), 1):
        seissol.write(path, number, station, source.time)
        rows.append((path.name, station))
        progress(f"receiver {number} of {len(source.chosen)}")
    write_list(paths[-1], "file", rows)
    return paths, {}


def export_faults(source, options, progress):
    """Receivers on a fault, in SeisSol's text."""
    from groundswell.export import seissol_faults
    from groundswell.export.receivers import Station
    from groundswell.plot import source as reading

    names = [*seissol_faults.fault_names(len(source.chosen), options.prefix), LIST]
    columns = seissol_faults.fault_columns(source.path)
    with reading.opened(source.path, (), "") as file:
        series = {own: reading.values(file.variables[own])[:, source.chosen] for _, own in columns}
    for own, values in series.items():
        seissol_faults.require_numbers(source.path, source.time, source.names, own, values)
    paths = prepared(options.folder, names, options.overwrite)
    rows = []
    for number, (index, path) in enumerate(zip(source.chosen, paths)):
        place = tuple(float(value) for value in source.file.places[index])
        mine = [(name, series[own][:, number]) for name, own in columns]
        seissol_faults.write_fault(path, number + 1, place, source.time, mine)
        rows.append((path.name, Station(index + 1, source.file.names[index], place, None, {})))
        progress(f"receiver {number + 1} of {len(source.chosen)}")
    write_list(paths[-1], "file", rows)
    return paths, {"columns": [name for name, _ in columns]}


def export_energies(options):
    """A file of energies, in SeisSol's text."""
    from groundswell.export import seissol_faults

    if options.station:
        refuse("command line", "--station", None, "a file of receivers; this one has energies")
    time, found = seissol_faults.energies(options.file, options.rupture)
    (path,) = prepared(options.folder, [f"{options.prefix}-energy.csv"], options.overwrite)
    seissol_faults.write_energies(path, time, found)
    result = {
        "file": options.file,
        "form": "seissol",
        "samples": len(time),
        "files": [str(path)],
        "columns": list(found),
    }
    if options.json:
        report.write_json(options.json, "export", result)
    if not options.quiet:
        print(f"{path}: {', '.join(found)}, {report.bytes_text(path.stat().st_size)}")


def export_seismic(source, options, progress):
    from groundswell.export import seismic
    from groundswell.export.codes import ORIENTATION, channel, station_codes

    obspy = seismic.obspy_or_refused()
    present = [name for name in ORIENTATION if name in source.components]
    if not present:
        source.need(ORIENTATION, f"velocities, which {options.to} files hold; --to seissol has stresses too")
    interval = source.interval(options.to)
    codes = station_codes(source.path, source.names, options.to, options.shorten)
    start = obspy.UTCDateTime(parse_time(options.start, "--start") if options.start else 0)
    first, network = float(source.time[0]), options.network
    channels = [channel(name, interval) for name in present]
    is_sac = options.to == "sac"
    names = [
        [f"{network}.{code}..{name}.sac" for name in channels] if is_sac else [f"{network}.{code}.mseed"]
        for code in codes
    ]
    stations = source.stations()
    has_xml = not is_sac and source.degrees is not None
    last = [LIST, "stations.xml"] if has_xml else [LIST]
    paths = prepared(options.folder, [*(name for files in names for name in files), *last], options.overwrite)
    at = iter(paths)
    rows = []
    for number, (station, code) in enumerate(zip(stations, codes), 1):
        found = seismic.traces(station, network, code, start, interval, first)
        if is_sac:
            for trace, component in zip(found, present):
                seismic.write_sac(next(at), trace, station, component, start, first)
        else:
            seismic.write_mseed(next(at), found)
        rows.append((code, station))
        progress(f"station {number} of {len(codes)}")
    write_list(next(at), "code", rows)
    if has_xml:
        made = seismic.inventory(stations, network, codes, start, interval, source.title)
        with written_beside(next(at)) as partial:
            made.write(str(partial), format="STATIONXML")
    told = {
        "network": network,
        "start": str(start),
        "interval": interval,
        "unit": "m s-1",
        "channels": channels,
    }
    return paths, told | {"codes": dict(zip(source.names, codes))}


def write_list(path, key, rows):
    """The stations with their places: code or file, name, x, y, z in m, and degrees where they are known."""
    with written_beside(path) as partial, open(partial, "w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        has_degrees = rows[0][1].degrees is not None
        writer.writerow([key, "name", "x", "y", "z", *(("lon", "lat") if has_degrees else ())])
        for value, station in rows:
            writer.writerow(
                [value, station.name, *map(repr, station.place), *map(repr, station.degrees or ())]
            )


def command_line(arguments):
    if arguments and arguments[0] in KINDS:
        return importlib.import_module(KINDS[arguments[0]][0]).command_line(arguments[1:])
    from groundswell.export.receivers import Export
    from groundswell.export.seissol_faults import kind_of

    options = parser().parse_args(arguments)
    check_options(options)
    kind = kind_of(options.file)
    if kind != "receivers" and options.to != "seissol":
        refuse("command line", "--to", options.to, f"seissol for {options.file}, which has {HELD[kind]}")
    if kind != "energies" and options.rupture:
        refuse(
            "command line", "--rupture", options.rupture, f"a file of energies beside it, not {options.file}"
        )
    if kind == "energies":
        return export_energies(options)
    source = Export(options.file, options.station)
    progress = report.Progress(not options.quiet)
    if kind == "faults":
        export = export_faults
    else:
        export = export_seissol if options.to == "seissol" else export_seismic
    paths, told = export(source, options, progress.update)
    size = sum(path.stat().st_size for path in paths)
    if options.json:
        result = {
            "file": options.file,
            "form": options.to,
            "stations": len(source.chosen),
            "samples": len(source.time),
            "files": [str(path) for path in paths],
            **told,
        }
        report.write_json(options.json, "export", result)
    if not options.quiet:
        cut = [f"{name} → {code}" for name, code in told.get("codes", {}).items() if name.upper() != code]
        if cut:
            print("codes: " + ", ".join(cut[:12]) + (f", … ({LIST} has all)" if len(cut) > 12 else ""))
        print(
            f"{options.folder}: {len(source.chosen)} stations, {len(paths)} files, {report.bytes_text(size)}"
        )


def main(arguments=None):
    return run_command(command_line, sys.argv[1:] if arguments is None else arguments)


if __name__ == "__main__":
    sys.exit(main())
