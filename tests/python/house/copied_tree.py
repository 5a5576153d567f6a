"""A copy of the source in which a test does what a page says, and builds the program from it."""

import os
import shutil
import subprocess

from pages import ROOT


def copy_of_the_source(folder):
    """What git knows below `folder`, and the environment of the tools."""
    names = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], capture_output=True, check=True).stdout
    for name in filter(None, names.decode().split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    (folder / "build").mkdir()
    (folder / "build/venv").symlink_to(ROOT / "build/venv")
    return folder


def add_after(file, line, added):
    """Puts a line behind another one, which stands there once."""
    text = file.read_text(encoding="utf-8")
    assert text.count(line) == 1, f"{line!r} in {file}"
    file.write_text(text.replace(line, line + added), encoding="utf-8")


def build(folder):
    """The program of the copy; what the compiler has seen before it takes from its cache."""
    environment = os.environ | {"CCACHE_BASEDIR": str(folder), "CCACHE_NOHASHDIR": "1"}
    answer = subprocess.run(
        [folder / "scripts/build", "ci", "groundswell"], env=environment, capture_output=True, text=True
    )
    assert answer.returncode == 0, answer.stdout[-4000:] + answer.stderr[-4000:]
    return folder / "build/release/bin/groundswell"
