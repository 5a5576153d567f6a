"""Runs of the earthquake model as users make them: the same bits on any layout, whatever is written; exact waves; refusals."""

import copy

import netCDF4
import numpy as np
import pytest
from launching import (
    assert_same,
    groundswell,
    output_mode,
    refused,
    run,
    write_case,
)

FILES = ("receivers.nc", "energy.nc", "map.nc")


def small_case():
    """Soft rock over hard rock in a box of 1 km, hit by a moment and a force: four clusters, 0.25 s."""
    return {
        "model": "quake",
        "title": "a small box",
        "time": {"end": "0.25s"},
        "mesh": {"box": {"cubes": [5, 4, 4], "length": [1000, 900, 1100], "jitter": 0.12}},
        "solver": {"order": 3, "cluster_rate": 2},
        "material": {"rock": [{"layers": [[0, 2000, 1000, 400], [-400, 2700, 6000, 3464]]}]},
        "source": {
            "point": [
                {
                    "place": [10, -20, -610],
                    "strike": 30,
                    "dip": 60,
                    "rake": -40,
                    "scalar_moment": 1e13,
                    "time_function": "brune",
                    "onset": 0.01,
                    "rise_time": 0.02,
                },
                {
                    "place": [-200, 100, -100],
                    "force": [1e9, 0, -2e9],
                    "time_function": "ricker",
                    "centre": 0.05,
                    "frequency": 12,
                },
            ]
        },
        "output": {
            "receivers": [
                {
                    "file": "receivers.nc",
                    "every": "1.3ms",
                    "at": [[0, 0, 0], [300, 200, -550], [-100, 0, -400]],
                    "fields": ["vx", "vz", "sxy"],
                }
            ],
            "energies": {"file": "energy.nc", "every": "10ms"},
            "map": [{"file": "map.nc", "every": "70ms"}],
            "restart": {"every": "90ms", "keep": 0},
        },
    }


def restarts(folder):
    return sorted(path.name for path in folder.glob("restart_*.nc"))


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """The small case on one rank: its case file, and its output."""
    folder = tmp_path_factory.mktemp("alone")
    case = write_case(folder / "case.toml", small_case())
    run(case, "--set", "output.mode=serial")
    assert len(restarts(folder / "output")) == 2
    return case, folder / "output"


@pytest.mark.parametrize(
    "ranks, threads, mode, transport",
    [
        (1, 2, "thread", "auto"),
        (2, 1, "direct", "posted"),
        (3, 1, "thread", "shared"),
        (4, 1, "servers", "persistent"),
    ],
)
def test_bits_do_not_depend_on_how_it_is_run(alone, tmp_path, ranks, threads, mode, transport):
    case, reference = alone
    options = {"output.mode": output_mode(mode), "run.threads": threads, "halo.transport": transport}
    run(
        case,
        "--output",
        tmp_path,
        *(word for key, value in options.items() for word in ("--set", f"{key}={value}")),
        ranks=ranks,
    )
    assert_same(tmp_path, reference, [*FILES, *restarts(reference)])


def test_a_run_that_is_continued_has_the_same_bits(alone, tmp_path):
    case, reference = alone
    first, last = restarts(reference)
    run(case, "--output", tmp_path, "--set", "time.end=0.2s", ranks=2)
    # Records after the restart are there already, and written again.
    run(case, "--output", tmp_path, "--restart", tmp_path / first, ranks=3)
    assert_same(tmp_path, reference, [*FILES, last])


def test_what_is_written_changes_no_bit_of_the_wave_field(alone, tmp_path):
    case, reference = alone
    bare = small_case()
    bare["output"] = {"restart": bare["output"]["restart"]}
    run(write_case(tmp_path / "case.toml", bare), ranks=2)
    assert_same(tmp_path / "output", reference, restarts(reference))


def test_records_stand_at_the_times_asked_for(alone):
    _, folder = alone
    with netCDF4.Dataset(folder / "receivers.nc") as file:
        np.testing.assert_allclose(file["time"][:], 1.3e-3 * np.arange(193), rtol=0, atol=1e-12)
        assert file.featureType == "timeSeries"
        assert np.abs(file["vx"][:]).max() > 0
    with netCDF4.Dataset(folder / "energy.nc") as file:
        # Before anything has happened; then sources have given what later only boundaries take.
        assert file["kinetic"][0] == 0.0 and file["elastic"][0] == 0.0
        total = file["kinetic"][:] + file["elastic"][:]
        assert total.max() > 0 and np.isfinite(total).all()


def plane_wave_case(wave, waves, polarisation, **solver):
    k = [2 * np.pi * one for one in waves]
    entry = {"kind": wave, "wave_vector": k, "velocity": 0.5}
    if polarisation:
        entry["polarisation"] = list(polarisation)
    return {
        "model": "quake",
        "time": {"end": "0.3s"},
        "mesh": {
            "unusual": True,
            "box": {"cubes": [6, 6, 6], "length": [2, 2, 2], "periodic": ["x", "y", "z"], "jitter": 0.1},
        },
        "solver": {"order": 5, **solver},
        "material": {"unusual": True, "rock": [{"density": 1, "vp": 2, "vs": 1}]},
        "initial": {"wave": [entry]},
        "output": {
            "receivers": [
                {"file": "receivers.nc", "every": "3.7ms", "at": [[0.1, 0.2, -0.3], [0.71, -0.5, -1.5]]}
            ]
        },
    }


