"""Helpers of the evaluations (bench/halo, bench/output): measuring one thing after another, tables, pages, pictures."""

import json
import os
import pathlib
import platform
import re
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
IMAGES = ROOT / "docs/images"


class Failure(Exception):
    """A command of an evaluation that did not do what it should; the text is for people."""


# ----------------------------------------------------------------------------------------------------- measuring


def say(text):
    print(f"groundswell: {text}", file=sys.stderr, flush=True)


class Progress:
    """One line that changes on a terminal, one line for each measurement elsewhere."""

    def __init__(self, todo, done):
        self.todo, self.done, self.begin, self.count = todo, done, time.monotonic(), 0
        self.changes = sys.stderr.isatty()

    def show(self, what):
        self.count += 1
        text = f"[{self.done + self.count}/{self.done + self.todo}] {what}"
        if self.count > 1:
            spent = time.monotonic() - self.begin
            left = spent / (self.count - 1) * (self.todo - self.count + 1)
            text += f" (about {left / 60.0:.0f} min left)"
        if self.changes:
            print(f"\r\033[Kgroundswell: {text}"[:200], end="", file=sys.stderr, flush=True)
        else:
            say(text)

    def failed(self, text):
        if self.changes:
            print(file=sys.stderr)
        say(text)

    def end(self):
        if self.changes and self.count:
            print(file=sys.stderr)


def run_limited(words, env, log, seconds):
    """A command, ended politely and then not if it takes too long: what it started wants to be removed."""
    with open(log, "w") as out:
        process = subprocess.Popen(
            [str(word) for word in words],
            env=env,
            stdout=out,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            code = process.wait(timeout=seconds)
        except BaseException as error:
            os.killpg(process.pid, signal.SIGTERM)
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            if not isinstance(error, subprocess.TimeoutExpired):
                raise
            raise Failure(f"not done after {seconds:.0f} s") from None
    if code != 0:
        lines = log.read_text(errors="replace").strip().splitlines()
        own = [line for line in lines if line.startswith("groundswell: error: ")]
        raise Failure(f"status {code}: " + "\n".join(own or lines[-8:]))


def is_done(raw, key):
    return (raw / f"{key}.json").exists()


def measure_all(raw, todo, done, minutes=None):
    """Measures what is in `todo`, [(key, what people read, what to call)], beginning nothing after so many minutes; `done`
    are there already. Returns how many failed: each leaves raw/KEY.failed, and the others go on."""
    progress, failed, begin = Progress(len(todo), done), 0, time.monotonic()
    for key, text, call in todo:
        if minutes is not None and time.monotonic() - begin > 60.0 * minutes:
            break
        progress.show(text)
        try:
            call()
        except Failure as error:
            failed += 1
            (raw / f"{key}.failed").write_text(f"{error}\n")
            progress.failed(f"{key}: {error}")
    progress.end()
    return failed


def run_to_exit_code(main):
    """Runs a command to its end. When it is told to end it does so as on an error: what it has made (files, hosts) goes."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        sys.exit(main())
    except Failure as error:
        say(f"error: {error}")
        sys.exit(3)
    except KeyboardInterrupt:
        sys.exit(130)


# ----------------------------------------------------------------------------------------------------- the machine


def processor():
    text = pathlib.Path("/proc/cpuinfo").read_text()
    match = re.search(r"model name\s*: (.*)", text)
    return match.group(1).strip() if match else platform.processor()


def machine():
    memory = re.search(r"MemTotal:\s*(\d+)", pathlib.Path("/proc/meminfo").read_text())
    os_release = pathlib.Path("/etc/os-release").read_text()
    name = re.search(r'PRETTY_NAME="(.*)"', os_release)
    return {
        "processor": processor(),
        "cores": os.cpu_count(),
        "memory_bytes": int(memory.group(1)) * 1024,
        "system": f"{name.group(1) if name else platform.system()}, Linux {platform.release()}",
    }


def machine_of(folder):
    """Description of the machine of the figures in this folder: drawn later, elsewhere, they still belong to the machine that measured them."""
    kept = folder / "machine.json"
    if not kept.exists():
        write_json(kept, machine())
    return json.loads(kept.read_text())


def machine_text(about):
    memory = about["memory_bytes"] / 2**30
    return f"Machine: {about['processor']}, {about['cores']} cores, {memory:.0f} GiB, {about['system']}."


def write_json(path, value):
    path.write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")


# ----------------------------------------------------------------------------------------------------- tables and pages


def table(head, rows, text_columns=1):
    """Markdown; the first columns are text, the others numbers."""
    lines = [
        "| " + " | ".join(head) + " |",
        "|" + "---|" * text_columns + "---:|" * (len(head) - text_columns),
        *("| " + " | ".join(row) + " |" for row in rows),
    ]
    return "\n".join(lines) + "\n"


def milliseconds(seconds):
    value = 1e3 * seconds
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def seconds_text(value):
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}" if value >= 0.095 else f"{value:.3f}"


def put_into_page(page, command, text):
    """Replaces what stands between the two marks of a page."""
    begin, end = f"<!-- {command} writes from here -->", "<!-- to here -->"
    before, mark, rest = page.read_text(encoding="utf-8").partition(begin)
    middle, last, after = rest.partition(end)
    if not mark or not last:
        raise Failure(f"{page}: expected the lines {begin} and {end}")
    page.write_text(f"{before}{begin}\n\n{text}\n{end}{after}", encoding="utf-8")


# ----------------------------------------------------------------------------------------------------- pictures


def figure(columns, rows, width, height):
    import matplotlib  # here, so that --help does without

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    plt.rcParams.update({"font.size": 9, "axes.spines.top": False, "axes.spines.right": False})
    return plt.subplots(rows, columns, figsize=(width, height), layout="constrained", squeeze=False)


def save(drawing, path):
    import matplotlib.pyplot as plt

    drawing.savefig(path, dpi=110)
    plt.close(drawing)
    return path.name
