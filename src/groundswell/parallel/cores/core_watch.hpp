#pragma once

#include <mpi.h>

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "groundswell/parallel/cores/launch_cores.hpp"
#include "groundswell/parallel/cores/thread_time.hpp"
#include "groundswell/parallel/cores/use_judgement.hpp"
#include "groundswell/parallel/machine/cpu_set.hpp"
#include "groundswell/parallel/profile.hpp"

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

/// Use that the ranks had of their cores, and what is wrong with it.
struct CoreReport {
    std::vector<RankUse> ranks;     ///< all, on rank 0
    std::vector<Finding> findings;  ///< of all hosts, on rank 0: the launch first, then what was measured
    std::size_t of_launch = 0;      ///< so many of them are of the launch
    std::optional<HostUse> host;    ///< on the first rank of each machine
};

/// Watches the cores of a run. Costs nothing until it looks.
class CoreWatch {
public:
    /// `launch` must outlive it; `comm` has the same processes, perhaps in another order. Begins to count.
    /// Collective.
    CoreWatch(MPI_Comm comm, const LaunchCores& launch);

    /// Counts since the beginning. `cells`: that this rank has computed, once each step.
    /// Collective.
    CoreReport look(const Profile& profile, double cells) const;

    /// Name of each rank's host and the CPUs that its threads may use, on rank 0.
    const std::vector<std::string>& hosts() const { return hosts_; }
    const std::vector<std::string>& cpus() const { return cpus_; }
    const LaunchCores& launch() const { return launch_; }

private:
    struct Counters {
        std::vector<ThreadTime> threads;
        double time = 0.0, processor = 0.0, throttled = 0.0;  // s, of the whole process
        std::int64_t major_faults = 0;
        static Counters now();
    };
    RankUse use_of_this_rank(const Profile& profile, double cells) const;

    MPI_Comm comm_;
    const LaunchCores& launch_;
    std::vector<std::string> hosts_, cpus_;
    std::vector<int> processes_;  // of the ranks of this machine, on its first rank
    Counters begin_;
    HostCounters host_begin_;
    bool queue_is_known_;
};

}  // namespace groundswell::parallel
