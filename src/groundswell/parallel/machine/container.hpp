#pragma once

#include <cstdint>
#include <string>

/// Limits of a container, a job or a service on its host's processors and memory, from the files of the kernel's
/// control groups.
namespace groundswell::parallel {

struct CpuQuota {
    double cores = 0.0;              ///< worth of time; 0: any
    double throttled_seconds = 0.0;  ///< for which it was kept from running, so far
    std::uint64_t group = 0;         ///< number of the control group that has this limit; 0: none
};

/// `membership`: what /proc/self/cgroup says; `root`: where control groups are mounted. The tightest of the
/// group's own limit and those of the groups around it.
CpuQuota read_quota(const std::string& membership, const std::string& root);

/// Reads the CPU quota of this process.
CpuQuota read_quota();

struct MemoryQuota {
    static constexpr std::int64_t none = INT64_MAX;
    std::int64_t bytes = none;  ///< the lowest limit of the group and those around it
    std::int64_t free = none;   ///< until one of them is reached; what files keep in memory counts as free
};

/// As for processors.
MemoryQuota read_memory_quota(const std::string& membership, const std::string& root);
MemoryQuota read_memory_quota();

}  // namespace groundswell::parallel
