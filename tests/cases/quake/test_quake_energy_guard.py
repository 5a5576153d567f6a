"""Energy comes from the start, sources, faults and rock that yields. A run that has more ends with exit code 3 and says where, before
anything that it wrote is far from true; one that is sound is silent. So is every case of cases/quake, each of which its own test runs to
exit code 0: test_quake_cases, test_quake_tpv, test_layered_basin, test_local_event, test_turkiye."""

import netCDF4
import numpy as np
import pytest
from launching import groundswell, refused, run, write_case
from test_quake_faults import mesh, small_fault  # noqa: F401
from test_quake_runs import small_case

LAWS = {
    "linear-slip-weakening": {},
    "linear-slip-weakening-bimaterial": {},
    "ageing": {"a": 0.008, "b": 0.012, "state_distance": 0.02, "initial_slip_rate": 1e-12},
    "fast-weakening": {
        "a": 0.01,
        "b": 0.014,
        "state_distance": 0.2,
        "initial_slip_rate": 1e-12,
        "weakening_slip_rate": 0.1,
        "weakened_friction": 0.2,
    },
}
PRESSED = {"xx": -120e6, "yy": -120e6, "zz": -120e6, "xy": 70e6}
WEAK = {"cohesion": 5e6, "bulk_friction": 0.75, "relaxation_time": 0.03, "stress": PRESSED}
LOSS = {"mechanisms": 3, "band": [0.2, 10.0]}
# What is broken, by what, and what else the run has: (name, order, precision, courant, cluster rate, more).
PLANTED = [
    ("fault", 2, "double", 1.0, 2, {}),
    ("fault", 3, "double", 1.0, 2, {}),
    ("fault", 3, "double", 1.0, 1, {}),
    ("fault", 3, "float", 1.0, 2, {}),
    ("fault", 4, "double", 0.9, 2, {}),
    ("fault", 4, "float", 1.0, 3, {}),
    ("fault", 5, "double", 1.0, 2, {}),
    ("fault", 6, "double", 0.9, 2, {}),
    ("fault", 7, "double", 0.9, 2, {}),
    ("fault", 3, "double", 1.0, 2, {"law": "linear-slip-weakening-bimaterial"}),
    ("fault", 3, "double", 1.0, 2, {"law": "ageing"}),
    ("fault", 4, "double", 1.0, 2, {"law": "fast-weakening"}),
    ("fault", 3, "double", 1.0, 2, {"plasticity": WEAK}),
    ("fault", 4, "double", 1.0, 2, {"plasticity": WEAK}),
    ("fault", 3, "double", 1.0, 2, {"attenuation": LOSS}),
    ("box", 3, "double", 1.0, 2, {}),
    ("box", 3, "float", 1.0, 1, {}),
    ("box", 5, "double", 0.9, 3, {}),
    ("box", 4, "double", 1.0, 2, {"attenuation": LOSS}),
    ("box", 6, "double", 0.9, 2, {}),
]
SILENT = [
    *PLANTED,
    ("fault", 5, "float", None, 3, {"law": "ageing"}),
    ("fault", 6, "float", None, 1, {"law": "fast-weakening"}),
    ("fault", 7, "float", None, 2, {"plasticity": WEAK}),
    ("fault", 5, "double", None, 2, {"plasticity": WEAK, "attenuation": LOSS}),
    ("fault", 2, "float", None, 2, {"attenuation": LOSS}),
    ("fault", 2, "double", None, 2, {"law": "linear-slip-weakening-bimaterial", "plasticity": WEAK}),
    ("box", 2, "double", None, 2, {}),
    ("box", 7, "double", None, 2, {}),
    ("box", 7, "float", None, 3, {"attenuation": LOSS}),
    ("box", 6, "float", None, 2, {}),
]


def high_orders_long(cases):
    """The same cases; those of order 6 and 7, which take most of the time, are marked long."""
    return [pytest.param(*case, marks=pytest.mark.long) if case[1] > 5 else case for case in cases]


def case_of(name, order, precision, rate, more, ground):
    """A rupture, or a box with two sources that act until its end."""
    if name == "fault":
        table = small_fault(ground)
        law = more.get("law", "linear-slip-weakening")
        table["fault"]["law"] = law
        if LAWS[law]:
            whole, patch = table["fault"]["set"]
            table["fault"]["nucleation_duration"] = 0.1
            table["fault"]["set"] = [
                LAWS[law] | {"stress": whole["stress"] | {"xy": 75e6}},
                {"box": patch["box"], "nucleation": {"stress": {"xy": 25e6}}},
            ]
        table["output"] = {"rupture": {"file": "rupture.nc", "every": "50ms"}}
    else:
        table = small_case()
        table["time"]["end"] = "0.4s"
        table["source"]["point"][0]["rise_time"] = 0.1
        table["output"] = {"energies": {"file": "energy.nc", "every": "20ms"}}
    table["solver"] = {"order": order, "precision": precision, "cluster_rate": rate}
    for key in ("plasticity", "attenuation"):
        if key in more:
            table[key] = more[key]
    if "attenuation" in more:
        for rock in table["material"]["rock"]:
            if "layers" in rock:
                rock["layers"] = [[*layer, 100.0, 50.0] for layer in rock["layers"]]
            else:
                rock.update({"qp": 100.0, "qs": 50.0})
    return table


