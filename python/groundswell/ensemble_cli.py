"""`groundswell ensemble`: members of an ensemble as one map of means, spreads and probabilities."""

import math
import pathlib
import sys

from groundswell import report
from groundswell.arguments import check_target, command_parser
from groundswell.errors import refuse, run_command

EXAMPLE = """example:
  groundswell ensemble output/20240904T000000/member_*/forecast.nc --fields hs,tp,dir --above hs:4,6,9 --output ensemble.nc
  groundswell plot map ensemble.nc --field hs_above_6 --maximum --output risk.png"""


def parser():
    top = command_parser(
        prog="groundswell ensemble",
        description="Mean and spread of the members of an ensemble, and the probability of being above values: a map like those of "
        "the members, which `groundswell plot` draws.",
        epilog=EXAMPLE,
    )
    top.add_argument("members", metavar="MEMBER", nargs="+", help="maps of the same mesh at the same times")
    top.add_argument("--fields", metavar="A,B,…", help="variables (default: all of the first member)")
    top.add_argument(
        "--above",
        metavar="FIELD:A,B,…",
        nargs="+",
        default=(),
        help="probabilities of more than these values: hs:4,6,9",
    )
    top.add_argument("--output", required=True, metavar="FILE.nc", help="file to write")
    top.add_argument("--overwrite", action="store_true", help="replace a file that is there")
    top.add_argument("--json", metavar="FILE", help="what was written, as JSON")
    top.add_argument("--quiet", action="store_true", help="no progress")
    return top


def parse_levels(texts):
    """{field: [values]} of `hs:4,6,9`."""
    found = {}
    for text in texts:
        name, _, values = text.partition(":")
        try:
            found[name.strip()] = [float(value) for value in values.split(",")]
        except ValueError:
            found[name.strip()] = [math.nan]
        if not name.strip() or not all(math.isfinite(value) for value in found[name.strip()]):
            refuse("command line", "--above", text, "a field and values, such as hs:4,6,9")
    return found


def command_line(arguments):
    from groundswell.ensemble import write_ensemble
    from groundswell.plot.map_file import MapFile

    options = parser().parse_args(arguments)
    check_target("--output", options.output, (".nc",))
    if pathlib.Path(options.output).exists() and not options.overwrite:
        refuse(options.output, None, None, "no file of this name, or --overwrite")
    members = [MapFile(path, calm=0.0) for path in options.members]
    levels = parse_levels(options.above)
    fields = (
        [name.strip() for name in options.fields.split(",")] if options.fields else list(members[0].fields)
    )
    for name in levels:
        members[0].field(name, "--above")
        if name not in fields:
            fields.append(name)
    progress = report.Progress(not options.quiet)
    history = " ".join(["groundswell ensemble", *map(str, arguments)])
    result = write_ensemble(options.output, members, fields, levels, history, progress.update)
    progress.done(f"{options.output}: {', '.join(result['fields'])} of {len(members)} members")
    if options.json:
        report.write_json(options.json, "ensemble", {**result, "output": options.output})


def main(arguments=None):
    return run_command(command_line, sys.argv[1:] if arguments is None else arguments)


if __name__ == "__main__":
    sys.exit(main())
