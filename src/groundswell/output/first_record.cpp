#include "groundswell/output/first_record.hpp"

#include <algorithm>
#include <fstream>

#include "groundswell/parallel/profile.hpp"

namespace groundswell::output {

ThreadTime ThreadTime::now() {
    // Nanoseconds on a processor, nanoseconds in the queue, number of turns (the kernel's
    // Documentation/scheduler/sched-stats.rst).
    std::ifstream stream("/proc/thread-self/schedstat");
    double running = 0.0, queue = 0.0;
    if (!(stream >> running >> queue)) queue = 0.0;
    return {parallel::now(), parallel::processor_seconds(), 1e-9 * queue};
}

double ThreadTime::asleep() const {
    return std::max(0.0, wall - processor - queue);
}

bool threads_pay(const FirstRecord& measured) {
    constexpr double worth_it = 0.02;
    if (!measured.cores_for_all) return false;
    return (measured.own_core ? measured.writing : measured.asleep) > worth_it * measured.computing;
}

}  // namespace groundswell::output
