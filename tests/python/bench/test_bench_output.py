"""The evaluation of output (bench/output): what is measured, how it is judged, and that the command runs."""

import importlib
import json
import os
import pathlib
import subprocess
import sys

import pytest
from pages import ROOT

PROGRAMS = pathlib.Path(os.environ.get("GROUNDSWELL_BENCH_BIN", ROOT / "build/release/bin"))
MODULES = ("evaluation", "plan", "results", "pictures", "report")


@pytest.fixture(scope="module")
def bench():
    """The modules of the evaluation; bench/halo has some of the same names, so they do not stay."""
    folders = [str(ROOT / "bench"), str(ROOT / "bench/output")]
    sys.path[:0] = folders
    try:
        yield {name: importlib.import_module(name) for name in MODULES}
    finally:
        for folder in folders:
            sys.path.remove(folder)
        for name in MODULES:
            sys.modules.pop(name, None)


def statistic(value):
    return {"min": value, "mean": value, "max": value}


def result(total=10.0, blocked=1.0, memory=50e6, server=0.01):
    return {
        "total_seconds": statistic(total),
        "blocked_seconds": statistic(blocked),
        "finish_seconds": statistic(0.4),
        "writing_seconds": statistic(4.0),
        "setup_seconds": statistic(0.1),
        "peak_memory_bytes": statistic(memory),
        "buffer_bytes": statistic(16e6),
        "most_buffered_bytes": statistic(16e6),
        "server_peak_memory_bytes": statistic(memory),
        "server_processor_seconds": statistic(server),
        "server_seconds": statistic(1.0),
        "record_bytes": 16e6,
        "bytes": 160e6,
        "intervals": 20,
    }


def found_with(bench, rounds):
    """`rounds`: [{(part, way): result}]."""
    found = bench["results"].Found()
    for number, results in enumerate(rounds, 1):
        for (part, way), value in results.items():
            found.add(bench["plan"].Measurement(part, way, number), value)
    return found


def demand(bench, found, words):
    (one,) = [each for each in bench["results"].demands(found) if words in each.what]
    return one


def test_every_measurement_has_its_own_file(bench):
    for quick in (False, True):
        keys = [what.key for what in bench["plan"].measurements(bench["plan"].parts(quick))]
        assert len(keys) == len(set(keys))


def test_every_ratio_has_its_base_in_the_same_round(bench):
    plan = bench["plan"]
    for part in plan.parts(False):
        if part.interval and part.name != "idle":
            assert plan.NONE in part.ways and plan.DIRECT in part.ways
    assert plan.NONE in {part.name: part for part in plan.parts(False)}["only-slow"].ways


def test_ratios_are_taken_inside_a_round(bench):
    """The medians of the two ways would be 12 and 14.4, from one round, in which the second was disturbed."""
    plan = bench["plan"]
    rounds = []
    for slowness, ratio in ((3.0, 1.05), (1.0, 1.08), (1.2, 1.2)):
        rounds.append(
            {
                ("slow", plan.NONE): result(total=10.0 * slowness),
                ("slow", plan.ONE_SERVER): result(total=10.0 * ratio * slowness),
            }
        )
    one = demand(bench, found_with(bench, rounds), "one server added")
    assert one.reached == pytest.approx(1.08)
    assert one.holds


def test_too_slow_does_not_hold(bench):
    plan = bench["plan"]
    found = found_with(
        bench, [{("slow", plan.NONE): result(total=10.0), ("slow", plan.THREAD): result(total=11.6)}]
    )
    assert not demand(bench, found, "no output, `thread`").holds


@pytest.mark.parametrize("held, holds", [(0.049, True), (0.051, False)])
def test_blocked_twenty_times_less(bench, held, holds):
    plan = bench["plan"]
    found = found_with(
        bench, [{("slow", plan.DIRECT): result(blocked=1.0), ("slow", plan.ONE_SERVER): result(blocked=held)}]
    )
    assert demand(bench, found, "over servers: 1").holds == holds


@pytest.mark.parametrize("more, holds", [(24e6, True), (24.5e6, False)])
def test_memory_is_bound_and_a_record_of_the_rank(bench, more, holds):
    plan = bench["plan"]
    found = found_with(
        bench,
        [{("only-slow", plan.NONE): result(), ("only-slow", plan.ONE_SERVER): result(memory=50e6 + more)}],
    )
    assert demand(bench, found, "one record, servers: 1").holds == holds


def test_memory_of_a_thread_is_what_waits_beside_what_writing_takes(bench):
    plan = bench["plan"]
    results = {plan.NONE: result(), plan.DIRECT: result(memory=60e6), plan.THREAD: result(memory=84e6)}
    found = found_with(bench, [{("only-slow", way): value for way, value in results.items()}])
    assert demand(bench, found, "one record, thread").reached == pytest.approx(1.0)


def test_idle_server_is_judged_by_its_processor_time(bench):
    plan = bench["plan"]
    for share, holds in ((0.019, True), (0.021, False)):
        found = found_with(bench, [{("idle", plan.ONE_SERVER): result(server=share)}])
        assert demand(bench, found, "idle server").holds == holds


def test_rearranging_is_judged_by_its_speed(bench):
    found = bench["results"].Found()
    method = {"method": "direct", "order": "curve", "ratio_to_plain": 2.5}
    found.rearranging = {"datasets": [{"name": "map", "methods": [method]}]}
    assert demand(bench, found, "of maps").reached == pytest.approx(0.4)
    assert demand(bench, found, "of restarts").reached is None


