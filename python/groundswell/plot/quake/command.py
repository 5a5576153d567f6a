"""Drawings of earthquakes by `groundswell plot`: options of its subcommands, and from them to drawings."""

from groundswell.arguments import not_negative, parse_pair, positive
from groundswell.errors import refuse
from groundswell.plot.quake import perspective_command
from groundswell.whole_files import save_figure

EXAMPLES = {
    "seismograms": """examples:
  groundswell plot seismograms receivers.nc --station "receiver 9" --epicentre 0,0 --reference fk.csv --output misfit.png
  groundswell plot seismograms receivers.nc --components east,up --filter 0.1,2 --station 1 2 --output seismograms.pdf
  groundswell plot seismograms receivers.nc --record-section --epicentre 0,0 --output section.png
  groundswell plot seismograms receivers.nc --record-section --epicentre 0,0 --depth 2000 --origin-time 0.5 --arrivals P:6000,S:3464 --output section.png""",
    "misfits": """example:
  groundswell plot misfits receivers.nc --station "receiver 9" --components up --reference fk.csv --output misfits.png --json misfits.json""",
    "spectra": """examples:
  groundswell plot spectra receivers.nc --station quarry church --output spectra.png
  groundswell plot spectra receivers.nc --station 3 --components east,up --reference fk.csv --damping 0.02 --output spectra.pdf""",
    "energies": """example:
  groundswell plot energies energy.nc --output energies.png""",
    "fault": """examples:
  groundswell plot fault fault.nc --field slip --output slip.png
  groundswell plot fault fault.nc --field slip_rate --time 1 2 3 --contours 0 --output slip-rate.png
  groundswell plot fault fault.nc --field rupture_time --contours 0.5 --reference other/fault.nc --output front.png
  groundswell plot fault fault.nc --before --output before.png
  groundswell plot fault fault.nc --field slip_rate --output rupture.mp4""",
    "perspective": perspective_command.EXAMPLE,
    "rupture": """example:
  groundswell plot rupture rupture.nc --output rupture.png""",
    "slip": """examples:
  groundswell plot slip fault-receivers.nc --station 1 3 --output slip.png
  groundswell plot slip fault-receivers.nc --station 1 --fields slip_rate_strike,traction_strike --reference seissol.dat --window 0,6 --output slip.pdf""",
}


def add_commands(command):
    """The subcommands, by the function that adds one (name, FILE, what it draws)."""
    seismograms = command("seismograms", "RECEIVERS.nc", "seismograms at receivers, next to a reference")
    series_options(seismograms)
    seismograms.add_argument(
        "--record-section", action="store_true", help="traces by distance from the epicentre"
    )
    seismograms.add_argument(
        "--arrivals",
        metavar="P:SPEED,…",
        help="lines in the section where waves of these speeds in m/s arrive that run straight from the source: P:6000,S:3464",
    )
    seismograms.add_argument(
        "--depth",
        type=not_negative,
        default=0.0,
        metavar="M",
        help="of the source below the receivers, for --arrivals",
    )
    seismograms.add_argument(
        "--origin-time", type=float, default=0.0, metavar="S", help="at which the source acts, for --arrivals"
    )
    series_options(
        command(
            "misfits", "RECEIVERS.nc", "misfits of envelope and phase by time and frequency, and their table"
        )
    )
    spectra = command(
        "spectra", "RECEIVERS.nc", "Fourier spectra of velocity and response spectra at receivers"
    )
    series_options(spectra)
    spectra.add_argument(
        "--damping",
        type=float,
        default=0.05,
        metavar="SHARE",
        help="of the critical, of the oscillators (default 0.05)",
    )
    spectra.add_argument(
        "--periods",
        metavar="SHORT,LONG",
        help="of the oscillators, s (default: what the samples and the window allow)",
    )
    command("energies", "ENERGIES.nc", "kinetic and elastic energy against time")
    fault_options(
        command(
            "fault", "FAULT.nc", "a fault laid flat: a field, the front of the rupture, and a reference's"
        )
    )
    perspective_command.add_options(
        command(
            "perspective", "SURFACE.nc", "the ground seen from the side, faults below it; a picture or a film"
        )
    )
    command("rupture", "RUPTURE.nc", "moment rate, moment and energies of all faults against time")
    slip = command("slip", "FAULT_RECEIVERS.nc", "what receivers on a fault saw, next to a reference")
    slip.add_argument("--station", nargs="+", metavar="N|NAME", help="receivers (default: all, up to 5)")
    slip.add_argument("--fields", metavar="A,B,…", help="variables (default: slip rates, slips, tractions)")
    slip.add_argument(
        "--reference",
        nargs="+",
        metavar="FILE",
        help="a receiver on a fault in text, of SeisSol or of the community's benchmarks, or a file of a run",
    )
    slip.add_argument("--window", metavar="BEGIN,END", help="times in s that are drawn and compared")


