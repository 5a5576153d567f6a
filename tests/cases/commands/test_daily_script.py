"""The script of cases/daily, copied to a place of its own and filled in."""

import re
import shutil
import subprocess

import netCDF4
import numpy as np
import pytest
from launching import LAUNCHER, PROGRAM, ROOT, environment, groundswell


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


def test_the_boundary_is_that_of_the_same_cycle_of_the_coarser_forecast_when_it_is_complete(
    template, tmp_path, pretended
):
    program, told = pretended
    script = template(
        program=f'program="{program}"',
        launch='launch() { "$@"; }',
        boundary_file="boundary_file=../ocean/output/%Y%m%dT%H%M%S/shelf.nc",
    )
    outer = tmp_path / "ocean/output"
    cycle = outer / "20240904T000000"
    cycle.mkdir(parents=True)
    for path in (outer / ".forecast.lock", cycle / "shelf.nc"):
        path.touch()
    early = forecast(script, "2024-09-04T00:00:00Z")
    assert early.returncode == 2 and "20240904T000000/shelf.nc: no such file, or not complete" in early.stderr
    (cycle / "complete").touch()
    done = forecast(script, "2024-09-04T00:00:00Z")
    assert done.returncode == 0, done.stderr
    (line,) = [line for line in told() if " run " in line]
    assert f"--set boundary.0.spectra={tmp_path}/mine/../ocean/output/20240904T000000/shelf.nc" in line


@pytest.mark.long
def test_an_ocean_hands_its_swell_to_the_shelf_of_the_same_cycle(template, tmp_path):
    """Two copies of the template, by what the README says: the shelf has the ocean's sea at its rim, for which it has no wind."""
    coarse = "finest_km = 25.0\ncoarsest_km = 70.0", "finest_km = 60.0\ncoarsest_km = 140.0"
    folders = {}
    for name, boundary in (("ocean", ""), ("shelf", "../ocean/output/%Y%m%dT%H%M%S/shelf.nc")):
        script = template(
            program=f'program="{PROGRAM}"',
            launch=f'launch() {{ \'{LAUNCHER}\' -n "$ranks" "$@"; }}',
            boundary_file=f"boundary_file={boundary}",
            forecast_hours="forecast_hours=24",
        )
        folder = folders[name] = script.parent.rename(tmp_path / name)
        mesh = (folder / "mesh.toml").read_text()
        assert coarse[0] in mesh
        case = (folder / "case.toml").read_text().replace("directions = 24", "directions = 12")
        if name == "shelf":
            for side, degrees in (("west", 107), ("east", 118), ("south", 15), ("north", 22)):
                mesh = re.sub(rf"{side} = .*", f"{side} = {degrees}.0", mesh)
            case = case.replace("[output]\n", '[[boundary]]\nspectra = "shelf.nc"\n\n[output]\n')
            case = re.sub(r"\[\[wind\]\]\nvortex = .*\n", "", case)
        (folder / "mesh.toml").write_text(mesh.replace(*coarse))
        (folder / "case.toml").write_text(case)
        made = groundswell("mesh", "make", "--config", folder / "mesh.toml")
        assert made.code == 0, made.stderr
    ocean, shelf = folders["ocean"], folders["shelf"]
    table = ocean / "shelf.csv"
    nest = groundswell("nest", shelf / "case.toml", "--parent", ocean / "case.toml", "--output", table)
    assert nest.code == 0, nest.stderr
    with open(ocean / "case.toml", "a") as file:
        file.write('\n[[output.points]]\nfile = "shelf.nc"\nevery = "30min"\nat_file = "shelf.csv"\n')
    cycle = "2024-09-05T00:00:00Z"
    for folder in (ocean, shelf):
        done = forecast(folder / "forecast", cycle)
        assert done.returncode == 0, done.stderr
    with netCDF4.Dataset(shelf / "output/latest/forecast.nc") as data:
        assert data["hs"][:].max() > 3 * data["hs"][0].max()


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
