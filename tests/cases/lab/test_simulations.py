"""Cases that Python steps: the bits of `groundswell run`, and what functions in Python do to them."""

import re

import netCDF4
import numpy as np
import pytest
from launching import (
    IS_OPEN_MPI,
    ROOT,
    STORM_FILES,
    assert_same,
    lab_program,
    python,
    run,
    storm_case,
    swell_case,
    write_case,
)

pytestmark = pytest.mark.skipif(not IS_OPEN_MPI, reason="the laboratory is for Open MPI")


# Functions that change nothing, steps of all lengths, a look at the fields and a restart file on the way.
STEPPED = """
case, output = sys.argv[1:]
nothing = lambda seconds, action, cells: 0.0 * action
same = lambda seconds, longitude, latitude, below: below
with lab.Simulation(case, output, sources=[nothing], forcing={"wind": same}, block=50) as simulation:
    simulation.step()
    simulation.run("1h")
    assert simulation.now().seconds == 3600.0
    simulation.fields(), simulation.dataset()
    file = simulation.write_restart()
    simulation.run("2h")
with lab.Simulation(case, output, restart=file) as simulation:
    simulation.run()
    now = simulation.now()
    assert now.over and now.step == now.last_step and simulation.ranks.reduce(now.owned_cells, "sum") == now.cells
"""


@pytest.mark.parametrize("clusters", [pytest.param(1, marks=pytest.mark.long), 2])
def test_steps_from_python_have_the_bits_of_the_program(coast_mesh, wind_file, tmp_path, clusters):
    table = storm_case(coast_mesh, wind_file)
    table["propagation"]["cluster_rate"] = clusters
    case = write_case(tmp_path / "case.toml", table)
    run(case, "--output", tmp_path / "program")
    lab_program(tmp_path, STEPPED, case, tmp_path / "python", ranks=2)
    assert_same(tmp_path / "python", tmp_path / "program", STORM_FILES)


DRIVEN = """
case, output = sys.argv[1:]
def damping(seconds, action, cells):
    return -1e-5 * (1 + np.cos(np.radians(cells.latitude)))[:, None, None] * cells.frequency[:, None] * action
def trade_wind(seconds, longitude, latitude, below):
    return below + [5 * np.sin(np.radians(longitude)), 1e-4 * seconds * np.cos(np.radians(latitude))]
with lab.Simulation(case, output, sources=[damping], forcing={"wind": trade_wind}, block=100) as simulation:
    simulation.run()
"""


def test_the_bits_of_a_source_and_a_wind_in_python_do_not_depend_on_ranks(sphere_mesh, tmp_path):
    table = swell_case(sphere_mesh)
    table["physics"]["package"] = "st4"
    table["wind"] = [{"uniform": [5.0, 2.0]}]
    case = write_case(tmp_path / "case.toml", table)
    for ranks in (1, 3):
        lab_program(tmp_path, DRIVEN, case, tmp_path / str(ranks), ranks=ranks)
    assert_same(tmp_path / "3", tmp_path / "1", ["swell.nc"])
    run(case, "--output", tmp_path / "undriven")
    with (
        netCDF4.Dataset(tmp_path / "1/swell.nc") as driven,
        netCDF4.Dataset(tmp_path / "undriven/swell.nc") as other,
    ):
        assert np.mean(driven["hs"][-1] != other["hs"][-1]) > 0.5


WIND = """
case, output = sys.argv[1:]
ten = lambda seconds, longitude, latitude, below: np.outer([10.0, 0.0], np.ones(longitude.size))
with lab.Simulation(case, output, forcing={"wind": ten}) as simulation:
    simulation.run()
"""


@pytest.mark.long
def test_a_wind_in_python_is_that_wind(tiny_mesh, tmp_path):
    table = swell_case(tiny_mesh)
    table["physics"]["package"] = "st4"
    table["wind"] = [{"uniform": [10.0, 0.0]}]
    run(write_case(tmp_path / "case.toml", table), "--output", tmp_path / "program")
    table["wind"] = [{"uniform": [0.0, 0.0]}]
    lab_program(tmp_path, WIND, write_case(tmp_path / "case.toml", table), tmp_path / "python")
    assert_same(tmp_path / "python", tmp_path / "program", ["swell.nc"])


