"""Faults that break: the same bits on any layout and after a restart, what a rupture is, and what is refused."""

import copy
import json
import re

import netCDF4
import numpy as np
import pytest
from launching import assert_same, groundswell, output_mode, refused, run, write_case
from profiling import ONE_FAULT, breaking_fault, ground_mesh

FILES = ("fault.nc", "places.nc", "rupture.nc", "receivers.nc", "energy.nc")


@pytest.fixture(scope="module")
def mesh(tmp_path_factory):
    return ground_mesh(tmp_path_factory.mktemp("fault"), ONE_FAULT)


def ageing_law(shear):
    """[fault] whose friction follows the ageing law, under so much shear stress along strike."""
    return {
        "law": "ageing",
        "plus_side": [0, -1e5, 0],
        "set": [
            {
                "a": 0.01,
                "b": 0.005,
                "state_distance": 1e-3,
                "initial_slip_rate": 1e-6,
                "stress": {"yy": -120e6, "xy": shear},
            }
        ],
    }


def small_fault(mesh):
    """A fault of 5 km × 3 km under uniform stress that breaks from a square in its middle."""
    return {
        "model": "quake",
        "time": {"end": "0.9s"},
        "mesh": {"file": str(mesh)},
        "solver": {"order": 3},
        "material": {"rock": [{"density": 2700, "vp": 6000, "vs": 3464}]},
        "fault": breaking_fault({"x": [-800, 800], "z": [-2300, -700]}),
        "output": {
            "fault": [
                {
                    "file": "fault.nc",
                    "every": "0.1s",
                    "fields": [
                        "slip",
                        "slip_strike",
                        "slip_rate",
                        "rupture_time",
                        "normal_stress",
                        "friction",
                        "strength",
                        "rupture_velocity",
                        "weakening_time",
                        "normal_velocity",
                        "traction_strike_change",
                    ],
                    "refine": 1,
                }
            ],
            "fault_receivers": [
                {
                    "file": "places.nc",
                    "every": "7ms",
                    "at": [[0, 0, -1500], [1500, 0, -1500], [-1500, 0, -2800]],
                    "fields": [
                        "slip_rate_strike",
                        "slip_strike",
                        "traction_strike",
                        "rupture_time",
                        "weakening_time",
                        "normal_velocity",
                        "rupture_velocity",
                    ],
                }
            ],
            "receivers": [{"file": "receivers.nc", "every": "10ms", "at": [[0, 1000, 0], [0, -1000, 0]]}],
            "rupture": {"file": "rupture.nc", "every": "20ms"},
            "energies": {"file": "energy.nc", "every": "50ms"},
            "restart": {"every": "0.4s"},
        },
    }


def restarts(folder):
    return sorted(path.name for path in folder.glob("restart_*.nc"))


@pytest.fixture(scope="module")
def alone(mesh, tmp_path_factory):
    """The small fault on one rank: its case file, and its output."""
    folder = tmp_path_factory.mktemp("alone")
    case = write_case(folder / "case.toml", small_fault(mesh))
    run(case)
    assert len(restarts(folder / "output")) == 2
    return case, folder / "output"


