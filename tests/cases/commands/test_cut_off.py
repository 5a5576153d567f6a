"""A signal ends a command with its exit code, and leaves no half of a file."""

import os
import signal
import time

import pytest
from faults import SLOW_DISK
from launching import finish, groundswell, rank_processes, start

BOX = ["box", "--cubes", "30,30,30", "--length", "3e3,3e3,3e3"]
ENDING = [signal.SIGINT, signal.SIGTERM]


def cut_off(process, number, path):
    """When the file has begun to grow, the command ends by this signal."""
    while not path.with_name(path.name + ".part").exists():
        assert process.poll() is None, finish(process)
        time.sleep(0.01)
    for pid in rank_processes(process) or [process.pid]:
        os.kill(pid, number)
    return finish(process)


@pytest.mark.parametrize("number", ENDING)
@pytest.mark.parametrize("ranks", [0, 2])
def test_a_box_that_is_cut_off_leaves_nothing(tmp_path, number, ranks):
    path = tmp_path / "box.h5"
    path.write_text("of yesterday")
    process = start(*BOX, "--output", path, "--overwrite", ranks=ranks, env=SLOW_DISK)
    outcome = cut_off(process, number, path)
    if ranks == 0:
        assert outcome.code == -number  # a shell shows 128 more than the number
    else:
        assert outcome.code != 0
    assert os.listdir(tmp_path) == ["box.h5"] and path.read_text() == "of yesterday"


def test_a_box_that_ignores_signals_goes_on(tmp_path):
    """As after nohup."""
    path = tmp_path / "box.h5"
    few = ["box", "--cubes", "12,12,12", "--length", "3e3,3e3,3e3"]
    ignoring = ["sh", "-c", 'trap "" INT; exec "$@"', "sh"]
    process = start(*few, "--output", path, env=SLOW_DISK, wrapper=ignoring)
    assert cut_off(process, signal.SIGINT, path).code == 0
    assert groundswell("mesh", "info", path).code == 0


def test_a_box_that_cannot_be_written_leaves_nothing(tmp_path):
    outcome = groundswell(
        *BOX, "--output", tmp_path / "box.h5", env={"GROUNDSWELL_TEST_FAIL": "write:ENOSPC:3"}
    )
    assert outcome.code == 3 and os.listdir(tmp_path) == []


@pytest.mark.parametrize("number", ENDING)
def test_a_signal_while_python_starts_is_one_line(tmp_path, number):
    """It comes to a tool before the first of its own lines."""
    (tmp_path / "sitecustomize.py").write_text(f"import os\nos.kill(os.getpid(), {int(number)})\n")
    path = os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH")]))
    outcome = groundswell("import", "--help", env={"PYTHONPATH": path})
    assert (outcome.code, outcome.stdout, outcome.stderr) == (130, "", "groundswell: interrupted\n")
