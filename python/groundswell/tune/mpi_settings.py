"""Settings of MPI libraries that are known to matter to a program that exchanges halos: few, each with where it is described.

They are given as variables of the environment, which every launcher of the library hands on to its ranks."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Known:
    """`values`: ((variable, value)…) that are set together; `about`: what it does; `needs`: several ranks, or several hosts."""

    values: tuple
    about: str
    hosts: int = 1
    major: tuple = ()  # major versions of the library that have it; empty: all

    def fits(self, version, hosts):
        number = version.split(".")[0]
        return hosts >= self.hosts and (not self.major or number in self.major)


# https://docs.open-mpi.org/en/main/tuning-apps/ and `ompi_info --all`
OPEN_MPI = (
    Known((("OMPI_MCA_mpi_yield_when_idle", "1"),), "waiting ranks give up their core"),
    Known((("OMPI_MCA_mpi_yield_when_idle", "0"),), "waiting ranks keep their core"),
    Known((("OMPI_MCA_pml", "ucx"),), "messages by UCX"),
    Known((("OMPI_MCA_pml", "ob1"),), "messages by the library's own layer"),
    Known(
        (("OMPI_MCA_pml", "ob1"), ("OMPI_MCA_btl_vader_single_copy_mechanism", "none")),
        "two copies through shared memory between ranks of a host, in place of one by the kernel",
        major=("3", "4"),
    ),
    Known(
        (("OMPI_MCA_pml", "ob1"), ("OMPI_MCA_btl_vader_eager_limit", "65536")),
        "messages up to 64 KiB without asking first",
        major=("3", "4"),
    ),
    Known(
        (("OMPI_MCA_pml", "ob1"), ("OMPI_MCA_btl_sm_eager_limit", "65536")),
        "messages up to 64 KiB without asking first",
        major=("5",),
    ),
    Known((("OMPI_MCA_coll", "^hcoll"),), "reductions without HCOLL", hosts=2),
    Known((("OMPI_MCA_mpi_preconnect_mpi", "1"),), "all connections made at the start", hosts=2),
)
# https://www.mpich.org/documentation/ and `mpivars`
MPICH = (
    Known((("MPIR_CVAR_CH4_SHM_ENABLE", "0"),), "ranks of a host by the network's layer", major=("4",)),
    Known((("MPIR_CVAR_CH4_IPC_CMA_ENABLE", "0"),), "no single copy by the kernel", major=("4",)),
    Known((("MPIR_CVAR_CH4_POSIX_EAGER", "iqueue"),), "shared memory by queues", major=("4",)),
    Known((("MPIR_CVAR_ASYNC_PROGRESS", "1"),), "the library's own communication thread"),
)
# https://www.intel.com/content/www/us/en/docs/mpi-library/developer-reference-linux/
INTEL = (
    Known((("I_MPI_FABRICS", "shm"),), "shared memory alone"),
    Known((("I_MPI_FABRICS", "shm:ofi"),), "shared memory within a host, OFI between hosts", hosts=2),
    Known((("I_MPI_THREAD_YIELD", "2"),), "waiting ranks give up their core"),
    Known((("I_MPI_ASYNC_PROGRESS", "1"),), "the library's own communication thread"),
)
TABLES = {"Open MPI": OPEN_MPI, "MPICH": MPICH, "Intel(R) MPI": INTEL}


def known(library, version, hosts):
    """Those of the library that can be tried here."""
    return [one for one in TABLES.get(library, ()) if one.fits(version, hosts)]
