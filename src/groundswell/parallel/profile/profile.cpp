#include "groundswell/parallel/profile.hpp"

#include <sys/resource.h>
#include <time.h>

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "groundswell/base/errors.hpp"
#include "groundswell/parallel/profile/mpi_calls.hpp"
#include "groundswell/parallel/profile/timeline.hpp"

namespace groundswell::parallel {

Profile::Profile() {
    for (const char* name :
         {"setup", "exchange_pack", "exchange_wait", "exchange_unpack", "agreement", "output", "other"})
        records_.push_back({name, PhaseKind::service, timeline_label(name)});
}

Phase Profile::add_phase(std::string name, PhaseKind kind) {
    for (const Record& record : records_)
        if (record.name == name) throw base::Defect("the profile has a phase " + name + " already");
    const char* const label = timeline_label(name);
    records_.push_back({std::move(name), kind, label});
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

namespace {

constexpr double shortest_phase = 2e-6;  // s

/// Factor by which computing phases shall last longer on this process: GROUNDSWELL_TEST_SLOW=RANK:TIMES, for tests, is a
/// slow core for that rank of MPI_COMM_WORLD.
double slowdown_of_this_rank() {
    const char* const text = std::getenv("GROUNDSWELL_TEST_SLOW");
    int wanted = 0, rank = 0;
    double times = 0.0;
    if (text == nullptr) return 1.0;
    base::require(std::sscanf(text, "%d:%lf", &wanted, &times) == 2 && times >= 1.0, "environment",
                  "GROUNDSWELL_TEST_SLOW", text, "RANK:TIMES, such as 1:3");
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank == wanted ? times : 1.0;
}

}  // namespace

void Profile::start() {
    running_ = true;
    place_mpi_calls(static_cast<int>(phase_));
    slowdown_ = slowdown_of_this_rank();
    since_ = now();
    processor_since_ = parallel::processor_seconds();
}

void Profile::stop() {
    if (running_) count(false);
    running_ = false;
    place_mpi_calls(-1);
}

Phase Profile::enter(Phase phase) {
    if (running_ && phase != phase_) {
        count(at(phase).kind != PhaseKind::service);
        place_mpi_calls(static_cast<int>(phase));
    }
    return std::exchange(phase_, phase);
}

// The processor's clock costs twenty times as much as the other: it is read where a phase that computes begins or ends.
void Profile::count(bool computes_next) {
    Record& record = at(phase_);
    const bool computes = record.kind != PhaseKind::service;
    if (computes && slowdown_ > 1.0)
        for (const double until = since_ + slowdown_ * (now() - since_); now() < until;) continue;
    const double time = now();
    record.seconds += time - since_;
    if (timeline_is_on() && time - since_ > shortest_phase)
        add_to_timeline(record.label, "phase", since_, time);
    since_ = time;
    if (!computes && !computes_next) return;
    const double processor = parallel::processor_seconds();
    if (computes) record.processor += processor - processor_since_;
    processor_since_ = processor;
}

std::int64_t peak_memory_bytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::int64_t>(usage.ru_maxrss) * 1024;  // Linux counts KiB
}

}  // namespace groundswell::parallel
