#pragma once

#include <mpi.h>

#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "groundswell/halo/transport.hpp"

namespace groundswell::halo {

/// A transport that may be chosen. `make` is collective.
struct Candidate {
    std::string_view name;
    bool selects = false;  // sends selected values, where there are also candidates that send whole blocks
    std::function<std::unique_ptr<Transport>()> make;
};

/// What was found of one candidate, the same on all ranks.
struct Trial {
    std::string_view name;
    bool selects = false;
    double seconds = 0.0;  // of one exchange on the slowest rank: the 10th percentile of some
    int exchanges = 0;     // so many
};

struct Choice {
    std::unique_ptr<Transport> transport;
    std::vector<Trial> trials;  // in the order of the candidates
};

/// Tries each candidate on these fields, whose needed values are overwritten, and gives the fastest; the
/// first of those that are as fast within the noise. All ranks choose the same, by the slowest rank of each
/// exchange.
///
/// Two sweeps go through the candidates with a few exchanges each, some time apart, so that a disturbance of
/// the machine does not meet all exchanges of one; who is far behind in the first is left out of the second.
/// Then the best few have exchanges in turns. Candidates are made for their own exchanges only: no more than
/// the best few need memory at a time. It takes two seconds at most, unless three exchanges of each candidate
/// take longer. Collective.
Choice choose_fastest(MPI_Comm comm, const std::vector<Candidate>& candidates, std::span<void* const> fields);

}  // namespace groundswell::halo
