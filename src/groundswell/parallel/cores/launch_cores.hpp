#pragma once

#include <mpi.h>

#include <vector>

#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/cores/launch_judgement.hpp"
#include "groundswell/parallel/machine/limits.hpp"
#include "groundswell/parallel/machine/machine.hpp"

namespace groundswell::parallel {

/// Additional load on a run's cores beyond what can be seen when it starts.
struct LaunchPlan {
    int threads = 0;              ///< of each rank; more than there are now are taken to be like the last one
    std::vector<CpuSet> servers;  ///< where output servers of this machine may run, on its first rank
    CpuSet free;                  ///< CPUs of this machine kept free of computing threads, on its first rank
};

/// Launch of the ranks of a communicator, machine by machine, whatever hosts a test pretends unless it pretends
/// machines too.
struct LaunchCores {
    Communicator machine;  ///< the ranks of this machine; rank 0 of them speaks for it
    RankThreads mine;      ///< this rank's; without its quota
    // On the first rank of each machine, and about it:
    HostCores host;
    Machine shape;
    Limits limits;
    LaunchSettings settings;
    std::vector<RankThreads> ranks;  ///< numbered as in the communicator
    CpuSet allowed;                  ///< where any of their threads may run
    std::vector<Finding> findings;   ///< by what costs most; those about all machines stand at rank 0's
};

/// Looks where each of exec::threads() may run, and where memory lies that it writes to. Collective.
LaunchCores find_launch(MPI_Comm comm, const LaunchPlan& plan = {});

/// CPUs that the batch system or container leaves to this process, wherever a launcher has bound it.
CpuSet owned_cpus();

}  // namespace groundswell::parallel
