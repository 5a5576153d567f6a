// The one call of METIS that cuts cells. Used by the partitioner.
#pragma once

#include <cstdint>
#include <vector>

#include "groundswell/mesh/partition.hpp"

namespace groundswell::mesh {

/// Parts with the given shares (of sum 1) of the cells, each at most `slack` (relative) over its share,
/// connected inside each sea; consecutive stretches of cells where a part would have fewer than four. Throws
/// base::RunFailure where memory is short.
std::vector<int> cut(const Graph& graph, const std::vector<double>& share, double slack);

/// Cells that a part may have where the mean is `mean` (PartitionOptions::imbalance).
std::int64_t most_cells(double mean, double imbalance);

std::vector<double> equal_shares(std::size_t parts);

}  // namespace groundswell::mesh
