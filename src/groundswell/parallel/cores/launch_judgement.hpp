#pragma once

#include <span>
#include <string>
#include <vector>

#include "groundswell/parallel/cores/finding.hpp"
#include "groundswell/parallel/machine/container.hpp"
#include "groundswell/parallel/machine/cpu_set.hpp"
#include "groundswell/parallel/machine/launcher.hpp"
#include "groundswell/parallel/machine/memory_place.hpp"

/// Whether the threads of a job have a core each, from where they may run alone: before anything is computed.
namespace groundswell::parallel {

/// A rank, and where each of the threads that it computes with may run.
struct RankThreads {
    int rank = 0;
    std::vector<CpuSet> threads;
    CpuQuota quota = {};
    TouchedPages pages = {};  ///< that its threads wrote to, for a trial
};

/// Share of a host that a job has.
struct HostCores {
    std::string name;
    CpuSet owned;               ///< CPUs that the batch system or container leaves to the job
    std::vector<CpuSet> cores;  ///< the hardware threads of each core, as far as they are owned
    double quota = 0.0;  ///< cores' worth of time that the tightest container of a rank may use; 0: any
    std::vector<CpuSet> domains = {};  ///< CPUs of each NUMA domain, whether owned or not
    std::vector<CpuSet> servers = {};  ///< where each output server of the host may run
    CpuSet free = {};                  ///< CPUs that ranks keep free of computing threads
};

/// Environment variables that matter.
struct LaunchSettings {
    Launcher launcher;
    std::string openmp_binding = {};  ///< variables that are set and bind threads: "OMP_PROC_BIND"
    bool spins = false;               ///< ranks that wait keep their core
};

/// Expects that some ranks' sets of CPUs are equal, disjoint or one inside the other, as launchers make them.
/// Findings, the weightiest first; where the job has more threads than cores, nothing else is said. Codes:
/// `oversubscribed`, `narrow-binding`, `shared-core`, `shared-hardware-threads`, `cpu-quota`, and those of
/// placement_judgement.hpp that concern one host.
std::vector<Finding> judge_launch(const HostCores& host, std::span<const RankThreads> ranks,
                                  const LaunchSettings& settings);

/// Threads that OpenMP was asked for in OMP_NUM_THREADS (`asked`, empty: not set), more than the run takes:
/// `omp-num-threads`.
std::vector<Finding> judge_thread_count(const std::string& asked, int threads);

/// "rank 3", "ranks 0, 1 and 2", "ranks 0, 1, 2, 3, … (28 in all)".
std::string rank_list(std::span<const int> ranks);

}  // namespace groundswell::parallel
