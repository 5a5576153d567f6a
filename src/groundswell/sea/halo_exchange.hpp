#pragma once

#include <mpi.h>

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "groundswell/halo/field.hpp"
#include "groundswell/halo/lateness.hpp"
#include "groundswell/halo/plan.hpp"
#include "groundswell/halo/selection.hpp"
#include "groundswell/halo/transport.hpp"
#include "groundswell/parallel/cores/thread_core.hpp"
#include "groundswell/parallel/profile.hpp"
#include "groundswell/parallel/progress_thread.hpp"
#include "groundswell/sea/case.hpp"
#include "groundswell/sea/propagation/propagator.hpp"
#include "groundswell/sea/real.hpp"
#include "groundswell/sea/spectrum/spectral_grid.hpp"

namespace groundswell::sea {

/// Where fields of a case should lie: where the ranks of a host can read each other's, if the transport that
/// does so may be taken.
halo::Memory field_memory(const HaloSection& options);

/// The directions of each halo cell that the propagation of owned cells reads: what a receiver wants of a
/// message. Local, not collective.
halo::Selection needed_directions(const SpectralGrid& grid, const Propagator& propagator);

/// How much of the exchange the computation covered, on this rank.
///
/// An exchange with nothing to compute meanwhile is measured a few times at the start; `waiting_alone` is the
/// time for which its finish() then blocks (the median), and `waiting` the same in the steps of the run (the
/// mean). The hidden share is 1 − Σ waiting / Σ waiting_alone over ranks, within 0…1. So a neighbour that is
/// late counts against it. It does not say that messages cost nothing: what polls take from the computation
/// is `polling`, and in the profile part of exchange_wait, not of propagation.
struct Overlap {
    double waiting = 0.0;        ///< s an exchange, in which the main thread stood still
    double waiting_alone = 0.0;  ///< s an exchange, the same without a computation to hide it
    double polling = 0.0;        ///< s in all, in which the main thread pushed messages along
    double thread = 0.0;         ///< s in all, in which the communication thread did
};

/// The exchange of the model's state: which transport, which of a halo cell's bins travel, and what pushes
/// the messages along while interior cells are computed.
class HaloExchange {
public:
    /// Chooses and tries out the transport on `field` (its halo values are overwritten), finds a core for the
    /// communication thread if the case wants one and keeps the other threads of the rank off the cores of
    /// all communication threads. Throws base::Refusal on all ranks if the case asks for what this MPI
    /// library cannot do. Collective over plan->comm().
    HaloExchange(const Case& run, std::shared_ptr<const halo::Plan> plan, const SpectralGrid& grid,
                 const Propagator& propagator, halo::Field<Real>& field);

    HaloExchange(const HaloExchange&) = delete;  // its thread knows where it is
    HaloExchange& operator=(const HaloExchange&) = delete;

    /// Begins to bring the halo of a field. Until finish() its owned values may be read only, and its halo
    /// not be touched. Times go to `profile`.
    void start(Real* field, parallel::Profile& profile);
    /// Whether poll() is to be called now and then between start() and finish().
    bool wants_polls() const { return progress_ == Progress::polling; }
    /// Pushes messages along.
    void poll(parallel::Profile& profile);
    /// Returns when the halo is in place. Collective for some transports.
    void finish(parallel::Profile& profile);

    std::string_view transport() const { return transport_->name(); }
    bool selects() const { return transport_->selects(); }
    Progress progress() const { return progress_; }
    /// Core of this rank's communication thread, if it has one of its own.
    std::optional<int> thread_cpu() const { return thread_cpu_; }
    Overlap overlap() const;
    /// What this rank waited for, once it had nothing more to compute. Collective over plan->comm().
    halo::Waits waits() const { return lateness_.waits(*plan_); }
    /// Of the exchanges since the transport was chosen.
    const halo::Traffic& traffic() const { return transport_->traffic(); }

private:
    void start_thread(const Case& run);

    std::shared_ptr<const halo::Plan> plan_;
    Progress progress_;
    std::unique_ptr<halo::Transport> transport_;
    std::optional<int> thread_cpu_;
    std::optional<parallel::ConfinedThreads> confined_threads_;
    std::unique_ptr<parallel::ProgressThread> thread_;  // after the transport, which it pushes
    halo::Lateness lateness_;
    double waiting_ = 0.0, waiting_alone_ = 0.0, polling_ = 0.0;
    std::int64_t exchanges_ = 0;
};

}  // namespace groundswell::sea
