#include "groundswell/graph/cut/balance.hpp"

#include <algorithm>
#include <cmath>

namespace groundswell::graph {

std::vector<std::int64_t> weights_of_parts(const Graph& graph, std::span<const int> part, int parts) {
    std::vector<std::int64_t> weight(static_cast<std::size_t>(parts) * graph.constraints, 0);
    for (std::int32_t c = 0; c < graph.cells(); ++c) {
        for (int k = 0; k < graph.constraints; ++k)
            weight[std::int64_t{part[c]} * graph.constraints + k] += graph.weight(c, k);
    }
    return weight;
}

ByConstraint mean_weights(const Graph& graph, std::size_t parts) {
    ByConstraint mean;
    for (const std::int64_t total : total_weights(graph))
        mean.push_back(static_cast<double>(total) / static_cast<double>(parts));
    return mean;
}

std::vector<std::int64_t> most_weights(const Graph& graph, const ByConstraint& mean,
                                       const ByConstraint& imbalance) {
    const std::vector<std::int64_t> total = total_weights(graph);
    std::vector<std::int64_t> most;
    for (std::size_t k = 0; k < mean.size(); ++k) {
        const double cell = static_cast<double>(total[k]) / std::max(1, graph.cells());
        std::int64_t heaviest = 0;
        for (std::int32_t c = 0; c < graph.cells(); ++c)
            heaviest = std::max(heaviest, graph.weight(c, static_cast<int>(k)));
        most.push_back(std::max({static_cast<std::int64_t>(std::ceil((1.0 + imbalance[k]) * mean[k])),
                                 static_cast<std::int64_t>(std::floor(mean[k]) + 2.0 * cell), heaviest}));
    }
    return most;
}

ByConstraint slack_over(const ByConstraint& mean, const std::vector<std::int64_t>& most) {
    ByConstraint slack;
    for (std::size_t k = 0; k < mean.size(); ++k)
        slack.push_back(mean[k] > 0.0 ? static_cast<double>(most[k]) / mean[k] - 1.0 : 0.0);
    return slack;
}

}  // namespace groundswell::graph
