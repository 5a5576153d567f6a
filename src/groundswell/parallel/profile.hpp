#pragma once

#include <mpi.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <string_view>
#include <vector>

#include "groundswell/parallel/reduce.hpp"

namespace groundswell::parallel {

/// What a model's time goes to. Names are those of the run's JSON report.
enum class Phase { setup, exchange_pack, exchange_wait, exchange_unpack, propagation, source, output };
inline constexpr int phase_count = 7;
std::string_view name(Phase phase);

/// Seconds of a steady clock, from an arbitrary origin.
inline double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Seconds that the calling thread has had a processor.
double processor_seconds();

/// Seconds spent in each phase by this rank's main thread. Phases do not nest. A start and a stop cost two
/// clock reads.
class Profile {
public:
    void add(Phase phase, double seconds) { seconds_[static_cast<int>(phase)] += seconds; }
    double seconds(Phase phase) const { return seconds_[static_cast<int>(phase)]; }

    /// The statistic of each phase over ranks, in the order of Phase. Collective.
    std::vector<Statistic> over_ranks(MPI_Comm comm) const { return statistics(comm, seconds_); }

private:
    std::array<double, phase_count> seconds_{};
};

/// Adds the time of its life to a phase.
class PhaseTimer {
public:
    PhaseTimer(Profile& profile, Phase phase) : profile_(profile), phase_(phase), begin_(now()) {}
    ~PhaseTimer() { profile_.add(phase_, now() - begin_); }
    PhaseTimer(const PhaseTimer&) = delete;
    PhaseTimer& operator=(const PhaseTimer&) = delete;

private:
    Profile& profile_;
    Phase phase_;
    double begin_;
};

/// Largest resident memory of this process so far, bytes.
std::int64_t peak_memory_bytes();

}  // namespace groundswell::parallel
