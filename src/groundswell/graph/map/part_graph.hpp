// What parts exchange. Pure functions of graph and parts: no MPI here.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "groundswell/graph/partition.hpp"

namespace groundswell::graph {

/// The parts around each part and the halo cells that pass between them. Neighbours of part p are
/// [offset[p], offset[p+1]), ascending. Halos are mutual: of two neighbours each stands in the other's row.
struct PartGraph {
    std::vector<std::int64_t> offset{0};  ///< [parts + 1]
    std::vector<int> neighbour;
    std::vector<std::int64_t> received;  ///< cells that p gets from this neighbour
    std::vector<std::int64_t> sent;      ///< cells that p gives to it

    int parts() const { return static_cast<int>(offset.size()) - 1; }
};

/// The halo of part p are the cells of other parts that lie within `layers` rings (1 or 2) around its own
/// cells. part[c] in [0, parts). Time and memory by the cells near the rims of parts.
PartGraph graph_of_parts(const Graph& graph, std::span<const int> part, int parts, int layers);

}  // namespace groundswell::graph
