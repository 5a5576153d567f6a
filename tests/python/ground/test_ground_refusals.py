"""Requests for meshes of the ground that are refused: which file and key is wrong, and what was expected."""

import re

import numpy as np
import pytest
from ground_requests import PROJECTION, box, hill, made, request, write_relief

from groundswell import mesh_cli
from groundswell.errors import Refusal

MAIN = {"name": "main", "trace": [[-1500.0, 0.0], [1500.0, 0.0]], "bottom": 2000.0}


def refused(tmp_path, **tables):
    with pytest.raises(Refusal) as refusal:
        made(tmp_path, **tables)
    assert not (tmp_path / "ground.msh").exists()
    return re.sub(r"[‐–−]", "-", str(refusal.value))


@pytest.mark.parametrize(
    ("height", "span", "said"),
    [
        (
            hill,
            (119.99, 120.2),
            r"relief.nc: region = 119.96\d+…120.03\d+°E: expected longitudes inside the data",
        ),
        (
            lambda x, y: np.where(np.abs(x - 120.01) < 0.004, np.nan, 10.0),
            (119.8, 120.2),
            r"relief.nc: expected relief without gaps in the region, .*; \d+ values are missing, the first at 120.006",
        ),
        (
            lambda x, y: -3000.0 + 0 * x,
            (119.8, 120.2),
            r"relief.fade_depth = 2000: expected 4000 m or more: the ground lies 3000 m deep",
        ),
    ],
    ids=["beyond", "gaps", "too deep"],
)
def test_relief(tmp_path, height, span, said):
    write_relief(tmp_path / "relief.nc", height, longitude=span)
    tables = box(projection=PROJECTION, relief={"file": "relief.nc"})
    assert re.search(said, refused(tmp_path, **tables))


def test_a_fault_that_leaves_the_box(tmp_path):
    said = refused(tmp_path, **box(fault=[{**MAIN, "dip": 30.0}]))
    assert (
        "ground.toml: fault.0 = main reaches (1500, -3464, -2000) m: expected a fault inside the mesh" in said
    )
    assert "it goes 1464 m beyond it" in said


@pytest.mark.parametrize(
    ("other", "said"),
    [
        ({"trace": [[-1000.0, 60.0], [1000.0, 60.0]]}, "fault.0 = main: 60 m from near near"),
        ({"trace": [[0.0, 80.0], [1000.0, 1500.0]]}, "fault.0 = main: 80 m from near near (0, 40, "),
        ({"trace": [[1400.0, 30.0], [1600.0, -60.0], [1600.0, -1900.0]]}, "an edge of"),
    ],
    ids=["beside each other", "a branch that does not meet", "hardly crossing"],
)
def test_faults_too_close_for_the_mesh(tmp_path, other, said):
    told = refused(tmp_path, **box(fault=[MAIN, {"name": "near", "bottom": 2000.0, **other}]))
    assert said in told and "250 m or more, a quarter of the 1e+03 m asked for there" in told
    apart = {"trace": [[-1000.0, 60.0], [1000.0, 60.0]], "bottom": 2000.0, "size": 80.0}
    if said.startswith("fault.0 = main: 60"):
        made(tmp_path, **box(fault=[{**MAIN, "size": 80.0}, apart]))


def test_a_fault_just_above_an_interface(tmp_path):
    told = refused(tmp_path, **box(fault=[MAIN], layer=[{"bottom": 2040.0}, {}]))
    assert "fault.0 = main: 40 m from a layer or a side of the mesh" in told


def test_more_elements_than_memory_holds(tmp_path):
    told = refused(tmp_path, memory=20e6, **box(size=80.0))
    assert re.search(
        r"ground.toml: size = about 1.08e\+06 elements: expected a mesh that fits into 19.1 MiB .*"
        r"smallest elements, 80 m, are near",
        told,
    )


def test_a_projection_that_bends_the_region(tmp_path):
    far = box(projection=PROJECTION, region={"x": [280e3, 300e3], "y": [-5e3, 5e3], "depth": 9e3})
    told = refused(tmp_path, **far)
    assert (
        "region = 280000…300000 m east of the projection's origin: expected a region that the projection"
        in told
    )
    assert "by no more than 0.1%: lengths are wrong by up to 0.11% there" in told
    request(**box(projection=PROJECTION, region={"x": [-280e3, 280e3], "y": [-5e3, 5e3], "depth": 9e3}))


