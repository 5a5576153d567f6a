"""`groundswell score`: a run, or many cycles of forecasts, beside buoys and altimeters."""

import dataclasses
import datetime
import pathlib
import re
import sys

import numpy as np

from groundswell import report
from groundswell.arguments import check_target, command_parser, parse_pair
from groundswell.errors import refuse
from groundswell.plot.source import UTC, iso, place_text
from groundswell.score import statistics
from groundswell.score.forecasts import open_forecasts
from groundswell.score.matching import Pairs, match
from groundswell.score.observations import read_observations
from groundswell.score.quantities import QUANTITIES
from groundswell.whole_files import save_figure

EXAMPLES = """examples:
  groundswell score output/yagi.nc 52082.txt --at 119.3,17.2 --json scores.json --pictures scores/
  groundswell score forecasts/ buoys/*.nc --lead 12h --fields hs,tp
  groundswell score yagi.nc ESACCI-SEASTATE-L2P-SWH-*.nc --distance 25
  groundswell score series.nc 41010h2019.txt.gz 41010w2019.txt.gz --places stations.csv --anemometer 4.1"""
UNITS = {"s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
COLUMNS = {
    "count": "pairs",
    "mean_observed": "measured",
    "bias": "bias",
    "rmse": "RMSE",
    "scatter_index": "SI",
    "scatter_index_rmse": "RMSE/mean",
    "correlation": "corr.",
    "slope": "slope",
}


def parser():
    top = command_parser(
        prog="groundswell score",
        description="A run beside what was measured: bias, RMSE, scatter index, correlation, slope and quantiles, by lead time and by "
        "station. Observations are NDBC's text (standard meteorological and spectral) and NetCDF of buoys and of altimeters along their "
        "tracks (CCI, Copernicus Marine).",
        epilog=EXAMPLES,
    )
    top.add_argument(
        "run", metavar="RUN", help="a map, a series at points, or a folder of forecast cycles with such files"
    )
    top.add_argument("observations", metavar="OBSERVATIONS", nargs="+", help="files of measurements")
    top.add_argument("--at", metavar="LON,LAT", help="where the buoy of a text file is")
    top.add_argument(
        "--places", metavar="FILE", help="where buoys are: CSV with name (as in the files' names), lon, lat"
    )
    top.add_argument(
        "--fields", metavar="A,B,…", help=f"of {', '.join(QUANTITIES)} (default: all that both sides have)"
    )
    top.add_argument(
        "--lead", metavar="DURATION", default="24h", help="width of the groups of lead time (default 24h)"
    )
    top.add_argument(
        "--distance",
        type=float,
        metavar="KM",
        help="farthest from a cell's centre or a point (default: a cell's width; 25 at points)",
    )
    top.add_argument(
        "--gap",
        metavar="DURATION",
        default="6h",
        help="records farther apart are not interpolated between (default 6h)",
    )
    top.add_argument(
        "--anemometer",
        type=float,
        metavar="M",
        help="height of the buoys' wind above the sea; without it their wind is not scored",
    )
    top.add_argument(
        "--each",
        action="store_true",
        help="each sample along a track (default: the mean of a pass in a cell)",
    )
    top.add_argument(
        "--pictures", metavar="FOLDER", help="scatter, quantile and Taylor diagrams, written into this folder"
    )
    top.add_argument("--json", metavar="FILE", help="all scores, as JSON")
    top.add_argument("--quiet", action="store_true", help="no table")
    return top


def duration(option, text):
    match_ = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(s|min|h|d)", text.strip())
    if not match_ or float(match_[1]) == 0:
        refuse("command line", option, text, "a duration above 0 such as 30min, 24h or 2d")
    return float(match_[1]) * UNITS[match_[2]]


def checked(options):
    """(place, places, seconds of a group, seconds of the gap)."""
    place = parse_pair("--at", options.at, "LON,LAT in degrees", lambda x, y: abs(x) <= 360 and abs(y) <= 90)
    places = {}
    if options.places:
        from groundswell.plot.places import read_places

        table = read_places(options.places)
        places = {name.upper(): (lon, lat) for name, lon, lat in zip(table.names, table.lon, table.lat)}
    for option in ("distance", "anemometer"):
        value = getattr(options, option)
        if value is not None and not 0 < value < 1000:
            refuse("command line", f"--{option}", value, "a number above 0 and below 1000")
    for name in options.fields.split(",") if options.fields else ():
        if name not in QUANTITIES:
            refuse("command line", "--fields", name, f"one of {', '.join(QUANTITIES)}")
    check_target("--json", options.json)
    if options.pictures and pathlib.Path(options.pictures).is_file():
        refuse("command line", "--pictures", options.pictures, "a folder")
    return place, places, duration("--lead", options.lead), duration("--gap", options.gap)


def gather(forecasts, observations, gap, average, wanted):
    """({quantity: Pairs}, [(Observations, [Tally])])."""
    parts, tallies = {}, []
    for one in observations:
        told = []
        for forecast in forecasts:
            pairs, tally = match(forecast, one, gap, average)
            told.append(tally)
            for name, found in pairs.items():
                if len(found) and (not wanted or name in wanted):
                    parts.setdefault(name, []).append(found)
        tallies.append((one, told))
    return {name: Pairs.joined(parts[name]) for name in QUANTITIES if name in parts}, tallies


def say_why_not(forecasts, tallies, wanted):
    """Nothing matched at all: refuse with the place, the period or the quantities that do not fit."""
    one, told = tallies[0]
    run = forecasts[0].path + (f" and {len(forecasts) - 1} others" if len(forecasts) > 1 else "")
    if all(t.outside_region == len(one.time) for o, tallied in tallies for t in tallied if o is one):
        where = place_text(one.lon[0], one.lat[0])
        nearest = min(t.nearest_km for t in told)
        refuse(
            one.path,
            "place",
            f"{where}, {nearest:.0f} km from the nearest",
            f"observations at a cell or point of {run} (--distance KM allows more)",
        )
    if all(t.outside_region + t.outside_period == len(one.time) for t in told):
        mine = (min(f.times[0] for f in forecasts), max(f.times[-1] for f in forecasts))
        refuse(
            one.path,
            "period",
            _span(one.time[0], one.time[-1]),
            f"observations in {_span(*mine)}, the period of {run}",
        )
    flagged = sum(one.flagged.values())
    if flagged and not any(np.isfinite(v).any() for v in one.values.values()):
        refuse(one.path, "quality", f"{flagged} values flagged", "at least one that is good")
    both = ", ".join(wanted or one.quantities) or "none"
    refuse(
        one.path,
        "quantities",
        both,
        f"one that {run} has too, with values at the same time: it has {', '.join(forecasts[0].fields)}",
    )


def _span(first, last):
    return " to ".join(iso(datetime.datetime.fromtimestamp(float(t), UTC)) for t in (first, last))


def warn(one, told):
    """A file of which rows were left out; what all forecasts together do not reach."""

    def count(name):
        return min(getattr(t, name) for t in told)

    rows = len(one.time)
    said = []
    if count("outside_region"):
        said.append(f"{count('outside_region')} of {rows} outside the region")
    if count("outside_period"):
        said.append(f"{count('outside_period')} of {rows} outside the period")
    if count("between_far_records"):
        said.append(f"{count('between_far_records')} between records farther apart than --gap")
    said += [f"{n} of {name} flagged as bad" for name, n in one.flagged.items() if n]
    if said:
        print(f"groundswell: warning: {one.path}: left out: {'; '.join(said)}", file=sys.stderr)


def tables(result):
    """Text for people."""
    lines = []
    for name, found in result.items():
        quantity = QUANTITIES[name]
        rows = [[f"{name}, {quantity.unit}", *COLUMNS.values()]]
        rows.append(["all", *_cells(found["all"])])
        rows += [[_lead_text(g), *_cells(g)] for g in found["lead"]]
        if len(found["stations"]) > 1:
            rows += [[g["station"], *_cells(g)] for g in found["stations"]]
        lines += [report.table(rows), ""]
    return "\n".join(lines).rstrip()


def _lead_text(group):
    return f"T+{group['from_hours']:g} to {group['to_hours']:g}"


def _cells(found):
    cells = []
    for key in COLUMNS:
        value = found.get(key)
        cells.append("–" if value is None else str(value) if key == "count" else f"{value:.3f}")
    return cells


def draw(folder, pairs, result, title):
    from groundswell.score import pictures

    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    written, rows = [], []
    for name, found in pairs.items():
        quantity, all_of_it = QUANTITIES[name], result[name]["all"]
        kinds = {"scatter": pictures.scatter}
        if not quantity.bearing:
            kinds["quantiles"] = pictures.quantiles
            many = result[name]["stations"] if len(result[name]["stations"]) > 1 else result[name]["lead"]
            rows += [(f"{name} {g.get('station') or _lead_text(g)}", g) for g in many]
        for kind, draw_one in kinds.items():
            written.append(folder / f"{name}-{kind}.png")
            save_figure(draw_one(found, quantity, all_of_it, title), written[-1])
    if any(found.get("correlation") is not None for _, found in rows):
        written.append(folder / "taylor.png")
        save_figure(pictures.taylor(rows, title), written[-1])
    return [str(path) for path in written]


def command_line(arguments):
    options = parser().parse_args(arguments)
    place, places, lead, gap = checked(options)
    wanted = options.fields.split(",") if options.fields else None
    forecasts = open_forecasts(options.run, options.distance)
    observations = read_observations(options.observations, place, places, options.anemometer)
    pairs, tallies = gather(forecasts, observations, gap, not options.each, wanted)
    if not pairs:
        say_why_not(forecasts, tallies, wanted)
    for one, told in tallies:
        warn(one, told)
    result = {}
    for name, found in pairs.items():
        bearing = QUANTITIES[name].bearing
        result[name] = {
            "unit": QUANTITIES[name].unit,
            "all": statistics.scores(found.observed, found.modelled, bearing),
            "lead": statistics.by_lead(found, lead / 3600.0, bearing),
            "stations": statistics.by_station(found, bearing),
        }
    title = forecasts[0].file.title or pathlib.Path(options.run).name
    written = draw(options.pictures, pairs, result, title) if options.pictures else []
    if options.json:
        told = [
            {
                "file": one.path,
                "layout": one.layout,
                "station": one.name,
                "flagged": one.flagged,
                **dataclasses.asdict(min(tallied, key=lambda t: t.outside_region + t.outside_period)),
            }
            for one, tallied in tallies
        ]
        report.write_json(
            options.json,
            "score",
            {"run": [f.path for f in forecasts], "observations": told, "pictures": written, "fields": result},
        )
    if not options.quiet:
        print(tables(result))
