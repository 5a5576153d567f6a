// Demands on a partition by groups of cells that step at rates of their own. Pure functions of graph and parts.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "groundswell/graph/graph.hpp"

/// Group g steps once where group 0 steps `rate`ᵍ times; all meet when the last one has stepped once.
namespace groundswell::graph {

/// Steps of each group from one meeting to the next.
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
