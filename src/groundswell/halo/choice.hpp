#pragma once

#include <mpi.h>

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "groundswell/halo/transport.hpp"

namespace groundswell::halo {

/// One transport for each of the exchanges of a model.
using Transports = std::vector<std::unique_ptr<Transport>>;

/// A transport that may be chosen, for all exchanges. `make` is collective.
struct Candidate {
    std::string_view name;
    bool selects = false;  // sends selected values, where there are also candidates that send whole blocks
    std::function<Transports()> make;
};

/// Measurements of one candidate, the same on all ranks.
struct Trial {
    std::string_view name;
    bool selects = false;
    double seconds = 0.0;  // of one exchange (of each) on the slowest rank: the shortest of some
    int exchanges = 0;     // so many
};

struct Choice {
    Transports transports;
    std::vector<Trial> trials;  // of those that were tried, in the order of the candidates
    std::string doubt;          // what makes it doubtful; empty if nothing does
};

/// Tries the candidates on these fields, whose needed values are overwritten (of an exchange that adds: the
/// owned ones), and gives the one whose shortest exchange was the shortest; the first of equal ones. Of several
/// exchanges all are started and then finished: one choice for them together. fields: for each of them. All ranks choose the same, by the slowest
/// rank of each exchange. It takes a tenth of a second in all, and what the last exchange takes: see Contest.
/// Candidates for whom that is not enough are not tried. They are made for their own exchanges only: no more
/// than the best few need memory at a time. Collective.
Choice choose_fastest(MPI_Comm comm, const std::vector<Candidate>& candidates,
                      std::span<const std::vector<void*>> fields);

}  // namespace groundswell::halo
