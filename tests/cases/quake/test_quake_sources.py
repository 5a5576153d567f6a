"""What sources of a case are told or refused for: frequencies that the mesh does not carry, series with gaps or in other units."""

import json
import re

import pytest
from launching import groundswell, refused, write_case


def case_of(**source):
    return {
        "model": "quake",
        "time": {"end": "10s"},
        "mesh": {"box": {"cubes": [4, 4, 4], "length": [1000, 1000, 1000]}},
        "solver": {"order": 4},
        "material": {"rock": [{"density": 2000, "vp": 1000, "vs": 500}]},
        "source": {"point": [{"place": [10, -20, -610], "moment": {"xy": 1e12}, **source}]},
    }


def check(folder, *arguments, ranks=0, **source):
    """What is told of a case, and its report."""
    report = folder / "report.json"
    outcome = groundswell(
        "run",
        write_case(folder / "case.toml", case_of(**source)),
        "--check",
        "--json",
        report,
        *arguments,
        ranks=ranks,
    )
    assert outcome.code == 0, outcome.stderr
    warnings = [line for line in outcome.stderr.splitlines() if "warning" in line]
    return warnings, json.loads(report.read_text())["result"]


def test_what_the_mesh_carries_is_told(tmp_path):
    _, result = check(tmp_path, time_function="gaussian", width=1, centre=4)
    told = result["resolution"]
    # The longest edges are the diagonals of squares of 250 m.
    longest = 2**0.5 * 250
    assert told["highest_frequency"] == pytest.approx(
        500 / (longest * told["edges_per_wavelength"]), rel=1e-9
    )
    found = groundswell("clusters", "--case", tmp_path / "case.toml", "--json", "-", ranks=2)
    coarsest = json.loads(found.stdout)["result"]["resolution"]["coarsest"]
    assert coarsest["value"] == told["highest_frequency"] and coarsest["cell"] == told["coarsest_cell"]


@pytest.mark.parametrize(
    "source, reach",
    [
        ({"time_function": "gaussian", "centre": 1, "width": 0.1}, 2.899),
        ({"time_function": "ricker", "centre": 1, "frequency": 1}, 1.942),
        ({"time_function": "brune", "rise_time": 0.2}, 2.684),
    ],
)
def test_a_source_beyond_it_is_warned_of_once(tmp_path, source, reach):
    _, result = check(tmp_path, **source)
    carried = result["resolution"]["highest_frequency"]
    # Slower or faster until its spectrum ends a little below, or above, what the mesh carries.
    key = next(key for key in ("width", "frequency", "rise_time") if key in source)
    for factor, warned in ((0.98, False), (1.02, True)):
        scale = factor * carried / reach
        value = source[key] * scale if key == "frequency" else source[key] / scale
        warnings, _ = check(tmp_path, ranks=2, **{**source, key: value})
        assert len(warnings) == warned, warnings
        if warned:
            told = float(re.search(r"below ([0-9.]+) Hz", warnings[0]).group(1))
            assert told == pytest.approx(factor * carried, rel=1e-3)
            for word in (
                "source.point 1",
                "99 % of its energy lies below",
                "at order 4",
                f"{carried:.4g} Hz",
                "cell 0 at",
                "100 % of the ground",
                "solver.order",
            ):
                assert word in warnings[0], warnings


def test_a_step_has_all_frequencies(tmp_path):
    warnings, _ = check(tmp_path, time_function="step")
    assert len(warnings) == 1 and "a step, which has all frequencies" in warnings[0]


def series(times, unit="# time [s], rate"):
    return "\n".join([unit, *(f"{time} {rate}" for rate, time in enumerate(times))]) + "\n"


@pytest.mark.parametrize(
    "text, words",
    [
        (
            series([0, 0.1, 0.2, 0.4, 0.5, 0.6]),
            [":5: time = 0.4 s after 0.2 s", "without gaps, here of 0.1 s"],
        ),
        (series([0, 0.1, 0.2, 0.15, 0.3, 0.4]), [":5: time = 0.15 s after 0.2 s", "times that ascend"]),
        (series([0, 0.1, 0.1, 0.2, 0.3]), [":4: time = 0.1 s after 0.1 s", "times that ascend"]),
        (series([0, 1, 2], "# time [ms], rate"), [":1", "times in s, not in ms"]),
        (series([0, 1, 2], "# t_min rate"), [":1", "times in s, not in min"]),
        (series([0, 1, 2], "# time in minutes"), [":1", "times in s, not in minutes"]),
        (series([0]), ["1 samples", "two samples or more"]),
        (series([0, 1]) + "2 3 4\n", [":4", "two numbers: a time in s and a rate"]),
        (series([0, "nan"]), [":3", "two numbers"]),
    ],
)
def test_series_with_gaps_or_other_units_are_refused(tmp_path, text, words):
    (tmp_path / "rate.txt").write_text(text)
    case = write_case(tmp_path / "case.toml", case_of(time_function="samples", samples="rate.txt"))
    refused(groundswell("run", case, "--check", ranks=2), "rate.txt", *words)


def test_series_in_seconds_are_read(tmp_path):
    (tmp_path / "rate.txt").write_text(series([0, 10, 20], "# time (s) of minutes\n\n  # t, rate\r"))
    warnings, _ = check(tmp_path, time_function="samples", samples="rate.txt")
    assert warnings == []


@pytest.mark.parametrize(
    "source, onset",
    [
        ({"time_function": "gaussian", "centre": 5.0, "width": 0.5}, 5.0 - 3.09 * 0.5),
        ({"time_function": "ricker", "centre": 5.0, "frequency": 1.0}, 4.053),
        ({"time_function": "brune", "onset": 1.5, "rise_time": 1.0}, 1.5),
        ({"time_function": "step", "onset": 1.5}, 1.5),
    ],
)
def test_a_source_after_the_end_is_told(tmp_path, source, onset):
    table = case_of(time_function="step", onset=0.5)
    first = table["source"]["point"][0]
    table["source"]["point"] = [first, {**first, **source}, {**first, **source}]
    for end, late in ((f"{onset - 0.1:.1f}s", True), (f"{onset + 0.2:.1f}s", False)):
        table["time"]["end"] = end
        outcome = groundswell("run", write_case(tmp_path / "case.toml", table), "--check", ranks=2 * late)
        told = [line for line in outcome.stderr.splitlines() if "acts from" in line]
        assert outcome.code == 0 and len(told) == late, outcome.stderr
        if late:
            begin, stop = re.search(
                r"source.point 2 and 1 more: acts from (\S+) s on, and time.end is (\S+) s", told[0]
            ).groups()
            assert float(begin) == pytest.approx(onset, abs=2e-3) and float(stop) == float(end[:-1])
