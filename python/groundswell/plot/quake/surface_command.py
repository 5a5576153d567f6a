"""`plot map`, `plot panels` and `plot animation` where the file is an earthquake's surface: from options to drawings."""

import numpy as np

from groundswell import report
from groundswell.errors import refuse
from groundswell.plot.places import read_places
from groundswell.plot.quake import epicentre, surface_animation, surface_map
from groundswell.plot.quake.receivers import ReceiverFile
from groundswell.plot.quake.surface_file import SurfaceFile
from groundswell.plot.scale import parse_limits
from groundswell.plot.shape import beside
from groundswell.whole_files import save_figure

OF_THE_SEA = {
    "track": None,
    "waves": False,
    "wind": False,
    "utc_offset": 0.0,
    "daily": False,
    "hour": None,
    "isolines": None,
    "smooth": False,
    "coast": None,
}


def parse_seconds(text, option="--time"):
    """`12`, `12.5s`: seconds since the start of the run."""
    try:
        return float(text.strip().removesuffix("s"))
    except ValueError:
        refuse("command line", option, text, "seconds since the start of the run, such as 12.5")


def parse_epicentre(text, file):
    """Its place on the map."""
    if text is None:
        return None
    kind, first, second = epicentre.parse(text)
    if kind == "metres":
        return tuple(file.mesh.on_map((first, second)))
    if file.mesh.degrees is None:
        refuse(file.path, "--epicentre", text, "x,y in m: the file has no longitudes and latitudes")
    return beside(np.array([first]), file.mesh.degrees[0, 0])[0], second


def parse_surface_region(text, file):
    """(west, east, south, north) of the map: degrees, or km where the file has no degrees."""
    if text is None:
        return None
    try:
        west, east, south, north = (float(part) for part in text.split(","))
    except ValueError:
        west = east = south = north = 0.0
    unit = "degrees" if file.mesh.degrees is not None else "km"
    if not (west < east and south < north):
        refuse(
            "command line",
            "--region",
            text,
            f"west,east,south,north in {unit}, west below east and south below north",
        )
    low, high = file.mesh.plane.min(axis=0), file.mesh.plane.max(axis=0)
    if west >= high[0] or east <= low[0] or south >= high[1] or north <= low[1]:
        there = f"{low[0]:.6g},{high[0]:.6g},{low[1]:.6g},{high[1]:.6g}"
        refuse(file.path, "--region", text, f"a part of the surface, which is {there} in {unit}")
    return west, east, south, north


def places_of(path, file):
    """(names, [place, 2] on the map) of a file of receivers, or of a table."""
    if path is None:
        return None
    if str(path).endswith(".nc"):
        receivers = ReceiverFile(path)
        return receivers.names, [file.mesh.on_map(place[:2]) for place in receivers.places]
    if file.mesh.degrees is None:
        refuse(path, "--places", None, f"a file of receivers: {file.path} has no longitudes and latitudes")
    table = read_places(path)
    return table.names, list(zip(beside(table.lon, file.mesh.degrees[0, 0]), table.lat))


def opened(options):
    """(SurfaceFile, options of its drawings)."""
    for name, usual in OF_THE_SEA.items():
        if getattr(options, name, usual) != usual:
            refuse(
                options.file,
                "--" + name.replace("_", "-"),
                None,
                "a map of the sea; this is the surface of an earthquake",
            )
    file = SurfaceFile(options.file)
    return file, surface_map.sheet_options(
        parse_surface_region(options.region, file),
        parse_limits(options.limits) if options.limits else None,
        parse_epicentre(options.epicentre, file),
        places_of(options.places, file),
    )


def draw_map(options):
    file, common = opened(options)
    file.field(options.field)
    if options.field in file.peaks and options.field in file.moving and len(file.times) and not options.time:
        options.time = str(file.times[-1])  # they grow: the last record is that of the whole run
    if options.time is None and not options.maximum and options.field not in file.still:
        refuse(
            "command line",
            "--field",
            options.field,
            "--time SECONDS or --maximum with a field that has times",
        )
    if options.time is not None and options.field in file.still:
        refuse("command line", "--time", options.time, f"no time: {options.field} is of the whole run")
    seconds = parse_seconds(options.time) if options.time else None
    sheet, result = surface_map.draw_map(file, options.field, seconds, common)
    save_figure(sheet.figure, options.output)
    return result


def draw_panels(options):
    file, common = opened(options)
    times = [parse_seconds(text, "--times") for text in options.times]
    figure, result = surface_map.draw_panels(file, options.field, times, common)
    save_figure(figure, options.output)
    return result


def draw_animation(options):
    file, common = opened(options)
    progress = report.Progress(not options.quiet)
    _, result = surface_animation.animate(
        file, options.field, options.output, options.every, options.rate, common, progress.update
    )
    return result
