"""Settings of MPI libraries that are known to matter to a program that exchanges halos: few, each with where it is described.

They are given as variables of the environment, which every launcher of the library hands on to its ranks."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Known:
    """`values`: ((variable, value)…) that are set together; `about`: what it does; `hosts`: how many it needs; `was_run`: by this
    project, not only read of."""

    values: tuple
    about: str
    hosts: int = 1
    major: tuple = ()  # major versions of the library that have it; empty: all
    was_run: bool = True

    @property
    def text(self):
        return ", ".join(f"{name} = {value}" for name, value in self.values)

    def fits(self, version, hosts):
        number = version.split(".")[0]
        return hosts >= self.hosts and (not self.major or number in self.major)


def unrun(*values, about, hosts=1):
    """No machine of this project has what it is for."""
    return Known(values, about, hosts, was_run=False)


# https://docs.open-mpi.org/en/main/tuning-apps/ and `ompi_info --all`
OPEN_MPI = (
    Known((("OMPI_MCA_mpi_yield_when_idle", "1"),), "waiting ranks give up their core"),
    Known((("OMPI_MCA_mpi_yield_when_idle", "0"),), "waiting ranks keep their core"),
    unrun(("OMPI_MCA_pml", "ucx"), about="messages by UCX"),
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
# https://cpe.ext.hpe.com/docs/latest/mpt/mpich/intro_mpi.html
CRAY = (
    unrun(("MPICH_OFI_STARTUP_CONNECT", "1"), about="all connections made at the start", hosts=2),
    unrun(
        ("MPICH_OFI_NIC_POLICY", "NUMA"), about="ranks use the network card of their memory domain", hosts=2
    ),
    unrun(("MPICH_SMP_SINGLE_COPY_MODE", "XPMEM"), about="single copies within a host by XPMEM"),
    unrun(("MPICH_SMP_SINGLE_COPY_MODE", "CMA"), about="single copies within a host by the kernel"),
    unrun(("MPICH_SMP_SINGLE_COPY_MODE", "NONE"), about="two copies through shared memory"),
    unrun(("MPICH_ASYNC_PROGRESS", "1"), about="the library's own communication thread"),
    unrun(("FI_CXI_RX_MATCH_MODE", "software"), about="messages matched by the processor", hosts=2),
    unrun(("FI_CXI_RX_MATCH_MODE", "hybrid"), about="messages matched by the card until it is full", hosts=2),
    unrun(("FI_CXI_RDZV_THRESHOLD", "65536"), about="messages up to 64 KiB without asking first", hosts=2),
)
# What libraries stand on between hosts. https://ofiwg.github.io/libfabric/: fi_rxm(7), fi_verbs(7), fi_tcp(7)
OFI = (
    unrun(("FI_PROVIDER", "verbs;ofi_rxm"), about="InfiniBand by verbs", hosts=2),
    unrun(("FI_PROVIDER", "tcp"), about="sockets", hosts=2),
    unrun(("FI_OFI_RXM_BUFFER_SIZE", "65536"), about="messages up to 64 KiB without asking first", hosts=2),
    unrun(("FI_OFI_RXM_USE_SRX", "1"), about="one receive buffer for all connections", hosts=2),
)
# https://openucx.readthedocs.io/en/master/faq.html and `ucx_info -f`
UCX = (
    unrun(("UCX_TLS", "rc,sm,self"), about="InfiniBand: a connection for each pair of ranks", hosts=2),
    unrun(("UCX_TLS", "dc,sm,self"), about="InfiniBand: connections made as they are needed", hosts=2),
    unrun(("UCX_TLS", "ud,sm,self"), about="InfiniBand: datagrams", hosts=2),
    unrun(("UCX_RNDV_THRESH", "65536"), about="messages up to 64 KiB without asking first"),
    unrun(("UCX_RNDV_SCHEME", "get_zcopy"), about="long messages fetched by the receiver", hosts=2),
    unrun(("UCX_RNDV_SCHEME", "put_zcopy"), about="long messages put by the sender", hosts=2),
)
TABLES = {"CRAY MPICH": CRAY, "Open MPI": OPEN_MPI, "MPICH": MPICH, "Intel(R) MPI": INTEL}

LAYERS = {"ofi": OFI, "ucx": UCX}


def layers_of(transport):
    """Layer below the library, by the name it gives to the path of its messages: "pml ucx", "ch4:ofi"."""
    return [name for name in LAYERS if name in transport.lower()]


def known(library, version, hosts, transport=""):
    """Those of the library, and of what it stands on, that can be tried here."""
    tables = [TABLES.get(library, ()), *(LAYERS[name] for name in layers_of(transport))]
    return [one for table in tables for one in table if one.fits(version, hosts)]


def never_run(settings):
    """Texts of those settings ((variable, value)…) that this project has only read of."""
    told = [one for table in (*TABLES.values(), *LAYERS.values()) for one in table if not one.was_run]
    return [one.text for one in told if set(one.values) <= set(settings)]
