"""More ranks than cores, each with several neighbours: every transport ends, with the right values."""

import json

import pytest
from launching import groundswell


@pytest.mark.parametrize("ranks,options", [(16, ["--selection"]), (64, [])])
def test_every_transport_works_on_many_ranks(tmp_path, ranks, options):
    path = tmp_path / "halo.json"
    outcome = groundswell(
        "halo",
        "--hexagons",
        "48x48",
        "--directions",
        "12",
        "--frequencies",
        "3",
        "--repeats",
        "1",
        *options,
        "--json",
        path,
        ranks=ranks,
        seconds=300,
    )
    assert outcome.code == 0, outcome.stderr
    report = json.loads(path.read_text())
    assert report["machine"]["ranks"] == ranks
    transports = [one for one in report["result"]["transports"] if one["available"]]
    assert len(transports) >= 7
    assert all(one["verified"] for one in transports), transports
    assert f"halo transport {report['result']['auto_choice']} " in outcome.stderr
