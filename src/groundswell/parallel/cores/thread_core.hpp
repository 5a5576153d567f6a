#pragma once

#include <mpi.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "groundswell/parallel/cores/cpu_set.hpp"

namespace groundswell::parallel {

/// Where each of the threads of exec::threads() may run.
std::vector<CpuSet> cpus_of_each_thread();

/// Where any of the threads of exec::threads() may run; a launcher or OpenMP may have bound them one by one.
CpuSet cpus_of_computing_threads();

/// Keeps these threads on some CPUs as long as it lives; one that may run on none of them stays where it is.
class ConfinedThreads {
public:
    explicit ConfinedThreads(const CpuSet& cpus);
    ~ConfinedThreads();
    ConfinedThreads(const ConfinedThreads&) = delete;
    ConfinedThreads& operator=(const ConfinedThreads&) = delete;

private:
    std::vector<CpuSet> before_;  // [thread]
};

/// A core for one more thread of every rank, such as a ProgressThread.
struct ThreadCore {
    std::optional<int> cpu;  ///< of this rank's extra thread
    CpuSet others;           ///< where this rank's other threads may run beside it; empty if there is no cpu
    /// Which host's ranks have none and what would give them one; the same on every rank, empty if all have.
    std::string missing;
};

/// Finds the cores from what the launcher allows each rank of a machine, or takes them from `wanted`: the
/// CPU of the first rank of each machine, of its second, … Nothing is changed yet. `allowed`: where this
/// rank's threads may run; `threads`: how many of them compute. Throws base::Refusal on all ranks, naming
/// `key`, if `wanted` holds fewer CPUs than a machine has ranks, or one that the machine has not. Collective.
ThreadCore find_thread_core(MPI_Comm comm, const CpuSet& allowed, int threads, std::span<const int> wanted,
                            const std::string& where, const std::string& key);

}  // namespace groundswell::parallel
