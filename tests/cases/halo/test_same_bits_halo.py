"""The files hold the same bits however halos travel: transport, ranks, directions, new ranks, progress, hosts."""

import itertools
import json
import re

import netCDF4
import numpy as np
import pytest
from launching import assert_same, groundswell, run, swell_case, write_case

TRANSPORTS = [
    "point-to-point",
    "posted",
    "persistent",
    "neighbor",
    "datatypes",
    "shared",
    "auto",
]
RANKS = [1, 2, 3, 4]
MANY_RANKS = 8  # too slow for `make test` where cores are few
SCHEMES = ["upwind", "second-order"]
FACTORS = {
    "transport": TRANSPORTS,
    "ranks": RANKS,
    # Only upwind needs less than all directions.
    "directions": ["upwind needed", "upwind all", "upwind auto", "second-order needed"],
    # Beside what the MPI library does by itself, ranks moved as another library might.
    "reorder": ["off", "library", "reverse", "rotate"],
    "progress": ["none", "polling", "thread"],
    "hosts": ["1", "2", "2,round-robin", "2,random"],
    "threads": [1, 2],
}
FILES = ["swell.nc", "restart_20240906T010000.nc"]  # the restart holds the whole state


def possible(way):
    """One rank cannot sit on two hosts."""
    return way.get("ranks") != 1 or way.get("hosts", "1") == "1"


def pairs_of(way):
    return set(itertools.combinations(sorted(way.items()), 2))


def covering_set(factors):
    """Few ways such that any two values of different factors meet in one of them. The same every time."""
    missing = {}
    for one, other in itertools.combinations(sorted(factors), 2):
        for pair in itertools.product(factors[one], factors[other]):
            way = dict(zip((one, other), pair, strict=True))
            if possible(way):
                missing[(one, pair[0]), (other, pair[1])] = None
    ways = []
    while missing:
        way = dict(next(iter(missing)))
        # The factor with most values first: it decides how many ways there must be.
        for name in sorted(set(factors) - set(way), key=lambda name: (-len(factors[name]), name)):
            choices = [{**way, name: value} for value in factors[name]]
            way = max(
                filter(possible, choices),
                key=lambda choice: sum(pair in missing for pair in pairs_of(choice)),
            )
        for pair in pairs_of(way):
            missing.pop(pair, None)
        ways.append(way)
    return ways


def label(way):
    return "-".join(str(way[name]).replace(" ", "-") for name in FACTORS)


@pytest.fixture(scope="module")
def reference(tmp_path_factory, coast_mesh):
    """reference(scheme) → the case, and the folder of its run by one rank that sends nothing."""
    made = {}

    def get(scheme):
        if scheme not in made:
            made[scheme] = make_reference(tmp_path_factory.mktemp(scheme), coast_mesh, scheme)
        return made[scheme]

    return get


def make_reference(folder, mesh, scheme):
    table = swell_case(mesh, hours=1, centre=(112.0, 17.0), radius=400.0)
    table["initial"]["spread"] = 80.0  # something travels in every direction
    table["time"]["source_step"] = "30min"
    table["time"]["step"] = "5min"  # 12 steps; the longest stable one is twice as long
    table["propagation"]["scheme"] = scheme
    table["output"]["map"][0]["every"] = "30min"
    table["output"]["restart"] = {"every": "1h"}
    case = write_case(folder / "case.toml", table)
    run(case, "--output", folder / "one")
    return case, folder / "one"


def assert_same_bits(reference, folder, way):
    """Runs the case in this way; the run did what it was asked for, and its files are the reference's."""
    scheme, directions = way["directions"].split()
    case, one = reference(scheme)
    sets = {
        "halo.transport": way["transport"],
        "halo.directions": directions,
        "halo.progress": way["progress"],
        "halo.reorder": "false" if way["reorder"] == "off" else "true",
        "run.threads": way["threads"],
    }
    env = {"GROUNDSWELL_TEST_HOSTS": way["hosts"]}
    if way["reorder"] in ("reverse", "rotate"):
        env["GROUNDSWELL_TEST_REORDER"] = way["reorder"]
    arguments = [word for key, value in sets.items() for word in ("--set", f"{key}={value}")]
    run(case, "--output", folder, *arguments, ranks=way["ranks"], env=env)
    result = json.loads((folder / "run.json").read_text())["result"]
    exchange = result["exchange"]
    assert way["transport"] in (result["transport"], "auto")
    assert exchange["progress"] == way["progress"]
    if way["ranks"] > 1:
        assert exchange["bytes"] <= exchange["whole_bytes"] and exchange["whole_bytes"] > 0
        if directions != "auto":
            less = scheme == "upwind" and directions == "needed"
            assert (exchange["bytes"] < 0.7 * exchange["whole_bytes"]) == less
            assert exchange["directions"] == ("needed" if less else "all")
        if way["reorder"] in ("reverse", "rotate"):
            stays = way["ranks"] % 2 if way["reorder"] == "reverse" else 0  # the one in the middle
            assert exchange["moved_ranks"] == way["ranks"] - stays
    assert_same(folder, one, FILES)


WAYS = covering_set(FACTORS)
WAYS_OF_MANY_RANKS = covering_set({**FACTORS, "ranks": [MANY_RANKS]})


def test_the_ways_cover_all_pairs():
    covered = set().union(*map(pairs_of, WAYS))
    for one, other in itertools.combinations(sorted(FACTORS), 2):
        for first, second in itertools.product(FACTORS[one], FACTORS[other]):
            if possible({one: first, other: second}):
                assert ((one, first), (other, second)) in covered
    assert len(WAYS) <= 70, "longer than `make test` has time for"


def test_the_ways_hold_every_transport_there_is():
    row = re.search(r"\| `transport` \|.*", groundswell("run", "--reference").stdout).group()
    assert set(re.findall(r'"([a-z-]+)" *(?=\\\||\|)', row.split('"auto" |', 1)[1])) == set(TRANSPORTS)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_swell_reaches_everywhere(reference, scheme):
    """A calm at the rims of the parts would hide that their bits differ."""
    _, folder = reference(scheme)
    with netCDF4.Dataset(folder / "swell.nc") as data:
        hs = data["hs"][:]
    assert (hs[-1] > 0.05).mean() > 0.9 and np.abs(hs[-1] - hs[0]).max() > 0.2


@pytest.mark.parametrize("way", WAYS, ids=label)
def test_all_pairs(reference, tmp_path, way):
    assert_same_bits(reference, tmp_path, way)


@pytest.mark.long
@pytest.mark.parametrize("way", WAYS_OF_MANY_RANKS, ids=label)
def test_all_pairs_of_many_ranks(reference, tmp_path, way):
    assert_same_bits(reference, tmp_path, way)


@pytest.mark.long
@pytest.mark.parametrize("progress", FACTORS["progress"])
@pytest.mark.parametrize("reorder", ["off", "reverse"])
@pytest.mark.parametrize("directions", ["upwind all", "upwind needed"])
@pytest.mark.parametrize("ranks", [*RANKS, MANY_RANKS])
@pytest.mark.parametrize("transport", TRANSPORTS)
def test_full_product(reference, tmp_path, transport, ranks, directions, reorder, progress):
    way = {"transport": transport, "ranks": ranks, "directions": directions, "reorder": reorder}
    way |= {"progress": progress, "hosts": "1", "threads": 1}
    assert_same_bits(reference, tmp_path, way)
