"""`groundswell import spectra`: directional spectra of other programs in the one layout that [[boundary]] reads."""

import pathlib

import numpy as np

from groundswell import report
from groundswell.arguments import add_writing, check_target, command_parser
from groundswell.errors import refuse
from groundswell.spectra.layout import joined, parameters, without_gaps, write_spectra
from groundswell.spectra.netcdf import read_netcdf
from groundswell.spectra.text import read_lines, read_swan, read_ww3

EXAMPLES = """examples:
  groundswell import spectra era5-2d-*.nc --output spectra.nc
  groundswell import spectra ww3.spec swan.spec.gz --output spectra.nc
  groundswell import spectra mine.nc --convention from --density per-degree --output spectra.nc"""
NETCDF = (b"CDF", b"\x89HDF")


def parser():
    top = command_parser(
        prog="groundswell import spectra",
        description="Directional spectra of WAVEWATCH III (NetCDF or text), SWAN (NetCDF or text, hot files too), wavespectra and "
        "ERA5 become one NetCDF file, which [[boundary]] of a case reads: variance per hertz and radian, bearings going to.",
        epilog=EXAMPLES,
    )
    top.add_argument(
        "inputs", metavar="IN", nargs="+", help="files of the same stations, one after the other in time"
    )
    top.add_argument("--output", required=True, metavar="OUT.nc", help="file to write")
    top.add_argument(
        "--convention",
        choices=["from", "to"],
        help="what the directions of a NetCDF file are that does not say it",
    )
    top.add_argument(
        "--density", choices=["per-radian", "per-degree"], help="of a NetCDF file whose units do not say it"
    )
    add_writing(top)
    return top


def read(path, options):
    with open(path, "rb") as file:
        begin = file.read(4)
    if begin.startswith(NETCDF):
        return read_netcdf(path, options.convention, options.density)
    lines = read_lines(path)
    if lines and lines[0].startswith("SWAN"):
        return read_swan(path, lines)
    if lines and lines[0].strip().startswith("'WAVEWATCH III SPECTRA'"):
        return read_ww3(path, lines)
    refuse(path, None, None, "spectra: NetCDF, text that begins with SWAN, or with 'WAVEWATCH III SPECTRA'")


def command_line(arguments):
    options = parser().parse_args(arguments)
    for path in options.inputs:
        if not pathlib.Path(path).is_file():
            refuse(path, None, None, "a file that is there")
        if pathlib.Path(path).resolve() == pathlib.Path(options.output).resolve():
            refuse("command line", "--output", options.output, "a file that is not read")
    check_target("--output", options.output, (".nc",))
    if pathlib.Path(options.output).exists() and not options.overwrite:
        refuse(options.output, None, None, "no file of this name, or --overwrite")
    spectra, left_out = without_gaps(joined([read(path, options) for path in options.inputs]))
    write_spectra(options.output, spectra)
    first, last = (f"{np.datetime_as_string(time, 's')}Z" for time in spectra.times[[0, -1]])
    hs, tp, direction = parameters(spectra)
    top = np.unravel_index(hs.argmax(), hs.shape)
    told = {
        "times": len(spectra.times),
        "first": first,
        "last": last,
        "stations": len(spectra.lon),
        "left_out": left_out,
        "frequencies": len(spectra.frequency),
        "directions": len(spectra.bearing),
        "highest": {"hs": hs[top], "tp": tp[top], "dir": direction[top], "time": str(spectra.times[top[0]])},
    }
    if options.json:
        report.write_json(options.json, "import", {"inputs": options.inputs, "file": options.output, **told})
    if not options.quiet:
        print(
            f"{options.output}: {told['stations']} stations"
            + (f" ({left_out} without spectra left out)" if left_out else "")
            + f", {told['times']} times, {first} … {last}, {told['frequencies']} × {told['directions']} bins; the highest sea: "
            f"hs {hs[top]:.2f} m, tp {tp[top]:.1f} s, from {direction[top]:.0f}°"
        )
