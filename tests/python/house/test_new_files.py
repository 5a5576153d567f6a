"""What the manual says of new things: each is one file from its template, in a copy of the tree that is built and run."""

import json
import os
import shutil
import subprocess

import netCDF4
import pytest
from copied_tree import add_after, build, copy_of_the_source
from pages import ROOT, blocks, text_of

LONG = pytest.mark.long
EXAMPLES = ROOT / "docs/examples"
SOURCE = "src/groundswell"
PLACES = {
    "ice_damping.cpp": "sea/source/terms",
    "rain.cpp": "sea/forcing/kinds",
    "synchronous.cpp": "halo/transports",
    "hexagons.cpp": "mesh/voronoi/formats",
    "listed.cpp": "mesh/tetra/formats",
    "hosts.cpp": "cli",
}
MODEL_HEADER = """#pragma once

#include "groundswell/simulation/model.hpp"

namespace groundswell::plate {

simulation::ModelKind model_kind();

}  // namespace groundswell::plate
"""


LAWS = "src/groundswell/quake/fault/laws"


def cpp_of(page):
    """The C++ that a page prints."""
    return [body for language, body in blocks(text_of(page)) if language == "cpp"]


def law_of_the_page():
    return cpp_of("docs/how-to/add-a-friction-law.md")


def add_forcing_and_fields(source):
    number, of_sea, of_quake = cpp_of("docs/how-to/where-new-code-goes.md")
    add_after(source / "sea/forcing/cell_forcing.hpp", "struct CellForcing {\n", number)
    kinds = source / "sea/forcing/kinds"
    add_after(kinds / "kinds.hpp", "const ForcingKind& ice_kind();\n", "const ForcingKind& rain_kind();\n")
    add_after(kinds / "kinds.cpp", "&ice_kind(), ", "&rain_kind(), ")
    add_after(source / "sea/fields.cpp", "const std::vector<Field> fields = {\n", of_sea)
    last = '    {{"vz", "", "velocity of the ground along z, up", "m s-1"}, unknown<8>},\n'
    add_after(source / "quake/fields.cpp", last, of_quake)


def add_model(tree):
    folder = tree / SOURCE / "plate"
    folder.mkdir()
    (folder / "run_model.hpp").write_text(MODEL_HEADER)
    model, main, _ = text_of("docs/examples/plate.cpp").partition("// A program of its own;")
    assert main
    (folder / "plate.cpp").write_text(model)
    add_after(tree / "CMakeLists.txt", "set(groundswell_models sea quake", " plate")


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    """A copy of the tree with a file or an entry for each new thing, a word for the model and a row for the command; built."""
    tree = copy_of_the_source(tmp_path_factory.mktemp("tree") / "source")
    for name, folder in PLACES.items():
        assert not (tree / SOURCE / folder / name).exists()
        shutil.copy(EXAMPLES / name, tree / SOURCE / folder / name)
    add_forcing_and_fields(tree / SOURCE)
    add_model(tree)
    with (tree / SOURCE / "cli/commands.inc").open("a") as rows:
        rows.write('COMMAND(hosts, "say how many ranks each host has")\n')
    return build(tree)


TWO_RANKS = ["mpirun", "--oversubscribe", *([] if os.geteuid() else ["--allow-run-as-root"]), "-n", "2"]


def run(program, *arguments, code=0):
    words = [str(program), *map(str, arguments)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=600)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


SEA = """title = "a sea"
[time]
start = 2000-01-01T00:00:00Z
end = 2000-01-01T03:00:00Z
[mesh]
file = "sea.txt"
[spectrum]
directions = 24
frequencies = 25
[[wind]]
uniform = [15.0, 0.0]
[output]
[[output.map]]
file = "sea.nc"
every = "3h"
fields = ["hs"]
"""
TERMS = ["wind_input", "linear_growth", "whitecapping", "four_wave", "bottom_friction", "breaking"]


@LONG
def test_a_mesh_format_of_the_sphere_and_a_source_term(program, tmp_path):
    """Hexagons from a text of one line; and ice that takes some of the waves on them."""
    (tmp_path / "sea.txt").write_text("hexagons 12 10 20000 40\n")
    (tmp_path / "case.toml").write_text(SEA)
    heights = {}
    with_ice = [*TERMS, "ice_damping"]
    for name, terms, share in (("open", TERMS, None), ("ice", with_ice, 0.5), ("no ice", with_ice, 0.0)):
        settings = [f"physics.terms={json.dumps(terms)}"]
        if share is not None:  # a coefficient of the term: without it, it is refused
            settings.append(f"physics.damping_ice={share}")
        sets = [word for setting in settings for word in ("--set", setting)]
        run(program, "run", tmp_path / "case.toml", "--output", tmp_path / name, *sets, "--quiet")
        with netCDF4.Dataset(tmp_path / name / "sea.nc") as file:
            heights[name] = file["hs"][-1].filled()
    assert heights["open"].shape == (120,) and (heights["open"] > 0.5).all()
    assert (heights["ice"] < 0.99 * heights["open"]).all()
    assert (heights["no ice"] == heights["open"]).all()
    assert "hexagons COLUMNS" in run_wrong(program, tmp_path)


