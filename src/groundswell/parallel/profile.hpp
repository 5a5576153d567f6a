#pragma once

#include <mpi.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "groundswell/parallel/reduce.hpp"

namespace groundswell::parallel {

/// Phases of a run. These belong to the runtime; a model adds its own (Profile::add_phase).
/// `agreement`: the small reductions by which ranks tell each other that all is well, where they wait for the
/// slowest; `other`: what none claims.
enum class Phase : int { setup, exchange_pack, exchange_wait, exchange_unpack, agreement, output, other };

/// Meaning of a phase that a model adds, for the judgement of the run.
enum class PhaseKind {
    service,    ///< neither of these: reading, waiting
    computing,  ///< work on cells: part of load and imbalance
    even        ///< the same, and each cell costs alike, so that the speeds of ranks can be compared by it
};

/// Seconds of a steady clock, from an arbitrary origin.
inline double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Adds the time from construction to destruction to a sum.
class Stopwatch {
public:
    explicit Stopwatch(double& sum) : sum_(sum) {}
    ~Stopwatch() { sum_ += now() - start_; }
    Stopwatch& operator=(Stopwatch&&) = delete;  // neither copied nor moved

private:
    double& sum_;
    double start_ = now();
};

/// Seconds that the calling thread has had a processor.
double processor_seconds();

/// Seconds spent in each phase by this rank's main thread. From start() to stop() every instant belongs to
/// just one phase, the innermost that was entered, so that phases add up to the wall clock.
class Profile {
public:
    Profile();

    /// A phase of the model's own, under a name that no other has, in the order of calls: the same on every
    /// rank. Defect if there is one of this name.
    Phase add_phase(std::string name, PhaseKind kind);
    int phases() const { return static_cast<int>(records_.size()); }
    const std::string& name(Phase phase) const { return at(phase).name; }
    bool computes(Phase phase) const { return at(phase).kind != PhaseKind::service; }

    void start();
    void stop();

    /// From now on time goes to this phase; returns the one that it went to before.
    Phase enter(Phase phase);
    /// Adds time that was measured apart: before start(), or as a part of another phase.
    void add(Phase phase, double seconds) { at(phase).seconds += seconds; }
    void move(Phase from, Phase to, double seconds) {
        add(from, -seconds);
        add(to, seconds);
    }

    double seconds(Phase phase) const { return at(phase).seconds; }

    /// Sums over phases that compute, and over those of them whose cells cost alike.
    struct Computing {
        double seconds = 0.0, processor_seconds = 0.0, even_processor_seconds = 0.0;
    };
    Computing computing() const;

    /// The statistic of each phase over ranks, in the order of Phase. Collective.
    std::vector<Statistic> over_ranks(MPI_Comm comm) const;

private:
    struct Record {
        std::string name;
        PhaseKind kind = PhaseKind::service;
        const char* label = nullptr;  // in the timeline
        double seconds = 0.0, processor = 0.0;
    };
    Record& at(Phase phase) { return records_[static_cast<std::size_t>(phase)]; }
    const Record& at(Phase phase) const { return records_[static_cast<std::size_t>(phase)]; }
    void count(bool computes_next);

    std::vector<Record> records_;
    Phase phase_ = Phase::other;
    bool running_ = false;
    double since_ = 0.0, processor_since_ = 0.0;
    double slowdown_ = 1.0;  // 1 but for tests
};

/// The time of its life belongs to a phase, less that of timers within it.
class PhaseTimer {
public:
    PhaseTimer(Profile& profile, Phase phase) : profile_(profile), before_(profile.enter(phase)) {}
    ~PhaseTimer() { profile_.enter(before_); }
    PhaseTimer& operator=(PhaseTimer&&) = delete;  // neither copied nor moved

private:
    Profile& profile_;
    Phase before_;
};

/// Largest resident memory of this process so far, bytes.
std::int64_t peak_memory_bytes();

}  // namespace groundswell::parallel
