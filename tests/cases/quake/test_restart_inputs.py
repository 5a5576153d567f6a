"""A run that continues another one with other inputs is refused, or says so in one line, or there is nothing to say."""

import shutil

import netCDF4
import pytest
from launching import groundswell, refused, run, write_case

SAYS = "this case is not that of the run that wrote"


def box():
    """Waves of a point source in 1080 cells, half a second of them before the restart."""
    return {
        "model": "quake",
        "title": "a small box",
        "time": {"end": "0.6s"},
        "mesh": {"box": {"cubes": [6, 6, 6], "origin": [-3e3, -3e3, -6e3], "length": [6e3, 6e3, 6e3]}},
        "solver": {"order": 2},
        "material": {"rock": [{"density": 2700, "vp": 6000, "vs": 3464}]},
        "source": {
            "point": [
                {
                    "place": [0, 0, -2000],
                    "moment": {"xy": 1e16},
                    "time_function": "gaussian",
                    "centre": 0.15,
                    "width": 0.05,
                }
            ]
        },
        "output": {
            "receivers": [{"file": "receivers.nc", "every": "0.1s", "at": [[500, 0, 0]]}],
            "restart": {"every": "0.3s"},
        },
    }


@pytest.fixture(scope="module")
def box_run(tmp_path_factory):
    """The case, its output and a restart of its middle."""
    folder = tmp_path_factory.mktemp("box")
    case = write_case(folder / "case.toml", box())
    run(case)
    return case, folder / "output", sorted((folder / "output").glob("restart_*.nc"))[0]


def go_on(box_run, folder, *words, ranks=0):
    case, output, restart = box_run
    shutil.copytree(output, folder / "output")
    return groundswell(
        "run", case, "--output", folder / "output", "--restart", restart, "--quiet", *words, ranks=ranks
    )


@pytest.mark.parametrize(
    "change, key",
    [
        ("material.rock.0.vs=3400.0", "material.rock[0].vs = 3400: expected 3464, as in the run that wrote"),
        ("mesh.box.jitter=0.1", None),
        ("solver.precision=float", None),
    ],
)
def test_other_rock_or_ground_is_refused(box_run, tmp_path, change, key):
    refused(go_on(box_run, tmp_path, "--set", change, ranks=2), *([key] if key else []))


def grid_of_rock(path, vs):
    with netCDF4.Dataset(path, "w") as file:
        file.createDimension("z", 2)
        for name, unit, values in (
            ("z", "m", [-6e3, 0]),
            ("density", "kg m-3", [2700, 2700]),
            ("vp", "m s-1", [6000, 6000]),
            ("vs", "m s-1", [vs, 3464]),
        ):
            variable = file.createVariable(name, "f8", ("z",))
            variable.units = unit
            variable[:] = values


def ground(path, jitter):
    words = ["--cubes", "6,6,6", "--origin=-3e3,-3e3,-6e3", "--length", "6e3,6e3,6e3", "--jitter", jitter]
    made = groundswell("box", "--output", path, "--overwrite", *words)
    assert made.code == 0, made.stderr


@pytest.mark.parametrize("key", ["mesh.file", "material.rock[0].grid"])
def test_a_file_that_was_changed_under_its_name_is_refused_by_that_name(tmp_path, key):
    """And not for the other step that follows from it."""
    table = box()
    if key == "mesh.file":
        table["mesh"] = {"file": "ground.h5"}
        ground(tmp_path / "ground.h5", 0)
    else:
        table["material"]["rock"] = [{"grid": "rock.nc"}]
        grid_of_rock(tmp_path / "rock.nc", 3000)
    case = write_case(tmp_path / "case.toml", table)
    run(case)
    restart = sorted((tmp_path / "output").glob("restart_*.nc"))[0]
    if key == "mesh.file":
        ground(tmp_path / "ground.h5", 0.1)
    else:
        grid_of_rock(tmp_path / "rock.nc", 2800)
    outcome = groundswell("run", case, "--restart", restart, "--quiet", ranks=2)
    refused(outcome, f"{key} = ", "digest", f"as in the run that wrote {restart}")
    assert "time.step" not in outcome.stderr


def test_another_source_is_told_in_one_line(box_run, tmp_path):
    outcome = go_on(box_run, tmp_path, "--set", "source.point.0.moment.xy=2e16", ranks=2)
    assert outcome.code == 0, outcome.stderr
    told = [line for line in outcome.stderr.splitlines() if SAYS in line]
    assert len(told) == 1 and "source.point[0].moment.xy = 2e+16, before 1e+16" in told[0], outcome.stderr


@pytest.mark.parametrize(
    "change",
    ["run.threads=2", "time.end=0.7s", "output.restart.checksums=false", "solver.courant=0.95"],
)
def test_what_makes_no_difference_is_not_told(box_run, tmp_path, change):
    outcome = go_on(box_run, tmp_path, "--set", change)
    assert outcome.code == 0 and SAYS not in outcome.stderr, outcome.stderr


def test_a_number_that_is_written_otherwise_is_the_same(box_run, tmp_path):
    case, _, _ = box_run
    table = box()
    table["material"]["rock"][0].update(vs=3464.0, vp=6e3)
    other = write_case(tmp_path / "case.toml", table)
    outcome = go_on((other, *box_run[1:]), tmp_path)
    assert outcome.code == 0 and SAYS not in outcome.stderr, outcome.stderr


def test_a_flipped_value_of_a_restart_is_refused_unless_checksums_were_not_wanted(box_run, tmp_path):
    for wanted in ("true", "false"):
        folder = tmp_path / wanted
        run(box_run[0], "--output", folder, "--set", f"output.restart.checksums={wanted}")
        restart = sorted(folder.glob("restart_*.nc"))[0]
        with netCDF4.Dataset(restart, "a") as data:
            assert ("state_checksum" in data.variables) == (wanted == "true")
            data["state"][500, 1, 7] += 1e-3
        outcome = groundswell("run", box_run[0], "--output", folder, "--restart", restart, "--quiet", ranks=2)
        if wanted == "true":
            refused(outcome, restart.name, "state", "checksum")
        else:
            assert outcome.code == 0, outcome.stderr
