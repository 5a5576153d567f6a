"""Whatever has a form for devices has the bits of the processor with 20 seeds of the played device: so many orders of its work."""

import pytest
import test_water
from launching import ROOT, assert_same, build_setting, run, storm_case, swell_case, write_case
from test_heated_faults import heated, heated_in_clusters
from test_imposed_slip import case_of as slip_case
from test_nucleation import LAWS, LEFT, sphere
from test_nucleation import case_of as rupture_case
from test_quake_faults import mesh  # noqa: F401
from test_quake_instruction_sets import attenuating, broken, plastic, rate_and_state
from test_quake_on_device import UNFUSED, anisotropic
from test_quake_runs import small_case
from test_sea_forms_on_device import case_of, forms, ocean  # noqa: F401
from test_wind_on_device import NAMES, case_in

pytestmark = pytest.mark.long
SEEDS = range(1, 21)


def with_20_seeds(folder, table, env, files=None):
    """Runs a case on the processor and, on one rank and two in turn, on devices; compares all files, or these."""
    case = write_case(folder / "case.toml", table)
    run(case, "--output", folder / "here", env=env)
    files = files or [path.name for path in (folder / "here").glob("*.nc")]
    assert files
    device = ("--set", "run.device=gpu", "--set", "run.ranks_of_gpu=2", "--overwrite")
    for seed in SEEDS:
        played = env | {"GROUNDSWELL_PLAYED_DEVICE": str(seed)}
        run(case, "--output", folder / "there", *device, ranks=1 + seed % 2, env=played)
        assert_same(folder / "there", folder / "here", files)


# ------------------------------------------------------------------------------------------------------- the sea


@pytest.mark.parametrize("form", forms(None))
def test_forms_of_the_sea(shelf, wind_file, ocean, tmp_path, form):  # noqa: F811
    table, _ = case_of(form, shelf, wind_file, ocean)
    table["time"]["end"] = table["time"]["start"].replace(minute=20)
    for stream in (*table["output"]["map"], *table["output"]["points"], table["output"]["restart"]):
        stream["every"] = "10min"
    with_20_seeds(tmp_path, table, {})


@pytest.mark.parametrize("wind", NAMES)
def test_winds(shelf, tmp_path, wind):
    table, _ = case_in(wind, tmp_path, shelf)
    table["output"]["restart"]["every"] = "1h"
    with_20_seeds(tmp_path, table, {})


@pytest.mark.parametrize("scheme", ["upwind", "second-order"])
def test_islands(make_mesh, wind_file, tmp_path, scheme):
    region = ("--region", "106,118,12,22", "--iterations", "5", "--spacing", "200", "--obstruction")
    islands = make_mesh(f"few-islands-{scheme}", ROOT / "cases/yagi/etopo5_yagi.nc", *region)
    table = storm_case(islands, wind_file, hours=1)
    table["mesh"]["obstruction"] = islands.with_name(f"{islands.stem}.obstruction.nc")
    table["spectrum"] |= {"directions": 8, "frequencies": 8}
    table["propagation"]["scheme"] = scheme
    table["output"]["restart"] = {"every": "1h"}
    with_20_seeds(tmp_path, table, {})


@pytest.mark.parametrize("scheme", ["upwind", "second-order"])
def test_swell_over_poles_from_frame_to_frame(tiny_mesh, tmp_path, scheme):
    table = swell_case(tiny_mesh, hours=24, centre=(20.0, 75.0), radius=3000.0)
    table["propagation"]["scheme"] = scheme
    table["output"]["restart"] = {"every": "24h"}
    with_20_seeds(tmp_path, table, {})


# ------------------------------------------------------------------------------------------------- the earthquake


def ended(table, end, **solver):
    table["time"]["end"] = end
    table["solver"] |= solver
    table["output"]["restart"] = {"every": end}
    return table


def small_box(end, **solver):
    """Two point sources in clusters with steps of their own."""
    table = ended(small_case(), end, **solver)
    table["mesh"]["box"]["cubes"] = [3, 2, 2]
    table["output"]["receivers"][0] |= {"every": "2ms", "fields": ["vx", "vz", "sxy", "curl_y"]}
    table["output"]["map"][0]["every"] = end
    return table


def rupture_by(law):
    def make(ground):
        pull = sphere(LEFT, duration=0.02, traction={"strike": 40e6})
        return ended(rupture_case(ground, law, pull), "0.06s")

    return make


def sea_floor(_):
    return ended(
        test_water.case(
            mesh={"box": {"cubes": [2, 2, 3], "length": [2e3, 2e3, 3e3], "top": "sea"}},
        ),
        "0.6s",
    )


def slip_by_series(ground):
    entry = {"slip_along_strike": 1.5, "slip_onset": 0.0, "rise_time": 0.1, "acceleration_time": 0.02}
    table = slip_case(ground, "imposed-yoffe", entry)
    table["output"]["fault_receivers"][0]["at"] = [[0, 0, -1500]]
    return ended(table, "0.05s")


QUAKES = {
    **{
        f"order {order} in {precision}": lambda _, order=order, precision=precision: small_box(
            "0.02s", order=order, precision=precision
        )
        for order in range(2, 8)
        for precision in ("float", "double")
    },
    **{law: rupture_by(law) for law in LAWS},
    "a fault that breaks": lambda ground: ended(broken(ground)[0], "0.05s"),
    "one that ages": lambda ground: ended(rate_and_state(ground)[0], "0.05s"),
    "one that heats": lambda ground: ended(heated(ground), "0.04s"),
    "one that heats, by local steps": lambda ground: ended(heated_in_clusters(ground), "0.04s"),
    "slip by series in time": slip_by_series,
    "anisotropic rock": lambda ground: ended(anisotropic(ground)[0], "0.05s"),
    "rock that attenuates": lambda _: ended(attenuating(None)[0], "0.1s"),
    "rock that yields": lambda _: ended(plastic(None)[0], "0.05s"),
    "water under gravity": sea_floor,
}


@pytest.mark.parametrize("make", QUAKES.values(), ids=QUAKES)
def test_earthquakes(mesh, tmp_path, make):  # noqa: F811
    if build_setting("GROUNDSWELL_ARCH", "portable") != "portable":
        pytest.skip("the program was built for one kind of processor")
    with_20_seeds(tmp_path, make(mesh), UNFUSED)
