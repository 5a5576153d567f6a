"""bench/predict.py: runs of both models beside their predictions, here on one host and on small meshes."""

import json
import os
import pathlib
import subprocess
import sys

import pytest
from pages import ROOT

PROGRAMS = pathlib.Path(os.environ.get("GROUNDSWELL_BENCH_BIN", ROOT / "build/release/bin"))


@pytest.mark.long
def test_predictions_stand_beside_runs(tmp_path):
    answer = subprocess.run(
        [sys.executable, ROOT / "bench/predict.py", tmp_path, "--quick", "--one-host", "--rounds", "1"],
        env={
            **os.environ,
            "PATH": os.pathsep.join([str(PROGRAMS), str(ROOT / "build/venv/bin"), os.environ["PATH"]]),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 0, answer.stderr
    result = json.loads((tmp_path / "predict.json").read_text())["result"]
    rows = {(row["model"], row["place"]): row for row in result["rows"]}
    assert set(rows) == {(model, f"{n} on 1 host") for model in ("sea", "quake") for n in (1, 2, 4)}
    for row in rows.values():
        for what in ("step", "start"):
            assert row[what] == row["predicted"][what] / row["measured"][what] - 1
            assert row["measured"][what] > 0
        assert row["communication"] == row["predicted"]["communication"] - row["measured"]["communication"]
    # What one rank was measured with tells one rank's step.
    assert all(abs(rows[model, "1 on 1 host"]["step"]) < 1.0 for model in ("sea", "quake"))
    for model, told in result["models"].items():
        assert f"{model}, step: at most 25 wanted" in answer.stdout and told["step"]["largest"] >= 0
