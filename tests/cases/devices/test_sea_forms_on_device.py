"""Whatever a case of the sea has, a run on a device holds the bits of one on processors: with other ranks, and with restarts from one to the other."""

import shutil

import pytest
from launching import STORM_FILES, assert_same, run, storm_case, write_case
from ocean import LATITUDE, RAMP_OF_ICE, write_ocean

# Sums that the device adds up for each cell, and a file that takes the bins themselves.
MORE_MAPS = [
    {
        "file": "products.nc",
        "every": "30min",
        "fields": ["hs_sea", "dir_swell", "ustokes", "vflux", "ubot", "sxy", "uforce", "qp"],
    },
    {"file": "ocean.nc", "every": "30min", "fields": ["utauoc", "vtauoc", "phioc"]},
    {"file": "highest.nc", "every": "1h", "statistic": "maximum", "fields": ["hs", "hs_swell"]},
    {"file": "systems.nc", "every": "1h", "fields": ["hs_part1", "hmax"]},
]
END, MIDDLE = "restart_20240906T040000.nc", "restart_20240906T033000.nc"
TRIADS = ["wind_snyder", "triads", "whitecapping_steepness", "four_wave", "bottom_friction", "breaking"]
SWELL = {"hs": 2.5, "tp": 12.0, "direction": 90.0, "spread": 25.0}
ICE = {
    "ice": [RAMP_OF_ICE],
    "ice_thickness": [{"uniform": 1.5}],
}


def ice(form, **physics):
    return {**ICE, "physics": {"ice": form, "ice_viscosity": 0.1, **physics}}


FORMS = {
    "st6": ("second-order", {"physics": {"package": "st6"}}),
    "wam3-triads": ("upwind", {"physics": {"package": "wam3", "terms": TRIADS}}),
    "ice-that-blocks": ("upwind", ice("blocking")),
    "ice-by-power-law": ("second-order", ice("power-law")),
    "ice-over-swell": (
        "upwind",
        {
            **ice("boundary-layer", package="none"),
            "initial": {"state": "swell", "centre": [112.0, 18.0], "radius": 400.0, **SWELL},
        },
    ),
}

JET = {"shape": "jet", "amplitude": [0.4, 0.9], "centre": [112.0, 17.0], "width": 200.0}


@pytest.fixture(scope="module")
def ocean(tmp_path_factory):
    """Currents, and levels of up to 6 m, by which shallow cells fall dry and are wet again."""
    return write_ocean(tmp_path_factory.mktemp("ocean") / "cmems.nc", latitude=LATITUDE, level=6.0)


def forms(ocean):
    """Scheme of propagation, and what the case has besides that of a storm."""
    levels = {"water_level": [{"file": ocean}]}
    water = {"current": [{"file": ocean}, {**JET, "blend": "add"}], **levels}
    return {
        "levels": ("second-order", levels),
        "currents": ("upwind", {"current": [JET], "physics": {"relative_wind": True}}),
        "currents-and-levels": ("second-order", {**water, "boundary": [SWELL]}),
        "all-by-upwind": ("upwind", {**water, **ice("power-law", package="st6"), "boundary": [SWELL]}),
        "clusters": ("second-order", {"cluster_rate": 2}),
        "clusters-by-upwind": ("upwind", {"cluster_rate": 2, **levels}),
        "all-in-clusters": (
            "second-order",
            {"cluster_rate": 2, **water, **ice("blocking"), "boundary": [SWELL]},
        ),
        **FORMS,
    }


def case_of(form, shelf, wind_file, ocean):
    """A storm of an hour, and the files that it writes."""
    scheme, more = forms(ocean)[form]
    table = storm_case(shelf, wind_file, hours=1)
    table["time"]["source_step"] = "10min"
    table["spectrum"] |= {"directions": 8, "frequencies": 12, "ratio": 1.13}
    table["propagation"]["scheme"] = scheme
    table["output"]["restart"] = {"every": "30min", "keep": 0}
    table["propagation"]["cluster_rate"] = more.pop("cluster_rate", 1)
    table |= more
    if table.get("physics", {}).get("package") == "none":
        del table["wind"]
        table["output"]["map"] = table["output"]["map"][:1]
        table["output"]["map"][0]["fields"].remove("ustar")
    table["output"]["map"] += [dict(one) for one in MORE_MAPS]
    files = [name for name in STORM_FILES if name != "wind.nc" or "wind" in table]
    return table, files + [one["file"] for one in MORE_MAPS]


@pytest.mark.parametrize("form", forms(None))
def test_the_bits_are_those_of_the_processor(shelf, wind_file, ocean, tmp_path, form):
    table, files = case_of(form, shelf, wind_file, ocean)
    case = write_case(tmp_path / "case.toml", table)
    run(case, "--output", tmp_path / "one")
    device = ("--set", "run.device=gpu", "--set", "run.ranks_of_gpu=8")
    for seed, ranks in ((1, 1), (2, 2)):
        there = tmp_path / str(seed)
        run(case, "--output", there, *device, ranks=ranks, env={"GROUNDSWELL_PLAYED_DEVICE": str(seed)})
        assert_same(there, tmp_path / "one", [*files, MIDDLE, END])
    # On from the processor's, and the other way round.
    env = {"GROUNDSWELL_PLAYED_DEVICE": "3"}
    for folder, before, more_arguments in (("on", "one", device), ("back", "2", ())):
        there = shutil.copytree(tmp_path / before, tmp_path / folder)
        (there / END).unlink()
        run(
            case,
            "--output",
            there,
            "--restart",
            tmp_path / before / MIDDLE,
            *more_arguments,
            ranks=2,
            env=env,
        )
        assert_same(there, tmp_path / "one", [*files, END])
