"""What the system or a person sends to the program while it runs ends it in good order, with a word."""

import os
import resource
import signal

import pytest
from faults import wait_for_line
from launching import finish, moment, rank_processes, start, storm_case, swell_case, write_case


@pytest.fixture(scope="module")
def storm(tmp_path_factory, coast_mesh, wind_file):
    folder = tmp_path_factory.mktemp("signals")
    return write_case(folder / "case.toml", storm_case(coast_mesh, wind_file, hours=1))


def test_a_limit_of_file_sizes_is_an_error_like_a_full_disk(storm, tmp_path):
    """It is met in the mode where the signal, left to itself, would end the program without a word."""
    process = start("run", storm, "--output", tmp_path / "out", "--set", "output.mode=serial")
    wait_for_line(process, "sea cells")
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (20_000, 20_000))
    outcome = finish(process)
    assert outcome.code == 3 and len(outcome.errors) == 1, (outcome.code, outcome.stderr)
    assert ".nc" in outcome.errors[0]


def test_a_reader_that_has_seen_enough_ends_no_run(storm, tmp_path):
    """groundswell run … | head."""
    process = start("run", storm, "--output", tmp_path)
    process.stdout.close()
    process.stdout = None
    outcome = finish(process)
    assert outcome.code == 0, outcome.stderr
    assert (tmp_path / "run.json").exists()


@pytest.mark.parametrize("ranks", [0, 2])
def test_sigterm_before_the_first_step_leaves_nothing_behind(tmp_path, coast_mesh, ranks):
    """Looking for many points takes a second, after the line that tells the time of the run."""
    table = swell_case(coast_mesh)
    places = [[112.0 + 1e-5 * i, 18.0] for i in range(40_000)]
    table["output"]["points"] = [{"file": "points.nc", "every": "1h", "at": places}]
    case = write_case(tmp_path / "case.toml", table)
    folder = tmp_path / "out"
    folder.mkdir()
    process = start("run", case, "--output", folder, ranks=ranks)
    wait_for_line(process, f"{moment(0):%Y-%m-%dT%H:%M:%SZ} to ")
    os.kill(rank_processes(process)[-1], signal.SIGTERM)
    outcome = finish(process)
    assert outcome.code == 0 and not outcome.errors, (outcome.code, outcome.stderr)
    assert "nothing was computed" in outcome.stderr
    assert not list(folder.iterdir())


def test_a_check_that_is_cut_off_does_not_look_like_a_sound_case(tmp_path, coast_mesh):
    table = swell_case(coast_mesh)
    places = [[112.0 + 1e-5 * i, 18.0] for i in range(40_000)]
    table["output"]["points"] = [{"file": "points.nc", "every": "1h", "at": places}]
    process = start("run", write_case(tmp_path / "case.toml", table), "--check", "--output", tmp_path / "out")
    wait_for_line(process, f"{moment(0):%Y-%m-%dT%H:%M:%SZ} to ")
    process.terminate()
    assert finish(process).code == -signal.SIGTERM
