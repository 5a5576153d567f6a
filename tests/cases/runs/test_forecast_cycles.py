"""Forecast cycles: each starts from the restart file that an earlier run left for its start."""

import re
import shutil
import subprocess

import netCDF4
import numpy as np
import pytest
from launching import (
    LAUNCHER,
    PROGRAM,
    ROOT,
    environment,
    groundswell,
    moment,
    refused,
    run,
    storm_case,
    write_case,
)

RESTART = "restart_20240906T060000.nc"


@pytest.fixture(scope="module")
def first_cycle(tmp_path_factory, coast_mesh, wind_file):
    """Six hours from 03:00, with a restart at 06:00."""
    folder = tmp_path_factory.mktemp("cycles")
    table = storm_case(coast_mesh, wind_file, hours=6)
    table["output"]["restart"] = {"every": "3h"}
    run(write_case(folder / "first.toml", table), "--output", folder / "first", ranks=2)
    return folder / "first"


def second_cycle(folder, mesh, wind, restart, start_hour=6):
    table = storm_case(mesh, wind, hours=3)
    table["time"]["start"] = moment(start_hour)
    table["time"]["end"] = moment(start_hour + 3)
    table["initial"] = {"state": "restart", "file": restart}
    table["output"]["restart"] = {"every": "3h"}
    return write_case(folder / "second.toml", table)


@pytest.mark.parametrize("ranks", [1, 3])
def test_a_cycle_goes_on_where_the_one_before_stood(tmp_path, first_cycle, coast_mesh, wind_file, ranks):
    """Where both take the same steps under the same wind, the second gives the very numbers of the first."""
    case = second_cycle(tmp_path, coast_mesh, wind_file, first_cycle / RESTART)
    run(case, "--output", tmp_path / "second", ranks=ranks)
    for name, fields in (("hourly.nc", ["hs", "tm01", "tp", "ustar"]), ("spectra.nc", ["efth"])):
        with (
            netCDF4.Dataset(tmp_path / "second" / name) as data,
            netCDF4.Dataset(first_cycle / name) as whole,
        ):
            times = [list(whole["time"][:]).index(time) for time in data["time"][:]]
            assert len(times) == 4
            for field in fields:
                assert np.array_equal(data[field][:], whole[field][:][times]), field
                assert float(np.ptp(data[field][:])) > 0.0


def test_a_sea_of_another_time_or_mesh_is_refused(tmp_path, first_cycle, coast_mesh, sphere_mesh, wind_file):
    case = second_cycle(tmp_path, coast_mesh, wind_file, first_cycle / RESTART, start_hour=7)
    refused(
        groundswell("run", case), RESTART, "time = 2024-09-06T06:00:00Z", "time.start = 2024-09-06T07:00:00Z"
    )
    case = second_cycle(tmp_path, sphere_mesh, wind_file, first_cycle / RESTART)
    refused(groundswell("run", case, ranks=2), RESTART, "nFace", "642 sea cells")
    case = second_cycle(tmp_path, coast_mesh, wind_file, tmp_path / "none.nc")
    refused(groundswell("run", case), "none.nc")


@pytest.fixture
def template(tmp_path):
    """template(NAME="VALUE"…) → the script of a copy of the case in a place of its own, filled in at its top."""

    def fill_in(**values):
        shutil.copytree(ROOT / "cases/daily", tmp_path / "mine", ignore=shutil.ignore_patterns("output"))
        script = tmp_path / "mine/forecast"
        text = script.read_text()
        for name, value in values.items():
            text, found = re.subn(
                rf"(?m)^{name}=(?:\(.*?\)|\S*)|^{name}\(\) .*", lambda _, v=value: v, text, count=1
            )
            assert found == 1, name
        script.write_text(text)
        return script

    return fill_in


def forecast(script, *arguments):
    return subprocess.run(
        [script, *map(str, arguments)],
        cwd=script.parents[1],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=300,
    )


