"""Options of `plot perspective`, and from them to its pictures."""

from groundswell import report
from groundswell.arguments import positive
from groundswell.errors import refuse
from groundswell.plot import film
from groundswell.whole_files import save_figure

EXAMPLE = """examples:
  groundswell plot perspective surface.nc --field vz --time 20 --from 200 --exaggerate 5 --output ground.png
  groundswell plot perspective surface.nc --field vz --fault fault.nc --fault-field slip_rate --output rupture.mp4"""


def add_options(made):
    made.add_argument("--field", required=True, help="variable of the surface, as for `plot map`")
    made.add_argument("--time", metavar="S", help="the record nearest to this time (a film has all records)")
    made.add_argument("--limits", metavar="LOW,HIGH", help="of the colour scale, in SI")
    made.add_argument(
        "--fault", metavar="FAULT.nc", help="faults below the ground: a file of [[output.fault]]"
    )
    made.add_argument("--fault-field", metavar="NAME", help="variable of this file, as for `plot fault`")
    made.add_argument("--fault-limits", metavar="LOW,HIGH", help="of its colour scale, in SI")
    made.add_argument("--from", dest="bearing", type=float, default=200.0, metavar="DEGREES",
                      help="where the eye stands, clockwise from north (default 200: south-south-west)")  # fmt: skip
    made.add_argument("--above", type=float, default=30.0, metavar="DEGREES",
                      help="how far over the horizon, 1 to 90 (default 30)")  # fmt: skip
    made.add_argument("--exaggerate", type=float, default=1.0, metavar="TIMES", help="heights of the ground")
    made.add_argument("--every", type=positive, default=1, metavar="N", help="of a film: every Nth record")
    made.add_argument(
        "--rate", type=float, default=8.0, metavar="PER_SECOND", help="of a film: frames per second"
    )


def draw(options):
    from groundswell.plot.quake.fault_file import FaultFile
    from groundswell.plot.quake.perspective import Eye, Scene
    from groundswell.plot.quake.surface_command import parse_seconds
    from groundswell.plot.quake.surface_file import SurfaceFile
    from groundswell.plot.scale import parse_limits

    if not 1.0 <= options.above <= 90.0:
        refuse("command line", "--above", options.above, "degrees over the horizon, 1 to 90")
    if not -360.0 <= options.bearing <= 360.0:
        refuse("command line", "--from", options.bearing, "degrees clockwise from north, -360 to 360")
    if not 0.0 < options.exaggerate <= 1000.0:
        refuse("command line", "--exaggerate", options.exaggerate, "a number above 0 and at most 1000")
    if (options.fault is None) != (options.fault_field is None):
        given = "--fault" if options.fault else "--fault-field"
        refuse(
            "command line",
            given,
            options.fault or options.fault_field,
            "--fault and --fault-field, or neither",
        )
    is_film = film.is_film(options.output)
    if is_film:
        film.require(options.output, options.rate)
        if options.time:
            refuse("command line", "--time", options.time, "a picture; a film draws every record")
    limits, fault_limits = (
        parse_limits(text) if text else None for text in (options.limits, options.fault_limits)
    )
    scene = Scene(
        SurfaceFile(options.file),
        options.field,
        Eye(options.bearing, options.above, options.exaggerate),
        limits,
        FaultFile(options.fault) if options.fault else None,
        options.fault_field,
        fault_limits,
    )
    if is_film:
        return scene.film(
            options.output, options.every, options.rate, report.Progress(not options.quiet).update
        )
    figure, result = scene.draw(parse_seconds(options.time) if options.time else None)
    save_figure(figure, options.output)
    return result
