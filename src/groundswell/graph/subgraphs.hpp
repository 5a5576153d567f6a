// The graph taken apart along groups of its cells. Used by the partitioner.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "groundswell/graph/graph.hpp"

namespace groundswell::graph {

/// The cells of each group, and the graph among them. Made of all groups' cells sorted once, so that all
/// groups together cost no more than the graph. Refers to its arguments, which must outlive it.
class Subgraphs {
public:
    /// group[c] in [0, groups).
    Subgraphs(const Graph& graph, const std::vector<int>& group, std::size_t groups);

    /// Ascending.
    std::span<const std::int32_t> cells_of(std::size_t group) const;

    /// Its cell i is cells_of(group)[i]; weights as in the whole graph.
    Graph graph_of(std::size_t group) const;

private:
    const Graph& graph_;
    const std::vector<int>& group_;
    std::vector<std::int64_t> begin_;   // [groups + 1]
    std::vector<std::int32_t> cells_;   // by group
    std::vector<std::int32_t> number_;  // [cells] among its group's
};

}  // namespace groundswell::graph
