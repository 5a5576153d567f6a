"""`plot timeline`: how long each thread did what, also of a run that was killed."""

import json

import pytest

from groundswell.errors import Refusal
from groundswell.plot.measured.timeline import draw_timeline, rows_of, shares


def slice_of(pid, tid, name, category, begin, end):
    return {
        "name": name,
        "cat": category,
        "ph": "X",
        "ts": 1e6 * begin,
        "dur": 1e6 * (end - begin),
        "pid": pid,
        "tid": tid,
    }


def named(kind, pid, tid, name):
    return {"name": f"{kind}_name", "ph": "M", "pid": pid, "tid": tid, "args": {"name": name}}


EVENTS = [
    named("process", 1, 0, "rank 0 on here"),
    named("thread", 1, 1000, "main"),
    named("thread", 1, 1001, "writer"),
    named("process", 2, 0, "rank 1 on here"),
    named("thread", 2, 2000, "main"),
    slice_of(1, 1000, "reading", "start-up", 0.0, 1.0),
    slice_of(1, 1000, "propagation", "phase", 1.0, 2.0),
    slice_of(1, 1000, "MPI_Waitall", "mpi", 2.1, 2.4),
    slice_of(1, 1000, "exchange_wait", "phase", 2.0, 2.5),
    slice_of(1, 1000, "propagation", "phase", 2.5, 4.0),
    slice_of(1, 1001, "write", "output", 3.0, 3.25),
    slice_of(2, 2000, "propagation", "phase", 1.0, 4.0),
]


@pytest.fixture
def trace(tmp_path):
    path = tmp_path / "trace.json"
    lines = [json.dumps(event) + "," for event in EVENTS]
    path.write_text(
        "[\n"
        + "\n".join(lines)
        + "\n"
        + json.dumps({"name": "end", "ph": "M", "pid": 1, "args": {}})
        + "\n]\n"
    )
    json.loads(path.read_text())
    return path


def seconds(result):
    return {row["row"]: row["seconds"] for row in result["rows"]}


def test_seconds_are_those_of_the_spans(trace):
    _, result = draw_timeline(trace)
    found = seconds(result)
    assert result["complete"] and result["to"] == pytest.approx(4.0)
    assert found["rank 0, main"] == pytest.approx({"start-up": 1.0, "propagation": 2.5, "exchange_wait": 0.5})
    assert found["rank 0, writer"] == pytest.approx({"output": 0.25})
    assert found["rank 1, main"] == pytest.approx({"propagation": 3.0})


def test_a_part_has_what_lies_in_it(trace):
    _, result = draw_timeline(trace, (1.75, 2.25))
    assert seconds(result)["rank 0, main"] == pytest.approx({"propagation": 0.25, "exchange_wait": 0.25})
    with pytest.raises(Refusal, match="--from"):
        draw_timeline(trace, (9.0, 10.0))


def test_pieces_of_time_are_full_where_a_span_covers_them(trace):
    rows, _ = rows_of(trace)
    found = shares(rows[0], 0.0, 4.0, 8)
    assert found["propagation"] == pytest.approx([0, 0, 1, 1, 0, 1, 1, 1])
    assert sum(found.values()) == pytest.approx([1] * 8)


def test_a_run_that_was_killed_is_drawn_as_far_as_it_came(trace, tmp_path):
    cut = tmp_path / "cut.json"
    text = trace.read_text()
    cut.write_text(text[: text.rindex('"propagation"') + 20])
    figure, result = draw_timeline(cut)
    assert not result["complete"] and result["rows"][0]["seconds"]["propagation"] == pytest.approx(2.5)
    assert any("cut off 4.0 s after its start" in text.get_text() for text in figure.texts)


def test_what_is_no_timeline_is_refused(tmp_path):
    for text, word in [
        ("{}", "begins with"),
        ("[\nnonsense,\n{}\n]\n", "no event"),
        ("[\n]\n", "first step"),
    ]:
        path = tmp_path / "trace.json"
        path.write_text(text)
        with pytest.raises(Refusal, match=word):
            draw_timeline(path)
    with pytest.raises(Refusal, match="No such file"):
        draw_timeline(tmp_path / "none.json")
