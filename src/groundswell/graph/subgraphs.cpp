#include "groundswell/graph/subgraphs.hpp"

#include <numeric>

namespace groundswell::graph {

Subgraphs::Subgraphs(const Graph& graph, const std::vector<int>& group, std::size_t groups)
    : graph_(graph), group_(group), begin_(groups + 1, 0), cells_(group.size()), number_(group.size()) {
    for (const int g : group) ++begin_[g + 1];
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    std::vector<std::int64_t> next(begin_.begin(), begin_.end() - 1);
    for (std::int32_t c = 0; c < graph.cells(); ++c) {
        const int g = group[c];
        number_[c] = static_cast<std::int32_t>(next[g] - begin_[g]);
        cells_[next[g]++] = c;
    }
}

std::span<const std::int32_t> Subgraphs::cells_of(std::size_t group) const {
    return std::span(cells_).subspan(begin_[group], begin_[group + 1] - begin_[group]);
}

Graph Subgraphs::graph_of(std::size_t group) const {
    Graph inner;
    inner.constraints = graph_.constraints;
    for (const std::int32_t c : cells_of(group)) {
        for (std::int64_t j = graph_.offset[c]; j < graph_.offset[c + 1]; ++j) {
            const std::int32_t n = graph_.neighbour[j];
            if (group_[n] != static_cast<int>(group)) continue;
            inner.neighbour.push_back(number_[n]);
            if (!graph_.edge_weight.empty()) inner.edge_weight.push_back(graph_.edge_weight[j]);
        }
        inner.end_row();
        inner.copy_weights(graph_, c);
    }
    return inner;
}

}  // namespace groundswell::graph
