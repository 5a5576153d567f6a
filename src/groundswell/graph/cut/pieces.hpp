// Parts that METIS left in several pieces. Used by the partitioner.
#pragma once

#include <cstdint>
#include <vector>

#include "groundswell/graph/partition.hpp"

namespace groundswell::graph {

/// Sea (component of the graph) of each cell, 0, 1, … in order of the lowest cell.
std::vector<std::int32_t> seas_of(const Graph& graph);

/// Parts in several pieces inside one sea.
int count_disconnected_parts(const Graph& graph, const std::vector<std::int32_t>& sea,
                             const std::vector<int>& part, int parts);

/// Gives each stray piece (all but the largest of a part in a sea) to the part that it shares most edges
/// with, as long as that part stays within `most_cells`. Cells move only between parts of the same host.
/// Returns how many parts are in several pieces yet, as count_disconnected_parts() does.
int join_stray_pieces(const Graph& graph, const std::vector<std::int32_t>& sea,
                      const std::vector<int>& host_of_part, std::int64_t most_cells, std::vector<int>& part,
                      int parts);

}  // namespace groundswell::graph
