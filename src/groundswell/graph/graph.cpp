#include "groundswell/graph/graph.hpp"

#include <algorithm>

namespace groundswell::graph {

void Graph::copy_weights(const Graph& other, std::int32_t cell) {
    if (other.cell_weight.empty()) return;
    for (int k = 0; k < constraints; ++k) cell_weight.push_back(other.weight(cell, k));
}

int Graph::groups() const {
    return group.empty() ? 1 : 1 + *std::ranges::max_element(group);
}

Graph take_cells(const Graph& graph, std::span<const std::int32_t> chosen) {
    std::vector<std::int32_t> number(graph.cells(), -1);
    for (std::size_t i = 0; i < chosen.size(); ++i) number[chosen[i]] = static_cast<std::int32_t>(i);
    Graph taken;
    taken.constraints = graph.constraints;
    taken.offset.reserve(chosen.size() + 1);
    taken.neighbour.reserve(graph.neighbour.size());
    for (const std::int32_t c : chosen) {
        for (std::int64_t j = graph.offset[c]; j < graph.offset[c + 1]; ++j) {
            if (number[graph.neighbour[j]] < 0) continue;
            taken.neighbour.push_back(number[graph.neighbour[j]]);
            if (!graph.edge_weight.empty()) taken.edge_weight.push_back(graph.edge_weight[j]);
        }
        taken.end_row();
        taken.copy_weights(graph, c);
        if (!graph.group.empty()) taken.group.push_back(graph.group[c]);
    }
    return taken;
}

std::vector<std::int64_t> total_weights(const Graph& graph) {
    if (graph.cell_weight.empty()) return {graph.cells()};
    std::vector<std::int64_t> total(graph.constraints, 0);
    for (std::int32_t c = 0; c < graph.cells(); ++c)
        for (int k = 0; k < graph.constraints; ++k) total[k] += graph.weight(c, k);
    return total;
}

}  // namespace groundswell::graph
