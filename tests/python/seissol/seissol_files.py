"""A small case of SeisSol: two elements that share a fault, with a parameter file and models."""

import netCDF4
import numpy as np

from groundswell.seissol.command import command_line
from groundswell.toml_file import read_toml_file

# Below and above the plane y = 0; corners 0 to 2 are on it.
PLACES = [
    (0.0, 0.0, 0.0),
    (1000.0, 0.0, 0.0),
    (0.0, 0.0, -1000.0),
    (200.0, -900.0, -300.0),
    (200.0, 800.0, -300.0),
]
CELLS = [(0, 1, 2, 3), (0, 2, 1, 4)]
FACES = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)]


def write_mesh(path, groups=(1, 2), fault=True):
    """The face without the last corner is a fault, the others absorb: in both elements the first of the file."""
    boundary = (3 if fault else 0) | 5 << 8 | 5 << 16 | 5 << 24
    with netCDF4.Dataset(path, "w") as file:
        for name, size in (("n", len(PLACES)), ("m", 2), ("three", 3), ("four", 4)):
            file.createDimension(name, size)
        file.createVariable("geometry", "f8", ("n", "three"))[:] = PLACES
        file.createVariable("connect", "u8", ("m", "four"))[:] = CELLS
        file.createVariable("group", "i4", ("m",))[:] = groups
        file.createVariable("boundary", "i4", ("m",))[:] = boundary
    return path


ROCK = "!ConstantMap\nmap: {rho: 2700, mu: 3.0e10, lambda: 3.1e10}\n"
FAULT = """!Switch
[s_xx, s_yy, s_zz, s_yz, s_xz, mu_d, d_c, cohesion]: !ConstantMap
  map: {s_xx: 0, s_yy: -120e6, s_zz: 0, s_yz: 0, s_xz: 0, mu_d: 0.5, d_c: 0.4, cohesion: -2e5}
[s_xy]: !FunctionMap
  map: {s_xy: return 70000000 + z;}
[mu_s]: !ConstantMap
  map: {mu_s: 0.6}
"""
PARAMETERS = """&equations
MaterialFileName = 'rock.yaml'
/
&DynamicRupture
FL = 16          ! friction law
ModelFileName = 'fault.yaml'
XRef = 0.0
YRef = -1.0d3
ZRef = 0.0
OutputPointType = 3
/
&Pickpoint
OutputMask = 1 1 0 0 0 1
PPFileName = 'on-fault.dat'
/
&MeshNml
MeshFile = 'mesh.h5'
meshgenerator = 'PUML'
/
&Discretization
CFL = 0.4
ClusteredLTS = 2
/
&Output
OutputFile = 'out/x'
Format = 10
RFileName = 'list.dat'
pickdt = 1d-2
/
&AbortCriteria
EndTime = 1.5
/
"""


def write_case(folder, parameters=PARAMETERS, rock=ROCK, fault=FAULT, **mesh):
    """The parameter file."""
    write_mesh(folder / "mesh.h5", **mesh)
    for name, text in (("rock.yaml", rock), ("fault.yaml", fault), ("parameters.par", parameters)):
        (folder / name).write_text(text)
    (folder / "on-fault.dat").write_text("100 0 -200\n")
    (folder / "list.dat").write_text("100 -50 -200\n\n100 50 -200\n")
    return folder / "parameters.par"


def imported(folder, *arguments, code=0, **files):
    """The case that comes of it, as tables."""
    path = write_case(folder, **files)
    made = folder / "made"
    assert command_line([str(path), "--output", str(made), "--quiet", *map(str, arguments)]) == code
    return read_toml_file(made / "case.toml")


def columns_of(path):
    with netCDF4.Dataset(path) as file:
        return {name: np.ma.getdata(variable[:]) for name, variable in file.variables.items()}