@LONG
def test_a_forcing_and_a_field_of_the_sea(program, tmp_path):
    """Rain falls on hexagons, and the map has it."""
    (tmp_path / "sea.txt").write_text("hexagons 6 5 20000 40\n")
    rain = "[[rain]]\nuniform = 0.002\n[output]"
    (tmp_path / "case.toml").write_text(SEA.replace("[output]", rain).replace('["hs"]', '["hs", "rain"]'))
    run(program, "run", tmp_path / "case.toml", "--set", "time.end=2000-01-01T00:10:00Z", "--quiet")
    with netCDF4.Dataset(tmp_path / "output/sea.nc") as file:
        assert file["rain"].standard_name == "rainfall_flux" and file["rain"].units == "kg m-2 s-1"
        assert file["rain"][-1].filled() == pytest.approx(0.002)
    told = run(program, "run", tmp_path / "case.toml", "--set", "rain=[{uniform = 2.0}]", code=2)
    assert "0.6 kg m-2 s-1" in told


def run_wrong(program, folder):
    (folder / "sea.txt").write_text("hexagons 12 10\n")
    return run(program, "run", folder / "case.toml", "--output", folder / "wrong", code=2)


@LONG
def test_a_transport(program, tmp_path):
    """Brings the right values; `auto` tries it with the others."""
    report = tmp_path / "halo.json"
    options = ["--hexagons", "24x20", "--directions", "12", "--frequencies", "5", "--repeats", "4"]
    run(*TWO_RANKS, program, "halo", *options, "--json", report)
    found = {one["name"]: one for one in json.loads(report.read_text())["result"]["transports"]}
    assert found["synchronous"]["verified"] is True and found["synchronous"]["messages"] == 2


CUBE = """tetrahedra 8 6
0 0 -100
100 0 -100
0 100 -100
100 100 -100
0 0 0
100 0 0
0 100 0
100 100 0
"""
# Six tetrahedra about the diagonal from vertex 0 to 7, each on a way along the axes.
WAYS = [(1, 3), (3, 2), (2, 6), (6, 4), (4, 5), (5, 1)]
GROUND = """model = "quake"
[time]
end = "0.05s"
[mesh]
file = "cube.txt"
[solver]
order = 3
[material]
rock = [{layers = [[0, 2700, 6000, 3464]]}]
[[source.point]]
place = [40, 30, -60]
force = [1e9, 0, 0]
time_function = "ricker"
centre = 0.02
frequency = 20
[output.energies]
file = "energy.nc"
every = "0.01s"
[[output.map]]
file = "map.nc"
every = "0.05s"
fields = ["vx", "vy", "vz", "speed"]
"""


@LONG
def test_a_mesh_format_of_tetrahedra_and_a_field(program, tmp_path):
    """A cube of six tetrahedra from a text: a force on it makes waves, whose speed is a field."""
    cells = []
    for a, b in WAYS:
        # Opposite to 0 and to 7 lies the surface of the cube: its upper side is free, waves leave at the others.
        top = 1 if {a, b, 7} <= {4, 5, 6, 7} else 5
        cells.append(f"0 {a} {b} 7  1  {top} 0 0 5")
    (tmp_path / "cube.txt").write_text(CUBE + "\n".join(cells) + "\n")
    (tmp_path / "case.toml").write_text(GROUND)
    run(program, "run", tmp_path / "case.toml", "--output", tmp_path / "output", "--quiet")
    result = json.loads((tmp_path / "output/run.json").read_text())["result"]
    assert result["elements"] == 6
    with netCDF4.Dataset(tmp_path / "output/energy.nc") as file:
        assert max(file["kinetic"][:]) > 0.0
    with netCDF4.Dataset(tmp_path / "output/map.nc") as file:
        square = sum(file[name][-1].filled() ** 2 for name in ("vx", "vy", "vz"))
        assert file["speed"][-1].filled() == pytest.approx(square**0.5, rel=1e-5)
        assert file["speed"][-1].max() > 0.0


def test_the_page_prints_the_law_that_is_tested():
    law, include, line = law_of_the_page()
    laws = text_of(f"{LAWS}/laws.hpp")
    assert law == text_of(f"{LAWS}/velocity_weakening.hpp")
    assert include in laws and line.strip() in laws.split("using FrictionLaws")[1]
    assert line.strip(" ,\n") in text_of("tests/unit/quake/friction.cpp")


@LONG
def test_a_third_model(program, tmp_path):
    case = text_of("docs/examples/plate.toml")
    (tmp_path / "plate.toml").write_text('model = "plate"\n' + case)
    run(program, "run", tmp_path / "plate.toml", "--output", tmp_path / "output", "--quiet")
    assert "sound" in run(program, "verify", tmp_path / "output/plate.nc")
    assert "plate" in run(program, "run", tmp_path / "plate.toml", "--set", "model=lake", code=2)


@LONG
def test_a_command(program):
    assert "host 0: 2 ranks" in run(*TWO_RANKS, program, "hosts")
    assert "say how many ranks each host has" in run(program, "--help")
