"""The machine of this job as trials need it: cores, hosts, memory domains and the MPI library, as `groundswell doctor` says."""

import dataclasses
import glob
import os
import re

from groundswell.trials.program import answer_of


@dataclasses.dataclass(frozen=True)
class Machine:
    """`cores`: of this job on all hosts together, hardware threads of one core counted once; `core_list`: those of this host, the
    first hardware thread of each; `domains`: NUMA domains of this host among
    whose cores this job has some."""

    mpi_name: str
    version: str
    cores: int
    hosts: int
    core_list: tuple
    domains: int
    load: float
    problems: tuple
    output_modes: tuple = ()
    transport: str = ""  # what the library says that messages travel by


def cores_of(text):
    """(0, 1, 4) from "0-1,4"."""
    found = []
    for part in filter(None, re.split(r"[,\s]+", text)):
        first, _, last = part.partition("-")
        found += range(int(first), int(last or first) + 1)
    return tuple(found)


def hosts_of_job():
    """Hosts of the batch system's allocation, 1 outside of one."""
    if os.environ.get("SLURM_JOB_NUM_NODES", "").isdigit():
        return int(os.environ["SLURM_JOB_NUM_NODES"])
    try:
        with open(os.environ.get("PBS_NODEFILE", ""), encoding="utf-8") as names:
            return max(1, len({line.strip() for line in names if line.strip()}))
    except OSError:
        return 1


def one_of_each_core(cpus, siblings):
    """The first of the hardware threads of each core. `siblings`: {hardware thread: all of its core}."""
    found = {}
    for cpu in cpus:
        found.setdefault(min(set(siblings.get(cpu, ())) & set(cpus), default=cpu), None)
    return tuple(found)


def siblings_of(cpus):
    found = {}
    for cpu in cpus:
        try:
            with open(
                f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list", encoding="utf-8"
            ) as text:
                found[cpu] = cores_of(text.read().strip())
        except OSError:
            continue
    return found


def memory_domains(cores):
    count = 0
    for path in glob.glob("/sys/devices/system/node/node[0-9]*/cpulist"):
        with open(path, encoding="utf-8") as text:
            count += bool(set(cores_of(text.read().strip())) & set(cores))
    return max(1, count)


def this_machine():
    result = answer_of("doctor", "--no-speed", codes=(0, 1))["result"]
    host = result["hosts"][0]
    cpus = cores_of(host["owned_cores"])
    cores = one_of_each_core(cpus, siblings_of(cpus))
    quota = host.get("quota_cores") or len(cores)
    each, hosts = max(1, min(len(cores), int(quota))), hosts_of_job()
    return Machine(
        mpi_name=result["mpi"]["library"],
        version=result["mpi"]["version"],
        cores=each * hosts,
        hosts=hosts,
        core_list=cores,
        domains=memory_domains(cores),
        load=os.getloadavg()[0],
        problems=tuple(result["problems"]),
        output_modes=tuple(result.get("output_modes", ())),
        transport=result["mpi"].get("transport", {}).get("in_use", ""),
    )
