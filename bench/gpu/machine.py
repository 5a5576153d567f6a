"""The MPI library of the program, what it is made of, and the GPUs of the machine, as the program and the library's tools tell it."""

import dataclasses
import json
import os
import re
import subprocess

from common import program, run_text
from evaluation import Failure

PLAYED = "GROUNDSWELL_PLAYED_DEVICE"


@dataclasses.dataclass(frozen=True)
class Library:
    """`parts`: {tool: the names that it told}; a tool that is not there is left out."""

    name: str
    version: str
    transport: str
    takes_gpu_memory: bool
    parts: dict

    @property
    def title(self):
        return f"{self.name} {self.version}"

    def why_not(self, setting):
        """A line that says why this library cannot have a setting; None where it can."""
        if setting.gpu_memory and not self.takes_gpu_memory:
            return f"{self.title} does not take memory of a GPU"
        for tool, part in setting.needs:
            if tool not in self.parts:
                return f"{tool}, which would tell of {part}, is not there"
            if part not in self.parts[tool]:
                return f"{tool} knows no {part}"
        return None

    def told(self):
        return {
            "name": self.name,
            "version": self.version,
            "transport": self.transport,
            "takes_gpu_memory": self.takes_gpu_memory,
        }


def parts_of_open_mpi(told):
    """Components ("pml ucx") and parameters, from `ompi_info --parsable --all`."""
    parts = set()
    for kind, name, what, parameter in re.findall(
        r'^mca:(\w+):(\w+):(version|param):"?(\w+)', told, re.MULTILINE
    ):
        parts.add(f"{kind} {name}" if what == "version" else parameter)
    # Other names of a parameter.
    return parts | set(re.findall(r":synonym_of:name:(\w+)", told))


def parts_of_mpich(told):
    return set(re.findall(r"\bMPIR_CVAR_\w+", told))


def parts_of_ucx(told):
    """Variables, from `ucx_info -c`, and transports, from `ucx_info -d`."""
    return set(re.findall(r"^(UCX_\w+)=", told, re.MULTILINE)) | set(re.findall(r"Transport: (\w+)", told))


TOOLS = {
    "ompi_info": ("Open MPI", ("--parsable", "--all"), parts_of_open_mpi),
    "mpivars": ("MPICH", (), parts_of_mpich),
    "ucx_info": (None, ("-c", "-d"), parts_of_ucx),
}


def look_at_parts(library):
    """{tool: the names that it tells} of the tools of this library."""
    found = {}
    for tool, (owner, options, parts) in TOOLS.items():
        if owner in (None, library):
            try:
                found[tool] = parts(run_text(tool, *options))
            except (OSError, subprocess.CalledProcessError):
                continue
    return found


def ask_doctor():
    """Result of `groundswell doctor`, which ends with status 1 where it has found problems. Throws a Failure."""
    words = [program("groundswell"), "doctor", "--no-speed", "--json", "-"]
    try:
        told = subprocess.run(words, capture_output=True, text=True, check=False)
    except OSError:
        raise Failure("there is no program: scripts/build cuda makes it") from None
    if told.returncode not in (0, 1):
        raise Failure(f"groundswell doctor: {told.stderr.strip()}")
    return json.loads(told.stdout)["result"]


def find_library(doctor):
    """A played device has memory that every library takes."""
    mpi = doctor["mpi"]
    return Library(
        mpi["library"],
        mpi["version"],
        mpi.get("transport", {}).get("in_use", ""),
        bool(mpi["features"]["gpu_memory"] or PLAYED in os.environ),
        look_at_parts(mpi["library"]),
    )


def gpus_of(doctor, wanted=None):
    """Number of GPUs to use, of those there are; there are as many played ones as are wanted. Throws a Failure."""
    if PLAYED in os.environ:
        return wanted or 1
    there = len(doctor["gpu"]["gpus"])
    if there == 0:
        raise Failure(f"no GPU: {doctor['gpu']['why_none']}")
    if (wanted or 1) > there:
        raise Failure(f"--gpus = {wanted}: expected at most {there}, which this machine has")
    return wanted or there
