"""`groundswell plot map|panels|animation|page|series|spectrum|mesh|seismograms|spectra|misfits|energies|fault|perspective|rupture|slip|halo|volume|proxy|timeline`."""

import pathlib
import sys

from groundswell import report
from groundswell.errors import Refusal, refuse, run_command
from groundswell.plot import film
from groundswell.plot.options import parser
from groundswell.plot.quake import command as quake
from groundswell.report import KINDS
from groundswell.whole_files import save_figure


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
    film.require(options.output, options.rate)
    if quake.is_surface(options.file):
        return quake.on_surface("draw_animation", options)
    quake.refuse_of_earthquakes(options)
    from groundswell.plot import animation

    file, common = map_options(options)
    progress = report.Progress(not options.quiet)
    _, result = animation.animate(
        file, options.field, options.output, options.every, options.rate, progress=progress.update, **common
    )
    return result


def draw_page(options):
    from groundswell.plot.map_file import MapFile
    from groundswell.plot.page.page import make_page
    from groundswell.plot.places import read_places
    from groundswell.plot.stations import open_points
    from groundswell.plot.track import read_track

    region = parse_region(options.region) if options.region else None
    file = MapFile(options.file, region, options.calm, options.coast)
    west, east = file.shape.extent[:2]
    progress = report.Progress(not options.quiet)
    return make_page(
        file,
        options.output,
        [name.strip() for name in options.fields.split(",")] if options.fields else None,
        options.every,
        [open_points(path, options.calm) for path in options.points or ()],
        read_track(options.track, (west + east) / 2 - 180.0) if options.track else None,
        read_places(options.places) if options.places else None,
        progress.update,
    )


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
    from groundswell.plot.measured.halo import draw_halo

    figure, result = draw_halo(options.file)
    save_figure(figure, options.output)
    return result


def draw_volume(options):
    from groundswell.plot.measured.volume import draw_volume

    figure, result = draw_volume(options.file, options.matrix)
    save_figure(figure, options.output)
    return result


def draw_proxy(options):
    from groundswell.plot.measured.proxy import draw_proxy

    figure, result = draw_proxy(options.file)
    save_figure(figure, options.output)
    return result


def draw_timeline(options):
    from groundswell.plot.measured.timeline import draw_timeline

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
    "page": draw_page,
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
    kinds = {
        "animation": film.KINDS,
        "page": (".html",),
        "fault": (*KINDS, *film.KINDS),
        "perspective": (*KINDS, *film.KINDS),
    }.get(options.command, KINDS)
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
