#pragma once

#include <functional>
#include <istream>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

namespace groundswell::parallel {

/// CPUs as the system numbers them (`taskset`, `lscpu`), ascending.
using CpuSet = std::vector<int>;

/// CPUs on which the calling thread may run.
CpuSet allowed_cpus();

/// Lets the calling thread run there only. Throws base::Refusal if it may run on none of them.
void run_on(const CpuSet& cpus);

/// A new thread that may run on `cpu` only; without one, wherever the calling thread may. Throws as run_on(), before there is a thread.
std::thread start_thread(std::optional<int> cpu, std::function<void()> work);

/// "0-3,8".
std::string to_text(const CpuSet& cpus);

/// Value that stands so in one of the system's files; empty where there is none.
CpuSet read_cpu_list(std::istream& stream);

/// All CPUs that this machine has switched on; some may be closed to this process.
CpuSet machine_cpus();

/// The CPUs of `all` that are not in `without`.
CpuSet difference(const CpuSet& all, const CpuSet& without);

/// The CPUs of all.
CpuSet united(std::span<const CpuSet> sets);

/// A rank among those of one machine: where it may run, and the threads that it computes with.
struct RankCpus {
    CpuSet allowed;
    int threads = 1;
};

/// A CPU for one more thread of each rank, each its own, such that every rank keeps one for each thread that
/// it computes with; -1 where there is none. Expects that two ranks' sets are equal, disjoint or one inside
/// the other, as launchers make them; of CPUs that equally many ranks may use the highest is taken.
std::vector<int> spare_cpus(std::span<const RankCpus> ranks);

}  // namespace groundswell::parallel
