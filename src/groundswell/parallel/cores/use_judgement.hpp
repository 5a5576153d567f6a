#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "groundswell/parallel/cores/finding.hpp"
#include "groundswell/parallel/cores/launch_judgement.hpp"

/// Whether the threads of a job got their cores, and if not, who had them: from what was measured over a
/// part of a run. Functions of the measurements alone.
namespace groundswell::parallel {

/// Use that a rank had of its cores. Seconds.
struct RankUse {
    int rank = 0, threads = 1;
    double wall = 0.0;
    double computing = 0.0;            ///< in which its main thread computed
    double computing_processor = 0.0;  ///< of them, with a core
    double processor = 0.0;            ///< of all its threads, whatever they did
    double main_queue = 0.0;           ///< for which its main thread waited for a core
    double worker_queue = 0.0;         ///< the same of that of its other computing threads which waited most
    double worker_loss = 0.0;       ///< share of the time for which one of these wanted a core and had none
    double throttled = 0.0;         ///< for which a CPU quota stopped its control group, summed over cores
    double even_processor = 0.0;    ///< for which its main thread had a core where cells cost alike
    double cells = 0.0;             ///< that it has computed, once each step
    std::int64_t involuntary = 0;   ///< times that a computing thread lost its core before it was done
    std::int64_t major_faults = 0;  ///< pages fetched from the disk
    bool queue_is_known = false;
};

/// Another process, and what it had of the host's cores, s.
struct Program {
    std::string name;
    int process = 0;
    double processor = 0.0;
};

/// Activity of the CPUs that ranks of this host may use. Seconds, summed over CPUs.
struct HostUse {
    double wall = 0.0;
    int cpus = 0;
    double busy = 0.0, idle = 0.0;
    double stolen = 0.0;                      ///< by the host of a virtual machine
    double ours = 0.0;                        ///< that this job's processes had
    double throttled = 0.0;                   ///< for which a CPU quota stopped the rank that it stopped most
    double load_begin = 0.0, load_end = 0.0;  ///< processes that run or want to, mean of a minute
    std::vector<Program> others;              ///< that had most, first

    double of_others() const { return busy > ours ? busy - ours : 0.0; }
};

/// Share of a rank's computing time for which a thread of it had no core, 0 to 1.
double share_without_core(const RankUse& rank);

/// Whether something of it takes cores from threads, or slows a core: not all that is wrong with a launch does.
bool explains_losses(std::span<const Finding> findings);
/// True if a finding of this code explains why ranks lost their cores.
bool explains_losses(std::string_view code);

/// Finds what kept the ranks of a host from their cores. `launch`: findings from the start of the run that
/// explain losses. Ignores less than a second, and ranks that lost less than a tenth. Codes:
/// `cpu-quota`, `stolen-cores`, `busy-cores`, `swapping`, `crowded-cores`, `stopped-ranks`.
std::vector<Finding> judge_use(const HostCores& cores, const HostUse& host, std::span<const RankUse> ranks,
                               std::span<const Finding> launch);

/// A rank that takes far longer for a cell than the others although it had its core: `slow-rank`. Of all
/// ranks of a run; `hosts`: of each, its name.
std::vector<Finding> judge_speed(std::span<const RankUse> ranks, std::span<const std::string> hosts);

}  // namespace groundswell::parallel
