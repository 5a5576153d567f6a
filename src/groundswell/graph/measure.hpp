// Quality of a partition. Used by the partitioner.
#pragma once

#include <cstdint>
#include <vector>

#include "groundswell/graph/partition.hpp"

namespace groundswell::graph {

/// Fills in what the report says of the parts themselves; part p is computed on host[p].
void measure(const Graph& graph, const std::vector<std::int32_t>& component, const std::vector<int>& host,
             const std::vector<int>& part, PartitionReport& report);

/// Weights of the edges between cells on different hosts; pairs, where edges have none.
std::int64_t weight_between_hosts(const Graph& graph, const std::vector<int>& host,
                                  const std::vector<int>& part);

}  // namespace groundswell::graph
