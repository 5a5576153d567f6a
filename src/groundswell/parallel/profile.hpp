#pragma once

#include <mpi.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <string_view>
#include <vector>

#include "groundswell/parallel/reduce.hpp"

namespace groundswell::parallel {

/// What a model's time goes to. Names are those of the run's JSON report. `agreement`: the small reductions
/// by which ranks tell each other that all is well, where they wait for the slowest; `other`: what none
/// claims.
enum class Phase {
    setup,
    exchange_pack,
    exchange_wait,
    exchange_unpack,
    propagation,
    forcing,
    source,
    agreement,
    output,
    other
};
inline constexpr int phase_count = 10;
std::string_view name(Phase phase);

/// Seconds of a steady clock, from an arbitrary origin.
inline double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Seconds that the calling thread has had a processor.
double processor_seconds();

/// Seconds spent in each phase by this rank's main thread. From start() to stop() every instant belongs to
/// just one phase, the innermost that was entered, so that phases add up to the wall clock.
class Profile {
public:
    void start();
    void stop();

    /// From now on time goes to this phase; returns the one that it went to before.
    Phase enter(Phase phase);
    /// What was measured apart: before start(), or as a part of another phase.
    void add(Phase phase, double seconds) { seconds_[static_cast<int>(phase)] += seconds; }
    void move(Phase from, Phase to, double seconds) {
        add(from, -seconds);
        add(to, seconds);
    }

    double seconds(Phase phase) const { return seconds_[static_cast<int>(phase)]; }
    /// Seconds for which the main thread had a processor, from start() on.
    double processor_seconds(Phase phase) const { return processor_seconds_[static_cast<int>(phase)]; }

    /// The statistic of each phase over ranks, in the order of Phase. Collective.
    std::vector<Statistic> over_ranks(MPI_Comm comm) const { return statistics(comm, seconds_); }

private:
    void count();

    std::array<double, phase_count> seconds_{}, processor_seconds_{};
    Phase phase_ = Phase::other;
    bool running_ = false;
    double since_ = 0.0, processor_since_ = 0.0;
};

/// The time of its life belongs to a phase, less that of timers within it.
class PhaseTimer {
public:
    PhaseTimer(Profile& profile, Phase phase) : profile_(profile), before_(profile.enter(phase)) {}
    ~PhaseTimer() { profile_.enter(before_); }
    PhaseTimer(const PhaseTimer&) = delete;
    PhaseTimer& operator=(const PhaseTimer&) = delete;

private:
    Profile& profile_;
    Phase before_;
};

/// Largest resident memory of this process so far, bytes.
std::int64_t peak_memory_bytes();

}  // namespace groundswell::parallel
