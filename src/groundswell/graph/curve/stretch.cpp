#include "groundswell/graph/curve/stretch.hpp"

#include <algorithm>
#include <cmath>

namespace groundswell::graph {

int part_along(std::int64_t before, std::int64_t weight, std::int64_t total, int parts) {
    if (total == 0) return 0;
    const double middle = static_cast<double>(before) + 0.5 * static_cast<double>(weight);
    return std::min(parts - 1, static_cast<int>(middle / static_cast<double>(total) * parts));
}

std::int64_t weight_along(std::span<const std::int64_t> weights, std::span<const std::int64_t> totals) {
    if (weights.size() == 1) return weights[0];
    constexpr double whole = static_cast<double>(std::int64_t{1} << 48);
    std::int64_t sum = 0;
    for (std::size_t k = 0; k < weights.size(); ++k) {
        if (totals[k] > 0)
            sum += std::llround(static_cast<double>(weights[k]) / static_cast<double>(totals[k]) * whole);
    }
    return sum;
}

std::vector<int> cut_along(const Graph& graph, int parts) {
    std::vector<std::int64_t> weight(graph.cells(), 1);
    if (!graph.cell_weight.empty()) {
        const std::vector<std::int64_t> totals = total_weights(graph);
        for (std::int32_t c = 0; c < graph.cells(); ++c)
            weight[c] = weight_along(std::span(graph.cell_weight)
                                         .subspan(static_cast<std::size_t>(c) * totals.size(), totals.size()),
                                     totals);
    }
    std::vector<std::int64_t> total(graph.groups(), 0), before(graph.groups(), 0);
    for (std::int32_t c = 0; c < graph.cells(); ++c) total[graph.group_of(c)] += weight[c];
    std::vector<int> part;
    part.reserve(weight.size());
    for (std::int32_t c = 0; c < graph.cells(); ++c) {
        const std::int32_t group = graph.group_of(c);
        part.push_back(part_along(before[group], weight[c], total[group], parts));
        before[group] += weight[c];
    }
    return part;
}

}  // namespace groundswell::graph
