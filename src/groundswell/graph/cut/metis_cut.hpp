// Cells cut by METIS. Used by the partitioner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "groundswell/graph/partition.hpp"

namespace groundswell::graph {

/// How long cutting may take: up to so many parts are also cut by halves, each half the best of some tries.
struct Effort {
    int tries = 1;
    std::size_t most_parts_to_halve = 0;
};

/// Seconds for a mesh of a million cells, tens of seconds for ten million.
Effort effort_for(std::int32_t cells);

/// Parts with the given shares (of sum 1) of the cells, each at most `slack` (relative) over its share,
/// connected inside each sea; consecutive stretches of cells where a part would have fewer than four. METIS
/// cuts them at once and, where the effort allows it, by halves; what is connected, balanced and cuts fewer
/// pairs of neighbours apart is taken. Throws base::RunFailure where memory is short.
std::vector<int> cut(const Graph& graph, const std::vector<double>& share, double slack,
                     const Effort& effort);

/// Cells that a part may have where the mean is `mean` (PartitionOptions::imbalance).
std::int64_t most_cells(double mean, double imbalance);

std::vector<double> equal_shares(std::size_t parts);

}  // namespace groundswell::graph