def fault_options(made):
    what = made.add_mutually_exclusive_group(required=True)
    what.add_argument(
        "--field", help="variable of the file; also `shear`, and `closeness`: shear over strength"
    )
    what.add_argument(
        "--before",
        action="store_true",
        help="shear stress, strength and closeness to failure of the first record",
    )
    made.add_argument(
        "--time", nargs="+", metavar="S", help="records nearest to these times; several become panels"
    )
    made.add_argument("--fault", type=positive, default=1, metavar="N", help="which one, the largest first")
    made.add_argument("--limits", metavar="LOW,HIGH", help="of the colour scale, in SI")
    made.add_argument(
        "--contours",
        type=not_negative,
        metavar="S",
        help="between lines of equal rupture time; 0: none (default: about eight, where the file has rupture_time)",
    )
    made.add_argument(
        "--reference",
        metavar="FILE",
        help="rupture times to draw as well: another FAULT.nc, or rows of x y z time, or of the way along strike from the "
        "middle, down dip, and time",
    )
    made.add_argument(
        "--every", type=positive, default=1, metavar="N", help="of a GIF or MP4: every Nth record"
    )
    made.add_argument(
        "--rate", type=float, default=8.0, metavar="PER_SECOND", help="of a GIF or MP4: frames per second"
    )


def series_options(made):
    made.add_argument("--station", nargs="+", metavar="N|NAME", help="receivers (default: all)")
    made.add_argument(
        "--components",
        metavar="A,B,…",
        help="x|east, y|north, z|up|vertical, radial, transverse, sxx, …, sxz (default: east,north,up, or with "
        "--epicentre radial,transverse,vertical)",
    )
    made.add_argument(
        "--epicentre",
        metavar="X,Y",
        help="place, 1200,-300 in m or 121.6E,24.0N, from which distances are measured and from which radial points away; transverse points a quarter turn "
        "to the left of radial, seen from above",
    )
    made.add_argument("--filter", metavar="LOW,HIGH", help="band in Hz, without a phase shift; LOW may be 0")
    made.add_argument(
        "--reference",
        nargs="+",
        metavar="FILE",
        help="CSV with time,vx,vy,vz or time,radial,transverse,vertical, a receiver file of SeisSol in text, or one file of "
        "receivers for all; relative rms and misfits of envelope and phase are given next to each component",
    )
    made.add_argument("--window", metavar="BEGIN,END", help="times in s that are drawn and compared")


def is_surface(path):
    from groundswell.plot.quake import surface_file

    return surface_file.is_surface(path)


def on_surface(name, options):
    """Draws a map, panels or an animation of an earthquake's surface."""
    from groundswell.plot.quake import surface_command

    return getattr(surface_command, name)(options)


def refuse_of_earthquakes(options):
    if options.epicentre is not None:
        refuse(
            options.file, "--epicentre", options.epicentre, "the surface of an earthquake; this is not one"
        )


def series_choice(options):
    """(ReceiverFile, Choice, references)."""
    from groundswell.plot.quake import epicentre
    from groundswell.plot.quake.receivers import ReceiverFile, Reference
    from groundswell.plot.quake.seismograms import Choice

    file = ReceiverFile(options.file)
    choice = Choice(
        [name.strip() for name in options.components.split(",")] if options.components else None,
        epicentre.in_metres(options.epicentre, options.file, file.projection),
        parse_pair(
            "--filter", options.filter, "low,high in Hz, such as 0.1,2", lambda low, high: 0 <= low < high
        ),
        parse_pair("--window", options.window, "begin,end in s, such as 0,9", lambda begin, end: begin < end),
    )
    references = [Reference(path) for path in options.reference or ()]
    return file, choice, references