@pytest.mark.parametrize(
    "ranks, threads, mode, transport",
    [
        (1, 2, "thread", "auto"),
        (2, 2, "direct", "posted"),
        (3, 1, "thread", "shared"),
        (4, 1, "servers", "neighbor"),
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


def test_a_rupture_that_is_continued_has_the_same_bits(alone, tmp_path):
    case, reference = alone
    first, last = restarts(reference)
    run(case, "--output", tmp_path, "--set", "time.end=0.6s", ranks=2)
    run(case, "--output", tmp_path, "--restart", tmp_path / first, ranks=3)
    assert_same(tmp_path, reference, [*FILES, last])


def test_a_rupture_spreads_and_slips_as_friction_and_stress_say(alone):
    _, output = alone
    with netCDF4.Dataset(output / "fault.nc") as file:
        time = np.ma.filled(file["rupture_time"][-1], np.nan)
        away = np.hypot(file["mesh_face_x"][:], file["mesh_face_z"][:] + 1500)
        assert np.all(time[away < 500] == 0)
        later = time > 0
        assert later.sum() > 20
        # No front outruns P waves, and it comes later where it has farther to go.
        assert np.all(away[later] - 1200 < 6000 * time[later] + 800)
        assert np.corrcoef(away[later], time[later])[0, 1] > 0.7
        slip = file["slip_strike"][-1]
        # Right-lateral, as the − side is that of y > 0 and goes towards +x.
        assert np.all(file["fault_strike"][:, 0] > 0.999)
        assert slip[away < 500].min() > 0.3
        np.testing.assert_allclose(file["normal_stress"][0], -120e6, rtol=1e-6)
        weak = slip > 0.2
        np.testing.assert_allclose(file["friction"][-1][weak], 0.525, rtol=0.05)
    with netCDF4.Dataset(output / "receivers.nc") as file:
        # Both sides go their own way, by the symmetry of the mesh's box within a tenth.
        assert file["vx"][:, 0].max() > 0.1 > -0.1 > file["vx"][:, 1].min()


def test_waves_and_strain_have_the_energy_that_friction_leaves_less_what_resolution_costs(mesh, tmp_path):
    # Until the first waves reach the sides of the box. What the flux takes from waves too short for the elements is lost,
    # nothing is won, and a higher order loses less.
    lost = {}
    for order in (3, 5):
        output = tmp_path / f"order{order}"
        sets = ("time.end=0.35s", "solver.cluster_rate=1", f"solver.order={order}")
        case = write_case(tmp_path / "case.toml", small_fault(mesh))
        run(case, *(word for pair in sets for word in ("--set", pair)), "--output", output)
        with netCDF4.Dataset(output / "energy.nc") as file:
            waves = file["kinetic"][-1] + file["elastic"][-1]
            assert file["time"][-1] == pytest.approx(0.35)
        told = json.loads((output / "run.json").read_text())["result"]
        rupture = told["rupture"]
        assert rupture["face_updates"] == rupture["faces"] * told["steps"]
        assert rupture["moment"] > 0 and rupture["friction_work"] > rupture["released_work"]
        lost[order] = 1 - waves / rupture["released_work"]
    assert 0 < lost[5] < 0.06
    assert 1.8 * lost[5] < lost[3] < 0.15


def test_no_place_of_a_face_runs_away_from_the_others(tmp_path):
    # Initial stress jumps within faces. On a plane fault in uniform rock pressure stays, and so slip is even in a face.
    pytest.importorskip("gmsh", exc_type=ImportError)
    request = tmp_path / "ground.toml"
    request.write_text(ONE_FAULT.replace("800.0", "400.0").replace("2000.0", "1000.0"))
    made = groundswell("mesh", "make", request, "--output", tmp_path / "ground.msh")
    assert made.code == 0, made.stderr
    case = small_fault(tmp_path / "ground.msh")
    case["time"]["end"] = "2.5s"
    case["output"]["fault"][0]["refine"] = 2
    run(write_case(tmp_path / "case.toml", case))
    with netCDF4.Dataset(tmp_path / "output" / "fault.nc") as file:
        slip = file["slip"][-1].reshape(-1, 16)
        pressure = -file["normal_stress"][-1]
    report = json.loads((tmp_path / "output" / "run.json").read_text())
    assert report["result"]["rupture"]["largest_slip"] < 1.2 * slip.mean(axis=1).max()
    assert np.abs(pressure - 120e6).max() < 30e6


def changed(mesh, change):
    case = copy.deepcopy(small_fault(mesh))
    change(case)
    return case


def set_of(case, number, **values):
    case["fault"]["set"][number].update(values)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda c: c["fault"].update(law="linear-slip-weakning"), ["fault.law", "linear-slip-weakening"]),
        (lambda c: c["fault"].pop("plus_side"), ["fault.plus_side", "one of plus_side and normal"]),
        (
            lambda c: c["fault"].update(plus_side=[9e3, 0, 50]),
            ["plus_side = [9000, 0, 50]", "not in the plane"],
        ),
        (
            lambda c: c["fault"].pop("plus_side") and c["fault"].update(normal=[1, 0, 0]),
            ["fault.normal = [1, 0, 0]", "not along one"],
        ),
        (lambda c: c["fault"].update(set=[]), ["fault.set"]),
        (
            lambda c: set_of(c, 0, cohesion=-2e5),
            ["cohesion", "0 or more", "SeisSol's files have it negative"],
        ),
        (lambda c: set_of(c, 0, a=0.01), ["fault.set", "a", "belongs to velocity-weakening"]),
        (lambda c: set_of(c, 0, static_friction=0.5), ["static_friction = 0.5", "at least dynamic_friction"]),
        (lambda c: set_of(c, 0, slip_distance=0), ["slip_distance = 0"]),
        (lambda c: c["fault"]["set"][0].pop("slip_distance"), ["slip_distance is not given at"]),
        (
            lambda c: set_of(c, 0, stress={"yy": -120e6, "xy": 90e6}) or c["fault"]["set"].pop(),
            ["fails under at once"],
        ),
        (
            lambda c: set_of(c, 0, stress={"yy": 120e6, "xy": 70e6}),
            ["fails under at once: tension is positive, and compression", "is negative"],
        ),
        (lambda c: set_of(c, 1, box={"x": [9e4, 9.1e4]}), ["fault.set = 2", "some of a fault in them"]),
        (lambda c: set_of(c, 1, box={"x": [800, -800]}), ["the lower one first"]),
        (
            lambda c: c["output"]["fault_receivers"][0].update(at=[[0, 50, -1500]]),
            ["nearest fault 50 m away", "places on faults"],
        ),
        (lambda c: c.pop("fault"), ["output.fault", "the section [fault]"]),
        (
            lambda c: c["output"]["fault"][0].update(fields=["state"]),
            ["output.fault", "state belongs to rate-and-state"],
        ),
        (
            lambda c: (
                c["mesh"].clear() or c["mesh"].update(box={"cubes": [3, 3, 3], "length": [3e3, 3e3, 3e3]})
            ),
            ["a mesh with a fault", "has none"],
        ),
    ],
)
def test_what_is_refused(mesh, tmp_path, change, words):
    refused(groundswell("run", write_case(tmp_path / "case.toml", changed(mesh, change)), "--quiet"), *words)


