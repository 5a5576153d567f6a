"""The program that trials start, and what it says as JSON."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys

from groundswell.errors import FAILED, refuse


class Failed(Exception):
    """A command of the program ended with this code, and has said why."""

    def __init__(self, code):
        super().__init__(code)
        self.code = code


@contextlib.contextmanager
def using(path):
    """Meanwhile this is the program."""
    before = os.environ.get("GROUNDSWELL_PROGRAM")
    os.environ["GROUNDSWELL_PROGRAM"] = str(path)
    try:
        yield
    finally:
        del os.environ["GROUNDSWELL_PROGRAM"]
        if before is not None:
            os.environ["GROUNDSWELL_PROGRAM"] = before


def program():
    """The program that called this tool, or else `groundswell` on PATH."""
    found = os.environ.get("GROUNDSWELL_PROGRAM") or shutil.which("groundswell")
    if found is None:
        refuse("command line", "groundswell", None, "the program groundswell on PATH: it makes the runs")
    return found


def answer_of(*words, launcher=(), codes=(0,)):
    """The whole report that a command of the program prints with --json -."""
    line = [*launcher, program(), *words, "--json", "-"]
    try:
        answer = subprocess.run([str(word) for word in line], check=False, capture_output=True, text=True)
    except OSError as problem:
        refuse("command line", line[0], None, f"a program that can be started ({problem.strerror})")
    if -answer.returncode in (signal.SIGINT, signal.SIGTERM) or answer.returncode in (130, 143):
        raise KeyboardInterrupt  # it was told before this command was
    if answer.returncode not in codes:
        if launcher and "groundswell: error: " not in answer.stderr:
            refuse_launcher(launcher, answer)
        sys.stderr.write(answer.stderr)
        raise Failed(answer.returncode if answer.returncode in (2, 3, 4) else FAILED)
    return json.loads(answer.stdout)


def refuse_launcher(launcher, answer):
    """It ended before the program could say anything."""
    lines = [line.strip() for line in answer.stderr.splitlines()]
    text = " ".join([line for line in lines if line and not set(line) <= set("-=*")][:6])
    refuse(
        "command line",
        "--launcher",
        " ".join(map(str, launcher)),
        f"a launcher that starts the program; it ended with code {answer.returncode} and said: {text or 'nothing'}",
    )
