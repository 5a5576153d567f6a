"""The summary of `make validate`: what passes, and what takes the place of what."""

import json
import pathlib
import runpy

import pytest

SUMMARY = pathlib.Path(__file__).resolve().parents[1] / "validation/summary.py"
JUNIT = """<testsuite tests="4">
<testcase name="validation_beach"/>
<testcase name="convergence_plane_wave"><failure message="too far"/></testcase>
<testcase name="test_storm"><skipped/></testcase>
</testsuite>"""


@pytest.fixture
def summary(tmp_path):
    module = runpy.run_path(str(SUMMARY))
    module["record"].__globals__["FOLDER"] = tmp_path
    return module


def test_a_case_passes_where_all_scores_are_within_their_limits(summary):
    for scores, otherwise, passed in (
        ([("slip", -0.04, 0.05)], True, True),
        ([("slip", -0.06, 0.05), ("rate", 0.0, 0.1)], True, False),
        ([("slip", 0.04, 0.05)], False, False),
        ([("slip", float("nan"), 0.05)], True, False),
    ):
        found = summary["case"]("tpv", scores, "another program", otherwise)
        assert found["passed"] is passed and len(found["scores"]) == len(scores)
        assert set(found["scores"][0]) == {"name", "value", "limit", "reference"}


def test_tests_go_to_their_model_and_new_cases_replace_old_ones(summary, tmp_path):
    (tmp_path / "junit.xml").write_text(JUNIT)
    found = summary["of_tests"](tmp_path / "junit.xml")
    assert [(c["name"], c["passed"]) for c in found["sea"]] == [("validation_beach", True)]
    assert [(c["name"], c["passed"]) for c in found["quake"]] == [("convergence_plane_wave", False)]
    for value in (0.2, 0.1):
        summary["record"]("quake", [summary["case"]("loh1", [("rms", value, 0.15)], "exact")])
        summary["record"]("quake", found["quake"])
    cases = json.loads((tmp_path / "quake/summary.json").read_text())["cases"]
    assert sorted((c["name"], c["passed"]) for c in cases) == [
        ("convergence_plane_wave", False),
        ("loh1", True),
    ]


def test_a_study_tells_what_comes_no_nearer_and_what_is_beyond_its_limit(monkeypatch):
    monkeypatch.syspath_prepend(str(SUMMARY.parent))
    from study import far

    def rows(*errors):
        kinds = ((1000, 3), (1000, 4), (500, 3))
        return [{"size": s, "order": o, "error": e} for (s, o), e in zip(kinds, errors)]

    def found(*errors):
        return far(rows(*errors), lambda row: row["error"], lambda row: [("error", -row["error"], 0.05)])

    assert found(0.2, 0.1, 0.04) == []
    assert len(found(0.2, 0.1, 0.06)) == 1 and "6.00 %" in found(0.2, 0.1, 0.06)[0]
    assert found(0.2, 0.2, 0.04) == ["1000 m, order 4: comes no nearer than 1000 m, order 3"]
    assert found(0.02, 0.01, 0.03) == ["500 m, order 3: comes no nearer than 1000 m, order 3"]
    assert len(found(0.2, 0.1, float("nan"))) == 1
