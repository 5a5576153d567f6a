// Communication between parts. Pure functions of graph and parts: no MPI here.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "groundswell/graph/graph.hpp"

namespace groundswell::graph {

/// The parts around each part and the halo cells that pass between them. Neighbours of part p are
/// [offset[p], offset[p+1]), ascending. Halos are mutual: of two neighbours each stands in the other's row.
struct PartGraph {
    std::vector<std::int64_t> offset{0};  ///< [parts + 1]
    std::vector<int> neighbour;
    std::vector<std::int64_t> received;  ///< what p gets from this neighbour: cells, or their weight
    std::vector<std::int64_t> sent;      ///< what p gives to it

    int parts() const { return static_cast<int>(offset.size()) - 1; }
};

/// The halo of part p are the cells of other parts that lie within `layers` rings (1 or 2) around its own
/// cells. Each counts 1 or, where edges have weights, as the heaviest one that leads from it, or from the ring
/// between, into the part: a cell is sent once, whatever its number of neighbours there. part[c] in [0,
/// parts). Time and memory by the cells near the rims of parts.
PartGraph graph_of_parts(const Graph& graph, std::span<const int> part, int parts, int layers);

/// Parts where a cell reads from each neighbour by itself, once for each step that it takes between meetings (steps_of_groups): of
/// elements that take in waves through their faces, step by step. Halos are mutual here too.
PartGraph graph_of_reads(const Graph& graph, int rate, std::span<const int> part, int parts);

/// Steps of each group from one meeting to the next: group g steps once where group 0 steps `rate`ᵍ times; all meet when the last
/// one has stepped once.
std::vector<std::int64_t> steps_of_groups(const Graph& graph, int rate);

/// Data that part `to` receives from part `from` in one message: `reads` cells read by others, in the cells' own number of steps together.
struct GroupMessage {
    int to, from;
    std::int32_t group;  ///< of those who write
    std::int64_t times;  ///< such messages from one meeting to the next
    std::int64_t reads;  ///< in each of them
};

/// All messages, by receiver and sender. Of each neighbour a part receives one for each step of a group that both have at their
/// common faces, or of the finer of two groups a message for each step of the coarser one, and the other way.
std::vector<GroupMessage> messages_of_groups(const Graph& graph, int rate, std::span<const int> part);

/// Messages that each part receives from one meeting to the next.
std::vector<std::int64_t> messages_received(const Graph& graph, int rate, std::span<const int> part,
                                            int parts);

/// Excess over the mean of all parts if they met after each step of group 0, over the mean. A cell is
/// half computed as its step begins, half as it ends.
double imbalance_in_step(const Graph& graph, int rate, std::span<const int> part, int parts);

}  // namespace groundswell::graph
