"""The files hold the same bits however a case is run: ranks, threads, transport, output mode, partition, hosts."""

import re

import netCDF4
import numpy as np
import pytest
from launching import (
    STORM_FILES,
    assert_same,
    groundswell,
    output_mode,
    run,
    storm_case,
    swell_case,
    write_case,
)

# (ranks, threads, transport, output mode, partition, pretended hosts): every pair of values stands in some line.
WAYS = [
    (1, 2, "neighbor", "serial", "two-level", 1),
    (2, 1, "posted", "direct", "plain", 2),
    (2, 2, "neighbor", "serial", "scattered", 1),
    (3, 1, "neighbor", "direct", "scattered", 2),
    (3, 2, "posted", "serial", "two-level", 1),
    (4, 1, "posted", "serial", "scattered", 2),
    (4, 2, "neighbor", "direct", "two-level", 2),
    (4, 1, "neighbor", "serial", "plain", 1),
    (2, 1, "posted", "direct", "curve", 1),
    (3, 1, "neighbor", "serial", "curve", 2),
    (4, 2, "neighbor", "direct", "curve", 1),
]


def settings(ranks, threads, transport, mode, partition, hosts):
    sets = {
        "run.threads": threads,
        "halo.transport": transport,
        "output.mode": output_mode(mode),
        "mesh.partition": partition,
    }
    arguments = [word for key, value in sets.items() for word in ("--set", f"{key}={value}")]
    return arguments, {"ranks": ranks, "env": {"GROUNDSWELL_TEST_HOSTS": str(hosts)}}


# First order has these pairs in test_same_bits_halo.py, too.
@pytest.fixture(scope="module", params=[pytest.param("upwind", marks=pytest.mark.long), "second-order"])
def storm(request, tmp_path_factory, coast_mesh, wind_file):
    """A case and the folder of its run by one rank with one thread."""
    folder = tmp_path_factory.mktemp("storm")
    table = storm_case(coast_mesh, wind_file)
    table["propagation"]["scheme"] = request.param
    table["output"]["restart"] = {"every": "3h"}  # the whole state, at the end
    case = write_case(folder / "case.toml", table)
    run(case, "--output", folder / "one")
    return case, folder / "one"


@pytest.mark.parametrize("way", WAYS, ids=lambda way: "-".join(map(str, way)))
def test_a_storm_on_a_mesh_with_cells_of_all_sizes(storm, tmp_path, way):
    case, reference = storm
    arguments, launch = settings(*way)
    run(case, "--output", tmp_path, *arguments, **launch)
    assert_same(tmp_path, reference, [*STORM_FILES, "restart_20240906T060000.nc"])


def test_the_storm_is_a_hard_one(storm):
    """What the runs above compare must not be calm, nor the mesh an even one."""
    _, reference = storm
    with netCDF4.Dataset(reference / "hourly.nc") as data:
        hs = data["hs"][:]
        assert hs.shape[0] == 4 and np.ptp(hs[-1]) > 1.0 and hs[-1].max() > 2.0
        assert np.abs(hs[-1] - hs[0]).max() > 0.3
    with netCDF4.Dataset(reference / "hourly.nc") as data:
        lon, lat = np.radians(data["mesh_node_lon"][:]), np.radians(data["mesh_node_lat"][:])
        corners = data["mesh_face_nodes"][:]
    sizes = []
    for row in corners:
        own = row.compressed()
        sizes.append(np.hypot(np.ptp(lon[own]) * np.cos(lat[own].mean()), np.ptp(lat[own])))
    assert max(sizes) > 10 * min(sizes)


@pytest.mark.parametrize(
    ("ranks", "threads", "transport"),
    [(3, 2, "neighbor"), *(pytest.param(n, 1, "posted", marks=pytest.mark.long) for n in (2, 4))],
)
def test_swell_over_the_north_pole(tmp_path, sphere_mesh, ranks, threads, transport):
    table = swell_case(sphere_mesh, hours=24, centre=(20.0, 75.0))
    table["output"]["restart"] = {"every": "24h"}
    case = write_case(tmp_path / "case.toml", table)
    run(case, "--output", tmp_path / "one")
    arguments, launch = settings(ranks, threads, transport, "direct", "two-level", 1)
    run(case, "--output", tmp_path / "many", *arguments, **launch)
    assert_same(tmp_path / "many", tmp_path / "one", ["swell.nc", "restart_20240907T000000.nc"])
    with netCDF4.Dataset(tmp_path / "one/swell.nc") as data:
        near_pole = data["mesh_face_lat"][:] > 80.0
        assert data["hs"][-1][near_pole].max() > 0.1


@pytest.mark.parametrize(
    ("ranks", "threads", "transport"),
    [pytest.param(3, 1, "neighbor", marks=pytest.mark.long), (4, 2, "posted")],
)
def test_the_mpas_mesh_of_its_makers(tmp_path, genuine_mesh, ranks, threads, transport):
    table = swell_case(genuine_mesh, hours=24)
    table["mesh"]["uniform_depth"] = 3000.0
    table["output"]["restart"] = {"every": "24h"}
    case = write_case(tmp_path / "case.toml", table)
    run(case, "--output", tmp_path / "one")
    arguments, launch = settings(ranks, threads, transport, "direct", "two-level", 2)
    run(case, "--output", tmp_path / "many", *arguments, **launch)
    assert_same(tmp_path / "many", tmp_path / "one", ["swell.nc", "restart_20240907T000000.nc"])
    with netCDF4.Dataset(tmp_path / "one/swell.nc") as data:
        assert data["hs"].shape[1] == 162


def test_one_cell_of_many_alike_sets_the_step(make_mesh, tmp_path):
    """The sphere has the limiting cell several times over; which one is named does not depend on the ranks."""
    case = write_case(
        tmp_path / "case.toml", swell_case(make_mesh("alike", "--depth", "4000", "--icosahedron", "16"))
    )
    named = set()
    for ranks in (1, 2, 3, 4):
        outcome = groundswell("run", case, "--check", ranks=ranks)
        assert outcome.code == 0, outcome.stderr
        named.add(re.search(r"set by cell \d+", outcome.stderr).group())
    assert len(named) == 1, named


@pytest.mark.parametrize(
    "transport, mode", [("posted", "direct"), pytest.param("neighbor", "serial", marks=pytest.mark.long)]
)
def test_more_ranks_than_cells(tmp_path, tiny_mesh, transport, mode):
    """16 ranks, 12 cells: some ranks own nothing, and still take part."""
    table = storm_case(tiny_mesh, None, hours=1)
    table["wind"] = [{"uniform": [12.0, 5.0]}]
    case = write_case(tmp_path / "case.toml", table)
    run(case, "--output", tmp_path / "one")
    with netCDF4.Dataset(tmp_path / "one/hourly.nc") as data:
        assert len(data.dimensions["nFace"]) == 12 and data["hs"][-1].min() > 0.5
    arguments, launch = settings(16, 1, transport, mode, "two-level", 1)
    run(case, "--output", tmp_path / mode, *arguments, **launch)
    assert_same(tmp_path / mode, tmp_path / "one", STORM_FILES)
