"""A shell completes commands, options and the words of options, of commands in C++ and in Python alike."""

import os
import shutil
import subprocess

import pytest
from launching import PROGRAM, groundswell, refused

ASK = """
source <("{program}" completion {shell})
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_groundswell
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


def completed(*words):
    """What bash would offer for the last of the words."""
    said = subprocess.run(
        ["bash", "-c", ASK.format(program=PROGRAM, shell="bash"), "bash", str(PROGRAM), *words],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert said.returncode == 0 and not said.stderr, said.stderr
    return set(said.stdout.split())


def test_commands_are_completed():
    assert completed("ver") == {"verify"}
    assert {"run", "mesh", "tune", "completion"} <= completed("")


def test_kinds_options_and_their_words_are_completed():
    assert completed("mesh", "i") == {"info", "import", "improve"}
    assert completed("plot", "map", "--fi") == {"--field"}
    assert completed("run", "case.toml", "--re") == {"--restart", "--reference"}
    assert completed("export", "receivers.nc", "--to", "s") == {"sac", "seissol"}
    assert completed("proxy", "--model", "") == {"sea", "quake"}


def test_where_a_file_may_stand_the_shell_is_left_to_itself():
    assert completed("verify", "some/path.nc", "") == set()


@pytest.mark.skipif(not shutil.which("zsh"), reason="no zsh")
def test_zsh_takes_the_same():
    script = f'source <("{PROGRAM}" completion zsh); whence -f _groundswell && print ${{_comps[groundswell]}}'
    said = subprocess.run(["zsh", "-f", "-c", script], capture_output=True, text=True, env=os.environ)
    assert said.returncode == 0 and "compgen" in said.stdout and said.stdout.rstrip().endswith("groundswell")


def test_another_shell_is_refused():
    refused(groundswell("completion", "fish"), "fish", "bash")
