// Parts that METIS left in several pieces. Used by the partitioner.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "groundswell/graph/graph.hpp"

namespace groundswell::graph {

/// Connected component of each cell, 0, 1, … in order of the lowest cell.
std::vector<std::int32_t> components_of(const Graph& graph);

/// Parts in several pieces inside one component.
int count_disconnected_parts(const Graph& graph, const std::vector<std::int32_t>& component,
                             const std::vector<int>& part, int parts);

/// Gives each stray piece (all but the largest of a part in a component) to the part that it shares the
/// heaviest edges with, as long as that part then weighs at most most[k] in each constraint k. Cells move
/// only between parts of the same host. Returns how many parts are still in several pieces, as
/// count_disconnected_parts() does.
int join_stray_pieces(const Graph& graph, const std::vector<std::int32_t>& component,
                      const std::vector<int>& host_of_part, std::span<const std::int64_t> most,
                      std::vector<int>& part, int parts);

}  // namespace groundswell::graph
