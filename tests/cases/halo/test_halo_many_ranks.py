"""More ranks than cores, each with several neighbours: every transport ends, whole and selected, with right
values."""

import json

from launching import groundswell


def test_every_transport_works_on_many_ranks(tmp_path):
    path = tmp_path / "halo.json"
    patch = ("--hexagons", "48x48", "--directions", "12", "--frequencies", "3", "--repeats", "1")
    outcome = groundswell("halo", *patch, "--selection", "--json", path, ranks=16, seconds=300)
    assert outcome.code == 0, outcome.stderr
    report = json.loads(path.read_text())
    assert report["machine"]["ranks"] == 16
    transports = [one for one in report["result"]["transports"] if one["available"]]
    # Only memory shared by the ranks of a host may be missing: a machine may forbid it.
    everywhere = {"point-to-point", "posted", "persistent", "neighbor", "datatypes"}
    assert everywhere <= {one["name"] for one in transports}
    assert all(one["verified"] for one in transports), transports
    assert f"halo transport {report['result']['auto_choice']} " in outcome.stderr
