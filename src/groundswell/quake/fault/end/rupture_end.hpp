#pragma once

#include <mpi.h>

#include <array>
#include <memory>

#include "groundswell/output/decomposition.hpp"
#include "groundswell/quake/fault/fault.hpp"
#include "groundswell/simulation/report.hpp"
#include "groundswell/simulation/state.hpp"

namespace groundswell::quake {

/// Watches whether a rupture has ended, at times that the case alone decides, so that runs on any ranks, and those that were
/// continued, end at the same step.
class RuptureEndWatch {
public:
    /// `meeting`: time from one meeting of all clusters to the next, s. Collective.
    RuptureEndWatch(MPI_Comm comm, const RuptureEnd& options, double meeting);

    /// Whether the run ends after so many meetings. Collective.
    bool has_ended(const Fault& fault, std::int64_t meetings);
    /// Tells since when the fault is quiet, after so many seconds; `early`: before the end of the run's schedule.
    void add_to(simulation::Report& report, double simulated, bool early) const;

    void add_to(simulation::State& state);
    void restore();

private:
    MPI_Comm comm_;
    RuptureEnd options_;
    double meeting_;
    std::int64_t every_;                      // meetings
    enum { since, largest, begun, numbers };  // s, below 0: not quiet; N m s⁻¹; 1: something has slipped
    std::array<double, numbers> known_{-1.0, 0.0, 0.0};
    std::unique_ptr<const output::Decomposition> row_;  // one, of the first rank
};

}  // namespace groundswell::quake
