"""Commands as the manual has them: JSON keys, --explain, --check, --help, subcommands from PATH, usage errors."""

import json
import os
import re

import netCDF4
import pytest
import tomllib
from launching import ROOT, groundswell, head_is_sane, output_mode, refused, run, storm_case, write_case

COMMANDS = ["run", "compare", "doctor", "proxy"]


@pytest.fixture(scope="module")
def case(tmp_path_factory, coast_mesh, wind_file):
    table = storm_case(coast_mesh, wind_file, hours=1)
    return write_case(tmp_path_factory.mktemp("commands") / "case.toml", table)


def is_statistic(value):
    return set(value) == {"min", "mean", "max"} and 0 <= value["min"] <= value["mean"] <= value["max"]


def test_report_of_a_run(case, tmp_path):
    run(
        case,
        "--output",
        tmp_path,
        "--json",
        tmp_path / "too.json",
        "--set",
        "run.threads=2",
        ranks=2,
        env={"GROUNDSWELL_TEST_HOSTS": "2"},
    )
    report = json.loads((tmp_path / "run.json").read_text())
    assert report == json.loads((tmp_path / "too.json").read_text())
    assert report["machine"]["hosts"] == 2 and report["machine"]["threads"] == 2
    result = head_is_sane(report, "run", 2)
    assert (result["cells"], result["bins"], result["simulated_seconds"]) == (542, 20 * 14, 3600.0)
    assert result["steps"] * result["step_seconds"] == pytest.approx(3600.0)
    assert result["wall_seconds"] > 0
    speed = result["cells"] * result["bins"] * result["steps"] / result["wall_seconds"]
    assert result["bin_steps_per_second"] == pytest.approx(speed)
    assert set(result["phases"]) >= {
        "setup",
        "exchange_pack",
        "exchange_wait",
        "exchange_unpack",
        "propagation",
        "source",
        "output",
    }
    assert all(is_statistic(phase) for phase in result["phases"].values())
    assert result["phases"]["propagation"]["min"] > 0 and result["phases"]["source"]["min"] > 0
    assert 0 <= result["hidden_share"] <= 1 and result["imbalance"] >= 0
    assert is_statistic(result["peak_memory_bytes"]) and 1e6 < result["peak_memory_bytes"]["max"] < 1e9
    assert result["transport"] not in ("", "auto")  # what was taken, not what was asked for
    output = result["output"]
    assert output["mode"] in ("direct", "serial", "thread") and is_statistic(output["blocked_seconds"])
    assert output["records"] == 2 + 3 + 2 + 3
    assert 0 < output["bytes"] <= sum(path.stat().st_size for path in tmp_path.glob("*.nc"))
    assert result["samples"] and all(set(sample) == {"simulated", "wall"} for sample in result["samples"])
    assert result["samples"][-1]["simulated"] == 3600.0
    limiting = result["limiting"]
    assert set(limiting) == {"longest_step_seconds", "cell", "lon", "lat", "frequency_bin", "direction_bin"}
    assert result["step_seconds"] <= 0.9 * limiting["longest_step_seconds"]
    assert 1 <= limiting["cell"] <= 542 and 106 <= limiting["lon"] <= 118 and 12 <= limiting["lat"] <= 22
    assert 0 <= limiting["frequency_bin"] < 14 and 0 <= limiting["direction_bin"] < 20


def test_quiet_and_talkative_runs(case, tmp_path):
    # With frequencies enough for its wind, there is nothing to warn of.
    quiet = groundswell(
        "run", case, "--set", "spectrum.frequencies=30", "--output", tmp_path / "a", "--quiet"
    )
    # … but of another program on its cores, which is not this test's to rule out.
    said = [line for line in quiet.stderr.splitlines() if "had its cores for" not in line]
    assert (quiet.code, quiet.stdout, said) == (0, "", [])
    loud = groundswell("run", case, "--output", tmp_path / "b", ranks=2)
    assert "542 sea cells" in loud.stderr and "longest stable step" in loud.stderr
    assert loud.stdout.count("whole run") == 1  # one rank speaks
    assert all(word in loud.stdout for word in ("propagation", "source", "imbalance", "peak memory"))


