#pragma once

#include <map>
#include <span>
#include <string>

#include "groundswell/parallel/cores/use_judgement.hpp"
#include "groundswell/parallel/machine/cpu_set.hpp"

namespace groundswell::parallel {

/// Counters of the system on this host so far. The difference of two is what happened between them.
struct HostCounters {
    double time = 0.0, busy = 0.0, idle = 0.0, stolen = 0.0, load = 0.0;  ///< s
    struct Process {
        std::string name;
        int parent = 0;
        double processor = 0.0;  ///< s
    };
    std::map<int, Process> processes;

    /// Counters of these CPUs, and of all visible processes.
    static HostCounters now(const CpuSet& cpus);
};

/// `ranks`: processes of this job's ranks, who had `processor` seconds; those of the same program with the
/// same parent (output servers, for instance) belong to the job too.
HostUse use_between(const HostCounters& begin, const HostCounters& end, int cpus, std::span<const int> ranks,
                    double processor);

}  // namespace groundswell::parallel
