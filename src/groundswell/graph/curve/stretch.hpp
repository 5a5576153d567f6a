// Parts that are stretches of equal weight of a curve.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "groundswell/graph/graph.hpp"

namespace groundswell::graph {

/// The part of a cell of this weight with the weight `before` in front of it, of `total`, the same for any
/// number of ranks. Each part's weight is within that of its heaviest cell of the mean; a cell of twice the
/// mean and more leaves parts empty.
int part_along(std::int64_t before, std::int64_t weight, std::int64_t total, int parts);

/// One weight for a cell with weights of several constraints, of which all cells have `totals`: each counts
/// by its share of the whole. A curve cannot balance more than one.
std::int64_t weight_along(std::span<const std::int64_t> weights, std::span<const std::int64_t> totals);

/// The parts of a graph whose cells stand in the order of a curve.
std::vector<int> cut_along(const Graph& graph, int parts);

}  // namespace groundswell::graph
