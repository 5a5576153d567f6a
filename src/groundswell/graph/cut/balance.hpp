// Limits on the weights of parts. Used by the partitioner.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "groundswell/graph/graph.hpp"

namespace groundswell::graph {

/// One number for each constraint of a graph.
using ByConstraint = std::vector<double>;

/// Weights of parts: [parts][constraints].
std::vector<std::int64_t> weights_of_parts(const Graph& graph, std::span<const int> part, int parts);

/// The mean weight of `parts` parts of the graph.
ByConstraint mean_weights(const Graph& graph, std::size_t parts);

/// Largest weight that a part may have where the mean is `mean`: whole numbers, with room for two cells of the
/// mean weight, and for the heaviest one of all (PartitionOptions::imbalance).
std::vector<std::int64_t> most_weights(const Graph& graph, const ByConstraint& mean,
                                       const ByConstraint& imbalance);

/// By how much `most` exceeds `mean`, relative to it; 0 for constraints that no cell has a weight for.
ByConstraint slack_over(const ByConstraint& mean, const std::vector<std::int64_t>& most);

}  // namespace groundswell::graph
