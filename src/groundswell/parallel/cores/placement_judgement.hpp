#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "groundswell/parallel/cores/launch_judgement.hpp"
#include "groundswell/parallel/machine/cpu_set.hpp"
#include "groundswell/parallel/machine/limits.hpp"

/// Where ranks sit on a machine and in the job: near their memory, near those that they talk to, as many as there are
/// cores, apart from output servers. Functions of what was found out alone.
namespace groundswell::parallel {

/// So many threads that may run there.
struct Wish {
    CpuSet cpus;
    std::size_t threads = 1;
};

/// A set of CPUs that more threads are confined to than it has. `groups`: how many there are of which none lies in
/// another.
struct Crowd {
    CpuSet cpus;
    std::size_t threads = 0, groups = 0;
};

/// The smallest one; none where there is room for all, by Hall's condition (1935, doi:10.1112/jlms/s1-10.37.26). Expects
/// that two sets are equal, disjoint or one inside the other.
std::optional<Crowd> find_crowd(const std::vector<Wish>& wishes);

/// Threads that may move between NUMA domains, while their memory stays where it was first written to:
/// `ranks-across-domains`.
std::optional<Finding> judge_domains(const HostCores& host, std::span<const RankThreads> ranks,
                                     const LaunchSettings& settings);

/// Pages that lie in another domain than the thread that wrote to them first: `far-memory`.
std::optional<Finding> judge_memory(const HostCores& host, std::span<const RankThreads> ranks);

/// Threads on fewer than half of the cores that somebody gave to the job: `idle-cores`. Half of a node's cores may
/// saturate its memory; fewer do not. Says nothing of a single process that was started by hand.
std::optional<Finding> judge_count(const HostCores& host, std::span<const RankThreads> ranks,
                                   const LaunchSettings& settings);

/// Output servers that share cores with ranks that compute, with an MPI library that keeps a core busy while it waits:
/// `spinning-servers`.
std::optional<Finding> judge_servers(const HostCores& host, std::span<const RankThreads> ranks,
                                     const LaunchSettings& settings);

/// Threads that may compute on cores which should be kept free: `free-core-used`.
std::optional<Finding> judge_free_cores(const HostCores& host, std::span<const RankThreads> ranks);

/// `hosts_of_ranks`: by number. Parts that follow each other mostly are neighbours, so ranks that follow each other belong
/// on one host: `scattered-ranks`.
std::optional<Finding> judge_order(std::span<const int> hosts_of_ranks, const Launcher& launcher);

/// /dev/shm without room for the messages of several ranks (`small-shared-memory`), and fewer open files than a run of so
/// many ranks wants (`few-open-files`). `host`: its name.
std::vector<Finding> judge_limits(const std::string& host, const Limits& limits, int ranks_on_host);

/// Time of the first messages between ranks, and of the same again, s.
struct FirstMessages {
    double first = 0.0, again = 0.0;
};
/// Connections that are made one by one when they are first needed, and take long: `lazy-connections`.
std::optional<Finding> judge_connections(const FirstMessages& messages, const Launcher& launcher);

/// Sorts by what usually costs most; what is known of no code stays behind, in the order found.
void sort_by_cost(std::vector<Finding>& findings);

}  // namespace groundswell::parallel
