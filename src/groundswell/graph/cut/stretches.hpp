// Parts that are consecutive stretches of the cells' order. Used by the partitioner.
#pragma once

#include <vector>

#include "groundswell/graph/graph.hpp"

namespace groundswell::graph {

/// Stretches whose weights are proportional to `share` (of sum 1), to the nearest cell. Of several
/// constraints each counts by its share of the whole. No part is left without cells where there are as many
/// cells as parts and the cells have weights.
std::vector<int> stretches(const Graph& graph, const std::vector<double>& share);

}  // namespace groundswell::graph