def told(output):
    """(times, moment of faults or energy of waves) of what a run has written."""
    path = output / "rupture.nc"
    with netCDF4.Dataset(path if path.exists() else output / "energy.nc") as file:
        values = file["moment"][:] if path.exists() else file["kinetic"][:] + file["elastic"][:]
        return file["time"][:].filled(), values.filled()


@pytest.fixture(scope="module")
def sound(mesh, tmp_path_factory):  # noqa: F811
    """The output of a case by the usual step, once."""
    found = {}

    def of(name, order, precision, rate, more):
        key = repr((name, order, precision, rate, more))
        if key not in found:
            folder = tmp_path_factory.mktemp("sound")
            case = write_case(folder / "case.toml", case_of(name, order, precision, rate, more, mesh))
            found[key] = (groundswell("run", case, seconds=300), folder / "output")
        return found[key]

    return of


@pytest.mark.parametrize("name, order, precision, courant, rate, more", high_orders_long(SILENT))
def test_a_sound_run_is_silent(sound, name, order, precision, courant, rate, more):
    outcome, _ = sound(name, order, precision, rate, more)
    assert outcome.code == 0, outcome.stderr
    assert "energy grows" not in outcome.stderr, outcome.stderr


@pytest.mark.parametrize("name, order, precision, courant, rate, more", high_orders_long(PLANTED))
def test_an_unstable_run_ends_before_it_tells_what_is_not_true(
    sound,
    mesh,  # noqa: F811
    tmp_path,
    name,
    order,
    precision,
    courant,
    rate,
    more,
):
    table = case_of(name, order, precision, rate, more, mesh)
    table["solver"] |= {"step_rule": "own", "courant": courant}
    table["time"]["end"] = "5s"
    outcome = groundswell("run", write_case(tmp_path / "case.toml", table), seconds=300)
    assert outcome.code == 3, outcome.stderr
    for word in ("in cell ", "(cluster ", " m (", f"solver.courant = {courant:g} is more than the usual"):
        assert word in outcome.errors[0], outcome.errors
    _, output = sound(name, order, precision, rate, more)
    (time, value), (right_time, right) = told(tmp_path / "output"), told(output)
    both = min(len(time), len(right_time))
    np.testing.assert_allclose(value[:both], right[:both], rtol=0.05, atol=0.01 * right.max())


def test_ground_that_no_source_nearby_drives_ends_a_run(tmp_path):
    """A force that would lift a mountain: fast at its own elements is its own affair, at their neighbours' neighbours it is not."""
    table = case_of("box", 3, "double", 2, {}, None)
    table["mesh"]["box"]["cubes"] = [20, 18, 22]
    table["source"]["point"][1]["force"] = [0, 0, -1e16]
    outcome = groundswell("run", write_case(tmp_path / "case.toml", table), seconds=300)
    assert outcome.code == 3, outcome.stderr
    for word in ("the ground moves at", "no source nearby drives", "in cell ", "solver.courant than 0.95"):
        assert word in outcome.errors[0], outcome.errors


def test_a_fault_faster_than_its_stress_could_drive_it_ends_a_run(mesh, tmp_path):  # noqa: F811
    """A plane wave of 900 m/s shears a fault under 1 MPa, ten times of which drive 4 m/s."""
    table = small_fault(mesh)
    table["fault"]["set"] = [table["fault"]["set"][0] | {"stress": {"yy": -1e6, "xy": 0.1e6}}]
    table["initial"] = {
        "wave": [
            {
                "kind": "S",
                "direction": [0, 1, 0],
                "polarisation": [1, 0, 0],
                "width": 1000,
                "centre": [0, -2500, -1500],
                "velocity": 900,
            }
        ]
    }
    table["output"] = {"rupture": {"file": "rupture.nc", "every": "50ms"}}
    outcome = groundswell("run", write_case(tmp_path / "case.toml", table), seconds=300)
    assert outcome.code == 3, outcome.stderr
    for word in ("a fault slips at", "more than 100 m/s", "in cell ", "(cluster "):
        assert word in outcome.errors[0], outcome.errors


