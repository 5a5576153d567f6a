"""A sea of SeisSol's files: the free surface with gravity (tag 2 of PUML) and water by mu = 0, imported, run, and refused."""

import itertools

import netCDF4
import numpy as np
import pytest
from launching import assert_same, groundswell, run, write_case

from groundswell.toml_file import read_toml_file

FACES = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)]  # corners of a cell's faces, as PUML counts them
CUBE = 1000.0
WATER, ROCK = {"density": 1000.0, "mu": 0.0, "lambda": 2.25e9}, {"density": 2600.0, "mu": 1.4e10, "lambda": 1.3e10}  # fmt: skip


def write_mesh(path, sea_floor=-1000.0, raised=0.0):
    """3 × 3 × 3 cubes of 1 km, six tetrahedra each; group 1 above the sea floor, 2 below; one corner of the surface is raised."""
    number = {place: i for i, place in enumerate(itertools.product(range(4), repeat=3))}
    places = np.array([(CUBE * (x - 1.5), CUBE * (y - 1.5), CUBE * (z - 3)) for x, y, z in number])
    cells = []
    for start in itertools.product(range(3), repeat=3):
        for way in itertools.permutations(range(3)):
            at, cell = list(start), [number[start]]
            for axis in way:
                at[axis] += 1
                cell.append(number[tuple(at)])
            sides = places[cell[1:]] - places[cell[0]]
            cells.append(cell if np.linalg.det(sides) > 0 else [cell[1], cell[0], *cell[2:]])
    cells = np.array(cells)
    boundary = np.zeros(len(cells), int)
    low, high = places.min(axis=0), places.max(axis=0)
    for f, corners in enumerate(FACES):
        face = places[cells[:, corners]]
        tags = [(5, face[..., axis] == end) for axis in range(3) for end in (low[axis], high[axis])]
        tags[-1] = (2, tags[-1][1])
        for tag, on in tags:
            boundary |= np.where(on.all(axis=1), tag << 8 * f, 0)
    group = np.where(places[cells].mean(axis=1)[:, 2] > sea_floor, 1, 2)
    places[number[0, 0, 3], 2] += raised
    with netCDF4.Dataset(path, "w") as file:
        for name, size in (("n", len(places)), ("m", len(cells)), ("three", 3), ("four", 4)):
            file.createDimension(name, size)
        file.createVariable("geometry", "f8", ("n", "three"))[:] = places
        file.createVariable("connect", "u8", ("m", "four"))[:] = cells
        file.createVariable("group", "i4", ("m",))[:] = group
        file.createVariable("boundary", "i4", ("m",))[:] = boundary
    return path


BY_GROUP = """!Switch
[rho, mu, lambda, Qp, Qs]: !Any
  components:
    - !GroupFilter
      groups: 1
      components: !ConstantMap
        map: {rho: 1000.0, mu: 0.0, lambda: 2.25e9, Qp: 100.0, Qs: 50.0}
    - !ConstantMap
      map: {rho: 2600.0, mu: 1.4e10, lambda: 1.3e10, Qp: 100.0, Qs: 50.0}
"""
BY_DEPTH = """!FunctionMap
map:
  rho: return 1000;
  mu: |
    if (z > FLOOR) {
      return 0;
    }
    return 14000000000;
  lambda: return 2250000000;
"""
PARAMETERS = """&equations
MaterialFileName = 'rock.yaml'
GravitationalAcceleration = 9.8
/
&MeshNml
MeshFile = 'mesh.h5'
meshgenerator = 'PUML'
/
&Discretization
CFL = 0.4
ClusteredLTS = 2
/
&SourceType
Type = 50
FileName = 'source.dat'
/
&Output
OutputFile = 'out/x'
Format = 10
SurfaceOutput = 1
SurfaceOutputInterval = 0.2
EnergyOutput = 1
EnergyOutputInterval = 0.2
/
&AbortCriteria
EndTime = 0.8
/
"""
# An explosion at (100, 200, -1700) m, of which the text holds the opposite.
SOURCE = """moment tensor
-1 0 0
0 -1 0
0 0 -1
points
1
x y z strike dip rake area onset
100 200 -1700 0 0 0 1 0
dt samples
0.1 4
samples
0
2e15
1e15
0
"""