def test_check_runs_nothing(case, tmp_path):
    outcome = groundswell(
        "run",
        case,
        "--check",
        "--set",
        "spectrum.first_frequency=0.04",
        "--output",
        tmp_path / "output",
        "--json",
        tmp_path / "c.json",
        ranks=2,
    )
    assert outcome.code == 0 and "nothing was run" in outcome.stderr
    assert not (tmp_path / "output").exists()
    found = head_is_sane(json.loads((tmp_path / "c.json").read_text()), "run", 2)
    seconds = {"step_seconds", "source_step_seconds", "swell_age_seconds"}
    assert found["checked"] and set(found) == {"checked", "limiting", *seconds}
    # The longest waves' way through this region takes a day: a third of that is less than two days.
    assert 6 * 3600 < found["swell_age_seconds"] < 10 * 3600


def keys_of(table, prefix=""):
    """Dotted names of all values in a case, as --explain names them."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from keys_of(value, f"{prefix}{key}.")
        elif isinstance(value, list) and value and isinstance(value[0], dict):
            for entry in value:
                yield from keys_of(entry, f"{prefix}{key}[].")
        else:
            yield f"{prefix}{key}"


@pytest.mark.parametrize("name", ["yagi", "growth", "great-circle", "basin", "beach", "global"])
def test_explain_lists_every_key_of_a_case(name, tmp_path):
    """Also those with their default: with unit, range, meaning and source. Needs no mesh and runs nothing."""
    path = ROOT / f"cases/{name}/case.toml"
    outcome = groundswell(
        "run",
        path,
        "--explain",
        "--set",
        "spectrum.directions=48",
        "--output",
        tmp_path / "none",
        "--json",
        tmp_path / "e.json",
    )
    assert outcome.code == 0, outcome.stderr
    assert not (tmp_path / "none").exists()
    parameters = {
        entry["key"]: entry for entry in json.loads((tmp_path / "e.json").read_text())["result"]["parameters"]
    }
    for key in set(keys_of(tomllib.loads(path.read_text()))):
        assert parameters[key]["given"], key
        assert f"\n{key} = " in "\n" + outcome.stdout
    assert parameters["spectrum.directions"]["value"] == "48"
    frequency = parameters["spectrum.first_frequency"]
    assert frequency["unit"] == "Hz" and "0.001" in frequency["range"] and frequency["default"] == "0.04177"
    if name in ("yagi", "growth"):
        growth = parameters["physics.wind_growth"]
        assert "Ardhuin" in growth["source"] and not growth["given"] and float(growth["value"]) == 1.2
        assert "wind_growth = 1.2   (default)" in outcome.stdout
    for entry in parameters.values():
        assert entry["meaning"] and entry["type"], entry


def test_set_output_and_the_case_in_the_file(case, tmp_path):
    """--set wins over the case file, and what was set is told in the output."""
    run(
        case,
        "--output",
        tmp_path / "deep/output",
        "--set",
        'title="another"',
        "--set",
        'output.map.0.every="30min"',
    )
    with netCDF4.Dataset(tmp_path / "deep/output/hourly.nc") as data:
        assert data.title == "another" and len(data.dimensions["time"]) == 3
        assert data.groundswell_case.startswith(case.read_text())
        assert '--set title="another"' in data.groundswell_case
    assert not (case.parent / "output").exists()


def test_report_of_doctor(tmp_path):
    outcome = groundswell(
        "doctor", "--no-speed", "--json", tmp_path / "d.json", "--folder", tmp_path, ranks=2
    )
    assert outcome.code in (0, 1)
    result = head_is_sane(json.loads((tmp_path / "d.json").read_text()), "doctor", 2)
    assert {"library", "version", "thread_level", "io"} < set(result["mpi"])
    # What a run could have, not what the command itself needs.
    assert result["mpi"]["thread_level"] == "MPI_THREAD_MULTIPLE"
    assert set(result["output_modes"]) == {"auto", output_mode("direct"), "serial", "thread", "servers"}
    poor = {"GROUNDSWELL_TEST_MPI": "funneled"}
    assert groundswell("doctor", "--no-speed", "--json", tmp_path / "p.json", env=poor).code in (0, 1)
    result_of_poor = json.loads((tmp_path / "p.json").read_text())["result"]
    assert result_of_poor["mpi"]["thread_level"] == "MPI_THREAD_FUNNELED"
    assert set(result["output_modes"]) - set(result_of_poor["output_modes"]) == {"thread"}
    assert [entry["rank"] for entry in result["ranks"]] == [0, 1]
    for entry in result["ranks"]:
        assert entry["host"] and entry["cpus"] >= 1 and re.fullmatch(r"[\d,-]+", entry["cores"])
    host = result["hosts"][0]
    assert host["host"] == result["ranks"][0]["host"] and host["load"] >= 0 and host["busy_cores"] >= 0
    assert result["file_system"]["type"]
    assert outcome.code == (1 if result["problems"] else 0)
    words = ("doctor", "--no-speed", "--threads", "999", "--json", tmp_path / "m.json")
    many = groundswell(*words, ranks=2)
    problems = json.loads((tmp_path / "m.json").read_text())["result"]["problems"]
    assert many.code == 1 and any(problem["code"] == "oversubscribed" for problem in problems)
    assert all(problem["message"] and problem["fix"] for problem in problems)


@pytest.mark.parametrize("command", ["", *COMMANDS, "mesh make", "mesh info"])
def test_help_has_an_example(command):
    outcome = groundswell(*command.split(), "--help")
    assert outcome.code == 0 and not outcome.errors
    assert "xample" in outcome.stdout and f"groundswell {command}".strip() in outcome.stdout


def test_help_with_a_launcher_comes_once():
    outcome = groundswell("--help", ranks=3)
    assert outcome.code == 0 and outcome.stdout.count("xample") == 1


def test_programs_on_path_are_subcommands(tmp_path):
    """groundswell NAME runs groundswell-NAME, passes its arguments and its exit code on."""
    tool = tmp_path / "groundswell-hello"
    tool.write_text('#!/bin/sh\necho hello "$@"\nexit 7\n')
    path = {"PATH": f"{tmp_path}:{os.environ['PATH']}"}
    refused(groundswell("hello", "you there", env=path), "hello", "subcommand")  # not executable yet
    tool.chmod(0o755)
    outcome = groundswell("hello", "you there", "--now", env=path)
    assert (outcome.code, outcome.stdout) == (7, "hello you there --now\n")


def test_a_python_tool_that_is_not_installed_is_named():
    refused(groundswell("plot", "map", env={"PATH": "/usr/bin:/bin"}), "plot", "groundswell-tools", "PATH")


@pytest.mark.parametrize("ranks", [0, 2])
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["comparr"], ["comparr", "subcommand", "compare"]),
        (["run"], ["case"]),
        (["run", "case.toml", "--colour"], ["--colour"]),
        (["compare", "one.nc"], ["B"]),
        (["doctor", "--threads", "none"], ["--threads", "none"]),
        (["compare", "a.nc", "b.nc", "--rtol", "-1e-5"], ["--rtol: -1e-5 is below 0:"]),
        (["volume", "--parts", "8,64", "--steps", "-2"], ["--steps: -2 is not above 0:"]),
        (["run", "case.toml", "--restart", ""], ["--restart", "empty"]),
        (["proxy", "--cells", "2000000000"], ["--cells", "2000000000", "20000000"]),
        ([], ["ubcommand"]),
    ],
)
def test_usage_errors(arguments, words, ranks):
    """One line, exit code 2, whatever is missing or unknown."""
    refused(groundswell(*arguments, ranks=ranks), *words)


@pytest.mark.parametrize(
    "where, word", [("none/report.json", "folder"), (".", "folder"), ("x" * 300, "File name too long")]
)
@pytest.mark.parametrize("command", ["run", "halo", "volume", "proxy", "compare", "verify"])
def test_report_that_cannot_be_written(case, tmp_path, sphere_mesh, command, where, word):
    """Refused before the work that it would report, and nothing is left of it."""
    arguments = {
        "run": [case, "--output", tmp_path / "output"],
        "halo": ["--hexagons", "400x400"],
        "volume": [sphere_mesh, "--parts", "8"],
        "compare": [sphere_mesh, sphere_mesh],
        "verify": [sphere_mesh],
    }
    before = sorted(tmp_path.parent.iterdir())
    outcome = groundswell(command, *arguments.get(command, []), "--json", tmp_path / where, ranks=0)
    refused(outcome, word)
    assert outcome.stdout == "" and not any(tmp_path.iterdir())
    assert sorted(tmp_path.parent.iterdir()) == before