@pytest.mark.parametrize(
    "change, said",
    [
        (lambda t: t["source"]["point"][1].update(force=[1e300, 0, 0]), "force = [1e+300, 0, 0]"),
        (lambda t: t["source"]["point"][0].update(scalar_moment=1e300), "scalar_moment = 1e+300"),
        (lambda t: t["source"]["point"][0].update(onset=-1e300), "onset = -1e+300"),
        (
            lambda t: t["material"].update(rock=[{"density": 1e-300, "vp": 6000, "vs": 3464}]),
            "density = 1e-300",
        ),
        (lambda t: t["material"].update(rock=[{"density": 2700, "vp": 6000, "vs": 1e-300}]), "vs = 1e-300"),
        (lambda t: t["material"]["rock"][0]["layers"][0].__setitem__(0, 1e300), "layers"),
    ],
)
def test_numbers_that_no_quantity_has_are_refused(tmp_path, change, said):
    table = case_of("box", 3, "double", 2, {}, None)
    change(table)
    refused(groundswell("run", write_case(tmp_path / "case.toml", table), "--check"), said)


def moment_of(table, size):
    table["source"]["point"] = [
        {
            "place": [10, -20, -610],
            "moment": {"xy": size},
            "time_function": "gaussian",
            "centre": 0.1,
            "width": 0.02,
        }
    ]
    del table["material"]
    table["material"] = {"unusual": True, "rock": [{"density": 1e-29, "vp": 6000, "vs": 3464}]}
    return table


def test_nothing_is_written_that_is_no_number(tmp_path):
    """Rock so light that waves overflow in single precision: the run ends, and what it has written are numbers."""
    table = moment_of(case_of("box", 3, "float", 2, {}, None), 1e26)
    table["output"]["map"] = [{"file": "map.nc", "every": "10ms", "fields": ["vx", "sxx"]}]
    outcome = groundswell("run", write_case(tmp_path / "case.toml", table), seconds=300)
    assert outcome.code == 3, outcome.stderr
    files = [str(path) for path in (tmp_path / "output").glob("*.nc")]
    assert not files or groundswell("verify", "--values", *files).code == 0


def test_verify_finds_values_that_are_no_numbers(tmp_path):
    with netCDF4.Dataset(tmp_path / "some.nc", "w", format="NETCDF3_64BIT_DATA") as file:
        file.createDimension("time", None)
        file.createDimension("place", 4)
        file.createVariable("time", "f8", ("time",))[:] = [0.0, 1.0, 2.0]
        values = np.ones((3, 4))
        values[1, 2], values[2, 3] = np.nan, np.inf
        file.createVariable("vx", "f4", ("time", "place"))[:] = values
        file.createVariable("depth", "f8", ("place",))[:] = [1, np.nan, np.nan, 2]
    assert groundswell("verify", tmp_path / "some.nc").code == 0
    outcome = groundswell("verify", "--values", tmp_path / "some.nc")
    assert outcome.code == 1
    for said in (
        "record 1: variable vx: 1 value is no finite number, the first is number 3",
        "record 2: variable vx: 1 value is no finite number, the first is number 4",
        "variable depth: 2 values are no finite numbers, the first is number 2",
    ):
        assert said in outcome.stdout, outcome.stdout


@pytest.mark.parametrize(
    ("order", "least", "most"),
    [(3, -2e-2, -5e-3), (4, -1e-3, -2e-4), (5, 0.0, 5e-5), (6, 0.0, 5e-6), (7, -2e-7, 2e-7)],
)
def test_what_a_wave_gains_or_loses_in_a_wavelength_is_what_the_manual_says(tmp_path, order, least, most):
    """Four cubes a wavelength, periodic: at orders 5 and 6 the error of a step has the sign of a gain, and stays as small as that."""
    table = {
        "model": "quake",
        "time": {"end": "12s"},
        "mesh": {"unusual": True, "box": {"cubes": [4, 4, 4], "length": [4.0, 4.0, 4.0], "periodic": ["x", "y", "z"]}},
        "solver": {"order": order, "cluster_rate": 1},
        "material": {"unusual": True, "rock": [{"density": 1.0, "vp": 1.0, "vs": 0.5}]},
        "initial": {"wave": [{"kind": "P", "wave_vector": [np.pi / 2, 0.0, 0.0]}]},
        "output": {"energies": {"file": "energy.nc", "every": "4s"}},
    }  # fmt: skip
    run(write_case(tmp_path / "case.toml", table))
    with netCDF4.Dataset(tmp_path / "output/energy.nc") as file:
        energy = file["kinetic"][:] + file["elastic"][:]
    change = (energy[-1] / energy[1]) ** 0.5 - 1.0
    assert least < change < most, change
