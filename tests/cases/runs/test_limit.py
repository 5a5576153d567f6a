"""The paragraph at the end of the summary: a planted defect is named first, and a healthy run has none."""

import json

import pytest
from launching import output_mode, write_case
from profiling import BOX, run_case, sea

DEFECTS = {"slow-output", "spinning-server", "slow-rank", "imbalance", "late-ranks", "network", "start-up"}


def limit_of(outcome, result):
    """The code; its paragraph ends the summary."""
    limit = result["limited_by"]
    words = " ".join(outcome.stdout.split())
    paragraph = f"What limited this run: {limit['text']} What would help most: {limit['help']}"
    assert words.endswith(" ".join(paragraph.split())), outcome.stdout
    return limit["code"]


@pytest.mark.parametrize("ranks", [1, 2])
def test_a_healthy_run_has_none_of_the_defects(tmp_path, sphere_mesh, ranks):
    outcome, result = run_case(sea(tmp_path, sphere_mesh, hours=24), ranks=ranks)
    code = limit_of(outcome, result)
    if result["cores"]["findings"]:
        pytest.skip("the machine is busy: " + code)
    assert code in ("computing", "memory", "slow-kernels"), result["limited_by"]
    if result["limits"] is None:
        return  # a run of less than a second is not judged
    counted = [each for each in result["kernels"] if "gflops" in each]
    shares = [max(each["share_of_peak"], each["share_of_stream"]) for each in counted]
    assert shares and (code != "slow-kernels" or min(shares) < 0.2), counted


@pytest.mark.parametrize(
    "mode", [output_mode("direct"), pytest.param("thread", marks=pytest.mark.long), "servers"]
)
def test_a_slow_disk_is_named(tmp_path, sphere_mesh, mode):
    case = sea(tmp_path, sphere_mesh, hours=12, restart={"every": "3h"}, mode=mode)
    outcome, result = run_case(
        case, ranks=3 if mode == "servers" else 2, env={"GROUNDSWELL_TEST_DISK": "300kB/s"}
    )
    assert limit_of(outcome, result) == "slow-output", result["limited_by"]
    assert "MiB/s" in result["limited_by"]["text"]


def test_a_spinning_server_is_named(tmp_path, sphere_mesh):
    case = sea(tmp_path, sphere_mesh, hours=24 * 8, mode="servers")
    outcome, result = run_case(case, ranks=2, env={"GROUNDSWELL_TEST_SERVERS": "spin"})
    if result["output"]["server_idle_seconds"]["max"] < 1.0:
        pytest.skip("too short to tell")
    assert limit_of(outcome, result) == "spinning-server", result["limited_by"]
    _, sleeping = run_case(case, ranks=2)
    assert sleeping["limited_by"]["code"] != "spinning-server"


@pytest.mark.alone
def test_a_slow_rank_is_named_in_both_models(tmp_path, sphere_mesh):
    table = json.loads(json.dumps(BOX))
    table["time"]["end"] = "8s"
    table["mesh"]["box"]["cubes"] = [8, 8, 8]
    quake = write_case(tmp_path / "quake.toml", table)
    for case in (sea(tmp_path, sphere_mesh, hours=24 * 80), quake):
        outcome, result = run_case(case, env={"GROUNDSWELL_TEST_SLOW": "1:3"})
        code = limit_of(outcome, result)
        if code != "slow-rank" and any("core" in found["code"] for found in result["cores"]["findings"]):
            pytest.skip("the machine is busy: " + code)
        assert code == "slow-rank", result["limited_by"]
        assert "rank 1" in result["limited_by"]["text"].lower()
