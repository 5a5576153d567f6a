"""Helpers of the measuring scripts: starting programs, the JSON that every command writes, one look of pictures."""

import json
import os
import pathlib
import subprocess
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

ROOT = pathlib.Path(__file__).resolve().parent.parent
COLOURS = ["#1b4f72", "#2e86c1", "#85c1e9", "#e67e22", "#7d8a94"]
# Root may launch ranks, more of them than cores, which yield while they wait.
ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_mpi_yield_when_idle": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_hwloc_base_binding_policy": "none",
}


def program(name):
    """The release program of this name; GROUNDSWELL_BENCH_BIN names another folder with programs."""
    return str(pathlib.Path(os.environ.get("GROUNDSWELL_BENCH_BIN", ROOT / "build/release/bin")) / name)


def launch(ranks, *command):
    """Runs a program to its end, under mpirun where there is more than one rank; its table is not shown."""
    words = [str(word) for word in command]
    if ranks > 1:
        words = ["mpirun", *launch_flags(), "-n", str(ranks), *words]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL, env={**os.environ, **ENVIRONMENT})


def run_text(*command):
    """Standard output of a program that ends well."""
    words = [str(word) for word in command]
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def launch_flags():
    """Open MPI would bind each rank to a core and refuse more ranks than cores."""
    version = subprocess.run(["mpirun", "--version"], capture_output=True, text=True, check=True).stdout
    return ["--oversubscribe", "--bind-to", "none"] if "Open MPI" in version or "OpenRTE" in version else []


def read_json(path):
    return json.loads(pathlib.Path(path).read_text(encoding="utf-8"))


def write_json(path, report):
    """Adds what other programs took of the machine, without which a time says little."""
    report["result"]["load_average_at_end"] = os.getloadavg()[0]
    pathlib.Path(path).write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


def output_folder():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/bench")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def machine_text(machine):
    return f"{machine['cpu']}, {os.cpu_count()} cores, {machine['mpi']}"


def new_figure(columns, width, height, **options):
    plt.rcParams.update({"font.size": 10, "axes.spines.top": False, "axes.spines.right": False})
    return plt.subplots(1, columns, figsize=(width, height), layout="constrained", **options)


def save(figure, path):
    figure.savefig(path, dpi=130)
    plt.close(figure)
