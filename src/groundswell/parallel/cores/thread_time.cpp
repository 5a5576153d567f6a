#include "groundswell/parallel/cores/thread_time.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <fstream>

#include "groundswell/parallel/profile.hpp"

namespace groundswell::parallel {

namespace {

struct SchedulerTime {
    double running = 0.0, queue = 0.0;  // ns
};

// Nanoseconds on a processor, nanoseconds in the queue, number of turns (the kernel's
// Documentation/scheduler/sched-stats.rst).
SchedulerTime read_scheduler() {
    std::ifstream stream("/proc/thread-self/schedstat");
    SchedulerTime time;
    return stream >> time.running >> time.queue ? time : SchedulerTime{};
}

}  // namespace

ThreadTime ThreadTime::now() {
    rusage usage{};
    getrusage(RUSAGE_THREAD, &usage);
    return {parallel::now(), processor_seconds(), 1e-9 * read_scheduler().queue, usage.ru_nivcsw};
}

double ThreadTime::asleep() const {
    return std::max(0.0, wall - processor - queue);
}

bool tells_of_queue() {
    return read_scheduler().running > 0.0;
}

}  // namespace groundswell::parallel
