"""Tools, libraries and runs that are made up for tests of the bench on GPUs."""

import dataclasses
import os


def with_tool(monkeypatch, folder, name, script):
    """`script` of the shell is what stands behind this name."""
    tool = folder / name
    tool.write_text(f"#!/bin/sh\n{script}\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")


def result(watts, rate):
    row = {"name": "local", "order": 4, "precision": "double", "cells": 80, "updates_per_second": rate}
    shares = {"share_of_stream": 0.5, "share_of_peak": 0.25}
    other = {**row, **shares, "name": "fault", "cells": 8}
    return {"model": "quake", "watts": watts, "kernels": [row | shares, other]}


OMPI_INFO = """\
mca:btl:smcuda:version:"mca:2.1.0"
mca:btl:smcuda:param:btl_smcuda_use_cuda_ipc:value:1
mca:pml:ob1:version:"mca:2.1.0"
mca:pml:ucx:version:"component:4.1.4"
mca:mpi:base:param:mpi_preconnect_all:synonym_of:name:mpi_preconnect_mpi
"""
UCX_INFO = """\
UCX_RNDV_THRESH=auto
UCX_RNDV_SCHEME=auto
UCX_MEMTYPE_CACHE=try
#      Transport: cuda_ipc
#      Transport: gdr_copy
"""
MPIVARS = (
    "MPIR_CVAR_ASYNC_PROGRESS\nMPIR_CVAR_CH4_SHM_ENABLE=1\n  MPIR_CVAR_CH4_IPC_GPU_P2P_THRESHOLD integer\n"
)
OWN = ["staged", "mpi", "memory", "memory, graphs", "polling", "thread"]


def library(gpu, name="Open MPI", transport="pml ucx", takes=True, without=(), **told):
    """One that has everything, but what `without` names."""
    read = {
        "ompi_info": gpu.machine.parts_of_open_mpi(OMPI_INFO),
        "ucx_info": gpu.machine.parts_of_ucx(UCX_INFO),
        "mpivars": gpu.machine.parts_of_mpich(MPIVARS),
    }
    parts = {tool: found - set(without) for tool, found in read.items() if tool not in without}
    return gpu.machine.Library(name, "4.1", transport, takes, parts | told)


def run_result(rate, start=0.5):
    return {
        "rate": rate,
        "cells": 320,
        "transport": "gpu-mpi",
        "halo_bytes": 64,
        "wall_seconds": 2.0,
        "start_seconds": start,
        "alone_seconds": 0.1,
        "waiting_seconds": 0.2,
    }


class Played:
    """Stands for runs: a rate for each that the test names, and refusals for others."""

    def __init__(self, gpu, sizes, gpus, rate):
        self.sizes, self.gpus, self.cores, self.gpu, self.rate = sizes, gpus, 16, gpu, rate
        self.called = []

    def mesh(self, parts):
        pass

    def run(self, case, ranks, threads, keys=(), variables=()):
        self.called.append((case, ranks, threads, dict(keys), dict(variables)))
        return run_result(self.rate(case, ranks, dict(keys), dict(variables)))


def made_up(gpu, gpus):
    """All that the bench would have found on so many GPUs."""

    def rate(case, ranks, keys, variables):
        count = len(bench.called)
        return 1e8 * ranks**0.9 * (1 + 0.01 * (count % 3)) * (0.8 if count == 7 else 1)

    bench = Played(gpu, dataclasses.replace(gpu.plan.QUICK, runs=5), gpus, rate)
    kernels = gpu.proxy.summarise([[result(300.0, 2e6)], [result(310.0, 2.1e6)]], [])
    limit = {"model": "quake", "stream_gigabytes_per_second": 3e3, "peak_gflops": 3e4}
    found = {
        "gpus": gpus,
        "cores": 16,
        "mpi": library(gpu).told(),
        "limits": [[], [{**limit, "device": {"name": "made up"}}]],
        "kernels": kernels,
    }
    found["settings"], found["left_out"] = gpu.evaluate.run_settings(
        bench, library(gpu, without=["gdr_copy"])
    )
    found["settings"][4] |= {"runs": 3, "problem": "too late"}
    found["scaling"], found["failed"] = gpu.evaluate.run_scaling(bench)
    return found