# In a sea that does not move, rates of +1e-4 of the action leave (1 + 1e-4 Δt)ⁿ of it, and so √ of that of the height.
GROWING = """
case, output = sys.argv[1:]
grows = lambda seconds, action, cells: 1e-4 * action
with lab.Simulation(case, output, sources=[grows]) as simulation:
    start = simulation.fields()
    first = simulation.state()["action"]
    assert np.shares_memory(first, simulation.dataset()["action"].values)
    simulation.run()
    end, now = simulation.fields(), simulation.now()
cycles = now.last_step // now.steps_per_cycle
growth = np.sqrt((1 + 1e-4 * now.end / cycles) ** cycles)
assert cycles > 5 and np.allclose(end["hs"], growth * start["hs"], rtol=1e-5)
assert end["hs"].attrs["units"] == "m" and end["hs"].attrs["standard_name"] == "sea_surface_wave_significant_height"
with lab.Simulation(case, output, overwrite=True) as simulation:
    simulation.state()["action"][:] *= 4
    assert np.allclose(simulation.fields()["hs"], 2 * start["hs"], rtol=1e-6)
end.to_netcdf(sys.argv[2] + "/fields.nc")
"""


def test_a_rate_acts_for_its_cycle_and_fields_are_those_of_the_file(sphere_mesh, tmp_path):
    table = swell_case(sphere_mesh)
    table["propagation"]["scheme"] = "none"
    output = tmp_path / "output"
    lab_program(tmp_path, GROWING, write_case(tmp_path / "case.toml", table), output)
    with netCDF4.Dataset(output / "fields.nc") as given, netCDF4.Dataset(sphere_mesh) as mesh:
        cells = given["mesh_cell"][:] - 1
        for name in ("lon", "lat"):
            expected = np.degrees(mesh[f"{name}Cell"][:])[cells]
            apart = (given[f"{name}gitude" if name == "lon" else "latitude"][:] - expected + 180) % 360 - 180
            assert np.abs(apart).max() < 1e-9


TROUBLE = """
case, output, what, where = sys.argv[1:]
rank = lab.world().rank
def answer(sound):
    if rank == 1 and what == "raises":
        raise ValueError("the sea is full")
    if rank == 1 and what == "shape":
        return np.zeros(7)
    if rank == 1 and what == "nan":
        sound.flat[-1] = np.nan
    return sound
def rate(seconds, action, cells):
    return answer(0.0 * action) if seconds > 0 else 0.0 * action
def wind(seconds, longitude, latitude, below):
    return answer(below) if seconds > 0 else below
hooks = {"sources": [rate]} if where == "source" else {"forcing": {"wind": wind}}
with lab.Simulation(case, output, **hooks) as simulation:
    simulation.run()
"""
WORDS = {
    "raises": "ValueError: the sea is full",
    "shape": "shape (7,): expected",
    "nan": "ValueError: NaN or infinity at",
}


@pytest.mark.parametrize(
    ("what", "where"),
    [("raises", "source"), ("nan", "forcing")]
    + [
        pytest.param(what, where, marks=pytest.mark.long)
        for what, where in [
            ("nan", "source"),
            ("shape", "source"),
            ("raises", "forcing"),
            ("shape", "forcing"),
        ]
    ],
)
def test_a_function_that_fails_on_one_rank_is_named_and_ends_all(sphere_mesh, tmp_path, what, where):
    table = swell_case(sphere_mesh)
    table["wind"] = [{"uniform": [5.0, 2.0]}]
    case = write_case(tmp_path / "case.toml", table)
    (told,) = lab_program(tmp_path, TROUBLE, case, tmp_path / "output", what, where, ranks=3, code=3).errors
    assert "rank 1 of 3" in told and where in told and WORDS[what] in told
    with netCDF4.Dataset(tmp_path / "output/swell.nc") as data:
        assert len(data["time"]) == 1  # what was there before stays


