"""Meshes of tetrahedra, for earthquakes: made and measured by the program `groundswell`, drawn here."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import netCDF4

from groundswell.errors import refuse
from groundswell.toml_file import tomllib
from groundswell.whole_files import write_text


def is_tetrahedra(path):
    """Whether a file is a mesh of Gmsh, or one of the PUML form."""
    try:
        with open(path, "rb") as file:
            begin = file.read(11)
    except OSError:
        return False  # for others to refuse
    if begin == b"$MeshFormat":
        return True
    if not begin.startswith(b"\x89HDF\r\n\x1a\n"):
        return False
    try:
        with netCDF4.Dataset(path) as file:
            return "connect" in file.variables
    except OSError:
        return False


def is_earthquake(case):
    """Whether a case file is one of the earthquake model."""
    try:
        with open(case, "rb") as source:
            return tomllib.load(source).get("model") == "quake"
    except (OSError, ValueError):  # no TOML, or no text
        return False  # for others to refuse


def are_meant(mesh, case):
    """Whether a mesh, or where there is none that of a case, is one of tetrahedra."""
    if mesh:
        return is_tetrahedra(mesh)
    return case is not None and is_earthquake(case)


def run_program(*arguments, quiet=False):
    """Runs the program that called this tool, or else `groundswell` on PATH; its exit code. Quiet: without its table."""
    program = os.environ.get("GROUNDSWELL_PROGRAM") or shutil.which("groundswell")
    if program is None:
        refuse("command line", "groundswell", None, "the program groundswell on PATH: it measures tetrahedra")
    sys.stdout.flush()
    table = subprocess.DEVNULL if quiet else None
    return subprocess.run([program, *map(str, arguments)], check=False, stdout=table).returncode


def make_box(options):
    """A box of cubes cut into tetrahedra; exit code."""
    if options.length is None:
        refuse("command line", "--length", None, "LX,LY,LZ in m, of the box")
    arguments = ["--cubes", options.box, "--length", options.length, "--output", options.output or "mesh.h5"]
    for name in ("origin", "periodic", "jitter", "seed"):
        value = getattr(options, name)
        if value is not None:
            arguments.append(f"--{name}={value}")
    if options.overwrite:
        arguments.append("--overwrite")
    return run_program("box", *arguments)


def look(options):
    """The survey of a mesh, and its picture; exit code."""
    with tempfile.TemporaryDirectory() as folder:
        said, surface = pathlib.Path(folder, "clusters.json"), pathlib.Path(folder, "surface.nc")
        arguments = [options.mesh] if options.mesh else []
        arguments += ["--json", said]
        for name in ("case", "order", "step_rule", "courant", "vp", "vs", "density", "rate", "scale"):
            value = getattr(options, name)
            if value is not None:
                arguments += [f"--{name.replace('_', '-')}", value]
        if options.png:
            arguments += ["--surface", surface]
        code = run_program("clusters", *arguments, quiet=options.quiet or options.json == "-")
        if code != 0:
            return code
        if options.json:
            text = said.read_text(encoding="utf-8")
            if options.json == "-":
                print(text)
            else:
                write_text(options.json, text)
        if options.png:
            from groundswell.mesh import tetrahedra_picture

            result = json.loads(said.read_text(encoding="utf-8"))["result"]
            tetrahedra_picture.draw(result, surface, options.png)
    return 0
