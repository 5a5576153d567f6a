"""The page on friction laws prints the file that is tested, and who follows it gets a law by which a fault breaks."""

import shutil
import subprocess

import netCDF4
import pytest
from copied_tree import add_after, build, copy_of_the_source
from pages import PROGRAM, blocks, text_of

EXAMPLE = "docs/examples/exponential_slip_weakening.hpp"
LAWS = "src/groundswell/quake/fault/laws"
GROUND = """
model = "quake"
region = { x = [-4e3, 4e3], y = [-3e3, 3e3], depth = 6e3 }
size = { coarsest = 2000.0 }
[[layer]]
[[fault]]
trace = [[-2500.0, 0.0], [2500.0, 0.0]]
bottom = 3e3
size = 800.0
"""
CASE = """
model = "quake"
[time]
end = "0.5s"
[mesh]
file = "ground.msh"
[solver]
order = 3
[material]
rock = [{ density = 2700.0, vp = 6000.0, vs = 3464.0 }]
[fault]
law = "exponential-slip-weakening"
plus_side = [0.0, -1e5, 0.0]
[[fault.set]]
static_friction = 0.677
dynamic_friction = 0.525
slip_distance = 0.1
stress = { yy = -120e6, xy = 70e6 }
[[fault.set]]
box = { x = [-800.0, 800.0], z = [-2300.0, -700.0] }
stress = { xy = 82e6 }
[[output.fault]]
file = "fault.nc"
every = "0.5s"
fields = ["slip", "friction"]
"""


def steps_of_the_page():
    page = text_of("docs/how-to/add-a-friction-law.md")
    return [body for language, body in blocks(page) if language == "cpp"]


def test_the_page_prints_the_law_that_is_tested():
    assert steps_of_the_page()[0] == text_of(EXAMPLE)
    assert EXAMPLE in text_of("tests/unit/quake/friction.cpp")


def run(*words):
    answer = subprocess.run([*map(str, words)], capture_output=True, text=True)
    assert answer.returncode == 0, answer.stderr


@pytest.mark.long
def test_who_follows_the_page_breaks_a_fault_by_the_new_law(tmp_path):
    pytest.importorskip("gmsh", exc_type=ImportError)
    _, include, line = steps_of_the_page()
    source = copy_of_the_source(tmp_path / "source")
    shutil.copy(source / EXAMPLE, source / LAWS)
    add_after(source / LAWS / "laws.hpp", f'#include "groundswell/{LAWS[16:]}/ageing.hpp"\n', include)
    add_after(source / LAWS / "laws.hpp", "using FrictionLaws = LawList<", "\n" + line)
    program = build(source)
    (tmp_path / "ground.toml").write_text(GROUND)
    (tmp_path / "case.toml").write_text(CASE)
    run(PROGRAM, "mesh", "make", tmp_path / "ground.toml", "--output", tmp_path / "ground.msh")
    run(program, "run", tmp_path / "case.toml")
    with netCDF4.Dataset(tmp_path / "output/fault.nc") as file:
        friction, slip = file["friction"][-1], file["slip"][-1]
    assert slip.max() > 0.1
    # Polynomials through the points overshoot a little at a front.
    assert friction.min() == pytest.approx(0.525, abs=0.01)
    assert friction.max() == pytest.approx(0.677, abs=0.01)
