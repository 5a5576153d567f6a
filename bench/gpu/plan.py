"""The runs on GPUs: by Groundswell's settings, by those of the MPI library, and on 1, 2, 4, … of the GPUs."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Setting:
    """`keys` of a case and `variables` of the environment; `needs`: ((tool, what it must tell of)…); `gpu_memory`: only where messages
    leave from memory of a GPU."""

    name: str
    keys: tuple = ()
    variables: tuple = ()
    needs: tuple = ()
    gpu_memory: bool = False


@dataclasses.dataclass(frozen=True)
class Sizes:
    """Cases of `groundswell proxy`; cubes along each edge of a block of rock, and parts of an edge of an icosahedron, whose cells are a sea;
    until when they are computed."""

    kernels: tuple
    kernel_runs: int
    runs: int
    settings_cubes: int
    settings_end: str
    strong_cubes: int
    strong_end: str
    weak_cubes: int  # along the third edge, so many for each GPU
    weak_end: str
    strong_parts: int
    weak_parts: int  # on one GPU
    directions: int
    frequencies: int
    minutes: int  # of the sea


_DOUBLE = ("--precision", "double")
FULL = Sizes(
    kernels=(
        ("--model", "sea", "--cells", "900,10000,90000,360000"),
        ("--model", "quake", "--order", "4", *_DOUBLE, "--cells", "20000,200000,600000"),
        ("--model", "quake", "--order", "3,5,6", *_DOUBLE, "--cells", "200000"),
        ("--model", "quake", "--order", "4,6", "--precision", "float", "--cells", "200000"),
    ),
    kernel_runs=10,
    runs=5,
    settings_cubes=24,
    settings_end="2s",
    strong_cubes=40,
    strong_end="1s",
    weak_cubes=28,
    weak_end="2s",
    strong_parts=96,
    weak_parts=64,
    directions=36,
    frequencies=35,
    minutes=720,
)
QUICK = Sizes(
    kernels=(
        ("--model", "sea", "--cells", "12", "--directions", "8", "--frequencies", "4"),
        ("--model", "quake", "--order", "2", *_DOUBLE, "--cells", "320"),
    ),
    kernel_runs=1,
    runs=1,
    settings_cubes=4,
    settings_end="0.02s",
    strong_cubes=4,
    strong_end="0.02s",
    weak_cubes=4,
    weak_end="0.02s",
    strong_parts=4,
    weak_parts=3,
    directions=8,
    frequencies=4,
    minutes=20,
)

# ----------------------------------------------------------------------------------------------------- settings

WAYS = (
    Setting("staged", (("halo.gpu", "staged"),)),
    Setting("mpi", (("halo.gpu", "mpi"),), gpu_memory=True),
    Setting("memory", (("halo.gpu", "memory"),)),
    Setting("memory, graphs", (("halo.gpu", "memory"), ("run.launch_graphs", "true"))),
)
PROGRESS = (
    Setting("polling", (("halo.progress", "polling"),)),
    Setting("thread", (("halo.progress", "thread"),)),
)
_OB1 = (("OMPI_MCA_pml", "ob1"),)
_SMCUDA = (*_OB1, ("OMPI_MCA_btl", "smcuda,tcp,self"))
# UCX that has neither InfiniBand nor CUDA would be refused without the others.
_PML_UCX = (
    ("OMPI_MCA_pml", "ucx"),
    ("OMPI_MCA_opal_common_ucx_tls", "any"),
    ("OMPI_MCA_opal_common_ucx_devices", "any"),
)
_HAS_SMCUDA = (("ompi_info", "btl smcuda"),)
# https://docs.open-mpi.org/en/main/tuning-apps/ and `ompi_info --all`
OPEN_MPI = (
    Setting("ob1", (), _OB1, (("ompi_info", "pml ob1"),)),
    Setting("UCX", (), _PML_UCX, (("ompi_info", "pml ucx"),)),
    Setting("smcuda", (), _SMCUDA, _HAS_SMCUDA, True),
    Setting(
        "smcuda, no memory between processes",
        (),
        (*_SMCUDA, ("OMPI_MCA_btl_smcuda_use_cuda_ipc", "0")),
        (*_HAS_SMCUDA, ("ompi_info", "btl_smcuda_use_cuda_ipc")),
        True,
    ),
    Setting(
        "connections at the start",
        (),
        (("OMPI_MCA_mpi_preconnect_mpi", "1"),),
        (("ompi_info", "mpi_preconnect_mpi"),),
    ),
)
# https://www.mpich.org/documentation/ and `mpivars`
MPICH = (
    Setting(
        "the library's own thread",
        (),
        (("MPIR_CVAR_ASYNC_PROGRESS", "1"),),
        (("mpivars", "MPIR_CVAR_ASYNC_PROGRESS"),),
    ),
    Setting(
        "ranks of a host by the network's layer",
        (),
        (("MPIR_CVAR_CH4_SHM_ENABLE", "0"),),
        (("mpivars", "MPIR_CVAR_CH4_SHM_ENABLE"),),
    ),
    Setting(
        "no memory between processes",
        (),
        (("MPIR_CVAR_CH4_IPC_GPU_P2P_THRESHOLD", "2147483647"),),  # longer than any message
        (("mpivars", "MPIR_CVAR_CH4_IPC_GPU_P2P_THRESHOLD"),),
        True,
    ),
)
_HAS_THRESHOLD, _HAS_SCHEME = (("ucx_info", "UCX_RNDV_THRESH"),), (("ucx_info", "UCX_RNDV_SCHEME"),)
# https://openucx.readthedocs.io/en/master/faq.html, `ucx_info -c` and `ucx_info -d`
UCX = (
    Setting("UCX, no cuda_ipc", (), (("UCX_TLS", "^cuda_ipc"),), (("ucx_info", "cuda_ipc"),), True),
    Setting("UCX, no gdr_copy", (), (("UCX_TLS", "^gdr_copy"),), (("ucx_info", "gdr_copy"),), True),
    Setting("UCX, receivers get", (), (("UCX_RNDV_SCHEME", "get_zcopy"),), _HAS_SCHEME),
    Setting("UCX, senders put", (), (("UCX_RNDV_SCHEME", "put_zcopy"),), _HAS_SCHEME),
    Setting("UCX, asks from 8 KiB", (), (("UCX_RNDV_THRESH", "8192"),), _HAS_THRESHOLD),
    Setting("UCX, asks from 1 MiB", (), (("UCX_RNDV_THRESH", "1048576"),), _HAS_THRESHOLD),
    Setting(
        "UCX, kinds of memory not kept",
        (),
        (("UCX_MEMTYPE_CACHE", "n"),),
        (("ucx_info", "UCX_MEMTYPE_CACHE"),),
        True,
    ),
)
OF_LIBRARY = {"Open MPI": OPEN_MPI, "MPICH": MPICH}


def below_ucx(library):
    """Settings of UCX for this library; why there are none."""
    if library.name == "Open MPI":
        needs = (("ompi_info", "pml ucx"),)
        return [
            dataclasses.replace(one, variables=_PML_UCX + one.variables, needs=needs + one.needs)
            for one in UCX
        ], None
    if "ucx" in library.transport.lower():
        return list(UCX), None
    return [], f"messages of {library.title} go by {library.transport or 'what it does not tell'}"


def settings_of(library):
    """[(setting, the name of the one that it is compared with)] that this library has, and [(name, why)] of those that it has not.

    What changes messages goes by MPI, from memory of a GPU where the library takes it.
    """
    way = WAYS[1] if library.takes_gpu_memory else WAYS[0]
    ucx, no_ucx = below_ucx(library)
    own = OF_LIBRARY.get(library.name, ())
    wanted = [(one, None) for one in WAYS]
    wanted += [
        (dataclasses.replace(one, keys=way.keys + one.keys), way.name) for one in (*PROGRESS, *own, *ucx)
    ]
    chosen, left_out = [], []
    for setting, beside in wanted:
        why = library.why_not(setting)
        if why is None:
            chosen.append((setting, beside))
        else:
            left_out.append((setting.name, why))
    if not own:
        left_out.append((library.title, "no settings of this library are known here"))
    if no_ucx:
        left_out.append(("UCX", no_ucx))
    return chosen, left_out


# ----------------------------------------------------------------------------------------------------- several GPUs


@dataclasses.dataclass(frozen=True)
class Point:
    """A run on so many GPUs: "strong", of one mesh; "weak", of a mesh that grows with them. `parts`: of the sea's mesh."""

    model: str
    scaling: str
    gpus: int
    keys: tuple
    parts: int = 0

    @property
    def name(self):
        return f"{self.model}, {self.scaling}, {self.gpus} GPU{'s' * (self.gpus > 1)}"


def counts(gpus):
    """1, 2, 4, … and all."""
    return sorted({2**k for k in range(gpus.bit_length()) if 2**k <= gpus} | {gpus})


def block(cubes, blocks, end):
    """Keys of rock with `blocks` cubes of 2 m along its third axis."""
    return (
        ("mesh.box.cubes", f"[{cubes}, {cubes}, {cubes * blocks}]"),
        ("mesh.box.length", f"[2.0, 2.0, {2.0 * blocks}]"),
        ("time.end", end),
    )


def points(sizes, gpus):
    for count in counts(gpus):
        yield Point("rock", "strong", count, block(sizes.strong_cubes, 1, sizes.strong_end))
        yield Point("rock", "weak", count, block(sizes.weak_cubes, count, sizes.weak_end))
        for scaling, parts in (
            ("strong", sizes.strong_parts),
            ("weak", round(sizes.weak_parts * count**0.5)),
        ):
            yield Point("sea", scaling, count, (("mesh.file", f"sea-{parts}.nc"),), parts)


def threads(cores, ranks):
    """Threads of each rank, so that each has a core for messages, too, where there are enough."""
    return max(1, cores // ranks - 1)