def draw_seismograms(options):
    from groundswell.plot.quake.section import Section, parse_arrivals
    from groundswell.plot.quake.seismograms import draw_seismograms

    arrivals = parse_arrivals(options.arrivals)
    if arrivals and not options.record_section:
        refuse("command line", "--arrivals", options.arrivals, "--record-section, into which they are drawn")
    section = Section(arrivals, options.depth, options.origin_time) if options.record_section else None
    file, choice, references = series_choice(options)
    figure, result = draw_seismograms(file, options.station, choice, references, section)
    save_figure(figure, options.output)
    return result


def draw_energies(options):
    from groundswell.plot.quake.energies import draw_energies

    figure, result = draw_energies(options.file)
    save_figure(figure, options.output)
    return result


def draw_misfits(options):
    from groundswell.plot.quake.misfits import draw_misfits, table_of

    file, choice, references = series_choice(options)
    figure, result = draw_misfits(file, options.station, choice, references)
    save_figure(figure, options.output)
    if not options.quiet:
        print(table_of(result))
    return result


def draw_spectra(options):
    from groundswell.plot.quake.spectra import draw_spectra

    if not 0 < options.damping < 1:
        refuse("command line", "--damping", options.damping, "a share of the critical, above 0 and below 1")
    periods = parse_pair(
        "--periods", options.periods, "short,long in s, such as 0.5,10", lambda short, long: 0 < short < long
    )
    file, choice, references = series_choice(options)
    figure, result = draw_spectra(file, options.station, choice, references, options.damping, periods)
    save_figure(figure, options.output)
    return result


def draw_fault(options):
    from groundswell import report
    from groundswell.plot import film
    from groundswell.plot.quake import fault_map
    from groundswell.plot.quake.fault_file import FaultFile
    from groundswell.plot.quake.surface_command import parse_seconds
    from groundswell.plot.scale import parse_limits

    file = FaultFile(options.file)
    limits = parse_limits(options.limits) if options.limits else None
    choice = fault_map.Choice(options.fault, limits, options.contours, options.reference)
    names = list(fault_map.BEFORE) if options.before else [options.field]
    for name in names:
        file.field(name)
    if film.is_film(options.output):
        film.require(options.output, options.rate)
        if options.before or options.time or options.reference:
            refuse(
                "command line",
                "--output",
                options.output,
                "a picture, or --field alone, of which a GIF or MP4 draws every record",
            )
        progress = report.Progress(not options.quiet)
        return fault_map.animate(
            file, names[0], options.output, options.every, options.rate, choice, progress.update
        )
    if options.before:
        if options.time:
            refuse("command line", "--time", options.time[0], "no time: --before is the first record")
        records = [0]
    else:
        records = fault_map.records_of(file, names, [parse_seconds(text) for text in options.time or ()])
    figure, result = fault_map.draw_fields(file, names, records, choice)
    save_figure(figure, options.output)
    return result


def draw_rupture(options):
    from groundswell.plot.quake.rupture import draw_rupture

    figure, result = draw_rupture(options.file)
    save_figure(figure, options.output)
    return result


def draw_slip(options):
    from groundswell.plot.quake.fault_series import draw_slip

    window = parse_pair(
        "--window", options.window, "begin,end in s, such as 0,9", lambda begin, end: begin < end
    )
    fields = [name.strip() for name in options.fields.split(",")] if options.fields else None
    figure, result = draw_slip(options.file, options.station, fields, options.reference or (), window)
    save_figure(figure, options.output)
    return result


DRAW = {
    "seismograms": draw_seismograms,
    "misfits": draw_misfits,
    "spectra": draw_spectra,
    "energies": draw_energies,
    "fault": draw_fault,
    "perspective": perspective_command.draw,
    "rupture": draw_rupture,
    "slip": draw_slip,
}
