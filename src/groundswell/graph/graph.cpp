#include "groundswell/graph/graph.hpp"

namespace groundswell::graph {

Graph take_cells(const Graph& graph, std::span<const std::int32_t> chosen) {
    std::vector<std::int32_t> number(graph.cells(), -1);
    for (std::size_t i = 0; i < chosen.size(); ++i) number[chosen[i]] = static_cast<std::int32_t>(i);
    Graph taken;
    taken.offset.reserve(chosen.size() + 1);
    taken.neighbour.reserve(graph.neighbour.size());
    for (const std::int32_t c : chosen) {
        for (std::int32_t j = graph.offset[c]; j < graph.offset[c + 1]; ++j) {
            if (number[graph.neighbour[j]] >= 0) taken.neighbour.push_back(number[graph.neighbour[j]]);
        }
        taken.offset.push_back(static_cast<std::int32_t>(taken.neighbour.size()));
    }
    return taken;
}

}  // namespace groundswell::graph
