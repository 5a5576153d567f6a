"""Files that a tune leaves: the launch line as a script, the keys for the case file, a script for a batch system."""

import contextlib
import math
import os
import pathlib
import shlex

from groundswell.errors import refuse
from groundswell.whole_files import write_text

NUMBERLIKE = set("0123456789.+-eE")


def launch_line(launcher, setting, case, program="groundswell"):
    return shlex.join(launcher.command(setting, program, case))


def toml_value(text):
    """As the case file writes it: numbers and lists as they are, all else as text."""
    if text in ("true", "false") or text.startswith("["):
        return text
    return text if text and set(text) <= NUMBERLIKE else f'"{text}"'


def keys_text(keys, about):
    """TOML with the keys, a table for each section."""
    sections = {}
    for key, value in keys.items():
        section, _, name = key.rpartition(".")
        sections.setdefault(section, []).append(f"{name} = {toml_value(value)}")
    lines = [f"# {line}" for line in about]
    for section, entries in sections.items():
        lines += ["", f"[{section}]", *entries]
    return "\n".join(lines) + "\n"


def run_script(launcher, setting, case, about):
    lines = ["#!/usr/bin/env bash", *(f"# {line}" for line in about), "set -euo pipefail"]
    line = launch_line(launcher, setting, absolute(case), "PROGRAM").replace(
        " PROGRAM ", ' "${GROUNDSWELL:-groundswell}" '
    )
    return "\n".join([*lines, f'exec {line} "$@"']) + "\n"


def absolute(case):
    import dataclasses

    return dataclasses.replace(case, path=str(pathlib.Path(case.path).resolve()))


def job_script(kind, launcher, setting, case, machine, seconds, about):
    """For Slurm or PBS: as many hosts as were measured on, the time of the whole run and half as much again."""
    hosts = machine.hosts
    per_host = math.ceil(setting.ranks / hosts)
    each = setting.threads + setting.spare
    minutes = max(10, math.ceil(1.5 * seconds / 60))
    clock = f"{minutes // 60:02d}:{minutes % 60:02d}:00"
    name = pathlib.Path(case.path).resolve().parent.name
    line = launch_line(launcher, setting, absolute(case), "PROGRAM").replace(" PROGRAM ", ' "$program" ')
    head = {
        "slurm": [
            f"#SBATCH --job-name={name}",
            f"#SBATCH --nodes={hosts}",
            f"#SBATCH --ntasks-per-node={per_host}",
            f"#SBATCH --cpus-per-task={each}",
            "#SBATCH --hint=nomultithread",
            f"#SBATCH --time={clock}",
            "#SBATCH --signal=TERM@120     # ends with a restart two minutes before the time is up",
        ],
        "pbs": [
            f"#PBS -N {name}",
            f"#PBS -l select={hosts}:ncpus={per_host * each}:mpiprocs={per_host}:ompthreads={setting.threads}",
            f"#PBS -l walltime={clock}",
        ],
    }[kind]
    submit = (
        "sbatch --account ACCOUNT --partition PARTITION" if kind == "slurm" else "qsub -A ACCOUNT -q QUEUE"
    )
    body = [
        "#!/bin/bash",
        *(f"# {text}" for text in about),
        f"#     {submit} job.{kind}",
        *head,
        "",
        "set -euo pipefail",
        *(['cd "$PBS_O_WORKDIR"'] if kind == "pbs" else []),
        "# Load here what the program was built with: module load …",
        "program=${GROUNDSWELL:-groundswell}",
        f'{line} "$@"',
    ]
    return "\n".join(body) + "\n"


@contextlib.contextmanager
def folder_for(path):
    """A folder that files can be put into, refused before anything is measured; one that was made for this and stays empty, as
    where the command is interrupted, is removed."""
    path = pathlib.Path(path)
    made = not path.exists()
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        refuse("command line", "--output", path, f"a folder for what is found ({problem.strerror})")
    if not os.access(path, os.W_OK):
        refuse("command line", "--output", path, "a folder that may be written to")
    try:
        yield path
    finally:
        if made and not any(path.iterdir()):
            path.rmdir()


def write(folder, name, text, executable=False):
    """Whole or not at all, in case somebody else tunes the same case."""
    write_text(folder / name, text, executable=executable)
    return folder / name