def test_bad_elements_that_cannot_be_mended(tmp_path):
    """Faults that meet at 1° leave no room for a good element."""
    sharp = {"name": "sharp", "trace": [[-1500.0, 0.0], [1500.0, 52.0]], "bottom": 2000.0}
    told = refused(tmp_path, **box(fault=[MAIN, sharp], mesh={"worst_quality": 0.3}))
    assert "mesh.worst_quality = 0.3: expected a request whose elements can all be made that good:" in told


@pytest.mark.parametrize(
    ("tables", "said"),
    [
        ({"region": {"x": [0, 1], "y": [3, 2], "depth": 1}}, "region.y = [3, 2]: expected [from, to] in m"),
        ({"region": {"west": 1.0, "east": 2.0, "south": 1.0, "north": 2.0, "depth": 1}}, "a section [projection]"),
        ({"layer": [{"bottom": 500.0}, {"bottom": 300.0}, {}]}, "layer.1.bottom = 300.0: expected a depth in m below"),
        ({"layer": [{"bottom": 500.0}]}, "layer.0.bottom = 500.0: expected none, or 4000 m"),
        ({"layer": [{"name": "a", "bottom": 9.0}, {"name": "a"}]}, "layer.1.name = a: expected a name that no other"),
        ({"layer": [{}], "size": {"frequency": 1.0}}, "layer.0.vs = (missing): expected a speed of S waves"),
        ({"size": {"frequency": 1.0}}, "size.frequency = 1.0: expected one or more [[layer]] with vs"),
        ({"size": {"order": 9}}, "size.order = 9: expected 2 to 7"),
        ({"fault": [{**MAIN, "tag": 5}]}, "fault.0.tag = 5: expected 3, or 65 to 100"),
        ({"fault": [{**MAIN, "trace_degrees": [[1, 2], [3, 4]]}]}, "fault.0.trace_degrees = [[1, 2], [3, 4]]: expected either a trace"),
        ({"fault": [{"corners": [[0, 0, 0], [1, 1, -1], [2, 2, -2]]}]}, "fault.0.corners = corners on a line"),
        ({"fault": [{"corners": [[0, 0, -9], [9, 0, -9], [9, 9, -9], [0, 9, -5]]}]}, "off the plane of the others"),
        ({"fault": [{**MAIN, "trace": [[0, 0], [900, 0], [0, 50]]}]}, "expected a trace without hairpins"),
        ({"fault": [{"triangles": "none.ts"}]}, "none.ts: expected a file that can be read (No such file"),
        ({"fault": [{"triangles": "a.ts", "dip": 9.0}]}, "fault.0.dip = 9.0: expected either a trace with dip"),
        ({"fault": [MAIN, {**MAIN, "name": "twin"}]}, "fault.1 = twin: expected a fault that does not lie on another"),
        ({"refine": [{"at": [[0, 9e3]], "size": 10.0}]}, "refine.0.at = (0, 9000, 0) m: expected places in the mesh"),
    ],
)  # fmt: skip
def test_values(tmp_path, tables, said):
    assert said in refused(tmp_path, **{**box(), **tables})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("VRTX 1 0 0 0\nTRGL 1 2 3\n", "a.ts:2: TRGL 1 2 3: expected a line of the format TSurf"),
        ("VRTX 1 0 0\n", "a.ts:1: VRTX 1 0 0: expected a line"),
        ("solid\n", "a.ts: expected a GOCAD TSurf file with lines VRTX and TRGL"),
    ],
)
def test_surfaces_of_triangles(tmp_path, text, said):
    (tmp_path / "a.ts").write_text(text)
    assert said in refused(tmp_path, **box(fault=[{"triangles": "a.ts"}]))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[regoin]\nx = 1", "regoin: expected a known key; did you mean 'region'?"),
        ("[size]\nfrequncy = 1", "size.frequncy = 1: expected a known key; did you mean 'frequency'?"),
        ("[[fault]]\nstrike = 1", "fault.0.strike = 1: expected"),
        ("[fault]\ntrace = 1", "fault = a table: expected tables of a list, [[fault]]"),
        ("", "region.west = (missing): expected degrees east (or x and y in m)"),
    ],
)
def test_words_that_nobody_reads(tmp_path, capsys, text, said):
    config = tmp_path / "ground.toml"
    config.write_text('model = "quake"\n' + text)
    assert mesh_cli.main(["make", str(config)]) == 2
    assert said in capsys.readouterr().err


def test_options_of_the_sea(tmp_path, capsys):
    config = tmp_path / "ground.toml"
    config.write_text('model = "quake"\n')
    assert mesh_cli.main(["make", str(config), "--region", "1,2,3,4"]) == 2
    assert "--region = 1,2,3,4: expected no such option with" in capsys.readouterr().err
