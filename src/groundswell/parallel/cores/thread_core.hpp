#pragma once

#include <mpi.h>

#include <optional>
#include <string>
#include <vector>

#include "groundswell/parallel/machine/cpu_set.hpp"

namespace groundswell::parallel {

/// CPUs on which each of the threads of exec::threads() may run.
std::vector<CpuSet> cpus_of_each_thread();

/// CPUs on which any of the threads of exec::threads() may run; a launcher or OpenMP may have bound them one by one.
CpuSet cpus_of_computing_threads();

/// Keeps these threads on some CPUs as long as it lives; one that may run on none of them stays where it is.
class ConfinedThreads {
public:
    explicit ConfinedThreads(const CpuSet& cpus);
    ~ConfinedThreads();
    ConfinedThreads& operator=(ConfinedThreads&&) = delete;  // neither copied nor moved

private:
    std::vector<CpuSet> before_;  // [thread]
};

/// A core for one more thread of every rank, such as a ProgressThread.
struct ThreadCore {
    std::optional<int> cpu;  ///< of this rank's extra thread
    CpuSet others;           ///< where this rank's other threads may run beside it; empty if there is no cpu
    /// Host whose ranks have none and what would give them one; the same on every rank, empty if all have.
    std::string missing;
};

/// Finds the cores: of those that KeptCores keeps free the next one, or else from what the launcher allows each rank of a
/// machine. Nothing is changed yet. `allowed`: where this rank's threads may run; `threads`: how many of them compute.
/// Collective.
ThreadCore find_thread_core(MPI_Comm comm, const CpuSet& allowed, int threads);

/// From now on find_thread_core() gives out these, the last of them again and again; with none, and `others` neither, it
/// looks for itself again. KeptCores calls it.
void hand_out_cores(const CpuSet& free, const CpuSet& others);

/// Records of the ranks of a machine about themselves, in rank order. Collective.
std::vector<RankCpus> gather_cpus(MPI_Comm machine, const CpuSet& allowed, int threads);

}  // namespace groundswell::parallel