def test_elements_that_are_too_coarse_for_the_front_are_told_once(mesh, tmp_path):
    case = write_case(tmp_path / "case.toml", small_fault(mesh))
    result = groundswell("run", case, "--set", "time.end=0.01s", ranks=2)
    assert result.code == 0, result.stderr
    assert result.stderr.count("elements across") == 1
    told = re.findall(r"% of it fails at once, around (\S+), (\S+), (\S+) m", result.stderr)
    assert len(told) == 1
    np.testing.assert_allclose([float(x) for x in told[0]], [0, 0, -1500], atol=150)


def test_a_fault_that_fails_almost_everywhere_is_warned_of(mesh, tmp_path):
    case = changed(mesh, lambda c: set_of(c, 1, box={"x": [-9e3, 800]}))
    result = groundswell("run", write_case(tmp_path / "case.toml", case), "--check", ranks=2)
    assert result.code == 0, result.stderr
    assert result.stderr.count("warning: fault: fault.set.stress: ") == 1
    assert "above the strength only where rupture begins" in result.stderr


@pytest.mark.parametrize(
    ("change", "words"),
    [
        # 70 MPa against 0.677 · 120 MPa.
        (lambda c: c["fault"]["set"].pop(), ["no rupture begins by itself", "86.2 %"]),
        # With D_c = 4 m a circle would need a radius of (7π/24) μ D_c 18.24 / 19² MPa⁻¹ = 6 km.
        (lambda c: set_of(c, 0, slip_distance=4.0), ["the patch", "could drive a rupture"]),
        (lambda c: None, []),
        (
            lambda c: (
                c["fault"]["set"].pop()
                and c["fault"].update(nucleation_duration=0.1)
                or c["fault"]["set"].append(
                    {
                        "sphere": {"centre": [0, 0, -1500], "radius": 800},
                        "nucleation": {"traction": {"strike": 13e6}},
                    }
                )
            ),
            [],
        ),
        (
            lambda c: c["fault"]["set"].pop() and set_of(c, 0, forced_rupture_time=0.1),
            [],
        ),
    ],
)
def test_whether_a_rupture_begins_is_told_beforehand(mesh, tmp_path, change, words):
    result = groundswell("run", write_case(tmp_path / "case.toml", changed(mesh, change)), "--check", ranks=2)
    assert result.code == 0, result.stderr
    assert ("no rupture begins" in result.stderr or "could drive" in result.stderr) == bool(words)
    for word in words:
        assert result.stderr.count(word) == 1


def test_a_receiver_on_a_fault_names_the_side_that_it_has(mesh, tmp_path):
    table = small_fault(mesh)
    at = [[x, y, -1500] for x in (-400, 0, 700) for y in (0, 1, -1)]
    table["time"]["end"] = "0.3s"
    names = [f"R{i}" for i in range(len(at))]
    table["output"] = {"receivers": [{"file": "r.nc", "every": "0.1s", "at": at, "names": names}]}
    outcome = groundswell("run", write_case(tmp_path / "case.toml", table), ranks=3)
    assert outcome.code == 0, outcome.stderr
    told = dict(
        re.findall(r"r\.nc: receivers? lies? on a fault.*motion of the (.) side: (.*);", outcome.stderr)
    )
    told |= dict(
        re.findall(r"r\.nc: a receiver lies on a fault.*motion of the (.) side: (.*);", outcome.stderr)
    )
    side_of = {name: side for side, some in told.items() for name in some.split(", ")}
    assert set(side_of) == {"R0", "R3", "R6"}, outcome.stderr
    with netCDF4.Dataset(tmp_path / "output/r.nc") as file:
        vx = file["vx"][:]
    for i in (0, 3, 6):
        beyond = {"−": vx[:, i + 1], "+": vx[:, i + 2]}  # the + side is where y is negative
        other = {"−": vx[:, i + 2], "+": vx[:, i + 1]}
        side = side_of[f"R{i}"]
        assert np.abs(vx[:, i] - beyond[side]).max() < 0.05 * np.abs(vx[:, i] - other[side]).max()
