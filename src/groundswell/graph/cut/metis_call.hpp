// One call of METIS. Used by the partitioner.
#pragma once

#include <metis.h>

#include <cstdint>
#include <vector>

#include "groundswell/graph/cut/balance.hpp"
#include "groundswell/graph/graph.hpp"

namespace groundswell::graph {

enum class Scheme {
    connected,  ///< k-way, and METIS brings each part's pieces together
    bisection,  ///< recursive; parts may be in pieces
};

inline constexpr idx_t first_seed = 20240906;

/// The graph with each component but the first tied by one edge to an earlier one, so that METIS can be asked
/// for connected parts (it ends the program if the graph is not connected). The components then form a tree,
/// so a part that is connected in this graph is connected inside every component of the old one.
Graph bridge_components(const Graph& graph, const std::vector<std::int32_t>& component);

/// Parts with these shares of each constraint, which is exceeded by up to its slack. `joined` is connected.
/// Throws base::RunFailure where memory is short, and base::Refusal where METIS cannot count the edges.
std::vector<int> call_metis(const Graph& joined, const std::vector<double>& share, const ByConstraint& slack,
                            Scheme scheme, idx_t seed);

}  // namespace groundswell::graph
