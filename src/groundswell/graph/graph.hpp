// Which cells touch which. Knows no mesh: a cell is a number.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace groundswell::graph {

/// Cells and the cells across their edges; every pair stands in both rows.
struct Graph {
    std::vector<std::int32_t> offset{0};  ///< [cells + 1]
    std::vector<std::int32_t> neighbour;

    std::int32_t cells() const { return static_cast<std::int32_t>(offset.size()) - 1; }
};

/// The graph of cells chosen[0], chosen[1], … of `graph`, renumbered 0, 1, …
Graph take_cells(const Graph& graph, std::span<const std::int32_t> chosen);

}  // namespace groundswell::graph