def write_files(folder, rock=BY_GROUP, parameters=PARAMETERS, **mesh):
    write_mesh(folder / "mesh.h5", **mesh)
    for name, text in (("rock.yaml", rock), ("parameters.par", parameters), ("source.dat", SOURCE)):
        (folder / name).write_text(text)
    return folder / "parameters.par"


def imported(folder, code=1, **files):
    """Without a counterpart (code 1) is displacement of the surface alone."""
    given = (write_files(folder, **files), "--order", 3, "--output", folder / "made", "--quiet")
    done = groundswell("import", "seissol", *given)
    assert done.code == code, done.stdout + done.stderr
    return done.stderr


def test_a_sea_by_groups_runs_as_the_one_that_is_made_by_hand(tmp_path):
    imported(tmp_path)
    case = read_toml_file(tmp_path / "made/case.toml")
    assert case["material"].pop("gravity") == 9.8
    assert sorted(rock["mu"] for rock in case["material"]["rock"]) == [0.0, 1.4e10]
    case["material"]["rock"] = [{"group": [1], **WATER}, {"group": [2], **ROCK}]
    case["material"]["gravity"] = 9.8
    by_hand = write_case(tmp_path / "made/by-hand.toml", case)
    run(tmp_path / "made/case.toml", "--output", tmp_path / "one", ranks=2)
    run(by_hand, "--output", tmp_path / "two")
    assert_same(tmp_path / "one", tmp_path / "two", ["surface.nc", "energy.nc"])
    with netCDF4.Dataset(tmp_path / "one/surface.nc") as file:
        assert np.abs(file["eta"][-1]).max() > 1e-4 and not np.ma.is_masked(file["eta"][:])
    with netCDF4.Dataset(tmp_path / "one/energy.nc") as file:
        assert (file["sea_surface"][1:] > 0.0).all()


def test_a_sea_by_element_is_that_by_groups(tmp_path):
    """What differs from element to element is a file of values, in which mu = 0 is water; and water loses nothing."""
    losing = PARAMETERS.replace("Gravit", "FreqCentral = 1.0\nFreqRatio = 100.0\nGravit")
    for name in ("groups", "elements"):
        (tmp_path / name).mkdir()
    imported(tmp_path / "groups", parameters=losing)
    # A trace of a change far down makes the rock of group 2 differ.
    changed = (
        BY_GROUP.replace("[rho, mu,", "[mu,")
        .replace("{rho: 2600.0, mu", "{mu")
        .replace("{rho: 1000.0, mu", "{mu")
    )
    changed += """[rho]: !FunctionMap
  map:
    rho: |
      if (z > -1000.0) {
        return 1000.0;
      }
      if (z < -2950.0) {
        return 2600.001;
      }
      return 2600.0;
"""
    imported(tmp_path / "elements", parameters=losing, rock=changed)
    case = read_toml_file(tmp_path / "elements/made/case.toml")
    assert case["material"]["rock"][-1]["grid"] == "rock.nc"
    for name in ("groups", "elements"):
        run(tmp_path / name / "made/case.toml", "--output", tmp_path / name / "out")
    one, two = (netCDF4.Dataset(tmp_path / name / "out/surface.nc") for name in ("groups", "elements"))
    with one, two:
        largest = np.abs(one["eta"][:]).max()
        assert largest > 1e-4 and np.abs(one["eta"][:] - two["eta"][:]).max() < 1e-5 * largest


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"raised": 30.0}, ["mesh.h5: boundary 2 = z from 0 to 30 m", "one height"]),
        ({"rock": BY_GROUP.replace("groups: 1", "groups: 7")}, ["mesh.h5: boundary 2 = above rock at (", "mu is 0"]),
        ({"rock": BY_DEPTH.replace("FLOOR", "-1500.0")},
         ["rock.yaml:4: mu in an element about (", "0 at (", "faces all along the sea floor"]),
        ({"rock": BY_DEPTH.replace("return 14", "return -14").replace("FLOOR", "-1000.0")}, ["rock.yaml:4: mu at (", "= -1.4e+10", "or water, 0"]),
    ],
)  # fmt: skip
def test_what_is_no_sea_is_refused_by_place(tmp_path, files, expected):
    said = imported(tmp_path, code=2, **files)
    for words in expected:
        assert words in said
    assert not (tmp_path / "made").exists()
