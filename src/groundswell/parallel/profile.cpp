#include "groundswell/parallel/profile.hpp"

#include <sys/resource.h>
#include <time.h>

namespace groundswell::parallel {

std::string_view name(Phase phase) {
    constexpr std::string_view names[phase_count] = {
        "setup", "exchange_pack", "exchange_wait", "exchange_unpack", "propagation", "source", "output",
    };
    return names[static_cast<int>(phase)];
}

double processor_seconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

std::int64_t peak_memory_bytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::int64_t>(usage.ru_maxrss) * 1024;  // Linux counts KiB
}

}  // namespace groundswell::parallel