REFUSED = """
case = lab.Case(sys.argv[1])
same = lambda seconds, longitude, latitude, below: below
def refusal(call):
    try:
        call()
    except lab.Refused as problem:
        return str(problem)
assert "an entry [[current]]" in refusal(lambda: lab.Simulation(case, forcing={"current": same}))
assert "spectrum.directions = 3" in refusal(lambda: lab.Simulation(case.changed({"spectrum.directions": 3})))
with lab.Simulation(case.changed({"time.source_step": "1h"}), sys.argv[2]) as simulation:
    assert "expected seconds, or a duration" in refusal(lambda: simulation.run("1 week"))
    assert simulation.now().steps_per_cycle > 1
    simulation.step()
    assert "the end of a cycle" in refusal(simulation.fields)
    assert "the end of a cycle" in refusal(simulation.write_restart)
"""


def test_what_python_asks_wrongly_is_refused(coast_mesh, tmp_path):
    case = write_case(tmp_path / "case.toml", swell_case(coast_mesh, centre=(114.0, 16.0)))
    lab_program(tmp_path, REFUSED, case, tmp_path / "output")


QUAKE = """
case, output = sys.argv[1:]
for name, value in (("sources", [max]), ("forcing", {"wind": max})):
    try:
        lab.Simulation(case, output + "/refused", **{name: value})
        sys.exit("not refused: " + name)
    except lab.Refused as problem:
        assert "a case of the sea" in str(problem)
with lab.Simulation(case, output) as simulation:
    for _ in range(3):
        simulation.step()
    simulation.run("0.1s")
    assert 0.1 <= simulation.now().seconds < 0.2
    simulation.run()
"""


@pytest.mark.long
def test_an_earthquake_by_steps_from_python_has_the_bits_of_the_program(tmp_path):
    table = {
        "model": "quake",
        "time": {"end": "0.2s"},
        "mesh": {"box": {"cubes": [4, 4, 4], "length": [1000, 900, 1100], "jitter": 0.12}},
        "solver": {"order": 3, "cluster_rate": 2},
        "material": {"rock": [{"density": 2700, "vp": 6000, "vs": 3464}]},
        "source": {
            "point": [
                {
                    "place": [10, -20, -610],
                    "force": [1e9, 0, -2e9],
                    "time_function": "ricker",
                    "centre": 0.05,
                    "frequency": 12,
                }
            ]
        },
        "output": {
            "receivers": [{"file": "receivers.nc", "every": "1.3ms", "at": [[300, 200, -550]]}],
            "energies": {"file": "energy.nc", "every": "10ms"},
        },
    }
    case = write_case(tmp_path / "case.toml", table)
    run(case, "--output", tmp_path / "program")
    lab_program(tmp_path, QUAKE, case, tmp_path / "python", ranks=2)
    assert_same(tmp_path / "python", tmp_path / "program", ["receivers.nc", "energy.nc"])


@pytest.mark.long
def test_what_the_manual_shows_runs(coast_mesh, wind_file, tmp_path):
    page = (ROOT / "docs/how-to/laboratory.md").read_text()
    steps, source, _ = re.findall(r"```python\n(.*?)```", page, re.S)  # the third: test_friction.py
    write_case(tmp_path / "case.toml", storm_case(coast_mesh, wind_file, hours=1))
    (tmp_path / "steps.py").write_text(steps.replace("cases/yagi/case.toml", "case.toml"))
    (tmp_path / "source.py").write_text("import numpy as np\nfrom groundswell import lab\n" + source)
    for program in ("steps.py", "source.py"):
        outcome = python(tmp_path / program, cwd=tmp_path)
        assert outcome.code == 0, outcome.stderr


# The third model runs in test_numpy_models.py.
@pytest.mark.long
@pytest.mark.parametrize("name", ["storm_season", "slip_distance"])
def test_a_notebook_runs_on_one_rank_and_on_two_alike(tmp_path, name):
    said = set()
    for ranks in (1, 2):
        (tmp_path / str(ranks)).mkdir()
        outcome = python(
            ROOT / f"docs/notebooks/{name}.py", ranks=ranks, cwd=tmp_path / str(ranks), seconds=600
        )
        assert outcome.code == 0, outcome.stderr
        said.add(outcome.stdout)
    (told,) = said
    if name == "slip_distance":
        shares = [int(share) for share in re.findall(r"(\d+) % of the fault", told)]
        assert shares == sorted(shares, reverse=True) and shares[0] > 90 and shares[-1] < 50
    else:
        assert float(re.search(r"storm 3.*waves up to ([\d.]+)", told)[1]) > 5
