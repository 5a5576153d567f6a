#include "groundswell/parallel/profile.hpp"

#include <sys/resource.h>
#include <time.h>

#include <utility>

namespace groundswell::parallel {

std::string_view name(Phase phase) {
    constexpr std::string_view names[phase_count] = {
        "setup",   "exchange_pack", "exchange_wait", "exchange_unpack", "propagation",
        "forcing", "source",        "agreement",     "output",          "other",
    };
    return names[static_cast<int>(phase)];
}

double processor_seconds() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void Profile::start() {
    running_ = true;
    since_ = now();
    processor_since_ = parallel::processor_seconds();
}

void Profile::stop() {
    if (running_) count();
    running_ = false;
}

Phase Profile::enter(Phase phase) {
    if (running_) count();
    return std::exchange(phase_, phase);
}

void Profile::count() {
    const double time = now(), processor = parallel::processor_seconds();
    seconds_[static_cast<int>(phase_)] += time - since_;
    processor_seconds_[static_cast<int>(phase_)] += processor - processor_since_;
    since_ = time;
    processor_since_ = processor;
}

std::int64_t peak_memory_bytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::int64_t>(usage.ru_maxrss) * 1024;  // Linux counts KiB
}

}  // namespace groundswell::parallel
