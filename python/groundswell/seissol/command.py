"""`groundswell import seissol`: a case of SeisSol as one that runs here."""

import os
import pathlib
import shutil

from groundswell import report
from groundswell.arguments import command_parser, positive
from groundswell.easi.tree import Model
from groundswell.errors import refuse
from groundswell.seissol import fault, nrf, outputs, rock
from groundswell.seissol.case_text import CaseText
from groundswell.seissol.keys import GROUPS, IDLE
from groundswell.seissol.namelist import ParameterFile
from groundswell.seissol.puml import SEA, Mesh
from groundswell.whole_files import remove, write_text

EXAMPLES = """examples:
  groundswell import seissol parameters.par --output mine/
  groundswell import seissol parameters.par --order 6 --mesh ../meshes/fault.puml.h5 --output mine/
  groundswell run mine/case.toml"""


class Translated(CaseText):
    """A case, and what could not be put into it."""

    def __init__(self, title):
        super().__init__(title)
        self.lost, self.remarks = [], []

    def lose(self, group, key, what):
        line = f"{group.at(key)}: {key}: {what}"
        if line not in self.lost:
            self.lost.append(line)

    def remark(self, text):
        self.remarks.append(text)


def parser():
    top = command_parser(
        prog="groundswell import seissol",
        description="A case of SeisSol as one that runs here: parameter file, models of easi (evaluated where SeisSol evaluates them: "
        "rock at points of each element, faults at each point of friction), lists of receivers, sources in NRF and FSRM, outputs. The "
        "mesh is named as it is. What has no counterpart is listed, and makes the exit code 1.",
        epilog=EXAMPLES,
    )
    top.add_argument("input", metavar="PARAMETERS.par", help="SeisSol's parameter file")
    top.add_argument("--output", required=True, metavar="FOLDER", help="folder for case.toml and its files")
    top.add_argument("--order", type=lambda text: positive(text, 7), default=4, metavar="N",
                     help="of the scheme, 2 to 7, which SeisSol is compiled for; values at points hold for it (4)")  # fmt: skip
    top.add_argument("--mesh", metavar="FILE", help="mesh in place of the one that the parameter file names")
    top.add_argument("--overwrite", action="store_true", help="replace the files of a case that is there")
    top.add_argument("--json", metavar="FILE", help="what was written and what was lost, as JSON")
    top.add_argument("--quiet", action="store_true", help="say nothing but what is lost")
    return top


def _mesh_path(file, options):
    group = file.group("meshnml")
    group.has("meshfile")
    unit = {
        "displacement": (0, 0, 0),
        "scalingmatrixx": (1, 0, 0),
        "scalingmatrixy": (0, 1, 0),
        "scalingmatrixz": (0, 0, 1),
    }
    for key, usual in unit.items():
        if group.has(key) and [
            float(word) for word in str(group.values[key]).strip("[]").replace(",", " ").split()
        ] != list(usual):
            refuse(
                group.at(key), key, group.values[key], "the mesh where it is: the program does not move it"
            )
    if options.mesh:
        return pathlib.Path(options.mesh)
    path = group.path("meshfile")
    if path is None:
        refuse(file.path, "MeshFile", None, "a mesh in &MeshNml, or --mesh")
    for one in (
        path,
        path.with_name(path.name + ".h5"),
        path.with_name(path.name + ".puml.h5"),
        pathlib.Path(group.text("meshfile")),
    ):
        if one.is_file():
            return one
    return refuse(group.at("meshfile"), "MeshFile", path, "a file that is there; --mesh names another")


def _solver(case, file, order):
    equations, steps = file.group("equations"), file.group("discretization")
    case.table("time")["end"] = outputs.duration(file.group("abortcriteria").number("endtime", 15.0))
    if steps.number("fixtimestep", 5000.0) < 5000.0:
        case.table("time")["step"] = outputs.duration(steps.number("fixtimestep"))
    rate = steps.number("clusteredlts", 1)
    if rate not in (1, 2, 3):
        refuse(steps.at("clusteredlts"), "ClusteredLTS", rate, "1, 2 or 3, one rate for all clusters")
    solver = case.table("solver")
    solver.update(
        {"order": order, "step_rule": "own", "courant": steps.number("cfl", 0.5), "cluster_rate": int(rate)}
    )
    solver["scale"] = 1.0 if steps.number("ltswigglefactormin", 1.0) == 1.0 else "auto"
    if equations.flag("itmenable"):
        refuse(equations.at("itmenable"), "ITMEnable", 1, "0: the program has no mirror in time")
    if equations.text("boundaryfilename"):
        refuse(
            equations.at("boundaryfilename"),
            "BoundaryFileName",
            None,
            "no boundaries of easi, which the program has not",
        )
    for key in ("numflux", "numfluxnearfault"):
        if equations.text(key, "godunov").lower() != "godunov":
            case.lose(equations, key, f"the flux {equations.text(key)}; fluxes are those of Godunov")
    stop = file.group("abortcriteria")
    if stop.has("terminatormomentratethreshold"):
        case.lose(stop, "terminatormomentratethreshold", "a moment rate in N m/s at which the run ends")
    start = file.group("inicondition")
    kind = start.text("cictype", "zero").lower()
    if kind not in ("zero", ""):
        refuse(
            start.at("cictype"), "cICType", kind, "zero: waves at the start are stated in the case, [initial]"
        )


