#include "groundswell/parallel/profile.hpp"

#include <sys/resource.h>
#include <time.h>

#include <utility>

#include "groundswell/base/errors.hpp"

namespace groundswell::parallel {

Profile::Profile() {
    for (const char* name :
         {"setup", "exchange_pack", "exchange_wait", "exchange_unpack", "agreement", "output", "other"})
        records_.push_back({name});
}

Phase Profile::add_phase(std::string name, PhaseKind kind) {
    for (const Record& record : records_)
        if (record.name == name) throw base::Defect("the profile has a phase " + name + " already");
    records_.push_back({std::move(name), kind});
    return static_cast<Phase>(records_.size() - 1);
}

Profile::Computing Profile::computing() const {
    Computing sum;
    for (const Record& record : records_) {
        if (record.kind == PhaseKind::service) continue;
        sum.seconds += record.seconds;
        sum.processor_seconds += record.processor;
        if (record.kind == PhaseKind::even) sum.even_processor_seconds += record.processor;
    }
    return sum;
}

std::vector<Statistic> Profile::over_ranks(MPI_Comm comm) const {
    std::vector<double> seconds;
    for (const Record& record : records_) seconds.push_back(record.seconds);
    return statistics(comm, seconds);
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
    at(phase_).seconds += time - since_;
    at(phase_).processor += processor - processor_since_;
    since_ = time;
    processor_since_ = processor;
}

std::int64_t peak_memory_bytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::int64_t>(usage.ru_maxrss) * 1024;  // Linux counts KiB
}

}  // namespace groundswell::parallel
