// Neighbours and weights of cells. Knows no mesh: a cell is a number.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace groundswell::graph {

/// Cells and the cells across their edges; every pair stands in both rows.
///
/// Weights say what a partition is to balance and to spare. A cell has one weight for each constraint, and
/// every part gets its share of each: the cost of a cell times how often it is updated, say, and its memory.
/// The weight of an edge is what passes across it in both directions, bytes times how often.
struct Graph {
    std::vector<std::int64_t> offset{0};  ///< [cells + 1]
    std::vector<std::int32_t> neighbour;
    int constraints = 1;                    ///< up to most_constraints (partition.hpp)
    std::vector<std::int64_t> cell_weight;  ///< [cells][constraints], >= 0; empty: one constraint, 1 each
    std::vector<std::int64_t> edge_weight;  ///< [neighbour], >= 1, the same in both rows; empty: 1 each
    /// [cells] 0, 1, …: those that are computed at one time. A cut along a curve gives every part its share of each group; a
    /// weight is of all times together. Empty: one group.
    std::vector<std::int32_t> group;

    std::int32_t cells() const { return static_cast<std::int32_t>(offset.size()) - 1; }
    std::span<const std::int32_t> around(std::int32_t cell) const {
        return std::span(neighbour).subspan(offset[cell], offset[cell + 1] - offset[cell]);
    }
    std::int64_t weight(std::int32_t cell, int constraint = 0) const {
        return cell_weight.empty() ? 1 : cell_weight[std::int64_t{cell} * constraints + constraint];
    }
    std::int32_t group_of(std::int32_t cell) const { return group.empty() ? 0 : group[cell]; }
    int groups() const;
    /// Weight of the edge that is entry j of `neighbour`.
    std::int64_t weight_across(std::int64_t j) const { return edge_weight.empty() ? 1 : edge_weight[j]; }

    /// Ends the row of the next cell, whose neighbours have been added.
    void end_row() { offset.push_back(static_cast<std::int64_t>(neighbour.size())); }
    /// Adds to the weights those of cell `cell` of `other`, with as many constraints.
    void copy_weights(const Graph& other, std::int32_t cell);
};

/// The graph of cells chosen[0], chosen[1], … of `graph`, renumbered 0, 1, …
Graph take_cells(const Graph& graph, std::span<const std::int32_t> chosen);

/// Total weight of all cells, by constraint.
std::vector<std::int64_t> total_weights(const Graph& graph);

}  // namespace groundswell::graph
