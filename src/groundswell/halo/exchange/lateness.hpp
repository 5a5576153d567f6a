#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>
#include <vector>

#include "groundswell/halo/plan.hpp"
#include "groundswell/parallel/placement.hpp"

namespace groundswell::halo {

/// Causes of waiting in a run's exchanges, seconds per exchange.
struct Waits {
    double late = 0.0;           ///< for neighbours that had not come to the end of the exchange themselves
    double message = 0.0;        ///< for messages, when all had
    std::int64_t exchanges = 0;  ///< of which this is the mean
};

/// An end of an exchange: when this rank came to it, and how long it then waited.
struct Arrival {
    double reached = 0.0, waited = 0.0;  ///< s
};

/// Waiting belongs to late neighbours up to the moment at which the last of them arrived. `last_neighbour`:
/// when that was, in each of the exchanges.
Waits split_waits(std::span<const Arrival> mine, std::span<const double> last_neighbour);

/// Tells late neighbours from slow messages. It keeps the arrivals of a selection of the exchanges, the same
/// on all ranks, and compares them with those of the neighbours when asked: a run pays nothing for it.
class Lateness {
public:
    /// Collective: compares the clocks of hosts.
    explicit Lateness(MPI_Comm comm);

    /// To be called in every exchange. Allocates nothing.
    void record(double reached, double waited);

    /// Collective over the plan's communicator, which is that of the beginning.
    Waits waits(const Plan& plan) const;

private:
    parallel::Moment begin_;
    std::vector<Arrival> arrivals_;
    std::int64_t exchanges_ = 0, every_ = 1;
};

}  // namespace groundswell::halo
