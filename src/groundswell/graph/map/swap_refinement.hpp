// Better hosts for parts, a few parts at a time. Used by the mapping.
#pragma once

#include <span>
#include <vector>

#include "groundswell/graph/map/part_graph.hpp"

namespace groundswell::graph {

/// Moves parts until host h has exactly ranks_of_host[h] of them: from hosts with too many, by way of hosts
/// that are neighbours, to the nearest ones with too few, each time the parts that lose least. host[p] in
/// [0, hosts).
void fill_exactly(const PartGraph& parts, std::span<const int> ranks_of_host, std::vector<int>& host);

/// Exchanges two parts of different hosts as long as fewer halo cells pass between hosts; or as many, and the
/// links are spread more evenly over hosts (their squares' sum falls). Hosts keep their numbers of parts.
void improve_by_swaps(const PartGraph& parts, std::vector<int>& host);

}  // namespace groundswell::graph
