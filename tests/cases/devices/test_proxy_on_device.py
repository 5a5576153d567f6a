"""`groundswell proxy --device gpu` on a played device: kernels held against the processor's, beside the limits of the device."""

import json

import pytest
from launching import groundswell, refused

PLAYED = {"GROUNDSWELL_PLAYED_DEVICE": "5"}
SMALL = {
    "sea": ("--cells", "30", "--directions", "24", "--frequencies", "8"),
    "quake": ("--cells", "320", "--order", "2,3", "--mechanisms", "2"),
}


@pytest.mark.parametrize("model", SMALL)
def test_kernels_are_verified_and_timed(model, tmp_path):
    report = tmp_path / "proxy.json"
    command = (
        "proxy",
        "--device",
        "gpu",
        "--model",
        model,
        *SMALL[model],
        "--repeats",
        "5",
        "--json",
        report,
    )
    outcome = groundswell(*command, env=PLAYED)
    assert outcome.code == 0, outcome.stderr
    result = json.loads(report.read_text())["result"]
    assert "played" in result["device"]["name"] and result["device"]["name"] in outcome.stdout
    names = {"sea": {"propagation", "source"}, "quake": {"local", "neighbour", "all"}}[model]
    kinds = {"sea": {"upwind", "second-order"}, "quake": {2, 3}}[model]
    rows = result["kernels"]
    assert {(row["name"], row.get("scheme", row.get("order"))) for row in rows} == {
        (name, kind) for name in names for kind in kinds
    }
    assert all(row["verified"] and row["repeats"] == 5 and row["share_of_stream"] > 0 for row in rows)
    assert {check["kernel"] for check in result["verified"]} == names - {"all"}
    assert all(check["error"] <= check["allowed"] for check in result["verified"])
    assert result["findings"] == []  # they are about processors


def test_a_wrong_kernel_is_found():
    outcome = groundswell(
        *("proxy", "--device", "gpu", *SMALL["sea"], "--repeats", "5"),
        env={**PLAYED, "GROUNDSWELL_TEST_WRONG_KERNEL": "propagation"},
    )
    assert outcome.code == 4 and "propagation" in outcome.stderr


@pytest.mark.parametrize(
    ("options", "ranks", "words"),
    [
        (("--mesh", "mesh.nc"), 1, ("--mesh", "--device gpu")),
        (("--cells", "20000000"), 1, ("--cells", "20000000", "at most")),
        ((), 2, ("--device", "one rank, not 2")),
    ],
    ids=["mesh", "memory", "ranks"],
)
def test_what_it_cannot_do_is_refused(options, ranks, words):
    refused(groundswell("proxy", "--device", "gpu", *options, ranks=ranks, env=PLAYED), *words)
