#pragma once

#include <mpi.h>

#include <vector>

#include "groundswell/parallel/communicator.hpp"
#include "groundswell/parallel/cores/launch_judgement.hpp"

namespace groundswell::parallel {

/// How the ranks of a communicator were started, machine by machine, whatever hosts a test pretends.
struct LaunchCores {
    Communicator machine;  ///< the ranks of this machine; rank 0 of them speaks for it
    HostCores host;
    std::vector<RankThreads> ranks;  ///< of this machine, on its first rank; numbered as in the communicator
    CpuSet allowed;                  ///< where any of their threads may run, on the first rank
    std::vector<Finding> findings;   ///< about this machine, on its first rank
};

/// Looks where each of exec::threads() may run; where a rank is to have more `threads`, the others are taken
/// to be like the last. Collective.
LaunchCores find_launch(MPI_Comm comm, int threads = 0);

/// CPUs that the batch system or container leaves to this process, wherever a launcher has bound it.
CpuSet owned_cpus();

}  // namespace groundswell::parallel
