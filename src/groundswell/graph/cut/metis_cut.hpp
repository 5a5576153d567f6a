// Cells cut by METIS. Used by the partitioner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "groundswell/graph/cut/balance.hpp"
#include "groundswell/graph/graph.hpp"

namespace groundswell::graph {

/// Limit on the time that partitioning may take: up to so many parts are also cut by halves, each half the best of some tries.
struct Effort {
    int tries = 1;
    std::size_t most_parts_to_halve = 0;
};

/// Seconds for a mesh of a million cells, tens of seconds for ten million.
Effort effort_for(std::int32_t cells);

/// Parts with the given shares (of sum 1) of the cells' weights, each at most `slack` (relative, by
/// constraint) over its share, connected inside each component; consecutive stretches of cells where a part
/// would have fewer than four. METIS cuts them at once and, where the effort allows it, by halves; what is
/// connected, balanced and has the least weight of edges cut is taken. Throws base::RunFailure where memory
/// is short.
std::vector<int> cut(const Graph& graph, const std::vector<double>& share, const ByConstraint& slack,
                     const Effort& effort);

std::vector<double> equal_shares(std::size_t parts);

}  // namespace groundswell::graph
