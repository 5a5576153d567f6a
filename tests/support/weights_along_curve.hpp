#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>
#include <vector>

#include "groundswell/graph/curve/stretch.hpp"
#include "groundswell/parallel/reduce.hpp"

namespace groundswell::test {

/// One weight of several constraints, weight_along(), for each of this rank's cells: `weights` is [cells][constraints].
/// Collective.
inline std::vector<std::int64_t> weights_along_curve(MPI_Comm comm, std::span<const std::int64_t> weights,
                                                     int constraints) {
    std::vector<std::int64_t> totals(constraints, 0), combined;
    for (std::size_t i = 0; i < weights.size(); ++i) totals[i % totals.size()] += weights[i];
    for (std::int64_t& total : totals) total = parallel::sum(comm, total);
    for (std::size_t i = 0; i < weights.size(); i += totals.size())
        combined.push_back(graph::weight_along(weights.subspan(i, totals.size()), totals));
    return combined;
}

}  // namespace groundswell::test
