"""Commands that are interrupted, early or late, end with a line and the exit code of shells; so do slips on the command line."""

import os
import pathlib
import re
import signal
import subprocess
import sys

import pytest
from pages import COMMANDS

from groundswell import errors, mesh_cli, tune_cli, whole_files
from groundswell.tune import files


def begun(code, *arguments):
    """Python with this code, that says when it has begun."""
    process = subprocess.Popen(
        [sys.executable, "-c", code, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert process.stdout.readline() == "begun\n"
    return process


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("command", [name for kind, name, _ in COMMANDS if kind == "TOOL"])
def test_a_command_that_is_interrupted_while_it_loads_ends_in_a_line(command, number):
    """Its module is one that takes for ever to load."""
    code = f"""
import importlib, sys, time
from groundswell import entry
def load(name):
    assert name == "groundswell.{command}_cli"
    print("begun", flush=True)
    while True: time.sleep(0.01)
importlib.import_module = load
sys.exit(entry.main())
"""
    process = begun(code, command)
    process.send_signal(number)
    said, complained = process.communicate(timeout=60)
    assert (process.returncode, said, complained) == (130, "", "groundswell: interrupted\n")


def test_a_signal_that_was_ignored_stays_so_and_handlers_come_back():
    code = """
import signal, sys, time
from groundswell.errors import run_command
signal.signal(signal.SIGINT, signal.SIG_IGN)
before = signal.getsignal(signal.SIGTERM)
def work():
    print("begun", flush=True)
    sys.stdin.readline()
    return 7
code = run_command(work)
assert signal.getsignal(signal.SIGTERM) == before
sys.exit(code)
"""
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "begun\n"
    process.send_signal(signal.SIGINT)
    process.communicate("\n", timeout=60)
    assert process.returncode == 7


def test_what_a_file_is_refused_for_is_said_in_words(capsys):
    def missing():
        open("/nowhere/at/all", encoding="utf-8")

    assert errors.run_command(missing) == errors.FAILED
    assert capsys.readouterr().err == "groundswell: error: /nowhere/at/all: No such file or directory\n"


@pytest.mark.parametrize(
    "words, part",
    [
        (["--cores", "99999999999999999999"], "expected a whole number, 1 to 1000000"),
        (["--budget", "1e300d"], "--budget = 1e300d: expected a duration such as"),
        (["--cores", "a,b"], "a,b: expected a whole number"),
        (["--cores", "x" * 5000], "expected a whole number"),
    ],
)
def test_slips_on_the_command_line_of_tune_are_refused_at_once(capsys, tmp_path, words, part):
    assert tune_cli.main([str(tmp_path / "case.toml"), *words]) == 2
    said = capsys.readouterr().err
    assert part in said and len(said) < 500


@pytest.mark.parametrize("x", ["[-1e300, 1e300]", "[0, 1e14]", f"[0, 1{'0' * 400}]"])
def test_ground_beyond_all_measure_is_refused(capsys, tmp_path, x):
    request = tmp_path / "ground.toml"
    request.write_text(
        f'model = "quake"\nregion = {{ x = {x}, y = [-3e3, 3e3], depth = 6e3 }}\nsize = {{ coarsest = 2e3 }}\n[[layer]]\n'
    )
    assert mesh_cli.main(["make", str(request), "--output", str(tmp_path / "ground.msh")]) == 2
    said = capsys.readouterr().err
    assert "region.x" in said and len(said) < 500


def test_a_file_appears_when_it_is_whole_and_nothing_is_left_of_one_that_is_not(tmp_path):
    path = tmp_path / "map.png"
    path.write_text("of yesterday")
    with pytest.raises(KeyboardInterrupt):
        with whole_files.written_beside(path) as partial:
            partial.write_text("half of")
            assert path.read_text() == "of yesterday"
            assert partial.suffix == ".png"
            raise KeyboardInterrupt
    assert [one.name for one in tmp_path.iterdir()] == ["map.png"]
    assert path.read_text() == "of yesterday"
    store = tmp_path / "store.zarr"
    for number in (1, 2):
        with whole_files.written_beside(store) as partial:
            partial.mkdir()
            (partial / f"of {number}").touch()
    assert [one.name for one in store.iterdir()] == ["of 2"]
    with pytest.raises(OSError):
        whole_files.write_text(store, "no folder is replaced by a file")
    assert sorted(one.name for one in tmp_path.iterdir()) == ["map.png", "store.zarr"]
    link = tmp_path / "latest.png"
    link.symlink_to(path)
    whole_files.write_text(link, "of today")
    assert link.is_symlink() and path.read_text() == "of today"


def test_where_no_file_can_be_the_one_asked_for_is_named(tmp_path):
    with pytest.raises(OSError) as raised:
        whole_files.write_text(tmp_path / "nowhere" / "a.json", "{}")
    assert raised.value.filename == str(tmp_path / "nowhere" / "a.json")


def test_what_is_no_file_is_written_to_as_it_is(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE, text=True)
    whole_files.write_text(pipe, "{}")
    assert reader.communicate(timeout=60)[0] == "{}"


def test_no_python_code_writes_a_file_under_its_name():
    """But for the one place that writes beside and renames, and for files that are a command's own until it ends."""
    own = {"whole_files.py", "trials/runner.py", "winds/sources.py", "ground/sizes.py"}
    folder = pathlib.Path(errors.__file__).parent
    direct = re.compile(
        r"""open\((?!\s*(?:plain|partial|self\.partial))[^)]*["'][wax]b?["']|write_text\((?!["'\w./ ]*,)|\.savefig\(|\.write_bytes\(|Dataset\((?!partial|path|target|"relief)[^)]*["'][wax]["']"""
    )
    for file in folder.rglob("*.py"):
        if str(file.relative_to(folder)) in own:
            continue
        found = direct.search(file.read_text(encoding="utf-8"))
        assert not found, f"{file}: {found.group()}: write with whole_files"


def test_tune_leaves_no_empty_folder_behind(tmp_path):
    with pytest.raises(KeyboardInterrupt):
        with files.folder_for(tmp_path / "tuned") as folder:
            assert folder.is_dir()
            raise KeyboardInterrupt
    assert not (tmp_path / "tuned").exists()
    with files.folder_for(tmp_path / "tuned") as folder:
        files.write(folder, "keys.toml", "")
    assert (tmp_path / "tuned" / "keys.toml").exists()