def test_a_copy_of_the_script_chains_two_cycles(template):
    """Half a day apart, in another place; the launch line is that of the copy."""
    script = template(
        program=f'program="{PROGRAM}"',
        launch=f'launch() {{ touch started; \'{LAUNCHER}\' -n "$ranks" "$@"; }}',
        cycle_hours="cycle_hours=12",
        utc_offset="utc_offset=-5",
        cycles="cycles=(2024-09-04T12:00:00Z 2024-09-05T00:00:00Z)",
    )
    # Cells twice as wide and half the directions: a small part of the work.
    for name, wider in (
        ("mesh.toml", ("finest_km = 25", "finest_km = 50")),
        ("case.toml", ("= 24\n", "= 12\n")),
    ):
        text = (script.parent / name).read_text()
        assert wider[0] in text
        (script.parent / name).write_text(
            text.replace(*wider).replace("coarsest_km = 70", "coarsest_km = 140")
        )
    done = forecast(script, "--hours", 24, "--ranks", 2, "--output", "there")
    assert done.returncode == 0, done.stderr
    folder = script.parents[1]
    second = folder / "there/20240905T000000"
    assert (folder / "started").exists()
    assert (folder / "there/latest").resolve() == second.resolve()
    assert (second / "panels.png").stat().st_size > 50_000
    with netCDF4.Dataset(folder / "there/20240904T120000/forecast.nc") as first:
        with netCDF4.Dataset(second / "forecast.nc") as data:
            begin = list(first["time"][:]).index(data["time"][0])
            assert np.array_equal(data["hs"][0], first["hs"][begin])
            assert data["hs"][:].max() > 10.0
    again = forecast(script, "--hours", 24, "--output", "there")
    assert again.returncode == 0 and again.stderr.count("complete already") == 2


def test_the_top_of_the_script_says_what_is_run(template, tmp_path):
    """With a program that only tells what it was asked for."""
    told = tmp_path / "told"
    program = tmp_path / "program"
    program.write_text(f'#!/bin/sh\necho "$@" >>"{told}"\n')
    program.chmod(0o755)
    script = template(
        program=f'program="{program}"',
        launch='launch() { "$@" --quiet; }',
        cycle_hours="cycle_hours=6",
        forecast_hours="forecast_hours=18",
        wind_files="wind_files=(/winds/%Y%m%d%H/a*.nc b-%d*.nc)",
        eastward="eastward=wx",
        northward="northward=wy",
        picture_hours="picture_hours=9",
        utc_offset="utc_offset=-5",
    )
    restart = tmp_path / "mine/output/20240903T180000/restart_20240904T060000.nc"
    restart.parent.mkdir(parents=True)
    restart.touch()
    done = forecast(script, "2024-09-04T06:00:00Z")
    assert done.returncode == 0, done.stderr
    mesh, run_line, panels, series = told.read_text().splitlines()
    assert mesh.startswith("mesh make --config")
    for setting in (
        "time.end=2024-09-05T00:00:00Z",
        "output.restart.every=6h",
        f'wind.0.file=["/winds/2024090406/a*.nc", "{tmp_path}/mine/b-04*.nc"]',
        "wind.0.eastward=wx",
        "wind.0.northward=wy",
        f"initial.file={restart}",
    ):
        assert f"--set {setting}" in run_line
    assert run_line.endswith("--quiet")
    assert (
        "--times 2024-09-04T06:00:00Z 2024-09-04T15:00:00Z 2024-09-05T00:00:00Z --waves --utc-offset=-5"
        in panels
    )
    assert "--utc-offset=-5" in series


PRETENDED = """#!/bin/bash
# Tells what it was asked for, and writes what a run leaves; a member of the wind `bad` fails.
echo "$ranks $@" >>"{told}"
[[ "$*" != *bad* ]] || {{ echo "groundswell: error: bad: no wind"; exit 3; }}
"""


@pytest.fixture
def pretended(tmp_path):
    """(a program that only tells what it was asked for, with the ranks that it would have; the lines that it has told)."""
    told = tmp_path / "told"
    program = tmp_path / "program"
    program.write_text(PRETENDED.format(told=told))
    program.chmod(0o755)
    return program, lambda: told.read_text().splitlines()


def ensemble(template, program, winds):
    return template(
        program=f'program="{program}"',
        launch='launch() { ranks=$ranks "$@"; }',
        members="members=3",
        wind_files=f"wind_files=({winds})",
        above="above=(hs:4,6.5)",
        ranks="ranks=8",
    )


