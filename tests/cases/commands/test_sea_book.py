"""The validation book of the sea: its cases are whole, its page is that of its results, and a part of it runs."""

import concurrent.futures
import json
import sys

import pytest
import tomllib
from launching import PROGRAM, ROOT

FOLDER = ROOT / "tests/validation/sea"
sys.path.insert(0, str(FOLDER))
import book  # noqa: E402
from case import Case, Score, worst  # noqa: E402
from page import write_page  # noqa: E402


@pytest.mark.parametrize("name", book.names())
def test_a_case_runs_by_itself_and_stands_in_the_book(name):
    case, mesh = (tomllib.loads((FOLDER / name / f"{file}.toml").read_text()) for file in ("case", "mesh"))
    assert case["mesh"]["file"] == mesh["mesh"]["output"] == "output/mesh.nc"
    judged = Case(FOLDER / name)
    assert judged.title and judged.text and judged.runs
    meshes = getattr(judged.judging, "MESHES", {})
    assert {run["mesh"] for run in judged.runs.values() if "mesh" in run} <= set(meshes)
    assert (book.BOOK / f"{name}.png").exists() and name in book.known()


def test_the_page_is_that_of_its_results(tmp_path):
    write_page(tmp_path, book.results())
    assert (tmp_path / "README.md").read_text() == (book.BOOK / "README.md").read_text()


def test_a_score_outside_its_band_shows(tmp_path, monkeypatch):
    scores = [
        worst("near", [0.95, 1.02], 0.9, 1.1),
        Score("far", 1.2, 0.9, 1.1),
        Score("none", float("nan"), 0, 1),
    ]
    assert scores[0].value == 0.95
    result = {
        "title": "Case",
        "text": "Text",
        "scores": [s.as_dict() for s in scores],
        "seconds": 1,
        "runs": 1,
    }
    result |= {"date": "2000-01-02", "machine": "here"}
    monkeypatch.setattr(book, "RESULTS", tmp_path / "results.json")
    monkeypatch.setattr(book.summary, "FOLDER", tmp_path)
    assert not book.record("case", result)
    assert book.lost(None, result) == {"far", "none"} and book.lost(result, result) == set()
    assert book.lost({"scores": [{**scores[1].as_dict(), "value": 1.0}]}, result) == {"far"}
    write_page(tmp_path, book.known())
    text = (tmp_path / "README.md").read_text()
    assert (
        "| near | 0.95 |" in text
        and "| far | **1.2** |" in text
        and "**nan**" in text
        and "**1 of 3**" in text
    )
    (case,) = json.loads((tmp_path / "sea/summary.json").read_text())["cases"]
    assert case["passed"] is False and case["scores"][1]["value"] == pytest.approx(0.2)
    assert case["scores"][1]["limit"] == pytest.approx(0.1)


def test_a_case_whose_data_are_not_there_is_left_out(monkeypatch, capsys):
    monkeypatch.delenv("GROUNDSWELL_TEST_DATA", raising=False)
    assert not book.can_run("winds") and "GROUNDSWELL_TEST_DATA is not set" in capsys.readouterr().out
    assert book.can_run("fetch")
    monkeypatch.setenv("GROUNDSWELL_TEST_DATA", "anywhere")
    assert book.can_run("winds")


def test_growth_of_two_packages_is_that_of_their_home_codes(tmp_path, monkeypatch):
    monkeypatch.setattr("case.OUTPUT", tmp_path)
    monkeypatch.setattr("case.PROGRAM", PROGRAM)
    case = Case(FOLDER / "duration")
    names = {"st4, ww3, 10", "st4, ecwam, 10"}
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        case.run(pool, names)
    assert set(case.out) == names
    for package, wind in (("st4, ww3", 10), ("st4, ecwam", 10)):
        hs, _, _ = case.judging.series(case.out, package, wind)
        for hour, height in case.judging.HOME[package, wind].items():
            assert hs[hour] == pytest.approx(height, rel=0.04), (package, hour)
