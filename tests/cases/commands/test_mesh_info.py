"""What `mesh info` says of a model's step on a mesh is what the model takes: both know the formula, the mesh and the case."""

import json

import pytest
from launching import ROOT, groundswell, storm_case, write_case

from groundswell import mesh_cli
from groundswell.mesh.settings import Settings

SETTINGS = {
    "as it is": {},
    "upwind": {"propagation": {"scheme": "upwind", "courant": 0.5}},
    "closed coasts, no shallow cell": {
        "propagation": {"coast": "closed"},
        "physics": {"minimum_depth": 40.0},
    },
    "long source steps": {"time": {"source_step": "30min"}},
    "one depth": {"mesh": {"uniform_depth": 25.0}},
}


def steps(case, folder):
    """What the program says of a case that it checks, and what `mesh info` does; and what both write for people."""
    checked = groundswell("run", case, "--check", "--output", folder / "o", "--json", folder / "run.json")
    assert checked.code == 0, checked.stderr
    assert mesh_cli.main(["info", "--case", str(case), "--json", str(folder / "info.json")]) == 0
    read = [json.loads((folder / name).read_text())["result"] for name in ("run.json", "info.json")]
    return (*read, checked.stderr)


@pytest.mark.parametrize("name", SETTINGS)
def test_steps_are_those_of_the_run(name, coast_mesh, wind_file, tmp_path, capsys):
    """On a mesh with shelves, where an edge to shallower water limits the step by its k_e/k."""
    table = storm_case(coast_mesh, wind_file, hours=1)
    for section, keys in SETTINGS[name].items():
        table.setdefault(section, {}).update(keys)
    run, info, said = steps(write_case(tmp_path / "case.toml", table), tmp_path)
    limiting = run["limiting"]
    assert info["longest_step"] == pytest.approx(limiting["longest_step_seconds"], rel=1e-6)
    assert info["run_step"] == pytest.approx(run["step_seconds"], rel=1e-9)
    assert info["limiting"]["mesh_cell"] == limiting["cell"]
    assert info["limiting"]["direction_bin"] == limiting["direction_bin"]
    longest = f"{limiting['longest_step_seconds']:.4g} s"
    assert longest in capsys.readouterr().out and f"longest stable step is {longest}" in said


def test_steps_near_a_pole(sphere_mesh, tmp_path):
    """Where the frame of directions is carried over the cell."""
    table = {
        "time": {"start": "2024-09-06T03:00:00Z", "end": "2024-09-06T06:00:00Z"},
        "mesh": {"file": str(sphere_mesh)},
        "physics": {"package": "none"},
    }
    run, info, _ = steps(write_case(tmp_path / "case.toml", table), tmp_path)
    assert info["longest_step"] == pytest.approx(run["limiting"]["longest_step_seconds"], rel=1e-6)


def test_defaults_are_those_of_the_program(tmp_path):
    """What `mesh info` takes without a case."""
    growth = ROOT / "cases/growth/case.toml"
    groundswell("run", growth, "--explain", "--json", tmp_path / "e.json")
    listed = json.loads((tmp_path / "e.json").read_text())["result"]["parameters"]
    default = {entry["key"]: entry["default"] for entry in listed}
    settings = Settings()
    for key, value in {
        **{f"spectrum.{key}": value for key, value in settings.spectrum.items()},
        "propagation.scheme": settings.scheme,
        "propagation.courant": settings.courant,
        "physics.minimum_depth": settings.minimum_depth,
    }.items():
        assert default[key].strip('"') == (value if isinstance(value, str) else f"{value:g}"), key
