"""Output common to all commands: a progress line, tables for people, JSON for programs."""

import json
import platform
import sys
import time

from groundswell import __version__, provenance
from groundswell.whole_files import write_text

KINDS = (".png", ".svg", ".pdf")  # of pictures


class Progress:
    """One line on stderr, rewritten in a terminal; elsewhere a plain line at most every `quiet_seconds`."""

    def __init__(self, enabled=True, stream=None, quiet_seconds=5.0):
        self.stream = stream or sys.stderr
        self.enabled = enabled
        self.terminal = self.stream.isatty()
        self.quiet_seconds = quiet_seconds
        self.start = time.monotonic()
        self.last = None
        self.width = 0

    def update(self, text):
        now = time.monotonic()
        interval = 0.1 if self.terminal else self.quiet_seconds
        if not self.enabled or (self.last is not None and now - self.last < interval):
            return
        self.last = now
        line = f"groundswell: {text} ({now - self.start:.0f} s)"
        if self.terminal:
            self.stream.write("\r" + line.ljust(self.width))
            self.width = len(line)
        else:
            self.stream.write(line + "\n")
        self.stream.flush()

    def done(self, text):
        """A last line that stays."""
        if not self.enabled:
            return
        self.last = None
        self.update(text)
        if self.terminal:
            self.stream.write("\n")


def cpu_model():
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            for line in lines:
                if line.startswith("model name"):
                    return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def envelope(command, result):
    """The JSON that all commands share; the Python ones run as one process without MPI."""
    machine = {"mpi": None, "hosts": 1, "ranks": 1, "threads": 1, "cpu": cpu_model()}
    return {
        "schema": 1,
        "command": command,
        "version": __version__,
        "machine": machine,
        "build": provenance.build(),
        "result": result,
    }


def text_of(command, result):
    return json.dumps(envelope(command, result), indent=1)


def write_json(path, command, result):
    write_text(path, text_of(command, result) + "\n")


def table(rows):
    """Two or more columns of text, the first flush left, the others flush right."""
    rows = [[str(value) for value in row] for row in rows]
    columns = max(len(row) for row in rows)
    widths = [max(len(row[c]) for row in rows if c < len(row)) for c in range(columns)]
    lines = []
    for row in rows:
        cells = [v.ljust(w) if c == 0 else v.rjust(w) for c, (v, w) in enumerate(zip(row, widths))]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def time_text(seconds):
    """A time that was measured."""
    if seconds < 120:
        return f"{seconds:.3g} s"
    return f"{seconds / 60:.1f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def length_text(seconds):
    """Simulated part of a case."""
    return time_text(seconds) if seconds >= 120 else f"{seconds:.4g} s"


def bytes_text(count):
    for unit in ("B", "KiB", "MiB", "GiB", "TiB"):
        if count < 1024 or unit == "TiB":
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1024
    return None