def test_members_run_side_by_side_with_a_share_of_the_ranks_each(template, tmp_path, pretended):
    program, told = pretended
    for member in range(3):
        (tmp_path / f"wind-04-{member}.nc").touch()
    script = ensemble(template, program, f"{tmp_path}/wind-%d-{{member}}.nc")
    output = tmp_path / "mine/output"
    before = output / "20240903T000000/member_1/restart_20240904T000000.nc"
    before.parent.mkdir(parents=True)
    before.touch()
    done = forecast(script, "2024-09-04T00:00:00Z")
    assert done.returncode == 0, done.stderr
    runs = {re.search(r"member_(\d)", line)[1]: line for line in told() if " run " in line}
    assert sorted(runs) == ["0", "1", "2"]
    assert [int(runs[member].split()[0]) for member in "012"] == [3, 3, 2]
    for member, line in runs.items():
        assert f'wind.0.file=["{tmp_path}/wind-04-{member}.nc"]' in line
        assert ("initial.state=restart" in line) == (member == "1")
    assert f"--set initial.file={before}" in runs["1"]
    rest = [line for line in told() if " run " not in line]
    assert "--above hs:4,6.5" in [line for line in rest if " ensemble " in line][0]
    assert any("--field hs_mean" in line for line in rest)
    assert [re.search(r"--field (\S+)", line)[1] for line in rest if "plot map" in line] == [
        "hs_above_4",
        "hs_above_6p5",
    ]
    assert (output / "latest/complete").exists()


def test_a_failed_member_is_named_and_the_cycle_is_taken_up_again(template, tmp_path, pretended):
    program, told = pretended
    for member in range(3):
        (tmp_path / f"wind-{member}.nc").touch()
    script = ensemble(template, program, f"{tmp_path}/wind-{{member}}.nc")
    program.write_text(program.read_text().replace("*bad*", "*wind-1.nc*"))
    done = forecast(script, "2024-09-04T00:00:00Z")
    assert done.returncode == 3 and "member 1 failed with status 3" in done.stderr, done.stderr
    assert "bad: no wind" in done.stderr and not (tmp_path / "mine/output/latest").exists()
    program.write_text(program.read_text().replace("*wind-1.nc*", "*never*"))
    again = forecast(script, "2024-09-04T00:00:00Z")
    assert again.returncode == 0 and (tmp_path / "mine/output/latest/complete").exists(), again.stderr


def test_a_late_wind_is_waited_for_and_a_missing_one_is_named(template, tmp_path, pretended):
    program, told = pretended
    script = template(
        program=f'program="{program}"',
        launch='launch() { "$@"; }',
        wind_files=f"wind_files=({tmp_path}/late-%d.nc)",
    )
    missing = forecast(script, "2024-09-04T00:00:00Z")
    assert missing.returncode == 2 and "late-04.nc: no such file" in missing.stderr, missing.stderr
    script.write_text(script.read_text().replace("wind_wait=0", "wind_wait=1"))
    with subprocess.Popen(["bash", "-c", f"sleep 1; touch {tmp_path}/late-04.nc"]):
        done = forecast(script, "2024-09-04T00:00:00Z")
    assert done.returncode == 0 and done.stderr.count("waiting for") == 1, done.stderr


def test_products_are_made_of_a_complete_cycle(template, tmp_path, pretended):
    program, _ = pretended
    script = template(
        program=f'program="{program}"',
        launch='launch() { "$@"; }',
        products='products() { echo "$1" >"$1/product"; }',
    )
    done = forecast(script, "2024-09-04T00:00:00Z")
    folder = tmp_path / "mine/output/20240904T000000"
    assert done.returncode == 0 and (folder / "product").read_text().strip() == str(folder), done.stderr


def test_the_script_refuses_what_it_cannot_run(template):
    script = template()
    for arguments, word in (
        (("--hours", "two"), "forecast_hours = two"),
        (("tomorrow",), "cycle = tomorrow"),
        (("--speed", "9"), "--speed"),
    ):
        outcome = forecast(script, *arguments)
        assert outcome.returncode == 2 and word in outcome.stderr, outcome.stderr
    text = script.read_text()
    script.write_text(text.replace("program=groundswell ", "program=ungroundswell "))
    outcome = forecast(script)
    assert outcome.returncode == 2 and "program = ungroundswell: not found" in outcome.stderr, outcome.stderr
