"""What output costs is told by file, and where servers are by host."""

import pytest
from launching import groundswell, output_mode
from profiling import result_of, sea


def case_of(folder, mesh, mode):
    points = {"file": "points.nc", "every": "2h", "at": [[0.0, 0.0]], "fields": ["hs"]}
    return sea(
        folder,
        mesh,
        hours=4,
        mode=mode,
        map=[{"file": "map.nc", "every": "1h", "fields": ["hs", "tp"]}],
        points=[points],
        restart={"every": "2h"},
    )


def output_of(case, ranks, env=None):
    outcome = groundswell("run", case, "--output", case.parent / "out", "--overwrite", ranks=ranks, env=env)
    assert outcome.code == 0, outcome.stderr
    return result_of(case.parent / "out")["output"], outcome.stdout


@pytest.mark.parametrize("mode, ranks", [(output_mode("direct"), 2), ("thread", 2), ("servers", 3)])
def test_front_and_back_end_of_each_file(tmp_path, sphere_mesh, mode, ranks):
    output, said = output_of(case_of(tmp_path, sphere_mesh, mode), ranks)
    files = {one["file"]: one for one in output["files"]}
    assert set(files) == {"map.nc", "points.nc", "restarts"}
    assert files["map.nc"]["records"] == 5 and files["points.nc"]["records"] == 3
    assert sum(one["records"] for one in files.values()) == output["records"]
    assert sum(one["bytes"] for one in files.values()) == output["bytes"] and files["restarts"]["bytes"] > 0
    for key in ("blocked_seconds", "writing_seconds"):
        parts = sum(one[key]["mean"] for one in files.values())
        assert 0 < parts
    # What is no file's, finding out which rows go where and closing at the end, is in the whole alone.
    assert sum(one["writing_seconds"]["mean"] for one in files.values()) <= output["writing_seconds"]["mean"]
    for name in files:
        assert any(name in line and "front end" in line and "back end" in line for line in said.splitlines())


def test_servers_by_host(tmp_path, sphere_mesh):
    """Two hosts of three ranks: a server and two ranks that compute on each."""
    case = case_of(tmp_path, sphere_mesh, "servers")
    case.write_text(case.read_text().replace('mode = "servers"', 'mode = "servers"\nservers = 2'))
    output, _ = output_of(case, 6, env={"GROUNDSWELL_TEST_HOSTS": "2"})
    hosts = output["servers"]
    assert [one["host"] for one in hosts] == ["pretended-0", "pretended-1"]
    for one, rank in zip(hosts, (2, 5)):
        assert one["servers"] == [{"rank": rank, "clients": 2}]
        assert (one["computing_ranks"], one["served_elsewhere"]) == (2, 0)


def test_a_server_of_another_host_is_told(tmp_path, sphere_mesh):
    """One server for two hosts of two ranks."""
    output, _ = output_of(case_of(tmp_path, sphere_mesh, "servers"), 4, env={"GROUNDSWELL_TEST_HOSTS": "2"})
    assert sum(len(one["servers"]) for one in output["servers"]) == 1
    assert sum(one["computing_ranks"] for one in output["servers"]) == 3
    assert sum(one["served_elsewhere"] for one in output["servers"]) == 2
    assert next(one for one in output["servers"] if one["servers"])["served_elsewhere"] == 0


def test_without_servers_there_are_none(tmp_path, sphere_mesh):
    output, _ = output_of(case_of(tmp_path, sphere_mesh, output_mode("direct")), 2)
    assert output["servers"] is None
