"""One trial: a piece of the case run with a setting, into a folder of its own that goes afterwards."""

import contextlib
import dataclasses
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import threading
import time

from groundswell.errors import refuse
from groundswell.trials.program import program

PATIENCE = 120.0  # s, of a trial of which nothing is known


@dataclasses.dataclass
class Trial:
    """`seconds` without the start-up, of so many simulated; `start_up`: all the rest of the time from the launcher's start to
    its end. `problem`: why there is none, else ""."""

    setting: object
    simulated: float = 0.0
    seconds: float = 0.0
    start_up: float = 0.0
    report: dict = dataclasses.field(default_factory=dict)
    load: float = 0.0
    problem: str = ""
    folder: pathlib.Path | None = None

    @property
    def elapsed(self):
        return self.seconds + self.start_up

    @property
    def work(self):
        """Updates done in a second, in the model's own unit."""
        return next((v for key, v in self.report.items() if key.endswith("_per_second") and v), 0.0)

    def share(self, *phases):
        """Share of the seconds that these phases took, by the mean over ranks."""
        spent = sum(self.report.get("phases", {}).get(phase, {}).get("mean", 0.0) for phase in phases)
        return spent / self.seconds if self.seconds > 0 else 0.0


class Runner:
    """Trials of a case under a launcher. As a context: its folder goes at the end, with all that trials left in it."""

    def __init__(self, case, launcher, scratch=None):
        self.case, self.launcher = case, launcher
        parent = pathlib.Path(scratch) if scratch else pathlib.Path(case.path).resolve().parent
        try:
            self.folder = pathlib.Path(tempfile.mkdtemp(prefix=".trials-", dir=parent))
        except OSError as problem:
            refuse("command line", "--scratch", parent, f"a folder for trials ({problem.strerror})")
        self.count = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, setting, simulated, timeout=PATIENCE, keep=False, extra=()):
        """A Trial; `keep` leaves its output in Trial.folder."""
        self.count += 1
        output = self.folder / f"{self.count:05d}"
        words = ["--set", f"time.end={self.case.end_after(simulated)}", *extra]
        words += ["--output", str(output), "--overwrite", "--quiet"]
        line = self.launcher.command(setting, program(), self.case, words)
        log = self.folder / f"{self.count:05d}.log"
        begin = time.monotonic()
        code = run_limited(line, log, timeout)
        elapsed = time.monotonic() - begin
        load = os.getloadavg()[0]
        try:
            return self.read(setting, simulated, output, log, code, elapsed, load, keep)
        finally:
            log.unlink(missing_ok=True)
            if not keep:
                shutil.rmtree(output, ignore_errors=True)

    def read(self, setting, simulated, output, log, code, elapsed, load, keep):
        if code is None:
            return Trial(setting, simulated, problem=f"not done after {elapsed:.0f} s", load=load)
        if code != 0:
            return Trial(setting, simulated, problem=said_of(log, code), load=load)
        try:
            report = json.loads((output / "run.json").read_text(encoding="utf-8"))["result"]
        except (OSError, ValueError, KeyError):
            return Trial(setting, simulated, problem="it left no run.json: each rank ran alone?", load=load)
        seconds = report["wall_seconds"]
        done = report.get("simulated_seconds") or simulated
        start_up = max(0.0, elapsed - seconds)
        return Trial(setting, done, seconds, start_up, report, load, folder=output if keep else None)


@contextlib.contextmanager
def signals_after():
    """Holds back the signals that end a command until what is within is done: a process that is lost while it starts would go on by
    itself."""
    came = []
    in_main = threading.current_thread() is threading.main_thread()
    handlers = {one: signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)} if in_main else {}
    handlers = {one: handler for one, handler in handlers.items() if callable(handler)}
    for one in handlers:
        signal.signal(one, lambda number, _: came.append(number))
    try:
        yield
    finally:
        for one, handler in handlers.items():
            signal.signal(one, handler)
        if came:
            raise KeyboardInterrupt


def run_limited(line, log, timeout):
    """The exit code of a command, None where it took too long; all it started goes with it."""
    process = None
    with open(log, "w", encoding="utf-8") as out:
        try:
            with signals_after():
                process = subprocess.Popen(
                    [str(word) for word in line],
                    stdout=out,
                    stderr=subprocess.STDOUT,
                    stdin=subprocess.DEVNULL,
                    start_new_session=True,
                )
            return process.wait(timeout=timeout)
        except BaseException as problem:
            if process is not None:
                end(process)
            elif isinstance(problem, OSError):
                out.write(f"groundswell: error: {line[0]}: {problem.strerror}\n")
                return 127
            if isinstance(problem, subprocess.TimeoutExpired):
                return None
            raise


def end(process):
    """Politely, so that a launcher ends its ranks, then not."""
    for number, patience in ((signal.SIGTERM, 5.0), (signal.SIGKILL, 5.0)):
        try:
            os.killpg(process.pid, number)
        except ProcessLookupError:
            pass
        try:
            process.wait(timeout=patience)
            break
        except subprocess.TimeoutExpired:
            continue


def said_of(log, code):
    """The program's own message, or the last lines of the launcher's."""
    lines = [line.strip() for line in log.read_text(encoding="utf-8", errors="replace").splitlines()]
    own = [
        line.removeprefix("groundswell: error: ") for line in lines if line.startswith("groundswell: error: ")
    ]
    if own:
        return own[0]
    text = [line for line in lines if line and not set(line) <= set("-=*")]
    return f"ended with code {code}: {' '.join(text[:6]) or 'and said nothing'}"