def _sources(case, file, mesh, values, folder):
    group = file.group("sourcetype")
    kind = group.one_of("type", 0, {0: "", 42: "nrf", 50: "fsrm"})
    if not kind:
        return
    path = group.path("filename")
    if path is None or not path.is_file():
        refuse(group.at("filename"), "FileName", path, "a file of sources that is there")

    def modulus_at(place, along, normal, what):
        cell = mesh.cell_of(place)
        if cell < 0:
            refuse(what, None, None, "a subfault in the mesh")
        return rock.modulus_of_slip(values, cell, along, normal, what)

    if kind == "nrf":
        names = nrf.convert(path, group.at("filename"), mesh, modulus_at, folder)
    else:
        names = ["source.dat"]
        shutil.copyfile(path, folder / names[0])
    for name in names:
        case.entry("source.rupture").update({"file": name, "format": "fsrm"})


def _list_left(case, file):
    """Keys that nobody asked for: idle, or lost."""
    for name, group in file.groups.items():
        idle = IDLE.get(name, ())
        for key in group.left():
            if (
                idle is not None
                and key not in idle
                and not (isinstance(group.values[key], str) and not group.values[key])
            ):
                case.lose(group, key, "no counterpart")


def translate(file, options, folder):
    file.refuse_groups(GROUPS)
    case = Translated(f"{file.path.resolve().parent.name}/{file.path.name} of SeisSol")
    path = _mesh_path(file, options)
    mesh = Mesh(path)
    _solver(case, file, options.order)
    beside = os.path.relpath(path.resolve(), folder.resolve())
    case.table("mesh")["file"] = str(path.resolve()) if beside.startswith("../../..") else beside
    equations, rupture, output = (file.group(name) for name in ("equations", "dynamicrupture", "output"))
    material = equations.path("materialfilename")
    if material is None:
        refuse(file.path, "MaterialFileName", None, "a model of the rock in &equations")
    model = Model(material)
    attenuating = equations.has("freqcentral") and set(rock.QUALITY) <= model.supplied()
    if attenuating:
        rock.attenuation(case, equations)
    homogenised = equations.flag("usecellhomogenizedmaterial", True)
    values = rock.elements(model, mesh, options.order, homogenised, attenuating)
    case.table("material")
    rock.entries(case, values, mesh, folder)
    has_sea = len(mesh.faces_of_tag(SEA)) > 0
    if has_sea:
        case.sections["material"]["gravity"] = equations.number("gravitationalacceleration", 9.81)
    plastic = equations.flag("plasticity")
    if plastic:
        other = equations.path("plasticityfilename")
        rock.plasticity(case, Model(other) if other else model, mesh, equations, folder)
        if equations.flag("plasticitypointwise", False):
            case.remark(
                "rock yields by stress and strength at the centres of elements (PlasticityPointwise = 0)"
            )
        if equations.text("plasticitydisabledgroups"):
            case.lose(equations, "plasticitydisabledgroups", "groups whose rock does not yield")
    breaks = (
        rupture.path("modelfilename") is not None
        and rupture.flag("enabled", True)
        and rupture.number("fl", 0) != 0
    )
    _sources(case, file, mesh, values, folder)
    pickpoint, elementwise = file.group("pickpoint"), file.group("elementwise")
    if breaks:
        places = outputs.fault_places(rupture, pickpoint)
        fault.entries(
            case, Model(rupture.path("modelfilename")), mesh, rupture, options.order, places, folder
        )
        stop = file.group("abortcriteria")
        if stop.has("terminatormaxtimepostrupture"):
            end = {"end_after_quiet": stop.number("terminatormaxtimepostrupture")}
            if stop.has("terminatorslipratethreshold"):
                end["quiet_slip_rate"] = stop.number("terminatorslipratethreshold")
            case.sections["fault"].update(end)
        every = output.number("pickdt", 0.0)
        law = case.sections["fault"]["law"]
        outputs.faults(
            case, rupture, elementwise, pickpoint, places, law, every if every > 0.0 else 0.005, folder
        )
    else:
        for group in (rupture, elementwise, pickpoint):
            group.asked.update(group.values)
    outputs.receivers(case, output, folder)
    outputs.waves(case, output, breaks, plastic, has_sea)
    _list_left(case, file)
    return case


def _heading(case):
    return ["Without counterpart:", *(f"  {line}" for line in case.lost)] if case.lost else []


def _write(file, options, folder):
    """All files of the case; a folder next to that of the case, so that paths hold in both."""
    case = translate(file, options, folder)
    title = f"Of {file.path.name}, by groundswell import seissol."
    write_text(folder / "case.toml", case.text([title, *case.remarks, *_heading(case)]))
    return case


def command_line(arguments):
    options = parser().parse_args(arguments)
    if options.order < 2:
        refuse("command line", "--order", options.order, "2 to 7")
    folder = pathlib.Path(options.output)
    target = folder / "case.toml"
    if target.exists() and not options.overwrite:
        refuse(target, None, None, "no file of this name, or --overwrite")
    file = ParameterFile(options.input)
    beside = folder.resolve().with_name(f"{folder.resolve().name}.{os.getpid()}.part")
    beside.mkdir(parents=True)
    try:
        case = _write(file, options, beside)
        folder.mkdir(exist_ok=True)
        for made in beside.iterdir():
            made.replace(folder / made.name)
    finally:
        remove(beside)
    heading = _heading(case)
    if not options.quiet:
        print(f"{target}: {', '.join(sorted(path.name for path in folder.iterdir() if path.is_file()))}")
    for line in heading:
        print(line)
    if options.json:
        found = {"file": str(target), "lost": case.lost, "remarks": case.remarks}
        report.write_json(options.json, "import seissol", found)
    return 1 if case.lost else 0