@pytest.mark.parametrize(
    "wave, waves, polarisation, precision",
    [
        ("P", (0.5, 0.5, 0.5), None, "double"),
        ("S", (0.5, -0.5, 0.0), (0, 0, 1), "double"),
        ("S", (0.0, 0.5, 0.5), (1, 1, 0), "float"),
    ],
)
def test_receivers_see_the_exact_plane_wave(tmp_path, wave, waves, polarisation, precision):
    table = plane_wave_case(wave, waves, polarisation, precision=precision)
    run(write_case(tmp_path / "case.toml", table), ranks=2)
    k = 2 * np.pi * np.array(waves)
    length = np.linalg.norm(k)
    direction = k / length
    if wave == "S":
        across = np.array(polarisation) - np.dot(polarisation, direction) * direction
        direction = across / np.linalg.norm(across)
    speed = 2.0 if wave == "P" else 1.0
    with netCDF4.Dataset(tmp_path / "output/receivers.nc") as file:
        places = np.array([file["x"][:], file["y"][:], file["z"][:]])
        phase = (k @ places)[None, :] - (length * speed * file["time"][:])[:, None]
        for axis, name in enumerate(("vx", "vy", "vz")):
            exact = 0.5 * direction[axis] * np.cos(phase)
            # A fifth-order polynomial in cells of a sixth of the wave's length along an axis.
            np.testing.assert_allclose(file[name][:], exact, rtol=0, atol=2e-3)


def edited(*path, value=None):
    table = copy.deepcopy(small_case())
    at = table
    for key in path[:-1]:
        at = at[key]
    if value is None:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return table


@pytest.mark.parametrize(
    "table, words",
    [
        (edited("solver", "order", value=8), ["solver.order = 8", "2 … 7"]),
        (edited("solver", "precision", value="half"), ["solver.precision", "float", "double"]),
        (edited("mesh", "box", "periodic", value=["x"]), ["even"]),
        (edited("mesh", "box", "cubes", value=[0, 1, 1]), ["mesh.box.cubes", "whole numbers"]),
        (edited("source", "point", 0, "strike"), ["source.point", "moment, force or strike"]),
        (edited("source", "point", 0, "place", value=[0, 0, 200]), ["within the mesh", "corner"]),
        (
            edited("output", "receivers", 0, "at", value=[[0, 0, 0], [0, 0, -1300]]),
            ["output.receivers", "P2", "within the mesh", "corner"],
        ),
        (edited("material", "rock"), ["material"]),
        (edited("model", value="quak"), ["quak", "quake"]),
        (edited("solver", "ordr", value=3), ["ordr", "order"]),
    ],
)
def test_what_is_not_sound_is_refused_before_the_first_step(tmp_path, table, words):
    case = write_case(tmp_path / "case.toml", table)
    refused(groundswell("run", case, ranks=2), *words)
    assert not (tmp_path / "output").exists()


def test_a_restart_with_other_steps_is_refused(alone, tmp_path):
    case, reference = alone
    refused(
        groundswell(
            "run",
            case,
            "--output",
            tmp_path,
            "--restart",
            reference / restarts(reference)[0],
            "--set",
            "solver.courant=0.4",
        ),
        "time.step",
        "restarted run's steps",
    )


def test_more_memory_than_there_is_is_refused(alone, tmp_path):
    case, _ = alone
    refused(
        groundswell(
            "run", case, "--output", tmp_path / "new", ranks=2, env={"GROUNDSWELL_TEST_MEMORY": "100000"}
        ),
        "solver.order = 3 in double for 400 cells",
        "are needed there",
    )
    assert not (tmp_path / "new").exists()


def test_a_run_that_blows_up_names_where(tmp_path):
    """Long before its values are no longer numbers."""
    table = small_case()
    table["solver"] |= {"step_rule": "own", "courant": 1.0}
    table["time"]["end"] = "100s"
    case = write_case(tmp_path / "case.toml", table)
    told = [groundswell("run", case, "--overwrite", ranks=ranks, seconds=300) for ranks in (1, 2)]
    for outcome in told:
        assert outcome.code == 3, outcome.stderr
        for word in (
            "than it was given",
            "grown most in cell",
            "cluster",
            " m ",
            " s;",
            "solver.courant = 1",
        ):
            assert word in outcome.errors[0], outcome.errors
    assert told[0].errors == told[1].errors


def test_a_source_that_begins_slowly_is_no_runaway(tmp_path):
    """Six widths before its peak a Gaussian source does next to nothing, and that twice as often a moment later."""
    table = small_case()
    table["time"]["end"] = "1.5s"
    del table["output"]
    table["source"]["point"] = [
        {
            "place": [10, -20, -610],
            "strike": 30,
            "dip": 60,
            "rake": -40,
            "scalar_moment": 1e13,
            "time_function": "gaussian",
            "centre": 3.0,
            "width": 0.5,
        }
    ]
    outcome = run(write_case(tmp_path / "case.toml", table))
    assert "energy grows" not in outcome.stderr