def test_tables_say_what_is_not_measured(bench):
    plan = bench["plan"]
    found = found_with(
        bench, [{("slow", plan.NONE): result(), ("slow", plan.ONE_SERVER): result(total=10.5)}]
    )
    text = bench["report"].tables(found, plan.parts(False), "")
    assert "| servers: 1 | 2 + 1 | 10.5 | 1.05 |" in text
    assert "not measured" in text
    assert "Output alone" not in text


def test_page_is_replaced_between_its_marks_only(bench, tmp_path):
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- it writes from here -->\nold\n<!-- to here -->\nafter\n")
    put = bench["evaluation"].put_into_page
    put(page, "it", "new")
    text = page.read_text()
    assert text.startswith("before\n") and text.endswith("after\n")
    assert "new" in text and "old" not in text
    with pytest.raises(bench["evaluation"].Failure):
        put(page, "another", "new")


def test_the_manual_has_the_marks():
    page = (ROOT / "docs/evaluation/output-evaluation.md").read_text(encoding="utf-8")
    assert "<!-- bench/output/run --report --page writes from here -->" in page


def run_model(tmp_path, ranks, *words):
    sys.path.insert(0, str(ROOT / "bench"))
    try:
        flags = importlib.import_module("common").launch_flags()
    finally:
        sys.path.remove(str(ROOT / "bench"))
    report = tmp_path / "report.json"
    line = ["mpirun", *flags, "-n", ranks, PROGRAMS / "bench_output_model", "--json", report, *words]
    subprocess.run(list(map(str, line)), check=True, timeout=120, capture_output=True)
    return json.loads(report.read_text())["result"]


@pytest.mark.parametrize(
    "mode, ranks, servers", [("none", 2, 0), ("direct", 2, 0), ("thread", 2, 0), ("servers", 3, 1)]
)
def test_model_computes_and_writes(tmp_path, mode, ranks, servers):
    file = tmp_path / "map.nc"
    words = ["--mode", mode, "--servers", servers, "--intervals", 2, "--work", 400, "--record", 160_000]
    found = run_model(tmp_path, ranks, *words, "--file", file)
    assert found["clients"] == 2
    assert found["records"] == (0 if mode == "none" else 3)
    assert found["bytes"] == (0 if mode == "none" else 4 + 3 * (160_000 + 8))
    assert file.exists() == (mode != "none")
    parts = found["computing_seconds"]["max"] + found["blocked_seconds"]["max"]
    assert 0 < found["computing_seconds"]["min"] and parts < 1.5 * found["total_seconds"]["max"] + 0.1
    assert (found["server_seconds"] is not None) == (servers > 0)


@pytest.mark.alone
def test_command_measures_reports_and_goes_on(tmp_path):
    """The first measurements of the quick form, then one more call that finds them done."""
    environment = {**os.environ, "GROUNDSWELL_BENCH_BIN": str(PROGRAMS)}
    command = [str(ROOT / "bench/output/run"), "--quick", "--output", str(tmp_path), "--disk", str(tmp_path)]

    def call(*options):
        answer = subprocess.run(
            [*command, *options], env=environment, capture_output=True, text=True, timeout=300, check=False
        )
        assert answer.returncode == 0, answer.stderr
        return answer.stdout

    call("--minutes", "0.03")
    folder = tmp_path / "quick"
    done = sorted(path.name for path in (folder / "raw").glob("slow_*.json"))
    assert "slow_none-2+0_1.json" in done
    times = [(folder / "raw" / name).stat().st_mtime_ns for name in done]
    assert "whole time over no output" in call("--report")
    assert times == [(folder / "raw" / name).stat().st_mtime_ns for name in done]
    assert f"done   {done[0].removesuffix('.json')}" in call("--list")
    report = json.loads((folder / "evaluation.json").read_text())
    assert len(report["result"]["measurements"]) == len(done)
    assert (folder / "tables.md").exists() and (folder / "whole.png").exists()


# ------------------------------------------------------------------------------------------------------- ratios


RATIOS = ROOT / "bench/output/ratios.py"


def ratios(*words):
    path = os.pathsep.join([str(ROOT / "bench"), str(ROOT / "bench/output")])
    return subprocess.run(
        [sys.executable, RATIOS, *map(str, words)],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=300,
    )


def test_the_plan_goes_to_512_clients_and_is_in_the_manual():
    told = ratios("--list")
    assert told.returncode == 0 and "| servers | 512 | 128 | 640 |" in told.stdout
    assert told.stdout.strip() in (ROOT / "docs/evaluation/output-evaluation.md").read_text(encoding="utf-8")


def test_ratios_that_make_no_sense_are_refused():
    for text in ("2:3", "8", "4:0"):
        told = ratios("--ratios", text)
        assert told.returncode == 2 and text in told.stderr


@pytest.mark.skipif(not (PROGRAMS / "bench_output_model").exists(), reason="bench_output_model is not built")
def test_a_few_ranks_are_measured_as_planned(tmp_path):
    told = ratios(
        *(
            "--ratios",
            "2:1",
            "--intervals",
            1,
            "--rounds",
            1,
            "--disk",
            tmp_path,
            "--json",
            tmp_path / "r.json",
        )
    )
    assert told.returncode == 0, told.stderr
    rows = json.loads((tmp_path / "r.json").read_text())["result"]["ratios"]
    assert [(row["mode"], row["clients"], row["servers"]) for row in rows] == [
        ("none", 2, 0),
        ("direct", 2, 0),
        ("servers", 2, 1),
    ]
    assert rows[0]["over_none"] == 1.0 and all(row["writing_seconds"] > 0 for row in rows[1:])
