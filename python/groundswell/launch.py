"""The command `groundswell` of a wheel: finds the MPI library of the ranks that a launcher began, or one that is there, or takes the
wheel's own, which has one rank; then begins the program of the library's family in its place. A rank that loads the library of another
launcher would compute alone, so what does not go together is refused here."""

import io
import os
import pathlib
import shutil
import sys
import sysconfig
import time

from groundswell.errors import refuse, run_command
from groundswell.mpi_families import FAMILIES, MPICH, OPEN_MPI, Found, library_in, library_of_system

PROGRAM = pathlib.Path(__file__).parent / "program"
ONE_RANK = Found(OPEN_MPI, str(PROGRAM / "one-rank" / OPEN_MPI.soname))
# A library without content that has the name for which programs ask, and loads Debian's.
ALIAS = PROGRAM / MPICH.folder / "alias" / MPICH.soname

# Variables in which launchers say how many ranks there are and which this one is.
LAUNCHERS = {
    "Open MPI": ("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"),
    "MPICH": ("PMI_SIZE", "PMI_RANK"),
    "Slurm": ("SLURM_STEP_NUM_TASKS", "SLURM_PROCID"),
}
FAMILY_OF_LAUNCHER = {"Open MPI": OPEN_MPI, "MPICH": MPICH}  # Slurm begins ranks of either


def launcher(environment):
    """(who began this process, how many ranks, which one), or (None, 1, 0)."""
    for name, (size, rank) in LAUNCHERS.items():
        # Slurm has MPICH's variables for some libraries; those of Hydra say besides how many ranks are on a host.
        of_slurm = name == "MPICH" and "SLURM_PROCID" in environment and "MPI_LOCALNRANKS" not in environment
        if not of_slurm and environment.get(size, "").isdigit() and environment.get(rank, "").isdigit():
            return name, int(environment[size]), int(environment[rank])
    return None, 1, 0


def folder_of_launcher():
    """The folder of the programs of the mpirun that began this process, as far as /proc tells."""
    try:
        status = pathlib.Path("/proc/self/stat").read_text()
        return pathlib.Path(f"/proc/{status.rsplit(')', 1)[1].split()[1]}/exe").resolve().parent
    except OSError:
        return None


def find_library(environment, families=FAMILIES):
    """The library of one of these families that goes with the launcher, else with this Python or `mpirun`, else the system's; None where
    there is none."""
    by_launcher = launcher(environment)[0] in FAMILY_OF_LAUNCHER
    mpirun = shutil.which("mpirun", path=environment.get("PATH"))
    places = [folder_of_launcher()] if by_launcher else [pathlib.Path(sys.prefix, "bin")]
    places += [pathlib.Path(mpirun).resolve().parent] if mpirun else []
    for place in filter(None, places):
        for name in ("lib", "lib64"):
            if found := library_in(place.parent / name, families):
                return found
    return library_of_system(families)


def choose_library(environment, families=FAMILIES, here=None):
    """The Found to compute with: `here` where the process has one already. Refuses what would not run as one."""
    who, ranks, _ = launcher(environment)
    of_launcher = FAMILY_OF_LAUNCHER.get(who)
    wanted = environment.get("GROUNDSWELL_MPI", "auto")
    in_turn = sorted(families, key=lambda family: family is not of_launcher)
    if here:
        found = here
    elif wanted == "none":
        found = None
    elif wanted != "auto":
        found = library_in(wanted, in_turn)
        if found is None:
            names = " or ".join(name for family in families for name in family.names())
            refuse("environment", "GROUNDSWELL_MPI", wanted, f"auto, none, or a folder with {names}")
    else:  # of the launcher's family, wherever it is, before one of another
        found = find_library(environment, in_turn[:1]) if of_launcher else None
        found = found or find_library(environment, in_turn)
    if found is None and ranks > 1:
        names = " or ".join(
            name for family in in_turn[: 1 if of_launcher else None] for name in family.names()
        )
        refuse("MPI", f"{ranks} ranks and no library {names}", None, in_turn[0].get_it)
    if found and of_launcher not in (None, found.family) and ranks > 1:
        mix = f"{ranks} ranks of {who}'s mpirun and {found.path}, a library of {found.family.name}'s family"
        refuse("MPI", mix, None, of_launcher.get_it)
    return found or ONE_RANK


def libraries_to_load(found):
    """Paths, or names, that a process loads in this order to have the library under the name for which programs ask."""
    aliased = os.path.basename(found.path).startswith(found.family.aliases or ("/",))
    return [found.path, str(ALIAS)] if aliased and ALIAS.exists() else [found.path]


def program_environment(environment, found):
    """The environment in which the program finds its library, its tools and its data."""
    made = dict(environment)
    folders = [os.path.dirname(path) for path in reversed(libraries_to_load(found))]
    if any(folders):
        made["LD_LIBRARY_PATH"] = os.pathsep.join(
            filter(None, [*folders, environment.get("LD_LIBRARY_PATH")])
        )
    scripts = sysconfig.get_path("scripts")
    if scripts not in environment.get("PATH", "").split(os.pathsep):
        made["PATH"] = os.pathsep.join(filter(None, [scripts, environment.get("PATH")]))
    made.setdefault("PROJ_DATA", str(PROGRAM / "share/proj"))
    return made


def _begin():
    found = choose_library(os.environ)
    program = PROGRAM / found.family.folder / "bin/groundswell"
    if not os.access(program, os.X_OK):
        refuse(program, None, None, "the program of a wheel (scripts/wheel makes one)")
    os.execve(program, ["groundswell", *sys.argv[1:]], program_environment(os.environ, found))


def main():
    if launcher(os.environ)[2] == 0:
        return run_command(_begin)
    # The first rank speaks for all; launchers end them when one has ended, so that one has a second for it.
    sys.stderr = io.StringIO()
    code = run_command(_begin)
    time.sleep(1.0)
    return code
