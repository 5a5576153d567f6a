"""Ranks scattered over hosts: found by `doctor`, remedied by giving parts to ranks accordingly. Many ranks."""

import json

import netCDF4
import pytest
from launching import assert_same, groundswell, run, swell_case, write_case

FILES = ["swell.nc", "restart_20240906T010000.nc"]  # the restart holds the whole state


@pytest.mark.parametrize("hosts", ["2", "2,round-robin", "2,random"])
def test_doctor_finds_scattered_ranks(tmp_path, hosts):
    path = tmp_path / "doctor.json"
    env = {"GROUNDSWELL_TEST_HOSTS": hosts}
    outcome = groundswell("doctor", "--no-speed", "--json", path, ranks=4, env=env)
    problems = json.loads(path.read_text())["result"]["problems"]
    found = [problem for problem in problems if problem["code"] == "scattered-ranks"]
    assert len(found) == (0 if hosts == "2" else 1)
    if found:
        assert outcome.code == 1
        assert ("round robin" in found[0]["message"]) == (hosts == "2,round-robin")
        assert "two-level" in found[0]["fix"]


def off_host_share(folder, mesh, hosts, partition, mapping="auto"):
    path = folder / "halo.json"
    outcome = groundswell(
        "halo",
        mesh,
        *("--partition", partition, "--mapping", mapping, "--transport", "posted", "--repeats", 2, "--quiet"),
        *("--json", path),
        ranks=4,
        env={"GROUNDSWELL_TEST_HOSTS": hosts},
    )
    assert outcome.code == 0, outcome.stderr
    return json.loads(path.read_text())["result"]["off_host_share"]


@pytest.mark.parametrize("hosts", ["2,round-robin", "2,random"])
def test_scattered_ranks_are_remapped(tmp_path, coast_mesh, hosts):
    """Two levels by construction and mapped parts as well: what leaves a host is what leaves it in blocks."""
    good = off_host_share(tmp_path, coast_mesh, "2", "two-level")
    assert off_host_share(tmp_path, coast_mesh, hosts, "two-level") == pytest.approx(good)
    mapped = off_host_share(tmp_path, coast_mesh, hosts, "plain")
    assert mapped == pytest.approx(off_host_share(tmp_path, coast_mesh, "2", "plain"))
    assert mapped < 0.8 * off_host_share(tmp_path, coast_mesh, hosts, "plain", "none")


@pytest.fixture(scope="module")
def swell(tmp_path_factory, coast_mesh):
    """A case of 542 cells and the folder of its run by one rank."""
    folder = tmp_path_factory.mktemp("swell")
    table = swell_case(coast_mesh, hours=1, centre=(112.0, 17.0), radius=400.0)
    table["spectrum"].update({"directions": 12, "frequencies": 6})
    table["output"]["map"][0]["every"] = "30min"
    table["output"]["restart"] = {"every": "1h"}
    case = write_case(folder / "case.toml", table)
    run(case, "--output", folder / "one")
    return case, folder / "one"


@pytest.mark.parametrize("hosts", ["2", "2,round-robin"])
@pytest.mark.parametrize("mapping", ["auto", "none"])
def test_the_bits_do_not_depend_on_the_mapping(swell, tmp_path, hosts, mapping):
    case, one = swell
    sets = ("--set", "mesh.partition=plain", "--set", f"mesh.mapping={mapping}")
    run(case, "--output", tmp_path, *sets, ranks=4, env={"GROUNDSWELL_TEST_HOSTS": hosts})
    assert_same(tmp_path, one, FILES)


@pytest.mark.long
def test_64_ranks_on_scattered_hosts_that_were_moved(swell, tmp_path):
    """Eight cells to a rank, second order: some parts lie within the second ring of others' neighbours."""
    case, one = swell
    sets = ("--set", "mesh.partition=plain", "--set", "halo.reorder=true", "--set", "halo.transport=posted")
    env = {"GROUNDSWELL_TEST_HOSTS": "3,random", "GROUNDSWELL_TEST_REORDER": "reverse"}
    run(case, "--output", tmp_path, *sets, ranks=64, env=env, seconds=300)
    assert_same(tmp_path, one, FILES)


@pytest.mark.parametrize("partition", ["plain", "two-level"])
def test_more_ranks_than_cells(tmp_path, tiny_mesh, partition):
    table = swell_case(tiny_mesh, hours=1, centre=(112.0, 17.0), radius=4000.0)
    table["output"]["map"][0]["every"] = "30min"
    case = write_case(tmp_path / "case.toml", table)
    run(case, "--output", tmp_path / "one")
    sets = ("--set", f"mesh.partition={partition}", "--set", "halo.reorder=true")
    run(case, "--output", tmp_path / "many", *sets, ranks=16, env={"GROUNDSWELL_TEST_HOSTS": "2,round-robin"})
    assert_same(tmp_path / "many", tmp_path / "one", ["swell.nc"])


def test_partition_is_the_cut_of_a_run(tmp_path, coast_mesh):
    """Every cell has a part, cells on land none; the pairs cut are those of the mesh file; mapping cuts no others."""
    report = {}
    for mapping in ("auto", "none"):
        parts = tmp_path / f"{mapping}.nc"
        outcome = groundswell(
            "partition",
            coast_mesh,
            *("--parts", 10, "--per-host", 3, "--method", "plain", "--mapping", mapping),
            *("--output", parts, "--json", tmp_path / "p.json"),
        )
        assert outcome.code == 0, outcome.stderr
        result = json.loads((tmp_path / "p.json").read_text())["result"]
        with netCDF4.Dataset(parts) as data, netCDF4.Dataset(coast_mesh) as mesh:
            part, depth = data["part"][:], mesh["bottomDepth"][:]
            one, other = mesh["cellsOnEdge"][:].T - 1
        both = (one >= 0) & (other >= 0)
        one, other = part[one[both]], part[other[both]]
        pairs = (one >= 0) & (other >= 0)
        assert set(part[part >= 0]) == set(range(10)) and (part[depth <= 0] == -1).all()
        assert result["edge_cut"] == (pairs & (one != other)).sum()
        assert result["host_cut"] == (pairs & (one // 3 != other // 3)).sum()
        assert result["mapped"] == (mapping == "auto")
        report[mapping] = result
    assert report["auto"]["edge_cut"] == report["none"]["edge_cut"]
    assert report["auto"]["host_cut"] < report["none"]["host_cut"]
